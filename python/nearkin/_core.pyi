"""nearkin's native part: arrays in, arrays out. Use the estimators instead."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, NotRequired, Self, TypedDict, final

import numpy as np
from numpy.typing import NDArray

__version__: str

class Parameter(TypedDict):
    """A parameter as the method declares it."""

    name: str
    """Its name in Rust and on the command line."""
    python: str
    """Its name in Python."""
    kind: str
    """``whole``, ``real``, ``flag``, ``choice``, ``reals`` or ``words``."""
    min: NotRequired[float | None]
    max: NotRequired[float | None]
    choices: NotRequired[list[str]]
    optional: bool
    default: str | None
    """The default written out; None when unset."""
    help: str

class Declaration(TypedDict):
    """A weighting method, a wrapper or a simulator."""

    id: str
    title: str
    summary: str
    reference: str
    parameters: list[Parameter]

class Found(TypedDict):
    """What a weighting method found, for p features and c classes."""

    weights: NDArray[np.float64]
    """Shape (p,)."""
    classes: list[str]
    class_weights: NotRequired[NDArray[np.float64]]
    """Shape (c, p); with ``per_class``."""
    pair_weights: NotRequired[NDArray[np.float64]]
    """Shape (c, c, p), class of the row before class of its neighbours; with ``pairs``."""
    rows: NotRequired[NDArray[np.uintp]]
    row_weights: NotRequired[NDArray[np.float64]]
    """Shape (len(rows), p); with ``rows``."""
    p_values: NotRequired[NDArray[np.float64]]
    """Shape (p,), as are all of these; with ``stir`` or ``permutations``, NaN where a test
    cannot tell."""
    q_values: NotRequired[NDArray[np.float64]]
    t_values: NotRequired[NDArray[np.float64]]
    """With ``stir``, as ``effects``."""
    effects: NotRequired[NDArray[np.float64]]
    class_p_values: NotRequired[NDArray[np.float64]]
    """Shape (c, p), as are all of these; with ``stir`` and ``per_class``."""
    class_q_values: NotRequired[NDArray[np.float64]]
    class_t_values: NotRequired[NDArray[np.float64]]
    class_effects: NotRequired[NDArray[np.float64]]
    intervals: NotRequired[NDArray[np.float64]]
    """Shape (p, 2), low and high ends; with ``bootstrap``."""
    threshold: NotRequired[float]
    """Weights of at least this are relevant, where the method says so."""
    order_deviation: NotRequired[NDArray[np.float64]]
    """Shape (p,), deviation over orders of rows, where the method measures it."""
    best_k: NotRequired[NDArray[np.int64]]
    """Shape (p,), where the method looks for it."""
    removed_in: NotRequired[NDArray[np.int64]]
    """Shape (p,), the round of removal, 0 for those that stayed; with a wrapper that removes."""
    n_iter: NotRequired[int]
    """Steps or passes, where the method takes some until weights rest."""
    statistics: NotRequired[NDArray[np.float64]]
    """T of the association with the target. Shape (p,), as are all of these; by the method
    association and with ``association``."""
    deviations: NotRequired[NDArray[np.float64]]
    z: NotRequired[NDArray[np.float64]]
    p_target: NotRequired[NDArray[np.float64]]
    p_column: NotRequired[NDArray[np.float64]]
    p_family: NotRequired[NDArray[np.float64]]
    extrapolated: NotRequired[NDArray[np.bool_]]
    directions: NotRequired[list[dict[str, Any] | None]]
    """For each feature ``level``, ``class``, ``more`` and ``z``, or None."""
    notes: _Notes

class Bound(TypedDict):
    """The mistakes that theory allows SiLA's first epoch, beside those it made."""

    mistakes: int
    radius: float
    gamma: float
    shortfall: float
    bound: float
    separable: float | None
    expected_error: float

# ``class`` is no name in Python, so this one is written as a call.
LearnedModel = TypedDict(
    "LearnedModel",
    {
        "class": str | None,
        "similarity": "Similarity",
        "objective": NDArray[np.float64],
        "before": NDArray[np.float64],
        "after": NDArray[np.float64],
        "mistakes": NDArray[np.uint64],
        "bound": Bound | None,
    },
)

@final
class Learned:
    """What a method learned, whole."""

class Lesson(TypedDict):
    """What a method learned, as arrays: one model, or one for each class."""

    models: list[LearnedModel]
    classes: list[str]
    notes: _Notes
    learned: Learned

