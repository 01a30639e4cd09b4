//! The answer for people: what was done, the rankings with bars, the notes.

use std::io::{self, Write};

use nearkin::data::Target;
use nearkin::weigh::{Bootstrap, method};

use super::bars::Bars;
use super::columns::{aligned, shown};
use super::extra::{Cell, Extra};
use super::{Answer, Place, Ranking, dependence, disagreement};
use crate::commands::Tested;
use crate::screen::Style;
use crate::{output, parameters};

/// Longer feature names are cut.
const LONGEST: usize = 40;
/// As many classes are counted out in the head.
const FEW_CLASSES: usize = 6;

/// Write the answer as text.
pub fn write(out: &mut dyn Write, answer: &Answer, style: Style) -> io::Result<()> {
    writeln!(out, "{}", done(answer))?;
    writeln!(out, "{}", described(answer))?;
    told(answer).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    let rankings = answer.rankings();
    // One scale for all rankings, so that bars of different rankings can be compared.
    let weights = || rankings.iter().flat_map(|r| r.places.iter().map(|place| place.weight));
    let look = Look { bars: Bars::new(weights(), style), decimals: decimals(weights()) };
    for ranking in &rankings {
        writeln!(out)?;
        if rankings.len() > 1 {
            writeln!(out, "{}", title(answer, ranking))?;
        }
        out.write_all(rows(ranking, &answer.extras(), &look).as_bytes())?;
    }
    if answer.per_class() {
        if let Some(null) = answer.null {
            writeln!(out, "\nWhere classes disagree")?;
            out.write_all(disagreement::text(answer, null, look.decimals).as_bytes())?;
        }
        if let Some(text) = dependence::text(answer) {
            write!(out, "\nHow classes go with the whole\n{text}")?;
        }
    }
    if let Some(truth) = &answer.truth {
        let scores = truth.scores;
        let (relevant, all) = (truth.relevant.len(), answer.weights.features.len());
        writeln!(
            out,
            "\nAgainst the truth ({relevant} of {all} features matter): separability {:+.4}, \
             usability {:+.4}, AUC {:.4}",
            scores.separability, scores.usability, scores.auc
        )?;
    }
    let mut remarks = output::remarks(&answer.weights.notes);
    remarks.extend(unsure(answer).map(output::Remark::from));
    write!(out, "{}", output::below(&remarks))
}

/// The method, its number of neighbours, and what is set otherwise than by default.
fn done(answer: &Answer) -> String {
    let defaults = method(answer.about.id).map(|method| method.parameters()).unwrap_or_default();
    let wrapper = answer.wrapper.map(|wrapper| format!("{} of ", wrapper.title));
    let with = parameters::told(&answer.method.parameters(), &defaults);
    format!(
        "{}{}{with} on {}",
        wrapper.unwrap_or_default(),
        answer.about.title,
        shown(answer.table)
    )
}

/// The flag that tells how much noise weighs, where nothing else says it.
fn unsure(answer: &Answer) -> Option<String> {
    let known = answer.null.is_some() || answer.tested.is_some_and(|test| test != Tested::Stir);
    let disagree = if answer.per_class() { " and where classes disagree" } else { "" };
    (!known).then(|| {
        format!("noise may weigh more than 0 here; --null 99 shows how much it weighs{disagree}")
    })
}

/// The table and its target.
fn described(answer: &Answer) -> String {
    let count = |n: usize, what: &str| match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    let guessed = if answer.target_guessed { " (guessed)" } else { "" };
    let target = format!("`{}`{guessed}", shown(answer.target_name));
    let explained = match answer.target {
        Target::Real(_) => format!("real target {target}"),
        Target::Classes(classes) => {
            let n = classes.len();
            let number = format!("{n} class{}", if n == 1 { "" } else { "es" });
            let counts: Vec<String> = answer
                .classes()
                .iter()
                .map(|(name, rows)| format!("{} {rows}", shown(name)))
                .collect();
            match n <= FEW_CLASSES {
                true => format!("{number} of {target}: {}", counts.join(", ")),
                false => format!("{number} of {target}"),
            }
        }
    };
    format!("{}, {}, {explained}", count(answer.rows, "row"), count(answer.columns, "column"))
}

