"""The planner of nearkin.blocks on engines other than Dask: the same blocks, the same bits.

    python bench/engines.py threads processes ray spark

runs ReliefF and MultiSURF in blocks on each engine named, by both plans, and KNN and RBS by grid,
and asserts that answers have the bits of one machine. Ray and Spark must be installed
(`pip install ray pyspark`); Spark needs Java. The functions are the recipes of docs/dask.md.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np

from nearkin import classify, learn, weigh
from nearkin.blocks import Engine, answer_blocks, learn_blocks, rule_blocks, weigh_blocks

WORKERS = 2


@contextmanager
def threads():
    with ThreadPoolExecutor(WORKERS) as pool:
        yield Engine(pool.map, workers=WORKERS)


@contextmanager
def processes():
    with ProcessPoolExecutor(WORKERS) as pool:
        yield Engine(pool.map, workers=WORKERS)


@contextmanager
def ray():
    import ray

    def remote_map(function, *iterables):
        task = ray.remote(function)
        return [task.remote(*arguments) for arguments in zip(*iterables, strict=True)]

    ray.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False)
    try:
        waiting = lambda reference: ray.wait([reference], fetch_local=False)  # noqa: E731
        yield Engine(remote_map, ray.get, workers=WORKERS, wait=waiting)
    finally:
        ray.shutdown()


@contextmanager
def spark():
    from pyspark.sql import SparkSession

    # The executors need a Python that has nearkin.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = SparkSession.builder.master(f"local[{WORKERS}]").config("spark.ui.enabled", "false")
    session = session.getOrCreate()

    def spark_map(function, *iterables):
        arguments = list(zip(*iterables, strict=True))
        tasks = session.sparkContext.parallelize(arguments, max(1, len(arguments)))
        return tasks.map(lambda one: function(*one)).collect()

    try:
        yield Engine(spark_map, workers=WORKERS)
    finally:
        session.stop()


ENGINES = {"threads": threads, "processes": processes, "ray": ray, "spark": spark}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="+", choices=ENGINES)
    random = np.random.default_rng(0)
    X = random.random((4500, 10))
    y = np.where(X[:, 0] * X[:, 1] > 0.3, "yes", "no")
    blocks = list(zip(np.array_split(X, 3), np.array_split(y, 3), strict=True))
    for name in parser.parse_args().engines:
        with ENGINES[name]() as engine:
            for method in (weigh.ReliefF(sample=500), weigh.MultiSURF(sample=500)):
                local = method.fit(X, y).feature_importances_
                for plan in ("broadcast", "grid"):
                    begun = time.perf_counter()
                    found = weigh_blocks(engine, blocks, method, X[:0], plan=plan)
                    seconds = time.perf_counter() - begun
                    assert np.array_equal(found["weights"], local), (name, plan)
                    print(f"{name}: {type(method).__name__} by {plan}, same bits, {seconds:.1f} s")
            rule, queries = classify.KNN(5), np.array_split(X[:700] + 0.01, 2)
            local = rule.fit(X, y).predict_proba(X[:700] + 0.01)
            found = rule_blocks(engine, blocks, rule, X[:0], plan="grid")["rule"]
            said = engine.get(answer_blocks(engine, found, blocks, queries))
            said = np.exp(np.concatenate([one["log_posteriors"] for one in said]))
            assert np.array_equal(said, local), name
            local = learn.RBS().fit(X, y).similarity_._inner.cells
            found = learn_blocks(engine, blocks, learn.RBS(), X[:0], plan="grid")
            assert np.array_equal(found["models"][0]["similarity"].cells, local), name
            print(f"{name}: KNN and RBS by grid, same bits")


if __name__ == "__main__":
    main()
