# SPDX-License-Identifier: Apache-2.0
"""Reads an experiment: the points, and what `nstartool study` says about them."""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from . import CLASSES

COLUMNS = ("setup", "clients", "run", "throughput")


class BadInputError(Exception):
    """What is wrong with an input file, in one line."""


@dataclass(frozen=True)
class Metric:
    """A column of the points, as the study describes it."""

    column: str
    tier: str
    name: str
    type: str  # of the thesis, table 3.2: RC, ITD, ER, QWT, QS, LY, PT, IOD, UC
    client: bool  # measured by the clients
    recommended: bool
    query: str

    @property
    def recorded(self) -> str:
        """The kind of indicator: "ratio", "value", or "" if it is no recorded one."""
        found = re.match(r"nstar:indicator:(ratio|value)\{", self.query)
        return found.group(1) if found else ""


@dataclass
class Experiment:
    """One line per run at one number of clients in one setup."""

    setups: np.ndarray
    clients: np.ndarray
    classes: np.ndarray  # indices of CLASSES
    throughput: np.ndarray
    values: dict[str, np.ndarray]  # by column; nan where it was not measured
    metrics: list[Metric]
    left_out: list[str] = field(default_factory=list)  # setups that do not show both sides

    def __len__(self) -> int:
        return len(self.setups)

    @property
    def names(self) -> list[str]:
        """The setups, in the order of their first lines."""
        return list(dict.fromkeys(self.setups.tolist()))


def lines(path: Path) -> list[dict[str, str]]:
    """The lines of a CSV by the names of its columns."""
    try:
        with path.open(newline="") as file:
            return list(csv.DictReader((text for text in file if not text.startswith("#")), skipinitialspace=True))
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from error


def number(text: str | None, where: str) -> float:
    """A field; nan if it is empty."""
    if text is None or not text.strip():
        return np.nan
    try:
        return float(text)
    except ValueError:
        raise BadInputError(f"{where}: {text!r} is not a number") from None


def read(points: Path, study: Path) -> Experiment:
    """The points of a CSV with the classes and metrics that a study of them wrote into a directory. Setups that do not
    show both sides of the bottleneck are left out: their classes are not known."""
    classes, unidentified = {}, set()
    for row in lines(study / "classes.csv"):
        if row["identified"] != "1":
            unidentified.add(row["setup"])
        elif row["class"] in CLASSES:
            classes[row["setup"], float(row["clients"])] = CLASSES.index(row["class"])
    metrics = [
        Metric(m["column"], m["tier"], m["metric"], m["type"], m["client"] == "1", recommended(m), m["query"])
        for m in lines(study / "metrics.csv")
    ]
    kept, ignored = [], set()
    for i, row in enumerate(lines(points)):
        setup = row.get("setup") or points.stem
        key = setup, number(row.get("clients"), f"{points}, line {i + 2}, column clients")
        if key in classes:
            kept.append((i, setup, row))
        elif setup not in unidentified:
            ignored.add(key)
    if ignored:
        setup, clients = sorted(ignored)[0]
        raise BadInputError(
            f"{study / 'classes.csv'} does not know the point with {clients:g} clients in {setup}: study {points} again"
        )
    if not kept:
        raise BadInputError(
            f"{points}: no setup shows both sides of the bottleneck; {study / 'report.md'} says what is missing"
        )

    def column(name: str) -> np.ndarray:
        return np.array([number(row.get(name), f"{points}, line {i + 2}, column {name}") for i, _, row in kept])

    header = kept[0][2].keys()
    return Experiment(
        setups=np.array([setup for _, setup, _ in kept]),
        clients=column("clients"),
        classes=np.array([classes[setup, float(row["clients"])] for _, setup, row in kept]),
        throughput=column("throughput"),
        values={name: column(name) for name in header if name not in COLUMNS},
        metrics=[m for m in metrics if m.column in header],
        left_out=sorted(unidentified),
    )


def recommended(row: dict[str, str]) -> bool:
    """The thesis recommends what it found reliable; here it has to be so in half of the setups that could be judged, or
    belong to the smallest set that covers them."""
    judged = sum(int(row[category]) for category in ("R", "PR", "NR", "M"))
    return row["recommended"] == "1" or judged > 0 and 2 * int(row["R"]) >= judged


def own_metrics(rules: Path) -> set[str]:
    """The names of Nstar's own indicators, from the rules that record them."""
    return set(re.findall(r"metric: (\w+)", rules.read_text()))


def limiting_tiers(*paths: Path) -> dict[str, str]:
    """The tier that limits each setup, by what was gained by making it bigger; setups without one are left out. Of
    several files the last one counts that knows it."""
    return {row["setup"]: row["limiting"] for path in paths for row in lines(path) if row["limiting"]}


def calls(path: Path | None) -> dict[str, set[str]]:
    """The tiers that each tier calls; empty without a file."""
    out: dict[str, set[str]] = {}
    for row in lines(path) if path else ():
        out.setdefault(row["from"], set()).add(row["to"])
    return out
