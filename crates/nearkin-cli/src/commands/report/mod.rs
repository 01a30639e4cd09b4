//! `nearkin report`: everything about a table, or about similarities, on one page.

mod made;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ArgMatches, Command, value_parser};
use nearkin::Run;
use nearkin::data::Target;
use nearkin::weigh;
use nearkin_read::Loaded;

use crate::failure::{Failure, Result};
use crate::matrices::Labelled;
use crate::progress::Progress;
use crate::report::sections::{
    association, classifiers, data, kept, matrix, neighbour_count, rows, similarity, weights,
};
use crate::report::{Best, Page, Samples, Subject, html};
use crate::sink::Sink;
use crate::{flags, input, matrices, output, screen};

const EXAMPLES: &str = "\
EXAMPLES:
  # Everything about a bundled set, to be opened in a browser:
  nearkin report @iris
  # About a table of your own, under another name:
  nearkin data wine -o wine.csv
  nearkin report wine.csv --target class -o wine.html
  # About similarities alone, with one label a line:
  printf '4,3,1,0\\n3,4,0,1\\n1,0,4,2\\n0,1,2,4\\n' > S.csv
  printf 'cat\\ncat\\ndog\\ndog\\n' > y.txt
  nearkin report --similarity S.csv --labels y.txt -o pets.html";

/// The command line.
pub fn command() -> Command {
    Command::new("report")
        .about("Write a page that answers the three questions about a table or similarities")
        .after_help(EXAMPLES)
        .args(input::optional_args())
        .args(matrices::labelled_args("Report on the similarities of samples instead of TABLE"))
        .arg(
            flags::flag("method", "METHOD")
                .short('m')
                .help("How to weigh. Default: relieff, or rrelieff for a real target"),
        )
        .arg(flags::number("seed", 0).default_value("0").help("The seed of every random choice"))
        .arg(
            output::file()
                .default_value("report.html")
                .value_parser(value_parser!(PathBuf))
                .help("Write into FILE, completely or not at all; - is standard output"),
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
    let shown = screen::stderr_is_watched() && !matches.get_flag("quiet");
    let progress = Progress::new(shown);
    let run = Run::on(output::chosen_threads(matches)).watched(&progress);
    let page = match matrices::labelled(matches)? {
        Some(given) => of_matrix(matches, &given, &run),
        None if matches.contains_id("table") => of_table(matches, &run),
        None => Err(Failure::Input(
            "report: name a table, or a matrix with --similarity or --dissimilarity and --labels; \
             `nearkin report --help` tells more"
                .into(),
        )),
    };
    progress.clear();
    let text = html::write(&page?);

    Sink::open(path)?.fill(|out| out.write_all(text.as_bytes()))?;
    if !matches.get_flag("quiet") {
        let seconds = begun.elapsed().as_secs_f64();
        if let Some(path) = path {
            let place = path.display();
            screen::say(&format!("{place} is written ({seconds:.1} s); open it in a browser"));
        }
    }
    Ok(())
}

fn seed(matches: &ArgMatches) -> u64 {
    matches.get_one::<u64>("seed").copied().unwrap_or(0)
}

/// The file without its folders, which the command at the page's end has.
fn title(name: &str) -> String {
    let file = Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
    format!("nearkin report on {file}")
}

fn of_matrix(matches: &ArgMatches, given: &Labelled, run: &Run) -> Result<Page> {
    let samples = Samples {
        name: &given.name,
        s: &given.s,
        classes: &given.classes,
        names: given.names.as_deref(),
        dissimilar: given.dissimilar,
        seed: seed(matches),
        run,
    };
    let (sections, summary) = matrix::sections(&samples)?;
    let title = title(samples.name);
    let files = ["similarity", "dissimilarity", "labels"];
    let sums = files.iter().filter_map(|flag| matches.get_one::<PathBuf>(flag));
    let sums = sums.map(|path| made::sum_of_file(path)).collect::<Result<Vec<_>>>()?;
    Ok(Page { title, summary, sections, made: made::list(samples.seed, sums) })
}

fn of_table(matches: &ArgMatches, run: &Run) -> Result<Page> {
    if matches.contains_id("labels") {
        let reason =
            "--labels: these are for --similarity; name the column of a table with --target";
        return Err(Failure::Input(reason.into()));
    }
    let name = input::name(matches);
    let loaded = input::read(matches)?;
    let target = target(&name, &loaded)?;
    output::tell(matches, &output::remarks(&loaded.notes));
    let target_name = loaded.target_name.as_deref().unwrap_or("target");
    let (table, seed) = (&loaded.table, seed(matches));
    page(matches, &Subject { name: &name, table, target, target_name, seed, run })
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
    let (data, mut summary) = data::section(subject)?;
    let (association, told_association, _) = association::section(subject)?;
    let (weights, found) = weights::section(subject, method.as_ref())?;
    let mut sections = vec![data, association, weights];
    if method.parameters().iter().any(|one| one.name == "k") {
        sections.push(neighbour_count::section(subject, &found, id)?);
    }
    summary.push(told_association);
    if subject.classes().is_some() {
        let (kept, with_few) = kept::section(subject, id)?;
        let (section, compared) = classifiers::section(subject)?;
        let baselines = compared.best.as_ref().map(|best| &best.baselines);
        let alike = similarity::section(subject, &compared.found, baselines)?;
        sections.extend([kept, alike, section]);
        summary.extend(Best::of(compared.best.into_iter().chain(with_few)).map(|best| best.line()));
    } else {
        sections.push(data::no_classes(subject));
    }
    let order: Vec<usize> = found.ranking().iter().map(|one| one.index).collect();
    sections.push(rows::section(subject, &order)?);
    Ok(Page {
        title: title(subject.name),
        summary,
        sections,
        made: made::list(subject.seed, made::sum_of_table(&input::name(matches))?),
    })
}
