//! Studies: scores beside scikit-learn's, and the laws of protocols, choices and comparisons.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use std::sync::Mutex;

use nearkin::Run;
use nearkin::data::{Classes, Cut, Protocol, SimilarityMatrix, Table, Target, bundled};
use nearkin::evaluate::pipeline::{Decide, Pipeline};
use nearkin::evaluate::scores::Answered;
use nearkin::evaluate::{
    Choose, Criterion, Fit, Inner, Mark, Mode, Outcome, Plan, Source, Study, Subject, Trials,
    compare, summarise,
};
use serde_json::Value;

fn close(a: f64, b: &Value, what: &str) {
    let b = b.as_f64().unwrap();
    assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{what}: {a} and {b}");
}

#[test]
fn scores_are_those_of_scikit_learn() {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/scores.json")).unwrap();
    let codes = |value: &Value| -> Vec<u32> {
        value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect()
    };
    for case in fixture["cases"].as_array().unwrap() {
        let classes = case["classes"].as_u64().unwrap() as usize;
        let (truth, said) = (codes(&case["truth"]), codes(&case["said"]));
        let p = case["probabilities"].as_array().unwrap().iter();
        let p: Vec<f64> = p.map(|v| v.as_f64().unwrap()).collect();
        let answered =
            Answered { classes, truth: &truth, said: &said, probabilities: Some(&p[..]) };
        let scores = answered.scores().unwrap();
        close(scores.accuracy, &case["accuracy"], "accuracy");
        close(scores.balanced_accuracy, &case["balanced_accuracy"], "balanced accuracy");
        close(scores.macro_f1, &case["macro_f1"], "macro F1");
        close(scores.log_loss.unwrap(), &case["log_loss"], "log-loss");
        close(scores.brier.unwrap(), &case["brier"], "Brier");
        close(scores.roc_auc.unwrap(), &case["roc_auc"], "ROC AUC");
        close(scores.ece.unwrap(), &case["ece"], "ECE");
        let confusion = answered.confusion();
        for (row, counts) in case["confusion"].as_array().unwrap().iter().enumerate() {
            assert_eq!(confusion[row].iter().map(|&n| n as u32).collect::<Vec<_>>(), codes(counts));
        }
    }
}

fn iris() -> (Table<'static>, Classes) {
    let (table, target) = bundled::load("iris").unwrap();
    let Target::Classes(classes) = target else { panic!() };
    (table, classes)
}

fn plan(name: &str, steps: &[(&str, &str)]) -> Plan {
    let mut pipeline = Pipeline::default();
    steps.iter().for_each(|(path, text)| pipeline.set(path, text).unwrap());
    Plan::new(name, pipeline)
}

fn plans() -> Vec<Plan> {
    vec![
        plan("cosine", &[("scaling", "none"), ("similarity", "cosine")])
            .choosing("classifier.k", &[1, 3]),
        plan("rbs", &[("scaling", "none"), ("similarity", "rbs"), ("classifier", "knn(k=1)")])
            .choosing("similarity.k, classifier.k", &[1, 3]),
        Plan::constant("majority", Subject::Majority),
        Plan::constant("all-rest", Subject::Rest),
    ]
}

fn trials(study: &Study, finished: Vec<Outcome>, threads: usize) -> Trials {
    let (table, classes) = iris();
    let source = Source::Table(&table);
    study.run((source, &classes, None), &plans(), finished, &|_| {}, &Run::on(threads)).unwrap()
}

#[test]
fn trials_do_not_depend_on_threads() {
    let study = Study::srbs_2012(3, 1);
    assert_eq!(trials(&study, Vec::new(), 1), trials(&study, Vec::new(), 4));
}

