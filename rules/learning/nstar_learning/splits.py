# SPDX-License-Identifier: Apache-2.0
"""Leave-p-out with p = 2, as the thesis does it (4.3.1): what is predicted was never seen in training."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from .data import Experiment

# Whether a model can tell a setup that it has never seen, a number of clients, or both.
SCHEMES = ("new setup", "new number of clients", "both new")

P = 2

Split = tuple[np.ndarray, np.ndarray]  # masks of training and test


def every(experiment: Experiment, scheme: str) -> list[Split]:
    """All splits of a scheme. Numbers of clients that are left out are so in every setup."""
    setups, clients = experiment.setups, experiment.clients
    out = []
    if scheme == "new setup":
        for pair in combinations(experiment.names, P):
            test = np.isin(setups, pair)
            out.append((~test, test))
        return out
    for name in experiment.names:
        here = setups == name
        for pair in combinations(np.unique(clients[here]).tolist(), P):
            levels = np.isin(clients, pair)
            train = ~levels & ~here if scheme == "both new" else ~levels
            out.append((train, levels & here))
    return out


def some(experiment: Experiment, scheme: str, most: int, seed: int) -> Iterator[Split]:
    """At most so many splits, drawn at random but always the same; all for 0. Splits whose training lacks a class are
    left out: nothing can be learned of it."""
    splits = every(experiment, scheme)
    order = np.random.default_rng(seed).permutation(len(splits)) if most and len(splits) > most else range(len(splits))
    taken = 0
    classes = len(np.unique(experiment.classes))
    for i in order:
        train, test = splits[i]
        if len(np.unique(experiment.classes[train])) < classes:
            continue
        yield train, test
        taken += 1
        if taken == most:
            return
