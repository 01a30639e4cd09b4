//! RELIEF, RBS, sRBS and their PSD forms on fifteen data sets: the paper's tables and margin
//! figures, and its claims by name.
//!
//! The paper does not say so, but its figures are those of a diagonal matrix over rows of length
//! 1, features as they stand, each class told from the rest, accuracy averaged over classes; ±
//! is over class × fold. Grids are not published: ours are k in {1, 3}, β in {0.1, 1, 10} and
//! λ in {0.1, 0.001}, ties going to the smallest change. Neighbours at test time are the rows
//! learned from.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012.

mod claims;
mod figures;
mod plans;

use clap::Command;
use nearkin::evaluate::{Study, Subject};

use super::measured::{Measured, ascii, measure};
use super::printed::{self, Figure};
use super::report::{Report, Section};
use super::settings::Settings;
use super::{manifest, settings};
use nearkin_cli::failure::Result;

const EXAMPLES: &str = "\
EXAMPLES:
  nearkin-papers relief-srbs --quick
  # One table, and the margin figures as SVG:
  nearkin-papers relief-srbs --quick --table 2 --figures margins
  # The whole, resumable:
  nearkin-papers relief-srbs --resume relief-srbs.trials --format markdown -o relief-srbs.md";

/// The printed tables with figures or marks, by number.
pub const TABLES: [(usize, &str); 7] = [
    (2, include_str!("../data/relief-srbs_table2_cosine_vs_euclidean.csv")),
    (3, include_str!("../data/relief-srbs_table3_relief_family_knnA.csv")),
    (4, include_str!("../data/relief-srbs_table4_relief_family_sknnA.csv")),
    (5, include_str!("../data/relief-srbs_table5_rbs_vs_srbs_marks.csv")),
    (6, include_str!("../data/relief-srbs_table6_psd_knnA.csv")),
    (7, include_str!("../data/relief-srbs_table7_psd_sknnA.csv")),
    (8, include_str!("../data/relief-srbs_table8_psd_effect_marks.csv")),
];
const SETS: &str = include_str!("../data/relief-srbs_table1_datasets.csv");

/// The command line.
pub fn command() -> Command {
    Command::new("relief-srbs")
        .about("RELIEF-based similarity learning on fifteen sets (Qamar & Gaussier 2012)")
        .args(settings::table_args(
            8,
            SETS.lines().skip(1).filter_map(|line| line.split(',').next()),
        ))
        .after_help(EXAMPLES)
}

/// Rows up to which a set is small, and classes.
const SMALL: usize = 1000;

/// Run the study.
pub fn run(settings: &Settings) -> Result<Report> {
    let mut notes = Vec::new();
    let mut measured = Vec::new();
    let mut sizes = Vec::new();
    for line in SETS.lines().skip(1) {
        let cells = printed::cells(line);
        let [name, learn, valid, test, classes, features] = &cells[..] else { continue };
        if !settings.wants_set(name) {
            continue;
        }
        let Some((table, known)) = manifest::table(settings, name, &mut notes)? else {
            continue;
        };
        let rows = table.rows();
        let fold = rows / 5;
        let validation = (rows - fold).div_ceil(5);
        sizes.push(vec![
            name.clone(),
            format!("{}/{validation}/{fold}", rows - fold - validation),
            format!("{learn}/{valid}/{test}"),
            format!("{} | {classes}", known.len()),
            format!("{} | {features}", table.columns().len()),
        ]);
        let large = rows > SMALL || known.len() > 6;
        if settings.quick && large {
            notes.push(format!("{name}: {rows} rows; left out of the quick run"));
            continue;
        }
        let partitions = match rows {
            _ if settings.quick => settings.repetitions(2, 2),
            rows if rows > 10_000 => 1,
            rows if rows > SMALL => settings.repetitions(2, 2),
            _ => settings.repetitions(2, 20),
        };
        let plans = plans::all(settings, rows, &mut notes, name);
        if plans.iter().all(|plan| !matches!(plan.subject, Subject::Pipeline(_))) {
            continue;
        }
        let study = Study::srbs_2012(settings.seed, partitions);
        measured.push(measure(name, (&table, &known), (&study, &plans), settings)?);
        settings.told(&format!("{name} is done"));
    }
    if settings.data.is_none() {
        notes.push(
            "the data folder was not found, so only sets that are bundled were run; name it by \
             --data or NEARKIN_DATA"
                .into(),
        );
    }
    let mut sections = Vec::new();
    if settings.wants(1) {
        let head = ["data set", "ours learn/valid/test", "printed", "classes", "features"];
        sections.push(Section::table("Table 1: sizes", &head, &sizes, ""));
    }
    let mut rows = Vec::new();
    for (number, text) in TABLES.iter().filter(|(number, _)| settings.wants(*number)) {
        let figures = printed::figures(text);
        sections.push(match number {
            5 | 8 => marks(*number, &figures, &measured),
            _ => table(*number, &figures, &measured, &mut rows),
        });
    }
    sections.push(baselines(&measured));
    let plots = figures::margins(settings, &mut notes)?;
    sections.push(plots);
    Ok(Report {
        setting: setting(settings),
        sections,
        verdicts: claims::verdicts(&measured),
        head: vec![
            "table",
            "dataset",
            "method",
            "partitions",
            "accuracy",
            "partition_sd",
            "sd",
            "constant",
            "printed",
            "printed_sd",
            "z",
            "verdict",
            "mark",
            "printed_mark",
        ],
        rows,
        notes,
    })
}

