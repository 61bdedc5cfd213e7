# SPDX-License-Identifier: Apache-2.0
"""Features that mean the same on other hardware and in other sizes.

An indicator that is a ratio is one already. A value with a unit is not: 20 ms are nothing here and an eternity there.
It becomes the number of doublings since light load, log2((v + e) / (least v + e)), where rates are first taken per
request of the application. In Prometheus the least is that of the last day, so that a model can be asked once it has
seen a quiet hour. Tiers have other names elsewhere: of each indicator the tier counts where it is largest.
"""

from dataclasses import dataclass

import numpy as np

from .data import Experiment

# The small quantity e of each type, below which differences say nothing: 1 ms, 1 thread or request, 0.1 per request,
# 1 kB per request.
LEAST = {"LY": 1e-3, "PT": 1e-3, "QWT": 1e-3, "QS": 1.0, "ITD": 1.0, "UC": 1.0, "ER": 1.0, "IOD": 0.1, "RC": 1000.0}

# Types that grow with the load itself, and so are taken per request.
RATES = ("IOD", "RC")


@dataclass(frozen=True)
class Feature:
    """One indicator of an application, over all its tiers."""

    name: str
    type: str
    kind: str  # "ratio" or "value"
    client: bool
    recommended: bool
    own: bool  # one of Nstar's
    recorded: bool  # the rules record it, so that a compiled model can use it


@dataclass
class Table:
    """Features of all points; nan where an indicator was not there."""

    features: list[Feature]
    values: np.ndarray  # one row per point, one column per feature

    def of(self, chosen: list[int]) -> np.ndarray:
        return self.values[:, chosen]


def largest(columns: list[np.ndarray]) -> np.ndarray:
    """The largest at each point, of those that are there."""
    stacked = np.vstack(columns)
    with np.errstate(all="ignore"):
        filled = np.where(np.isnan(stacked), -np.inf, stacked).max(axis=0)
    return np.where(np.isinf(filled), np.nan, filled)


def doublings(values: np.ndarray, setups: np.ndarray, least: float) -> np.ndarray:
    """How often a value has doubled since the least that its setup has seen."""
    out = np.full(len(values), np.nan)
    for setup in np.unique(setups):
        here = setups == setup
        if np.isfinite(values[here]).any():
            out[here] = np.log2((values[here] + least) / (np.nanmin(values[here]) + least))
    return out


def table(experiment: Experiment, own: set[str]) -> Table:
    """The features of an experiment, those that never change left out."""
    groups: dict[tuple[str, bool], list] = {}
    for metric in experiment.metrics:
        groups.setdefault((metric.name, metric.client), []).append(metric)
    features, columns = [], []
    for (name, client), metrics in groups.items():
        kind = "ratio" if all(m.recorded == "ratio" for m in metrics) else "value"
        values = largest([experiment.values[m.column] for m in metrics])
        type_ = metrics[0].type
        if kind == "value":
            if type_ in RATES:
                with np.errstate(all="ignore"):
                    values = np.where(experiment.throughput > 0, values / experiment.throughput, np.nan)
            values = doublings(values, experiment.setups, LEAST.get(type_, 1.0))
        known = values[np.isfinite(values)]
        if len(known) == 0 or np.ptp(known) == 0:
            continue
        recorded = all(m.recorded for m in metrics)
        features.append(
            Feature(name, type_, kind, client, any(m.recommended for m in metrics), recorded and name in own, recorded)
        )
        columns.append(values)
    return Table(features, np.column_stack(columns) if columns else np.empty((len(experiment), 0)))


# The sets of the thesis (4.3), and those that tell what windows of 50 ms add to the classic metrics.
SETS = {
    "all": lambda f: True,
    "recommended": lambda f: f.recommended,
    "server-side-only": lambda f: not f.client and f.type != "RC",
    "RC": lambda f: f.type == "RC",
    "RT": lambda f: f.type in ("LY", "PT"),
    "WT": lambda f: f.type in ("QWT", "QS"),
    "IOD": lambda f: f.type == "IOD",
    "Nstar's own": lambda f: f.own and f.type != "RC",
    "classic": lambda f: not f.own and not f.client and f.type != "RC",
}


def sets(features: list[Feature]) -> dict[str, list[int]]:
    """The columns of each set; sets without any are left out."""
    found = {name: [i for i, f in enumerate(features) if belongs(f)] for name, belongs in SETS.items()}
    return {name: chosen for name, chosen in found.items() if chosen}
