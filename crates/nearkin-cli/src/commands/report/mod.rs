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
use crate::progress::Stages;
use crate::report::sections::{
    association, classifiers, data, kept, matrix, neighbour_count, rows, similarity, weights,
};
use crate::report::{Best, Page, Samples, Section, Subject, html};
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
        .about("Write a page on a table or similarities: which features, similarity, classifier?")
        .after_help(EXAMPLES)
        .args(input::optional_args())
        .args(input::given_args())
        .args(matrices::labelled_args("Report on the similarities of samples instead of TABLE"))
        .arg(
            flags::flag("method", "METHOD")
                .short('m')
                .help("The method of weights. Default: relieff, or rrelieff for a real target"),
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
    let page = match matrices::labelled(matches)? {
        Some(given) => of_matrix(matches, &given, shown),
        None if matches.contains_id("table") => of_table(matches, shown),
        None => Err(Failure::Input(
            "report: name a table, or a matrix with --similarity or --dissimilarity and --labels; \
             `nearkin report --help` tells more"
                .into(),
        )),
    };
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

fn of_matrix(matches: &ArgMatches, given: &Labelled, shown: bool) -> Result<Page> {
    let stages = Stages::new(shown, &matrix::plan(given.s.rows()));
    let run = &Run::on(output::chosen_threads(matches)).watched(&stages);
    let samples = Samples {
        name: &given.name,
        s: &given.s,
        classes: &given.classes,
        names: given.names.as_deref(),
        dissimilar: given.dissimilar,
        seed: seed(matches),
        run,
    };
    let told = matrix::sections(&samples, &|| stages.begin(2));
    stages.clear();
    let (sections, summary) = told?;
    let title = title(samples.name);
    let files = ["similarity", "dissimilarity", "labels"];
    let sums = files.iter().filter_map(|flag| matches.get_one::<PathBuf>(flag));
    let sums = sums.map(|path| made::sum_of_file(path)).collect::<Result<Vec<_>>>()?;
    Ok(Page { title, summary, sections, made: made::list(samples.seed, sums) })
}

fn of_table(matches: &ArgMatches, shown: bool) -> Result<Page> {
    if matches.contains_id("labels") {
        let reason =
            "--labels: these are for --similarity; name the column of a table with --target";
        return Err(Failure::Input(reason.into()));
    }
    let name = input::name(matches);
    let mut loaded = input::read(matches)?;
    let (given, further) = input::given(matches, &mut loaded)?;
    if !further.is_empty() {
        let reason = "--target: a report is about one target; name one column";
        return Err(Failure::Input(reason.into()));
    }
    let target = target(&name, &loaded)?;
    output::tell(matches, &output::remarks(&loaded.notes));
    let target_name = loaded.target_name.as_deref().unwrap_or("target");
    let (table, seed) = (&loaded.table, seed(matches));
    let (covariates, strata) = (given.covariates.as_ref(), given.strata.as_deref());
    let unwatched = &Run::on(output::chosen_threads(matches));
    let subject = Subject {
        name: &name,
        table,
        target,
        target_name,
        covariates,
        strata,
        seed,
        run: unwatched,
    };
    let stages = Stages::new(shown, &plan(&subject));
    let run = &unwatched.watched(&stages);
    let subject = Subject { run, ..subject };
    let method = matches.get_one::<String>("method").map(String::as_str);
    let told = sections(&subject, method, &stages);
    stages.clear();
    let (sections, summary) = told?;
    let made = made::list(seed, made::sum_of_table(&name)?);
    Ok(Page { title: title(&name), summary, sections, made })
}

fn target<'l>(name: &str, loaded: &'l Loaded) -> Result<&'l Target> {
    loaded.target.as_ref().ok_or_else(|| {
        Failure::Input(format!(
            "{name}: there is no target; name its column, or a .npy file, with --target"
        ))
    })
}

