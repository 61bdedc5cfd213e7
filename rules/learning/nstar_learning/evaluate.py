# SPDX-License-Identifier: Apache-2.0
"""How good a model is on what it has never seen."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from . import CLASSES, CLIENT, SERVER, splits
from .data import Experiment


def major(truth: np.ndarray, said: np.ndarray) -> np.ndarray:
    """The errors that lead to a wrong decision (thesis 4.3.2.5): the client taken for the gray zone or the server,
    which would be given resources in vain, and the server taken for the client, which would get none."""
    return (truth == CLIENT) & (said != CLIENT) | (truth == SERVER) & (said == CLIENT)


@dataclass
class Outcome:
    """One model on one set of features, over all splits of a scheme."""

    scheme: str
    features: str
    model: str
    accuracies: list[float] = field(default_factory=list)  # by split
    baselines: list[float] = field(default_factory=list)  # of always saying the training's majority
    confusion: np.ndarray = field(default_factory=lambda: np.zeros((len(CLASSES), len(CLASSES)), int))
    majors: int = 0
    by_setup: dict[str, list[float]] = field(default_factory=dict)  # accuracies of its points

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.accuracies))

    @property
    def baseline(self) -> float:
        return float(np.mean(self.baselines))

    @property
    def major_share(self) -> float:
        return self.majors / max(1, int(self.confusion.sum()))

    def setup_accuracy(self, name: str) -> float:
        return float(np.mean(self.by_setup[name]))

    def add(self, experiment: Experiment, train: np.ndarray, test: np.ndarray, said: np.ndarray) -> None:
        truth = experiment.classes[test]
        majority = np.bincount(experiment.classes[train]).argmax()
        self.accuracies.append(float(np.mean(said == truth)))
        self.baselines.append(float(np.mean(truth == majority)))
        np.add.at(self.confusion, (truth, said), 1)
        self.majors += int(major(truth, said).sum())
        for name in np.unique(experiment.setups[test]).tolist():
            here = experiment.setups[test] == name
            self.by_setup.setdefault(name, []).append(float(np.mean(said[here] == truth[here])))


def run(
    experiment: Experiment,
    values: np.ndarray,
    sets: dict[str, list[int]],
    models: Callable[[], dict[str, Pipeline]],
    schemes: tuple[str, ...] = splits.SCHEMES,
    most: int = 0,
    seed: int = 0,
    report: Callable[[str], None] = lambda line: None,
) -> list[Outcome]:
    """Trains and tests every model on every set of features under every scheme."""
    out = []
    for scheme in schemes:
        chosen = list(splits.some(experiment, scheme, most, seed))
        if not chosen:
            report(f"{scheme}: not enough setups or numbers of clients to leave two out")
            continue
        for name, columns in sets.items():
            x = values[:, columns]
            for model, pipeline in models().items():
                outcome = Outcome(scheme, name, model)
                for train, test in chosen:
                    fitted = clone(pipeline).fit(x[train], experiment.classes[train])
                    outcome.add(experiment, train, test, fitted.predict(x[test]))
                out.append(outcome)
            best = max(out[-len(models()) :], key=lambda o: o.accuracy)
            report(f"{scheme}, {name}: {best.model} {100 * best.accuracy:.0f} %, majority {100 * best.baseline:.0f} %")
    return out


def best(outcomes: list[Outcome], **wanted: str) -> Outcome | None:
    """The most accurate outcome with these properties; of equals the one with fewest major errors."""
    fitting = [o for o in outcomes if all(getattr(o, key) == value for key, value in wanted.items())]
    return max(fitting, key=lambda o: (o.accuracy, -o.major_share), default=None)


def gain(better: Outcome, worse: Outcome, draws: int = 2000, seed: int = 0) -> tuple[float, float, float]:
    """How much more of a setup the one gets right than the other, the mean over setups with a 90 % interval by drawing
    setups anew: with few setups it is wide, and says so."""
    names = sorted(set(better.by_setup) & set(worse.by_setup))
    differences = np.array([better.setup_accuracy(n) - worse.setup_accuracy(n) for n in names])
    drawn = np.random.default_rng(seed).choice(differences, (draws, len(differences))).mean(axis=1)
    return float(differences.mean()), float(np.quantile(drawn, 0.05)), float(np.quantile(drawn, 0.95))


def importance(experiment: Experiment, values: np.ndarray, columns: list[int]) -> np.ndarray:
    """The importance of each feature to a random forest on all points, adding up to 1 (thesis 4.3.2.2)."""
    from .models import classifiers

    forest = classifiers()["RF"].fit(values[:, columns], experiment.classes)
    return forest[-1].feature_importances_
