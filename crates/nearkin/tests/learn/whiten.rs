//! Whitening beside its definition, and what it promises.

use nearkin::Run;
use nearkin::data::{Dense, Sparse, Target, bundled};
use nearkin::learn::*;
use nearkin::measure::{Scaling, Similarity, Whitening};

fn wine() -> (Dense, Target) {
    let (table, target) = bundled::load("wine").unwrap();
    (Dense::from_table(&table).unwrap(), target)
}

fn with(id: &str, settings: &[(&str, &str)]) -> Box<dyn Learn> {
    let mut found = method(id).unwrap();
    settings.iter().for_each(|(name, text)| set(&mut *found, name, text).unwrap());
    found
}

fn learned(settings: &[(&str, &str)], rows: &Dense, target: &Target) -> Similarity {
    let task = Task::new(rows, Lesson::Classes(target));
    let found = with("sila", settings).learn(&task, &Run::on(2)).unwrap();
    found.models.into_iter().next().unwrap().similarity
}

fn whitening(share: &str, rows: &Dense, target: &Target) -> Whitening {
    learned(&[("whiten", share)], rows, target).preparation().whitening.clone().unwrap()
}

fn codes(target: &Target) -> &[u32] {
    let Target::Classes(classes) = target else { panic!() };
    classes.codes()
}

/// (1 − w) V + w S/τ, cell by cell from its definition.
fn shrunk(share: f64, rows: &Dense, target: &Target) -> Vec<f64> {
    let (n, p, codes) = (rows.rows(), rows.columns(), codes(target));
    let mean = |of: &dyn Fn(usize) -> bool, c: usize| {
        let picked: Vec<f64> = (0..n).filter(|&i| of(i)).map(|i| rows.row(i)[c]).collect();
        picked.iter().sum::<f64>() / picked.len() as f64
    };
    let mut cells = vec![0.0; p * p];
    for a in 0..p {
        for b in 0..p {
            let within: f64 = (0..n)
                .map(|i| {
                    let same = |j: usize| codes[j] == codes[i];
                    (rows.row(i)[a] - mean(&same, a)) * (rows.row(i)[b] - mean(&same, b))
                })
                .sum();
            cells[a * p + b] = within / n as f64;
        }
    }
    let variance = |c: usize| {
        let all = mean(&|_| true, c);
        (0..n).map(|i| (rows.row(i)[c] - all).powi(2)).sum::<f64>() / n as f64
    };
    let tau = (0..p).map(|c| cells[c * p + c] / variance(c)).sum::<f64>() / p as f64;
    cells.iter_mut().for_each(|cell| *cell *= share / tau);
    (0..p).for_each(|c| cells[c * p + c] += (1.0 - share) * variance(c));
    cells
}

/// WᵀW is the inverse of the shrunken covariance: their product is the unit matrix.
#[test]
fn whitening_is_its_definition() {
    let (rows, target) = wine();
    let p = rows.columns();
    for share in ["0.25", "0.9", "1"] {
        let w = whitening(share, &rows, &target);
        let inside = shrunk(share.parse().unwrap(), &rows, &target);
        for i in 0..p {
            for j in 0..p {
                let inverse = |k: usize| -> f64 {
                    (0..p).map(|r| w.cells()[r * p + i] * w.cells()[r * p + k]).sum()
                };
                let cell: f64 = (0..p).map(|k| inverse(k) * inside[k * p + j]).sum();
                // Columns differ by a factor of a thousand.
                assert!(
                    (cell - f64::from(u8::from(i == j))).abs() < 1e-6,
                    "{share} {i} {j} {cell}"
                );
            }
        }
    }
}

