//! What similarities can be learned from: triplets, sparse rows, scaled columns, a caller's norm
//! and what was learned before; and what can be made of them.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use nearkin::data::{Classes, Column, Dense, Sparse, Table, Target, bundled};
use nearkin::learn::*;
use nearkin::measure::{
    Compare, Form, Norm, OwnNorm, Preparation, Scaling, Similarity, SquareMatrix, dot,
};
use nearkin::neighbors::{Rule, most_similar};
use nearkin::random::Random;
use nearkin::{Error, Result, Run};

fn load(name: &str) -> (Dense, Target) {
    let (table, target) = bundled::load(name).unwrap();
    (Dense::from_table(&table).unwrap(), target)
}

fn classes(target: &Target) -> &Classes {
    let Target::Classes(classes) = target else { panic!() };
    classes
}

fn with(id: &str, settings: &[(&str, &str)]) -> Box<dyn Learn> {
    let mut found = method(id).unwrap();
    settings.iter().for_each(|(name, text)| set(&mut *found, name, text).unwrap());
    found
}

fn table_of(dense: &Dense) -> Table<'static> {
    let column = |c: usize| {
        let cells = (0..dense.rows()).map(|row| dense.row(row)[c]).collect();
        Column::numeric(dense.names()[c].clone(), cells)
    };
    Table::new((0..dense.columns()).map(column).collect()).unwrap()
}

/// Rows of mostly zeros, of which a few columns tell the class.
fn words(rows: usize, columns: usize) -> (Dense, Target) {
    let mut random = Random::new(21, 0);
    let mut cells = Vec::new();
    for row in 0..rows {
        let class = row % 3;
        for column in 0..columns {
            let own = column % 3 == class && column < columns / 2;
            // Amounts, so that no two similarities are equal but for rounding.
            let amount = 0.5 + random.uniform();
            cells.push(if random.chance(if own { 0.5 } else { 0.15 }) { amount } else { 0.0 });
        }
        // No row of zeros, which has no cosine.
        cells[row * columns + columns - 1] = 1.0;
    }
    let names = (0..columns).map(|c| format!("w{c}")).collect();
    (Dense::new(names, cells).unwrap(), Target::classes((0..rows).map(|row| (row % 3).to_string())))
}

/// The rows with one more column of the same value.
fn widened(dense: &Dense, value: f64) -> Dense {
    let names = dense.names().iter().cloned().chain(["one more".to_owned()]).collect();
    let rows = dense.cells().chunks_exact(dense.columns());
    Dense::new(names, rows.flat_map(|row| row.iter().copied().chain([value])).collect()).unwrap()
}

#[test]
fn a_constant_is_a_column_of_that_value_in_dense_and_in_sparse_rows() {
    let (dense, target) = words(60, 9);
    let run = Run::on(1);
    for (id, form) in [("sila", "symmetric"), ("srbs", "diagonal"), ("rbs", "full")] {
        let plain = with(id, &[("matrix", form)]);
        let by_hand =
            plain.learn(&Task::new(&widened(&dense, 2.0), Lesson::Classes(&target)), &run).unwrap();
        let method = with(id, &[("matrix", form), ("constant", "2")]);
        let task = Task::new(&dense, Lesson::Classes(&target));
        let learned = method.learn(&task, &run).unwrap();
        let (ours, theirs) = (&learned.models[0].similarity, &by_hand.models[0].similarity);
        assert_eq!(ours.matrix(), theirs.matrix(), "{id}");
        assert_eq!(ours.columns(), dense.names());
        assert_eq!(ours.features().last(), Some("(constant)"));
        let (x, y) = (dense.row(3), dense.row(8));
        let wide = |row: &[f64]| [row, &[2.0]].concat();
        assert_eq!(ours.score(x, y).unwrap(), theirs.score(&wide(x), &wide(y)).unwrap());
        if form == "diagonal" {
            let sparse = Sparse::from_dense(&dense).unwrap();
            let task = Task::new(&sparse, Lesson::Classes(&target));
            let learned = method.learn(&task, &run).unwrap();
            let weights = learned.models[0].similarity.matrix().diagonal();
            let apart = weights.iter().zip(ours.matrix().diagonal()).map(|(a, b)| (a - b).abs());
            assert!(apart.fold(0.0, f64::max) < 1e-9);
        }
    }
    let task = Task::new(&dense, Lesson::Classes(&target));
    let told = with("rbs", &[("constant", "-1")]).learn(&task, &run).unwrap_err().to_string();
    assert!(told.contains("constant") && told.contains("0 or more"), "{told}");
}

