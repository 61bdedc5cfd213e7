# SPDX-License-Identifier: Apache-2.0
"""python -m nstar_learning: learn from a load experiment, say how good it is, and write recording rules."""

import argparse
import fnmatch
import sys
from pathlib import Path

import numpy as np
from sklearn.base import clone

from . import confidence, elsewhere, evaluate, features, models, promql, promtool, report, tiers
from .data import BadInputError, Experiment, calls, limiting_tiers, own_metrics, read

OWN = Path(__file__).resolve().parents[2] / "indicators.yaml"

# Sets that a server's own exporters can answer, from the one that the thesis likes best.
COMPILED = ("recommended", "server-side-only", "Nstar's own")


def arguments() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="nstar_learning", description=__doc__)
    p.add_argument("--points", type=Path, help="CSV with a line per run, if not the study's points.csv")
    p.add_argument("--study", type=Path, required=True, help="directory that `nstartool study` of it has written")
    p.add_argument(
        "--tiers",
        type=Path,
        nargs="+",
        default=[],
        help="CSV with the tier that limits each setup; of several the last that knows it",
    )
    p.add_argument("--calls", type=Path, help="CSV with the tiers that call each other")
    p.add_argument("--output", type=Path, default=Path("learning"), help="where report and rules go")
    p.add_argument("--app", default="", help="the application that the rules are for; all of them when empty")
    p.add_argument("--splits", type=int, default=100, help="splits per scheme, drawn at random; 0 for all")
    p.add_argument("--seed", type=int, default=0, help="of the splits")
    p.add_argument("--own", type=Path, default=OWN, help="the rules that record Nstar's own indicators")
    p.add_argument(
        "--transfer",
        nargs=2,
        metavar=("FROM", "TO"),
        help="patterns of setups: train on the first, ask about the second",
    )
    p.add_argument(
        "--elsewhere",
        nargs=2,
        type=Path,
        metavar=("POINTS", "STUDY"),
        help="CSV and study of the same application on another machine, which the models are asked about",
    )
    p.add_argument("--note", default="", help="what a reader of the report has to know about the data")
    return p


def transferred(experiment: Experiment, x: np.ndarray, patterns: list[str]) -> evaluate.Outcome:
    """One split: from some setups to others, with the classifier that does best on it left to the default."""
    train, test = (np.array([fnmatch.fnmatch(s, pattern) for s in experiment.setups]) for pattern in patterns)
    if not train.any() or not test.any():
        raise BadInputError(f"--transfer {' '.join(patterns)}: no such setups; there are {', '.join(experiment.names)}")
    outcome = evaluate.Outcome("transfer", "server-side-only", "RF")
    model = models.classifiers()["RF"].fit(x[train], experiment.classes[train])
    outcome.add(experiment, train, test & ~train, model.predict(x[test & ~train]))
    return outcome


def choose(outcomes: list[evaluate.Outcome]) -> evaluate.Outcome:
    """The compact model for the rules: the most accurate; of those within a point of it the one with fewest major
    errors."""
    top = max(o.accuracy for o in outcomes)
    return min((o for o in outcomes if o.accuracy >= top - 0.01), key=lambda o: o.major_share)


def learn(options: argparse.Namespace) -> None:
    options.points = options.points or options.study / "points.csv"
    experiment = read(options.points, options.study)
    there = read(*options.elsewhere) if options.elsewhere else None  # a mistake in it shows before the learning
    own = own_metrics(options.own)
    table = features.table(experiment, own)
    sets = features.sets(table.features)
    if "classic" in sets and "Nstar's own" in sets:
        sets[report.ALL_AND] = sorted(sets["classic"] + sets["Nstar's own"])
    if len(experiment.names) < 3:
        raise BadInputError(
            f"{options.points}: {len(experiment.names)} setups show both sides; at least 3 are needed to leave some out"
        )

    def say(line: str) -> None:
        print(line, flush=True)

    outcomes = evaluate.run(
        experiment, table.values, sets, models.classifiers, most=options.splits, seed=options.seed, report=say
    )
    small = {name: [i for i in sets[name] if table.features[i].recorded] for name in COMPILED if name in sets}
    small = {name: columns for name, columns in small.items() if columns}
    if not small:
        raise BadInputError(
            f"{options.study / 'metrics.csv'}: no metric is a recorded indicator, so that no rules can be made"
        )
    compact = evaluate.run(
        experiment, table.values, small, models.compact, ("new setup",), options.splits, options.seed, say
    )
    if not compact:
        raise BadInputError(f"{options.points}: with two setups left out, the others do not have every class")
    chosen = choose(compact)
    columns = small[chosen.features]
    x = table.of(columns)
    pipeline = clone(models.compact()[chosen.model])
    sure = confidence.calibrate(experiment, x, pipeline)
    pipeline.fit(x, experiment.classes)
    inputs = [table.features[i] for i in columns]

    truth = limiting_tiers(*options.tiers)
    chain = calls(options.calls)
    limiting = tiers.evaluate(experiment, truth, chain) if truth else None
    transfer = None
    if options.transfer:
        name = "server-side-only" if "server-side-only" in sets else "all"
        transfer = transferred(experiment, table.of(sets[name]), options.transfer)
    asked = elsewhere.outcomes(experiment, there, own) if there is not None else []
    limiting_elsewhere = limiting_there = None
    if there is not None and truth:
        limiting_elsewhere = tiers.elsewhere(experiment, there, truth, chain)
        limiting_there = tiers.evaluate(there, truth, chain)

    options.output.mkdir(parents=True, exist_ok=True)
    findings = report.Findings(experiment, table.features, table.values, sets, outcomes, compact, chosen.model,
                               chosen.features, sure, limiting, limiting_elsewhere, limiting_there,
                               transfer, asked, options.note)  # fmt: skip
    report.write(findings, options.output)
    rules = promql.compile_model(pipeline, inputs, sure, options.app).rules
    tests = promtool.test_file("model.yaml", pipeline, sure, inputs, x, options.app)
    if limiting is not None:
        questions, rows = tiers.table(experiment, truth, chain)
        model = tiers.Ranking().fit(questions, rows, tiers.setups(experiment, questions))
        rules += tiers.rules(model, options.app)
        tests += promtool.tier_tests(model, questions, rows, chain, options.app)
    about = (
        "SPDX-License-Identifier: Apache-2.0\n\n"
        f"What was learned from {len(experiment)} runs in {len(experiment.names)} setups: a {chosen.model} of the set"
        f" {chosen.features}.\nOn setups that it had not seen {100 * chosen.accuracy:.0f} % were right."
        " Written by nstar_learning; do not edit."
    )
    if options.note:
        about += f"\n{options.note}"
    (options.output / "model.yaml").write_text(promql.to_yaml(rules, "nstar_model", about))
    (options.output / "model_test.yaml").write_text(tests)
    say(f"written to {options.output}: report.md, model.yaml (load it beside Nstar's rules), model_test.yaml")


def main() -> int:
    try:
        learn(arguments().parse_args())
    except BadInputError as error:
        print(f"nstar_learning: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
