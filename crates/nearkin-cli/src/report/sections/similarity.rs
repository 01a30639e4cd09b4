//! Which similarity suits: margins before and after learning.

use nearkin::data::{Dense, TableRows};
use nearkin::evaluate::Summary;
use nearkin::evaluate::pipeline::{Named, Scaler};
use nearkin::learn::LearnedMatrix;
use nearkin::measure::Scaling;

use crate::failure::{Failure, Result};
use crate::plot::bars::{self, Bar};
use crate::plot::histogram::{self, Heap};
use crate::plot::margins;
use crate::report::baseline::Baselines;
use crate::report::{Cell, Section, Subject, Table, WIDTH};

/// Rows that are learned from.
const ROWS: usize = 800;
/// Columns beyond which only a diagonal is learned.
const FULL: usize = 40;

/// A column that gives rows of zeros a direction and hardly turns others.
const SMALL: &str = "0.01";

/// The section. For tables with categories or missing cells it only says why nothing was learned.
///
/// `compared` holds the accuracy of k-NN under each similarity, on rows that were not used for
/// learning.
pub fn section(
    subject: &Subject,
    compared: &[(usize, Summary)],
    baselines: Option<&Baselines>,
) -> Result<Section> {
    let heading = "Which similarity suits?";
    super::told(Section::new("similarity", "Similarity", heading), |section| {
        if subject.classes().is_none() {
            return Err(Failure::Input("a similarity is learned from classes".into()));
        }
        unseen(section, compared, baselines);
        TableRows::of(subject.table)?;
        let drawn = subject.drawn(ROWS)?;
        let scaled = Scaler::fit(Scaling::MinMax, &drawn.table)?.scale(&drawn.table)?;
        // A row that is the least of every column has no direction without one.
        let cells = Dense::from_table(&scaled)?;
        let lost = (0..cells.rows()).any(|row| cells.row(row).iter().all(|&x| x == 0.0));
        let constant = if lost { SMALL } else { "0" };
        let mut learned: Vec<(&str, LearnedMatrix)> = Vec::new();
        for (name, form) in [("learned, diagonal", "diagonal"), ("learned, full", "full")] {
            if form == "full" && scaled.columns().len() > FULL {
                section.note(format!(
                    "A full matrix has a number for each pair of features; beyond {FULL} features \
                     only a diagonal was learned."
                ));
                continue;
            }
            let method =
                Named::new("srbs").with("matrix", form).with("constant", constant).learn()?;
            let fit = method.fit_with(&scaled, &drawn.target, subject.run)?;
            learned.extend(fit.models.into_iter().take(1).map(|model| (name, model)));
        }
        tell(section, &learned, drawn.note.as_ref().map(|_| &drawn.rows[..]));
        if lost {
            section.note(format!(
                "A row has the least value of every feature and so no direction: for margins a \
                 column of {SMALL} was added to all rows."
            ));
        }
        section.notes(drawn.note);
        Ok(())
    })
}

/// The accuracy of k-NN under each similarity, on rows that were not used for learning.
fn unseen(section: &mut Section, compared: &[(usize, Summary)], baselines: Option<&Baselines>) {
    let prefix = "k-NN, ";
    let mut found: Vec<(&str, &Summary)> = compared
        .iter()
        .filter_map(|(_, one)| Some((one.name.strip_prefix(prefix)?, one)))
        .collect();
    found.sort_by(|a, b| b.1.by_split.mean.total_cmp(&a.1.by_split.mean));
    let Some((best, first)) = found.first() else { return };
    let answer = format!(
        "On rows not learned from, k-NN is right most often under {best}: {:.1} %.",
        first.by_split.mean * 100.0
    );
    let others: Vec<String> = found[1..]
        .iter()
        .map(|(name, one)| format!("{name}, {:.1} %", one.by_split.mean * 100.0))
        .collect();
    let beside = baselines.map(|one| format!(" {}", one.told())).unwrap_or_default();
    section.answer(format!("{answer} Under {}.{beside}", others.join("; ")));
    section.words(
        "A similarity says which rows are near, and so which neighbours are asked. Euclidean: the \
         straight-line distance, every feature a share of its range (a category differs or does \
         not). Weighted: the same, features counted by their ReliefF weights. Cosine: rows are \
         alike when their numbers stand in the same proportions, large or small. Learned: sRBS \
         finds how much each feature (diagonal) or each pair of features (full) should count.",
    );
    let bar = |(name, one): &(&str, &Summary)| {
        let (mean, spread) = (one.by_split.mean, one.by_split.deviation);
        let ends = ((mean - spread).max(0.0), (mean + spread).min(1.0));
        Bar { name: (*name).into(), value: mean, ends: Some(ends), ..Bar::default() }
    };
    let bars: Vec<Bar> = found.iter().map(bar).collect();
    let title = "k-NN under each similarity, on rows not learned from";
    section.figure(bars::draw(title, "accuracy", &bars, WIDTH), "figure-alike");
}

