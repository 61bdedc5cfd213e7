# SPDX-License-Identifier: Apache-2.0
"""What several tests need: a studied experiment, and the promtools."""

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from nstar_learning.data import Experiment, own_metrics, read
from nstar_learning.features import Table, table

from . import synthetic

ROOT = Path(__file__).resolve().parents[3]
OWN = ROOT / "rules" / "indicators.yaml"

# The oldest and the newest that rules are for.
PROMTOOLS = (ROOT / ".cache/debian/usr/bin/promtool", *sorted(ROOT.glob(".cache/tools/prometheus-3*/promtool")))

_directory = tempfile.TemporaryDirectory()


def studied(directory: Path, **options) -> Path:
    """A synthetic experiment in a directory, with what `nstartool study` says of it."""
    synthetic.write(directory, **options)
    tool = os.environ.get("NSTARTOOL", str(ROOT / "bin/nstartool"))
    command = [tool, "study", str(directory / "study.yaml"), f"--output.directory={directory / 'study'}"]
    subprocess.run(command, check=True, capture_output=True)
    return directory


@cache
def experiment() -> tuple[Path, Experiment, Table]:
    """One for all tests; it is never changed."""
    directory = studied(Path(_directory.name))
    e = read(directory / "points.csv", directory / "study")
    return directory, e, table(e, own_metrics(OWN))


def promtools() -> list[Path]:
    return [p for p in PROMTOOLS if p.exists()]


def passes(promtool: Path, directory: Path) -> tuple[bool, str]:
    """Whether the rules and their test in a directory pass."""
    done = subprocess.run([promtool, "test", "rules", directory / "model_test.yaml"], capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr
