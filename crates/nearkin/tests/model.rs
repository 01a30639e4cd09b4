//! Saved models come back as they were, and bytes that are none are refused.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use nearkin::classify;
use nearkin::data::{Classes, Column, ColumnValues, Dense, Lane, Sparse, Table, Target, bundled};
use nearkin::evaluate::beside::{Held, Line, beside};
use nearkin::learn::{self, Learn};
use nearkin::measure::pairwise;
use nearkin::model::container::{Cells, Container};
use nearkin::model::{
    ClassifierModel, FORMAT, LabelledRows, Model, Origin, SimilarityModel, TrainingSamples,
};
use nearkin::neighbors::Rule;
use nearkin::{Note, Run, parameter};
use proptest::prelude::*;

fn set(table: &str) -> (Table<'static>, Target, Classes) {
    let (table, target) = bundled::load(table).unwrap();
    let Target::Classes(classes) = target.clone() else { panic!("classes") };
    (table, target, classes)
}

fn saved(id: &str, settings: &[(&str, &str)], rows: bool) -> (SimilarityModel, Table<'static>) {
    try_saved(id, settings, rows).unwrap()
}

/// The same, or why the method does not learn with these settings.
/// The same model as a file holds it: notes are sentences there.
fn with_saved_notes(model: &SimilarityModel) -> SimilarityModel {
    let saved = |note: &Note| Note::Saved { told: note.to_string() };
    let mut model = model.clone();
    model.learned.notes = model.learned.notes.iter().map(saved).collect();
    for one in &mut model.learned.models {
        one.note = one.note.as_ref().map(saved);
    }
    model
}

fn try_saved(
    id: &str,
    settings: &[(&str, &str)],
    rows: bool,
) -> nearkin::Result<(SimilarityModel, Table<'static>)> {
    let (table, target, classes) = set("iris");
    let mut method = learn::method(id).unwrap();
    settings.iter().for_each(|(name, text)| learn::set(method.as_mut(), name, text).unwrap());
    let learned = method.fit(&table, &target)?;
    let prototypes =
        rows.then(|| LabelledRows { rows: Dense::from_table(&table).unwrap().into(), classes });
    let origin = Origin::new(id, method.as_ref(), "iris", "class");
    Ok((SimilarityModel { origin, learned, rule: Rule::Sknn, k: 2, prototypes }, table))
}

#[test]
fn every_learner_and_form_comes_back_and_answers_as_before() {
    for method in learn::methods() {
        for form in ["diagonal", "symmetric", "full"] {
            for mode in ["multi-class", "one-vs-rest"] {
                // Rows do not differ in a constant, so that RELIEF's distance takes none.
                let none = mode == "multi-class" || method.about().id.starts_with("relief");
                let constant = if none { "0" } else { "1.5" };
                let whiten = if mode == "multi-class" { "0.8" } else { "0" };
                let settings = [
                    ("matrix", form),
                    ("mode", mode),
                    ("k", "2"),
                    ("constant", constant),
                    ("whiten", whiten),
                ];
                // A method that learns single weights says so, and only of other forms.
                let Ok((model, table)) = try_saved(method.about().id, &settings, true) else {
                    assert_ne!(form, "diagonal", "{}", method.about().id);
                    continue;
                };
                let bytes = Model::Similarity(model.clone()).to_bytes().unwrap();
                let Model::Similarity(back) = Model::from_bytes(&bytes).unwrap() else { panic!() };
                assert_eq!(back, with_saved_notes(&model), "{} {form} {mode}", method.about().id);
                let run = Run::on(1);
                assert_eq!(
                    back.predict(&table, &run).unwrap(),
                    model.predict(&table, &run).unwrap()
                );
            }
        }
    }
}

#[test]
fn parameters_can_be_given_back_to_the_method() {
    let (model, _) = saved("srbs", &[("beta", "0.25"), ("solver", "modern")], false);
    let mut fresh = learn::method("srbs").unwrap();
    model.origin.restore(fresh.as_mut()).unwrap();
    let shown =
        |m: &dyn Learn| -> Vec<String> { m.parameters().into_iter().map(|p| p.default).collect() };
    let mut meant = learn::method("srbs").unwrap();
    parameter::set(meant.as_mut(), "srbs", "beta", "0.25").unwrap();
    parameter::set(meant.as_mut(), "srbs", "solver", "modern").unwrap();
    assert_eq!(shown(fresh.as_ref()), shown(meant.as_ref()));
    assert_ne!(shown(fresh.as_ref()), shown(learn::method("srbs").unwrap().as_ref()));
}

#[test]
fn a_model_without_rows_keeps_its_similarity_and_says_what_it_lacks() {
    let (model, table) = saved("rbs", &[], false);
    let bytes = Model::Similarity(model.clone()).to_bytes().unwrap();
    let Model::Similarity(back) = Model::from_bytes(&bytes).unwrap() else { panic!() };
    assert_eq!(back.learned.models[0].similarity, model.learned.models[0].similarity);
    let told = back.predict(&table, &Run::on(1)).unwrap_err().to_string();
    assert!(told.contains("without rows"), "{told}");
}

#[test]
fn sparse_rows_come_back_and_are_asked_by_the_names_of_their_columns() {
    let names: Vec<String> = (1..=4).map(|c| c.to_string()).collect();
    let cells =
        [vec![(0, 2.0), (2, 1.0)], vec![(0, 3.0)], vec![(1, 4.0)], vec![(1, 1.0), (3, 1.0)]];
    let rows = Sparse::from_rows(names, cells).unwrap();
    let target = Target::classes(["a", "a", "b", "b"]);
    let Target::Classes(classes) = target.clone() else { panic!("classes") };
    let method = learn::method("srbs").unwrap();
    let learned = method.fit_sparse(&rows, &target, &Run::on(1)).unwrap();
    let prototypes = Some(LabelledRows { rows: rows.clone().into(), classes });
    let origin = Origin::new("srbs", method.as_ref(), "words.svm", "target");
    let model = SimilarityModel { origin, learned, rule: Rule::Knn, k: 1, prototypes };
    let bytes = Model::Similarity(model.clone()).to_bytes().unwrap();
    let Model::Similarity(back) = Model::from_bytes(&bytes).unwrap() else { panic!("kind") };
    assert_eq!(back, with_saved_notes(&model));
    // A file of fewer columns lacks zeros only; one of more is about something else.
    let few = Sparse::from_rows(vec!["2".into(), "1".into()], [vec![(0, 1.0)], vec![(1, 5.0)]]);
    let said = back.predict_rows(&few.unwrap(), &Run::on(1)).unwrap();
    assert_eq!(said.iter().map(|a| a.class).collect::<Vec<_>>(), [1, 0]);
    let near = back.neighbours_of(&rows, 3, 2, &Run::on(1)).unwrap();
    assert_eq!(near[0].iter().map(|n| n.row).collect::<Vec<_>>(), [3, 2]);
    let more = Sparse::from_rows(vec!["9".into()], [vec![(0, 1.0)]]).unwrap();
    let told = back.predict_rows(&more, &Run::on(1)).unwrap_err().to_string();
    assert!(told.contains("column `9`"), "{told}");
}

#[test]
fn contributions_of_columns_add_up_to_the_similarity() {
    for norm in ["dot", "cosine", "dice", "jaccard"] {
        for form in ["diagonal", "full"] {
            let constant = if norm == "cosine" { "2" } else { "0" };
            let settings = [("norm", norm), ("matrix", form), ("constant", constant)];
            let (model, table) = saved("sila", &settings, true);
            for list in model.neighbours(&table, 77, 5, &Run::on(1)).unwrap() {
                assert_eq!(list.len(), 5);
                for near in list {
                    let sum: f64 = near.contributions.iter().sum();
                    assert!((sum - near.similarity).abs() <= 1e-9 * near.similarity.abs().max(1.0));
                }
            }
        }
    }
}

#[test]
fn other_columns_are_named() {
    let (model, _) = saved("rbs", &[], true);
    let other = Table::new(vec![
        Column::numeric("petal_width", vec![1.0]),
        Column::numeric("weight", vec![1.0]),
    ]);
    let told = model.predict(&other.unwrap(), &Run::on(1)).unwrap_err().to_string();
    for part in ["missing `sepal_length`, `sepal_width`, `petal_length`", "extra `weight`"] {
        assert!(told.contains(part), "{told}");
    }
}

/// Numbers, single precision numbers, categories and missing cells.
fn mixed() -> (Table<'static>, Target) {
    let n = 24;
    let x = (0..n).map(|i| f64::from(i % 7) + if i % 2 == 0 { 3.0 } else { 0.0 }).collect();
    let single = (0..n).map(|i| if i == 5 { f32::NAN } else { i as f32 / 3.0 }).collect();
    let word = |i: i32| match i % 5 {
        4 => None,
        at => Some(["red", "blue", "\u{3bb}", ""][at as usize]),
    };
    let words: Vec<Option<&str>> = (0..n).map(word).collect();
    let table = Table::new(vec![
        Column::numeric("x", x),
        Column { name: "single".into(), values: ColumnValues::F32(Lane::owned(single)) },
        Column::nominal("word", &words).unwrap(),
    ]);
    (table.unwrap(), Target::classes((0..n).map(|i| if i % 2 == 0 { "even" } else { "odd" })))
}

#[test]
fn every_classifier_comes_back_and_answers_as_before() {
    let (table, target) = mixed();
    let measures = [pairwise::measure("heom").unwrap()];
    for method in classify::classifiers() {
        let origin = Origin::new(method.about().id, method.as_ref(), "mixed", "class");
        let model = ClassifierModel::of_table(origin, &measures, &table, &target).unwrap();
        let bytes = Model::Classifier(model.clone()).to_bytes().unwrap();
        let Model::Classifier(back) = Model::from_bytes(&bytes).unwrap() else { panic!() };
        assert_eq!(format!("{back:?}"), format!("{model:?}"), "{}", method.about().id);
        let run = Run::on(1);
        // Distances turned are negative, which one classifier does not take, saved or not.
        let (was, is) = match (model.ready(&run), back.ready(&run)) {
            (Ok(was), Ok(is)) => (was, is),
            (was, is) => {
                assert_eq!(was.err(), is.err());
                assert_eq!(method.about().id, "adjusted-centroid");
                continue;
            }
        };
        let queries = is.similarities(&table, &run).unwrap();
        assert_eq!(queries, was.similarities(&table, &run).unwrap());
        let said = was.predict_similarities(&queries, &run).unwrap();
        assert_eq!(is.predict_similarities(&queries, &run).unwrap(), said);
        assert_eq!(is.predict(&table, &run).unwrap(), said, "{}", method.about().id);

        // What was learned is kept unless it holds the similarities, and is not fitted again then.
        let mut kept = model.clone();
        kept.keep(was.fitted.as_ref());
        let holds_similarities = ["local-sda", "local-centroid"].contains(&method.about().id);
        assert_eq!(kept.fitted.is_none(), holds_similarities, "{}", method.about().id);
        let bytes = Model::Classifier(kept.clone()).to_bytes().unwrap();
        let Model::Classifier(back) = Model::from_bytes(&bytes).unwrap() else { panic!() };
        assert_eq!(format!("{back:?}"), format!("{kept:?}"));
        let ready = back.ready(&run).unwrap();
        assert_eq!(ready.predict(&table, &run).unwrap(), said, "{}", method.about().id);
        assert_eq!(ready.fitted.insight(), was.fitted.insight(), "{}", method.about().id);
        if !holds_similarities {
            let mut other = back.clone();
            other.classes = Classes::from_labels((0..24).map(|i| if i < 9 { "a" } else { "b" }));
            let told = other.ready(&run).unwrap_err().to_string();
            assert!(told.contains("about other classes"), "{told}");
        }

        let views = was.own(&run).unwrap().into_owned();
        let names = (0..24).map(|i| format!("n{i}")).collect();
        let samples = TrainingSamples::Similarities { views, names: Some(names), dissimilar: true };
        drop(was);
        let alone = Model::Classifier(ClassifierModel { samples, ..model });
        assert_eq!(Model::from_bytes(&alone.to_bytes().unwrap()).unwrap(), alone);
    }
}