Law = TypedDict(
    "Law",
    {
        "class": int,
        "statistic": int,
        "component": int,
        "weight": float,
        "mean": float,
        "lambda": float,
        "log_z": float,
    },
)

class Inside(TypedDict):
    """What there is to see of a fitted classifier."""

    laws: list[Law]
    prototypes: list[list[int]]
    """For each class the training samples that stand for it; empty where none do."""
    k: int | None
    alpha: float | None
    rounds: int | None
    notes: _Notes
    law_tables: list[LawTable]

class LawTable(TypedDict):
    """A statistic: its laws against what was observed, for each class and bin."""

    statistic: str
    support: str
    edges: NDArray[np.float64]
    observed: NDArray[np.float64]
    fitted: NDArray[np.float64]

Predictions = TypedDict(
    "Predictions",
    {
        "class": NDArray[np.uint32],
        "scores": NDArray[np.float64],
        "log_posteriors": NotRequired[NDArray[np.float64]],
        "log_likelihood": NotRequired[NDArray[np.float64]],
        "outside": NDArray[np.bool_],
        "fallback": NDArray[np.bool_],
    },
)

_Notes = list[tuple[str, str]]
"""Severities, 'information', 'warning' or 'not-converged', and sentences."""

class NoAnswer(ValueError):
    """The data are in order, and the method finds no answer in them.

    As every exception that comes from the library it has a ``kind`` ('data', 'no-answer',
    'parameter', 'stopped' or 'resource'), the name of the error's ``variant``, and the number of
    the ``row`` that it is about, if it is about one.
    """

    kind: str
    variant: str
    row: int | None

class Bundled(TypedDict):
    """A data set that comes with nearkin."""

    name: str
    title: str
    rows: int
    columns: int
    kind: str
    licence: str
    source: str

class Data(TypedDict):
    """A table and its target, for n rows and p features."""

    x: NDArray[np.float64]
    """Shape (n, p); codes for categories, NaN where missing."""
    categories: list[list[str] | None]
    """For each feature what its codes stand for; None for numbers."""
    feature_names: list[str]
    y: NDArray[np.int64] | NDArray[np.float64]
    """Shape (n,): codes into ``class_names``, or real values."""
    class_names: NotRequired[list[str]]
    relevant: NotRequired[list[int]]
    """Positions of the features that matter; simulated tables only."""
    notes: NotRequired[_Notes]
    """What else is known of the truth; simulated tables only."""

def methods() -> list[Declaration]:
    """Every weighting method with its parameters."""

def learners() -> list[Declaration]:
    """Every method that learns a similarity, with its parameters."""

def classifiers() -> list[Declaration]:
    """Every classifier with its parameters; naive Bayes, which reads tables alone, is the last."""

def measures() -> list[Declaration]:
    """Every measure of pairs of rows with its parameters."""

def wrappers() -> list[Declaration]:
    """Every wrapper of weighting methods with its own parameters.

    In Python these go without the prefix that sets them apart from the wrapped method's.
    """

def simulators() -> list[Declaration]:
    """Every simulator of tables with its parameters."""

def bundled() -> list[Bundled]:
    """The data sets that come with nearkin."""

def load(name: str) -> Data:
    """The bundled data set of that name."""

def simulate(simulator: str, parameters: Mapping[str, str]) -> Data:
    """A table whose right answer is known."""

def small_categories(
    x: NDArray[Any], columns: Sequence[int]
) -> list[tuple[NDArray[np.uint16], bytes] | None]:
    """Codes and categories of each of ``columns`` whose known cells are whole numbers from 0 to
    255; None for others. For arrays of float64, float32, int64, int32, int8 or uint8."""

@final
class Genotypes:
    """Copies of an allele, two bits a cell: a row a sample, a column a variant."""

    def __new__(
        cls, packed: bytes, rows: int, feature_names: Sequence[str], additive: bool
    ) -> Self:
        """``packed`` are the bytes of all columns, each from a byte of its own on."""

    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def feature_names(self) -> list[str]: ...
    @property
    def additive(self) -> bool: ...
    def packed(self) -> bytes: ...
    def rows(self, at: NDArray[np.uintp]) -> Genotypes:
        """Some rows, which may repeat."""

    def columns(self, at: NDArray[np.uintp]) -> Genotypes:
        """Some columns, none of them twice."""

    def unpack(self, out: NDArray[np.float32]) -> None:
        """Write the copies, NaN where missing, into an array in Fortran order."""