/// Candidates that differ in the classifier alone share what was learned when they follow each
/// other; the answers must not show it.
#[test]
fn the_order_of_a_grid_does_not_change_the_answers() {
    let (table, classes) = iris();
    let start = || plan("srbs", &[("scaling", "zscore"), ("similarity", "srbs")]);
    let (betas, rules) = (["0.1", "10"], ["knn(k=3)", "knn(k=5)", "knn(k=9)"]);
    let shared = start().choosing("similarity.beta", &betas).choosing("classifier", &rules);
    let apart = start().choosing("classifier", &rules).choosing("similarity.beta", &betas);
    // Brier scores do not tie as accuracies do.
    let choose = Choose { inner: Inner::Folds(3), by: Criterion::Brier, ..Choose::default() };
    let study = Study { choose, ..Study::default() };
    let data = (Source::Table(&table), &classes, None);
    let found = study.run(data, &[shared, apart], Vec::new(), &|_| {}, &Run::on(1)).unwrap();
    let of = |plan: usize| found.outcomes.iter().filter(move |outcome| outcome.plan == plan);
    assert!(of(0).zip(of(1)).all(|(a, b)| a.answers == b.answers && a.chosen != b.chosen));
}

#[test]
fn a_study_goes_on_from_its_finished_trials() {
    let (table, classes) = iris();
    let study = Study::srbs_2012(3, 1);
    let whole = trials(&study, Vec::new(), 2);
    let half: Vec<Outcome> = whole.outcomes.iter().step_by(2).cloned().collect();
    let done = Mutex::new(0);
    let count = |_: &Outcome| *done.lock().unwrap() += 1;
    let data = (Source::Table(&table), &classes, None);
    let resumed = study.run(data, &plans(), half.clone(), &count, &Run::on(2)).unwrap();
    assert_eq!(resumed, whole);
    assert_eq!(*done.lock().unwrap(), whole.outcomes.len() - half.len());
    let mut foreign = half;
    foreign[0].split = 99;
    assert!(study.run(data, &plans(), foreign, &|_| {}, &Run::on(1)).is_err());
}

/// A single candidate is fitted on the rows that one of several would be, under every choice of
/// prototypes; plain similarities have nothing to learn, so there two of these are the same.
#[test]
fn prototypes_are_those_of_the_protocol_however_many_candidates() {
    let (table, Target::Classes(classes)) = bundled::load("wine").unwrap() else { panic!() };
    let data = (Source::Table(&table), &classes, None);
    let steps = |similarity| [("scaling", "none"), ("similarity", similarity)];
    let plans = ["cosine", "sila(epochs=2)"].map(|similarity| {
        let one =
            plan(similarity, &[&steps(similarity)[..], &[("classifier", "knn(k=1)")]].concat());
        [one.clone(), one.choosing("classifier.k", &[1, 1])]
    });
    let said = |fit: Fit| {
        let mut study = Study::sila_2008(1, 1);
        study.choose.fit = fit;
        let trials = study.run(data, plans.as_flattened(), Vec::new(), &|_| {}, &Run::on(2));
        let trials = trials.unwrap();
        [0, 1, 2, 3].map(|plan| {
            let of = trials.outcomes.iter().filter(|outcome| outcome.plan == plan);
            of.map(|outcome| outcome.answers.clone()).collect::<Vec<_>>()
        })
    };
    let [learn, both, all] = [Fit::Learn, Fit::Prototypes, Fit::All].map(said);
    for answers in [&learn, &both, &all] {
        assert!(answers[0] == answers[1] && answers[2] == answers[3]);
    }
    assert!(both[0] == all[0] && learn[0] != all[0]);
    assert!(both[2] != all[2] && learn[2] != all[2] && learn[2] != both[2]);
}

#[test]
fn the_papers_protocol_finds_rbs_constant_on_iris() {
    // 0.667 is what always answering "rest" gets; the paper prints it for RBS.
    let trials = trials(&Study::srbs_2012(0, 2), Vec::new(), 0);
    let rbs = summarise(&trials, 1).unwrap();
    let rest = summarise(&trials, 3).unwrap();
    assert_eq!((rbs.constant, rbs.trials), (30, 30));
    assert_eq!(rbs.accuracy.mean, rest.accuracy.mean);
    assert!((rest.accuracy.mean - 2.0 / 3.0).abs() < 1e-12);
    // The mean of class shares is 2/3 in each split, whatever falls into it.
    assert!(rest.by_split.deviation < 1e-12 && rest.accuracy.deviation > 0.02);
    let cosine = summarise(&trials, 0).unwrap();
    assert!((0.95..1.0).contains(&cosine.accuracy.mean) && cosine.constant == 0);
    assert_eq!(compare(&trials, 0, 1).unwrap().mark(true), Mark::MuchBetter);
    assert_eq!(compare(&trials, 1, 0).unwrap().mark(true), Mark::MuchWorse);
    assert_eq!(compare(&trials, 1, 3).unwrap().mark(true), Mark::Equal);
    let chosen = trials.outcomes.iter().find(|o| o.plan == 1).unwrap();
    assert!(chosen.chosen.starts_with("similarity.k="), "{}", chosen.chosen);
}

