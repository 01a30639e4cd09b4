//! SiLA beside a slow reference: every visit looks at all rows, and every matrix is added up.

use nearkin::Run;
use nearkin::data::{Dense, Target};
use nearkin::learn::{Learn, LearnSettings, Lesson, Sila, Task};
use nearkin::measure::Form;
use nearkin::random::Random;

const ROWS: usize = 90;
const SIZE: usize = 4;
const K: usize = 2;
const EPOCHS: usize = 4;

/// Three clouds that overlap.
fn rows() -> (Dense, Target) {
    let mut random = Random::new(5, 1);
    let mut cells = Vec::new();
    for i in 0..ROWS {
        cells.extend((0..SIZE).map(|c| random.normal() + if c == i % 3 { 1.5 } else { 0.5 }));
    }
    let names = (0..SIZE).map(|c| format!("x{c}")).collect();
    let labels: Vec<String> = (0..ROWS).map(|i| (i % 3).to_string()).collect();
    (Dense::new(names, cells).unwrap(), Target::classes(&labels))
}

fn similarity(a: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let cell = |at: usize| x[at / SIZE] * a[at] * y[at % SIZE];
    (0..SIZE * SIZE).map(cell).sum()
}

/// The K most similar rows that `of` allows.
fn best(a: &[f64], unit: &[Vec<f64>], i: usize, of: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..ROWS).filter(|&j| j != i && of(j)).collect();
    rows.sort_by(|&j, &l| {
        similarity(a, &unit[i], &unit[l]).total_cmp(&similarity(a, &unit[i], &unit[j]))
    });
    rows.truncate(K);
    rows
}

/// The mean of all matrices, each counted by the rows it met; and the rows that moved one.
fn reference(form: Form, margin: f64) -> (Vec<f64>, Vec<u64>) {
    let (rows, _) = rows();
    let unit = |i: usize| {
        let length = rows.row(i).iter().map(|x| x * x).sum::<f64>().sqrt();
        rows.row(i).iter().map(|x| x / length).collect::<Vec<f64>>()
    };
    let unit: Vec<Vec<f64>> = (0..ROWS).map(unit).collect();
    let plain: Vec<f64> =
        (0..SIZE * SIZE).map(|at| f64::from(u8::from(at / SIZE == at % SIZE))).collect();
    let targets: Vec<Vec<usize>> =
        (0..ROWS).map(|i| best(&plain, &unit, i, |j| j % 3 == i % 3)).collect();
    let (mut a, mut sum, mut moved) = (plain, vec![0.0; SIZE * SIZE], Vec::new());
    for _ in 0..EPOCHS {
        let mut count = 0;
        for i in 0..ROWS {
            let impostors = best(&a, &unit, i, |j| j % 3 != i % 3);
            let total = |rows: &[usize]| -> f64 {
                rows.iter().map(|&j| similarity(&a, &unit[i], &unit[j])).sum()
            };
            if total(&targets[i]) - total(&impostors) <= margin {
                count += 1;
                for (sign, rows) in [(1.0, &targets[i]), (-1.0, &impostors)] {
                    for &j in rows {
                        for (at, cell) in a.iter_mut().enumerate() {
                            let (l, m) = (at / SIZE, at % SIZE);
                            let (x, y) = (&unit[i], &unit[j]);
                            *cell += sign
                                * match form {
                                    Form::Diagonal if l != m => 0.0,
                                    Form::Symmetric => x[l] * y[m] + x[m] * y[l],
                                    _ => x[l] * y[m],
                                };
                        }
                    }
                }
            }
            sum.iter_mut().zip(&a).for_each(|(sum, a)| *sum += a);
        }
        moved.push(count);
    }
    (sum.iter().map(|s| s / (EPOCHS * ROWS) as f64).collect(), moved)
}

#[test]
fn every_form_and_margin_goes_through_the_matrices_of_the_definition() {
    let (rows, target) = rows();
    let mut before = 0;
    for margin in [0.0, 0.5, 5.0] {
        for form in [Form::Diagonal, Form::Symmetric, Form::Full] {
            let common = LearnSettings { k: K, matrix: form, ..LearnSettings::default() };
            let sila = Sila { epochs: EPOCHS, margin, common, ..Sila::default() };
            let task = Task::new(&rows, Lesson::Classes(&target));
            let learned = sila.learn(&task, &Run::on(2)).unwrap();
            let (meant, moved) = reference(form, margin);
            assert_eq!(learned.models[0].mistakes, moved, "{form:?} with margin {margin}");
            let found = learned.models[0].similarity.matrix().in_form(Form::Full).unwrap();
            for (found, meant) in found.cells().iter().zip(&meant) {
                assert!((found - meant).abs() < 1e-9, "{form:?} with margin {margin}");
            }
            if form == Form::Symmetric {
                let all = moved.iter().sum::<u64>();
                assert!(all > before, "a larger margin moves the matrix more often");
                before = all;
            }
        }
    }
}