#[test]
fn a_large_constant_ranks_rows_as_the_euclidean_distance_does() {
    let (dense, _) = load("iris");
    let run = Run::on(1);
    let how = Preparation { constant: 1e4, ..Norm::Cosine.into() };
    let size = dense.columns() + 1;
    let identity = SquareMatrix::identity(Form::Diagonal, size, 1.0);
    let cosine = Similarity::new(identity, how, dense.names().to_vec()).unwrap();
    let distance = Similarity::euclidean(dense.names().to_vec());
    let nearest = |similarity: &Similarity| {
        let rows = similarity.prepare(&dense).unwrap();
        most_similar(similarity, &rows, &rows, 2, &run).unwrap()
    };
    // Iris has equal rows and equal distances: how far the second row is must agree, not which.
    for (at, (a, b)) in nearest(&cosine).iter().zip(nearest(&distance)).enumerate() {
        let far = |row: u32| -> f64 {
            let pairs = dense.row(at).iter().zip(dense.row(row as usize));
            pairs.map(|(x, y)| (x - y).powi(2)).sum()
        };
        assert!((far(a[1].row) - far(b[1].row)).abs() < 1e-6, "row {at}");
    }
    let wrong = Similarity::new(
        SquareMatrix::identity(Form::Diagonal, size, 1.0),
        Norm::Cosine,
        dense.names().to_vec(),
    );
    assert!(wrong.unwrap_err().to_string().contains("5 features and there are 4 columns"));
}

#[test]
fn triplets_of_plain_neighbours_teach_what_their_classes_do() {
    // One target and one impostor a row, fixed: RBS and sRBS cannot tell the difference.
    let (dense, target) = load("iris");
    let cosine = Similarity::plain(Norm::Cosine, dense.names().to_vec());
    let ready = cosine.prepare(&dense).unwrap();
    let codes = classes(&target).codes();
    let ranked = most_similar(&cosine, &ready, &ready, 150, &Run::on(1)).unwrap();
    let triplets: Vec<Triplet> = (0..150)
        .map(|at| {
            let other = |own: bool| {
                let near = ranked[at].iter().map(|n| n.row as usize);
                let mut near = near.filter(|&row| row != at && (codes[row] == codes[at]) == own);
                near.next().unwrap() as u32
            };
            Triplet { anchor: at as u32, positive: other(true), negative: other(false) }
        })
        .collect();
    for id in ["rbs", "rbs-psd", "srbs", "srbs-psd"] {
        for form in ["diagonal", "symmetric", "full"] {
            let method = with(id, &[("k", "1"), ("matrix", form)]);
            let from_classes = method.fit(&table_of(&dense), &target).unwrap();
            let learned = method.fit_triplets(&dense, &triplets, &Run::on(2)).unwrap();
            assert_eq!(learned.models, from_classes.models, "{id} {form}");
            assert!(learned.classes.is_empty());
        }
    }
}

