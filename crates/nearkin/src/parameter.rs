//! A method's parameters, declared once.
//!
//! The [`parameters!`](crate::parameters) macro writes a method's struct, its defaults and
//! its table of [`Parameter`]s from one declaration. The command line builds its flags from
//! that table, the Python estimators are checked against it, the docs print it.

use std::fmt::Write as _;

use crate::{Error, ParameterError, Result};

/// Kind of values that a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterKind {
    /// A whole number, at least `min`.
    Whole {
        /// The smallest allowed value.
        min: u64,
    },
    /// A real number in `min..=max`.
    Real {
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
    },
    /// On or off.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A list of real numbers, separated by commas.
    Reals,
    /// Some of these words, separated by commas.
    Words(&'static [&'static str]),
}

/// One parameter as a user meets it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name in Rust and, with dashes, on the command line.
    pub name: &'static str,
    /// Its name in Python.
    pub python: &'static str,
    /// Kind of its values.
    pub kind: ParameterKind,
    /// True when it may be left unset.
    pub optional: bool,
    /// Its default, written out; empty when unset.
    pub default: String,
    /// Its effect, in a sentence or two.
    pub help: String,
}

/// Keeps the traits of this module to types that [`parameters!`](crate::parameters) and
/// [`choice!`](crate::choice) declare, so that the traits can grow.
#[doc(hidden)]
pub mod sealed {
    /// Implemented by those macros alone.
    pub trait Sealed {}

    impl Sealed for usize {}
    impl Sealed for u64 {}
    impl Sealed for f64 {}
    impl Sealed for f32 {}
    impl Sealed for bool {}
    impl<T> Sealed for Vec<T> {}
    impl<T> Sealed for Option<T> {}
}

/// A type a parameter can have; sealed.
pub trait Value: Sized + sealed::Sealed {
    /// The values the type takes, before a declaration narrows them.
    const KIND: ParameterKind;
    /// True for `Option`s.
    const OPTIONAL: bool = false;
    /// The value that a user's text stands for.
    ///
    /// # Errors
    /// The reason why the text stands for no value of the type.
    fn parse(text: &str) -> Result<Self, ParameterError>;
    /// The value as a user would write it.
    fn show(&self) -> String;
    /// The value as a number, where a range can hold it.
    fn number(&self) -> Option<f64> {
        None
    }
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl Value for $type {
            const KIND: ParameterKind = ParameterKind::Whole { min: 0 };
            fn parse(text: &str) -> Result<Self, ParameterError> {
                text.parse().map_err(|_| ParameterError::NotWhole { got: text.to_owned() })
            }
            fn show(&self) -> String {
                self.to_string()
            }
            fn number(&self) -> Option<f64> {
                Some(*self as f64)
            }
        }
    )*};
}
whole!(usize, u64);

impl Value for f64 {
    const KIND: ParameterKind = ParameterKind::Real { min: f64::MIN, max: f64::MAX };
    fn parse(text: &str) -> Result<Self, ParameterError> {
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(ParameterError::NotFinite { got: text.to_owned() }),
        }
    }
    fn show(&self) -> String {
        self.to_string()
    }
    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Value for bool {
    const KIND: ParameterKind = ParameterKind::Flag;
    fn parse(text: &str) -> Result<Self, ParameterError> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Ok(true),
            "false" | "no" | "off" => Ok(false),
            _ => Err(ParameterError::NotFlag { got: text.to_owned() }),
        }
    }
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for Vec<f64> {
    const KIND: ParameterKind = ParameterKind::Reals;
    fn parse(text: &str) -> Result<Self, ParameterError> {
        text.split(',').map(|part| f64::parse(part.trim())).collect()
    }
    fn show(&self) -> String {
        let mut text = String::new();
        for (i, value) in self.iter().enumerate() {
            let _ = write!(text, "{}{value}", if i > 0 { "," } else { "" });
        }
        text
    }
}

/// A type whose values are words, as [`choice!`](crate::choice) declares them.
pub trait Word: Value {
    /// Every word.
    const WORDS: &'static [&'static str];
}

impl<T: Word> Value for Vec<T> {
    const KIND: ParameterKind = ParameterKind::Words(T::WORDS);
    fn parse(text: &str) -> Result<Self, ParameterError> {
        text.split(',').map(|part| T::parse(part.trim())).collect()
    }
    fn show(&self) -> String {
        self.iter().map(T::show).collect::<Vec<_>>().join(",")
    }
}

impl<T: Value> Value for Option<T> {
    const KIND: ParameterKind = T::KIND;
    const OPTIONAL: bool = true;
    fn parse(text: &str) -> Result<Self, ParameterError> {
        match text {
            "" | "none" | "None" => Ok(None),
            text => T::parse(text).map(Some),
        }
    }
    fn show(&self) -> String {
        self.as_ref().map(T::show).unwrap_or_default()
    }
    fn number(&self) -> Option<f64> {
        self.as_ref().and_then(T::number)
    }
}

