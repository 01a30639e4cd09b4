//! Simulated genetics with known truth: does a method rank the predictive loci on top, and as
//! well as scikit-rebate does on the same files?
//!
//! The files are those of the ReBATE benchmark: folders of replicates under `gametes`, in
//! which the columns not named `N<number>` are predictive. Where all columns are, as in
//! multiplexers, address bits are held against register bits. Columns of up to ten distinct
//! values are categories, as they are for scikit-rebate, whose results were recorded by
//! `bench/skrebate_gametes.py`.
//!
//! Reference: R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker and J. H. Moore,
//! *Benchmarking relief-based feature selection methods for bioinformatics data mining*,
//! Journal of Biomedical Informatics 85 (2018).

mod compare;
mod groups;
mod orders;
mod peer;

use clap::{Arg, ArgAction, Command};
use nearkin::stats::separation;
use nearkin::weigh::{self, Weigh};

use super::report::{Outcome, Report, Verdict};
use super::settings::Settings;
use compare::{Line, Score};
use groups::Kind;
use nearkin_cli::failure::{Failure, Result};
use orders::Shuffled;

const EXAMPLES: &str = "\
EXAMPLES:
  # One bundled table, or the folder that NEARKIN_DATA names:
  nearkin-papers gametes --quick --methods relieff,multisurf
  # Where the data lie elsewhere:
  #   nearkin-papers gametes --data DIR --format markdown -o gametes.md";

/// One of ours and scikit-rebate's next of kin.
#[derive(Debug, Clone, Copy)]
struct Contender {
    name: &'static str,
    method: &'static str,
    peer: &'static str,
    /// Parameters that are not the default.
    settings: &'static [(&'static str, &'static str)],
}

const fn contender(name: &'static str, peer: &'static str) -> Contender {
    Contender { name, method: name, peer, settings: &[] }
}

/// Methods for classes. SURF's radius is as scikit-rebate takes it, so that the same method is
/// compared; `relieff-stable` is held against scikit-rebate with a stable sort in place of its
/// unstable one, which leaves no difference but the order of equally near rows to explain;
/// `relieff-shared` shares the places among them, so that no order of rows decides.
const METHODS: [Contender; 9] = [
    contender("relieff", "relieff"),
    Contender { name: "relieff-stable", ..contender("relieff", "relieff-stable") },
    Contender {
        name: "relieff-shared",
        method: "relieff",
        peer: "relieff",
        settings: &[("ties", "average")],
    },
    Contender { settings: &[("diagonal", "true")], ..contender("surf", "surf") },
    Contender { settings: &[("diagonal", "true")], ..contender("surf-star", "surf-star") },
    contender("multisurf", "multisurf"),
    contender("multisurf-star", "multisurf-star"),
    contender("relief-seq", "relieff"),
    Contender { settings: &[("refresh", "8")], ..contender("pdrelieff", "relieff") },
];
/// The method for real targets.
const REAL: Contender = contender("rrelieff", "relieff");
/// Replicates and cells of a table in a quick run.
const QUICK: (usize, usize) = (2, 100_000);

/// The command line.
pub fn command() -> Command {
    let names: Vec<&str> = METHODS.iter().chain([&REAL]).map(|one| one.name).collect();
    let methods = Arg::new("methods")
        .long("methods")
        .value_name("METHODS")
        .value_delimiter(',')
        .action(ArgAction::Append)
        .help(format!("Which of {}. Default: all", names.join(", ")))
        .help_heading("Running");
    Command::new("gametes")
        .about("Simulated genetics: are the predictive loci on top, as they are for scikit-rebate?")
        .after_help(EXAMPLES)
        .arg(methods)
}

/// Run every method on every replicate.
pub fn run(settings: &Settings) -> Result<Report> {
    let chosen = chosen(settings)?;
    let (groups, mut notes) = groups::find(settings)?;
    let recorded = peer::recorded()?;
    let (mut lines, mut shuffled) = (Vec::new(), Vec::new());
    for group in &groups {
        let mut orders = Shuffled::of(&group.name).filter(|_| !settings.quick);
        let mut scores: Vec<Vec<Score>> = vec![Vec::new(); chosen.len()];
        let mut kind = None;
        for file in group.files(settings.quick.then_some(QUICK.0)) {
            let Some(sample) = file.read(settings.quick.then_some(QUICK.1))? else {
                notes.push(format!("{}/{} is left out of a quick run", group.name, file.replicate));
                continue;
            };
            kind = Some(sample.kind);
            for (one, scores) in chosen.iter().zip(&mut scores) {
                if (one.name == REAL.name) != (sample.kind == Kind::Real) {
                    continue;
                }
                let peer = recorded.get(&group.name, &file.replicate, one.peer);
                scores.push(score(one, &sample, settings, peer)?);
                if let Some(orders) = orders.as_mut().filter(|_| one.name == "relieff") {
                    orders.add(&sample, |sample| Ok(score(one, sample, settings, None)?.auc))?;
                }
            }
        }
        shuffled.extend(orders);
        let Some(kind) = kind else { continue };
        for (one, scores) in chosen.iter().zip(scores) {
            if !scores.is_empty() {
                lines.push(Line::new(&group.name, kind, (one.name, one.peer), &scores));
            }
        }
    }
    Ok(report(&lines, &shuffled, notes))
}

