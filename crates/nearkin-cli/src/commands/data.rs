//! `nearkin data`: the bundled sets, listed or printed; a file, described.

use std::path::Path;

use clap::{Arg, ArgMatches, Command};
use nearkin::data::{Target, bundled};
use serde_json::json;

use crate::failure::{Failure, Result, refuse};
use crate::present::columns;
use crate::sink::Sink;
use crate::{csv, input, output};

const EXAMPLES: &str = "\
EXAMPLES:
  # What is there, and on what terms:
  nearkin data
  # A set as CSV, into a file or a pipe:
  nearkin data iris -o iris.csv
  nearkin data wine | nearkin weigh - --top 3
  # What a file holds, as it would be read:
  nearkin data iris.csv";

/// The command line.
pub fn command() -> Command {
    Command::new("data")
        .about("List the bundled data sets, print one as CSV, or say what a file holds")
        .after_help(EXAMPLES)
        .arg(Arg::new("name").value_name("NAME").help("The set to print, or the file to describe"))
        .arg(output::file())
        .arg(output::switch("json", "List or describe as JSON"))
        .arg(output::switch(
            "variants",
            "Of each genotype column: counts, share missing, share of the counted allele, \
             Hardy-Weinberg p; as CSV",
        ))
        .arg(output::quiet())
        .args(input::optional_args().into_iter().skip(1))
}

/// List the sets, or print one.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let Some(name) = matches.get_one::<String>("name") else { return list(matches) };
    if is_file(name) {
        return describe(matches, name);
    }
    let bundled = bundled::bundled().iter().any(|set| set.name == name);
    if let (false, Some(bed)) = (bundled, nearkin_read::bed_of_prefix(Path::new(name))) {
        return describe(matches, &bed.display().to_string());
    }
    if matches.get_flag("json") {
        return refuse!("--json: `{name}` is printed as CSV; leave one of the two out");
    }
    let (table, target) = bundled::load(name.trim_start_matches('@'))?;
    let name = input::BUNDLED_TARGET;
    Sink::open(output::path(matches))?.fill(|out| csv::table(out, &table, &target, name))
}

/// True for what cannot be the name of a bundled set.
fn is_file(name: &str) -> bool {
    !name.starts_with('@') && name.contains(['.', '/', '\\'])
}

fn describe(matches: &ArgMatches, file: &str) -> Result<()> {
    let loaded = input::read_to_describe(matches, Path::new(file))?;
    let variants = matches.get_flag("variants");
    if variants && super::describe::variants(&loaded).next().is_none() {
        return Err(Failure::Input(format!(
            "--variants: {file} has no genotypes; --genotype reads columns of 0, 1 and 2 as such"
        )));
    }
    Sink::open(output::path(matches))?.fill(|out| match matches.get_flag("json") {
        true => writeln!(out, "{:#}", super::describe::json(file, &loaded, variants)),
        false if variants => super::describe::variants_csv(out, &loaded),
        false => super::describe::text(out, file, &loaded),
    })
}

fn list(matches: &ArgMatches) -> Result<()> {
    let mut rows = vec![];
    let mut values = vec![];
    for set in bundled::bundled() {
        let (_, target) = set.load().map_err(|e| Failure::of_table(set.name, e))?;
        let classes = match &target {
            Target::Classes(classes) => classes.names(),
            Target::Real(_) => &[],
        };
        rows.push(vec![
            set.name.to_owned(),
            set.rows.to_string(),
            set.columns.to_string(),
            classes.len().to_string(),
            set.kind.to_owned(),
            set.licence.to_owned(),
            set.title.to_owned(),
        ]);
        values.push(json!({
            "name": set.name, "title": set.title, "rows": set.rows, "columns": set.columns,
            "classes": classes, "kind": set.kind, "licence": set.licence, "source": set.source,
        }));
    }
    let head = ["name", "rows", "columns", "classes", "kind", "licence", "what it is"];
    Sink::open(output::path(matches))?.fill(|out| match matches.get_flag("json") {
        true => writeln!(out, "{:#}", json!(values)),
        false => out.write_all(columns::aligned(&head, &rows, &[1, 2, 3]).as_bytes()),
    })
}