/// Two columns, worked by hand. Within classes: variances 1 and 9, nothing in common. Over all: variances
/// 26 and 9. So R has 1/26 and 1 on its diagonal, τ = 27/52, and w = 1/2 gives
/// 1/2 + (1/26)/(27/26) = 29/54 and 1/2 + 26/27 = 79/54.
#[test]
fn two_columns_by_hand() {
    let cells = vec![
        1.0, 3.0, 3.0, -3.0, 1.0, -3.0, 3.0, 3.0, 11.0, 3.0, 13.0, -3.0, 11.0, -3.0, 13.0, 3.0,
    ];
    let rows = Dense::new(vec!["x".into(), "y".into()], cells).unwrap();
    let target = Target::classes(["a", "a", "a", "a", "b", "b", "b", "b"]);
    let hand = [(54.0 / 29.0 / 26.0f64).sqrt(), 0.0, 0.0, (54.0 / 79.0 / 9.0f64).sqrt()];
    for (found, hand) in whitening("0.5", &rows, &target).cells().iter().zip(hand) {
        assert!((found - hand).abs() < 1e-12, "{found} {hand}");
    }
}

/// Targets by looking at every pair, twice; S over them; and WᵀW its inverse.
#[test]
fn whitening_by_targets_is_its_definition() {
    let (rows, target) = wine();
    let (n, p, codes) = (rows.rows(), rows.columns(), codes(&target));
    let mean = |c: usize| (0..n).map(|i| rows.row(i)[c]).sum::<f64>() / n as f64;
    let variance =
        |c: usize| (0..n).map(|i| (rows.row(i)[c] - mean(c)).powi(2)).sum::<f64>() / n as f64;
    // Rows apart, after one round as W of the round before: distances are dᵀ M d.
    let mut metric: Vec<f64> =
        (0..p * p).map(|at| if at % (p + 1) == 0 { 1.0 / variance(at / p) } else { 0.0 }).collect();
    let settings = [("whiten", "0.75"), ("whiten_by", "targets"), ("k", "4")];
    let found = learned(&settings, &rows, &target).preparation().whitening.clone().unwrap();
    for _ in 0..2 {
        let mut sum = vec![0.0; p * p];
        let mut count = 0.0;
        for i in 0..n {
            let apart = |j: usize| -> Vec<f64> {
                (0..p).map(|c| rows.row(i)[c] - rows.row(j)[c]).collect()
            };
            let far = |j: usize| -> f64 {
                let d = apart(j);
                (0..p * p).map(|at| d[at / p] * metric[at] * d[at % p]).sum()
            };
            let mut near: Vec<usize> = (0..n).filter(|&j| j != i && codes[j] == codes[i]).collect();
            near.sort_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)));
            for &j in &near[..4] {
                let d = apart(j);
                (0..p * p).for_each(|at| sum[at] += d[at / p] * d[at % p] / 2.0);
                count += 1.0;
            }
        }
        let tau = (0..p).map(|c| sum[c * p + c] / count / variance(c)).sum::<f64>() / p as f64;
        let mut inside: Vec<f64> = sum.iter().map(|cell| 0.75 * cell / count / tau).collect();
        (0..p).for_each(|c| inside[c * p + c] += 0.25 * variance(c));
        metric = inverse(&inside, p);
    }
    for i in 0..p {
        for j in 0..p {
            let cell: f64 =
                (0..p).map(|r| found.cells()[r * p + i] * found.cells()[r * p + j]).sum();
            let (wanted, size) = (metric[i * p + j], metric[i * p + i] * metric[j * p + j]);
            assert!((cell - wanted).abs() < 1e-7 * size.sqrt(), "{i} {j} {cell} {wanted}");
        }
    }
}

/// By Gauss and Jordan.
fn inverse(cells: &[f64], p: usize) -> Vec<f64> {
    let mut a = cells.to_vec();
    let mut b: Vec<f64> = (0..p * p).map(|at| if at % (p + 1) == 0 { 1.0 } else { 0.0 }).collect();
    for c in 0..p {
        let pivot = a[c * p + c];
        for k in 0..p {
            a[c * p + k] /= pivot;
            b[c * p + k] /= pivot;
        }
        for r in (0..p).filter(|&r| r != c) {
            let factor = a[r * p + c];
            for k in 0..p {
                a[r * p + k] -= factor * a[c * p + k];
                b[r * p + k] -= factor * b[c * p + k];
            }
        }
    }
    b
}

