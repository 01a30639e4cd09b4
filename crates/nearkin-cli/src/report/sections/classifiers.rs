//! Which classifier and which similarity: nested cross-validation, side by side.

use nearkin::Run;
use nearkin::data::{Classes, Cut, Protocol, TableRows, Target};
use nearkin::evaluate::pipeline::{Alike, Decide, Named, Pipeline, Use, Weights};
use nearkin::evaluate::{Choose, Inner, Plan, Source, Study, Summary, Trials, compare, summarise};
use nearkin::measure::Norm;

use crate::failure::{Failure, Result};
use crate::plot::bars::{self, Bar};
use crate::plot::lines::{self, Around, Line, Sample};
use crate::plot::{Figure, heat};
use crate::report::baseline::{self, Baselines};
use crate::report::{Best, Cell, Samples, Section, Subject, Table, WIDTH};

/// Rows that are evaluated on.
const ROWS: usize = 400;
/// Columns beyond which only a diagonal is learned.
const FULL: usize = 20;
/// The plan that always says the most frequent class.
const CONSTANT: usize = 0;
/// A word for the list of sections.
const SHORT: &str = "Classifiers";
/// Classes whose confusion can be drawn.
const DRAWN: usize = 15;

/// The classifiers in a few words, for readers who do not know them.
const RULES: &str = "k-NN says the class of most of the nearest, SkNN the class whose own nearest \
    are most similar on average. Nearest centroid says the class whose most typical member is most \
    similar. SDA learns how similar members of each class are to the typical members of all, and \
    says the class under which what is seen is most likely; local SDA does so among the nearest \
    alone";

/// The result of a comparison.
#[derive(Default)]
pub struct Compared {
    /// The answer in a line.
    pub answer: Option<String>,
    /// The best accuracy, where there is a table.
    pub best: Option<Best>,
    /// The plans compared, each with its accuracy on rows not learned from.
    pub found: Vec<(usize, Summary)>,
}

/// The section and what it found.
pub fn section(subject: &Subject) -> Result<(Section, Compared)> {
    let heading = "Which classifier, under which similarity?";
    let mut compared = Compared::default();
    let section = super::told(Section::new("classifiers", SHORT, heading), |section| {
        let drawn = subject.drawn(ROWS)?;
        let Some(classes) = drawn.classes() else { return Ok(()) };
        let plans = plans(TableRows::of(&drawn.table).is_ok(), drawn.table.columns().len())?;
        let source = Source::Table(&drawn.table);
        let rules = format!("{RULES}. “Which similarity suits?” above tells of similarities.");
        let how = (subject.seed, subject.run);
        compared = compare_all(section, (source, classes), (&plans, &rules), how)?;
        section.notes(drawn.note);
        Ok(())
    })?;
    Ok((section, compared))
}

/// The same section for samples with given similarities, and its answer in one line.
pub fn of_matrix(samples: &Samples) -> Result<(Section, Option<String>)> {
    let mut compared = Compared::default();
    let heading = "Which classifier suits these similarities?";
    let section = super::told(Section::new("classifiers", SHORT, heading), |section| {
        let (rows, note) = samples.drawn(ROWS)?;
        let s = samples.s.select(&rows, &rows);
        let target = Target::Classes(samples.classes.clone()).select(&rows);
        let Target::Classes(classes) = &target else { return Ok(()) };
        let source = (Source::Similarities(&s), classes);
        let rules = format!(
            "{RULES}, and nnSDA looks at the nearest of each class in place of the typical. P-SVM \
             takes the similarities to all samples as features and draws a boundary between classes."
        );
        let (plans, how) = (given_plans()?, (samples.seed, samples.run));
        compared = compare_all(section, source, (&plans, &rules), how)?;
        section.notes(note);
        Ok(())
    })?;
    Ok((section, compared.answer))
}