/// Margins before and after; `numbers` are the row numbers when some rows were left out.
fn tell(section: &mut Section, learned: &[(&str, LearnedMatrix)], numbers: Option<&[usize]>) {
    let Some((_, first)) = learned.first() else { return };
    let wrong = |margins: &[f64]| {
        margins.iter().filter(|&&m| m <= 0.0).count() as f64 / margins.len().max(1) as f64 * 100.0
    };
    let best = learned.iter().min_by(|a, b| wrong(&a.1.after).total_cmp(&wrong(&b.1.after)));
    let Some((name, best)) = best else { return };
    let (before, after) = (wrong(&first.before), wrong(&best.after));
    section.words(match after < before {
        true => format!(
            "Margins of the rows learned from: under the plain cosine {before:.1} % of the rows \
             are nearer to another class than to their own; {name}, {after:.1} %."
        ),
        false => format!(
            "Learning does not move rows to their own side: under the plain cosine {before:.1} % \
             of the rows are nearer to another class than to their own, and learned {after:.1} %."
        ),
    });
    section.words(
        "The margin of a row is its mean similarity to its nearest rows of its own class less that \
         to its nearest rows of others; above 0 the row is on its own side. These are \
         the rows it was learned from, so the picture flatters: what new rows gain is told above. \
         Learned by sRBS over columns scaled to 0–1.",
    );
    let draw = |(name, model): &(&str, LearnedMatrix)| {
        let heap = |name: &str, values: &[f64]| Heap { name: name.into(), values: values.to_vec() };
        let heaps = [heap("cosine", &model.before), heap(name, &model.after)];
        histogram::draw((&format!("Margins: cosine; {name}"), "margin"), &heaps, WIDTH)
    };
    let rows = |(name, model): &(&str, LearnedMatrix)| {
        let panels = [("cosine".to_owned(), &model.before[..]), ((*name).into(), &model.after[..])];
        margins::draw(&format!("Margin of each row: cosine; {name}"), &panels, numbers, WIDTH)
    };
    let names = ["figure-margins-diagonal", "figure-margins-full"];
    section.figures(learned.iter().map(rows).zip(names).collect());
    let names = ["figure-margin-shares-diagonal", "figure-margin-shares-full"];
    section.figures(learned.iter().map(draw).zip(names).collect());
    let row = |name: &str, margins: &[f64]| {
        let mean = margins.iter().sum::<f64>() / margins.len().max(1) as f64;
        let mut sorted = margins.to_vec();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied();
        vec![
            Cell::Text(name.into()),
            Cell::Number(mean),
            Cell::maybe(median),
            Cell::maybe(sorted.first().copied()),
            Cell::Number(wrong(margins)),
        ]
    };
    let mut rows = vec![row("cosine", &first.before)];
    rows.extend(learned.iter().map(|(name, model)| row(name, &model.after)));
    section.table(Table::new(
        "margins",
        "Margins of the rows, the matrix scaled to length 1",
        ["similarity", "mean margin", "median", "least", "% on the wrong side"],
        rows,
    ));
    let weights: Vec<Vec<Cell>> = first
        .similarity
        .weights()
        .map(|(feature, weight)| vec![Cell::Text(feature.into()), Cell::Number(weight)])
        .collect();
    if weights.len() <= 500 {
        section.table(Table::new(
            "learned-diagonal",
            "The learned diagonal: what each feature counts in the similarity",
            ["feature", "number"],
            weights,
        ));
    }
    learned.iter().filter_map(|(name, model)| Some((name, model.note.clone()?))).for_each(
        |(name, note)| {
            section.note(format!("{name}: {note}."));
        },
    );
}