#[test]
fn every_method_learns_from_triplets_that_only_one_column_explains() {
    let mut random = Random::new(5, 0);
    let cells: Vec<f64> = (0..120)
        .flat_map(|row| [f64::from(row % 2), 1.0 + random.uniform(), 1.0 + random.uniform()])
        .collect();
    let names = ["tells", "noise", "more"].map(String::from).to_vec();
    let rows = Dense::new(names, cells).unwrap();
    let triplets: Vec<Triplet> = (0..400)
        .map(|_| {
            let anchor = random.below(116) as u32;
            Triplet {
                anchor,
                positive: anchor + 2,
                negative: anchor + 1 + 2 * random.below(2) as u32,
            }
        })
        .collect();
    for method in methods() {
        let id = method.about().id;
        let method = with(id, &[("norm", "dot")]);
        let learned = method.fit_triplets(&rows, &triplets, &Run::on(1)).unwrap();
        let weights: Vec<f64> = learned.models[0].similarity.weights().map(|w| w.1).collect();
        assert!(weights[0] > weights[1] && weights[0] > weights[2], "{id}: {weights:?}");
        assert_eq!(learned.models[0].after.len(), 400);
    }
    let told = |triplet: Triplet| {
        let found = Sila::default().fit_triplets(&rows, &[triplet], &Run::on(1));
        found.unwrap_err().to_string()
    };
    let triplet = |anchor, positive, negative| Triplet { anchor, positive, negative };
    assert!(told(triplet(0, 1, 120)).contains("row 120, and rows are 0 to 119"));
    assert!(told(triplet(3, 3, 1)).contains("anchor and positive are the same row, 3"));
    assert!(told(triplet(3, 1, 1)).contains("positive and negative are the same row, 1"));
    assert!(Sila::default().fit_triplets(&rows, &[], &Run::on(1)).is_err());
}

#[test]
fn sparse_rows_teach_and_decide_as_dense_ones() {
    let (dense, target) = words(240, 40);
    let sparse = Sparse::from_dense(&dense).unwrap();
    let run = Run::on(2);
    for id in ["sila", "rbs", "rbs-psd", "srbs", "srbs-psd"] {
        for norm in ["cosine", "dot", "dice", "jaccard"] {
            for mode in ["multi-class", "one-vs-rest"] {
                let what = format!("{id} {norm} {mode}");
                let method = with(id, &[("norm", norm), ("mode", mode)]);
                let found = method.fit_sparse(&sparse, &target, &run);
                let meant = method.fit(&table_of(&dense), &target);
                let (found, meant) = match (found, meant) {
                    (Ok(found), Ok(meant)) => (found, meant),
                    (found, meant) => {
                        assert_eq!(found.err(), meant.err(), "{what}");
                        continue;
                    }
                };
                for (found, meant) in found.models.iter().zip(&meant.models) {
                    let (a, b) = (found.similarity.matrix(), meant.similarity.matrix());
                    let off = a.plus(-1.0, b).length();
                    assert!(off <= 1e-9 * b.length(), "{what}: {off}");
                }
                let (base, same) =
                    (meant.prepare(&dense).unwrap(), found.prepare(&sparse).unwrap());
                for rule in [Rule::Knn, Rule::Sknn] {
                    let classes = classes(&target);
                    let dense = meant.classify(rule, 5, &base, classes, &base, &run).unwrap();
                    let sparse = found.classify(rule, 5, &same, classes, &same, &run).unwrap();
                    let agree = dense.iter().zip(&sparse).filter(|(a, b)| a.class == b.class);
                    // Sums of another order may turn a tie.
                    assert!(agree.count() >= 237, "{what} {rule:?}");
                }
            }
        }
    }
    let euclidean = Similarity::euclidean(dense.names().to_vec());
    let both = [euclidean.prepare(&dense).unwrap(), euclidean.prepare(&sparse).unwrap()];
    let [one, other] = both.map(|rows| euclidean.between(&rows, &rows, &run).unwrap());
    assert!(one.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-9));
    let told = |id, settings| with(id, settings).fit_sparse(&sparse, &target, &run).unwrap_err();
    assert!(told("sila", &[("matrix", "full")]).to_string().contains("40 × 40 numbers"));
    let task = Task { scale: Scaling::ZScore, ..Task::new(&sparse, Lesson::Classes(&target)) };
    let refused = Sila::default().learn(&task, &run).unwrap_err().to_string();
    assert!(refused.contains("zeros of sparse column"), "{refused}");
    assert!(told("relief", &[]).to_string().contains("give dense rows"));
}