/// Refuse `value` when it lies outside `kind`.
///
/// # Errors
/// A value outside `kind`, with the bound.
pub fn check(name: &str, kind: ParameterKind, value: &impl Value) -> Result<()> {
    let Some(got) = value.number() else { return Ok(()) };
    let reason = match kind {
        ParameterKind::Whole { min } if got < min as f64 => {
            ParameterError::TooSmall { min: min as f64, got }
        }
        ParameterKind::Real { min, max } if !(min..=max).contains(&got) => {
            match (min == f64::MIN, max == f64::MAX) {
                (false, true) => ParameterError::TooSmall { min, got },
                (true, false) => ParameterError::TooLarge { max, got },
                _ => ParameterError::Outside { min, max, got },
            }
        }
        _ => return Ok(()),
    };
    Err(Error::parameter(name, reason))
}

/// Settings that can be listed, set by name and checked; [`parameters!`](crate::parameters) writes
/// the implementations.
///
/// Sealed, and with it every trait of methods: new ones may be added to them.
pub trait Parameters: sealed::Sealed {
    /// Every parameter with its current value as `default`.
    fn parameters(&self) -> Vec<Parameter>;
    /// Set one parameter from text; false when there is none of that name.
    ///
    /// # Errors
    /// A text that stands for no value, or one out of range.
    fn try_set(&mut self, name: &str, text: &str) -> Result<bool>;
    /// Check every parameter against its declared range.
    ///
    /// # Errors
    /// The first parameter out of range.
    fn check(&self) -> Result<()>;
}

/// Set parameter `name` of something called `owner` from text.
///
/// # Errors
/// No parameter of that name, with those there are, or the errors of [`Parameters::try_set`].
pub fn set(of: &mut (impl Parameters + ?Sized), owner: &str, name: &str, text: &str) -> Result<()> {
    if of.try_set(name, text)? {
        return Ok(());
    }
    let known = of.parameters().iter().map(|p| p.name).collect();
    Err(Error::parameter(name, ParameterError::NoSuchParameter { owner: owner.to_owned(), known }))
}

/// Name, title, summary and reference of a method, learner, classifier, measure or generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The name users type: `relieff`.
    pub id: &'static str,
    /// The name people say: `ReliefF`.
    pub title: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Where it was published.
    pub reference: &'static str,
}

/// Write a method's `about`, or with `value` the [`About`] alone: `id is title, summary, reference`.
macro_rules! about {
    (value $id:literal is $title:literal, $summary:literal, $reference:expr) => {
        $crate::parameter::About {
            id: $id,
            title: $title,
            summary: $summary,
            reference: $reference,
        }
    };
    ($id:literal is $title:literal, $summary:literal, $reference:expr) => {
        fn about(&self) -> $crate::parameter::About {
            $crate::parameter::about!(value $id is $title, $summary, $reference)
        }
    };
}
pub(crate) use about;

