# SPDX-License-Identifier: Apache-2.0
"""Probabilities that mean what they say, and when to say that one doesn't know.

Small models are too sure of themselves on setups that they have not seen. Their probabilities are tempered,
(p + e)^(1/T) over the sum of these, with the T that makes the predictions for left out setups most likely. Below a
threshold the model says "unknown": the least threshold at which at most one answer in twenty for left out setups is a
major error.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from . import CLASSES
from .data import Experiment
from .evaluate import major

# A leaf without any run of a class does not prove that there will never be one.
LEAST = 0.01

# One major error in twenty answers is what the project aims at.
ALLOWED = 0.05


@dataclass
class Confidence:
    """How probabilities are tempered, and from which on an answer is given; with what that gave on left out setups."""

    temperature: float
    threshold: float
    answered: float  # share of the points
    accuracy: float  # of the answers
    majors: float  # share of the answers
    bins: list[tuple[float, float, int]]  # mean confidence, share that was right, points


def temper(p: np.ndarray, temperature: float) -> np.ndarray:
    raised = (p + LEAST) ** (1 / temperature)
    return raised / raised.sum(axis=1, keepdims=True)


def out_of_fold(experiment: Experiment, x: np.ndarray, pipeline: Pipeline) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities for each setup by a model that has not seen it, and for which points there are any."""
    p = np.zeros((len(experiment), len(CLASSES)))
    known = np.zeros(len(experiment), bool)
    for name in experiment.names:
        test = experiment.setups == name
        classes = np.unique(experiment.classes[~test])
        if len(classes) < 2:
            continue
        fitted = clone(pipeline).fit(x[~test], experiment.classes[~test])
        p[np.ix_(test, fitted.classes_)] = fitted.predict_proba(x[test])
        known |= test
    return p, known


def calibrate(experiment: Experiment, x: np.ndarray, pipeline: Pipeline) -> Confidence:
    p, known = out_of_fold(experiment, x, pipeline)
    truth, p = experiment.classes[known], p[known]
    if len(truth) == 0:
        return Confidence(1.0, 1.0, 0.0, 0.0, 0.0, [])

    def loss(temperature: float) -> float:
        return -np.log(temper(p, temperature)[np.arange(len(truth)), truth]).mean()

    # Coarse enough that the rules can be read, and no probability depends on the last digit.
    temperature = float(min(np.round(np.geomspace(0.25, 8, 61), 2), key=loss))
    sure = temper(p, temperature)
    said, confidence = sure.argmax(axis=1), sure.max(axis=1)
    wrong = major(truth, said)
    threshold = 1.0
    for candidate in np.arange(0.95, 0.34, -0.05):
        answered = confidence >= candidate
        if answered.any() and wrong[answered].mean() > ALLOWED:
            break
        threshold = round(float(candidate), 2)
    answered = confidence >= threshold
    right = said == truth
    bins = []
    for low in (0.3, 0.5, 0.7, 0.9):
        here = (confidence >= low) & (confidence < (low + 0.2 if low < 0.9 else 1.01))
        if here.any():
            bins.append((float(confidence[here].mean()), float(right[here].mean()), int(here.sum())))
    return Confidence(
        temperature,
        threshold,
        float(answered.mean()),
        float(right[answered].mean()) if answered.any() else 0.0,
        float(wrong[answered].mean()) if answered.any() else 0.0,
        bins,
    )
