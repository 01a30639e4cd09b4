//! Features that help with one class and harm with another.

use super::Answer;
use super::columns::{aligned, shown};
use super::table::cut;

/// More features are counted, not shown.
const MOST: usize = 10;

/// A feature with the classes it helps and harms most.
struct Split<'a> {
    feature: &'a str,
    best: (&'a str, f64),
    worst: (&'a str, f64),
}

impl Split<'_> {
    fn gap(&self) -> f64 {
        self.best.1 - self.worst.1
    }
}

/// The shown features whose weights per class differ in sign, largest gap first.
fn splits<'a>(answer: &Answer<'a>) -> Vec<Split<'a>> {
    let found = answer.weights;
    let split = |at: usize| {
        let of = |class: usize| (found.classes[class].as_str(), found.class_weights[class][at]);
        let classes = || (0..found.class_weights.len()).map(of);
        // The first of equals, on both sides.
        let best = classes().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        let worst = classes().reduce(|a, b| if b.1 < a.1 { b } else { a })?;
        let feature = found.features[at].as_str();
        (best.1 > 0.0 && worst.1 < 0.0).then_some(Split { feature, best, worst })
    };
    let shown = (0..found.features.len()).filter(|&at| answer.is_selected(at));
    let mut splits: Vec<Split> = shown.filter_map(split).collect();
    splits.sort_by(|a, b| b.gap().total_cmp(&a.gap()));
    splits
}

/// The section's text.
pub fn text(answer: &Answer, decimals: usize) -> String {
    let splits = splits(answer);
    if splits.is_empty() {
        return "nowhere: no feature is relevant for one class and harmful for another\n".into();
    }
    let side = |(class, weight): (&str, f64)| [shown(class), format!("{weight:+.decimals$}")];
    let row = |split: &Split| {
        let [helped, more] = side(split.best);
        let [harmed, less] = side(split.worst);
        vec![cut(split.feature), helped, more, harmed, less]
    };
    let rows: Vec<Vec<String>> = splits.iter().take(MOST).map(row).collect();
    let head = ["feature", "relevant for", "weight", "harmful for", "weight"];
    let mut text = aligned(&head, &rows, &[2, 4]);
    if splits.len() > MOST {
        text += &format!("and {} more\n", splits.len() - MOST);
    }
    text
}
