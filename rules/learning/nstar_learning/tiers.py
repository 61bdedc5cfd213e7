# SPDX-License-Identifier: Apache-2.0
"""Which tier limits: a question per tier, so that a model knows no names and carries over to other tiers.

Of each type of indicator with a natural scale, the tier's largest, and by how much that is more than the largest of the
tiers that it calls: who waits for another looks as busy as that one. A model makes a score of them, and the tier with
the highest score is said to limit. The truth is known of setups in which each tier was made bigger: the one whose
growth gained most throughput, at least 2 % (thesis 3.3.2.3).
"""

from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from . import GRAY
from .data import Experiment
from .features import largest
from .promql import Rule, num

# Consumption tells least (thesis 3.4), but nothing else is a ratio in every tier; a model may give it no weight.
TYPES = ("ITD", "QS", "QWT", "UC", "RC")

# Ratios without an upper bound must not outweigh all others.
MOST = 3.0

# An indicator of Nstar's own that every tier has, and no host.
EVERYWHERE = "saturated_windows"

# Who calls whom, while there is an edge between them.
CALLS = "nstar_edge_calls_total"

# The inverse of the penalty for large weights. Chosen on setups that were left out, among 0.003 to 1, within which the
# share of right points changes by 7 points.
SMALL = 0.01

SCORE = "nstar:tier_limits_model:score"
LIMITING = "nstar:app_limiting_tier_model:score"


@dataclass
class Question:
    """A tier at a point, beyond the clients' side."""

    point: int
    tier: str
    limits: bool


def table(
    experiment: Experiment, truth: dict[str, str], calls: dict[str, set[str]]
) -> tuple[list[Question], np.ndarray]:
    """The questions of all points whose truth is known, and their features: of each type the tier's own value, then
    what it has beyond the tiers that it calls."""
    columns: dict[str, dict[str, list]] = {}
    for metric in experiment.metrics:
        if metric.recorded == "ratio" and metric.tier and metric.type in TYPES:
            columns.setdefault(metric.tier, {}).setdefault(metric.type, []).append(experiment.values[metric.column])
    known = set(truth.values())
    tiers = [tier for tier in sorted(columns) if tier in known]
    n = len(experiment)
    values = np.zeros((len(tiers), n, len(TYPES)))
    for i, tier in enumerate(tiers):
        for k, type_ in enumerate(TYPES):
            if type_ in columns[tier]:
                values[i, :, k] = np.clip(np.nan_to_num(largest(columns[tier][type_])), 0, MOST)
    beyond = values.copy()
    for i, tier in enumerate(tiers):
        behind = [values[tiers.index(to)] for to in calls.get(tier, ()) if to in tiers]
        if behind:
            beyond[i] = np.maximum(values[i] - np.max(behind, axis=0), 0)
    questions, rows = [], []
    for point in range(n):
        limits = truth.get(str(experiment.setups[point]))
        if limits is None or experiment.classes[point] < GRAY:
            continue
        for i, tier in enumerate(tiers):
            questions.append(Question(point, tier, tier == limits))
            rows.append(np.concatenate([values[i, point], beyond[i, point]]))
    return questions, np.array(rows)


class Ranking:
    """Scores tiers so that the one that limits gets most at each point: a logistic regression of the differences
    between that tier and each other one of the same point. Only differences count, because a point in which all tiers
    look busy has a tier that limits, too. Each setup weighs the same. As setups are few, weights are kept small."""

    def fit(self, questions: list[Question], x: np.ndarray, setups: np.ndarray) -> "Ranking":
        """setups: of each question."""
        self.scaler = StandardScaler().fit(x)
        scaled = self.scaler.transform(x)
        limits = {q.point: row for q, row in zip(questions, scaled, strict=True) if q.limits}
        pairs = [i for i, q in enumerate(questions) if not q.limits and q.point in limits]
        differences = np.array([limits[questions[i].point] - scaled[i] for i in pairs])
        of_setup = [setups[i] for i in pairs]
        weights = np.array([1 / of_setup.count(name) for name in of_setup])
        weights *= len(weights) / weights.sum()
        both = np.concatenate([np.ones(len(pairs)), np.zeros(len(pairs))])
        self.logistic = LogisticRegression(C=SMALL, fit_intercept=False, max_iter=2000)
        self.logistic.fit(np.concatenate([differences, -differences]), both, np.tile(weights, 2))
        return self

    def score(self, x: np.ndarray) -> np.ndarray:
        return self.logistic.decision_function(self.scaler.transform(x))


def setups(experiment: Experiment, questions: list[Question]) -> np.ndarray:
    """The setup of each question."""
    return np.array([str(experiment.setups[q.point]) for q in questions])


