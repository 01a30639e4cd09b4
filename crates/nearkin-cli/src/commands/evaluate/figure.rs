//! An evaluation as a figure: a curve when the methods differ only in one number, bars otherwise,
//! dots when there are several tables.

use nearkin::evaluate::{Summary, summarise};

use super::report::Evaluated;
use crate::plot::bars::{self, Bar};
use crate::plot::file::WIDTH;
use crate::plot::lines::{self, Around, Line, Sample};
use crate::plot::{Figure, dots};

/// Accuracy of every method on every table.
pub fn draw(tables: &[Evaluated]) -> Figure {
    let found: Vec<Vec<Summary>> = tables.iter().map(summaries).collect();
    let names: Vec<String> = tables.iter().map(|one| one.table.clone()).collect();
    let title = format!("Accuracy on {}", names.join(", "));
    if let Some(first) = found.first()
        && let Some(axis) = number_that_differs(first)
    {
        return curves(&title, &axis, &names, &found);
    }
    match found.as_slice() {
        [only] => {
            let bars: Vec<Bar> = only.iter().map(bar).collect();
            bars::draw(&title, "accuracy", &bars, WIDTH)
        }
        _ => {
            let rows: Vec<String> =
                found.first().into_iter().flatten().map(|one| one.name.clone()).collect();
            let value = |of: &[Summary], name: &String| {
                let one = of.iter().find(|one| one.name == *name);
                one.map_or(f64::NAN, |one| one.by_split.mean)
            };
            let values: Vec<Vec<f64>> =
                found.iter().map(|of| rows.iter().map(|name| value(of, name)).collect()).collect();
            dots::draw((&title, "accuracy"), &rows, &names, &values, WIDTH)
        }
    }
}

fn summaries(one: &Evaluated) -> Vec<Summary> {
    let plans = 0..one.trials.plans.len();
    plans.filter_map(|plan| summarise(&one.trials, plan).ok()).collect()
}

fn bar(one: &Summary) -> Bar {
    Bar {
        name: one.name.clone(),
        value: one.by_split.mean,
        ends: Some(ends(one)),
        ..Bar::default()
    }
}

/// A deviation over splits to either side.
fn ends(one: &Summary) -> (f64, f64) {
    let (mean, spread) = (one.by_split.mean, one.by_split.deviation);
    ((mean - spread).max(0.0), (mean + spread).min(1.0))
}

/// A name as words and the whole numbers between them.
fn taken_apart(name: &str) -> (Vec<String>, Vec<f64>) {
    let (mut words, mut numbers) = (vec![String::new()], Vec::new());
    let mut rest = name;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let length = rest[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - at);
        words.push(String::new());
        let last = words.len() - 2;
        words[last] += &rest[..at];
        numbers.push(rest[at..at + length].parse().unwrap_or(f64::NAN));
        rest = &rest[at + length..];
    }
    if let Some(last) = words.last_mut() {
        *last += rest;
    }
    (words, numbers)
}

/// The one number in which the methods differ: its place among the numbers in a method's name, and
/// what it is called.
struct Axis {
    at: usize,
    name: String,
    words: Vec<String>,
}

fn number_that_differs(found: &[Summary]) -> Option<Axis> {
    let apart = || found.iter().map(|one| taken_apart(&one.name)).filter(|(_, n)| !n.is_empty());
    let (words, first) = apart().next()?;
    let same = || apart().filter(|(other, _)| *other == words);
    if same().count() < 3 || same().count() < apart().count() {
        return None;
    }
    let differs = |at: usize| same().any(|(_, numbers)| numbers[at] != first[at]);
    let places: Vec<usize> = (0..first.len()).filter(|&at| differs(at)).collect();
    let [at] = places[..] else { return None };
    let before = words[at].trim_end_matches(['=', '(', ' ']);
    let name = before.rsplit(['(', ' ', ',', '>']).next().unwrap_or("number");
    let name = match name {
        "best" => "features kept".to_owned(),
        "" => "number".to_owned(),
        other => other.to_owned(),
    };
    Some(Axis { at, name, words })
}

fn curves(title: &str, axis: &Axis, tables: &[String], found: &[Vec<Summary>]) -> Figure {
    let line = |(name, of): (&String, &Vec<Summary>)| {
        let point = |one: &Summary| {
            let (words, numbers) = taken_apart(&one.name);
            let x = *numbers.get(axis.at).filter(|_| words == axis.words)?;
            Some(Sample { x, y: one.by_split.mean, ends: Some(ends(one)) })
        };
        let mut points: Vec<Sample> = of.iter().filter_map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Line { name: name.clone(), points }
    };
    let lines: Vec<Line> = tables.iter().zip(found).map(line).collect();
    let around = Around { title, x: &axis.name, y: "accuracy", ..Around::default() };
    lines::draw(around, &lines, WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_comes_apart_at_its_numbers() {
        let (words, numbers) = taken_apart("best 12 by relieff > knn(k=3)");
        assert_eq!(words, ["best ", " by relieff > knn(k=", ")"]);
        assert_eq!(numbers, [12.0, 3.0]);
        assert_eq!(taken_apart("sda"), (vec!["sda".to_owned()], vec![]));
    }
}
