# SPDX-License-Identifier: Apache-2.0
"""Another machine: models that know one experiment are asked about another one, which was measured elsewhere."""

import numpy as np

from . import features, models
from .data import Experiment
from .evaluate import Outcome

SCHEME = "another machine"


def joined(here: Experiment, there: Experiment) -> Experiment:
    """Both experiments as one. The same setup is another one on another machine, so its name is marked there. A column
    that only one of them has is nan in the other."""

    def both(name: str) -> np.ndarray:
        parts = [e.values.get(name, np.full(len(e), np.nan)) for e in (here, there)]
        return np.concatenate(parts)

    known = {m.column for m in here.metrics}
    return Experiment(
        setups=np.concatenate([here.setups, np.array([f"{name} elsewhere" for name in there.setups])]),
        clients=np.concatenate([here.clients, there.clients]),
        classes=np.concatenate([here.classes, there.classes]),
        throughput=np.concatenate([here.throughput, there.throughput]),
        values={name: both(name) for name in dict.fromkeys([*here.values, *there.values])},
        metrics=here.metrics + [m for m in there.metrics if m.column not in known],
    )


def outcomes(here: Experiment, there: Experiment, own: set[str]) -> list[Outcome]:
    """Each classifier on each set of features, trained on all points of the first experiment and asked about all points
    of the second."""
    e = joined(here, there)
    table = features.table(e, own)
    train = np.arange(len(e)) < len(here)
    out = []
    for name, columns in features.sets(table.features).items():
        x = table.of(columns)
        measured = np.isfinite(x)
        x = x[:, measured[train].any(axis=0) & measured[~train].any(axis=0)]  # at both places
        if x.shape[1] == 0:
            continue
        for model, pipeline in models.classifiers().items():
            outcome = Outcome(SCHEME, name, model)
            outcome.add(e, train, ~train, pipeline.fit(x[train], e.classes[train]).predict(x[~train]))
            out.append(outcome)
    return out
