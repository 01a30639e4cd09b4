"""Classification beside scikit-learn and kmedoids: time, and whether the answers are equal.

Neighbours: 10 of 50,000 × 50 float32 rows for 5,000 queries, fit and prediction together. The
answers are set beside scikit-learn's exact search in double precision: neighbours may differ
only where distances tie (in the last bits of single precision for the cosine of float32).
Similarity matrices: rules over 1,000 × 1,000 given similarities.
"""

import sys
import time

import common
from common import THREADS

LIMIT_SECONDS = 120
K = 10
BAR = 3
FULL, SMALL = (50_000, 5_000, 50), (2_000, 300, 50)
# Distances nearer than this are ties: what single precision of the data tells apart.
TIE = 1e-6


def rows(count, asked, columns, seed=0):
    """Three overlapping clouds; float32."""
    import numpy as np

    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, count + asked)
    centres = rng.normal(size=(3, columns)) * 0.3
    x = (centres[y] + rng.normal(size=(count + asked, columns))).astype(np.float32)
    return (x[:count], y[:count]), x[count:]


def matrix(count, seed=0):
    """Similarities of points in the plane, two classes, and queries' to them."""
    import numpy as np

    rng = np.random.default_rng(seed)
    y = np.arange(2 * count) % 2
    points = rng.normal(size=(2 * count, 2)) + 1.5 * y[:, None]
    squares = ((points[:, None, :] - points[None, :count, :]) ** 2).sum(axis=2)
    return np.exp(-squares), squares, y, count


def neighbours(program, metric, shape):
    """Classes of the queries by their K nearest rows, and the neighbours themselves."""
    (x, y), queries = rows(*shape)
    if program == "scikit-learn":
        from sklearn.neighbors import KNeighborsClassifier

        make = lambda: KNeighborsClassifier(K, algorithm="brute", metric=metric, n_jobs=THREADS)  # noqa: E731
    else:
        from nearkin.classify import KNN, SKNN

        plain = {"scaling": "none"} if metric == "euclidean" else None
        kind = SKNN if program.endswith("SkNN") else KNN
        make = lambda: kind(K, measure=metric, measure_params=plain, n_jobs=THREADS)  # noqa: E731
    make().fit(x[:100], y[:100]).predict(queries[:10])
    start = time.perf_counter()
    model = make().fit(x, y)
    said = model.predict(queries)
    found = {"seconds": time.perf_counter() - start, "megabytes": common.peak_megabytes()}
    distances, near = model.kneighbors(queries, K)
    return found | {"said": said.tolist(), "near": near.tolist()}


def check(metric, shape, near, said):
    """Neighbours and classes that differ from scikit-learn's in double precision."""
    import numpy as np
    from sklearn.neighbors import KNeighborsClassifier

    (x, y), queries = rows(*shape)
    x, queries = x.astype(np.float64), queries.astype(np.float64)
    exact = KNeighborsClassifier(K, algorithm="brute", metric=metric, n_jobs=THREADS).fit(x, y)
    _, meant = exact.kneighbors(queries, K)
    beyond = ties = 0
    for query, own, other in zip(queries, np.array(near), meant, strict=True):
        if (own == other).all():
            continue
        places = own != other
        a, b = (_distance(metric, query, x[rows[places]]) for rows in (own, other))
        apart = np.abs(a - b) > TIE * np.maximum(1e-12, np.abs(b))
        beyond, ties = beyond + int(apart.sum()), ties + int((~apart).sum())
    classes = int((np.array(said) != exact.predict(queries)).sum())
    return {"seconds": 0.0, "beyond": beyond, "ties": ties, "classes": classes}


