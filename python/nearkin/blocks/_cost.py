"""The cost of a run: tasks of each kind, bytes that go into them, differences they compute.

Counted from a plan and a size alone, before anything runs. Blocks are taken to be of equal length,
none of them empty.
"""

from nearkin.blocks._bill import Bill
from nearkin.blocks._plan import BLOCK, FOLDED


def cost(plan, size, *, classes=2, features, counted=False, deviations=False, radius=None):
    """The cost of weighing features.

    Parameters
    ----------
    plan, size : Plan, Size
        What :func:`choose` chose, and for what: ``plan_`` and ``size_`` of an estimator.
    classes, features : int
        How many; one class where the target is real.
    counted, deviations : bool
        Whether counts by class (missing cells) and standard deviations (z-scores) are needed.
    radius : {None, 'own', 'one'}
        None for methods that look for nearest rows, 'own' where each target has a radius (MultiSURF
        and its star), 'one' where all have the same (SURF and its star); ``size.sums`` tells one
        from its star.

    Returns
    -------
    Cost
        Tasks by kind, bytes that go into them, and differences computed.
    """
    bill, targets = Bill(plan, size), size.targets
    bill.look(counted, deviations)
    bill.add("as_is", 1, 0)
    steps = bill.steps(targets)
    if plan.name == "broadcast":
        bill.add("join", 1, size.nbytes)
        bill.add("sum_whole", steps, steps * size.nbytes + 4 * targets)
        bill.pairs += targets * size.rows
    elif radius is None:
        _by_nearest(bill, steps, targets, classes)
    else:
        _by_radius(bill, steps, targets, radius)
    part = 8 * (classes + classes * features)
    bill.fold("fold", steps, (-(-targets // BLOCK) + -(-steps // FOLDED)) * part)
    return bill.total(features)


def _by_nearest(bill, steps, targets, classes):
    near = targets * (4 * classes + bill.size.found)
    queries = bill.gather(targets)
    bill.nearest(steps, targets, queries, near)
    neighbours = bill.pick(steps, targets, near)
    bill.add("sum_near", steps, queries + near + neighbours)


def _by_radius(bill, steps, targets, radius):
    size = bill.size

    def measured(steps, targets, queries, passes):
        # Sums so far go along, two numbers a target, and in the second pass those of the first.
        sums = 16 * targets
        for again in range(passes):
            bill.past("measure", steps, queries + (1 + again) * sums - sums / size.blocks)
            bill.pairs += targets * size.rows

    if radius == "one":
        # All rows are gathered and measured before any is a target.
        measured(bill.steps(size.rows), size.rows, bill.gather(size.rows), 1)
    queries = bill.gather(targets)
    limits = 0
    if radius == "own":
        measured(steps, targets, queries, 2)
        limits = 16 * targets
        bill.add("bound", steps, 2 * 16 * targets)
    found = targets * size.found
    bill.past("within", steps, queries + limits)
    bill.pairs += targets * size.rows
    bill.add("add_up", steps * bill.folds, (size.blocks + bill.folds - 1) * found)
    bill.add("sum_within", steps, queries + found)


# Of a neighbour an asked rule keeps its number, its distance and its class.
_TOLD = 4 + 8 + 4


def rule_cost(plan, size, *, groups=1, features=0, counted=False, deviations=False, choosing=False):
    """What ``fit`` of a rule of neighbours takes on the workers. By broadcast that is a look at all
    blocks, and the rest is done where ``fit`` is called.

    Parameters
    ----------
    plan, size : Plan, Size
        As for :func:`cost`.
    groups : int
        1, or the number of classes where rows of each are asked for (SkNN, NN-SDA).
    features : int
        How many.
    counted, deviations : bool
        Whether the measure compares by classes (VDM and its like), or by standard deviations.
    choosing : bool
        Whether the number of neighbours is chosen: every row is left out then.

    Returns
    -------
    Cost
        Tasks by kind, bytes that go into them, and differences computed.
    """
    bill = Bill(plan, size)
    bill.look(counted, deviations)
    if choosing and plan.name == "grid":
        rows, steps = size.rows, bill.steps(size.rows)
        near = rows * (4 * groups + _TOLD * size.neighbours)
        bill.add("as_is", 1, 0)
        queries = bill.gather(rows)
        bill.nearest(steps, rows, queries, near)
        bill.add("leave_out", steps, queries + near)
        bill.fold("fold_rows", steps, 0)
    return bill.total(features)


def answer_cost(plan, size, *, queries, blocks, groups=1, features=0, method="knn"):
    """The cost of answering queries by grid.

    Parameters
    ----------
    plan, size : Plan, Size
        Those of the fitted rule; ``size.neighbours`` as many as it asks, 0 where it asks nobody.
    queries, blocks : int
        How many queries there are, in how many blocks.
    groups : int
        1, or the number of classes where rows of each are asked for.
    features : int
        How many.
    method : {'knn', 'sknn', 'sda', 'nn-sda', 'mixture-sda', 'local-sda'}
        The rule.

    Returns
    -------
    Cost
        Tasks by kind, bytes that go into them, and differences computed; of those that compare
        queries with prototypes, not these.
    """
    bill = Bill(plan, size)
    rows, asked = size.nbytes / max(1, size.rows), size.neighbours > 0
    length = -(-queries // blocks)
    near = queries * (4 * groups + _TOLD * size.neighbours) if asked else 0
    nbytes = queries * rows
    if asked:
        bill.add("read", size.blocks, size.nbytes)
    bill.add("as_is", 1, 0)
    bill.add("read_queries", blocks, nbytes)
    pieces = max(1, -(-length // plan.step)) if method == "local-sda" else 1
    parts = blocks * pieces
    if pieces > 1:
        bill.add("piece", parts, pieces * nbytes)
    if asked:
        bill.nearest(parts, queries, nbytes, near)
    if method == "local-sda":
        neighbours = bill.pick(parts, queries, near)
        bill.add("answer_among", parts, nbytes + near + neighbours)
    elif method in ("knn", "sknn"):
        bill.add("answer", blocks, near)
    else:
        bill.add("answer_described", blocks, nbytes + near)
    if pieces > 1:
        bill.add("together", blocks, 0)
    return bill.total(features)


def learn_cost(plan, size, *, classes=2, features, margins=2, sums=1, matrix="diagonal"):
    """The cost of learning a similarity.

    Parameters
    ----------
    plan, size : Plan, Size
        As for :func:`cost`.
    classes, features : int
        How many.
    margins, sums : int
        How often the method asks for the margins of all rows, and for a weighted sum over them: RBS
        twice and once; sRBS once more for each step that it takes or tries.
    matrix : {'diagonal', 'symmetric', 'full'}
        What is learned.

    Returns
    -------
    Cost
        Tasks by kind, bytes that go into them, and differences computed.
    """
    bill, rows = Bill(plan, size), size.rows
    bill.look(False, False)
    bill.add("as_is", 1 + margins, 0)
    steps = bill.steps(rows)
    if plan.name == "broadcast":
        bill.add("join", 1, size.nbytes)
        bill.add("pull", steps, steps * size.nbytes + 4 * rows)
        bill.pairs += rows * rows
    else:
        near = rows * (4 * classes + size.found)
        queries = bill.gather(rows)
        bill.nearest(steps, rows, queries, near)
        bill.add("sides", steps, queries + near)
        # Of each class k were asked for, and two groups of k are left.
        sides = rows * (4 * 2 + 12 * 2 * size.neighbours // max(1, classes))
        bill.past("pick", steps, sides)
        neighbours = rows * 2 * size.neighbours // max(1, classes) * (bill.row + 4)
        neighbours = min(neighbours, steps * size.nbytes)
        bill.add("pull_picked", steps, queries + sides + neighbours)
    cells = features if matrix == "diagonal" else features**2
    pairs = 8 * rows * features * (1 if matrix == "diagonal" else 2)
    bill.add("notes", steps, pairs)
    bill.add("margins", margins * steps, margins * (pairs + steps * 8 * cells))
    bill.add("sum_pairs", sums * steps, sums * (pairs + 8 * rows))
    folds = -(-steps // FOLDED)
    bill.add("fold_rows", sums * folds, sums * 8 * cells * (-(-rows // 256) + folds - 1))
    return bill.total(features)
