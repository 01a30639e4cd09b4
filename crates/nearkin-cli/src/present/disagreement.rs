//! Features that weigh more than noise for one class and less than noise for another.

use nearkin::weigh::FeatureWeights;

use super::columns::{aligned, shown};
use super::table::cut;
use super::{Answer, Null};

/// More features are counted, not shown.
const MOST: usize = 10;

/// A feature with a class for which it weighs more than noise, and one for which it weighs less.
struct Split<'a> {
    feature: &'a str,
    more: (&'a str, f64),
    less: (&'a str, f64),
}

impl Split<'_> {
    fn gap(&self) -> f64 {
        self.more.1 - self.less.1
    }
}

/// The shown features that leave the range of noise to both sides, largest gap first.
fn splits<'a>(
    found: &'a FeatureWeights,
    null: &Null,
    is_shown: impl Fn(usize) -> bool,
) -> Vec<Split<'a>> {
    let split = |at: usize| {
        let of = |class: usize| (found.classes[class].as_str(), found.class_weights[class][at]);
        let on = |side: i8| {
            (0..null.sides.len()).filter(move |&class| null.sides[class][at] == side).map(of)
        };
        // The first of equals, on both sides.
        let more = on(1).reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        let less = on(-1).reduce(|a, b| if b.1 < a.1 { b } else { a })?;
        Some(Split { feature: found.features[at].as_str(), more, less })
    };
    let mut splits: Vec<Split> =
        (0..found.features.len()).filter(|&at| is_shown(at)).filter_map(split).collect();
    splits.sort_by(|a, b| b.gap().total_cmp(&a.gap()));
    splits
}

/// The section's text.
pub fn text(answer: &Answer, null: &Null, decimals: usize) -> String {
    told(&splits(answer.weights, null, |at| answer.is_selected(at)), decimals)
}

fn told(splits: &[Split], decimals: usize) -> String {
    if splits.is_empty() {
        return "nowhere: no feature weighs more than noise for one class and less for another\n"
            .into();
    }
    let side = |(class, weight): (&str, f64)| [shown(class), format!("{weight:+.decimals$}")];
    let row = |split: &Split| {
        let [high, more] = side(split.more);
        let [low, less] = side(split.less);
        vec![cut(split.feature), high, more, low, less]
    };
    let rows: Vec<Vec<String>> = splits.iter().take(MOST).map(row).collect();
    let head = ["feature", "above noise for", "weight", "below noise for", "weight"];
    let mut text = aligned(&head, &rows, &[2, 4]);
    if splits.len() > MOST {
        text += &format!("and {} more\n", splits.len() - MOST);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_leaves_the_range_of_noise_to_both_sides_is_told() {
        let found = FeatureWeights {
            features: (0..13).map(|at| format!("f{at}")).collect(),
            classes: ["a", "b", "c"].map(String::from).to_vec(),
            class_weights: [1.0, -1.0, 0.5]
                .map(|sign| (0..13).map(|at| sign * f64::from(at)).collect())
                .to_vec(),
            ..FeatureWeights::default()
        };
        // Feature 12 differs in sign, and noise does so too; of 11 others ten are shown.
        let side =
            |sign: i8| (0..13).map(|at| if at == 12 || at == 0 { 0 } else { sign }).collect();
        let null = Null {
            exchanges: 19,
            largest: 0.0,
            limits: vec![0.0; 13],
            class_limits: Vec::new(),
            sides: vec![side(1), side(-1), side(1)],
        };
        let splits = splits(&found, &null, |_| true);
        assert_eq!(splits.len(), 11);
        assert_eq!(
            (splits[0].feature, splits[0].more, splits[0].less),
            ("f11", ("a", 11.0), ("b", -11.0))
        );
        let text = told(&splits, 1);
        assert!(text.ends_with("\nand 1 more\n"), "{text}");
        assert_eq!(text.lines().count(), 12);
        assert!(told(&[], 1).starts_with("nowhere"));
    }
}