fn setting(settings: &Settings) -> String {
    let partitions = settings.repetitions(2, 20);
    format!(
        "RELIEF and similarity learning (Qamar & Gaussier 2012), run again\nFive folds of n/5 rows, \
         not stratified, a fifth of the rest for validation; each class against the rest; accuracy \
         is the mean over classes.\nUp to {partitions} partitions of each set. Diagonal matrices \
         over rows of length 1, features as they stand; k from {{1, 3}}, beta from {{0.1, 1, 10}}, \
         lambda\nfrom {{0.1, 0.001}} on the validation rows. RELIEF is the algorithm the paper \
         prints, its weights a weighted L1 distance; the paper's RELIEF\nfigures are known not to \
         come out of it. A cell agrees within two joint standard errors: those of one partition \
         (theirs) and of the mean of ours."
    )
}

/// A table of accuracies: ours, ± over class × fold, printed, and how they compare.
fn table(
    number: usize,
    figures: &[Figure],
    measured: &[Measured],
    rows: &mut Vec<Vec<serde_json::Value>>,
) -> Section {
    let mut methods: Vec<&str> = Vec::new();
    figures.iter().for_each(|f| {
        if !methods.contains(&f.method.as_str()) {
            methods.push(&f.method);
        }
    });
    let (mut agreeing, mut within, mut all, mut marks) = (0, 0, 0, (0, 0));
    let mut lines = Vec::new();
    for set in measured {
        let mut line = vec![set.set.clone()];
        for method in &methods {
            let printed = figures.iter().find(|f| f.set == set.set && f.method == **method);
            let (Some(printed), Some(cell)) = (printed, set.cell(method)) else {
                line.push("-".into());
                continue;
            };
            let found = cell.against(printed);
            let mark = mark_of(number, &methods, method, set);
            all += 1;
            agreeing += usize::from(found.is_some_and(|a| a.agrees()));
            within += usize::from(found.is_some_and(|a| a.within));
            let theirs = if printed.mark.is_empty() { "=" } else { &printed.mark };
            if *method != methods[0] || number == 2 {
                marks.1 += 1;
                marks.0 += usize::from(mark == theirs);
            }
            line.push(format!(
                "{:.3} ±{:.3} {mark} | {} {} {}",
                cell.means.mean,
                cell.deviation,
                printed.mean.map_or("-".into(), |m| format!("{m:.3}")),
                printed.mark,
                found.map_or("-", |a| a.word()),
            ));
            rows.push(vec![
                number.into(),
                set.set.as_str().into(),
                (*method).into(),
                cell.means.count.into(),
                cell.means.mean.into(),
                cell.means.deviation.into(),
                cell.deviation.into(),
                cell.constant.into(),
                printed.mean.into(),
                printed.deviation.into(),
                found.map(|a| a.z).into(),
                found.map_or("-", |a| a.word()).into(),
                mark.into(),
                printed.mark.as_str().into(),
            ]);
        }
        lines.push(line);
    }
    let mut head = vec!["data set"];
    head.extend(&methods);
    let below = format!(
        "ours ±(class x fold) mark | printed mark verdict. {agreeing} of {all} cells agree within \
         two joint standard errors, {within} within the printed ±; {} of {} marks are the \
         printed ones.\n",
        marks.0, marks.1
    );
    Section::table(format!("Table {number}"), &head, &lines, &below)
}

