"""Local against a Dask cluster of one and of two worker processes: time and overhead.

Run with the Python of scripts/test. Each case is measured in turns, and the least time of each
counts. Workers have one thread, so two workers stand beside local runs on one and on two threads.

Where other work keeps the machine busy, seconds of the clock say how busy it was. Seconds of the
processor do not: those of one worker, over those of the busier of two, are what a second worker
gains at best. What is left is waiting for each other, and for the scheduler.
"""

import argparse
import os
import time

import dask.array as da
import numpy as np
import psutil
from distributed import Client, LocalCluster

import nearkin.dask as kin
from nearkin import classify, weigh
from nearkin.blocks import Size, choose, cost

CASES = [
    ("ReliefF, small", "ReliefF", 10_000, 100),
    ("ReliefF", "ReliefF", 40_000, 100),
    ("ReliefF, wide", "ReliefF", 4_000, 2_000),
    ("KNN, 20,000 queries", "KNN", 100_000, 50),
    ("MultiSURF", "MultiSURF", 20_000, 100),
]
QUERIES = 20_000
BLOCKS = 8


def table(rows, columns):
    random = np.random.default_rng(0)
    X = random.random((rows, columns))
    return X, (X[:, 0] * X[:, 1] > 0.3).astype(int)


def used():
    """Seconds of the processor that this process has taken."""
    times = psutil.Process(os.getpid()).cpu_times()
    return times.user + times.system


def local(name, X, y, threads):
    if name == "KNN":
        return classify.KNN(5, n_jobs=threads).fit(X, y).predict_proba(X[:QUERIES])
    return getattr(weigh, name)(n_jobs=threads).fit(X, y).feature_importances_


def away(name, X, y, plan, client):
    far = da.from_array(X, chunks=(-(-len(X) // BLOCKS), -1))
    if name == "KNN":
        found = kin.KNN(5).fit(far, y, plan=plan, client=client)
        queries = da.from_array(X[:QUERIES], chunks=(QUERIES // BLOCKS, -1))
        return found.predict_proba(queries).compute(scheduler=client)
    return getattr(kin, name)().fit(far, y, plan=plan, client=client).feature_importances_


def timed(work, clients=()):
    """Seconds of the clock, and of the processors: this one's, or those of all workers."""
    before = [client.run(used) for client in clients] or used()
    begun = time.perf_counter()
    found = work()
    clock = time.perf_counter() - begun
    if not clients:
        return clock, used() - before, found
    after = [client.run(used) for client in clients]
    pairs = [(then[at], now[at]) for then, now in zip(before, after, strict=True) for at in now]
    return clock, max(now - then for then, now in pairs), found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--cases", nargs="*", help="those whose title begins so")
    arguments = parser.parse_args()
    rounds, wanted = arguments.rounds, tuple(arguments.cases or [""])
    print(f"load {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores when it began")
    print(
        "| case | rows × columns | plan | local, 1 and 2 threads | 1 and 2 workers | processor: "
        "local | 1 worker | busier of 2 | 1 worker ÷ local | 1 worker ÷ busier of 2 |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    options = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with (
        LocalCluster(n_workers=1, **options) as first,
        LocalCluster(n_workers=2, **options) as second,
        Client(first, set_as_default=False) as one,
        Client(second, set_as_default=False) as two,
    ):
        assert [len(client.run(os.getpid)) for client in (one, two)] == [1, 2]
        for title, name, rows, columns in CASES:
            if not title.startswith(wanted):
                continue
            X, y = table(rows, columns)
            plans = ["broadcast", "grid"]
            runs = {("local", n): ((), local, (name, X, y, n)) for n in (1, 2)}
            for plan in plans:
                for workers, client in ((1, one), (2, two)):
                    runs[plan, workers] = ([client], away, (name, X, y, plan, client))
            least = {key: (np.inf, np.inf) for key in runs}
            answers = {}
            for _ in range(rounds):
                for key, (clients, work, given) in runs.items():
                    clock, spent, answers[key] = timed(lambda: work(*given), clients)  # noqa: B023
                    least[key] = min(least[key][0], clock), min(least[key][1], spent)
            assert all((answer == answers["local", 1]).all() for answer in answers.values())
            for plan in plans:
                alone, pair = [least["local", n][0] for n in (1, 2)], [
                    least[plan, n][0] for n in (1, 2)
                ]
                spent = least["local", 1][1], least[plan, 1][1], least[plan, 2][1]
                print(
                    f"| {title} | {rows:,} × {columns:,} | {plan} | {alone[0]:.2f}, "
                    f"{alone[1]:.2f} s | {pair[0]:.2f}, {pair[1]:.2f} s | {spent[0]:.2f} s "
                    f"| {spent[1]:.2f} s | {spent[2]:.2f} s | {spent[1] / spent[0]:.1f} "
                    f"| {spent[1] / spent[2]:.2f} |",
                    flush=True,
                )
    print(f"load {os.getloadavg()[0]:.1f} when it ended")
    size = Size(
        rows=10**7,
        nbytes=8 * 10**10,
        blocks=500,
        targets=10**7,
        neighbours=20,
        workers=100,
        memory=32 * 10**9,
    )
    plan = choose(size)
    print(f"\n10⁷ × 10³ on 100 workers of one task and 32 GB each: {plan}")
    print(cost(plan, size, classes=2, features=1000))


if __name__ == "__main__":
    main()