#[test]
fn learning_on_whitened_rows_is_learning_with_whitening() {
    let (rows, target) = wine();
    let settings = [("matrix", "symmetric"), ("constant", "2")];
    let ours = learned(&[&settings[..], &[("whiten", "0.9")]].concat(), &rows, &target);
    let w = ours.preparation().whitening.clone().unwrap();
    let map = |row: &[f64]| -> Vec<f64> {
        w.cells().chunks(w.size()).map(|r| r.iter().zip(row).map(|(a, b)| a * b).sum()).collect()
    };
    let mapped = (0..rows.rows()).flat_map(|at| map(rows.row(at))).collect();
    let mapped = Dense::new(rows.names().to_vec(), mapped).unwrap();
    let theirs = learned(&settings, &mapped, &target);
    for (a, b) in [(0, 1), (3, 90), (120, 177)] {
        let (x, y) =
            (ours.score(rows.row(a), rows.row(b)), theirs.score(mapped.row(a), mapped.row(b)));
        let (x, y) = (x.unwrap(), y.unwrap());
        assert!((x - y).abs() < 1e-9 * y.abs().max(1.0), "{x} {y}");
    }
}

#[test]
fn what_columns_are_measured_in_plays_no_part() {
    let (rows, target) = wine();
    let stretched: Vec<f64> = rows
        .cells()
        .chunks(rows.columns())
        .flat_map(|row| row.iter().enumerate().map(|(c, x)| x * 2f64.powi(c as i32 * 30 - 200)))
        .collect();
    let stretched = Dense::new(rows.names().to_vec(), stretched).unwrap();
    for form in ["diagonal", "symmetric"] {
        let settings = [("matrix", form), ("whiten", "0.9"), ("constant", "3")];
        let (one, other) =
            (learned(&settings, &rows, &target), learned(&settings, &stretched, &target));
        for (a, b) in [(0, 1), (3, 90), (120, 177)] {
            let x = one.score(rows.row(a), rows.row(b)).unwrap();
            let y = other.score(stretched.row(a), stretched.row(b)).unwrap();
            assert!((x - y).abs() < 1e-9 * x.abs().max(1.0), "{form} {x} {y}");
        }
    }
}

/// All pairs of a class, classes of one size m: Σ(x − y)² / 2 over pairs is m/(m − 1) times S, and τ too.
#[test]
fn triplets_of_classes_whiten_as_classes_do() {
    let (table, target) = bundled::load("iris").unwrap();
    let rows = Dense::from_table(&table).unwrap();
    let codes = codes(&target);
    let mut triplets = Vec::new();
    for anchor in 0..150usize {
        for positive in (0..150).filter(|&j| j != anchor && codes[j] == codes[anchor]) {
            let negative = (0..150).find(|&j| codes[j] != codes[anchor]).unwrap() as u32;
            triplets.push(Triplet { anchor: anchor as u32, positive: positive as u32, negative });
        }
    }
    let task = Task::new(&rows, Lesson::Triplets(&triplets));
    let found = with("rbs", &[("whiten", "1")]).learn(&task, &Run::on(2)).unwrap();
    let found = found.models[0].similarity.preparation().whitening.clone().unwrap();
    let classes = whitening("1", &rows, &target);
    for (a, b) in found.cells().iter().zip(classes.cells()) {
        assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} {b}");
    }
}

