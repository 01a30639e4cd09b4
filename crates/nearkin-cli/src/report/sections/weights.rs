//! Which features matter, overall and for each class, and how sure that is.

use nearkin::weigh::{FeatureWeights, Weigh, disagreements};

use super::certainty::{self, Known};
use crate::failure::Result;
use crate::plot::bars::{self, Bar};
use crate::plot::{dots, told};
use crate::report::{Cell, Section, Subject, Table, WIDTH, counted, listed};

/// Features in a figure, and in a table.
const DRAWN: usize = 30;
const LISTED: usize = 1000;
/// A q at most this is called more than chance.
const SURE: f64 = 0.05;

/// The section, the weights and the answer in a line.
pub fn section(subject: &Subject, method: &dyn Weigh) -> Result<(Section, FeatureWeights, String)> {
    let mut section = Section::new("weights", "Features", "Which features matter?");
    let Known { found, tested, doubts } = certainty::fit(subject, method)?;
    let ranking = found.ranking();
    let best: Vec<String> = ranking
        .iter()
        .take(3)
        .filter(|one| one.weight > 0.0)
        .map(|one| format!("`{}` ({})", one.feature, told(one.weight)))
        .collect();
    let title = method.about().title;
    let mut answer = match best.is_empty() {
        true => format!("By {title}, no feature has a weight above 0: none tells near rows apart."),
        false => format!("By {title}, {} matter most.", listed(&best)),
    };
    if let Some(test) = &tested {
        let sure = found.tests.iter().filter(|test| test.q.is_some_and(|q| q <= SURE)).count();
        answer += &format!(
            " {sure} of {} a weight beyond chance ({}, q ≤ {SURE}).",
            counted(found.weights.len(), "feature has", "features have"),
            test.name
        );
    }
    let short = answer.clone();
    section.answer(answer);
    section.words(meaning(subject));
    found.notes.iter().for_each(|note| {
        section.note(format!("{note}."));
    });
    let mut figures = vec![(whole(&found), "figure-weights")];
    if found.classes.len() > 1 {
        figures.push((by_class(&found), "figure-class-weights"));
    }
    section.figures(figures);
    let whiskers = match found.intervals.is_empty() {
        true => "",
        false => {
            "Whiskers, low and high, are 95 % bootstrap intervals over rows, neighbours held fixed. "
        }
    };
    let test = tested.map_or(String::new(), |test| test.words);
    if !(whiskers.is_empty() && test.is_empty()) {
        section.words(format!("{whiskers}{test}"));
    }
    doubts.into_iter().for_each(|doubt| {
        section.note(doubt);
    });
    section.table(table(&found));
    if found.classes.len() > 1 {
        disagree(&mut section, &found)?;
    }
    Ok((section, found, short))
}

/// The meaning of a weight, in words.
fn meaning(subject: &Subject) -> String {
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
        "A weight above 0 means that {differs}; around 0 it says nothing. Features that matter \
         only together get weight, too. Two features that say the same both get weight: a high \
         weight does not mean that the feature cannot be spared."
    )
}

fn whole(found: &FeatureWeights) -> crate::plot::Figure {
    let ranking = found.ranking();
    let bar = |one: &nearkin::weigh::RankedFeature| Bar {
        name: one.feature.to_owned(),
        value: one.weight,
        ends: found.intervals.get(one.index).copied(),
    };
    let bars: Vec<Bar> = ranking.iter().take(DRAWN).map(bar).collect();
    let title = match ranking.len() > DRAWN {
        true => format!("Weights, the first {DRAWN} of {}", ranking.len()),
        false => "Weights".into(),
    };
    bars::draw(&title, "weight", &bars, WIDTH)
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

fn table(found: &FeatureWeights) -> Table {
    let tests = !found.tests.is_empty();
    let intervals = !found.intervals.is_empty();
    let mut head: Vec<String> = ["rank", "feature", "weight"].map(String::from).to_vec();
    if intervals {
        head.extend(["low", "high"].map(String::from));
    }
    if tests {
        head.extend(["p", "q"].map(String::from));
    }
    let classes = if found.class_weights.len() > 1 { &found.classes[..] } else { &[] };
    head.extend(classes.iter().map(|class| format!("weight for {class}")));
    let row = |one: &nearkin::weigh::RankedFeature| {
        let mut cells = vec![
            Cell::Number(one.rank as f64),
            Cell::Text(one.feature.to_owned()),
            Cell::Number(one.weight),
        ];
        if intervals {
            let (low, high) = found.intervals[one.index];
            cells.extend([Cell::Number(low), Cell::Number(high)]);
        }
        if tests {
            let test = found.tests[one.index];
            cells.extend([Cell::chance(test.p), Cell::chance(test.q)]);
        }
        let weights = found.class_weights.iter().take(classes.len());
        cells.extend(weights.map(|weights| Cell::Number(weights[one.index])));
        cells
    };
    let ranking = found.ranking();
    let caption = match ranking.len() > LISTED {
        true => {
            format!("Weights, the first {LISTED} of {}; `nearkin weigh` gives all", ranking.len())
        }
        false => "Weights of all features".into(),
    };
    Table::new("weights", caption, head, ranking.iter().take(LISTED).map(row).collect())
}

/// Features that help with one class and harm with another.
fn disagree(section: &mut Section, found: &FeatureWeights) -> Result<()> {
    let splits = disagreements(found)?;
    let Some(first) = splits.first() else {
        section
            .words("Classes agree: no feature is relevant for one class and harmful for another.");
        return Ok(());
    };
    section.words(format!(
        "Classes disagree about {}; most about `{}`, relevant for {} and harmful for {}.",
        counted(splits.len(), "feature", "features"),
        found.features[first.feature],
        found.classes[first.relevant_for],
        found.classes[first.harmful_for]
    ));
    let row = |one: &nearkin::weigh::Disagreement| {
        vec![
            Cell::Text(found.features[one.feature].clone()),
            Cell::Text(found.classes[one.relevant_for].clone()),
            Cell::Number(one.weights.0),
            Cell::Text(found.classes[one.harmful_for].clone()),
            Cell::Number(one.weights.1),
            Cell::Number(one.size()),
        ]
    };
    section.table(Table::new(
        "disagreements",
        "Features about which classes disagree",
        ["feature", "relevant for", "weight there", "harmful for", "weight here", "gap"],
        splits.iter().take(LISTED).map(row).collect(),
    ));
    Ok(())
}
