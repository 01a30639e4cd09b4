//! Double Relief with progressive weighting: which of three algorithms sets relevant features
//! apart best, and is it as the paper says?
//!
//! The text of the paper that survives names three of its six problems and no numbers; the
//! other problems, n, k and the number of tables are ours. Beside our figures stand those of
//! an independent prototype of the same design ([`problems`]), whose tables were drawn by
//! other generators from other seeds: its means can be compared, its tables cannot.
//!
//! Reference: *Double Relief with progressive weighting function*, arXiv 1509.04265.

mod claims;
mod figures;
mod problems;
mod studies;

use clap::Command;
use nearkin::evaluate::Spread;
use serde_json::Value;

use super::report::{Report, Section};
use super::settings::{self, Settings};
use claims::{ALGORITHMS, D, Findings, PD, RELIEF};
use nearkin_cli::failure::Result;
use problems::{PROBLEMS, Problem};

const EXAMPLES: &str = "\
EXAMPLES:
  nearkin-papers double-relief --quick
  # How much the order of rows matters, and nothing else:
  nearkin-papers double-relief --quick --table 3
  # The data of the figures: separability and its running sum against relevant features
  nearkin-papers double-relief --quick --format csv -o double-relief.csv";

/// The tables that `--table` chooses from.
const MAIN: usize = 1;
const WIDE: usize = 2;
const ORDERS: usize = 3;
const NORMALISERS: usize = 4;
const REFRESHES: usize = 5;

/// The command line.
pub fn command() -> Command {
    let table = settings::tables(REFRESHES as u64).help(
        "Only these of our tables, for the paper's text prints none: 1 all problems beside the \
         prototype, 2 many features and few rows, 3 orders of rows, 4 normalisers, 5 refresh \
         periods. Default: all, of which a quick run leaves out 4 and 5",
    );
    Command::new("double-relief")
        .about("ReliefF, pdReliefF and dReliefF on nine artificial problems (arXiv 1509.04265)")
        .after_help(EXAMPLES)
        .args([table, settings::figures(), settings::resume()])
}

/// Run the study.
pub fn run(settings: &Settings) -> Result<Report> {
    let sets = settings.repetitions(3, 12);
    let wants = |table| match table {
        // What the claims do without is left out of a quick run, unless it is asked for.
        NORMALISERS | REFRESHES if settings.quick => settings.tables.contains(&table),
        _ => settings.wants(table),
    };
    let mut sections = Vec::new();
    let (mut found, mut rbf, mut spreads) = (Vec::new(), None, Vec::new());
    if wants(MAIN) {
        found = studies::main(settings, sets)?;
        figures::draw(&found, settings)?;
        sections.extend([main_table(&found), prototype_table(&found)]);
    }
    if wants(WIDE) {
        let wide = studies::wide(settings, sets)?;
        rbf = wide.rbf();
        sections.push(wide.section());
    }
    if wants(ORDERS) {
        let orders = studies::orders(settings)?;
        sections.push(orders.section());
        spreads = orders.spreads;
    }
    if wants(NORMALISERS) {
        sections.extend(studies::normalisers(settings, sets)?);
    }
    if wants(REFRESHES) {
        sections.extend(studies::refreshes(settings, sets)?);
    }
    let verdicts = claims::verdicts(&found, rbf, &spreads);
    Ok(Report {
        setting: setting(sets),
        sections,
        verdicts,
        head: vec![
            "problem",
            "relevant",
            "algorithm",
            "sets",
            "separability",
            "accumulated",
            "usability",
            "auc",
        ],
        rows: rows(&found),
        notes: vec![],
    })
}

fn setting(sets: usize) -> String {
    format!(
        "Double Relief with progressive weighting (arXiv 1509.04265), run again\n\
         R relevant and 2R irrelevant features, {rows} rows, {sets} tables a cell, every table \
         weighed by all three\nalgorithms: k {k}, Euclidean on ranges (HEOM), ties averaged, one \
         random order a table, clip-max,\npdReliefF by the half-area Weibull schedule (p = 4). A \
         table with a class of fewer than k + 1 rows is\ndrawn again. Separability: least weight \
         of a relevant feature minus greatest of an irrelevant one.",
        rows = problems::ROWS,
        k = problems::K,
    )
}

fn signed(spread: Spread) -> String {
    format!("{:+.4} ({:.4})", spread.mean, spread.error())
}

fn main_table(found: &[Findings]) -> Section {
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|one| {
            let mut row = vec![one.name.to_owned(), one.tables().to_string()];
            row.extend([RELIEF, PD, D].map(|a| format!("{:.4}", one.mean(a))));
            row.extend(
                [(D, RELIEF), (PD, RELIEF), (PD, D)].map(|(a, b)| signed(one.difference(a, b))),
            );
            row.extend([RELIEF, PD, D].map(|a| format!("{:.3}", one.auc(a))));
            row
        })
        .collect();
    let head = [
        "problem",
        "tables",
        "ReliefF",
        "pdReliefF",
        "dReliefF",
        "d-Rel (s.e.)",
        "pd-Rel (s.e.)",
        "pd-d (s.e.)",
        "AUC Rel",
        "pd",
        "d",
    ];
    Section::table("Mean separability, paired differences and AUC", &head, &rows, "")
}

/// Ours beside the prototype's.
fn prototype_table(found: &[Findings]) -> Section {
    let mut agreeing = 0;
    let mut rows = Vec::new();
    for (one, problem) in found.iter().zip(&PROBLEMS) {
        let Problem { prototype: theirs, .. } = problem;
        let mut row = vec![one.name.to_owned()];
        row.push(theirs.separability.map(|s| format!("{s:.4}")).join(" "));
        row.push([RELIEF, PD, D].map(|a| format!("{:.4}", one.mean(a))).join(" "));
        for (algorithm, (mean, error)) in [(D, theirs.double), (PD, theirs.progressive)] {
            let ours = one.difference(algorithm, RELIEF);
            let z = (ours.mean - mean) / (ours.error().powi(2) + error.powi(2)).sqrt();
            agreeing += usize::from(z.abs() <= 2.0);
            row.extend([format!("{mean:+.4} ({error:.4})"), format!("{z:+.1}")]);
        }
        row.push(theirs.auc.map(|auc| format!("{auc:.3}")).join(" "));
        rows.push(row);
    }
    let head = [
        "problem",
        "prototype Rel pd d",
        "ours Rel pd d",
        "prototype d-Rel",
        "z",
        "prototype pd-Rel",
        "z",
        "prototype AUC",
    ];
    let below = format!(
        "z: our paired difference minus the prototype's, over their joint standard error; {agreeing} \
         of {} within 2.\nThe prototype's sphere was cut at the median radius, ours at the mean \
         square; its tables came from other\ngenerators and seeds.\n",
        2 * rows.len()
    );
    Section::table("Beside the prototype's figures", &head, &rows, &below)
}

fn rows(found: &[Findings]) -> Vec<Vec<Value>> {
    let mut rows = Vec::new();
    for one in found {
        let mut accumulated = [0.0; 3];
        for cell in &one.cells {
            for (algorithm, name) in ALGORITHMS.iter().enumerate() {
                let mean = claims::mean(&cell.separability[algorithm]);
                accumulated[algorithm] += mean;
                rows.push(vec![
                    one.name.into(),
                    cell.relevant.into(),
                    (*name).into(),
                    cell.separability[algorithm].len().into(),
                    mean.into(),
                    accumulated[algorithm].into(),
                    claims::mean(&cell.usability[algorithm]).into(),
                    claims::mean(&cell.auc[algorithm]).into(),
                ]);
            }
        }
    }
    rows
}