#[test]
fn labels_of_test_rows_do_not_matter_to_answers() {
    let (table, classes) = iris();
    let study = Study {
        protocol: Protocol { cut: Cut::HoldOut(0.3), stratified: false, ..Protocol::default() },
        choose: Choose { inner: Inner::Folds(3), ..Choose::default() },
        ..Study::default()
    };
    let plans = [plan("weighed", &[("weights", "relieff"), ("similarity", "srbs")])
        .choosing("weights.keep", &[1, 3])];
    let asked = |classes: &Classes| {
        let data = (Source::Table(&table), classes, None);
        study.run(data, &plans, Vec::new(), &|_| {}, &Run::on(1)).unwrap()
    };
    let straight = asked(&classes);
    let mut codes = classes.codes().to_vec();
    let test = &straight.splits[0].test;
    test.iter().for_each(|&row| codes[row] = (codes[row] + 1) % 3);
    let twisted = asked(&Classes::new(codes, classes.names().to_vec()).unwrap());
    assert_eq!(straight.splits, twisted.splits);
    assert_eq!(straight.outcomes, twisted.outcomes);
}

#[test]
fn leave_one_out_over_similarities_scores_all_rows_together() {
    let (table, classes) = iris();
    let dense = nearkin::data::Dense::from_table(&table).unwrap();
    let near = |a: usize, b: usize| {
        let d: f64 = dense.row(a).iter().zip(dense.row(b)).map(|(x, y)| (x - y).powi(2)).sum();
        -d.sqrt()
    };
    let s: Vec<f64> =
        (0..150).flat_map(|a| (0..150).map(move |b| (a, b))).map(|(a, b)| near(a, b)).collect();
    let s = SimilarityMatrix::new(150, 150, s).unwrap();
    let plans = ["knn(k=3)", "nc"]
        .map(|word| word.replace("nc", "nearest-centroid"))
        .map(|word| Plan::new(word.clone(), Pipeline::given(Decide::parse(&word).unwrap())));
    let study = Study::sda_2009();
    let data = (Source::Similarities(&s), &classes, None);
    let trials = study.run(data, &plans, Vec::new(), &|_| {}, &Run::on(2)).unwrap();
    let knn = summarise(&trials, 0).unwrap();
    assert_eq!(knn.trials, 150);
    assert!((knn.accuracy.mean - 0.96).abs() < 1e-12, "{}", knn.accuracy.mean);
    // Classes are equally large: recall averaged over classes is accuracy.
    assert!((knn.balanced_accuracy - knn.accuracy.mean).abs() < 1e-12);
    assert!(knn.roc_auc.is_some_and(|area| area > 0.95));
    let centroid = summarise(&trials, 1).unwrap();
    assert_eq!((centroid.log_loss, centroid.constant), (None, 0));
    let confusion: usize = centroid.confusion[0].iter().flatten().sum();
    assert_eq!(confusion, 150);
    let found = compare(&trials, 0, 1).unwrap();
    assert!(found.wilcoxon_p.is_none() && found.mcnemar_p <= 1.0);
}

#[test]
fn what_the_data_do_not_allow_is_told_and_does_not_end_the_study() {
    let (table, classes) = iris();
    // What lies around its mean is negative in places, which Jaccard's norm does not take.
    let plans = vec![
        plan("jaccard", &[("scaling", "zscore"), ("similarity", "jaccard")]),
        plan("euclidean", &[]),
    ];
    let study = Study {
        protocol: Protocol { cut: Cut::Folds(3), ..Protocol::default() },
        ..Study::default()
    };
    let data = (Source::Table(&table), &classes, None);
    let trials = study.run(data, &plans, Vec::new(), &|_| {}, &Run::on(1)).unwrap();
    let told = summarise(&trials, 0).unwrap_err().to_string();
    assert!(told.contains("is negative"), "{told}");
    assert!(summarise(&trials, 1).unwrap().accuracy.mean > 0.5);
}