/// Evaluate all plans on rows they have not seen, and report their accuracy.
fn compare_all(
    section: &mut Section,
    (source, classes): (Source, &Classes),
    (plans, rules): (&[Plan], &str),
    (seed, run): (u64, &Run),
) -> Result<Compared> {
    let rows = classes.codes().len();
    if rows < 5 {
        let reason =
            format!("{rows} rows are too few to ask about a fifth of them; five are needed");
        return Err(Failure::Input(reason));
    }
    let study = Study {
        protocol: Protocol { cut: Cut::Folds(5), repeats: 1, stratified: true, seed },
        choose: Choose { inner: Inner::Folds(3), ..Choose::default() },
        ..Study::default()
    };
    let trials = study.run((source, classes, None), plans, Vec::new(), &|_| (), run)?;
    let mut found: Vec<(usize, Summary)> = Vec::new();
    for plan in 0..plans.len() {
        match summarise(&trials, plan) {
            Ok(summary) => found.push((plan, summary)),
            Err(reason) => {
                section.note(format!("{}: {reason}.", trials.plans[plan]));
            }
        }
    }
    let baselines = match source {
        Source::Table(table) => Some(baseline::find(table, classes, &study.protocol)?),
        _ => None,
    };
    let given = (classes, rules, baselines.as_ref());
    let (answer, beats_constant) = tell(section, given, &trials, &found)?;
    let best = best(&found).zip(baselines).map(|((_, best), baselines)| Best {
        accuracy: best.by_split.mean,
        name: best.name.clone(),
        section: SHORT,
        rows,
        beats_constant,
        baselines,
    });
    Ok(Compared { answer, best, found })
}

/// The plan with the highest accuracy, the first on ties.
fn best(found: &[(usize, Summary)]) -> Option<&(usize, Summary)> {
    found.iter().reduce(|a, b| if b.1.by_split.mean > a.1.by_split.mean { b } else { a })
}

/// The plans compared where similarities are given.
fn given_plans() -> Result<Vec<Plan>> {
    let sizes = [1, 3, 5, 10, 20];
    let mut plans =
        vec![Plan::constant("most frequent class", nearkin::evaluate::Subject::Majority)];
    for (name, words) in [
        ("k-NN", "knn(k=5)"),
        ("SkNN", "sknn(k=5)"),
        ("nearest centroid", "nearest-centroid"),
        ("SDA", "sda"),
        ("nnSDA", "nn-sda"),
        ("local SDA", "local-sda"),
        ("P-SVM", "psvm"),
    ] {
        let classifier = Decide::parse(words)?;
        let pipeline = Pipeline { similarity: Alike::Given, classifier, ..Pipeline::default() };
        let plan = Plan::new(name, pipeline);
        plans.push(match words.contains("k=") {
            true => plan.choosing("classifier.k", &sizes),
            false => plan,
        });
    }
    Ok(plans)
}

/// The plans to compare. Those that need numbers are included only if all columns are numbers.
fn plans(numbers: bool, columns: usize) -> Result<Vec<Plan>> {
    let sizes = [1, 3, 5, 10, 20];
    let nearest =
        |name: &str, pipeline: Pipeline| Plan::new(name, pipeline).choosing("classifier.k", &sizes);
    let weights = Some(Weights { method: Named::new("relieff"), using: Use::Factors });
    let mut plans = vec![
        Plan::constant("most frequent class", nearkin::evaluate::Subject::Majority),
        nearest("k-NN, Euclidean", Pipeline::default()),
        nearest("k-NN, weighted Euclidean", Pipeline { weights, ..Pipeline::default() }),
    ];
    let sknn = Pipeline { classifier: Decide::parse("sknn(k=5)")?, ..Pipeline::default() };
    plans.push(nearest("SkNN, Euclidean", sknn));
    for (name, id) in [
        ("nearest centroid, Euclidean", "nearest-centroid"),
        ("SDA, Euclidean", "sda"),
        ("local SDA, Euclidean", "local-sda"),
    ] {
        let classifier = Decide::parse(id)?;
        plans.push(Plan::new(name, Pipeline { classifier, ..Pipeline::default() }));
    }
    if numbers {
        let under = |similarity: Alike| Pipeline { similarity, ..Pipeline::default() };
        plans.push(nearest("k-NN, cosine", under(Alike::Norm(Norm::Cosine))));
        let learned = |form: &str| Alike::Learned(Named::new("srbs").with("matrix", form));
        plans.push(nearest("k-NN, learned diagonal", under(learned("diagonal"))));
        if columns <= FULL {
            plans.push(nearest("k-NN, learned full", under(learned("full"))));
        }
    }
    Ok(plans)
}

