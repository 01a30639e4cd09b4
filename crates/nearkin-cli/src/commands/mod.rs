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
    /// What it does.
    run: fn(&ArgMatches) -> Result<()>,
    /// What to say about a flag it does not have, given all words typed.
    unknown: fn(words: &[String], flag: &str) -> String,
}

const ALL: [Subcommand; 14] = [
    Subcommand { name: "weigh", command: weigh::command, run: weigh::run, unknown: weigh::unknown },
    Subcommand { name: "learn", command: learn::command, run: learn::run, unknown: learn::unknown },
    Subcommand {
        name: "classify",
        command: classify::command,
        run: classify::run,
        unknown: classify::unknown,
    },
    Subcommand {
        name: "predict",
        command: predict::command,
        run: predict::run,
        unknown: no_such_flag,
    },
    Subcommand {
        name: "neighbors",
        command: neighbors::command,
        run: neighbors::run,
        unknown: no_such_flag,
    },
    Subcommand {
        name: "explain",
        command: explain::command,
        run: explain::run,
        unknown: no_such_flag,
    },
    Subcommand { name: "model", command: model::command, run: model::run, unknown: no_such_flag },
    Subcommand { name: "data", command: data::command, run: data::run, unknown: no_such_flag },
    Subcommand {
        name: "simulate",
        command: simulate::command,
        run: simulate::run,
        unknown: simulate::unknown,
    },
    Subcommand {
        name: "methods",
        command: methods::command,
        run: methods::run,
        unknown: no_such_flag,
    },
    Subcommand {
        name: "report",
        command: report::command,
        run: report::run,
        unknown: no_such_flag,
    },
    Subcommand {
        name: "evaluate",
        command: evaluate::command,
        run: evaluate::run,
        unknown: no_such_flag,
    },
    Subcommand {
        name: "completions",
        command: completions::command,
        run: completions::run,
        unknown: no_such_flag,
    },
    Subcommand { name: "man", command: man::command, run: man::run, unknown: no_such_flag },
];

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

/// What the program says about words that it does not have.
pub const HINTS: Hints = Hints { expected, unknown, see };

/// The whole program's command line.
pub fn program() -> Command {
    Command::new("nearkin")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "Learning from nearest neighbours: which features matter, which similarity to use, \
             which class it is",
        )
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .subcommands(ALL.iter().map(|one| (one.command)()))
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