#[test]
fn scaling_is_kept_with_the_similarity() {
    let (dense, target) = load("wine");
    for scale in [Scaling::MinMax, Scaling::ZScore] {
        let task = Task { scale, ..Task::new(&dense, Lesson::Classes(&target)) };
        let (learned, scaling) = (Srbs::default().learn(&task, &Run::on(1)).unwrap(), scale);
        let similarity = &learned.models[0].similarity;
        let scale = similarity.scale().unwrap();
        let mut scaled = dense.cells().to_vec();
        scaled.chunks_exact_mut(13).for_each(|row| scale.apply(row));
        let by_hand = Dense::new(dense.names().to_vec(), scaled).unwrap();
        let alike = with("srbs", &[]).fit(&table_of(&by_hand), &target).unwrap();
        assert_eq!(alike.models[0].similarity.matrix(), similarity.matrix());
        let (x, y) = (similarity.score(dense.row(3), dense.row(70)).unwrap(), &alike.models[0]);
        assert_eq!(x, y.similarity.score(by_hand.row(3), by_hand.row(70)).unwrap());
        let column: Vec<f64> = (0..178).map(|row| by_hand.row(row)[0]).collect();
        let (low, high) = column.iter().fold((9.0f64, -9.0f64), |m, &x| (m.0.min(x), m.1.max(x)));
        match scaling {
            Scaling::MinMax => assert!(low == 0.0 && (high - 1.0).abs() < 1e-15),
            _ => assert!(column.iter().sum::<f64>().abs() < 1e-9),
        }
        let plain =
            Similarity::plain(Norm::Cosine, dense.names().to_vec()).prepare(&dense).unwrap();
        assert!(similarity.check(&plain).unwrap_err().to_string().contains("scaled columns"));
    }
}

#[test]
fn steps_taken_in_two_parts_are_the_steps_taken_in_one() {
    let (dense, target) = load("wine");
    let table = table_of(&dense);
    for id in ["srbs", "srbs-psd"] {
        for form in ["diagonal", "symmetric", "full"] {
            let steps =
                |n| with(id, &[("epochs", n), ("gamma", "0"), ("beta", "5"), ("matrix", form)]);
            let scale = Scaling::ZScore;
            let task = Task { scale, ..Task::new(&dense, Lesson::Classes(&target)) };
            let whole = steps("12").learn(&task, &Run::on(1)).unwrap();
            let half = steps("6").learn(&task, &Run::on(1)).unwrap();
            let rest = steps("6").resume(&half, &table, &target, &Run::on(1)).unwrap();
            assert_eq!(rest.models[0].similarity.scale(), whole.models[0].similarity.scale());
            let (a, b) =
                (whole.models[0].similarity.matrix(), rest.models[0].similarity.matrix().clone());
            let off = a.plus(-1.0, &b.in_form(a.form()).unwrap()).length();
            assert!(off < 1e-12, "{id} {form}: {off}");
        }
    }
    let sila = with("sila", &[("mode", "one-vs-rest")]);
    let first = sila.fit(&table, &target).unwrap();
    let more = sila.resume(&first, &table, &target, &Run::on(1)).unwrap();
    assert_ne!(first.models, more.models);
    let told = |id: &str, settings: &[(&str, &str)]| {
        with(id, settings).resume(&first, &table, &target, &Run::on(1)).unwrap_err().to_string()
    };
    assert!(told("rbs", &[("mode", "one-vs-rest")]).contains("in one step"));
    assert!(told("sila", &[]).contains("has 3 matrices and this would have 1"));
    let names = (0..13).map(|c| format!("other{c}")).collect();
    let other = table_of(&Dense::new(names, dense.cells().to_vec()).unwrap());
    let error = sila.resume(&first, &other, &target, &Run::on(1)).unwrap_err();
    assert!(error.to_string().contains("other columns"));
}

