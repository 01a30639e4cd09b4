//! What can go wrong, as values: a kind, and fields that say where and what.
//!
//! [`Error`] has one variant for each module of the library, with that module's own enum inside, so
//! that code can tell errors apart without reading sentences. `Display` is the sentence for a
//! person who calls the library from Rust: where, the value found, what was expected, what to do.

mod classify;
mod data;
mod evaluate;
mod learn;
mod measure;
mod model;
mod neighbors;
mod parameter;
mod simulate;
mod stats;
mod weigh;

pub use classify::{ClassifyError, SupportError};
pub use data::{DataError, PartFlaw};
pub use evaluate::EvaluateError;
pub use learn::LearnError;
pub use measure::MeasureError;
pub use model::{Damage, ModelError};
pub use neighbors::NeighborsError;
pub use parameter::ParameterError;
pub use simulate::SimulateError;
pub use stats::StatsError;
pub use weigh::{NeedsWhole, WeighError};

/// What can go wrong when data or settings do not fit a method.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is outside its range, unknown, or does not fit the data.
    Parameter {
        /// The parameter's name in Rust.
        name: String,
        /// What is wrong with it and what would be right.
        reason: ParameterError,
    },
    /// A table, a target or a matrix cannot be used as given.
    Table(DataError),
    /// Rows cannot be compared.
    Measure(MeasureError),
    /// Neighbours cannot be found.
    Neighbors(NeighborsError),
    /// A test has no answer.
    Stats(StatsError),
    /// A table cannot be made.
    Simulate(SimulateError),
    /// Features cannot be weighed.
    Weigh(WeighError),
    /// A similarity cannot be learned.
    Learn(LearnError),
    /// No class can be told.
    Classify(ClassifyError),
    /// Nothing can be evaluated.
    Evaluate(EvaluateError),
    /// A saved model cannot be used.
    Model(ModelError),
    /// The caller asked the work to stop (Ctrl-C); nothing was produced.
    Stopped,
    /// The machine could not start as many threads.
    Threads {
        /// How many were asked for.
        count: usize,
        /// What the system said.
        told: String,
    },
}

/// What an error is about, which decides who has to act: the one who chose the data, the one who
/// chose the settings, or the one who runs the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The table, its target or a saved model cannot be used as given.
    Data,
    /// The data are in order, and the method finds no answer in them.
    NoAnswer,
    /// A parameter has to change.
    Parameter,
    /// The caller asked the work to stop.
    Stopped,
    /// The machine could not give what the work needs.
    Resource,
}

/// A result whose error is [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A parameter error naming the parameter.
    pub fn parameter(name: impl Into<String>, reason: impl Into<ParameterError>) -> Self {
        Self::Parameter { name: name.into(), reason: reason.into() }
    }

    /// What the error is about.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Table(_)
            | Self::Measure(_)
            | Self::Neighbors(_)
            | Self::Stats(_)
            | Self::Simulate(_)
            | Self::Weigh(_)
            | Self::Classify(_)
            | Self::Evaluate(_)
            | Self::Model(_) => ErrorKind::Data,
            Self::Learn(reason) => reason.kind(),
            Self::Parameter { .. } => ErrorKind::Parameter,
            Self::Stopped => ErrorKind::Stopped,
            Self::Threads { .. } => ErrorKind::Resource,
        }
    }
}

impl Error {
    /// The row the error is about, if it is about one.
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::Table(reason) => reason.row(),
            Self::Measure(reason) => reason.row(),
            _ => None,
        }
    }
}

impl std::error::Error for Error {}

impl From<SupportError> for Error {
    fn from(reason: SupportError) -> Self {
        Self::Classify(reason.into())
    }
}

/// What all variants with an enum inside have alike.
macro_rules! inside {
    ($($variant:ident($reason:ident)),*) => {
        $(impl From<$reason> for Error {
            fn from(reason: $reason) -> Self {
                Self::$variant(reason)
            }
        })*

        impl Error {
            /// The innermost variant's name, such as `OneClass`, for doors that hand errors to
            /// another language: code there must not read sentences either.
            pub fn name(&self) -> &'static str {
                match self {
                    Self::Parameter { reason, .. } => reason.name(),
                    $(Self::$variant(reason) => reason.name(),)*
                    Self::Stopped => "Stopped",
                    Self::Threads { .. } => "Threads",
                }
            }
        }

        impl std::fmt::Display for Error {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    Self::Parameter { name, reason } => write!(to, "{name}: {reason}"),
                    $(Self::$variant(reason) => reason.fmt(to),)*
                    Self::Stopped => to.write_str("stopped before the work was done"),
                    Self::Threads { count, told } => {
                        write!(to, "could not start {count} threads: {told}")
                    }
                }
            }
        }
    };
}
inside!(
    Table(DataError),
    Measure(MeasureError),
    Neighbors(NeighborsError),
    Stats(StatsError),
    Simulate(SimulateError),
    Weigh(WeighError),
    Learn(LearnError),
    Classify(ClassifyError),
    Evaluate(EvaluateError),
    Model(ModelError)
);
