//! `sentences!`: diagnostics as enums with fields, each variant with its one English sentence.
//!
//! The sentence is both the variant's documentation and what `Display` shows, so the two cannot
//! differ. Code decides by variant and fields, never by reading a sentence; a door may match a
//! variant and say more, such as the flag that helps.

/// Declare an enum of diagnostics: `Variant { field: Type } => "sentence with {field}", arguments;`.
#[doc(hidden)]
#[macro_export]
macro_rules! sentences {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($variant:ident $({ $($field:ident: $type:ty),* $(,)? })?
            => $text:literal $(, $argument:expr)*;)*
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        #[allow(missing_docs)] // fields are explained by their places in the sentence
        pub enum $name {
            $(#[doc = concat!("“", $text, "”")] $variant $({ $($field: $type),* })?,)*
        }

        impl $name {
            /// The variant's name, for doors that hand errors and notes to another language.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => stringify!($variant),)*
                }
            }
        }

        impl std::fmt::Display for $name {
            #[allow(unused_variables)] // a field may be there for code alone
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),* })? => write!(to, $text $(, $argument)*),)*
                }
            }
        }
    };
}

pub(crate) use sentences;

/// `a, b, c`.
pub(crate) fn listed(words: &[impl AsRef<str>]) -> String {
    words.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}