/// The one of `all` called `id`; `parameter` is the parameter that chooses it, and `what` a noun
/// for it.
pub(crate) fn find<T>(
    mut all: Vec<T>,
    id: &str,
    id_of: impl Fn(&T) -> &'static str,
    (parameter, what): (&str, &'static str),
) -> Result<T> {
    if let Some(at) = all.iter().position(|one| id_of(one) == id) {
        return Ok(all.swap_remove(at));
    }
    let known = all.iter().map(id_of).collect();
    Err(Error::parameter(
        parameter,
        ParameterError::NoSuchMethod { id: id.to_owned(), what, known },
    ))
}

/// Write a module's list of methods, and functions to find one by id and to set its parameters.
macro_rules! catalogue {
    ($trait:ident: $all:ident, $one:ident, $parameter:literal is $what:literal;
     $($method:ident),* $(,)?) => {
        #[doc = concat!("Every ", $parameter, " with its default parameters.")]
        pub fn $all() -> Vec<Box<dyn $trait>> {
            vec![$(Box::new($method::default())),*]
        }

        #[doc = concat!("The ", $parameter, " called `id`, with its default parameters.")]
        ///
        /// # Errors
        ///
        /// When nothing is called `id`.
        pub fn $one(id: &str) -> $crate::Result<Box<dyn $trait>> {
            $crate::parameter::find($all(), id, |one| one.about().id, ($parameter, $what))
        }

        #[doc = concat!("Set parameter `name` of a ", $parameter, " from text.")]
        ///
        /// # Errors
        ///
        /// When there is no such parameter, and when the text is not a value that it takes.
        pub fn set(of: &mut dyn $trait, name: &str, text: &str) -> $crate::Result<()> {
            $crate::parameter::set(of, of.about().id, name, text)
        }
    };
}
pub(crate) use catalogue;

/// Declare an enum whose variants are words that a user types.
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $visibility:vis enum $name:ident {
        $($(#[doc = $doc:literal])* $variant:ident = $word:literal),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $name { $($(#[doc = $doc])* $variant),* }

        impl $crate::parameter::sealed::Sealed for $name {}

        impl $crate::parameter::Value for $name {
            const KIND: $crate::parameter::ParameterKind = $crate::parameter::ParameterKind::Choice(&[$($word),*]);
            fn parse(text: &str) -> $crate::Result<Self, $crate::ParameterError> {
                match text {
                    $($word => Ok(Self::$variant),)*
                    _ => Err($crate::ParameterError::NotOneOf {
                        words: vec![$($word),*],
                        got: text.to_owned(),
                    }),
                }
            }
            fn show(&self) -> String {
                match self { $(Self::$variant => $word.to_owned()),* }
            }
        }

        impl $crate::parameter::Word for $name {
            const WORDS: &'static [&'static str] = &[$($word),*];
        }
    };
}

/// Declare a struct of parameters once: fields, defaults, ranges, Python names and help.
///
/// ```
/// nearkin::parameters! {
///     /// How a toy behaves.
///     pub struct Toy {
///         /// Number of neighbours.
///         k ("n_neighbors"): usize = 10, min 1;
///         /// Width of the kernel.
///         width: f64 = 0.5, in 0.0..=1.0;
///     }
/// }
/// use nearkin::parameter::Parameters;
/// let mut toy = Toy::default();
/// assert!(toy.try_set("n_neighbors", "3")? && toy.k == 3);
/// assert!(toy.try_set("k", "0").is_err());
/// # Ok::<(), nearkin::Error>(())
/// ```
#[macro_export]
macro_rules! parameters {
    ($(#[$meta:meta])* $visibility:vis struct $struct:ident {
        $($(#[doc = $doc:literal])* $name:ident $(($python:literal))? : $type:ty = $default:expr
            $(, min $min:literal)? $(, in $low:literal ..= $high:literal)?;)*
    } $(with $($common:ident : $common_type:ty $(= $common_default:expr)?),+)?) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        $visibility struct $struct {
            $($(#[doc = $doc])* pub $name: $type,)*
            $($(
                /// Settings shared with other methods of this family.
                pub $common: $common_type,
            )+)?
        }

        impl Default for $struct {
            fn default() -> Self {
                Self { $($name: $default,)* $($($common: $crate::parameters!(@default $common_type $(, $common_default)?),)+)? }
            }
        }

        impl $crate::parameter::sealed::Sealed for $struct {}

        impl $crate::parameter::Parameters for $struct {
            fn parameters(&self) -> Vec<$crate::parameter::Parameter> {
                #[allow(unused_mut)]
                let mut all = vec![$($crate::parameter::Parameter {
                    name: stringify!($name),
                    python: $crate::parameters!(@python $name $($python)?),
                    kind: $crate::parameters!(@kind $type $(, min $min)? $(, in $low, $high)?),
                    optional: <$type as $crate::parameter::Value>::OPTIONAL,
                    default: $crate::parameter::Value::show(&self.$name),
                    help: [$($doc),*].map(str::trim).join(" "),
                }),*];
                $($(all.extend(self.$common.parameters());)+)?
                all
            }

            // A struct without fields of its own does not use them.
            #[allow(unused_variables)]
            fn try_set(&mut self, name: &str, text: &str) -> $crate::Result<bool> {
                $(if name == stringify!($name) || name == $crate::parameters!(@python $name $($python)?) {
                    let value = <$type as $crate::parameter::Value>::parse(text)
                        .map_err(|reason| $crate::Error::parameter(name, reason))?;
                    $crate::parameter::check(
                        name,
                        $crate::parameters!(@kind $type $(, min $min)? $(, in $low, $high)?),
                        &value,
                    )?;
                    self.$name = value;
                    return Ok(true);
                })*
                $($(if self.$common.try_set(name, text)? {
                    return Ok(true);
                })+)?
                Ok(false)
            }

            fn check(&self) -> $crate::Result<()> {
                $($crate::parameter::check(
                    stringify!($name),
                    $crate::parameters!(@kind $type $(, min $min)? $(, in $low, $high)?),
                    &self.$name,
                )?;)*
                $($(self.$common.check()?;)+)?
                Ok(())
            }
        }
    };
    (@default $type:ty) => { <$type>::default() };
    (@default $type:ty, $default:expr) => { $default };
    (@python $name:ident) => { stringify!($name) };
    (@python $name:ident $python:literal) => { $python };
    (@kind $type:ty) => { <$type as $crate::parameter::Value>::KIND };
    (@kind $type:ty, min $min:literal) => { $crate::parameter::ParameterKind::Whole { min: $min } };
    (@kind $type:ty, in $low:literal, $high:literal) => {
        $crate::parameter::ParameterKind::Real { min: $low, max: $high }
    };
}
