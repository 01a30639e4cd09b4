//! The subcommands, one file each. To add one: write its file and put it into [`ALL`].

mod asked;
mod classify;
mod completions;
mod data;
mod describe;
mod evaluate;
mod explain;
mod learn;
mod man;
mod methods;
mod model;
mod neighbors;
mod predict;
mod report;
mod simulate;
mod weigh;

use clap::{ArgMatches, Command};

use crate::failure::{Failure, Result};
use crate::usage::Hints;
pub use weigh::{Tested, Truth};

/// A subcommand.
struct Subcommand {
    name: &'static str,
    /// Its help and flags.
    command: fn() -> Command,
    /// Runs it.
    run: fn(&ArgMatches) -> Result<()>,
    /// The sentence about a flag it does not have, given all words typed.
    unknown: fn(words: &[String], flag: &str) -> String,
    /// The ids of the arguments that `-h` shows; when empty, it shows all.
    usual: &'static [&'static str],
}

/// The subcommands in the order that help lists them: each with what it says of a flag it lacks, and
/// the arguments that `-h` shows.
macro_rules! subcommands {
    ($($name:ident, $unknown:path, [$($usual:literal),* $(,)?];)*) => {
        &[$(Subcommand {
            name: stringify!($name),
            command: $name::command,
            run: $name::run,
            unknown: $unknown,
            usual: &[$($usual),*],
        }),*]
    };
}

#[rustfmt::skip] // a line or two a command
const ALL: &[Subcommand] = subcommands! {
    weigh, weigh::unknown, ["table", "method", "target", "drop", "k", "p-values", "null", "interval",
        "select", "save-columns", "format", "output", "top", "plot"];
    learn, learn::unknown, ["table", "method", "target", "k", "matrix", "output", "test", "rule", "try",
        "format", "plot"];
    classify, classify::unknown, ["table", "method", "preset", "measure", "target", "k", "test",
        "output", "similarity", "labels", "costs", "format", "plot"];
    predict, no_such_flag, ["model", "table", "k", "costs", "similarity", "labels", "format", "output",
        "quiet", "threads"];
    neighbors, no_such_flag, ["model", "table", "row", "k", "features", "format", "output", "quiet"];
    explain, no_such_flag, ["model", "table", "row", "similarity", "labels", "costs", "format",
        "output", "quiet"];
    model, no_such_flag, [];
    data, no_such_flag, ["name", "variants", "genotype", "json", "output"];
    simulate, simulate::unknown, [];
    methods, no_such_flag, [];
    report, no_such_flag, ["table", "target", "method", "seed", "similarity", "labels", "output",
        "quiet", "threads"];
    evaluate, no_such_flag, ["table", "target", "methods", "plan", "protocol", "mode", "groups",
        "choose", "against", "seed", "resume", "predictions", "format", "output"];
    completions, no_such_flag, [];
    man, no_such_flag, [];
};

const EXAMPLES: &str = "\
EXAMPLES:
  # Which features tell the iris species apart?
  nearkin weigh @iris
  # Which similarity should be used, and what does it say of each row?
  nearkin learn @iris -o iris.safetensors
  nearkin predict iris.safetensors @iris
  # Which class is it, by laws of similarity?
  nearkin classify @house-votes-84 --method sda --measure vdm -o votes.safetensors
  nearkin explain votes.safetensors --row 7
  # What can be read, done and made up:
  nearkin data
  nearkin methods
  nearkin simulate --help";

/// The program's sentences about words that it does not have.
pub const HINTS: Hints = Hints { expected, unknown, see };

/// The whole program's command line.
pub fn program() -> Command {
    Command::new("nearkin")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "Learning from nearest neighbours: which features matter, which similarity to use, \
             which class a row has",
        )
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .subcommands(ALL.iter().map(|one| in_short((one.command)(), one.name, one.usual)))
}

/// Lines of a command's examples that `-h` shows.
const FEW: usize = 3;

/// The command with a help by `-h` that fits a screen: the `usual` arguments, the first clause of
/// each one's help and the first examples. `--help` has all of it.
fn in_short(command: Command, name: &str, usual: &[&str]) -> Command {
    let generators: Vec<String> =
        command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let command = generators.iter().fold(command, |command, generator| {
        command.mut_subcommand(generator, |one| in_short(one, &format!("{name} {generator}"), &[]))
    });
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let start = examples.find("EXAMPLES:").unwrap_or(0);
    let few: Vec<&str> = examples[start..].lines().take(FEW).collect();
    let short = format!("{}\n\nAll flags and examples: nearkin {name} --help", few.join("\n"));
    command.after_help(short).after_long_help(examples).mut_args(|arg| {
        let usual = usual.is_empty() || usual.contains(&arg.get_id().as_str());
        let full = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let arg = match arg.get_long_help() {
            Some(_) => arg,
            None => arg.help(first_clause(&full)).long_help(full),
        };
        let arg = arg.hide_short_help(!usual);
        // A flag's own check says what is wrong with a number below 0.
        let numbers = arg.get_action().takes_values() && !arg.is_positional();
        match numbers && !arg.is_allow_hyphen_values_set() {
            true => arg.allow_negative_numbers(true),
            false => arg,
        }
    })
}

/// The text up to where details begin.
fn first_clause(text: &str) -> String {
    let ends = [". ", ": ", "; ", " [", " ("].into_iter().filter_map(|end| text.find(end));
    text[..ends.min().unwrap_or(text.len())].to_owned()
}

/// Do what the words say.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let called = |name: &str| ALL.iter().find(|one| one.name == name);
    match matches.subcommand().and_then(|(name, matches)| Some((called(name)?, matches))) {
        Some((one, matches)) => (one.run)(matches),
        None => Err(Failure::Input(expected(&[]))),
    }
}

/// The sentence for a missing or unknown subcommand.
fn expected(words: &[String]) -> String {
    let words = match words.get(1).is_some_and(|word| word == "help") {
        true => &words[1..],
        false => words,
    };
    if words.get(1).is_some_and(|word| word == "simulate") {
        return simulate::expected(words.get(2));
    }
    let names: Vec<&str> = ALL.iter().map(|one| one.name).collect();
    let got = match words.get(1) {
        Some(word) => format!("`{word}` is no command"),
        None => "say what to do".into(),
    };
    format!("{got}; there are {}; `nearkin --help` tells more", names.join(", "))
}

/// The sentence for a flag that nothing has.
fn unknown(words: &[String], flag: &str) -> String {
    match current(words) {
        Some(one) => (one.unknown)(words, flag),
        None => no_such_flag(words, flag),
    }
}

/// Where to read on.
fn see(words: &[String]) -> String {
    match current(words) {
        Some(one) => format!("`nearkin {} --help` tells more", one.name),
        None => "`nearkin --help` tells more".into(),
    }
}

fn current(words: &[String]) -> Option<&'static Subcommand> {
    words.iter().skip(1).find_map(|word| ALL.iter().find(|one| one.name == word))
}

fn no_such_flag(_: &[String], flag: &str) -> String {
    format!("{flag}: there is no such flag")
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_two_flags_of_a_command_clash() {
        super::program().debug_assert();
    }
}
