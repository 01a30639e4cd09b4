"""Threads: those of nearkin's own pools and no others, and the same work after a fork."""

import os
import subprocess
import sys

import pytest

# Everything that estimators do, on several threads each. Rayon's own pool would have as many
# threads as its variable says, with the name of who started it; nearkin's go by theirs.
WORK = """
import os, pickle, sys, tempfile, time, warnings
import numpy as np
import pandas as pd
import nearkin
from nearkin import classify, datasets, evaluate, learn, weigh
from nearkin.blocks import Engine, weigh_blocks
from test_classify import quick
from test_sklearn_checks import CLASSIFIERS, LEARNERS, WEIGHERS
warnings.simplefilter("ignore")

def names():
    found = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/comm") as file:
            found.append(file.read().strip())
    return found

def strangers():
    return [name for name in names() if not name.startswith("nearkin-")]

X, y = datasets.load("iris", return_X_y=True)
X, y = X[::2].astype(np.float32), y[::2]
frame = pd.DataFrame(X, columns=list("abcd")).assign(kind=np.where(X[:, 0] > 5.5, "u", "v"))
folder = tempfile.mkdtemp()

def use(estimator, table):
    estimator.set_params(n_jobs=2).fit(table, y)
    for method in ("predict", "predict_proba", "transform", "kneighbors", "evidence"):
        if hasattr(estimator, method):
            getattr(estimator, method)(table[:20])
    pickle.loads(pickle.dumps(estimator))
    if hasattr(estimator, "save"):
        path = os.path.join(folder, type(estimator).__name__)
        estimator.save(path)
        nearkin.load(path)

def psd(size=40):
    root = np.random.default_rng(0).normal(size=(size, size))
    made = learn.Similarity(root @ root.T, norm="dot")
    assert made.is_psd() and made.factor().shape == (size, size)
    learn.Similarity(root @ root.T, norm="dot", compare="squared-distance")

def everything():
    for one in WEIGHERS:
        use(one(), X)
    use(weigh.ReliefF(p_values="permutation", n_permutations=5, interval=0.9), frame)
    use(weigh.ReliefF(per_class=True, pairs=True, explain_rows=[0, 1], p_values="stir"), X)
    for one in LEARNERS:
        use(one(), X)
        if one is not learn.Relief:
            use(one(matrix="symmetric"), X)
        one().set_params(n_jobs=2).fit_triplets([[0, 1, 70], [3, 4, 60]], X)
    for one in CLASSIFIERS:
        use(quick(one), frame[["kind"]] if one is classify.NaiveBayes else frame)
    for measure in classify.measures():
        try:
            use(classify.KNN(measure=measure), frame[list("abcd")])
        except ValueError:  # of categories
            use(classify.KNN(measure=measure), frame[["kind"]])
    use(classify.KNN(3, measure=learn.SRBSPSD(epochs=2)), X)
    use(classify.PSVM(probabilities=True, tol=1e-3), X)
    s = X @ X.T
    for one in (classify.SDA, classify.LocalSDA, classify.MixtureSDA):
        one(similarity="precomputed", n_jobs=2).fit(s, y).predict(s)
    evaluate.compare({"a": classify.KNN(1), "b": classify.KNN(3)}, X, y, cv=2)
    psd()
    blocks = list(zip(np.array_split(X, 4), np.array_split(y, 4), strict=True))
    weigh_blocks(Engine(map), blocks, weigh.ReliefF(), X[:0], plan="grid")

def settled(before):
    # A thread that has given its answer may be about to end.
    for _ in range(100):
        if sorted(strangers()) == before:
            return True
        time.sleep(0.02)
    return False

before = sorted(strangers())
everything()
assert settled(before), (before, names())
assert any(name.startswith("nearkin-") for name in names()), names()
child = os.fork()
if child == 0:
    before = sorted(strangers())
    everything()
    os._exit(0 if settled(before) else 3)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc elsewhere")
def test_no_other_pool_is_started_and_forks_go_on():
    settings = {"RAYON_NUM_THREADS": "7", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    here = os.path.dirname(__file__)
    done = subprocess.run(
        [sys.executable, "-c", WORK],
        env=os.environ | settings,
        cwd=here,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
