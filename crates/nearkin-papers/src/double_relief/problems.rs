//! The nine problems, and what a prototype of the same design found on them.

use nearkin::measure::Metric;
use nearkin::simulate::{
    DecisionList, Disjunction, LinearThreshold, Majority, Parity, RandomRbf, Simulate, Simulated,
    Sphere,
};
use nearkin::weigh::{DReliefF, Feedback, PdReliefF, ReliefF, Ties, Weigh};

/// Rows of a table in the main study.
pub const ROWS: usize = 200;
/// Neighbours of every method.
pub const K: usize = 10;

/// The size of a table to draw.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Rows.
    pub rows: usize,
    /// Relevant features; there are twice as many irrelevant ones.
    pub relevant: usize,
    /// The seed.
    pub seed: u64,
}

/// Figures of the prototype: 120 tables a problem (parity 60).
#[derive(Debug, Clone, Copy)]
pub struct Prototype {
    /// Mean separability of ReliefF, pdReliefF and dReliefF.
    pub separability: [f64; 3],
    /// dReliefF minus ReliefF, and its standard error.
    pub double: (f64, f64),
    /// pdReliefF minus ReliefF, and its standard error.
    pub progressive: (f64, f64),
    /// AUC of ReliefF, pdReliefF and dReliefF.
    pub auc: [f64; 3],
}

/// A problem of the study.
pub struct Problem {
    /// Its name.
    pub name: &'static str,
    /// Whether its features are numbers.
    pub numeric: bool,
    /// The most relevant features it is tried with.
    pub most: usize,
    /// How its tables are drawn.
    pub make: fn(Size) -> nearkin::Result<Simulated>,
    /// The figures that the prototype found.
    pub prototype: Prototype,
}

const fn prototype(
    separability: [f64; 3],
    double: (f64, f64),
    progressive: (f64, f64),
    auc: [f64; 3],
) -> Prototype {
    Prototype { separability, double, progressive, auc }
}

/// The problems, those on numbers first.
pub const PROBLEMS: [Problem; 9] = [
    Problem {
        name: "rules (num)",
        numeric: true,
        most: 10,
        make: |size| rules(size, false),
        prototype: prototype(
            [0.0055, 0.0035, -0.0112],
            (-0.0167, 0.0024),
            (-0.0020, 0.0008),
            [0.797, 0.808, 0.789],
        ),
    },
    Problem {
        name: "RBF 50",
        numeric: true,
        most: 10,
        make: |size| rbf(size, 50),
        prototype: prototype(
            [-0.0006, 0.0035, 0.0055],
            (0.0062, 0.0008),
            (0.0041, 0.0004),
            [0.886, 0.895, 0.880],
        ),
    },
    Problem {
        name: "RBF 10",
        numeric: true,
        most: 10,
        make: |size| rbf(size, 10),
        prototype: prototype(
            [0.0131, 0.0168, 0.0190],
            (0.0059, 0.0009),
            (0.0037, 0.0005),
            [0.937, 0.943, 0.938],
        ),
    },
    Problem {
        name: "linear",
        numeric: true,
        most: 10,
        make: |Size { rows, relevant, seed }| {
            LinearThreshold { rows, relevant, irrelevant: 2 * relevant, seed }.generate()
        },
        prototype: prototype(
            [0.0392, 0.0411, 0.0405],
            (0.0012, 0.0013),
            (0.0018, 0.0008),
            [0.985, 0.990, 0.992],
        ),
    },
    Problem {
        name: "sphere",
        numeric: true,
        most: 10,
        make: |Size { rows, relevant, seed }| {
            Sphere { rows, relevant, irrelevant: 2 * relevant, seed }.generate()
        },
        prototype: prototype(
            [0.0117, 0.0097, 0.0060],
            (-0.0057, 0.0013),
            (-0.0020, 0.0008),
            [0.905, 0.905, 0.882],
        ),
    },
    Problem {
        name: "majority",
        numeric: false,
        most: 10,
        make: |Size { rows, relevant, seed }| {
            Majority { rows, relevant, irrelevant: 2 * relevant, seed }.generate()
        },
        prototype: prototype(
            [0.1948, 0.2484, 0.2559],
            (0.0611, 0.0078),
            (0.0536, 0.0066),
            [0.991, 0.988, 0.987],
        ),
    },
    Problem {
        name: "parity",
        numeric: false,
        most: 5,
        make: |Size { rows, relevant, seed }| {
            Parity { rows, relevant, irrelevant: 2 * relevant, seed }.generate()
        },
        prototype: prototype(
            [0.3481, 0.4166, 0.3690],
            (0.0209, 0.0103),
            (0.0685, 0.0108),
            [0.846, 0.878, 0.820],
        ),
    },
    Problem {
        name: "rules (bool)",
        numeric: false,
        most: 10,
        make: |size| rules(size, true),
        prototype: prototype(
            [0.1170, 0.1331, 0.1359],
            (0.0189, 0.0050),
            (0.0161, 0.0039),
            [0.878, 0.886, 0.885],
        ),
    },
    Problem {
        name: "disjunction",
        numeric: false,
        most: 10,
        make: |Size { rows, relevant, seed }| {
            Disjunction { rows, relevant, irrelevant: 2 * relevant, seed }.generate()
        },
        prototype: prototype(
            [0.1727, 0.1991, 0.1763],
            (0.0036, 0.0096),
            (0.0264, 0.0054),
            [0.955, 0.951, 0.932],
        ),
    },
];

fn rules(Size { rows, relevant, seed }: Size, boolean: bool) -> nearkin::Result<Simulated> {
    let irrelevant = 2 * relevant;
    DecisionList { rows, relevant, irrelevant, boolean, seed, ..DecisionList::default() }.generate()
}

fn rbf(Size { rows, relevant, seed }: Size, centroids: usize) -> nearkin::Result<Simulated> {
    let irrelevant = 2 * relevant;
    RandomRbf { rows, relevant, irrelevant, centroids, seed, ..RandomRbf::default() }.generate()
}

/// The settings that feedback methods share here, visiting rows in the order of `seed`.
pub fn feedback(seed: u64) -> Feedback {
    let mut feedback =
        Feedback { k: K, metric: Metric::Euclidean, ties: Ties::Average, ..Feedback::default() };
    feedback.common.seed = seed;
    feedback
}

/// ReliefF as the study runs it.
pub fn relieff() -> Box<dyn Weigh> {
    let ties = Ties::Average;
    Box::new(ReliefF { k: K, metric: Metric::Euclidean, ties, ..ReliefF::default() })
}

/// ReliefF, pdReliefF and dReliefF with this feedback.
pub fn algorithms(feedback: Feedback) -> Vec<Box<dyn Weigh>> {
    vec![
        relieff(),
        Box::new(PdReliefF { feedback: feedback.clone(), ..PdReliefF::default() }),
        Box::new(DReliefF { feedback }),
    ]
}