/// Lines that explain the columns next to the weights, the threshold and the selection.
fn told(answer: &Answer) -> Vec<String> {
    let mut lines = Vec::new();
    match answer.tested {
        Some(Tested::Association) => {
            lines.push("p: by the method association; q: share of false discoveries".into());
        }
        Some(Tested::Own) => {
            lines.push(
                "p: by exchanges of the target and of the feature; q: share of false discoveries; \
                 *: by a law fitted to the exchanges"
                    .into(),
            );
        }
        Some(Tested::Stir) => {
            lines.push("p, q: STIR's t-test over pairs that share rows, no p-values".into());
        }
        Some(Tested::Permutation(times)) => lines.push(format!(
            "p: {times} shuffles of the target, so at least {}; q: share of false discoveries",
            small(1.0 / (times as f64 + 1.0))
        )),
        None => {}
    }
    if let Some(bootstrap) = answer.bootstrap {
        let Bootstrap { replicates, level, .. } = bootstrap;
        let percent = (level * 1e8).round() / 1e6;
        lines.push(format!("low, high: {percent} % interval of {replicates} bootstrap replicates"));
    }
    let all = answer.weights.weights.len();
    if let Some(null) = answer.null {
        let weights = &answer.weights.weights;
        let above = weights.iter().filter(|&&w| w > null.largest).count();
        let (exchanges, largest) = (null.exchanges, small(null.largest));
        lines.push(format!(
            "null95: noise weighs more than this in 1 of 20 exchanges of the target ({exchanges} made)"
        ));
        lines.push(format!(
            "the largest weight of noise is above {largest} in 1 of 20 exchanges; {above} of {all} \
             features lie above it"
        ));
    }
    if let Some(threshold) = answer.weights.threshold {
        let reached = answer.weights.weights.iter().filter(|&&w| w >= threshold).count();
        lines.push(format!("threshold {threshold}: reached by {reached} of {all} features"));
    }
    if let Some(rule) = answer.select {
        let selected = (0..all).filter(|&at| answer.is_selected(at)).count();
        lines.push(format!("selected by {rule}: {selected} of {all} features"));
    }
    lines
}

fn title(answer: &Answer, ranking: &Ranking) -> String {
    match (&ranking.class, ranking.row) {
        (Some(class), _) => match &ranking.neighbour_class {
            Some(other) => format!(
                "Class `{}`, differences to neighbours of class `{}`",
                shown(class),
                shown(other)
            ),
            None => format!("Class `{}`", shown(class)),
        },
        (None, Some(row)) => match answer.target {
            Target::Classes(classes) => {
                let class = &classes.names()[classes.codes()[row] as usize];
                format!("Row {row}, of class `{}`", shown(class))
            }
            Target::Real(values) => format!("Row {row}, of target {}", values[row]),
        },
        (None, None) => "All rows".into(),
    }
}

/// How weights are shown.
struct Look {
    bars: Bars,
    decimals: usize,
}

fn rows(ranking: &Ranking, extras: &[Extra], look: &Look) -> String {
    // Columns that say nothing about this ranking are left out.
    let told = |at: &usize| {
        extras[*at].shown && ranking.places.iter().any(|place| place.extra[*at].is_some())
    };
    let told: Vec<usize> = (0..extras.len()).filter(told).collect();
    let row = |place: &Place| {
        let weight = format!("{:.*}", look.decimals, place.weight);
        let mut cells = vec![place.rank.to_string(), cut(&place.feature), weight];
        cells.extend(told.iter().map(|&at| extra(extras[at].name, &place.extra[at], look)));
        if told.iter().any(|&at| extras[at].name == "p") && is_extrapolated(extras, place) {
            let p = told.iter().position(|&at| extras[at].name == "p").unwrap_or(0);
            cells[3 + p] += "*";
        }
        cells.push(look.bars.draw(place.weight));
        cells
    };
    let rows: Vec<Vec<String>> = ranking.places.iter().map(row).collect();
    let mut head = vec!["rank", "feature", "weight"];
    head.extend(told.iter().map(|&at| extras[at].name));
    head.push("");
    let words = |at: usize| matches!(head[at], "feature" | "direction");
    let right: Vec<usize> = (0..head.len() - 1).filter(|&at| !words(at)).collect();
    aligned(&head, &rows, &right)
}

/// True when the p at this place is smaller than exchanges alone can tell.
fn is_extrapolated(extras: &[Extra], place: &Place) -> bool {
    let at = extras.iter().position(|extra| extra.name == "extrapolated");
    at.is_some_and(|at| place.extra[at] == Some(Cell::Flag(true)))
}

fn extra(name: &str, cell: &Option<Cell>, look: &Look) -> String {
    match (cell, name) {
        (None, _) => String::new(),
        (Some(Cell::Text(words)), _) => cut(words),
        (Some(Cell::Flag(so)), _) => so.to_string(),
        (Some(Cell::Whole(number)), _) => number.to_string(),
        (Some(Cell::Real(number)), "p" | "q" | "p_family") => small(*number),
        (Some(Cell::Real(number)), "t" | "effect") => format!("{number:.3}"),
        (Some(Cell::Real(number)), _) => format!("{number:.*}", look.decimals),
    }
}

/// A probability, however small.
fn small(number: f64) -> String {
    match number {
        0.0 => "0".into(),
        tiny if tiny < 1e-3 => format!("{tiny:.1e}"),
        number => format!("{number:.4}"),
    }
}

/// Four decimals, or more where the largest weight would show fewer than three digits.
fn decimals(weights: impl Iterator<Item = f64>) -> usize {
    let largest = weights.map(f64::abs).filter(|w| w.is_finite()).fold(0.0, f64::max);
    match largest > 0.0 && largest < 0.01 {
        true => ((2.0 - largest.log10().floor()) as usize).min(17),
        false => 4,
    }
}

pub fn cut(name: &str) -> String {
    let name = shown(name);
    match name.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &name[..at]),
        None => name,
    }
}