class ReadGenotypes(TypedDict):
    """What PLINK's files hold."""

    x: Genotypes
    sample_names: list[str]
    y: NotRequired[NDArray[np.int64] | NDArray[np.float64]]
    """Codes into ``class_names``, or real values; with a ``phenotype``."""
    class_names: NotRequired[list[str]]

def read_plink(
    path: str | PathLike[str], *, phenotype: str | None, skip_missing: bool, additive: bool
) -> ReadGenotypes:
    """Read a `.bed` and the `.bim` and `.fam` beside it.

    ``phenotype`` is 'auto', 'classes' or 'real'; None where nothing is to be explained.
    """

def weigh(
    method: str,
    x: NDArray[np.float64] | NDArray[np.float32] | Genotypes,
    y: NDArray[np.uint32] | NDArray[np.float64],
    parameters: Mapping[str, str],
    *,
    wrap: Sequence[tuple[str, Mapping[str, str]]] = (),
    columns: Sequence[int | tuple[NDArray[np.uint16], Sequence[str]]] | None = None,
    class_names: Sequence[str] | None = None,
    feature_names: Sequence[str] | None = None,
    threads: int = 1,
    per_class: bool = False,
    pairs: bool = False,
    rows: Sequence[int] = (),
    stir: bool = False,
    permutations: tuple[int, int] | None = None,
    bootstrap: tuple[int, float, int] | None = None,
    association: Mapping[str, str] | None = None,
    covariates: tuple[
        NDArray[np.float64] | NDArray[np.float32],
        Sequence[int | tuple[NDArray[np.uint16], Sequence[str]]] | None,
        Sequence[str],
    ]
    | None = None,
    strata: NDArray[np.uint32] | None = None,
    targets: Sequence[tuple[NDArray[np.uint32] | NDArray[np.float64], Sequence[str] | None]] = (),
    progress: Callable[[int, int], Any] | None = None,
) -> Found:
    """Weigh features.

    ``wrap`` names the wrappers around the method from the inside out, each with its
    parameters by their names in Python. ``rows`` are those whose own contributions are
    wanted. ``permutations`` is a number of shuffles and a seed, ``bootstrap`` a number of
    replicates, a level below 1 and a seed; the tests of the first replace those of ``stir``.
    ``association`` has the parameters of a test of association beside the weights.
    ``covariates`` are numbers, where the columns are among them, and their names; ``targets``
    are tested together with ``y``, each with the names of its classes or None.

    ``x`` is borrowed, so it must be contiguous, in C or Fortran order; nobody may write to
    it meanwhile. ``columns`` says where each feature's cells are: a column of ``x``, or codes
    (65535 where missing) with their categories; without it, features are the columns of
    ``x``. Genotypes know that, and their names. ``y`` holds codes into ``class_names``, or
    real values. ``threads=0`` means one a core. ``progress(done, total)`` is called a few
    times a second; what it raises stops the work, as Ctrl-C does.
    """

SparseRows = tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.float64]]
NumberRows = NDArray[np.float64] | NDArray[np.float32] | SparseRows

_Numbers = NDArray[np.float64] | NDArray[np.float32]
_Places = Sequence[int | tuple[NDArray[np.uint16], Sequence[str]]] | None
_Block = tuple[_Numbers, _Places, NDArray[np.uint32] | NDArray[np.float64]]
_Summary = tuple[int, list[str], list[tuple[float, float, int] | tuple[list[str], int]]]
_Near = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]
_Part = tuple[NDArray[np.float64], list[int], list[NDArray[np.float64]]]

_Named = tuple[str, Mapping[str, str]]

def summarise(
    x: _Numbers,
    columns: _Places = None,
    feature_names: Sequence[str] | None = None,
    measure: _Named | None = None,
) -> _Summary:
    """What a block of rows says of its columns, as a measure reads them: rows, names, and for each
    column its range and missing cells, or its categories and missing cells."""

def merge_summaries(summaries: Sequence[_Summary]) -> _Summary:
    """Summaries of blocks in order, as that of all rows."""

