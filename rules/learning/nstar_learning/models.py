# SPDX-License-Identifier: Apache-2.0
"""The classifiers: the thesis's four and gradient boosting, with scikit-learn's defaults, and three that are small
enough to become recording rules. Indicators that were not there take their median."""

from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

SEED = 0

# Enough for the default solver on some dozens of scaled features; more changes nothing.
ITERATIONS = 2000


def filled() -> SimpleImputer:
    return SimpleImputer(strategy="median", keep_empty_features=True)


def classifiers() -> dict[str, Pipeline]:
    """New, untrained ones by the names of the thesis's figures. Those that compare distances need one scale."""
    return {
        "DT": make_pipeline(filled(), DecisionTreeClassifier(random_state=SEED)),
        "RF": make_pipeline(filled(), RandomForestClassifier(random_state=SEED)),
        "SVM": make_pipeline(filled(), StandardScaler(), SVC()),
        "LR": make_pipeline(filled(), StandardScaler(), LogisticRegression(max_iter=ITERATIONS)),
        "GB": make_pipeline(filled(), HistGradientBoostingClassifier(random_state=SEED)),
    }


def compact() -> dict[str, Pipeline]:
    """New ones whose rules stay readable and cheap. A leaf holds at least five runs: fewer are chance."""
    shape = {"max_depth": 4, "min_samples_leaf": 5, "random_state": SEED}
    return {
        "tree": make_pipeline(filled(), DecisionTreeClassifier(**shape)),
        "forest": make_pipeline(filled(), RandomForestClassifier(n_estimators=9, **shape)),
        "logistic": make_pipeline(filled(), StandardScaler(), LogisticRegression(max_iter=ITERATIONS)),
    }
