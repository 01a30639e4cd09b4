//! `nearkin completions`: the script by which a shell completes commands and flags.

use clap::{Arg, ArgMatches, Command};
use clap_complete::{Shell, generate};

use crate::failure::{Failure, Result};
use crate::output;
use crate::sink::Sink;

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

const EXAMPLES: &str = "\
EXAMPLES:
  # For this user of bash, from the next shell on:
  mkdir -p ~/.local/share/bash-completion/completions
  nearkin completions bash -o ~/.local/share/bash-completion/completions/nearkin
  # zsh looks in the folders of $fpath, fish in ~/.config/fish/completions:
  nearkin completions zsh -o _nearkin
  nearkin completions fish -o nearkin.fish";

/// The command line.
pub fn command() -> Command {
    Command::new("completions")
        .about("Print what a shell needs to complete commands and flags")
        .after_help(EXAMPLES)
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(SHELLS)
                .help("The shell"),
        )
        .arg(output::file())
}

/// Print the completions.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let name = matches.get_one::<String>("shell").map_or("", String::as_str);
    let shell: Shell =
        name.parse().map_err(|_| Failure::Input(format!("`{name}` is no shell known here")))?;
    let mut text = Vec::new();
    generate(shell, &mut super::program(), "nearkin", &mut text);
    Sink::open(output::path(matches))?.fill(|out| out.write_all(&text))
}