/// The parts of a report on a table, each with about the steps it takes.
fn plan(subject: &Subject) -> Vec<(&'static str, f64)> {
    let (rows, columns) = (subject.table.rows(), subject.table.columns().len());
    let pairs = |most: usize| (rows.min(most) as f64).powi(2) * columns as f64;
    let mut plan = vec![
        ("data", 1e6),
        ("association", association::cost(subject)),
        ("weights", 45.0 * pairs(usize::MAX)),
        ("number of neighbours", 10.0 * pairs(3000).min(1e10)),
    ];
    if subject.classes().is_some() {
        let fits = if columns > 2000 { 30.0 } else { 130.0 };
        plan.extend([
            ("number of features", 1e9 + fits * pairs(500)),
            ("classifiers", 2e9 + 200.0 * pairs(400)),
            ("similarities", 1e9 + 20.0 * pairs(800)),
        ]);
    }
    plan.push(("rows", 1e7 + pairs(500)));
    plan
}

/// The sections and the lines for the head of the page; each section is a stage of `stages`.
fn sections(
    subject: &Subject,
    method: Option<&str>,
    stages: &Stages,
) -> Result<(Vec<Section>, Vec<String>)> {
    let usual = if subject.classes().is_some() { "relieff" } else { "rrelieff" };
    // Association has a section of its own in every report.
    let id = method.filter(|id| *id != "association").unwrap_or(usual);
    let method = weigh::method(id)?;
    stages.begin(1);
    let (data, mut summary) = data::section(subject)?;
    stages.begin(1);
    let (association, told_association, _) = association::section(subject)?;
    stages.begin(3);
    let (weights, found) = weights::section(subject, method.as_ref())?;
    summary.push(told_association);
    let mut sections = vec![data, association, weights];
    stages.begin(10);
    if method.parameters().iter().any(|one| one.name == "k") {
        sections.push(neighbour_count::section(subject, &found, id)?);
    }
    if subject.classes().is_some() {
        stages.begin(1);
        let (kept, with_few) = kept::section(subject, id)?;
        stages.begin(1);
        let (section, compared) = classifiers::section(subject)?;
        stages.begin(2);
        let baselines = compared.best.as_ref().map(|best| &best.baselines);
        let alike = similarity::section(subject, &compared.found, baselines)?;
        sections.extend([kept, alike, section]);
        summary.extend(Best::of(compared.best.into_iter().chain(with_few)).map(|best| best.line()));
    } else {
        sections.push(data::no_classes(subject));
    }
    stages.begin(1);
    let order: Vec<usize> = found.ranking().iter().map(|one| one.index).collect();
    sections.push(rows::section(subject, &order)?);
    Ok((sections, summary))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use nearkin::pool::Watch;

    use super::*;

    /// Writes down how full the bar is after each report.
    struct Recorder<'a>(&'a Stages, Mutex<Vec<f64>>);

    impl Watch for Recorder<'_> {
        fn advance(&self, done: u64, total: u64) {
            let mut seen = self.1.lock().unwrap();
            self.0.advance(done, total);
            seen.push(self.0.share());
        }

        fn stopped(&self) -> bool {
            false
        }
    }

    #[test]
    fn the_bar_of_a_report_never_goes_back_and_comes_to_its_last_stage() {
        let (table, target) = nearkin::data::bundled::load("wine").unwrap();
        let table = &table;
        let (name, target, target_name) = ("@wine", &target, "class");
        let (covariates, strata, run) = (None, None, &Run::on(2));
        let subject =
            Subject { name, table, target, target_name, covariates, strata, seed: 0, run };
        let stages = Stages::new(false, &plan(&subject));
        let recorder = Recorder(&stages, Mutex::default());
        let run = &run.watched(&recorder);
        let subject = Subject { run, ..subject };
        sections(&subject, None, &stages).unwrap();
        let seen = recorder.1.into_inner().unwrap();
        assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]), "{seen:?}");
        let different: std::collections::BTreeSet<u64> = seen.iter().map(|s| s.to_bits()).collect();
        assert!(different.len() > 100, "{}", different.len());
        assert!(stages.share() > 0.9 && stages.share() <= 1.0, "{}", stages.share());
    }
}
