//! Accuracy against the number of features kept.

use nearkin::data::{Cut, Protocol};
use nearkin::evaluate::pipeline::{Named, Pipeline, Use, Weights};
use nearkin::evaluate::{Plan, Source, Study, Summary, summarise};

use crate::failure::Result;
use crate::plot::lines::{self, Around, Line, Sample};
use crate::report::{Cell, Section, Subject, Table, WIDTH, counted};

/// Rows that are evaluated on.
const ROWS: usize = 500;

/// The section; features are weighed anew by `method` on the training rows of every split.
pub fn section(subject: &Subject, method: &str) -> Result<Section> {
    let heading = "How many features are needed?";
    super::told(Section::new("kept", "How many", heading), |section| {
        let drawn = subject.drawn(ROWS)?;
        let Some(classes) = drawn.classes() else { return Ok(()) };
        let counts = counts(subject.table.columns().len());
        let keeping = |&count: &usize| {
            let weights = Weights { method: Named::new(method), using: Use::Keep(count) };
            Plan::new(count.to_string(), Pipeline { weights: Some(weights), ..Pipeline::default() })
        };
        let plans: Vec<Plan> = counts.iter().map(keeping).collect();
        let protocol =
            Protocol { cut: Cut::Folds(5), repeats: 2, stratified: true, seed: subject.seed };
        let study = Study { protocol, ..Study::default() };
        let source = Source::Table(&drawn.table);
        let trials =
            study.run((source, classes, None), &plans, Vec::new(), &|_| (), subject.run)?;
        let found: Vec<Summary> =
            (0..plans.len()).map(|plan| summarise(&trials, plan)).collect::<Result<_, _>>()?;
        tell(section, &counts, &found);
        section.notes(drawn.note);
        Ok(())
    })
}

/// 1, 2, 3, 5, … up to all.
fn counts(all: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = [1, 2, 3, 5, 8, 12, 20, 30, 50, 100, 200, 500, 1000]
        .into_iter()
        .filter(|&count| count < all)
        .collect();
    counts.push(all);
    counts
}

fn tell(section: &mut Section, counts: &[usize], found: &[Summary]) {
    let best = found.iter().max_by(|a, b| a.by_split.mean.total_cmp(&b.by_split.mean));
    let Some(best) = best else { return };
    // The fewest that are as good as the best, within its standard error.
    let enough = best.by_split.mean - best.by_split.error();
    let fewest = counts.iter().zip(found).find(|(_, one)| one.by_split.mean >= enough);
    if let Some((count, one)) = fewest {
        let enough = format!(
            "{} enough: accuracy {:.3}",
            counted(*count, "feature is", "features are"),
            one.by_split.mean
        );
        section.answer(match one.name == best.name {
            true => format!("{enough}, which no other number tried exceeds."),
            false => format!(
                "{enough}, within a standard error of the best, {:.3} with {} features.",
                best.by_split.mean, best.name
            ),
        });
    }
    section.words(
        "Accuracy of the five nearest rows (Euclidean) that see only the heaviest features, over \
         two runs of five stratified folds. Features are weighed anew on the training rows of each \
         fold, so the choice is judged on rows that took no part in it. The band is a standard \
         deviation over folds to either side.",
    );
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
        ..Around::default()
    };
    section.figure(lines::draw(around, &[line], WIDTH), "figure-kept");
    let row = |(&count, one): (&usize, &Summary)| {
        vec![
            Cell::Number(count as f64),
            Cell::Number(one.by_split.mean),
            Cell::Number(one.by_split.deviation),
            Cell::Number(one.balanced_accuracy),
        ]
    };
    section.table(Table::new(
        "features-kept",
        "Accuracy for each number of features kept",
        ["features", "accuracy", "deviation over folds", "balanced accuracy"],
        counts.iter().zip(found).map(row).collect(),
    ));
}
