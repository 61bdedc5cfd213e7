# SPDX-License-Identifier: Apache-2.0
"""Runs the tests and prints a line for each, as those of the other languages do."""

import sys
import unittest


class Lines(unittest.TextTestResult):
    """--- PASS, FAIL or SKIP and the test's name."""

    def line(self, what: str, test: unittest.TestCase) -> None:
        self.stream.writeln(f"--- {what}: {test.id().removeprefix('tests.')}")

    def addSuccess(self, test):  # noqa: N802
        self.line("PASS", test)

    def addFailure(self, test, err):  # noqa: N802
        super().addFailure(test, err)
        self.line("FAIL", test)

    def addError(self, test, err):  # noqa: N802
        super().addError(test, err)
        self.line("FAIL", test)

    def addSkip(self, test, reason):  # noqa: N802
        super().addSkip(test, reason)
        self.line("SKIP", test)


suite = unittest.defaultTestLoader.discover("tests", top_level_dir=".")
result = unittest.TextTestRunner(resultclass=Lines, verbosity=0).run(suite)
sys.exit(not result.wasSuccessful())