#[test]
fn every_measure_comes_back_with_what_it_learned() {
    let (table, target) = mixed();
    // Measures of amounts take no missing cells beside; all of them take these columns.
    let numbers = table.select_columns(&[0]).into_owned();
    for measure in pairwise::measures() {
        for rows in [&table, &numbers] {
            let knn = classify::classifier("knn").unwrap();
            let origin = Origin::new("knn", knn.as_ref(), "mixed", "class");
            let made =
                ClassifierModel::of_table(origin, std::slice::from_ref(&measure), rows, &target);
            let Ok(model) = made else {
                assert!(std::ptr::eq(rows, &table), "{} on numbers", measure.about().id);
                continue;
            };
            let bytes = Model::Classifier(model.clone()).to_bytes().unwrap();
            let Model::Classifier(back) = Model::from_bytes(&bytes).unwrap() else { panic!() };
            let run = Run::on(1);
            let fitted = measure.fit(rows, Some(&target)).unwrap();
            let (Ok(ready), Ok(s)) = (back.ready(&run), fitted.block_with(rows, rows, &run)) else {
                assert!(fitted.block_with(rows, rows, &run).is_err(), "{}", measure.about().id);
                continue;
            };
            assert_eq!(ready.own(&run).unwrap()[0], s, "{}", measure.about().id);
            let said = ready.predict(rows, &run).unwrap();
            let meant = ready.fitted.predict(&s).unwrap();
            assert_eq!(said, meant, "{}", measure.about().id);
            assert_eq!(ready.fitted.parts(), knn.fit(&s, &back.classes).unwrap().parts());
        }
    }
}

fn refuse(bytes: &[u8]) -> String {
    Model::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn newer_foreign_and_changed_files_are_told_apart() {
    let (model, _) = saved("rbs", &[], true);
    let bytes = Model::Similarity(model).to_bytes().unwrap();
    let mut container = Container::from_bytes(&bytes).unwrap();
    let whole = container.clone();

    container.metadata.insert("nearkin_format".into(), (FORMAT + 1).to_string());
    let newer = refuse(&container.to_bytes());
    assert!(newer.contains("format 2") && newer.contains("update nearkin"), "{newer}");

    container.metadata.clear();
    assert!(refuse(&container.to_bytes()).contains("not a model that nearkin saved"));

    let mut changed = whole.clone();
    let Some(tensor) = changed.tensors.get_mut("prototypes.rows") else { panic!("rows") };
    let Cells::F64(cells) = &mut tensor.cells else { panic!("reals") };
    cells[5] = 1e9;
    assert!(refuse(&changed.to_bytes()).contains("not those that were saved"));
    changed.metadata.remove("nearkin_check");
    assert!(Model::from_bytes(&changed.to_bytes()).is_ok());

    let mut cut = whole.clone();
    cut.metadata.remove("nearkin_check");
    cut.tensors.remove("model.0.similarity.matrix");
    assert!(refuse(&cut.to_bytes()).contains("`matrix`"));
    let mut cut = whole;
    cut.metadata.remove("nearkin_check");
    cut.tensors.insert(
        "prototypes.classes".into(),
        nearkin::model::container::Tensor { shape: vec![1], cells: Cells::U32(vec![0]) },
    );
    assert!(refuse(&cut.to_bytes()).contains("do not agree"));
}

#[test]
fn every_flipped_byte_is_refused_or_harmless() {
    let (model, _) = saved("rbs", &[], false);
    let bytes = Model::Similarity(model.clone()).to_bytes().unwrap();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        // What comes back is the model itself: only blanks and the program's name are free.
        if let Ok(back) = Model::from_bytes(&changed) {
            assert_eq!(back, Model::Similarity(model.clone()), "byte {at}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_refused_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Model::from_bytes(&bytes).is_err());
        let mut headed = (bytes.len() as u64).to_le_bytes().to_vec();
        headed.push(b'{');
        headed.extend(bytes);
        prop_assert!(Model::from_bytes(&headed).is_err());
    }
}

fn line<'l>(lines: &'l [Line], name: &str) -> &'l Line {
    lines.iter().find(|line| line.name == name).unwrap()
}

