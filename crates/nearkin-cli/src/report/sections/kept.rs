//! Accuracy against the number of features kept.

use nearkin::data::{Cut, Protocol};
use nearkin::evaluate::pipeline::{Named, Pipeline, Use, Weights};
use nearkin::evaluate::{Plan, Source, Study, Summary, compare, summarise};

use crate::failure::Result;
use crate::plot::lines::{self, Around, Line, Sample};
use crate::report::baseline::{self, Baselines};
use crate::report::{Best, Cell, Section, Subject, Table, WIDTH, counted};

/// Rows that are evaluated on.
const ROWS: usize = 500;

/// A word for the list of sections.
const SHORT: &str = "How many";

/// The section and its best accuracy; features are weighed anew by `method` on the training rows of
/// every split.
pub fn section(subject: &Subject, method: &str) -> Result<(Section, Option<Best>)> {
    let heading = "How many features are needed?";
    let mut best = None;
    let section = super::told(Section::new("kept", SHORT, heading), |section| {
        let drawn = subject.drawn(ROWS)?;
        let Some(classes) = drawn.classes() else { return Ok(()) };
        let columns = subject.table.columns().len();
        let (counts, repeats) = (counts(columns), if columns > WIDE { 1 } else { 2 });
        let keeping = |&count: &usize| {
            let weights = Weights { method: Named::new(method), using: Use::Keep(count) };
            Plan::new(count.to_string(), Pipeline { weights: Some(weights), ..Pipeline::default() })
        };
        let mut plans: Vec<Plan> = counts.iter().map(keeping).collect();
        let constant = plans.len();
        let majority = nearkin::evaluate::Subject::Majority;
        plans.push(Plan::constant("most frequent class", majority));
        let protocol =
            Protocol { cut: Cut::Folds(5), repeats, stratified: true, seed: subject.seed };
        let study = Study { protocol, ..Study::default() };
        let source = Source::Table(&drawn.table);
        let trials =
            study.run((source, classes, None), &plans, Vec::new(), &|_| (), subject.run)?;
        let found: Vec<Summary> =
            (0..constant).map(|plan| summarise(&trials, plan)).collect::<Result<_, _>>()?;
        let baselines = baseline::find(&drawn.table, classes, &protocol)?;
        let most = (0..found.len())
            .reduce(|a, b| if mean(&found[b]) > mean(&found[a]) { b } else { a })
            .unwrap_or(0);
        let beats_constant = mean(&found[most]) > baselines.constant
            && compare(&trials, most, constant)?.mcnemar_p <= SURE;
        let name = match counts[most] == subject.table.columns().len() {
            true => "the five nearest rows over all features".to_owned(),
            false => format!(
                "the five nearest rows over the {} by {}",
                counted(counts[most], "heaviest feature", "heaviest features"),
                nearkin::weigh::method(method)?.about().title
            ),
        };
        tell(section, (&counts, &found), (most, repeats), (&baselines, beats_constant));
        best = Some(Best {
            accuracy: mean(&found[most]),
            name,
            section: SHORT,
            rows: drawn.rows.len(),
            beats_constant,
            baselines,
        });
        section.notes(drawn.note);
        Ok(())
    })?;
    Ok((section, best))
}

/// A p at most this tells two answers apart.
const SURE: f64 = 0.05;

fn mean(one: &Summary) -> f64 {
    one.by_split.mean
}

/// Columns beyond which fewer numbers of features are tried, as each weighs all columns anew.
const WIDE: usize = 2000;

/// 1, 2, 3, 5, … up to all.
fn counts(all: usize) -> Vec<usize> {
    let tried: &[usize] = match all > WIDE {
        true => &[1, 5, 20, 100, 500],
        false => &[1, 2, 3, 5, 8, 12, 20, 30, 50, 100, 200, 500, 1000],
    };
    let mut counts: Vec<usize> = tried.iter().copied().filter(|&count| count < all).collect();
    counts.push(all);
    counts
}

fn tell(
    section: &mut Section,
    (counts, found): (&[usize], &[Summary]),
    (most, repeats): (usize, usize),
    (baselines, beats_constant): (&Baselines, bool),
) {
    let best = &found[most];
    // The fewest that are as good as the best, within its standard error, and better than a constant.
    let enough = best.by_split.mean - best.by_split.error();
    let does = |one: &Summary| mean(one) >= enough && mean(one) > baselines.constant;
    let fewest = counts.iter().zip(found).find(|(_, one)| does(one));
    section.answer(match fewest.filter(|_| beats_constant) {
        Some((count, one)) => {
            let enough = format!(
                "{} enough: accuracy {:.3}",
                counted(*count, "feature is", "features are"),
                mean(one)
            );
            let beside = match one.name == best.name {
                true => "which no other number tried exceeds".to_owned(),
                false => format!(
                    "within a standard error of the best, {:.3} with {} features",
                    mean(best),
                    best.name
                ),
            };
            format!("{enough}, {beside}. {}", baselines.told())
        }
        None => format!(
            "No number of features is enough: the highest accuracy, {:.3} with {}, cannot be told \
             from always answering the most frequent class (exact test of single answers, p above \
             {SURE}). {}",
            mean(best),
            counted(counts[most], "feature", "features"),
            baselines.told()
        ),
    });
    let runs = if repeats == 1 { "one run" } else { "two runs" };
    section.words(format!(
        "Accuracy of the five nearest rows (Euclidean) that see only the heaviest features, over \
         {runs} of five stratified folds. Features are weighed anew on the training rows of each \
         fold, so the choice is judged on rows that took no part in it. The band is a standard \
         deviation over folds to either side.",
    ));
    let points = counts.iter().zip(found).map(|(&count, one)| {
        let (mean, spread) = (one.by_split.mean, one.by_split.deviation);
        Sample {
            x: count as f64,
            y: mean,
            ends: Some(((mean - spread).max(0.0), (mean + spread).min(1.0))),
        }
    });
    let line = Line { name: "accuracy".into(), points: points.collect() };
    let around = Around {
        title: "Accuracy against features kept",
        x: "features",
        y: "accuracy",
        log: true,
        levels: &[
            (baselines.constant, "most frequent class"),
            (baselines.rule, "best rule of one feature"),
        ],
        ..Around::default()
    };
    let figure = lines::draw(around, &[line], WIDTH);
    section.figure(figure, "figure-kept");
    let row = |(&count, one): (&usize, &Summary)| {
        vec![
            Cell::Number(count as f64),
            Cell::Number(one.by_split.mean),
            Cell::Number(one.by_split.deviation),
            Cell::Number(one.balanced_accuracy),
            Cell::Number(baselines.constant),
            Cell::Number(baselines.rule),
        ]
    };
    section.table(Table::new(
        "features-kept",
        "Accuracy for each number of features kept",
        [
            "features",
            "accuracy",
            "deviation over folds",
            "balanced accuracy",
            "most frequent class",
            "best rule of one feature",
        ],
        counts.iter().zip(found).map(row).collect(),
    ));
}