#[test]
fn a_column_of_one_value_has_no_say() {
    let (rows, target) = wine();
    let names = rows.names().iter().cloned().chain(["same".to_owned()]).collect();
    let cells = rows.cells().chunks(rows.columns()).flat_map(|row| [row, &[0.1]].concat());
    let wide = Dense::new(names, cells.collect()).unwrap();
    for share in ["0.9", "1"] {
        let (own, other) = (whitening(share, &rows, &target), whitening(share, &wide, &target));
        let p = rows.columns();
        for (i, line) in other.cells().chunks(p + 1).enumerate() {
            assert_eq!(line[p], 0.0);
            let before = own.cells().get(i * p..).unwrap_or_default();
            assert!(line.iter().zip(before).take(p).all(|(a, b)| (a - b).abs() < 1e-12 || i == p));
        }
    }
}

#[test]
fn what_cannot_be_whitened_is_refused_in_a_sentence() {
    let (rows, target) = wine();
    // A column twice: rows of one class never differ in the difference of the two.
    let names = rows.names().iter().cloned().chain(["again".to_owned()]).collect();
    let cells = rows.cells().chunks(rows.columns()).flat_map(|row| [row, &row[..1]].concat());
    let twice = Dense::new(names, cells.collect()).unwrap();
    let told = |share: &str, rows: &Dense| {
        let task = Task::new(rows, Lesson::Classes(&target));
        with("srbs", &[("whiten", share)]).learn(&task, &Run::on(1)).map(drop)
    };
    let error = told("1", &twice).unwrap_err().to_string();
    assert!(
        error.contains("whiten: rows that belong together are all the same in 1 of 14"),
        "{error}"
    );
    told("0.99", &twice).unwrap();
    let mut srbs = method("srbs").unwrap();
    assert!(set(&mut *srbs, "whiten", "1.5").is_err());
    // Two classes, each of one row many times.
    let same = Dense::new(vec!["x".into()], [[1.0; 4], [2.0; 4]].concat()).unwrap();
    let few = Target::classes(["a", "a", "a", "a", "b", "b", "b", "b"]);
    let task = Task::new(&same, Lesson::Classes(&few));
    for by in ["classes", "targets"] {
        let method = with("srbs", &[("whiten", "0.5"), ("whiten_by", by)]);
        let error = method.learn(&task, &Run::on(1)).unwrap_err().to_string();
        assert!(error.contains("whiten: has nothing to go by"), "{error}");
    }
    // The same of numbers whose mean is rounded.
    let same = Dense::new(vec!["x".into(), "y".into()], [[0.1; 6], [0.7; 6]].concat()).unwrap();
    let few = Target::classes(["a", "a", "a", "b", "b", "b"]);
    let task = Task::new(&same, Lesson::Classes(&few));
    let error = with("srbs", &[("whiten", "0.9")]).learn(&task, &Run::on(1)).unwrap_err();
    assert!(error.to_string().contains("rows of a class are all the same"), "{error}");
    let alone = Target::classes(["a", "b", "c", "d", "e", "f"]);
    let task = Task::new(&same, Lesson::Classes(&alone));
    for by in ["classes", "targets"] {
        let method = with("srbs", &[("whiten", "0.5"), ("whiten_by", by)]);
        let error = method.learn(&task, &Run::on(1)).unwrap_err().to_string();
        assert!(error.contains("every class has a single row"), "{error}");
    }
    for norm in ["dice", "jaccard"] {
        let task = Task::new(&rows, Lesson::Classes(&target));
        let method = with("srbs", &[("whiten", "0.5"), ("norm", norm)]);
        let error = method.learn(&task, &Run::on(1)).unwrap_err().to_string();
        assert!(error.starts_with("whiten: turns 0 and 1 into other numbers"), "{error}");
    }
    let triplets = [Triplet { anchor: 0, positive: 1, negative: 100 }];
    let task = Task::new(&rows, Lesson::Triplets(&triplets));
    let method = with("rbs", &[("whiten", "0.5"), ("whiten_by", "targets")]);
    let error = method.learn(&task, &Run::on(1)).unwrap_err().to_string();
    assert!(error.starts_with("whiten_by: plays no part"), "{error}");
    let tiny = Dense::new(rows.names().to_vec(), rows.cells().iter().map(|x| x * 1e-313).collect());
    let error = told("0.5", &tiny.unwrap()).unwrap_err().to_string();
    assert!(error.contains("too small to be whitened"), "{error}");
    let sparse = Sparse::from_dense(&rows).unwrap();
    let task = Task::new(&sparse, Lesson::Classes(&target));
    let error = with("srbs", &[("whiten", "0.5")]).learn(&task, &Run::on(1)).unwrap_err();
    assert!(error.to_string().contains("give dense rows"), "{error}");
    let ours = learned(&[("whiten", "0.5")], &rows, &target);
    assert!(ours.prepare(&sparse).unwrap_err().to_string().contains("whitened"));
    let huge = ours.score(&[1e308; 13], rows.row(0)).unwrap_err().to_string();
    assert!(huge.contains("row 0 holds numbers too large to be whitened"), "{huge}");
}