#[test]
fn a_factor_ranks_rows_of_length_one_by_inner_products_as_the_similarity_does() {
    let (dense, target) = load("wine");
    let run = Run::on(1);
    for (id, scale) in
        [("rbs-psd", Scaling::None), ("srbs-psd", Scaling::ZScore), ("relief-psd", Scaling::MinMax)]
    {
        for form in ["diagonal", "full"] {
            let mut settings = vec![("matrix", form)];
            if id == "relief-psd" {
                settings.push(("used_as", "similarity"));
            }
            let task = Task { scale, ..Task::new(&dense, Lesson::Classes(&target)) };
            let learned = with(id, &settings).learn(&task, &run).unwrap();
            let similarity = &learned.models[0].similarity;
            let factor = similarity.factor(&Run::default()).unwrap();
            let mapped: Vec<Vec<f64>> = (0..178)
                .map(|row| {
                    let mut cells = dense.row(row).to_vec();
                    if let Some(scale) = similarity.scale() {
                        scale.apply(&mut cells);
                    }
                    let length = dot(&cells, &cells).sqrt();
                    cells.iter_mut().for_each(|x| *x /= length);
                    factor.iter().map(|l| dot(l, &cells)).collect()
                })
                .collect();
            let ready = similarity.prepare(&dense).unwrap();
            let scores = similarity.between(&ready, &ready, &run).unwrap();
            for (i, row) in scores.chunks_exact(178).enumerate() {
                let inner: Vec<f64> = mapped.iter().map(|y| dot(&mapped[i], y)).collect();
                let scale = similarity.matrix().length();
                assert!(row.iter().zip(&inner).all(|(s, i)| (s - i).abs() < 1e-12 * scale), "{id}");
            }
        }
    }
    let learned = with("srbs", &[("beta", "1000")]).fit(&table_of(&dense), &target).unwrap();
    let similarity = &learned.models[0].similarity;
    if !similarity.is_psd(&Run::default()).unwrap() {
        assert!(
            similarity
                .factor(&Run::default())
                .unwrap_err()
                .to_string()
                .contains("rbs-psd or srbs-psd")
        );
    }
    let distance = with("relief", &[]).fit(&table_of(&dense), &target).unwrap();
    let told = distance.models[0].similarity.factor(&Run::default()).unwrap_err().to_string();
    assert!(told.contains("absolute differences"), "{told}");
}

#[test]
fn a_norm_of_ones_own_is_used_and_not_saved() {
    let (dense, target) = load("iris");
    let cosine = OwnNorm::new("lengths", |x, y| dot(x, x).sqrt() * dot(y, y).sqrt());
    for id in ["sila", "rbs", "srbs"] {
        for form in ["diagonal", "full"] {
            let method = with(id, &[("matrix", form)]);
            let task =
                Task { norm: Some(cosine.clone()), ..Task::new(&dense, Lesson::Classes(&target)) };
            let learned = method.learn(&task, &Run::on(1)).unwrap();
            let similarity = &learned.models[0].similarity;
            let meant = method.fit(&table_of(&dense), &target).unwrap();
            let meant = meant.models[0].similarity.matrix();
            let off = similarity.matrix().plus(-1.0, meant).length();
            assert!(off < 1e-6 * meant.length(), "{id} {form}: {off}");
            let told = similarity.check_savable().unwrap_err().to_string();
            assert!(told.contains("norm `lengths` is a function"), "{told}");
            assert!(similarity.factor(&Run::default()).is_err());
        }
    }
}

#[test]
fn a_refreshed_step_is_that_of_neighbours_found_under_the_matrix_before() {
    let (dense, target) = load("wine");
    let run = Run::on(2);
    let fit = |epochs: usize, refresh: bool| {
        let smooth = Smooth { beta: 200.0, gamma: 0.0, epochs, refresh, ..Smooth::default() };
        Srbs { smooth }.fit(&table_of(&dense), &target).unwrap().models.swap_remove(0)
    };
    let first = fit(1, true).similarity.matrix().clone();
    assert_eq!(&first, fit(1, false).similarity.matrix());
    let rows = Similarity::plain(Norm::Cosine, dense.names().to_vec()).prepare(&dense).unwrap();
    let smooth = Smooth { beta: 200.0, ..Smooth::default() };
    let codes = classes(&target).codes().to_vec();
    let problem = LearnProblem::new(&rows, dense.names(), codes, &smooth.common, &run).unwrap();
    let near = problem.refreshed(&first, &run).unwrap();
    assert!((0..178).any(|at| near.impostors(at) != problem.impostors(at)));
    let fixed = near.fixed(&run).unwrap();
    let gradient = smooth.gradient(&fixed, &first, &run).unwrap();
    let second = first.plus(-1.0 / (2.0 * 178.0), &gradient);
    assert_eq!(&second, fit(2, true).similarity.matrix());
    assert!(&second != fit(2, false).similarity.matrix());
}

