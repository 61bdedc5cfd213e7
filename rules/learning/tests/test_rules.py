# SPDX-License-Identifier: Apache-2.0
"""The rules give the model's answers, in a real Prometheus and on setups that the model has not seen."""

import re
import tempfile
import unittest
from pathlib import Path

import numpy as np

from nstar_learning import confidence, features, models, promql, promtool, tiers
from nstar_learning.data import calls, limiting_tiers

from . import bed

# Points of the unseen setups that are asked about, evenly over them: enough for every answer.
POINTS = 24


class Boundary(unittest.TestCase):
    def test_is_where_32_bits_round_up(self):
        r = np.random.default_rng(1)
        thresholds = np.concatenate([r.normal(0, 10.0**k, 200) for k in range(-6, 7)] + [[0.0, 0.5, 1.0, -1.0, 1e-30]])
        for threshold in thresholds:
            limit = promql.boundary(threshold)
            around = [limit, np.nextafter(limit, np.inf), np.nextafter(limit, -np.inf), threshold]
            for x in around + list(threshold + np.abs(threshold) * r.normal(0, 1e-7, 20)):
                self.assertEqual(np.float32(x) <= threshold, x <= limit, (threshold, x))


class HeldOut(unittest.TestCase):
    """Trained on some setups, asked about the others."""

    def setUp(self):
        self.tools = bed.promtools()
        if not self.tools:
            self.skipTest("no promtool: make test-rules and make promtool fetch them")
        self.directory, self.experiment, table = bed.experiment()
        columns = [i for i in features.sets(table.features)["server-side-only"] if table.features[i].recorded]
        self.features = [table.features[i] for i in columns]
        x = table.of(columns)  # too easy as they are: no model would be unsure
        x = x + 0.5 * np.nanstd(x, axis=0) * np.random.default_rng(1).normal(size=x.shape)
        doubled = np.array([f.kind == "value" for f in self.features])
        self.x = np.where(doubled, np.maximum(x, 0), x)  # nothing is below its least
        self.unseen = np.isin(self.experiment.setups, self.experiment.names[-3:])

    def write(self, model: str, directory: Path, app: str = "") -> None:
        seen = ~self.unseen
        pipeline = models.compact()[model].fit(self.x[seen], self.experiment.classes[seen])
        # A threshold at which the least sure points are not answered and the others are.
        temperature = 1.3
        surest = confidence.temper(pipeline.predict_proba(self.x[self.unseen]), temperature).max(axis=1)
        values = np.unique(surest.round(6))
        k = len(values) // 4
        sure = confidence.Confidence(temperature, float(values[k] + values[k + 1]) / 2, 0, 0, 0, [])
        rules = promql.compile_model(pipeline, self.features, sure, app).rules
        (directory / "model.yaml").write_text(promql.to_yaml(rules, "nstar_model", "A test."))
        test = promtool.test_file("model.yaml", pipeline, sure, self.features, self.x[self.unseen], app, POINTS)
        (directory / "model_test.yaml").write_text(test)

    def test_rules_say_what_the_model_says(self):
        for model in models.compact():
            for tool in self.tools:
                with self.subTest(model=model, promtool=str(tool)), tempfile.TemporaryDirectory() as name:
                    self.write(model, Path(name))
                    test = (Path(name) / "model_test.yaml").read_text()
                    said = set(re.findall(r'state="(\w+)"', test))
                    self.assertEqual(
                        said, {"client", "gray", "server", "unknown"}, "the test does not try every answer"
                    )
                    ok, output = bed.passes(tool, Path(name))
                    self.assertTrue(ok, output[:3000])

    def test_other_rules_fail(self):
        with tempfile.TemporaryDirectory() as name:
            self.write("logistic", Path(name))
            rules = Path(name) / "model.yaml"
            text = rules.read_text()
            weight = re.search(r"\+ (-?\d+\.\d+) \* \(\(", text)
            rules.write_text(text.replace(weight.group(1), repr(float(weight.group(1)) + 1e-5), 1))
            ok, _ = bed.passes(self.tools[0], Path(name))
            self.assertFalse(ok, "a weight that is wrong by 0.00001 went unnoticed")

    def test_rules_for_one_application(self):
        with tempfile.TemporaryDirectory() as name:
            self.write("tree", Path(name), app="shop")
            self.assertIn('{app="shop",metric=', (Path(name) / "model.yaml").read_text())
            ok, output = bed.passes(self.tools[0], Path(name))
            self.assertTrue(ok, output[:3000])

    def test_limiting_tier(self):
        truth = limiting_tiers(self.directory / "tiers.csv")
        chain = calls(self.directory / "calls.csv")
        questions, x = tiers.table(self.experiment, truth, chain)
        seen = np.array([not self.unseen[q.point] for q in questions])
        known = [q for q, s in zip(questions, seen, strict=True) if s]
        model = tiers.Ranking().fit(known, x[seen], tiers.setups(self.experiment, known))
        asked = [q for q, s in zip(questions, seen, strict=True) if not s]
        for tool in self.tools:
            with tempfile.TemporaryDirectory() as name:
                rules = promql.to_yaml(tiers.rules(model), "nstar_model", "A test.")
                (Path(name) / "model.yaml").write_text(rules)
                test = "rule_files: [model.yaml]\nevaluation_interval: 15s\ntests:\n" + promtool.tier_tests(
                    model, asked, x[~seen], chain
                )
                (Path(name) / "model_test.yaml").write_text(test)
                ok, output = bed.passes(tool, Path(name))
                self.assertTrue(ok, output[:3000])


if __name__ == "__main__":
    unittest.main()