@final
class Learning:
    """A measure, by its name and settings, about to learn from training rows in blocks."""

    def __new__(
        cls,
        measure: _Named,
        summary: _Summary,
        class_names: Sequence[str],
        numeric: Sequence[bool],
    ) -> Learning: ...
    def needs(self) -> tuple[bool, bool, str | None]:
        """Whether counts and deviations have to be known, and why all rows have to be in one
        place, if they do."""

    def count(self, rows: Rows, codes: NDArray[np.uint32]) -> NDArray[np.uint64]:
        """Whole numbers that a block adds to those of others."""

    def add_deviations(
        self,
        so_far: NDArray[np.float64],
        rows: Rows,
        sums: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Sums over the columns of the blocks so far and of this block."""

    def fitted(
        self,
        counts: NDArray[np.uint64] | None = None,
        squares: NDArray[np.float64] | None = None,
    ) -> Measure:
        """The measure, from the counts of all blocks and what led to deviations."""

@final
class CountedRule:
    """A rule of neighbours that knows how many training samples of each class there are."""

    def __new__(
        cls,
        method: str,
        parameters: Mapping[str, str],
        class_names: Sequence[str],
        class_counts: Sequence[int],
    ) -> CountedRule: ...
    def asks(self) -> tuple[int, int] | None:
        """How many neighbours it asks for, and in how many groups; None where it needs more."""

    def notes(self) -> _Notes:
        """What a reader should know about the rule."""

    def predict(self, near: _Near, codes: NDArray[np.uint32]) -> Predictions:
        """What it says of queries with these neighbours, whose classes are ``codes``."""

@final
class Choosing:
    """A rule about to choose its number of neighbours by leaving each training sample out."""

    def __new__(
        cls,
        method: str,
        parameters: Mapping[str, str],
        class_names: Sequence[str],
        class_counts: Sequence[int],
    ) -> Choosing: ...
    def sizes(self) -> tuple[list[int], int] | None:
        """The numbers to choose from, and the groups that so many are asked for of; None where
        there is nothing to choose, or more than that is learned."""

    def costs(
        self, truth: NDArray[np.uint32], near: _Near, codes: NDArray[np.uint32]
    ) -> NDArray[np.float64]:
        """What the answers about samples of these classes cost, a column a number; ``codes`` are
        the classes of their neighbours."""

_Parts = tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.uint32]], dict[str, list[str]]]

def measure_of(measure: _Named, parts: _Parts) -> Measure:
    """The fitted measure that these parts were taken from."""

def classifier_of(method: str, parameters: Mapping[str, str], parts: _Parts) -> Classifier:
    """The fitted classifier that these parts were taken from."""

def near_by(
    measure: Measure,
    queries: Rows,
    base: Rows,
    groups: tuple[NDArray[np.uint32], int],
    k: int,
    first: int,
    *,
    own: NDArray[np.uint32] | None = None,
    feature_names: Sequence[str] | None = None,
    threads: int = 1,
) -> _Near:
    """The k most similar rows of each group of a base block that begins at row ``first``: how many,
    which, and minus how similar they are. ``own`` says which row each query is, if any."""

def near_in(
    s: NDArray[np.float64],
    groups: tuple[NDArray[np.uint32], int],
    k: int,
    first: int,
    *,
    own: NDArray[np.uint32] | None = None,
    threads: int = 1,
) -> _Near:
    """The same from all similarities of queries and a base block."""

def merge_near(size: tuple[int, int], a: _Near, b: _Near) -> _Near:
    """Neighbours among two blocks, from those among each; ``size`` is groups and k."""

@final
class Frame:
    """A method and what it needs to know of all rows, ready to work on any of them."""

    def __new__(
        cls,
        method: str,
        parameters: Mapping[str, str],
        summary: _Summary,
        *,
        classes: tuple[Sequence[str], Sequence[int]] | None = None,
        span: tuple[float, float] | None = None,
        per_class: bool = False,
        pairs: bool = False,
        rows: Sequence[int] = (),
        stir: bool = False,
        counts: NDArray[np.uint64] | None = None,
        squares: NDArray[np.float64] | None = None,
        threads: int = 1,
    ) -> Self: ...
    @staticmethod
    def check(
        method: str,
        parameters: Mapping[str, str],
        *,
        per_class: bool = False,
        pairs: bool = False,
        stir: bool = False,
    ) -> None:
        """Refuse a method that cannot do with blocks, or settings that no method has."""

    def needs(self) -> tuple[bool, bool]:
        """Whether ``counts`` and whether ``squares`` have to be known."""

    def needs_whole(self) -> str | None:
        """Why all rows have to be in one place; None where they need not."""

    def targets(self) -> NDArray[np.uint32]:
        """The rows that are targets, in order."""

    def count(self, block: _Block) -> NDArray[np.uint64]:
        """Known cells of a block by column, class and value."""

    def add_deviations(
        self,
        so_far: NDArray[np.float64],
        block: _Block,
        sums: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """What blocks so far and this one add up to: sums, or squares once sums are known."""

    def nearest(self, queries: _Block, ids: NDArray[np.uint32], base: _Block, first: int) -> _Near:
        """The nearest rows of each class in a base block, whose first row is ``first`` of all."""

    def merge(self, a: _Near, b: _Near) -> _Near:
        """Neighbours among two sets of base rows."""

    def parts(self, block: _Block, ids: NDArray[np.uint32], near: _Near) -> _Part:
        """What targets say: they come first in the block, then their neighbours."""

    def parts_of_whole(self, block: _Block, targets: NDArray[np.uint32]) -> _Part:
        """What targets say, from all rows."""

    def radius(self) -> bool | None:
        """Whether each target has a radius of its own; None where the method has none."""

    def within_width(self) -> int:
        """Whole numbers that the rows within a target's limits add up to."""

    def add_distances(
        self,
        so_far: NDArray[np.float64],
        block: _Block,
        ids: NDArray[np.uint32],
        first: int,
        means: NDArray[np.float64] | None = None,
    ) -> NDArray[np.float64]:
        """Distances of targets, first in the block, to its other rows, added to those so far: two
        numbers a target, the sum and what it rounds off."""

    def one_radius(self, sums: NDArray[np.float64]) -> float:
        """The one radius of all targets, from the sums of the distances of all rows, two numbers
        each."""

    def radius_means(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The means of targets' distances, from their sums, two numbers each."""

    def own_radii(
        self, means: NDArray[np.float64], squares: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The limits of near rows and of far ones, from means and squares, two numbers each of
        those."""

    def within(
        self,
        block: _Block,
        ids: NDArray[np.uint32],
        first: int,
        near: NDArray[np.float64],
        far: NDArray[np.float64],
    ) -> NDArray[np.uint64]:
        """What the rows of a block within the targets' limits add, in whole numbers."""

    def parts_within(
        self, codes: NDArray[np.uint32], ids: NDArray[np.uint32], within: NDArray[np.uint64]
    ) -> _Part:
        """What targets of these classes say, from the rows within their limits."""

    def finish(
        self,
        sums: NDArray[np.float64],
        rows: Sequence[int],
        weights: Sequence[NDArray[np.float64]],
    ) -> Found:
        """The weights, from sums over all blocks of targets."""

def learn(
    method: str,
    x: NumberRows,
    parameters: Mapping[str, str],
    *,
    y: NDArray[np.uint32] | NDArray[np.float64] | None = None,
    triplets: NDArray[np.uint32] | None = None,
    columns: Sequence[int | tuple[NDArray[np.uint16], Sequence[str]]] | None = None,
    class_names: Sequence[str] | None = None,
    feature_names: Sequence[str] | None = None,
    width: int | None = None,
    threads: int = 1,
    progress: Callable[[int, int], Any] | None = None,
) -> Lesson:
    """Learn a similarity from labelled rows, or from ``triplets`` of rows: anchor, positive
    and negative in three columns. The other arguments are as for :func:`weigh`.

    Sparse rows are row starts, columns and values; ``width`` is their number of columns where
    they have no names. Raises NoAnswer where nothing can be learned from the rows.
    """

_Pairs = NDArray[np.float64]

def blockwise(method: str, parameters: Mapping[str, str]) -> int:
    """The number of neighbours a method looks for; one that does not learn from rows in blocks is
    refused."""

def learn_near(
    method: str,
    parameters: Mapping[str, str],
    asked: tuple[_Numbers, NDArray[np.uint32]],
    block: tuple[_Numbers, NDArray[np.uint32], int],
    classes: int,
    feature_names: Sequence[str],
    threads: int = 1,
) -> _Near:
    """Plain neighbours in every class of rows with these numbers, among a block: its rows, their
    class codes, and the number of its first row."""

def learn_sides(
    method: str,
    parameters: Mapping[str, str],
    near: _Near,
    codes: NDArray[np.uint32],
    classes: int,
) -> _Near:
    """Targets and impostors of rows with these class codes, as two groups."""

def learn_pairs_of(
    method: str,
    parameters: Mapping[str, str],
    x: _Numbers,
    ids: NDArray[np.uint32],
    sides: _Near,
    feature_names: Sequence[str],
    threads: int = 1,
) -> tuple[_Pairs, _Pairs, _Notes]:
    """As ``learn_pairs``, of rows whose targets and impostors are known: they come first in ``x``,
    then those, and ``ids`` are the numbers of all."""

def learn_pairs(
    method: str,
    parameters: Mapping[str, str],
    x: _Numbers,
    y: NDArray[np.uint32],
    class_names: Sequence[str],
    feature_names: Sequence[str],
    start: int,
    stop: int,
    threads: int = 1,
) -> tuple[_Pairs, _Pairs, _Notes]:
    """What rows from ``start`` to ``stop`` learn from, among all: x · v of the features and
    nothing, for a diagonal matrix, or x and v; and notes on the rows."""

def pair_margins(
    form: str, left: _Pairs, right: _Pairs, cells: NDArray[np.float64], threads: int
) -> NDArray[np.float64]:
    """The margins of some rows under the matrix of these cells."""

def pair_sums(
    form: str, left: _Pairs, right: _Pairs, weights: NDArray[np.float64], threads: int
) -> NDArray[np.float64]:
    """Weighted sums of some rows, a row of cells for each block of them."""

def learn_elsewhere(
    method: str,
    parameters: Mapping[str, str],
    feature_names: Sequence[str],
    class_names: Sequence[str],
    class_counts: Sequence[int],
    rows: int,
    margins: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    sums: Callable[[NDArray[np.float64]], NDArray[np.float64]],
) -> Lesson:
    """Learn from rows that two functions answer for: their margins under a matrix, and the sum
    of what they learn from, weighted."""

def unlearned(
    similarity: Similarity,
    classes: Sequence[str],
    *,
    local: bool = False,
    notes: Sequence[str] = (),
) -> Lesson:
    """What was learned when nothing but the similarity is known of it; one each if ``local``."""

@final
class Similarity:
    """How alike two rows are."""

    def __new__(
        cls,
        form: str,
        norm: str,
        cells: NDArray[np.float64],
        feature_names: Sequence[str],
        *,
        compare: str = "similarity",
        scale: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
        whitening: NDArray[np.float64] | None = None,
        constant: float = 0.0,
    ) -> Self:
        """``cells`` are the matrix's diagonal, or all its rows one after another."""

    @property
    def form(self) -> str: ...
    @property
    def norm(self) -> str: ...
    @property
    def compare(self) -> str: ...
    @property
    def feature_names(self) -> list[str]: ...
    @property
    def cells(self) -> NDArray[np.float64]:
        """The diagonal, or the square."""

    @property
    def constant(self) -> float:
        """The value of the column added to all rows; 0 without one."""

    @property
    def scale(self) -> list[NDArray[np.float64]] | None:
        """Shift and factor of each column."""

    @property
    def whitening(self) -> NDArray[np.float64] | None:
        """W where rows are whitened."""

    def between(
        self,
        x: NumberRows,
        y: NumberRows | None = None,
        *,
        threads: int = 1,
        progress: Callable[[int, int], Any] | None = None,
    ) -> NDArray[np.float64]:
        """The similarity of every row of ``x`` to every row of ``y``, or of ``x``."""

    def pairs(self, x: NumberRows, y: NumberRows) -> NDArray[np.float64]:
        """The similarity of each row of ``x`` to the same row of ``y``."""

    def measure(self) -> Measure:
        """The same as a measure of the rows of a table."""

    def is_psd(self) -> bool:
        """True when the matrix is positive semi-definite."""

    def factor(self) -> NDArray[np.float64]:
        """L with A = LᵀL, a row a component."""

Words = tuple[str, str, str, str]
LabelledRows = tuple[NDArray[np.float64] | NDArray[np.float32], NDArray[np.uint32], Sequence[str]]

def similarity_bytes(
    method: str,
    parameters: Mapping[str, str],
    learned: Learned,
    words: Words,
    *,
    k: int,
    rule: str = "knn",
    rows: LabelledRows | None = None,
) -> bytes:
    """The model of what ``method`` learned.

    ``words`` say what the data and the target are called; what classes are: 'text', 'object' or
    the name of a number's type; and what else the estimator was told. ``rows`` are those that
    answer, their codes and class names.
    """

def classifier_bytes(
    method: str,
    parameters: Mapping[str, str],
    samples: tuple[Any, ...],
    y: NDArray[np.uint32],
    class_names: Sequence[str],
    words: Words,
    learned: Classifier | None = None,
) -> bytes:
    """The model of a classifier, with what it learned where that is given.

    ``samples`` are a matrix and whether it holds distances; or rows, their feature names and
    what compares them: a measure and its parameters, or a method that learns, its parameters
    and the Similarity.
    """

def read_model(bytes: bytes) -> dict[str, Any]:
    """What the bytes of a model hold.

    All have ``kind``, ``method``, ``parameters`` (pairs of name and text) and ``words``. A
    'similarity' has what :func:`learn` gives, ``rule``, ``k`` and perhaps ``rows``; a
    'classifier' has ``class_names``, ``codes`` and ``fitted``, the parts of what it learned or
    None, and ``similarities`` and ``dissimilar``, or
    ``numbers``, ``places``, ``feature_names``, ``measure``, ``measure_parameters`` and, where
    that was learned, ``similarity``; 'naive-bayes' has ``bayes``, ``class_names``,
    ``feature_names`` and ``nominal``.
    """

@final
class Classifier:
    """A classifier that has learned."""

    def predict(
        self,
        s: NDArray[np.float64],
        *,
        distances: bool = False,
        threads: int = 1,
        progress: Callable[[int, int], Any] | None = None,
    ) -> Predictions:
        """What it says of queries, from their similarities to the training samples."""

    def predict_rows(
        self,
        measure: Measure,
        queries: Rows,
        references: Rows,
        beside: Rows | None = None,
        *,
        feature_names: Sequence[str] | None = None,
        threads: int = 1,
        progress: Callable[[int, int], Any] | None = None,
    ) -> Predictions:
        """What it says of rows, from no more of them than it needs.

        ``references`` are the training rows, ``beside`` those of :func:`classify_references`. The
        answers are those of :meth:`predict`, to the bit.
        """

    def parts(self, without: str) -> _Parts:
        """What was learned, taken apart; those whose names begin so are left out."""

    def reach(self) -> tuple[int, bool] | None:
        """How many neighbours a query's neighbourhood has, and whether of each class; None where
        the classifier needs more, or there is no number."""

    def predict_among(
        self,
        hoods: Sequence[tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.float64]]],
        *,
        threads: int = 1,
    ) -> Predictions:
        """What the classifier says of queries from the similarities of their neighbours with each
        other, the neighbours' class codes, and their similarities, in the order of rows."""

    def inside(self) -> Inside:
        """What there is to see of the fit."""

    def evidence(self, s: NDArray[np.float64]) -> list[list[dict[str, Any]]]:
        """What each law says of queries, from their similarities to the training samples.

        Beside the keys of a :class:`Law`: ``what``, ``prototype``, ``value``, ``log_p`` and
        ``responsibility``.
        """

    def machines(self) -> tuple[float, float, NDArray[np.float64]] | None:
        """C, epsilon and weights of potential support vector machines; None of others."""

@final
class NaiveBayes:
    """Naive Bayes that has learned."""

    def predict(
        self,
        x: NDArray[np.float64] | NDArray[np.float32],
        *,
        columns: Sequence[int | tuple[NDArray[np.uint16], Sequence[str]]] | None = None,
        feature_names: Sequence[str] | None = None,
        threads: int = 1,
        progress: Callable[[int, int], Any] | None = None,
    ) -> Predictions:
        """What it says of the rows of a table."""

    def bytes(self) -> bytes:
        """The bytes of its model."""

def naive_bayes(
    x: NDArray[np.float64] | NDArray[np.float32],
    y: NDArray[np.uint32],
    parameters: Mapping[str, str],
    words: Words,
    *,
    class_names: Sequence[str],
    columns: Sequence[int | tuple[NDArray[np.uint16], Sequence[str]]] | None = None,
    feature_names: Sequence[str] | None = None,
) -> NaiveBayes:
    """Learn naive Bayes from a table of few values; the arguments are as for :func:`weigh`."""

Rows = tuple[
    NDArray[np.float64] | NDArray[np.float32],
    Sequence[int | tuple[NDArray[np.uint16], Sequence[str]]] | None,
]

@final
class Measure:
    """A measure that has learned what it needs from training rows."""

    def parts(self) -> _Parts:
        """What was learned, taken apart: numbers, whole numbers and texts by name."""

    def between(
        self,
        queries: Rows,
        references: Rows,
        *,
        feature_names: Sequence[str] | None = None,
        threads: int = 1,
        progress: Callable[[int, int], Any] | None = None,
    ) -> NDArray[np.float64]:
        """The similarity of every query to every reference, which have the training columns."""

    def nearest(
        self,
        queries: Rows | None,
        references: Rows,
        k: int,
        *,
        feature_names: Sequence[str] | None = None,
        threads: int = 1,
        progress: Callable[[int, int], Any] | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.intp]] | None:
        """How far the k most similar references of each query are, and which they are.

        Without queries, of each reference among the others. None where no engine finds them
        without every pair.
        """

