//! The answer for people: what was done, the rankings with bars, the notes.

use std::io::{self, Write};

use nearkin::data::Target;
use nearkin::parameter::Parameter;

use super::bars::Bars;
use super::columns::{aligned, shown};
use super::{Answer, Place, Ranking};
use crate::screen::Style;

/// Longer feature names are cut.
const LONGEST: usize = 40;
/// As many classes are counted out in the head.
const FEW_CLASSES: usize = 6;

/// Write the answer as text.
pub fn write(out: &mut dyn Write, answer: &Answer, style: Style) -> io::Result<()> {
    writeln!(out, "{}", done(answer))?;
    writeln!(out, "{}", described(answer))?;
    let rankings = answer.rankings();
    // One scale for all, so that bars of one ranking compare with those of another.
    let weights = || rankings.iter().flat_map(|r| r.places.iter().map(|place| place.weight));
    let look = Look { bars: Bars::new(weights(), style), decimals: decimals(weights()) };
    for ranking in &rankings {
        writeln!(out)?;
        if rankings.len() > 1 {
            writeln!(out, "{}", title(answer, ranking))?;
        }
        out.write_all(rows(ranking, &look).as_bytes())?;
    }
    if !answer.weights.notes.is_empty() {
        writeln!(out)?;
    }
    answer.weights.notes.iter().try_for_each(|note| writeln!(out, "note: {}", shown(note)))
}

/// The method and the parameters that are set.
fn done(answer: &Answer) -> String {
    let set = |p: &Parameter| !p.default.is_empty();
    let told: Vec<String> = answer
        .method
        .parameters()
        .iter()
        .filter(|p| set(p))
        .map(|p| format!("{} {}", p.name.replace('_', "-"), p.default))
        .collect();
    format!("{} with {} on {}", answer.method.about().title, told.join(", "), shown(answer.table))
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

fn title(answer: &Answer, ranking: &Ranking) -> String {
    match (&ranking.class, ranking.row) {
        (Some(class), _) => format!("Class `{}`", shown(class)),
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

fn rows(ranking: &Ranking, look: &Look) -> String {
    let row = |place: &Place| {
        let weight = format!("{:.*}", look.decimals, place.weight);
        vec![place.rank.to_string(), cut(&place.feature), weight, look.bars.draw(place.weight)]
    };
    let rows: Vec<Vec<String>> = ranking.places.iter().map(row).collect();
    aligned(&["rank", "feature", "weight", ""], &rows, &[0, 2])
}

/// Four decimals, or more where the largest weight would show fewer than three digits.
fn decimals(weights: impl Iterator<Item = f64>) -> usize {
    let largest = weights.map(f64::abs).filter(|w| w.is_finite()).fold(0.0, f64::max);
    match largest > 0.0 && largest < 0.01 {
        true => ((2.0 - largest.log10().floor()) as usize).min(17),
        false => 4,
    }
}

fn cut(name: &str) -> String {
    let name = shown(name);
    match name.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &name[..at]),
        None => name,
    }
}