/// 0.3 and 0.1 + 0.2 differ in their last bit, which is no direction to look in.
#[test]
fn a_column_that_varies_by_rounding_has_no_say() {
    let (rows, target) = wine();
    let names = rows.names().iter().cloned().chain(["same".to_owned()]).collect();
    let cells = rows.cells().chunks(rows.columns()).enumerate();
    let cells =
        cells.flat_map(|(at, row)| [row, &[if at % 2 == 0 { 0.3 } else { 0.1 + 0.2 }]].concat());
    let wide = Dense::new(names, cells.collect()).unwrap();
    assert!(whitening("0.9", &wide, &target).cells().chunks(14).all(|line| line[13] == 0.0));
}

/// Whitening by targets goes by k, so that what is chosen can be learned again by its parameters.
#[test]
fn choosing_k_whitens_by_that_k() {
    let (rows, target) = wine();
    let task = Task::new(&rows, Lesson::Classes(&target));
    let whiten = [("whiten", "0.9"), ("whiten_by", "targets")];
    let chosen = |k: Vec<usize>| {
        let validation = Validation::Folds { count: 3, seed: 0 };
        let grid = LearnGrid { k, ..LearnGrid::default() };
        let select = Select { grid, rule: nearkin::neighbors::Rule::Knn, validation };
        select.learn(&*with("srbs", &whiten), &task, &Run::on(1))
    };
    let found = chosen(vec![7]).unwrap().learned;
    let again =
        with("srbs", &[&whiten[..], &[("k", "7")]].concat()).learn(&task, &Run::on(1)).unwrap();
    let of = |learned: &Learned| learned.models[0].similarity.preparation().clone();
    assert_eq!(of(&found), of(&again));
    let error = chosen(vec![3, 7]).unwrap_err().to_string();
    assert!(error.contains("one number of targets"), "{error}");
}

/// Settings are judged on rows whitened by the rows learned from, and kept.
#[test]
fn choosing_whitens_by_the_rows_learned_from() {
    let (rows, target) = wine();
    let task = Task { scale: Scaling::ZScore, ..Task::new(&rows, Lesson::Classes(&target)) };
    let learn: Vec<usize> = (0..178).filter(|i| i % 3 != 0).collect();
    let valid = (0..178).filter(|i| i % 3 == 0).collect();
    let select = Select {
        grid: LearnGrid { epochs: vec![1, 3], ..LearnGrid::default() },
        validation: Validation::Rows { learn: learn.clone(), valid },
        rule: nearkin::neighbors::Rule::Knn,
    };
    let chosen = select.learn(&*with("sila", &[("whiten", "0.9")]), &task, &Run::on(2)).unwrap();
    let found = chosen.learned.models[0].similarity.preparation().clone();
    let part = rows.select_rows(&learn);
    let few = target.select(&learn);
    let alone = Task { scale: Scaling::ZScore, ..Task::new(&part, Lesson::Classes(&few)) };
    let again = with("sila", &[("whiten", "0.9")]).learn(&alone, &Run::on(1)).unwrap();
    assert_eq!(&found, again.models[0].similarity.preparation());
}
