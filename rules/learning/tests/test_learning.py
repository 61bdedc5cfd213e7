# SPDX-License-Identifier: Apache-2.0
"""What is learned, from what, and how it is judged."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

from nstar_learning import (
    CLASSES,
    CLIENT,
    GRAY,
    SERVER,
    __main__,
    confidence,
    elsewhere,
    evaluate,
    features,
    models,
    splits,
    tiers,
)
from nstar_learning.data import BadInputError, calls, limiting_tiers, own_metrics, read

from . import bed


class Data(unittest.TestCase):
    def test_classes_are_the_studys(self):
        _, e, _ = bed.experiment()
        self.assertEqual(set(e.classes), {CLIENT, GRAY, SERVER})
        for name in e.names:
            here = e.setups == name
            of_clients, of_server = (e.clients[here & (e.classes == k)] for k in (CLIENT, SERVER))
            self.assertLess(of_clients.max(), of_server.min())
        self.assertTrue(np.isnan(e.values["php/own_queue"]).any(), "an empty field was measured")

    def test_mistakes_are_explained(self):
        with tempfile.TemporaryDirectory() as name:
            directory = bed.studied(Path(name), count=2, runs=1)
            points, classes = directory / "points.csv", directory / "study" / "classes.csv"
            text, known = points.read_text(), classes.read_text()
            for change, said in (
                (lambda: points.write_text(text.replace("setup-0,", "setup-0,one", 1)), "'one.*' is not a number"),
                (
                    lambda: points.write_text(text + text.splitlines()[1].replace("setup-0,", "other,") + "\n"),
                    "study .* again",
                ),
                (lambda: classes.write_text(known.replace(",1\n", ",0\n")), "no setup shows both sides"),
                (classes.unlink, "classes.csv: No such file"),
            ):
                points.write_text(text)
                classes.write_text(known)
                change()
                with self.assertRaisesRegex(BadInputError, said):
                    read(points, directory / "study")

    def test_own_metrics_are_those_of_the_rules(self):
        own = own_metrics(bed.OWN)
        self.assertLess({"own_queue", "saturated_windows", "excess"}, own)
        self.assertNotIn("apache_workers_busy", own)

    def test_the_studys_points_do(self):
        """Those of whoever has no campaign: read out of Prometheus, they are nowhere else."""
        directory, e, _ = bed.experiment()
        again = read(directory / "study" / "points.csv", directory / "study")
        np.testing.assert_array_equal(
            again.classes[np.lexsort((again.clients, again.setups))], e.classes[np.lexsort((e.clients, e.setups))]
        )
        self.assertEqual([m.column for m in again.metrics], [m.column for m in e.metrics])


class Features(unittest.TestCase):
    def test_values_mean_the_same_in_other_units(self):
        setups = np.array(["a"] * 4 + ["b"] * 4)
        seconds = np.array([0.02, 0.02, 0.08, np.nan, 2.0, 2.0, 8.0, 16.0])
        got = features.doublings(seconds, setups, 1e-9)
        np.testing.assert_allclose(got, [0, 0, 2, np.nan, 0, 0, 2, 3], atol=1e-6)

    def test_the_furthest_tier_counts(self):
        got = features.largest([np.array([1.0, np.nan, np.nan]), np.array([3.0, 2.0, np.nan])])
        np.testing.assert_array_equal(got, [3, 2, np.nan])

    def test_sets(self):
        _, _, table = bed.experiment()
        sets = features.sets(table.features)
        named = {name: {table.features[i].name for i in columns} for name, columns in sets.items()}
        self.assertNotIn("response_time", named["server-side-only"])
        self.assertEqual(named["RC"], {"node_cpu", "processors_used"})
        self.assertEqual(named["RT"], {"response_time", "apache_request_time"})
        self.assertEqual(named["Nstar's own"], {"own_queue", "saturated_windows", "excess"})
        self.assertFalse(named["classic"] & named["Nstar's own"])


class Splits(unittest.TestCase):
    def test_nothing_asked_was_seen(self):
        _, e, _ = bed.experiment()
        for scheme in splits.SCHEMES:
            found = list(splits.every(e, scheme))
            self.assertGreater(len(found), 10)
            for train, test in found:
                self.assertFalse((train & test).any())
                if scheme != "new number of clients":
                    self.assertFalse(set(e.setups[train]) & set(e.setups[test]), scheme)
                if scheme != "new setup":
                    self.assertFalse(set(e.clients[train]) & set(e.clients[test]), scheme)
                    self.assertEqual(len(set(e.clients[test])), splits.P)
                else:
                    self.assertEqual(len(set(e.setups[test])), splits.P)

    def test_some_are_always_the_same(self):
        _, e, _ = bed.experiment()
        first, again = ([t.tolist() for _, t in splits.some(e, "both new", 5, seed)] for seed in (3, 3))
        self.assertEqual(first, again)
        self.assertEqual(len(first), 5)
        self.assertNotEqual(first, [t.tolist() for _, t in splits.some(e, "both new", 5, 4)])


class Judging(unittest.TestCase):
    def test_major_errors(self):
        for truth, said, want in (
            (CLIENT, SERVER, True), (CLIENT, GRAY, True), (SERVER, CLIENT, True),
            (SERVER, GRAY, False), (GRAY, CLIENT, False), (GRAY, SERVER, False), (GRAY, GRAY, False),
            (CLIENT, CLIENT, False),
        ):  # fmt: skip
            self.assertEqual(
                evaluate.major(np.array([truth]), np.array([said]))[0], want, (CLASSES[truth], CLASSES[said])
            )

    def test_models_beat_the_majority_on_new_setups(self):
        _, e, table = bed.experiment()
        sets = features.sets(table.features)
        small = {"recommended": sets["recommended"]}
        outcomes = evaluate.run(e, table.values, small, models.classifiers, ("new setup",), most=3)
        self.assertEqual([o.model for o in outcomes], ["DT", "RF", "SVM", "LR", "GB"])
        for o in outcomes:
            self.assertGreater(o.accuracy, o.baseline + 0.2, o.model)
            self.assertEqual(len(o.accuracies), 3)
            self.assertEqual(
                o.confusion.sum(), sum(len(a) for a in [e.classes[t] for _, t in splits.some(e, "new setup", 3, 0)])
            )

    def test_carries_over_to_faster_machines(self):
        with tempfile.TemporaryDirectory() as name:
            directory = bed.studied(Path(name), count=6, faster=40.0)
            e = read(directory / "points.csv", directory / "study")
            table = features.table(e, own_metrics(bed.OWN))
            for name in ("server-side-only", "RT"):  # seconds alone, which are forty times less
                columns = features.sets(table.features)[name]
                outcome = __main__.transferred(e, table.of(columns), ["setup-[0-2]", "setup-[3-5]"])
                self.assertEqual(set(outcome.by_setup), {"setup-3", "setup-4", "setup-5"})
                self.assertGreater(outcome.accuracy, outcome.baseline + 0.3, name)

    def test_carries_over_to_another_experiment(self):
        _, here, _ = bed.experiment()
        with tempfile.TemporaryDirectory() as name:
            directory = bed.studied(Path(name), count=6, faster=40.0)
            there = read(directory / "points.csv", directory / "study")
            del there.values["php/own_queue"]  # measured at one place only
            there.metrics = [m for m in there.metrics if m.column != "php/own_queue"]
            outcomes = elsewhere.outcomes(here, there, own_metrics(bed.OWN))
            found = {(o.features, o.model): o for o in outcomes}
            for features_ in ("server-side-only", "RT"):
                outcome = found[features_, "RF"]
                self.assertEqual(int(outcome.confusion.sum()), len(there))
                self.assertEqual(set(outcome.by_setup), {f"{s} elsewhere" for s in there.names})
                self.assertGreater(outcome.accuracy, outcome.baseline + 0.3, features_)

    def test_another_machine_is_never_trained_on(self):
        """With its classes turned round the same models must be wrong."""
        _, here, _ = bed.experiment()
        with tempfile.TemporaryDirectory() as name:
            directory = bed.studied(Path(name), count=6)
            there = read(directory / "points.csv", directory / "study")
            there.classes = np.array([{CLIENT: SERVER, SERVER: CLIENT}.get(k, k) for k in there.classes])
            outcome = evaluate.best(elsewhere.outcomes(here, there, own_metrics(bed.OWN)), features="all", model="RF")
            self.assertLess(outcome.accuracy, 0.3)

    def test_gain_has_an_interval(self):
        def outcome(shift: float) -> evaluate.Outcome:
            setups = {f"s{i}": [0.5 + shift + 0.01 * i * (shift > 0)] for i in range(8)}
            return evaluate.Outcome("new setup", "", "", by_setup=setups)

        mean, low, high = evaluate.gain(outcome(0.1), outcome(0.0))
        self.assertAlmostEqual(mean, 0.135)
        self.assertTrue(0.1 < low < mean < high < 0.18)

    def test_confidence(self):
        p = np.array([[0.9, 0.1, 0.0], [0.4, 0.3, 0.3]])
        np.testing.assert_allclose(confidence.temper(p, 2).sum(axis=1), 1)
        self.assertLess(confidence.temper(p, 2)[0, 0], confidence.temper(p, 1)[0, 0])
        _, e, table = bed.experiment()
        x = table.of(features.sets(table.features)["server-side-only"])
        good = confidence.calibrate(e, x, models.compact()["tree"])
        self.assertLessEqual(good.majors, confidence.ALLOWED)
        self.assertGreater(good.answered, 0.8)
        noise = np.random.default_rng(1).normal(size=x.shape)
        bad = confidence.calibrate(e, noise, models.compact()["tree"])
        self.assertLess(bad.answered, 0.2, "answers from noise")

    def test_limiting_tier(self):
        directory, e, _ = bed.experiment()
        result = tiers.evaluate(e, limiting_tiers(directory / "tiers.csv"), calls(directory / "calls.csv"))
        self.assertGreater(result.right, 0.9)
        self.assertGreater(result.right, result.majority + 0.3)

    def test_limiting_tier_on_another_machine(self):
        _, here, _ = bed.experiment()
        with tempfile.TemporaryDirectory() as name:
            directory = bed.studied(Path(name), count=6, faster=40.0)
            there = read(directory / "points.csv", directory / "study")
            truth, chain = limiting_tiers(directory / "tiers.csv"), calls(directory / "calls.csv")
            result = tiers.elsewhere(here, there, truth, chain)
            self.assertGreater(result.right, 0.9)
            self.assertEqual(set(result.by_setup), {s for s in there.names if s in truth})
            # what is asked about is never trained on: with its points turned round the answers must be wrong
            for column in there.values:
                there.values[column] = 1 - there.values[column]
            self.assertLess(tiers.elsewhere(here, there, truth, chain).right, 0.6)
            self.assertIsNone(tiers.elsewhere(here, there, {}, chain))


class Command(unittest.TestCase):
    def run_it(self, *arguments: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch("sys.argv", ["nstar_learning", *arguments]),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = __main__.main()
        return code, out.getvalue(), err.getvalue()

    def test_from_points_to_rules(self):
        directory, e, _ = bed.experiment()
        with tempfile.TemporaryDirectory() as name:
            code, out, err = self.run_it(
                f"--points={directory / 'points.csv'}", f"--study={directory / 'study'}",
                f"--tiers={directory / 'tiers.csv'}", f"--calls={directory / 'calls.csv'}", f"--output={name}",
                "--splits=1",
                "--note=Drawn, not measured.", "--transfer", "setup-[0-4]", "setup-[5-8]",
                "--elsewhere", str(directory / "points.csv"), str(directory / "study"),
            )  # fmt: skip
            self.assertEqual((code, err), (0, ""), out)
            report = (Path(name) / "report.md").read_text()
            for words in ("**Drawn, not measured.**", "## New setup", "## Both new", "## Which tier limits",
                          "on another machine, by the model of this one", "by a model of that machine alone",
                          "## Other hardware",
                          "## Another machine", "## What windows of 50 ms add",
                          "| recommended |"):  # fmt: skip
                self.assertIn(words, report)
            for line in report.splitlines():
                if line.startswith("!["):
                    self.assertTrue((Path(name) / line.split("(")[1].rstrip(")")).exists(), line)
            for tool in bed.promtools():
                ok, output = bed.passes(tool, Path(name))
                self.assertTrue(ok, output[:3000])

    def test_one_line_says_what_is_wrong(self):
        directory, _, _ = bed.experiment()
        known = [f"--points={directory / 'points.csv'}", f"--study={directory / 'study'}"]
        for arguments, said in (
            (["--points=none.csv", known[1]], "none.csv"),
            ([known[0], "--study=none"], "classes.csv"),
        ):
            code, _, err = self.run_it(*arguments)
            self.assertEqual((code, err.count("\n")), (1, 1))
            self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main()