fn tell(
    section: &mut Section,
    (classes, rules, baselines): (&Classes, &str, Option<&Baselines>),
    trials: &Trials,
    found: &[(usize, Summary)],
) -> Result<(Option<String>, bool)> {
    let Some((best_plan, best)) = best(found) else { return Ok((None, false)) };
    let mut rows = Vec::new();
    let (mut equal, mut chance) = (0, false);
    for (plan, one) in found {
        let against = match plan == best_plan {
            true => None,
            false => Some(compare(trials, *plan, *best_plan)?),
        };
        let mark = against.as_ref().map(|c| c.mark(true).to_string());
        equal += usize::from(mark.as_deref() == Some("="));
        chance |= *plan == CONSTANT && mark.as_deref() != Some("≪") && mark.as_deref() != Some("<");
        rows.push(vec![
            Cell::Text(one.name.clone()),
            Cell::Number(one.by_split.mean),
            Cell::Number(one.by_split.deviation),
            Cell::Text(mark.unwrap_or_else(|| "best".into())),
            Cell::chance(against.as_ref().map(|c| c.mcnemar_p)),
            Cell::chance(against.as_ref().and_then(|c| c.corrected_t_p)),
            Cell::Number(one.balanced_accuracy),
            Cell::Number(one.macro_f1),
            Cell::maybe(one.log_loss),
            Cell::maybe(one.brier),
            Cell::maybe(one.ece),
            Cell::Text(chosen(trials, *plan)),
        ]);
    }
    if let Some(baselines) = baselines {
        let name = Cell::Text("best rule of one feature".into());
        let empty = (0..10).map(|_| Cell::Empty);
        rows.insert(
            1.min(rows.len()),
            [name, Cell::Number(baselines.rule)].into_iter().chain(empty).collect(),
        );
    }
    let also = match equal {
        0 => "every other is significantly worse".to_owned(),
        1 => "one other cannot be told from it".to_owned(),
        more => format!("{more} others cannot be told from it"),
    };
    let mut answer = format!(
        "Best is {} with accuracy {:.3} (± {:.3} over folds); {also}.",
        best.name, best.by_split.mean, best.by_split.deviation
    );
    if chance {
        answer += " That is no better than always saying the most frequent class.";
    }
    if let Some(baselines) = baselines {
        answer += &format!(" {}", baselines.told());
    }
    section.answer(answer.clone());
    section.words(rules.to_owned());
    section.words(
        "Five stratified folds; the number of neighbours was chosen by three folds inside the \
         training rows of each, and so was everything else that looks at classes. The best of many \
         is a little lucky: expect somewhat less on new rows. Marks compare single answers with \
         those of the best by an exact one-sided sign test: ≪ p ≤ 0.01, < p ≤ 0.05, = neither. In \
         the table, McNemar's p is that of the same answers from both sides, and the corrected t \
         compares folds, which is stricter.",
    );
    let bar = |(plan, one): &(usize, Summary)| {
        let (mean, spread) = (one.by_split.mean, one.by_split.deviation);
        Bar {
            name: one.name.clone(),
            value: mean,
            ends: Some(((mean - spread).max(0.0), (mean + spread).min(1.0))),
            faint: *plan == CONSTANT,
            ..Bar::default()
        }
    };
    let mut bars: Vec<Bar> = found.iter().map(bar).collect();
    bars.extend(baselines.map(|baselines| Bar {
        name: "best rule of one feature".into(),
        value: baselines.rule,
        faint: true,
        ..Bar::default()
    }));
    bars.sort_by(|a, b| b.value.total_cmp(&a.value));
    let mut figures = vec![(
        bars::draw("Accuracy, and its deviation over folds", "accuracy", &bars, WIDTH),
        "figure-classifiers",
    )];
    if let (Some(counts), true) = (best.confusion.first(), classes.len() <= DRAWN) {
        figures.push((confusion(&best.name, classes, counts), "figure-confusion"));
    }
    if let Some(figure) = calibration(found) {
        figures.push((figure, "figure-calibration"));
    }
    section.figures(figures);
    section.table(Table::new(
        "classifiers",
        "Classifiers on rows that took no part in learning",
        [
            "classifier",
            "accuracy",
            "deviation",
            "against the best",
            "p (McNemar)",
            "p (corrected t)",
            "balanced accuracy",
            "macro F1",
            "log-loss",
            "Brier",
            "calibration error",
            "chosen",
        ],
        rows,
    ));
    if let Some(counts) = best.confusion.first() {
        let mut head = vec!["class".to_owned()];
        head.extend(classes.names().iter().map(|name| format!("said {name}")));
        let row = |(name, counts): (&String, &Vec<usize>)| {
            let mut cells = vec![Cell::Text(name.clone())];
            cells.extend(counts.iter().map(|&count| Cell::Number(count as f64)));
            cells
        };
        section.table(Table::new(
            "confusion",
            format!("What {} said of the rows of each class", best.name),
            head,
            classes.names().iter().zip(counts).map(row).collect(),
        ));
    }
    Ok((Some(answer), !chance))
}

