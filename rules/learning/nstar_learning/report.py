# SPDX-License-Identifier: Apache-2.0
"""The report: tables and pictures of what was learned, and how far it carries."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import CLASSES, evaluate, pictures, tiers
from .confidence import Confidence
from .data import Experiment
from .evaluate import Outcome
from .features import Feature

ALL_AND = "classic + own"


@dataclass
class Findings:
    """All that a report tells."""

    experiment: Experiment
    features: list[Feature]
    values: np.ndarray
    sets: dict[str, list[int]]
    outcomes: list[Outcome]
    compact: list[Outcome]
    chosen: str
    chosen_set: str
    confidence: Confidence
    limiting: tiers.Result | None  # setups that were left out
    limiting_elsewhere: tiers.Result | None  # all setups, on another machine
    limiting_there: tiers.Result | None  # setups that were left out, by a model of the other machine alone
    transfer: Outcome | None
    elsewhere: list[Outcome]  # trained here, asked about another machine
    note: str


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    align = ["---"] + ["--:"] * (len(header) - 1)
    return [f"| {' | '.join(cells)} |" for cells in [header, align, *rows]] + [""]


def write(findings: Findings, directory: Path) -> Path:
    """report.md and its pictures."""
    e = findings.experiment
    counts = [int((e.classes == k).sum()) for k in range(len(CLASSES))]
    out = ["# Has the server reached its capacity? What models learn", ""]
    if findings.note:
        out += [f"**{findings.note}**", ""]
    out += [
        f"{len(e)} runs in {len(e.names)} setups ({', '.join(e.names)}): "
        + ", ".join(f"{n} {name}" for name, n in zip(CLASSES, counts, strict=True))
        + f". {len(findings.features)} features of {len(e.metrics)} metrics.",
        "",
    ]
    if e.left_out:
        out += [f"Left out, since they do not show both sides: {', '.join(e.left_out)}.", ""]
    out += ["Accuracy on what was never seen in training (leave-2-out), beside that of always saying the majority. "
            "A major",
            "error takes the client for the gray zone or the server, or the server for the client.", ""]  # fmt: skip
    for scheme in dict.fromkeys(o.scheme for o in findings.outcomes):
        out += of_scheme(findings, scheme, directory)
    out += importances(findings, directory)
    out += own(findings)
    if findings.transfer:
        t = findings.transfer
        out += ["## Other hardware", "",
                f"Trained on one size and asked about another: {percent(t.accuracy)} ({t.model}), "
                f"majority {percent(t.baseline)}, major errors {percent(t.major_share)}.", ""]  # fmt: skip
    out += another_machine(findings.elsewhere)
    out += limiting(findings.limiting, findings.limiting_elsewhere, findings.limiting_there)
    out += chosen(findings)
    path = directory / "report.md"
    path.write_text("\n".join(out))
    return path


def accuracies(outcomes: list[Outcome]) -> list[str]:
    """A row for each set of features, a column for each classifier, and the major errors of the best of these."""
    sets, models = pictures.names(outcomes)
    rows = []
    for name in sets:
        of_set = {o.model: o for o in outcomes if o.features == name}
        top = max(of_set.values(), key=lambda o: o.accuracy)
        rows.append([name, *(percent(of_set[m].accuracy) for m in models), percent(top.major_share), top.model])
    return table(["features", *models, "major errors", "of the best"], rows)


def of_scheme(findings: Findings, scheme: str, directory: Path) -> list[str]:
    outcomes = [o for o in findings.outcomes if o.scheme == scheme]
    short = scheme.replace(" ", "-")
    sets, _ = pictures.names(outcomes)
    out = [
        f"## {scheme.capitalize()}",
        "",
        f"Majority {percent(outcomes[0].baseline)}, {len(outcomes[0].accuracies)} splits.",
        "",
    ]
    out += accuracies(outcomes)
    pictures.accuracy(outcomes, directory / f"{short}.png")
    pictures.distribution([o for o in outcomes if o.model == "RF"], directory / f"{short}-distribution.png")
    pictures.errors([o for o in outcomes if o.model == "RF"], directory / f"{short}-errors.png")
    out += [f"![Accuracy by features and classifier]({short}.png)", "",
            f"![Distribution over the splits]({short}-distribution.png)", "",
            f"![What each class was taken for]({short}-errors.png)", ""]  # fmt: skip
    if scheme == "new setup":
        name = "recommended" if "recommended" in sets else sets[0]
        pictures.setups([o for o in outcomes if o.features == name], directory / "setups.png")
        out += ["![Accuracy of each setup that was left out](setups.png)", ""]
    top = evaluate.best(outcomes)
    if top:
        out += [f"Confusion of the best ({top.features}, {top.model}); rows are what is true:", ""]
        rows = [[CLASSES[k], *(str(n) for n in top.confusion[k])] for k in range(len(CLASSES))]
        out += table(["", *CLASSES], rows)
    return out


def importances(findings: Findings, directory: Path) -> list[str]:
    out = ["## What matters", ""]
    for name in ("all", "server-side-only"):
        if name not in findings.sets:
            continue
        columns = findings.sets[name]
        shares = evaluate.importance(findings.experiment, findings.values, columns)
        labels = [f"{findings.features[i].name} ({findings.features[i].type})" for i in columns]
        file = f"importance-{name}.png"
        pictures.importance(labels, shares, directory / file)
        out += [f"![The ten most important of the set {name}]({file})", ""]
    return out


def own(findings: Findings) -> list[str]:
    """How much the windows of 50 ms add over the classic metrics."""
    rows = []
    for scheme in dict.fromkeys(o.scheme for o in findings.outcomes):
        classic = evaluate.best(findings.outcomes, scheme=scheme, features="classic")
        both = evaluate.best(findings.outcomes, scheme=scheme, features=ALL_AND)
        if not classic or not both:
            continue
        mean, low, high = evaluate.gain(both, classic)
        rows.append(
            [
                scheme,
                percent(classic.accuracy),
                percent(both.accuracy),
                f"{100 * mean:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})",
            ]
        )
    if not rows:
        return []
    out = ["## What windows of 50 ms add", "",
           "The best classic model, the best with Nstar's own indicators besides, and the",
           "difference in points with a 90 % interval over setups.", ""]  # fmt: skip
    return out + table(["", "classic", "with Nstar's own", "difference"], rows)


def another_machine(outcomes: list[Outcome]) -> list[str]:
    if not outcomes:
        return []
    points, setups = int(outcomes[0].confusion.sum()), len(outcomes[0].by_setup)
    out = ["## Another machine", "",
           f"Trained on all points here, and asked about {points} points in {setups} setups that were measured on",
           f"another machine. Majority {percent(outcomes[0].baseline)}.", ""]  # fmt: skip
    return out + accuracies(outcomes)


def limiting(new_setups: tiers.Result | None, elsewhere: tiers.Result | None, there: tiers.Result | None) -> list[str]:
    if new_setups is None and elsewhere is None and there is None:
        return []
    out = ["## Which tier limits", ""]
    for result, asked in (
        (new_setups, "of setups that were left out"),
        (elsewhere, "on another machine, by the model of this one"),
        (there, "on another machine, of setups that were left out, by a model of that machine alone"),
    ):
        if result is not None:
            out += [f"Right in {percent(result.right)} of {result.points} points {asked}; "
                    f"naming the most frequent one {percent(result.majority)}.", ""]  # fmt: skip
            out += table(["setup", "right"], [[name, percent(share)] for name, share in result.by_setup.items()])
    return out


def chosen(findings: Findings) -> list[str]:
    c = findings.confidence
    rows = [[o.features, o.model, percent(o.accuracy), percent(o.major_share)] for o in findings.compact]
    out = ["## The model in the rules", "", "Of the models that are small enough for rules, on new setups:", ""]
    out += table(["features", "model", "accuracy", "major errors"], rows)
    out += [f"`model.yaml` has the {findings.chosen} of the set {findings.chosen_set}, trained on everything. It "
            f"answers from a confidence of {percent(c.threshold)} on: {percent(c.answered)} of the points of setups "
            f"that it had not seen, of which {percent(c.accuracy)} were right and {percent(c.majors)} major errors; "
            f"otherwise it says unknown. Temperature {c.temperature:g}.", ""]  # fmt: skip
    rows = [[percent(confidence), percent(right), str(n)] for confidence, right, n in c.bins]
    return out + (table(["confidence", "right", "points"], rows) if rows else [])