#[test]
fn a_distance_of_relief_tells_wines_apart_as_published_algorithms_do() {
    // Raw columns differ by factors of a thousand: the plain Euclidean distance sees one of them.
    let (dense, target) = load("wine");
    let run = Run::on(2);
    let classes = classes(&target);
    let right = |similarity: &Similarity| {
        let rows = similarity.prepare(&dense).unwrap();
        let found = Rule::Knn.decide(similarity, 3, &rows, classes, &rows, true, &run).unwrap();
        found.iter().zip(classes.codes()).filter(|(d, c)| d.class == **c).count()
    };
    let plain = right(&Similarity::euclidean(dense.names().to_vec()));
    for (id, form, compare) in [
        ("relief", "diagonal", Compare::AbsoluteDistance),
        ("relief-psd", "diagonal", Compare::AbsoluteDistance),
        ("relief-psd", "symmetric", Compare::SquaredDistance),
    ] {
        let learned = with(id, &[("matrix", form)]).fit(&table_of(&dense), &target).unwrap();
        let similarity = &learned.models[0].similarity;
        assert_eq!(similarity.compare(), compare);
        assert!(right(similarity) >= 170 && plain < 140, "{id} {form}: {}", right(similarity));
    }
}

#[test]
fn full_relief_is_the_definition() {
    let (dense, target) = load("iris");
    let codes = classes(&target).codes();
    let mut spans = [(f64::MAX, f64::MIN); 4];
    for row in 0..150 {
        for (span, &x) in spans.iter_mut().zip(dense.row(row)) {
            *span = (span.0.min(x), span.1.max(x));
        }
    }
    let scaled = |row: usize, c: usize| dense.row(row)[c] / (spans[c].1 - spans[c].0);
    let mut z = [[0.0f64; 4]; 4];
    for i in 0..150 {
        for own in [true, false] {
            let distance =
                |j: usize| (0..4).map(|c| (scaled(i, c) - scaled(j, c)).abs()).sum::<f64>();
            let others = (0..150).filter(|&j| j != i && (codes[j] == codes[i]) == own);
            let near = others.min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
            let gap = |c: usize| scaled(i, c) - scaled(near.unwrap(), c);
            for (a, row) in z.iter_mut().enumerate() {
                for (b, cell) in row.iter_mut().enumerate() {
                    *cell += if own { -1.0 } else { 1.0 } * gap(a) * gap(b);
                }
            }
        }
    }
    let cells: Vec<f64> = z.concat();
    let z = nearkin::measure::SquareMatrix::new(Form::Full, 4, cells).unwrap();
    let meant = z.nearest_psd(&Run::default()).unwrap().unwrap().unit().unwrap();
    let method = with("relief-psd", &[("matrix", "symmetric"), ("k", "1")]);
    let learned = method.fit(&table_of(&dense), &target).unwrap();
    let matrix = learned.models[0].similarity.matrix();
    for a in 0..4 {
        for b in 0..4 {
            let span = |c: usize| spans[c].1 - spans[c].0;
            let found = matrix.at(a, b) * span(a) * span(b);
            assert!((found - meant.at(a, b)).abs() < 1e-9, "{a} {b}");
        }
    }
}

#[test]
fn a_model_that_always_says_the_same_is_told() -> Result<(), Error> {
    let (dense, target) = load("iris");
    let run = Run::on(1);
    let constant = |id: &str| -> Result<Vec<bool>> {
        let learned = with(id, &[("mode", "one-vs-rest"), ("k", "1")]);
        let learned = learned.fit(&table_of(&dense), &target)?;
        let rows = learned.prepare(&dense)?;
        let answers = learned.classify(Rule::Sknn, 1, &rows, classes(&target), &rows, &run)?;
        Ok(learned.constant(&answers))
    };
    assert_eq!(constant("srbs")?, [false; 3]);
    assert!(constant("rbs")?.iter().filter(|c| **c).count() >= 2);
    Ok(())
}