#[test]
fn plain_ways_stand_beside_the_learned_one_and_constants_are_marked() {
    let (table, target, classes) = set("iris");
    let rows = Dense::from_table(&table).unwrap();
    let truth: Vec<Option<u32>> = classes.codes().iter().map(|&c| Some(c)).collect();
    let parts =
        Held { train: (&rows).into(), classes: &classes, test: (&rows).into(), truth: &truth };
    let mut rbs = learn::method("rbs").unwrap();
    learn::set(rbs.as_mut(), "mode", "one-vs-rest").unwrap();
    learn::set(rbs.as_mut(), "k", "1").unwrap();
    let learned = rbs.fit(&table, &target).unwrap();
    let (lines, notes) = beside(&learned, Rule::Knn, 1, &parts, &Run::on(1)).unwrap();
    assert!(notes.is_empty());
    // Every row is its own nearest neighbour, so 1-NN is never wrong on its own rows.
    for plain in ["cosine", "euclidean"] {
        assert!(line(&lines, plain).accuracy.unwrap() > 0.98);
        assert_eq!(line(&lines, plain).constant, 0);
    }
    assert_eq!(line(&lines, "euclidean").accuracy, Some(1.0));
    let majority = line(&lines, "majority");
    assert!((majority.accuracy.unwrap() - 1.0 / 3.0).abs() < 1e-15);
    assert_eq!((majority.constant, majority.questions), (3, 3));
    let rest = line(&lines, "all rest");
    assert_eq!((rest.accuracy, rest.constant), (None, 3));
    assert!((rest.one_vs_rest - 2.0 / 3.0).abs() < 1e-15);
}

#[test]
fn a_way_that_cannot_answer_is_told_of() {
    // Cosines of large numbers are as any, and squares of their differences cannot be held.
    let x = Column::numeric("x", vec![1e200, 2e200, 1.0, 3.0]);
    let y = Column::numeric("y", vec![1.0, 2.0, 1e200, 2e200]);
    let table = Table::new(vec![x, y]).unwrap();
    let target = Target::classes(["a", "a", "b", "b"]);
    let learned = learn::method("sila").unwrap().fit(&table, &target).unwrap();
    let Target::Classes(classes) = target else { panic!() };
    let rows = Dense::from_table(&table).unwrap();
    let truth: Vec<Option<u32>> = classes.codes().iter().map(|&c| Some(c)).collect();
    let parts =
        Held { train: (&rows).into(), classes: &classes, test: (&rows).into(), truth: &truth };
    let (lines, notes) = beside(&learned, Rule::Sknn, 1, &parts, &Run::on(1)).unwrap();
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["learned", "cosine", "majority", "all rest"]);
    assert!(matches!(&notes[0], Note::LeftOut { name, .. } if name == "euclidean"), "{notes:?}");
}

/// Whitening is learned from classes, and has no place in what needs no learning.
#[test]
fn plain_ways_beside_whitened_rows_are_plain() {
    let (table, target, classes) = set("wine");
    let rows = Dense::from_table(&table).unwrap();
    let (learn, ask): (Vec<usize>, Vec<usize>) = (0..rows.rows()).partition(|row| row % 3 != 0);
    let pick = |of: &[usize]| of.iter().map(|&row| classes.codes()[row]).collect::<Vec<_>>();
    let known = Classes::new(pick(&learn), classes.names().to_vec()).unwrap();
    let truth: Vec<Option<u32>> = pick(&ask).into_iter().map(Some).collect();
    let (train, test) = (rows.select_rows(&learn), rows.select_rows(&ask));
    let parts =
        Held { train: (&train).into(), classes: &known, test: (&test).into(), truth: &truth };
    let taught = target.select(&learn);
    let lines = ["0", "0.9"].map(|share| {
        let mut srbs = learn::method("srbs").unwrap();
        learn::set(srbs.as_mut(), "whiten", share).unwrap();
        let learned = srbs.fit(&table.select_rows(&learn), &taught).unwrap();
        beside(&learned, Rule::Knn, 3, &parts, &Run::on(1)).unwrap().0
    });
    for plain in ["cosine", "euclidean"] {
        assert_eq!(line(&lines[0], plain), line(&lines[1], plain));
    }
    assert_ne!(line(&lines[0], "learned"), line(&lines[1], "learned"));
}
