//! `nearkin simulate`: tables whose right answer is known, a subcommand a generator.

use clap::{ArgMatches, Command};
use nearkin::data::Target;
use nearkin::simulate::{self, Simulate};

use crate::failure::{Failure, Result};
use crate::parameters::{self, Declared};
use crate::sink::Sink;
use crate::{csv, output};

const EXAMPLES: &str = "\
EXAMPLES:
  # Two loci that matter only together, among twenty:
  nearkin simulate xor --rows 200 --seed 7 -o xor.csv
  nearkin weigh xor.csv --discrete-limit 3 --top 4
  # Which columns should have come out on top?
  nearkin simulate xor --rows 200 --seed 7 --truth";

/// The command line.
pub fn command() -> Command {
    Command::new("simulate")
        .about("Make a table whose relevant features are known")
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .subcommand_value_name("GENERATOR")
        .subcommand_help_heading("Generators")
        .disable_help_subcommand(true)
        .subcommands(simulate::generators().iter().map(|one| generator(one.as_ref())))
}

fn generator(generator: &dyn Simulate) -> Command {
    let about = generator.about();
    let declared = Declared { id: about.id, parameters: generator.parameters() };
    let after = format!(
        "Reference: {reference}

\
         EXAMPLES:
  nearkin simulate {id} -o {id}.csv
  nearkin simulate {id} --truth",
        reference = about.reference,
        id = about.id,
    );
    Command::new(about.id)
        .about(about.summary)
        .after_help(after)
        .args(parameters::flags(&[declared], "Parameters"))
        .arg(output::file())
        .arg(output::switch("truth", "Print the relevant columns, and the table only into FILE"))
        .arg(output::quiet())
}

/// Make the table.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let Some((id, matches)) = matches.subcommand() else {
        return Err(Failure::Input(expected(None)));
    };
    let mut generator = simulate::generator(id)?;
    let own = generator.parameters();
    let declared = [Declared { id: generator.about().id, parameters: own.clone() }];
    let given = parameters::given(matches, &declared);
    parameters::apply(id, &own, given, |name, text| generator.try_set(name, text))?;
    let path = output::path(matches);
    Sink::probe(path)?;
    let made = generator.generate()?;
    let target = match &made.target {
        Target::Classes(_) => "class",
        Target::Real(_) => "target",
    };
    let truth = matches.get_flag("truth");
    if path.is_some() || !truth {
        Sink::open(path)?.fill(|out| csv::table(out, &made.table, &made.target, target))?;
    }
    if truth {
        let columns = made.table.columns();
        Sink::open(None)?.fill(|out| {
            made.relevant.iter().try_for_each(|&at| writeln!(out, "{}", columns[at].name))
        })?;
    }
    output::tell(matches, &output::remarks(&made.notes));
    Ok(())
}

/// The sentence about a flag the generator does not have.
pub fn unknown(words: &[String], flag: &str) -> String {
    let found = words.iter().skip(2).find_map(|word| simulate::generator(word).ok());
    match found {
        Some(generator) => parameters::lacks(generator.about().id, flag, &generator.parameters()),
        None => expected(None),
    }
}

/// The sentence about a missing or unknown generator.
pub fn expected(got: Option<&String>) -> String {
    let ids: Vec<&str> = simulate::generators().iter().map(|g| g.about().id).collect();
    let got = match got {
        Some(word) if !word.starts_with('-') => format!("`{word}` is no generator"),
        _ => "name a generator".into(),
    };
    format!("simulate: {got}; there are {}", ids.join(", "))
}
