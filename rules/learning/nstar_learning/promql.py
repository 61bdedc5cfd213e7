# SPDX-License-Identifier: Apache-2.0
"""A trained model as recording rules: no Python at run time, and the same answers."""

from dataclasses import dataclass

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.tree import _tree

from . import CLASSES
from .confidence import LEAST as LEAST_PROBABILITY
from .confidence import Confidence
from .features import LEAST, RATES, Feature

THROUGHPUT = "nstar:app_throughput:requests_per_second"
INPUT = "nstar:model_input:value"
FEATURE = "nstar:model_feature:ratio"
PROBABILITY = "nstar:app_capacity_model:probability"
STATE = "nstar:app_capacity_model_state"


@dataclass
class Rule:
    record: str
    expr: str
    labels: dict[str, str]


@dataclass
class Compiled:
    """Rules in the order of evaluation, and what is needed to explain them."""

    rules: list[Rule]
    features: list[Feature]


def num(value: float) -> str:
    """A number with all its digits, as Prometheus reads it."""
    return repr(float(value))


def boundary(threshold: float) -> float:
    """The largest number that scikit-learn takes for at most the threshold. Its trees round every feature to 32 bits
    before they compare; Prometheus has 64 bits, so that the threshold is moved to where that rounding goes up."""
    below = np.float32(threshold)
    if float(below) > threshold:
        below = np.nextafter(below, np.float32(-np.inf))
    above = np.nextafter(below, np.float32(np.inf))
    middle = (float(below) + float(above)) / 2  # exact: 25 bits
    if np.float32(middle) == below:  # ties go to the even one
        return middle
    return float(np.nextafter(middle, -np.inf))


class Selection:
    """The features of an application as expressions."""

    def __init__(self, app: str):
        self.matcher = f'app="{app}",' if app else ""

    def throughput(self) -> str:
        return f"{THROUGHPUT}{{{self.matcher.rstrip(',')}}}"

    def feature(self, name: str) -> str:
        return f'{FEATURE}{{{self.matcher}metric="{name}"}}'

    def input(self, f: Feature) -> str:
        """The indicator, of the tier where it is largest; a rate per request of the application."""
        largest = f'max by (app) (nstar:indicator:{f.kind}{{source="",{self.matcher}metric="{f.name}"}})'
        if f.kind == "value" and f.type in RATES:
            return f"{largest} / on (app) ({self.throughput()} > 0)"
        return largest

    def rules(self, f: Feature, median: float) -> list[Rule]:
        """Those that record a feature. Where the indicator is not there, it is the median of the training, as there."""
        labels = {"metric": f.name}
        rules = []
        if f.kind == "value":
            rules.append(Rule(INPUT, self.input(f), labels))
            least = num(LEAST.get(f.type, 1.0))
            recorded = f'{INPUT}{{{self.matcher}metric="{f.name}"}}'
            value = f"log2(({recorded} + {least}) / (min_over_time({recorded}[1d]) + {least}))"
        else:
            value = self.input(f)
        missing = f"0 * max by (app) ({self.throughput()}) + {num(median)}"
        return [*rules, Rule(FEATURE, f"max by (app) ({value})\nor {missing}", labels)]


def used(estimator) -> set[int]:
    """The columns that a classifier looks at."""
    if hasattr(estimator, "estimators_"):
        return set().union(*(used(tree) for tree in estimator.estimators_))
    if hasattr(estimator, "tree_"):
        return {int(i) for i in estimator.tree_.feature if i != _tree.TREE_UNDEFINED}
    return {int(i) for i in np.flatnonzero(np.abs(estimator.coef_).max(axis=0))}


def paths(tree) -> list[tuple[list[tuple[int, bool, float]], np.ndarray]]:
    """The leaves of a tree: what leads to each (column, whether at most, threshold), and its share of each class."""
    found = []

    def walk(node: int, conditions: list[tuple[int, bool, float]]) -> None:
        if tree.children_left[node] == _tree.TREE_LEAF:
            share = tree.value[node][0]
            found.append((conditions, share / share.sum()))
            return
        column, limit = int(tree.feature[node]), boundary(tree.threshold[node])
        walk(tree.children_left[node], [*conditions, (column, True, limit)])
        walk(tree.children_right[node], [*conditions, (column, False, limit)])

    walk(0, [])
    return found


