//! Flags of the kinds that several commands have.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, value_parser};

/// `--name VALUE`.
pub fn flag(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

/// `--name FILE`.
pub fn file(name: &'static str) -> Arg {
    flag(name, "FILE").value_parser(value_parser!(PathBuf))
}

/// `--name N`, a whole number from `low`.
pub fn number(name: &'static str, low: u64) -> Arg {
    flag(name, "N").value_parser(whole(low, u64::MAX))
}

/// `--name VALUE`, one of `values`.
pub fn one_of<T>(name: &'static str, value: &'static str, values: T) -> Arg
where
    PossibleValuesParser: From<T>,
{
    flag(name, value).value_parser(PossibleValuesParser::from(values))
}

/// `--name`.
pub fn switch(name: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue)
}

/// `-o MODEL`.
pub fn model() -> Arg {
    flag("output", "MODEL").short('o').value_parser(value_parser!(PathBuf))
}

/// `--test SHARE`, the share of the rows to hold out.
pub fn test() -> Arg {
    flag("test", "SHARE").default_value("0.2").value_parser(share).allow_negative_numbers(true)
}

/// `--split-seed N`.
pub fn split_seed() -> Arg {
    number("split-seed", 0).default_value("0")
}

/// A share of the rows.
fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=0.9).contains(&share) => Ok(share),
        _ => Err("expected a share of the rows from 0 to 0.9, such as 0.2".into()),
    }
}

/// Reads a whole number from `low` to `high`.
pub fn whole(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| match text.parse::<u64>() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ if high == u64::MAX => Err(format!("expected a whole number of at least {low}")),
        _ => Err(format!("expected a whole number from {low} to {high}")),
    }
}
