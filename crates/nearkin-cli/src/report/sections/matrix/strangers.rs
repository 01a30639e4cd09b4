//! Samples that no class explains.

use nearkin::classify::Predictions;

use crate::plot::histogram::{self, Heap};
use crate::plot::told;
use crate::report::{Cell, Samples, Section, Table, WIDTH, counted};

/// Samples that are listed.
const LISTED: usize = 50;
/// Samples that are named in the answer.
const NAMED: usize = 8;

/// The section about samples that fit no class, and its answer in one line; `said` are SDA's
/// answers for the samples it was fitted on.
pub fn section(samples: &Samples, said: &Predictions) -> (Section, Option<String>) {
    let heading = "Which samples does no class explain?";
    let mut section = Section::new("strangers", "Strangers", heading);
    let Some(anomaly) = said.anomaly() else { return (section, None) };
    let lonely: Vec<f64> = (0..anomaly.len()).map(|row| -nearest(samples, row)).collect();
    let (strange, alone) = (fence(&anomaly), fence(&lonely));
    let far = |row: usize| match (anomaly[row] > strange, lonely[row] > alone) {
        (true, true) => "by laws and neighbours",
        (true, false) => "by laws",
        (false, true) => "by neighbours",
        (false, false) => "",
    };
    let mut order: Vec<usize> = (0..anomaly.len()).collect();
    order.sort_by(|&a, &b| {
        let marked = far(a).is_empty().cmp(&far(b).is_empty());
        marked.then(anomaly[b].total_cmp(&anomaly[a])).then(a.cmp(&b))
    });
    let beyond: Vec<String> =
        order.iter().filter(|&&row| !far(row).is_empty()).map(|&row| samples.called(row)).collect();
    let first = order.first().map(|&row| samples.called(row)).unwrap_or_default();
    let answer = match beyond.len() {
        0 => format!("None stands out; the least explained is sample {first}."),
        some => format!(
            "{} far from every class: {}{}.",
            counted(some, "sample stands", "samples stand"),
            beyond[..some.min(NAMED)].join(", "),
            if some > NAMED { ", …" } else { "" }
        ),
    };
    section.answer(answer.clone());
    section.words("A sample is a stranger when no class makes its similarities likely, or when even the sample \
         most like it is hardly like it. It may be a mistake in the data, or of a class of its own.");
    section.words(format!(
        "By laws: the strangeness of a sample is minus the logarithm of how likely its \
         similarities to the centroids are under the class of SDA that explains them best, and far \
         is above {}. By neighbours: the most similar other sample is less similar than {}; SDA's \
         laws rise or fall steadily, so they do not always mark a sample that is like nobody. Both \
         limits are three quartile distances from the median. SDA was fitted on the same samples.",
        told(strange),
        told(-alone)
    ));
    let heap = Heap { name: "samples".into(), values: anomaly.clone() };
    let figure = histogram::draw(("How strange samples are", "strangeness"), &[heap], WIDTH);
    section.figure(figure, "figure-strangers");
    let row = |&row: &usize| {
        vec![
            Cell::Text(samples.called(row)),
            Cell::Text(samples.class_name(samples.class(row)).to_owned()),
            Cell::Text(said.names[said.class[row] as usize].clone()),
            Cell::maybe(Some(anomaly[row])),
            Cell::Number(-lonely[row]),
            Cell::Text(far(row).into()),
        ]
    };
    let part = match order.len() > LISTED {
        true => format!(" (the first {LISTED} of {})", order.len()),
        false => String::new(),
    };
    section.table(Table::new(
        "strangers",
        format!("The strangest samples{part}"),
        [
            "sample",
            "class",
            "best explained by",
            "strangeness",
            "similarity of the nearest",
            "far from all",
        ],
        order.iter().take(LISTED).map(row).collect(),
    ));
    let short = (!beyond.is_empty()).then_some(answer);
    (section, short)
}

/// The largest similarity of a sample to another.
fn nearest(samples: &Samples, row: usize) -> f64 {
    let all = samples.s.row(row);
    let others = all.iter().enumerate().filter(|(other, _)| *other != row);
    others.map(|(_, &similarity)| similarity).fold(f64::NEG_INFINITY, f64::max)
}

/// Three quartile distances above the median, the distance at least a twentieth of the range, and
/// where values go in a few steps at least one of these: where most values are equal, a little more
/// is not far.
fn fence(values: &[f64]) -> f64 {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let place = ((sorted.len().max(1) - 1) as f64 * share).round() as usize;
        sorted.get(place).copied().unwrap_or(0.0)
    };
    let steps: Vec<f64> =
        sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 1e-9).collect();
    let few = steps.len() > 1 && 4 * steps.len() < sorted.len();
    let step = if few { steps.iter().copied().fold(f64::INFINITY, f64::min) } else { 0.0 };
    let least = ((at(1.0) - at(0.0)) / 20.0).max(if step.is_finite() { step } else { 0.0 });
    at(0.5) + 3.0 * (at(0.75) - at(0.25)).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_far_above_the_middle_half_is_beyond_the_fence() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(fence(&values), 3.0 + 3.0 * 2.0);
        assert!(values.iter().all(|&v| v <= fence(&values)));
        assert_eq!(fence(&[f64::INFINITY, 2.0, 2.0, 2.0, 2.0]), 2.0);
        // Steps of 1: one step above the median is not far, four are.
        let stepped = [vec![1.0; 5], vec![2.0; 20], vec![3.0; 3], vec![6.0]].concat();
        assert_eq!(fence(&stepped), 5.0);
    }
}
