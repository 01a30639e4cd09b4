//! sRBS in rounds beside a slow reference: neighbours by looking at all pairs, each descent by
//! small steps to its minimum, and the mean of where they ended.

use nearkin::Run;
use nearkin::data::{Dense, Target};
use nearkin::learn::*;
use nearkin::measure::{Form, SquareMatrix};
use nearkin::random::Random;

const ROWS: usize = 40;
const SIZE: usize = 3;
const K: usize = 2;
/// Flat enough for ε to have one minimum, which any descent finds.
const BETA: f64 = 3.0;
const LAMBDA: f64 = 2.0;

fn rows(count: usize) -> (Dense, Target) {
    let mut random = Random::new(11, 1);
    let mut cells = Vec::new();
    let labels: Vec<String> = (0..count).map(|i| (i % 2).to_string()).collect();
    for i in 0..count {
        let side = (i % 2) as f64;
        cells.extend([random.normal() + side, random.normal() - 0.5 * side, random.normal()]);
    }
    let names = (0..SIZE).map(|c| format!("x{c}")).collect();
    (Dense::new(names, cells).unwrap(), Target::classes(&labels))
}

fn settings(rounds: usize) -> Smooth {
    let common = LearnSettings { k: K, matrix: Form::Symmetric, ..LearnSettings::default() };
    Smooth {
        beta: BETA,
        lambda: LAMBDA,
        epochs: 200,
        gamma: 1e-10,
        solver: Solver::Modern,
        refresh: true,
        rounds,
        common,
    }
}

fn learned(smooth: Smooth, threads: usize) -> Learned {
    let (rows, target) = rows(ROWS);
    let task = Task::new(&rows, Lesson::Classes(&target));
    Srbs { smooth }.learn(&task, &Run::on(threads)).unwrap()
}

fn matrix_of(learned: &Learned) -> &SquareMatrix {
    learned.models[0].similarity.matrix()
}

fn apart(one: &SquareMatrix, other: &SquareMatrix) -> f64 {
    one.plus(-1.0, other).length()
}

type Square = [[f64; SIZE]; SIZE];

fn similarity(a: &Square, x: &[f64], y: &[f64]) -> f64 {
    let cell = |l: usize, m: usize| x[l] * a[l][m] * y[m];
    (0..SIZE).flat_map(|l| (0..SIZE).map(move |m| (l, m))).map(|(l, m)| cell(l, m)).sum()
}

/// Σ of the k most similar rows of the own class less those of the other, for each row.
fn pulls(a: &Square, unit: &[Vec<f64>]) -> Vec<[f64; SIZE]> {
    let pull = |i: usize| {
        let mut sum = [0.0; SIZE];
        for (sign, side) in [(1.0, i % 2), (-1.0, 1 - i % 2)] {
            let mut others: Vec<usize> = (0..ROWS).filter(|&j| j != i && j % 2 == side).collect();
            others.sort_by(|&j, &l| {
                similarity(a, &unit[i], &unit[l]).total_cmp(&similarity(a, &unit[i], &unit[j]))
            });
            for &j in &others[..K] {
                (0..SIZE).for_each(|c| sum[c] += sign * unit[j][c]);
            }
        }
        sum
    };
    (0..ROWS).map(pull).collect()
}

/// The minimum of ε for these pulls, by small steps.
fn minimum(mut a: Square, unit: &[Vec<f64>], pulls: &[[f64; SIZE]]) -> Square {
    for _ in 0..4000 {
        let mut gradient = a.map(|row| row.map(|cell| 2.0 * LAMBDA * cell));
        for (x, v) in unit.iter().zip(pulls) {
            let s = 1.0 / (1.0 + (-BETA * similarity(&a, x, v)).exp());
            for l in 0..SIZE {
                for m in 0..SIZE {
                    let both = 0.5 * (x[l] * v[m] + x[m] * v[l]);
                    gradient[l][m] -= BETA * s * (1.0 - s) * both;
                }
            }
        }
        for (row, slope) in a.iter_mut().zip(&gradient) {
            row.iter_mut().zip(slope).for_each(|(cell, slope)| *cell -= 0.02 * slope);
        }
    }
    a
}

fn length(a: &Square) -> f64 {
    a.iter().flatten().map(|cell| cell * cell).sum::<f64>().sqrt()
}