def answers(questions: list[Question], scores: np.ndarray) -> dict[int, tuple[str, str]]:
    """For each point the tier that is said to limit, and the one that does."""
    best: dict[int, tuple[float, str]] = {}
    truth = {}
    for question, score in zip(questions, scores, strict=True):
        if question.limits:
            truth[question.point] = question.tier
        if question.point not in best or score > best[question.point][0]:
            best[question.point] = (float(score), question.tier)
    return {point: (tier, truth.get(point, "")) for point, (_, tier) in best.items()}


@dataclass
class Result:
    """How often the limiting tier is named, of a setup or on a machine that was never seen."""

    right: float
    majority: float  # of always naming the tier that limits most often in the setups that were seen
    by_setup: dict[str, float]
    points: int


def evaluate(experiment: Experiment, truth: dict[str, str], calls: dict[str, set[str]]) -> Result | None:
    """Leaves out one setup at a time; None where there are too few to learn from."""
    questions, x = table(experiment, truth, calls)
    of_setup = setups(experiment, questions)
    by_setup, hits, majorities = {}, [], []
    for name in dict.fromkeys(of_setup.tolist()):
        test = of_setup == name
        others = [tier for setup, tier in truth.items() if setup != name and (of_setup == setup).any()]
        if len(set(others)) < 2:
            return None
        seen, asked = ([q for q, there in zip(questions, test, strict=True) if there == here] for here in (False, True))
        model = Ranking().fit(seen, x[~test], of_setup[~test])
        said = answers(asked, model.score(x[test]))
        right = [tier == real for tier, real in said.values()]
        by_setup[name] = float(np.mean(right))
        hits += right
        majorities += [max(sorted(set(others)), key=others.count) == truth[name]] * len(right)
    if not hits:
        return None
    return Result(float(np.mean(hits)), float(np.mean(majorities)), by_setup, len(hits))


def elsewhere(here: Experiment, there: Experiment, truth: dict[str, str], calls: dict[str, set[str]]) -> Result | None:
    """Trained on all points of one machine, and asked about all points of the same setups on another one; None where
    there is nothing to learn from or to ask about."""
    questions, x = table(here, truth, calls)
    asked, y = table(there, truth, calls)
    known = [truth[name] for name in dict.fromkeys(str(here.setups[q.point]) for q in questions)]
    if len(set(known)) < 2 or not asked:
        return None
    model = Ranking().fit(questions, x, setups(here, questions))
    said = answers(asked, model.score(y))
    by_setup: dict[str, list[bool]] = {}
    for point, (tier, real) in said.items():
        by_setup.setdefault(str(there.setups[point]), []).append(tier == real)
    most = max(sorted(set(known)), key=known.count)
    return Result(
        float(np.mean([tier == real for tier, real in said.values()])),
        float(np.mean([real == most for _, real in said.values()])),
        {name: float(np.mean(right)) for name, right in by_setup.items()},
        len(said),
    )


def rules(model: Ranking, app: str = "") -> list[Rule]:
    """The model as rules. Tiers are those that have Nstar's own indicators: a host has none."""
    of_app = f'app="{app}",' if app else ""
    matcher = 'source="",' + of_app  # a study records some of them once more, in its own units
    tiers = f'group by (app, tier) (nstar:indicator:ratio{{{matcher}metric="{EVERYWHERE}"}})'
    edges = f"group by (app, from, to) ({CALLS}{{{of_app.rstrip(',')}}})"
    out, terms = [], []
    for k, type_ in enumerate(TYPES):
        labels = {"type": type_}
        value = f'clamp(max by (app, tier) (nstar:indicator:ratio{{{matcher}type="{type_}"}}), 0, {num(MOST)})'
        out.append(Rule("nstar:tier_model_input:ratio", f"{value} and {tiers}\nor 0 * {tiers}", labels))
        own = f'max by (app, tier) (nstar:tier_model_input:ratio{{{of_app}type="{type_}"}})'
        behind = (
            f"max by (app, tier) (label_replace({edges} * on (app, to) group_left () "
            f'label_replace({own}, "to", "$1", "tier", "(.+)"), "tier", "$1", "from", "(.+)"))'
        )
        out.append(Rule("nstar:tier_model_beyond:ratio", f"clamp_min({own} - {behind}, 0)\nor {own}", labels))
        beyond = f'max by (app, tier) (nstar:tier_model_beyond:ratio{{{of_app}type="{type_}"}})'
        for column, expr in ((k, own), (len(TYPES) + k, beyond)):
            weight = model.logistic.coef_[0][column] / model.scaler.scale_[column]
            terms.append(f"{num(weight)} * ({expr} - {num(model.scaler.mean_[column])})")
    out.append(Rule(SCORE, "\n+ ".join(terms), {}))
    out.append(Rule(LIMITING, f"topk by (app) (1, {SCORE}{{{of_app.rstrip(',')}}})", {}))
    return out
