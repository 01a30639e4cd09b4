"""Tables in blocks of rows: the same methods, however many machines the rows are on.

A planner in plain Python that needs no engine of its own: it takes any ``map``. Statistics of
all blocks come first (ranges, categories, counts); then either every worker gets all rows
(*broadcast*) or blocks meet blocks and nobody ever holds all rows (*grid*). What blocks of 64
targets say is added up in order, so the weights equal those of :mod:`nearkin.weigh` to the bit.

:mod:`nearkin.dask` is built on this; the guide shows the same on Ray and Spark.

Examples
--------
>>> import numpy as np
>>> from nearkin import datasets
>>> from nearkin.blocks import Engine, weigh_blocks
>>> from nearkin.weigh import ReliefF
>>> X, y = datasets.load("iris", return_X_y=True)
>>> blocks = zip(np.array_split(X, 4), np.array_split(y, 4))
>>> found = weigh_blocks(Engine(map), blocks, ReliefF(), X[:0], plan="grid")
>>> np.array_equal(found["weights"], ReliefF().fit(X, y).feature_importances_)
True
"""

from nearkin.blocks._ask import answer_blocks
from nearkin.blocks._bill import Cost
from nearkin.blocks._cost import answer_cost, cost, learn_cost, rule_cost
from nearkin.blocks._engine import Engine
from nearkin.blocks._fit_rule import rule_blocks
from nearkin.blocks._learn import learn_blocks
from nearkin.blocks._plan import Plan, Size, choose
from nearkin.blocks._read import Within
from nearkin.blocks._weigh import weigh_blocks

__all__ = [
    "Cost",
    "Engine",
    "Plan",
    "Size",
    "Within",
    "answer_blocks",
    "answer_cost",
    "choose",
    "cost",
    "learn_blocks",
    "learn_cost",
    "rule_blocks",
    "rule_cost",
    "weigh_blocks",
]