def of_tree(tree, selection: Selection, features: list[Feature], k: int) -> str:
    """The share of class k in the leaf that a point falls into: of all leaves, one's conditions are all 1."""
    terms = []
    for conditions, share in paths(tree):
        if share[k] == 0:
            continue
        factors = [
            f"(max by (app) ({selection.feature(features[column].name)}) {'<=' if most else '>'} bool {num(limit)})"
            for column, most, limit in conditions
        ]
        terms.append(" * ".join([num(share[k]), *factors]))
    if not terms:
        return f"0 * max by (app) ({selection.throughput()})"
    if not paths(tree)[0][0]:  # a tree without any question
        return f"0 * max by (app) ({selection.throughput()}) + {terms[0]}"
    return "\n+ ".join(terms)


def of_forest(forest, selection: Selection, features: list[Feature], k: int) -> str:
    trees = [f"(\n{of_tree(one.tree_, selection, features, k)}\n)" for one in forest.estimators_]
    return "(\n" + "\n+ ".join(trees) + f"\n) / {len(trees)}"


def of_logistic(scaler, logistic, selection: Selection, features: list[Feature], k: int) -> str:
    """The score of class k. Features are scaled as in the training, in the same order of operations."""
    terms = [num(logistic.intercept_[k])]
    for i, f in enumerate(features):
        scaled = f"(max by (app) ({selection.feature(f.name)}) - {num(scaler.mean_[i])}) / {num(scaler.scale_[i])}"
        terms.append(f"{num(logistic.coef_[k][i])} * ({scaled})")
    return "\n+ ".join(terms)


def compile_model(pipeline: Pipeline, features: list[Feature], confidence: Confidence, app: str = "") -> Compiled:
    """The rules of a model that was trained on these features. The classifier must know all classes."""
    selection = Selection(app)
    imputer, classifier = pipeline[0], pipeline[-1]
    if list(classifier.classes_) != list(range(len(CLASSES))):
        raise ValueError("the training does not have every class")
    logistic = hasattr(classifier, "coef_")
    looked_at = sorted(set(range(len(features))) if logistic else used(classifier))
    rules = [r for i in looked_at for r in selection.rules(features[i], imputer.statistics_[i])]
    raw = "nstar:model_raw:ratio"
    of_app = selection.matcher.rstrip(",")
    for k, state in enumerate(CLASSES):
        if logistic:
            expr = of_logistic(pipeline[1], classifier, selection, features, k)
        elif hasattr(classifier, "estimators_"):
            expr = of_forest(classifier, selection, features, k)
        else:
            expr = of_tree(classifier.tree_, selection, features, k)
        rules.append(Rule(raw, expr, {"state": state}))
    every = f"{raw}{{{of_app}}}"
    if logistic:  # scores become shares; less the largest, so that nothing overflows
        rules.append(
            Rule("nstar:model_share:ratio", f"exp({every} - on (app) group_left () max by (app) ({every}))", {})
        )
        summed = f"nstar:model_share:ratio{{{of_app}}}"
        share = f"{summed} / on (app) group_left () sum by (app) ({summed})"
    else:
        share = every
    power = num(1 / confidence.temperature)
    rules.append(Rule("nstar:model_tempered:ratio", f"(({share}) + {num(LEAST_PROBABILITY)}) ^ {power}", {}))
    tempered = f"nstar:model_tempered:ratio{{{of_app}}}"
    rules.append(Rule(PROBABILITY, f"{tempered} / on (app) group_left () sum by (app) ({tempered})", {}))
    probability = f"{PROBABILITY}{{{of_app}}}"
    sure = f"(max by (app) ({probability}) >= {num(confidence.threshold)})"
    rules.append(Rule(STATE, f"topk by (app) (1, {probability}) and on (app) {sure}", {}))
    unsure = f"max by (app) ({probability}) < {num(confidence.threshold)}"
    rules.append(Rule(STATE, unsure, {"state": "unknown"}))
    return Compiled(rules, [features[i] for i in looked_at])


def to_yaml(rules: list[Rule], group: str, comment: str) -> str:
    """The rules as a file for Prometheus."""
    out = [
        *(f"# {line}".rstrip() for line in comment.splitlines()),
        "groups:",
        f"  - name: {group}",
        "    interval: 15s",
        "    rules:",
    ]
    for rule in rules:
        out.append(f"      - record: {rule.record}")
        out.append("        expr: |")
        out.extend(f"          {line}" for line in rule.expr.splitlines())
        if rule.labels:
            out.append("        labels: {" + ", ".join(f"{k}: {v}" for k, v in rule.labels.items()) + "}")
    return "\n".join(out) + "\n"
