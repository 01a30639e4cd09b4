//! `nearkin man`: the manual page of the program or of a command.

use clap::{Arg, ArgMatches, Command};
use clap_mangen::Man;

use crate::failure::{Failure, Result};
use crate::output;
use crate::sink::Sink;

const EXAMPLES: &str = "\
EXAMPLES:
  # Where man finds it:
  mkdir -p ~/.local/share/man/man1
  nearkin man -o ~/.local/share/man/man1/nearkin.1
  nearkin man weigh -o ~/.local/share/man/man1/nearkin-weigh.1";

/// The command line.
pub fn command() -> Command {
    Command::new("man")
        .about("Print the manual page of the program, or of a command")
        .after_help(EXAMPLES)
        .arg(Arg::new("command").value_name("COMMAND").help("The command the page is about"))
        .arg(output::file())
}

/// Print the page.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let mut program = super::program();
    let page = match matches.get_one::<String>("command") {
        None => program,
        Some(name) => {
            program.build();
            let found = program.get_subcommands().find(|one| one.get_name() == name);
            let found = found.cloned().ok_or_else(|| {
                Failure::Input(super::expected(&["nearkin".to_owned(), name.clone()]))
            })?;
            // A page has one name; `man nearkin-weigh` finds it.
            found.name(format!("nearkin-{name}")).bin_name(format!("nearkin {name}"))
        }
    };
    let mut text = Vec::new();
    let written = Man::new(page).render(&mut text);
    written.map_err(|error| Failure::writing("the page", &error))?;
    Sink::open(output::path(matches))?.fill(|out| out.write_all(&text))
}
