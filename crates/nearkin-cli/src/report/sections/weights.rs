//! The weight of each feature, overall and for each class, compared with the weight that noise
//! gets.

use nearkin::weigh::{FeatureWeights, NullWeights, Weigh};

use super::certainty::{self, Known, LEVEL};
use crate::failure::Result;
use crate::plot::bars::{self, Bar};
use crate::plot::{dots, told};
use crate::report::{Cell, Section, Subject, Table, WIDTH, counted, listed};

/// Features in a figure, and in a table.
const DRAWN: usize = 30;
const LISTED: usize = 1000;

/// The section and the weights.
pub fn section(subject: &Subject, method: &dyn Weigh) -> Result<(Section, FeatureWeights)> {
    let mut section = Section::new("weights", "Weights", "How much does each feature weigh?");
    let Known { found, null, doubts } = certainty::fit(subject, method)?;
    let ranking = found.ranking();
    let best: Vec<String> = ranking
        .iter()
        .take(3)
        .map(|one| format!("`{}` ({})", one.feature, told(one.weight)))
        .collect();
    let title = method.about().title;
    let verb = if best.len() == 1 { "weighs" } else { "weigh" };
    let mut answer = format!("By {title}, {} {verb} most.", listed(&best));
    let exchanges = null.weights.len();
    let limit = null.limit_of_largest(LEVEL);
    if let Some(limit) = limit {
        let above = found.weights.iter().filter(|weight| **weight > limit).count();
        let of = counted(found.weights.len(), "feature", "features");
        let noise = format!(
            "the largest weight of all features in 95 % of {exchanges} exchanges of `{}` between \
             rows ({})",
            subject.target_name,
            told(limit)
        );
        answer += &match above {
            0 => format!(" None of {of} weighs more than noise does: {noise}."),
            1 => format!(" 1 of {of} weighs more than {noise}."),
            _ => format!(" {above} of {of} weigh more than {noise}."),
        };
    }
    section.answer(answer);
    section.words(meaning(subject, title, exchanges));
    if let Some(words) = subject.adjusted() {
        let strata = match subject.strata {
            Some(_) => "; exchanges stay within strata",
            None => "",
        };
        section.note(format!(
            "Weights are not adjusted{strata}. Association above is adjusted {words}."
        ));
    }
    found.notes.iter().for_each(|note| {
        section.note(format!("{note}."));
    });
    let limits = null.limits(LEVEL).unwrap_or_default();
    let mut figures = vec![(whole(&found, &limits, limit), "figure-weights")];
    if found.classes.len() > 1 {
        figures.push((by_class(&found), "figure-class-weights"));
    }
    section.figures(figures);
    let mut words = "The mark on each bar is the feature's own weight of noise, which one noise \
                     feature in twenty exceeds. The line across is the largest weight of noise, \
                     which the features of one table of noise in twenty exceed."
        .to_owned();
    if !found.intervals.is_empty() {
        words += " Whiskers, low and high, are 95 % bootstrap intervals: how much a weight hangs on \
                  single rows, their neighbours held fixed. They do not say whether it is noise.";
    }
    section.words(words);
    doubts.into_iter().for_each(|doubt| {
        section.note(doubt);
    });
    let sides = null.class_sides(&found, LEVEL);
    section.table(table(&found, &null, &limits, &sides));
    if found.classes.len() > 1 {
        differences(&mut section, &found, &sides, exchanges);
    }
    Ok((section, found))
}

/// The meaning of a weight, in words.
fn meaning(subject: &Subject, title: &str, exchanges: usize) -> String {
    let differs = match subject.classes() {
        Some(_) => {
            "the feature differs more between a row and its nearest rows of other classes than \
             between it and its nearest rows of its own class"
                .to_owned()
        }
        None => format!(
            "among near rows, the feature differs more where `{}` differs than where it does not",
            subject.target_name
        ),
    };
    format!(
        "The weight of {title} grows where {differs}. The weights of noise need not lie around 0: \
         unequal classes and many columns move them. So {title} was fitted anew after each of \
         {exchanges} exchanges of `{}` between rows, which leave no relation. A feature that weighs \
         more than noise is worth a look; “Association” above is the test. Features that matter only \
         together get weight, too, and so do two features that say the same: a high weight does not \
         mean that the feature cannot be spared.",
        subject.target_name
    )
}

fn whole(found: &FeatureWeights, limits: &[f64], limit: Option<f64>) -> crate::plot::Figure {
    let ranking = found.ranking();
    let bar = |one: &nearkin::weigh::RankedFeature| Bar {
        name: one.feature.to_owned(),
        value: one.weight,
        ends: found.intervals.get(one.index).copied(),
        mark: limits.get(one.index).copied(),
        ..Bar::default()
    };
    let bars: Vec<Bar> = ranking.iter().take(DRAWN).map(bar).collect();
    let title = match ranking.len() > DRAWN {
        true => format!("Weights, the first {DRAWN} of {}", ranking.len()),
        false => "Weights".into(),
    };
    let line = limit.map(|limit| (limit, "noise, 95 %"));
    bars::with_line((&title, "weight"), &bars, line, WIDTH)
}

