//! `nearkin report`: everything about a table on one page.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use nearkin::Run;
use nearkin::data::Target;
use nearkin::weigh;
use nearkin_read::Loaded;

use crate::failure::{Failure, Result};
use crate::progress::Progress;
use crate::report::sections::{
    classifiers, data, kept, neighbour_count, rows, similarity, weights,
};
use crate::report::{Page, Subject, html};
use crate::sink::Sink;
use crate::{csv, input, output, screen, sha256};

const EXAMPLES: &str = "\
EXAMPLES:
  # Everything about a bundled set, to be opened in a browser:
  nearkin report @iris
  # About a table of your own, under another name:
  nearkin data wine -o wine.csv
  nearkin report wine.csv --target class -o wine.html";

/// The command line.
pub fn command() -> Command {
    Command::new("report")
        .about("Write a page that answers the three questions about a table")
        .after_help(EXAMPLES)
        .args(input::args())
        .arg(
            Arg::new("method")
                .long("method")
                .short('m')
                .value_name("METHOD")
                .help("How to weigh. Default: relieff, or rrelieff for a real target"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .default_value("0")
                .help("The seed of every random choice"),
        )
        .arg(
            output::file()
                .default_value("report.html")
                .value_parser(value_parser!(PathBuf))
                .help("Write into FILE, whole or not at all"),
        )
        .arg(output::quiet())
        .arg(output::threads())
}

/// Write the report.
pub fn run(matches: &ArgMatches) -> Result<()> {
    let begun = Instant::now();
    let path = output::path(matches);
    input::check_kept(matches, "output", path)?;
    Sink::probe(path)?;
    let name = input::name(matches);
    let loaded = input::read(matches)?;
    let target = target(&name, &loaded)?;
    loaded.notes.iter().for_each(|doubt| output::note(matches, doubt));

    let shown = screen::stderr_is_watched() && !matches.get_flag("quiet");
    let progress = Progress::new(shown);
    let run = Run { threads: output::chosen_threads(matches), watch: Some(&progress) };
    let target_name = loaded.target_name.as_deref().unwrap_or("target");
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or(0);
    let (table, run) = (&loaded.table, &run);
    let subject = Subject { name: &name, table, target, target_name, seed, run };
    let page = page(matches, &subject);
    progress.clear();
    let text = html::write(&page?);

    Sink::open(path)?.fill(|out| out.write_all(text.as_bytes()))?;
    if !matches.get_flag("quiet") {
        let place = path.unwrap_or(Path::new("")).display();
        let seconds = begun.elapsed().as_secs_f64();
        screen::say(&format!("{place} is written ({seconds:.1} s); open it in a browser"));
    }
    Ok(())
}

fn target<'l>(name: &str, loaded: &'l Loaded) -> Result<&'l Target> {
    loaded.target.as_ref().ok_or_else(|| {
        Failure::Input(format!(
            "{name}: there is no target; name its column, or a .npy file, with --target"
        ))
    })
}

fn page(matches: &ArgMatches, subject: &Subject) -> Result<Page> {
    let usual = if subject.classes().is_some() { "relieff" } else { "rrelieff" };
    let id = matches.get_one::<String>("method").map_or(usual, String::as_str);
    let method = weigh::method(id)?;
    let (data, told_data) = data::section(subject)?;
    let (weights, found, told_weights) = weights::section(subject, method.as_ref())?;
    let mut sections = vec![data, weights];
    if method.parameters().iter().any(|one| one.name == "k") {
        sections.push(neighbour_count::section(subject, &found, id)?);
    }
    let mut summary = vec![told_data, told_weights];
    if subject.classes().is_some() {
        sections.push(kept::section(subject, id)?);
        sections.push(similarity::section(subject)?);
        let (section, told) = classifiers::section(subject)?;
        sections.push(section);
        summary.extend(told);
    }
    let order: Vec<usize> = found.ranking().iter().map(|one| one.index).collect();
    sections.push(rows::section(subject, &order)?);
    Ok(Page {
        title: format!("nearkin report on {}", subject.name),
        summary,
        sections,
        made: made(matches, subject)?,
    })
}

/// The command, version, seed and checksum.
fn made(matches: &ArgMatches, subject: &Subject) -> Result<Vec<(&'static str, String)>> {
    let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
    let mut made = vec![
        ("Command", format!("nearkin {}", words.join(" "))),
        ("Version", env!("CARGO_PKG_VERSION").to_owned()),
        ("Seed", subject.seed.to_string()),
    ];
    if let Some(sum) = checksum(matches, subject)? {
        made.push(("SHA-256 of the data", sum));
    }
    Ok(made)
}

/// The sum of the file, or of what `nearkin data` prints of a bundled set.
fn checksum(matches: &ArgMatches, subject: &Subject) -> Result<Option<String>> {
    let name = input::name(matches);
    if let Some(bundled) = name.strip_prefix('@') {
        let (table, target) = nearkin::data::bundled::load(bundled)?;
        let mut bytes = Vec::new();
        csv::table(&mut bytes, &table, &target, input::BUNDLED_TARGET)
            .map_err(|error| Failure::writing(subject.name, &error))?;
        return Ok(Some(sha256::digest(&bytes)));
    }
    if name == "-" {
        return Ok(None);
    }
    match std::fs::read(&name) {
        Ok(bytes) => Ok(Some(sha256::digest(&bytes))),
        Err(error) => Err(Failure::System(format!("{name}: {error}"))),
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "@._-/=:,+%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