def check_symmetric(metric, shape, said):
    """Classes of SkNN that differ from its definition in double precision: the class whose K
    nearest rows are nearest in the mean, by scikit-learn's search of each class."""
    import numpy as np
    from sklearn.neighbors import NearestNeighbors

    (x, y), queries = rows(*shape)
    x, queries = x.astype(np.float64), queries.astype(np.float64)
    means = []
    for label in range(3):
        search = NearestNeighbors(n_neighbors=K, algorithm="brute", metric=metric, n_jobs=THREADS)
        means.append(search.fit(x[y == label]).kneighbors(queries)[0].mean(axis=1))
    return int((np.argmin(means, axis=0) != np.array(said)).sum())


def _distance(metric, query, others):
    import numpy as np

    if metric == "euclidean":
        return np.sqrt(((others - query) ** 2).sum(axis=1))
    lengths = np.sqrt((others**2).sum(axis=1)) * np.sqrt((query**2).sum())
    return 1 - others @ query / lengths


def given_similarities(program, count):
    """A rule over a similarity matrix: seconds of fit and prediction, accuracy."""
    import numpy as np

    s, squares, y, n = matrix(count)
    own, queries = s[:n], s[n:]
    if program == "SVC, precomputed":
        from sklearn.svm import SVC

        rule = SVC(kernel="precomputed")
    elif program == "NearestCentroid (scikit-learn, of columns)":
        from sklearn.neighbors import NearestCentroid

        rule = NearestCentroid()
    elif program == "kmedoids, fasterpam":
        return medoids(squares, y, n)
    else:
        from nearkin import classify

        makers = {
            "P-SVM": lambda: classify.PSVM(similarity="precomputed", n_jobs=THREADS),
            "nearest centroid": lambda: classify.NearestCentroid(
                similarity="precomputed", n_jobs=THREADS
            ),
            "condensed NN, alternating": lambda: classify.CondensedNN(
                10, similarity="precomputed", n_jobs=THREADS
            ),
            "condensed NN, swap": lambda: classify.CondensedNN(
                10, search="swap", metric="precomputed", n_jobs=THREADS
            ),
        }
        rule = makers[program]()
        if getattr(rule, "metric", None) == "precomputed":
            own, queries = squares[:n], squares[n:]
    start = time.perf_counter()
    rule.fit(own, y[:n])
    said = rule.predict(queries)
    found = {"seconds": time.perf_counter() - start, "accuracy": float((said == y[n:]).mean())}
    if hasattr(rule, "prototypes_"):
        chosen = [np.asarray(one) for one in rule.prototypes_]
        found["loss"] = loss(squares, y, n, chosen)
    return found


def medoids(squares, y, n):
    """FasterPAM class by class, and the class of the nearest medoid."""
    import kmedoids
    import numpy as np

    start = time.perf_counter()
    chosen = []
    for label in (0, 1):
        members = np.flatnonzero(y[:n] == label)
        part = np.ascontiguousarray(squares[np.ix_(members, members)])
        chosen.append(members[kmedoids.fasterpam(part, 10, random_state=0).medoids])
    everyone = np.concatenate(chosen)
    said = y[everyone[squares[n:][:, everyone].argmin(axis=1)]]
    found = {"seconds": time.perf_counter() - start, "accuracy": float((said == y[n:]).mean())}
    return found | {"loss": loss(squares, y, n, chosen)}


def loss(squares, y, n, chosen):
    """The sum of dissimilarities to the nearest medoid of one's own class: less is better."""
    return float(
        sum(
            squares[:n][y[:n] == label][:, medoids].min(axis=1).sum()
            for label, medoids in enumerate(chosen)
        )
    )


def measure(what, *arguments):
    return {"neighbours": neighbours, "check": check, "given": given_similarities}[what](*arguments)