#[test]
fn the_answer_is_the_mean_of_the_minima_for_neighbours_found_anew() {
    let (rows, _) = rows(ROWS);
    let unit: Vec<Vec<f64>> = (0..ROWS)
        .map(|i| {
            let length = rows.row(i).iter().map(|x| x * x).sum::<f64>().sqrt();
            rows.row(i).iter().map(|x| x / length).collect()
        })
        .collect();
    let mut a: Square = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let (mut sum, mut lengths) = ([[0.0; SIZE]; SIZE], 0.0);
    for round in 1..=4 {
        a = minimum(a, &unit, &pulls(&a, &unit));
        for (sum, row) in sum.iter_mut().zip(&a) {
            sum.iter_mut().zip(row).for_each(|(sum, cell)| *sum += cell / length(&a));
        }
        lengths += length(&a);
        let scale = lengths / round as f64 / length(&sum);
        let meant: Vec<f64> = sum.iter().flatten().map(|cell| cell * scale).collect();
        let found = learned(settings(round), 2);
        for (found, meant) in matrix_of(&found).cells().iter().zip(&meant) {
            assert!((found - meant).abs() < 1e-6, "round {round}: {found} is not {meant}");
        }
    }
    // Neighbours did move, or there would be nothing to tell.
    let (one, four) = (learned(settings(1), 2), learned(settings(4), 2));
    assert!(apart(matrix_of(&one), matrix_of(&four)) > 1e-3);
}

#[test]
fn one_round_is_the_descent_without_refresh() {
    let without = learned(Smooth { refresh: false, ..settings(1) }, 2);
    let with = learned(settings(1), 2);
    assert!(apart(matrix_of(&with), matrix_of(&without)) < 1e-14);
    assert_eq!(with.models[0].objective, without.models[0].objective);
    assert_eq!(with.models[0].note, without.models[0].note);
}

#[test]
fn a_matrix_that_stays_counts_for_the_rounds_to_come() {
    // Every step is below such a γ, so the first round is the last: its length is the mean's.
    let stays = |rounds: usize| learned(Smooth { gamma: 1e5, epochs: 1, ..settings(rounds) }, 2);
    let (nine, one) = (stays(9), stays(1));
    assert!(apart(matrix_of(&nine), matrix_of(&one)) < 1e-14);
    assert_eq!(nine.models[0].objective.len(), 2);
    assert_eq!(nine.models[0].note, None);
}

#[test]
fn rounds_go_on_from_where_an_earlier_answer_stands() {
    let (rows, target) = rows(ROWS);
    let on = |before: &Learned| {
        let task = Task { from: Some(before), ..Task::new(&rows, Lesson::Classes(&target)) };
        Srbs { smooth: settings(1) }.learn(&task, &Run::on(2)).unwrap()
    };
    // ε has one minimum for given neighbours: those under the earlier answer, not the plain ones.
    let plain = learned(settings(1), 2);
    let sila = Sila { epochs: 1, common: settings(1).common, ..Sila::default() };
    let sila = sila.learn(&Task::new(&rows, Lesson::Classes(&target)), &Run::on(2)).unwrap();
    for before in [learned(settings(3), 2), sila] {
        assert!(apart(matrix_of(&on(&before)), matrix_of(&plain)) > 1e-3);
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    // Losses are shared from 1,024 rows on.
    let (rows, target) = rows(1_100);
    let task = Task::new(&rows, Lesson::Classes(&target));
    let steep = || Smooth { beta: 100.0, lambda: 0.01, epochs: 5, ..settings(4) };
    let on = |threads: usize| {
        let learned = Srbs { smooth: steep() }.learn(&task, &Run::on(threads)).unwrap();
        let psd = SrbsPsd { smooth: steep() }.learn(&task, &Run::on(threads)).unwrap();
        (matrix_of(&learned).clone(), matrix_of(&psd).clone())
    };
    assert_eq!(on(1), on(2));
}

#[test]
fn triplets_have_nothing_to_be_found_anew() {
    let (rows, _) = rows(ROWS);
    let triplet = |anchor: u32| Triplet { anchor, positive: anchor + 2, negative: anchor + 1 };
    let triplets: Vec<Triplet> = (0..30).map(triplet).collect();
    let task = Task::new(&rows, Lesson::Triplets(&triplets));
    let fit = |refresh: bool| {
        let smooth = Smooth { refresh, epochs: 3, ..settings(5) };
        Srbs { smooth }.learn(&task, &Run::on(2)).unwrap()
    };
    assert_eq!(fit(true), fit(false));
}