/// The values that the inner folds chose, each with how often.
fn chosen(trials: &Trials, plan: usize) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for outcome in trials.outcomes.iter().filter(|o| o.plan == plan && !o.chosen.is_empty()) {
        match counts.iter_mut().find(|(known, _)| *known == outcome.chosen) {
            Some((_, count)) => *count += 1,
            None => counts.push((&outcome.chosen, 1)),
        }
    }
    let told: Vec<String> =
        counts.iter().map(|(chosen, count)| format!("{chosen} ({count})")).collect();
    told.join(", ").replace("classifier.", "")
}

fn confusion(name: &str, classes: &Classes, counts: &[Vec<usize>]) -> Figure {
    let cells: Vec<Vec<(f64, String)>> = counts
        .iter()
        .enumerate()
        .map(|(truth, row)| {
            let all = row.iter().sum::<usize>().max(1) as f64;
            let cell = |(said, &count): (usize, &usize)| {
                // Right answers in blue, wrong ones in orange, by their share of the class.
                let share = count as f64 / all;
                (if said == truth { -share } else { share }, count.to_string())
            };
            row.iter().enumerate().map(cell).collect()
        })
        .collect();
    let title = format!("Confusion of {name}");
    heat::table((&title, "class", "said"), classes.names(), classes.names(), &cells, WIDTH)
}

/// How often answers with a given probability are right, for methods with probabilities.
fn calibration(found: &[(usize, Summary)]) -> Option<Figure> {
    let mut sure: Vec<&Summary> = found
        .iter()
        .map(|(_, one)| one)
        .filter(|one| one.reliability.is_some() && one.log_loss.is_some())
        .collect();
    sure.sort_by(|a, b| a.log_loss.unwrap_or(f64::MAX).total_cmp(&b.log_loss.unwrap_or(f64::MAX)));
    let line = |one: &&Summary| Line {
        name: one.name.clone(),
        points: one
            .reliability
            .iter()
            .flatten()
            .filter(|bin| bin.count > 0)
            .map(|bin| Sample { x: bin.confidence, y: bin.accuracy, ends: None })
            .collect(),
    };
    let lines: Vec<Line> = sure.iter().take(3).map(line).collect();
    let around = Around {
        title: "Calibration: how sure, and how often right",
        x: "probability given to the answer",
        y: "share right",
        diagonal: true,
        ..Around::default()
    };
    (!lines.is_empty()).then(|| lines::draw(around, &lines, WIDTH))
}
