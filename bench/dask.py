"""Local against a Dask cluster of one and of two worker processes: time and overhead.

Run with the Python of scripts/test. Each case is measured in turns, and the least time of each
counts; a machine that is not quiet slows all of them. Workers have one thread, so two workers
stand beside local runs on one and on two threads.
"""

import argparse
import time

import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import nearkin.dask as kin
from nearkin import weigh
from nearkin.blocks import Size, choose, cost

CASES = [
    ("ReliefF", "ReliefF", 10_000, 100),
    ("ReliefF, wide", "ReliefF", 2_000, 1_000),
    ("MultiSURF", "MultiSURF", 5_000, 100),
]


def table(rows, columns):
    random = np.random.default_rng(0)
    X = random.random((rows, columns))
    return X, (X[:, 0] * X[:, 1] > 0.3).astype(int)


def timed(work):
    begun = time.perf_counter()
    found = work()
    return time.perf_counter() - begun, found.feature_importances_


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    rounds = parser.parse_args().rounds
    print(
        "| case | rows × columns | local, 1 thread | local, 2 threads | plan | 1 worker | 2 workers "
        "| 1 worker ÷ local | 1 worker ÷ 2 workers |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    options = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with (
        LocalCluster(n_workers=1, **options) as first,
        LocalCluster(n_workers=2, **options) as second,
        Client(first, set_as_default=False) as one,
        Client(second, set_as_default=False) as two,
    ):
        for title, name, rows, columns in CASES:
            X, y = table(rows, columns)
            far = da.from_array(X, chunks=(rows // 8, -1))
            near, away = getattr(weigh, name), getattr(kin, name)
            plans = ["broadcast", "grid"]
            runs = {
                ("local", 1): lambda near=near: near().fit(X, y),
                ("local", 2): lambda near=near: near(n_jobs=2).fit(X, y),
            }
            for plan in plans:
                for workers, client in ((1, one), (2, two)):
                    runs[plan, workers] = lambda away=away, plan=plan, client=client: away().fit(
                        far, y, plan=plan, client=client
                    )
            least = dict.fromkeys(runs, np.inf)
            weights = {}
            for _ in range(rounds):
                for key, run in runs.items():
                    seconds, weights[key] = timed(run)
                    least[key] = min(least[key], seconds)
            assert all((w == weights["local", 1]).all() for w in weights.values())
            for plan in plans:
                told = [least["local", 1], least["local", 2], least[plan, 1], least[plan, 2]]
                seconds = [f"{value:.2f} s" for value in told]
                print(
                    f"| {title} | {rows:,} × {columns:,} | {seconds[0]} | {seconds[1]} | {plan} "
                    f"| {seconds[2]} | {seconds[3]} | {told[2] / told[0]:.1f} "
                    f"| {told[2] / told[3]:.2f} |",
                    flush=True,
                )
    size = Size(
        rows=10**7, nbytes=8 * 10**10, blocks=500, targets=10**7, neighbours=20,
        workers=100, memory=32 * 10**9,
    )
    plan = choose(size)
    print(f"\n10⁷ × 10³ on 100 workers of one task and 32 GB each: {plan}")
    print(cost(plan, size, classes=2, features=1000))


if __name__ == "__main__":
    main()