/// The methods asked for, each with scikit-rebate's.
fn chosen(settings: &Settings) -> Result<Vec<Contender>> {
    let all = || METHODS.into_iter().chain([REAL]);
    let names: Vec<&str> = all().map(|one| one.name).collect();
    if let Some(word) = settings.methods.iter().find(|word| !names.contains(&word.as_str())) {
        return Err(Failure::Input(format!(
            "--methods: `{word}` is not among {}",
            names.join(", ")
        )));
    }
    let wanted =
        |name: &str| settings.methods.is_empty() || settings.methods.iter().any(|m| m == name);
    Ok(all().filter(|one| wanted(one.name)).collect())
}

fn score(
    one: &Contender,
    sample: &groups::Sample,
    settings: &Settings,
    peer: Option<(f64, bool)>,
) -> Result<Score> {
    let mut method = weigh::method(one.method)?;
    for (name, value) in one.settings {
        weigh::set(&mut *method, name, value)?;
    }
    let weights = fit(&*method, sample, settings)?;
    let found = separation(&without_rounding(&weights), &sample.relevant)?;
    let (auc, top) = found.map_or((0.5, false), |s| (s.auc, s.separability > 0.0));
    Ok(Score { auc, top, peer })
}

/// Weights in units of 1e-10 of the greatest, so that those which are equal but for the rounding
/// of their sums tie: the order of a sum must decide no rank. The record does the same.
fn without_rounding(weights: &[f64]) -> Vec<f64> {
    let greatest = weights.iter().fold(0.0f64, |greatest, w| greatest.max(w.abs()));
    let unit = if greatest > 0.0 { greatest } else { 1.0 };
    weights.iter().map(|w| (w / unit * 1e10).round()).collect()
}

fn fit(method: &dyn Weigh, sample: &groups::Sample, settings: &Settings) -> Result<Vec<f64>> {
    let fitted =
        method.fit_with(&sample.table, &sample.target, &weigh::Extras::default(), &settings.run());
    Ok(fitted.map_err(|error| Failure::of_table(&sample.name, error))?.weights)
}

fn report(lines: &[Line], shuffled: &[Shuffled], mut notes: Vec<String>) -> Report {
    let mut methods: Vec<&str> = Vec::new();
    for line in lines {
        if !methods.contains(&line.method) {
            methods.push(line.method);
        }
    }
    let mut sections = vec![compare::summary(&methods, lines)];
    sections.extend(orders::section(lines, shuffled));
    for method in &methods {
        let own: Vec<&Line> = lines.iter().filter(|line| line.method == *method).collect();
        sections.push(compare::table(title(method), &own));
    }
    notes.extend(compare::unrecorded(lines));
    Report {
        setting: setting(),
        sections,
        verdicts: methods.iter().map(|method| verdict(method, lines)).collect(),
        head: compare::COLUMNS.to_vec(),
        rows: lines.iter().map(Line::values).collect(),
        notes,
    }
}

fn title(name: &str) -> String {
    let all = METHODS.iter().chain([&REAL]);
    all.filter(|one| one.name == name)
        .map(|one| {
            let settings = one.settings.iter().map(|(name, to)| format!(" --{name} {to}"));
            let settings: String = settings.collect();
            format!("{}{settings} beside scikit-rebate's {}", one.method, one.peer)
        })
        .collect()
}

fn setting() -> String {
    format!(
        "Simulated genetics with known truth, beside {}\n\
         AUC: the probability that a predictive feature ranks above another one, where ties count \
         half; mean and standard error over replicates.\nWeights that differ by less than 1e-10 of \
         the greatest weight are ties. Power: the share of replicates in which all predictive \
         features rank first.\nThe difference is over the replicates recorded for both: \"worse\" \
         or \"better\" if its mean reaches one standard error of the paired differences,\nor, with \
         a single replicate, if there is any difference; else \"not worse\". By chance alone, \
         about one line in five that is no tie\nis beyond one standard error, on either side.",
        peer::RELEASE
    )
}

fn verdict(method: &str, lines: &[Line]) -> Verdict {
    let own: Vec<&Line> = lines.iter().filter(|line| line.method == method).collect();
    let pooled = compare::pooled(&own);
    Verdict {
        name: method.to_owned(),
        claim: "Over all groups it ranks predictive features no worse than scikit-rebate",
        outcome: match pooled.replicates {
            0 => Outcome::NotTried,
            _ => Outcome::of(!pooled.is_worse(), false),
        },
        evidence: pooled.told(),
    }
}