fn by_class(found: &FeatureWeights) -> crate::plot::Figure {
    let order: Vec<usize> = found.ranking().iter().take(DRAWN).map(|one| one.index).collect();
    let rows: Vec<String> = order.iter().map(|&at| found.features[at].clone()).collect();
    let values: Vec<Vec<f64>> = found
        .class_weights
        .iter()
        .map(|weights| order.iter().map(|&at| weights[at]).collect())
        .collect();
    dots::draw(("Weights for each class", "weight"), &rows, &found.classes, &values, WIDTH)
}

/// The largest number of classes for which the table has a column for each class.
const SIDES: usize = 6;

fn table(found: &FeatureWeights, null: &NullWeights, limits: &[f64], sides: &[Vec<i8>]) -> Table {
    let intervals = !found.intervals.is_empty();
    let means = null.means();
    let mut head: Vec<String> = ["rank", "feature", "weight"].map(String::from).to_vec();
    if !limits.is_empty() {
        head.extend(["noise, mean", "noise, 95 %", "above its own noise"].map(String::from));
    }
    if intervals {
        head.extend(["low", "high"].map(String::from));
    }
    let classes = if found.class_weights.len() > 1 { &found.classes[..] } else { &[] };
    let sides = if classes.len() <= SIDES { sides } else { &[] };
    for class in classes {
        head.push(format!("weight for {class}"));
        if !sides.is_empty() {
            head.push(format!("{class} against noise"));
        }
    }
    let row = |one: &nearkin::weigh::RankedFeature| {
        let mut cells = vec![
            Cell::Number(one.rank as f64),
            Cell::Text(one.feature.to_owned()),
            Cell::Number(one.weight),
        ];
        if let (Some(&limit), Some(&mean)) = (limits.get(one.index), means.get(one.index)) {
            let above = if one.weight > limit { "yes" } else { "no" };
            cells.extend([Cell::Number(mean), Cell::Number(limit), Cell::Text(above.into())]);
        }
        if intervals {
            let (low, high) = found.intervals[one.index];
            cells.extend([Cell::Number(low), Cell::Number(high)]);
        }
        for (class, weights) in found.class_weights.iter().enumerate().take(classes.len()) {
            cells.push(Cell::Number(weights[one.index]));
            if let Some(of_class) = sides.get(class) {
                cells.push(Cell::Text(side(of_class[one.index]).into()));
            }
        }
        cells
    };
    let ranking = found.ranking();
    let caption = match ranking.len() > LISTED {
        true => {
            format!("Weights, the first {LISTED} of {}; `nearkin weigh` gives all", ranking.len())
        }
        false => "Weights of all features, with those of noise".into(),
    };
    Table::new("weights", caption, head, ranking.iter().take(LISTED).map(row).collect())
}

fn side(side: i8) -> &'static str {
    match side {
        1 => "above",
        -1 => "below",
        _ => "within",
    }
}

/// Features that weigh more than noise for one class and less than noise for another.
fn differences(section: &mut Section, found: &FeatureWeights, sides: &[Vec<i8>], exchanges: usize) {
    if sides.is_empty() {
        return;
    }
    let of = |feature: usize, wanted: i8| {
        (0..sides.len()).filter(move |&class| sides[class][feature] == wanted)
    };
    let weight = |class: usize, feature: usize| found.class_weights[class][feature];
    let mut apart: Vec<(usize, usize, usize)> = (0..found.features.len())
        .filter_map(|feature| {
            let by = |a: &usize, b: &usize| weight(*a, feature).total_cmp(&weight(*b, feature));
            Some((feature, of(feature, 1).max_by(by)?, of(feature, -1).min_by(by)?))
        })
        .collect();
    let gap = |one: &(usize, usize, usize)| weight(one.1, one.0) - weight(one.2, one.0);
    apart.sort_by(|a, b| gap(b).total_cmp(&gap(a)).then(a.0.cmp(&b.0)));
    let Some(&(feature, above, below)) = apart.first() else {
        section.words(
            "Classes do not differ about any feature more than noise does. (Weights of classes of \
             unequal size differ by themselves; that is part of noise here.)",
        );
        return;
    };
    section.words(format!(
        "Classes differ about {} by more than noise does (largest deviation of any class and feature \
         in 95 % of {exchanges} exchanges); most about `{}`, which tells {} from its neighbours of \
         other classes, while rows of {} are nearer to other classes than to their own in it.",
        counted(apart.len(), "feature", "features"),
        found.features[feature],
        found.classes[above],
        found.classes[below]
    ));
    let row = |&(feature, above, below): &(usize, usize, usize)| {
        vec![
            Cell::Text(found.features[feature].clone()),
            Cell::Text(found.classes[above].clone()),
            Cell::Number(weight(above, feature)),
            Cell::Text(found.classes[below].clone()),
            Cell::Number(weight(below, feature)),
            Cell::Number(gap(&(feature, above, below))),
        ]
    };
    section.table(Table::new(
        "class-differences",
        "Features about which classes differ by more than noise",
        ["feature", "above noise for", "weight there", "below noise for", "weight here", "gap"],
        apart.iter().take(LISTED).map(row).collect(),
    ));
}
