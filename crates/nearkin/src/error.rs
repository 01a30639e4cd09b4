//! The one error type of the crate: each variant tells a person where and what to do.

/// What can go wrong when data or settings do not fit a method.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The table or its target cannot be used as given.
    #[error("{0}")]
    Data(String),
    /// The data are in order, and the method finds no answer in them: another one may.
    #[error("{0}")]
    NoAnswer(String),
    /// A parameter is outside its range, unknown, or does not fit the data.
    #[error("{name}: {reason}")]
    Parameter {
        /// The parameter as the user wrote it.
        name: String,
        /// What is wrong with it and what would be right.
        reason: String,
    },
    /// The caller asked the work to stop (Ctrl-C); nothing was produced.
    #[error("stopped before the work was done")]
    Stopped,
    /// The machine could not give what the work needs.
    #[error("{0}")]
    Resource(String),
}

/// A result whose error is [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A data error from anything printable.
    pub fn data(message: impl Into<String>) -> Self {
        Self::Data(message.into())
    }

    /// No answer, from anything printable.
    pub fn no_answer(message: impl Into<String>) -> Self {
        Self::NoAnswer(message.into())
    }

    /// A parameter error naming the parameter.
    pub fn parameter(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Parameter { name: name.into(), reason: reason.into() }
    }
}