def measure(
    id: str,
    rows: Rows,
    parameters: Mapping[str, str],
    *,
    y: NDArray[np.uint32] | NDArray[np.float64] | None = None,
    class_names: Sequence[str] | None = None,
    feature_names: Sequence[str] | None = None,
) -> Measure:
    """Fit a measure of pairs of rows to training rows.

    ``rows`` are numbers and where the features are in them, as ``x`` and ``columns`` of
    :func:`weigh`.
    """

class Sign(TypedDict):
    """What the sign test says."""

    wins: float
    losses: float
    p: float

class Wilcoxon(TypedDict):
    """What the signed rank test says."""

    w_plus: float
    w_minus: float
    p: float

class StudentT(TypedDict):
    """What a t-test says."""

    t: float
    df: float
    p: float

class Friedman(TypedDict):
    """What Friedman's test says, with Iman and Davenport's F."""

    chi_square: float
    p: float
    f: float
    f_p: float
    mean_ranks: list[float]

def sign_test(a: NDArray[np.float64], b: NDArray[np.float64], alternative: str) -> Sign:
    """The sign test on pairs; ``alternative`` is 'two-sided', 'greater' or 'less'."""

def wilcoxon(a: NDArray[np.float64], b: NDArray[np.float64], alternative: str) -> Wilcoxon | None:
    """Wilcoxon's signed rank test; None when no pair differs."""

