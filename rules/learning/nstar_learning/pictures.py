# SPDX-License-Identifier: Apache-2.0
"""Pictures like 4.3 to 4.10 and 5.16 to 5.22 of the thesis."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

from . import CLASSES  # noqa: E402
from .evaluate import Outcome  # noqa: E402

COLOURS = {"client": "#4f9d5b", "gray": "#a3a3a8", "server": "#c8453c"}


def save(figure, path: Path) -> Path:
    figure.tight_layout()
    # Without a date, so that the same data give the same file.
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)
    return path


def names(outcomes: list[Outcome]) -> tuple[list[str], list[str]]:
    return list(dict.fromkeys(o.features for o in outcomes)), list(dict.fromkeys(o.model for o in outcomes))


def accuracy(outcomes: list[Outcome], path: Path) -> Path:
    """Mean accuracy by set of features and classifier, beside the majority's (Fig. 4.3, 4.8, 4.9)."""
    sets, models = names(outcomes)
    figure, axes = plt.subplots(figsize=(1.2 * len(sets) + 2, 3.6))
    width = 0.8 / len(models)
    for i, model in enumerate(models):
        by_set = {o.features: o.accuracy for o in outcomes if o.model == model}
        axes.bar(
            np.arange(len(sets)) + (i - (len(models) - 1) / 2) * width, [by_set[s] for s in sets], width, label=model
        )
    axes.axhline(outcomes[0].baseline, color="black", linestyle="--", linewidth=1, label="majority")
    axes.set_xticks(range(len(sets)), sets, rotation=20, ha="right")
    axes.set_ylim(0, 1)
    axes.set_ylabel("accuracy")
    axes.legend(ncol=len(models) + 1, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1))
    return save(figure, path)


def distribution(outcomes: list[Outcome], path: Path) -> Path:
    """The accuracy over all splits (Fig. 4.4)."""
    figure, axes = plt.subplots(figsize=(1.1 * len(outcomes) + 2, 3.4))
    axes.boxplot([o.accuracies for o in outcomes], tick_labels=[o.features for o in outcomes])
    axes.axhline(outcomes[0].baseline, color="black", linestyle="--", linewidth=1)
    axes.tick_params(axis="x", rotation=20)
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel(f"accuracy, {outcomes[0].model}")
    return save(figure, path)


def importance(features: list[str], shares: np.ndarray, path: Path, most: int = 10) -> Path:
    """The features that matter most to a random forest (Fig. 4.5)."""
    order = np.argsort(shares)[::-1][:most][::-1]
    figure, axes = plt.subplots(figsize=(6, 0.3 * len(order) + 1))
    axes.barh([features[i] for i in order], shares[order], color="#4f78a8")
    axes.set_xlabel("importance")
    return save(figure, path)


def setups(outcomes: list[Outcome], path: Path) -> Path:
    """The accuracy of each setup when it is left out (Fig. 4.7)."""
    all_setups = sorted(outcomes[0].by_setup)
    figure, axes = plt.subplots(figsize=(0.7 * len(all_setups) + 2, 3.4))
    width = 0.8 / len(outcomes)
    for i, o in enumerate(outcomes):
        places = np.arange(len(all_setups)) + (i - (len(outcomes) - 1) / 2) * width
        axes.bar(places, [o.setup_accuracy(s) for s in all_setups], width, label=o.model)
    axes.set_xticks(range(len(all_setups)), all_setups, rotation=30, ha="right")
    axes.set_ylim(0, 1)
    axes.set_ylabel(f"accuracy, {outcomes[0].features}")
    axes.legend(ncol=len(outcomes), fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1))
    return save(figure, path)


def errors(outcomes: list[Outcome], path: Path) -> Path:
    """What the points of each class were taken for (Fig. 4.10)."""
    figure, all_axes = plt.subplots(1, len(CLASSES), figsize=(4.2 * len(CLASSES), 3.6), sharey=True)
    for truth, axes in enumerate(all_axes):
        bottom = np.zeros(len(outcomes))
        for said in [truth] + [k for k in range(len(CLASSES)) if k != truth]:
            share = np.array([o.confusion[truth, said] / max(1, o.confusion[truth].sum()) for o in outcomes])
            axes.bar(
                [o.features for o in outcomes], share, bottom=bottom, color=COLOURS[CLASSES[said]], label=CLASSES[said]
            )
            bottom += share
        axes.set_title(f"points of class {CLASSES[truth]}", fontsize="medium")
        axes.tick_params(axis="x", rotation=35)
    all_axes[0].set_ylabel(f"said by {outcomes[0].model}")
    all_axes[0].legend(fontsize="small")
    return save(figure, path)