/// Our mark of `method` as the printed tables place it.
fn mark_of(number: usize, methods: &[&str], method: &str, set: &Measured) -> &'static str {
    let Some(first) = methods.first() else { return "-" };
    if number == 2 {
        // Of the two, the better one carries the mark.
        let other = if method == *first { methods.get(1) } else { Some(first) };
        let mark = other.and_then(|other| set.mark(method, other));
        return match ascii(mark) {
            "<" | "<<" => "=",
            word => word,
        };
    }
    if method == *first { "=" } else { ascii(set.mark(method, first)) }
}

/// A table of marks alone.
fn marks(number: usize, figures: &[Figure], measured: &[Measured]) -> Section {
    let (mut same, mut all) = (0, 0);
    let mut lines = Vec::new();
    for figure in figures {
        let Some(set) = measured.iter().find(|set| set.set == figure.set) else { continue };
        let Some((first, second)) = pair(&figure.method) else { continue };
        let ours = ascii(set.mark(&first, &second));
        if ours == "-" {
            continue;
        }
        all += 1;
        same += usize::from(ours == figure.mark);
        lines.push(vec![set.set.clone(), figure.method.clone(), ours.into(), figure.mark.clone()]);
    }
    let below = format!("{same} of {all} marks are the printed ones.\n");
    let head = ["data set", "comparison", "ours", "printed"];
    Section::table(format!("Table {number}: marks of the s-test"), &head, &lines, &below)
}

/// The two methods of `kNN-A (RBS) / kNN-A (sRBS)` or `RBS / RBS-PSD [kNN-A]`.
fn pair(text: &str) -> Option<(String, String)> {
    let (names, rule) = match text.split_once(" [") {
        Some((names, rule)) => (names, Some(rule.trim_end_matches(']'))),
        None => (text, None),
    };
    let (first, second) = names.split_once(" / ")?;
    let full = |name: &str| match rule {
        Some(rule) => format!("{rule} ({})", name.trim()),
        None => name.trim().to_owned(),
    };
    Some((full(first), full(second)))
}

/// Baselines, and who answers with one class only.
fn baselines(measured: &[Measured]) -> Section {
    let names = ["kNN-cosine", "kNN-Euclidean", "SkNN-cosine", "majority", "all-rest"];
    let mut lines = Vec::new();
    for set in measured {
        let mut line = vec![set.set.clone()];
        line.extend(names.iter().map(|name| {
            set.cell(name).map_or("-".into(), |cell| format!("{:.3}", cell.means.mean))
        }));
        let constant = set.cells.iter().filter_map(|(name, cell)| {
            let share = cell.as_ref()?.constant;
            (share >= 0.5 && !["majority", "all-rest"].contains(&name.as_str()))
                .then(|| format!("{name} {:.0} %", 100.0 * share))
        });
        line.push(constant.collect::<Vec<_>>().join(", "));
        lines.push(line);
    }
    let mut head = vec!["data set"];
    head.extend(names);
    head.push("constant on at least half of the problems");
    Section::table("Baselines, and methods that answer with one class", &head, &lines, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_name_their_methods() {
        let names = |text: &str| pair(text).unwrap();
        assert_eq!(
            names("kNN-A (RBS) / kNN-A (sRBS)"),
            ("kNN-A (RBS)".into(), "kNN-A (sRBS)".into())
        );
        assert_eq!(
            names("RBS / RBS-PSD [SkNN-A]"),
            ("SkNN-A (RBS)".into(), "SkNN-A (RBS-PSD)".into())
        );
        assert_eq!(printed::figures(TABLES[0].1).len(), 28);
    }
}
