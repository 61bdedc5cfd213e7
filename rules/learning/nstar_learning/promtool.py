# SPDX-License-Identifier: Apache-2.0
"""A test for `promtool test rules` that holds the rules of a model against the model itself, point by point."""

import numpy as np
from sklearn.pipeline import Pipeline

from . import CLASSES, tiers
from .confidence import Confidence, temper
from .features import LEAST, Feature
from .promql import PROBABILITY, STATE, THROUGHPUT, num

# Decimals of the probabilities that are compared: Prometheus and numpy add up in another order.
DECIMALS = 9

# When the rules are asked: after the least value, with the present one.
ASKED = "2m"


def series(app: str, f: Feature, value: float, tier: str = "a") -> list[tuple[str, str]]:
    """What has to be recorded so that the feature has this value, as promtool writes series: a ratio is itself; another
    value was once 1, its least, and is now as many times as much as doublings say."""
    name = f'nstar:indicator:{f.kind}{{app="{app}",tier="{tier}",type="{f.type}",metric="{f.name}"}}'
    if f.kind == "ratio":
        return [(name, f"{num(value)}x8")]
    e = LEAST.get(f.type, 1.0)
    present = (1 + e) * 2.0**value - e
    return [(name, f"1x3 {num(present)}x4")]


def present(f: Feature, value: float) -> float:
    """The feature that Prometheus will compute from series(), rounding included."""
    if f.kind == "ratio":
        return value
    e = LEAST.get(f.type, 1.0)
    there = (1 + e) * 2.0**value - e
    return float(np.log2((there + e) / (1 + e)))


def test_file(
    rules: str,
    pipeline: Pipeline,
    confidence: Confidence,
    features: list[Feature],
    x: np.ndarray,
    app: str = "",
    most: int = 50,
) -> str:
    """A test with a point per application, or, where the rules are for one application, a group per point."""
    out = ["# Holds the rules against the model that they were made of: the same answers for the same points.",
           f"rule_files: [{rules}]", "evaluation_interval: 15s", "tests:"]  # fmt: skip
    chosen = np.linspace(0, len(x) - 1, min(most, len(x))).astype(int) if len(x) else []
    for i in chosen:
        values = np.array([present(f, v) if np.isfinite(v) else v for f, v in zip(features, x[i], strict=True)])
        p = temper(pipeline.predict_proba(values[None, :]), confidence.temperature)[0]
        name = app or f"point-{i}"
        said = CLASSES[int(p.argmax())] if p.max() >= confidence.threshold else "unknown"
        out += [
            "  - interval: 15s",
            "    input_series:",
            f"      - series: '{THROUGHPUT}{{app=\"{name}\"}}'",
            "        values: 1x8",
        ]
        for f, value in zip(features, values, strict=True):
            if np.isfinite(value):
                for labels, text in series(name, f, value):
                    out += [f"      - series: '{labels}'", f"        values: {text}"]
        out += ["    promql_expr_test:"]
        out += [
            f"      - expr: round({PROBABILITY}, 1e-{DECIMALS})",
            f"        eval_time: {ASKED}",
            "        exp_samples:",
        ]
        for k, state in enumerate(CLASSES):
            out += [f"          - labels: '{{app=\"{name}\",state=\"{state}\"}}'",
                    f"            value: {rounded(p[k])}"]  # fmt: skip
        out += [f"      - expr: round({STATE}, 1e-{DECIMALS})", f"        eval_time: {ASKED}", "        exp_samples:",
                f"          - labels: '{{app=\"{name}\",state=\"{said}\"}}'",
                f"            value: {rounded(p.max())}"]  # fmt: skip
    return "\n".join(out) + "\n"


def tier_tests(
    model: tiers.Ranking,
    questions: list[tiers.Question],
    x: np.ndarray,
    calls: dict[str, set[str]],
    app: str = "",
    most: int = 20,
) -> str:
    """The same for the tier that limits: more tests for a file of test_file."""
    points = list(dict.fromkeys(q.point for q in questions))
    out = []
    for i in np.linspace(0, len(points) - 1, min(most, len(points))).astype(int):
        asked = [k for k, q in enumerate(questions) if q.point == points[i]]
        scores = model.score(x[asked])
        name, said = app or f"point-{points[i]}", asked[int(scores.argmax())]
        out += ["  - interval: 15s", "    input_series:"]
        for tier, called in calls.items():
            for to in sorted(called):
                labels = f'app="{name}",from="{tier}",to="{to}"'
                out += [f"      - series: '{tiers.CALLS}{{{labels}}}'", "        values: 1+1x8"]
        for k in asked:
            for value, type_ in zip(x[k], tiers.TYPES, strict=False):  # what is beyond others follows from these
                metric = tiers.EVERYWHERE if type_ == "QS" else type_.lower()
                labels = f'app="{name}",tier="{questions[k].tier}",type="{type_}",metric="{metric}"'
                out += [f"      - series: 'nstar:indicator:ratio{{{labels}}}'", f"        values: {num(value)}x8"]
        out += ["    promql_expr_test:", f"      - expr: round({tiers.LIMITING}, 1e-{DECIMALS})",
                f"        eval_time: {ASKED}", "        exp_samples:",
                f"          - labels: '{{app=\"{name}\",tier=\"{questions[said].tier}\"}}'",
                f"            value: {rounded(scores.max())}"]  # fmt: skip
    return "\n".join(out) + "\n"


def rounded(value: float) -> str:
    """As PromQL rounds: floor(v / to + 0.5) * to, computed with the inverse of to."""
    inverse = 1.0 / float(f"1e-{DECIMALS}")
    return num(np.floor(value * inverse + 0.5) / inverse)
