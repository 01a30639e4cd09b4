//! [`Failure`]: why the program ends early, its sentence and its exit code.

use std::io;

use nearkin::{DataError, ErrorKind, LearnError, WeighError};
use nearkin_read::{CellError, FormatError, PlinkError, ReadError};

use crate::journal;

/// Why the program ends early.
#[derive(Debug)]
pub enum Failure {
    /// The words or the data cannot be used as given: exit code 2.
    Input(String),
    /// The system did not do what was asked of it: exit code 1.
    System(String),
    /// Ctrl-C: exit code 1.
    Interrupted,
    /// A fault of the program, which the panic hook reports: exit code 1.
    Bug,
    /// Nobody reads the rest of the answer, as in `nearkin … | head -1`: no failure at all.
    BrokenPipe,
}

/// `Err` of what the user gave, with this sentence.
macro_rules! refuse {
    ($($sentence:tt)*) => {
        Err($crate::failure::Failure::Input(format!($($sentence)*)))
    };
}
pub(crate) use refuse;

/// A result whose error is [`Failure`].
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// The failure to write to `place`.
    pub fn writing(place: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::System(format!("{place}: cannot be written: {error}")),
        }
    }

    /// A method's error about the table called `table`.
    pub fn of_table(table: &str, error: nearkin::Error) -> Self {
        match error.kind() {
            ErrorKind::Data | ErrorKind::NoAnswer => {
                Self::Input(format!("{table}: {error}{}", helpful_flag(&error)))
            }
            _ => error.into(),
        }
    }

    /// The library's error about the value of `flag`.
    pub fn of_flag(flag: &str, error: nearkin::Error) -> Self {
        match error {
            nearkin::Error::Parameter { reason, .. } => Self::Input(format!("{flag}: {reason}")),
            other => other.into(),
        }
    }

    /// The sentence for the user, if there is one.
    pub fn sentence(&self) -> Option<String> {
        match self {
            Self::Input(message) | Self::System(message) => Some(one_line(message)),
            Self::Interrupted => Some(match journal::place() {
                None => "interrupted; nothing was written".into(),
                Some(path) => format!(
                    "interrupted; finished trials are in {}, and the same command goes on from them",
                    path.display()
                ),
            }),
            Self::Bug | Self::BrokenPipe => None,
        }
    }

    /// The program's exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::BrokenPipe => 0,
            Self::Input(_) => 2,
            Self::System(_) | Self::Interrupted | Self::Bug => 1,
        }
    }
}

impl From<nearkin::Error> for Failure {
    fn from(error: nearkin::Error) -> Self {
        match &error {
            nearkin::Error::Stopped => Self::Interrupted,
            nearkin::Error::Parameter { name, .. } => Self::of_flag(&flag(name), error),
            _ if error.kind() == ErrorKind::Resource => Self::System(error.to_string()),
            _ => Self::Input(error.to_string()),
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Input(of_reading(&error))
    }
}

/// The flag that helps, such as the one that reads the target as the other kind.
fn helpful_flag(error: &nearkin::Error) -> &'static str {
    match error {
        nearkin::Error::Weigh(WeighError::NeedsClasses { .. }) => " (--target-kind classes)",
        nearkin::Error::Weigh(WeighError::NeedsReal { .. } | WeighError::Identifier { .. }) => {
            " (--target-kind real)"
        }
        nearkin::Error::Learn(LearnError::ChoosingNeedsClasses) => " (no --choose, no --try)",
        nearkin::Error::Table(DataError::OtherColumns { missing, .. }) if missing.is_empty() => {
            " (--drop; for a model made with --keep-columns the same --keep-columns)"
        }
        _ => "",
    }
}

/// The flag that sets the parameter or option called `name` in Rust.
pub fn flag(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// A reader's error with the flags that help.
fn of_reading(error: &ReadError) -> String {
    let flags = match error {
        ReadError::Option { file, option, reason } => {
            return format!("{file}: {}: {reason}", flag(option));
        }
        ReadError::UnknownFormat { file, reason: FormatError::Svmlight } => {
            return format!(
                "{file}: sparse rows are read where similarities are learned: `nearkin learn`, \
                 `predict` and `neighbors`"
            );
        }
        ReadError::UnknownFormat { .. } => "--input-format",
        ReadError::NoLabelColumn { .. } => "--label-column",
        ReadError::NoSamples { .. } => "--id",
        ReadError::MissingCovariate { .. } => "--missing-covariate mean, --missing-covariate drop",
        ReadError::NoMean { .. } => "--missing-covariate drop",
        ReadError::CovariateTwice { .. } => "--drop",
        ReadError::Cell { reason, .. } | ReadError::RowCell { reason, .. } => match reason {
            CellError::MissingTarget { .. } => "--skip-missing-target, --drop",
            CellError::NotANumber { .. } => "--missing-token, --nominal",
            CellError::Infinite { .. } => "--missing-token",
            CellError::NotAGenotype { .. } => "--numeric",
            _ => return error.to_string(),
        },
        ReadError::Plink { reason, .. } => match reason {
            PlinkError::NoPhenotypes => "--target",
            PlinkError::MissingPhenotype { .. } | PlinkError::NoPhenotypeLine { .. } => {
                "--skip-missing-target"
            }
            PlinkError::UnclearPhenotype { .. } => "--target-kind classes, --skip-missing-target",
            PlinkError::PhenotypeNotFinite { .. } => "--target-kind classes",
            _ => return error.to_string(),
        },
        _ => return error.to_string(),
    };
    format!("{error} ({flags})")
}

/// The text without line ends and other control characters, which file content may bring in.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_one_line_whatever_the_data_holds() {
        let failure = Failure::Input("a\nb\u{1b}[31mc".into());
        assert_eq!(failure.sentence().as_deref(), Some("a b [31mc"));
    }

    #[test]
    fn a_broken_pipe_is_no_error() {
        let error = io::Error::from(io::ErrorKind::BrokenPipe);
        let failure = Failure::writing("standard output", &error);
        assert_eq!((failure.code(), failure.sentence()), (0, None));
    }
}
