# SPDX-License-Identifier: Apache-2.0
"""Load experiments of systems that are known: closed networks of a few tiers, solved exactly by mean value analysis,
with noise on everything that is measured. Each setup has other demands, so that another tier limits; metrics are what
the standard exporters and Nstar would show of it."""

import csv
import itertools
from pathlib import Path

import numpy as np

TIERS = ("httpd", "php", "mariadb")
THINK = 1.0

# Of each tier: its pool's metric (a ratio), its rate, and its time.
SYSTEM = {
    "httpd": ("apache_workers_busy", "apache_requests", "apache_request_time"),
    "php": ("phpfpm_processes_busy", "phpfpm_requests", None),
    "mariadb": (None, "mysql_queries", None),
}
PLACES = {"httpd": 150, "php": 16}
QUERIES = 40  # per page


def solve(demands: np.ndarray, most: int) -> list[tuple[float, np.ndarray]]:
    """Throughput and queue of each tier for 1 to so many clients (Reiser and Lavenberg)."""
    queues = np.zeros(len(demands))
    out = []
    for n in range(1, most + 1):
        times = demands * (1 + queues)
        throughput = n / (THINK + times.sum())
        queues = throughput * times
        out.append((throughput, queues))
    return out


def levels(demands: np.ndarray) -> list[int]:
    saturating = (THINK + demands.sum()) / demands.max()
    return sorted(
        {max(1, round(saturating * at)) for at in (0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 1, 1.2, 1.5, 2, 3, 4.5, 6.5)}
    )


def setups(count: int, seed: int) -> dict[str, tuple[np.ndarray, str]]:
    """Demands in seconds by setup, and the tier that limits; sizes differ up to eight times."""
    r = np.random.default_rng(seed)
    out = {}
    for i in range(count):
        demands = r.uniform(0.05, 0.4, len(TIERS))
        limiting = i % len(TIERS)
        demands[limiting] = 1.0
        out[f"setup-{i}"] = demands * r.uniform(0.01, 0.08), TIERS[limiting]
    return out


def measured(throughput: float, queues: np.ndarray, demands: np.ndarray, noisy) -> dict[str, float]:
    """What the exporters show."""
    out = {
        "client/response_time": noisy(queues.sum() / throughput),
        "host/node_cpu": noisy(throughput * demands.mean()),
    }
    for i, tier in enumerate(TIERS):
        pool, rate, time = SYSTEM[tier]
        inside = queues[i:].sum()  # whoever is in a tier behind is in this one as well
        if pool:
            out[f"{tier}/{pool}"] = min(1, noisy(inside / PLACES[tier]))
        if rate:
            out[f"{tier}/{rate}"] = noisy(throughput * (QUERIES if tier == "mariadb" else 1))
        if time:
            out[f"{tier}/{time}"] = noisy(inside / throughput)
        used = throughput * demands[i]
        out[f"{tier}/own_queue"] = noisy(queues[i] / 12)
        out[f"{tier}/saturated_windows"] = min(1, noisy(1 / (1 + np.exp(-(queues[i] - 12) / 3))))
        out[f"{tier}/excess"] = min(1, noisy(1 - demands[i] * throughput / max(queues[i], 1e-9)))
        out[f"{tier}/processors_used"] = min(1, noisy(used))
    return out


TYPES = {
    "response_time": "LY", "node_cpu": "RC", "apache_workers_busy": "ITD", "apache_requests": "IOD",
    "apache_request_time": "PT",
    "phpfpm_processes_busy": "ITD", "phpfpm_requests": "IOD", "mysql_queries": "IOD", "own_queue": "QS",
    "saturated_windows": "QS", "excess": "QWT", "processors_used": "RC",
}  # fmt: skip
RATIOS = (
    "node_cpu",
    "apache_workers_busy",
    "phpfpm_processes_busy",
    "own_queue",
    "saturated_windows",
    "excess",
    "processors_used",
)


def write(
    directory: Path, count: int = 9, runs: int = 3, noise: float = 0.02, seed: int = 1, faster: float = 1.0
) -> None:
    """points.csv, study.yaml, tiers.csv and calls.csv, as `make campaign-lamp` writes them. The second half of the
    setups runs on machines that are so many times as fast."""
    r = np.random.default_rng(seed)

    def noisy(value: float) -> float:
        return float(value * (1 + noise * r.standard_normal()))

    rows, chosen = [], setups(count, seed)
    for i, (name, (demands, tier)) in enumerate(chosen.items()):
        if 2 * i >= count:
            chosen[name] = demands / faster, tier
    for name, (demands, _) in chosen.items():
        solved = solve(demands, max(levels(demands)))
        for clients in levels(demands):
            throughput, queues = solved[clients - 1]
            for run in range(1, runs + 1):
                row = {"setup": name, "clients": clients, "run": run, "throughput": noisy(throughput)}
                row |= measured(throughput, queues, demands, noisy)
                if run == 1 and clients == levels(demands)[0]:
                    row["php/own_queue"] = ""  # N* was not known yet
                rows.append(row)
    with (directory / "points.csv").open("w", newline="") as file:
        out = csv.DictWriter(file, rows[0].keys())
        out.writeheader()
        out.writerows({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()} for row in rows)
    with (directory / "tiers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["setup", "limiting"], *([name, tier] for name, (_, tier) in chosen.items())])
    with (directory / "calls.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["from", "to"], *itertools.pairwise(TIERS)])
    study = ["app: lamp", "setups: [{csv: points.csv}]", "metrics:"]
    for column in list(rows[0])[4:]:
        tier, metric = column.split("/")
        kind = "ratio" if metric in RATIOS else "value"
        query = "" if tier == "client" else f'nstar:indicator:{kind}{{app="lamp",tier="{tier}",metric="{metric}"}}'
        client = "true" if tier == "client" else "false"
        study.append(f"  - {{name: {metric}, tier: {tier}, type: {TYPES[metric]}, client: {client}, query: '{query}'}}")
    (directory / "study.yaml").write_text("\n".join(study) + "\n")