#[test]
fn a_class_absent_from_training_rows_is_never_said() {
    let (table, classes) = iris();
    let groups = classes.codes().to_vec();
    let study = Study {
        protocol: Protocol { cut: Cut::LeaveOneOut, ..Protocol::default() },
        mode: Mode::MultiClass,
        ..Study::default()
    };
    let data = (Source::Table(&table), &classes, Some(&groups[..]));
    let trials = study.run(data, &[plan("knn", &[])], Vec::new(), &|_| {}, &Run::on(1)).unwrap();
    assert_eq!(trials.splits.len(), 3);
    assert_eq!(summarise(&trials, 0).unwrap().accuracy.mean, 0.0);
}

/// Scores by hand.
mod scores {
    use nearkin::evaluate::scores::Answered;

    #[test]
    fn scores_by_hand() {
        let p = [0.8, 0.2, 0.6, 0.4, 0.4, 0.6, 0.3, 0.7];
        let truth = [0, 1, 1, 1];
        let answered =
            Answered { classes: 2, truth: &truth, said: &[0, 0, 1, 1], probabilities: Some(&p) };
        let scores = answered.scores().unwrap();
        assert_eq!(scores.accuracy, 0.75);
        assert!((scores.balanced_accuracy - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-15);
        assert!((scores.macro_f1 - (2.0 / 3.0 + 4.0 / 5.0) / 2.0).abs() < 1e-15);
        assert_eq!(scores.roc_auc, Some(1.0));
        let loss = -(0.8f64.ln() + 0.4f64.ln() + 0.6f64.ln() + 0.7f64.ln()) / 4.0;
        assert!((scores.log_loss.unwrap() - loss).abs() < 1e-15);
        assert!((scores.brier.unwrap() - (0.08 + 0.72 + 0.32 + 0.18) / 4.0).abs() < 1e-15);
        // Bins (0.5, 0.6]: right once of two at 0.6; (0.6, 0.7]: right; (0.7, 0.8]: right.
        let ece = (2.0 * 0.1 + 0.3 + 0.2) / 4.0;
        assert!((scores.ece.unwrap() - ece).abs() < 1e-15);
        assert_eq!(answered.confusion(), [[1, 0], [1, 2]]);
    }

    #[test]
    fn what_needs_probabilities_or_two_classes_is_absent_without() {
        let plain =
            Answered { classes: 2, truth: &[0, 0], said: &[0, 1], probabilities: None }.scores();
        assert_eq!(plain.unwrap().log_loss, None);
        let p = [0.5, 0.5, 0.5, 0.5];
        let one = Answered { classes: 2, truth: &[0, 0], said: &[0, 1], probabilities: Some(&p) }
            .scores();
        assert_eq!(one.unwrap().roc_auc, None);
        let wrong = Answered { classes: 2, truth: &[0, 2], said: &[0, 1], probabilities: None };
        assert!(wrong.scores().is_err());
    }
}

/// Candidates of a plan.
mod plans {
    use nearkin::evaluate::pipeline::Pipeline;
    use nearkin::evaluate::*;

    #[test]
    fn candidates_are_all_combinations_the_first_entry_slowest() {
        let mut pipeline = Pipeline::default();
        pipeline.set("similarity", "srbs").unwrap();
        let plan = Plan::new("srbs", pipeline)
            .choosing("similarity.beta", &["0.1", "1"])
            .choosing("similarity.k, classifier.k", &[1, 3]);
        let told: Vec<String> = plan.candidates().unwrap().into_iter().map(|(t, _)| t).collect();
        assert_eq!(told[1], "similarity.beta=0.1, similarity.k=3");
        assert_eq!((told.len(), &told[2][..17]), (4, "similarity.beta=1"));
        let last = plan.candidates().unwrap().pop().unwrap().1;
        assert_eq!(last.describe(), "minmax > srbs(beta=1, k=3) > knn(k=3)");
        let wrong = Plan::new("x", Pipeline::default()).choosing("classifier.k", &["0"]);
        assert!(wrong.candidates().is_err());
        let none = Plan::new("x", Pipeline::default()).choosing::<u8>("classifier.k", &[]);
        assert!(none.candidates().is_err());
    }
}