def main():
    given = common.options(__doc__.splitlines()[0]).parse_args()
    if given.one:
        return common.answer(given.one, measure)
    if given.quick:
        shape, rounds, count = SMALL, 1, 200
    else:
        shape, rounds, count = FULL, 6, 1_000
    alone = lambda *words: common.child(sys.executable, __file__, words, LIMIT_SECONDS)  # noqa: E731
    lines, out = [], []
    for metric in ("euclidean", "cosine"):
        programs = ["nearkin kNN", "nearkin SkNN", "scikit-learn"]
        ask = lambda program, metric=metric: alone("neighbours", program, metric, shape)  # noqa: E731
        best = common.in_turns(programs, ask, rounds)
        own, peer = best["nearkin kNN"], best["scikit-learn"]
        told = {}
        if "near" in own:
            # In this process: the neighbours are too many for a command line.
            told = check(metric, shape, own["near"], own["said"])
        symmetric = best["nearkin SkNN"]
        for program, found in best.items():
            equal, differ = "", 0
            if program == "nearkin kNN" and told:
                differ = told["beyond"] + told["classes"]
                equal = (
                    f"{told['beyond']} neighbours and {told['classes']} classes differ, "
                    f"{told['ties']} ties"
                )
            elif program == "nearkin SkNN" and "said" in symmetric:
                differ = check_symmetric(metric, shape, symmetric["said"])
                equal = f"{differ} classes differ"
            ours = program != "scikit-learn"
            met = common.met(common.times(peer, found), least=BAR) if ours else ""
            lines.append(
                [
                    metric,
                    program,
                    common.seconds(found),
                    common.ratio(peer, found) if ours else "",
                    f"{BAR} ×" if ours else "",
                    "no" if differ else met,
                    common.megabytes(found),
                    equal,
                ]
            )
            out.append(
                [
                    f"{metric}, {shape[0]} x {shape[2]}, {shape[1]} queries",
                    program,
                    found.get("seconds"),
                    found.get("megabytes"),
                    "",
                    found.get("asked"),
                    found.get("failed", ""),
                ]
            )
    versions = common.pinned("-peers", "scikit-learn", "kmedoids")
    text = (
        f"Peers: {versions}. {K} nearest of {shape[0]:,} × {shape[2]} float32 rows for {shape[1]:,} queries, fit and "
        "prediction:\n\n"
    )
    text += common.table(
        [
            "distance",
            "program",
            "time",
            "faster than scikit-learn by",
            "bar",
            "met",
            "peak memory",
            "beside scikit-learn in double precision",
        ],
        lines,
    )
    pairs = [
        ("P-SVM", "SVC, precomputed"),
        ("nearest centroid", "NearestCentroid (scikit-learn, of columns)"),
        ("condensed NN, alternating", "kmedoids, fasterpam"),
        ("condensed NN, swap", None),
    ]
    programs = [program for pair in pairs for program in pair if program]
    best = common.in_turns(programs, lambda program: alone("given", program, count), rounds)
    rival = {own: peer for own, peer in pairs if peer} | {
        "condensed NN, swap": "kmedoids, fasterpam"
    }
    lines = []
    for program, found in best.items():
        peer = best.get(rival.get(program, ""), {})
        lines.append(
            [
                program,
                common.seconds(found),
                common.ratio(peer, found),
                f"{found['accuracy']:.4f}" if "accuracy" in found else "",
                f"{found['loss']:.1f}" if "loss" in found else "",
                common.megabytes(found),
            ]
        )
        out.append(
            [
                f"given similarities, {count}",
                program,
                found.get("seconds"),
                found.get("megabytes"),
                found.get("accuracy"),
                found.get("asked"),
                found.get("failed", ""),
            ]
        )
    text += (
        f"\n\nRules over {count:,} × {count:,} given similarities of two classes, fit and "
        "prediction of as many queries; the loss is that of the medoids:\n\n"
    )
    text += common.table(
        ["program", "time", "faster than its peer by", "accuracy", "loss", "peak memory"], lines
    )
    common.record("classification", text, given.quick)
    header = ["case", "program", "seconds", "megabytes", "accuracy", "asked", "failed"]
    common.write_csv("classification", header, out, given.quick)
    return None


if __name__ == "__main__":
    sys.exit(main())