def mcnemar(only_first: int, only_second: int) -> float:
    """The p-value of McNemar's exact test."""

def corrected_t(
    differences: NDArray[np.float64], train_rows: int, test_rows: int, alternative: str
) -> StudentT | None:
    """The corrected resampled t-test of differences over splits; None without any spread."""

def friedman(scores: NDArray[np.float64]) -> Friedman | None:
    """Friedman's test over data sets (rows) and methods (columns); None when all rank alike."""

def nemenyi_difference(alpha: float, methods: int, sets: int) -> float:
    """Nemenyi's critical difference of mean ranks."""

def classify_references(
    method: str,
    rows: Rows,
    y: NDArray[np.uint32],
    parameters: Mapping[str, str],
    *,
    class_names: Sequence[str],
    feature_names: Sequence[str] | None = None,
) -> tuple[Any, list[Any]] | None:
    """Further rows that samples are to be compared with after the training rows; mostly None."""

def classify_labels(
    method: str,
    y: NDArray[np.uint32],
    parameters: Mapping[str, str],
    *,
    class_names: Sequence[str],
) -> Classifier | None:
    """Learn from classes alone, where the method needs no more; None where it does."""

def classify_rows(
    method: str,
    measure: Measure,
    rows: Rows,
    y: NDArray[np.uint32],
    parameters: Mapping[str, str],
    *,
    class_names: Sequence[str],
    feature_names: Sequence[str] | None = None,
    threads: int = 1,
    progress: Callable[[int, int], Any] | None = None,
) -> Classifier:
    """Learn from rows of a table, from no more of them than the method needs.

    What is learned is what :func:`classify` learns, to the bit.
    """

def classify(
    method: str,
    s: NDArray[np.float64],
    y: NDArray[np.uint32],
    parameters: Mapping[str, str],
    *,
    class_names: Sequence[str],
    distances: bool = False,
    threads: int = 1,
    progress: Callable[[int, int], Any] | None = None,
) -> Classifier:
    """Learn from the similarities, or ``distances``, of the training samples with each other.

    ``s`` is borrowed, so it must be in C order.
    """
