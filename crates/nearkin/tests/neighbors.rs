//! The engine against an O(n²) loop over the definition.
#![allow(clippy::unwrap_used, clippy::too_many_arguments)]

use nearkin::Run;
use nearkin::data::{Column, Encoder, Rows, Table};
use nearkin::measure::{Measure, Metric, Missing, Ramp, Scaling, Unknown};
use nearkin::neighbors::testing::{
    Bounded, DistanceSpread, Isa, NO_ROW, Reweighted, Strips, Tuning, distances_in_all,
    nearest_tuned, sum_of_distances,
};
use nearkin::neighbors::{Labelled, nearest, nearest_between};
use nearkin::random::Random;
use proptest::prelude::*;

/// A random table: `values` distinct numbers a column (few make ties), some cells missing.
fn table(
    random: &mut Random,
    n: usize,
    (numeric, nominal): (usize, usize),
    values: usize,
    missing: f64,
) -> Table<'static> {
    let mut columns = Vec::new();
    for c in 0..numeric {
        let cell = |random: &mut Random| match random.chance(missing) {
            true => f64::NAN,
            false => random.below(values) as f64 * 0.37 - 3.0,
        };
        columns.push(Column::numeric(format!("x{c}"), (0..n).map(|_| cell(random)).collect()));
    }
    for c in 0..nominal {
        let categories = [2, 3, 300][c % 3];
        let cells: Vec<Option<String>> = (0..n)
            .map(|_| (!random.chance(missing)).then(|| random.below(categories).to_string()))
            .collect();
        columns.push(Column::nominal(format!("c{c}"), &cells).unwrap());
    }
    Table::new(columns).unwrap()
}

#[derive(Clone)]
struct Case {
    encoder: Encoder,
    rows: Rows,
    labels: Vec<u32>,
    classes: usize,
    measure: Measure,
}

impl Case {
    fn new(
        seed: u64,
        n: usize,
        shape: (usize, usize),
        values: usize,
        missing: f64,
        policy: Missing,
        metric: Metric,
        scaling: Scaling,
    ) -> Self {
        let mut random = Random::new(seed, 0);
        let table = table(&mut random, n, shape, values, missing);
        Self::of(&mut random, &table, policy, metric, scaling)
    }

    /// Columns of up to three categories, which are packed.
    fn of_genotypes(
        random: &mut Random,
        (n, columns): (usize, usize),
        missing: f64,
        policy: Missing,
        metric: Metric,
    ) -> Self {
        let mut column = |c: usize| {
            let mut cell = || (!random.chance(missing)).then(|| random.below(3).to_string());
            let cells: Vec<Option<String>> = (0..n).map(|_| cell()).collect();
            Column::nominal(format!("g{c}"), &cells).unwrap()
        };
        let table = Table::new((0..columns).map(&mut column).collect()).unwrap();
        let case = Self::of(random, &table, policy, metric, Scaling::MinMax);
        assert!(case.rows.packed().is_some());
        case
    }

    fn of(
        random: &mut Random,
        table: &Table,
        policy: Missing,
        metric: Metric,
        scaling: Scaling,
    ) -> Self {
        let n = table.rows();
        let classes = 1 + random.below(3);
        let labels: Vec<u32> = (0..n).map(|_| random.below(classes) as u32).collect();
        let encoder = Encoder::fit(table).unwrap();
        let rows = encoder.encode(table).unwrap();
        let unknown = Unknown::fit(policy, &encoder, &rows, &labels, classes);
        let measure = Measure::new(&encoder, metric, scaling, unknown);
        Self { encoder, rows, labels, classes, measure }
    }

    /// The same rows in so many classes that what missing cells stand for, by class, is not kept.
    fn of_many_classes(mut self, classes: usize) -> Self {
        self.labels = (0..self.rows.len()).map(|row| (row % classes) as u32).collect();
        self.classes = classes;
        let (rows, labels) = (&self.rows, &self.labels);
        let unknown = Unknown::fit(Missing::D, &self.encoder, rows, labels, classes);
        self.measure = Measure::new(&self.encoder, Metric::Manhattan, Scaling::MinMax, unknown);
        self
    }

    fn labelled(&self) -> Labelled<'_> {
        Labelled { rows: &self.rows, labels: &self.labels, classes: self.classes }
    }

    /// All distances under a measure, `[i · n + j]`, by strips of a few rows.
    fn matrix(&self, measure: &Measure) -> Vec<f64> {
        let (strips, mut strip) = (Strips::new(self.labelled()), Vec::new());
        let all: Vec<u32> = (0..self.rows.len() as u32).collect();
        let distances = |rows: &[u32]| {
            strips.distances(measure, rows, &mut strip);
            strip.clone()
        };
        all.chunks(8).flat_map(distances).collect()
    }

    fn distance(&self, i: usize, j: usize) -> f64 {
        let classes = (self.labels[i], self.labels[j]);
        self.measure.distance(&self.rows, i, &self.rows, j, classes)
    }

    /// Sort all rows by (distance, row) and take the first k of each class.
    fn slow(&self, query: usize, class: usize, k: usize) -> Vec<(f64, u32)> {
        let mut all: Vec<(f64, u32)> = (0..self.rows.len())
            .filter(|&j| j != query && self.labels[j] as usize == class)
            .map(|j| (self.distance(query, j), j as u32))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.truncate(k);
        all
    }

    fn check(&self, k: usize, run: &Run, tuning: Tuning) {
        let found = nearest_tuned(self.labelled(), &self.measure, k, run, tuning).unwrap();
        for i in 0..self.rows.len() {
            for class in 0..self.classes {
                let (index, distance) = found.of(i, class);
                let pairs: Vec<(f64, u32)> =
                    distance.iter().copied().zip(index.iter().copied()).collect();
                assert_eq!(pairs, self.slow(i, class, k), "row {i}, class {class}, {tuning:?}");
            }
        }
    }
}

const POLICIES: [Missing; 7] = [
    Missing::Agnostic,
    Missing::B,
    Missing::C,
    Missing::D,
    Missing::Weka,
    Missing::Relieved,
    Missing::One,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_engine_finds_what_an_exhaustive_loop_finds(
        seed in 0u64..1 << 40,
        n in 2usize..150,
        numeric in 0usize..20,
        nominal in 0usize..8,
        values in prop::sample::select(vec![1usize, 2, 5, 1_000_000]),
        missing in prop::sample::select(vec![0.0, 0.0, 0.05, 0.5]),
        policy in prop::sample::select(POLICIES.to_vec()),
        euclidean: bool,
        scaling in prop::sample::select(vec![Scaling::MinMax, Scaling::ZScore, Scaling::None]),
        k in prop::sample::select(vec![1usize, 3, 10, 200]),
        threads in prop::sample::select(vec![1usize, 2, 7]),
    ) {
        prop_assume!(numeric + nominal > 0);
        let metric = if euclidean { Metric::Euclidean } else { Metric::Manhattan };
        let case = Case::new(seed, n, (numeric, nominal), values, missing, policy, metric, scaling);
        case.check(k, &Run::on(threads), Tuning::default());
    }
}

#[test]
fn tile_size_and_instruction_set_do_not_matter() {
    for (seed, missing) in [(1, 0.0), (2, 0.1)] {
        let case = Case::new(
            seed,
            333,
            (7, 3),
            50,
            missing,
            Missing::D,
            Metric::Manhattan,
            Scaling::MinMax,
        );
        for isa in Isa::available() {
            for (block, strip) in [(64, 16), (64, 64), (128, 48), (1024, 256)] {
                case.check(4, &Run::on(2), Tuning { block, strip, isa: Some(isa) });
            }
        }
    }
}

#[test]
fn wide_rows_are_summed_over_several_chunks() {
    for metric in [Metric::Manhattan, Metric::Euclidean] {
        let case =
            Case::new(9, 70, (600, 300), 1 << 20, 0.0, Missing::One, metric, Scaling::MinMax);
        case.check(3, &Run::on(2), Tuning::default());
    }
}

#[test]
fn factors_change_who_is_near() {
    // Of 600 rows a column has more categories than a byte.
    for (n, shape) in [(120, (6, 0)), (120, (3, 3)), (120, (0, 6)), (600, (3, 3))] {
        let (metric, scaling) = (Metric::Manhattan, Scaling::MinMax);
        let mut case = Case::new(4, n, shape, 1000, 0.05, Missing::One, metric, scaling);
        let factors = [0.0, 3.0, 0.5, 0.1, 1.0, 1e-3];
        case.measure = case.measure.clone().with_factors(&case.encoder, &factors).unwrap();
        for isa in Isa::available() {
            case.check(5, &Run::on(2), Tuning { isa: Some(isa), ..Tuning::default() });
        }
    }
}

#[test]
fn huge_tiny_and_constant_columns_keep_their_order() {
    let columns = vec![
        Column::numeric("huge", (0..40).map(|i| f64::from(i * i % 17) * 1e300).collect()),
        Column::numeric("tiny", (0..40).map(|i| f64::from(i * 7 % 11) * 1e-300).collect()),
        Column::numeric("constant", vec![5.0; 40]),
    ];
    let table = Table::new(columns).unwrap();
    let encoder = Encoder::fit(&table).unwrap();
    let rows = encoder.encode(&table).unwrap();
    let labels = vec![0; 40];
    for scaling in [Scaling::MinMax, Scaling::ZScore, Scaling::None] {
        let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 1);
        let measure = Measure::new(&encoder, Metric::Manhattan, scaling, unknown);
        let case = Case {
            encoder: encoder.clone(),
            rows: rows.clone(),
            labels: labels.clone(),
            classes: 1,
            measure,
        };
        case.check(6, &Run::on(1), Tuning::default());
    }
}

#[test]
fn chosen_queries_find_the_same_neighbours() {
    let case = Case::new(11, 200, (5, 2), 20, 0.1, Missing::D, Metric::Euclidean, Scaling::MinMax);
    let all = nearest(case.labelled(), &case.measure, 6, &Run::on(2)).unwrap();
    let chosen = [17, 3, 199, 17, 0];
    let some = nearest_between(
        (case.labelled(), &chosen),
        case.labelled(),
        true,
        &case.measure,
        6,
        &Run::on(2),
    )
    .unwrap();
    for (at, &row) in chosen.iter().enumerate() {
        for class in 0..case.classes {
            assert_eq!(some.of(at, class), all.of(row as usize, class));
        }
    }
}

#[test]
fn neighbours_among_parts_merge_to_neighbours_among_the_whole() {
    let mut random = Random::new(5, 5);
    let whole = table(&mut random, 100, (4, 1), 10, 0.0);
    let encoder = Encoder::fit(&whole).unwrap();
    let rows = encoder.encode(&whole).unwrap();
    let labels = vec![0; 100];
    let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 1);
    let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
    let queries: Vec<u32> = (0..100).collect();
    let of = |rows| Labelled { rows, labels: &labels[..rows.len()], classes: 1 };
    let among = |base: Labelled| {
        nearest_between((of(&rows), &queries), base, false, &measure, 5, &Run::on(2)).unwrap()
    };
    let part = |rows: std::ops::Range<usize>| {
        encoder.encode(&whole.select_rows(&rows.collect::<Vec<_>>())).unwrap()
    };
    let (head, tail) = (part(0..37), part(37..100));
    let (head, tail) = (among(of(&head)), among(of(&tail)).from_row(37));
    let both = among(of(&rows));
    assert_eq!(head.merge(&tail).unwrap(), both);
    assert_eq!(tail.merge(&head).unwrap(), both);
    let fewer =
        nearest_between((of(&rows), &queries[1..]), of(&rows), false, &measure, 5, &Run::on(1));
    assert!(head.merge(&fewer.unwrap()).is_err());
}

#[test]
fn strips_equal_the_definition_to_the_bit() {
    for (seed, missing) in [(21, 0.0), (22, 0.2)] {
        for policy in POLICIES {
            for metric in [Metric::Manhattan, Metric::Euclidean] {
                for n in [2, 15, 16, 17, 83] {
                    let case =
                        Case::new(seed, n, (5, 3), 40, missing, policy, metric, Scaling::ZScore);
                    let all = case.matrix(&case.measure);
                    for i in 0..n {
                        for j in 0..n {
                            let classes = (case.labels[i], case.labels[j]);
                            let slow = case.measure.distance(&case.rows, i, &case.rows, j, classes);
                            assert_eq!(all[i * n + j], slow, "{policy:?} {metric:?} {n}: {i}, {j}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn strips_of_packed_rows_equal_the_definition_of_unpacked_ones_to_the_bit() {
    let mut random = Random::new(23, 0);
    for (n, columns, missing) in [(2, 1, 0.0), (63, 64, 0.1), (64, 65, 0.0), (150, 130, 0.1)] {
        for policy in POLICIES {
            let case =
                Case::of_genotypes(&mut random, (n, columns), missing, policy, Metric::Euclidean);
            let wide = case.rows.clone().wide();
            for even in [true, false] {
                let factor = |random: &mut Random| if even { 1.0 } else { random.uniform() };
                let factors: Vec<f64> = (0..columns).map(|_| factor(&mut random)).collect();
                let measure = case.measure.clone().with_factors(&case.encoder, &factors).unwrap();
                let all = case.matrix(&measure);
                for (at, &found) in all.iter().enumerate() {
                    let (i, j) = (at / n, at % n);
                    let classes = (case.labels[i], case.labels[j]);
                    let slow = measure.distance(&wide, i, &wide, j, classes);
                    assert_eq!(found, slow, "{policy:?} {n} × {columns}: {i}, {j}");
                    assert_eq!(measure.distance(&case.rows, i, &case.rows, j, classes), slow);
                }
                let (first, mut rest) = (n / 2, Vec::new());
                let strips = Strips::new(case.labelled());
                strips.distances_from(first, &measure, &[0, 1], &mut rest);
                assert_eq!(rest, [&all[first..n], &all[n + first..2 * n]].concat());
            }
        }
    }
}

#[test]
fn strips_of_so_many_queries_that_nothing_is_kept_equal_the_definition_to_the_bit() {
    // 300 queries of 8,003 columns: more differences to missing cells than a strip keeps.
    let (n, columns) = (20, 8_000);
    for policy in [Missing::D, Missing::Weka] {
        let scaling = Scaling::MinMax;
        let case = Case::new(31, n, (columns, 3), 9, 0.1, policy, Metric::Manhattan, scaling);
        let queries: Vec<u32> = (0..300).map(|at| at % n as u32).collect();
        let mut found = Vec::new();
        Strips::new(case.labelled()).distances(&case.measure, &queries, &mut found);
        for (found, &i) in found.chunks(n).zip(&queries).take(n) {
            for (j, &found) in found.iter().enumerate() {
                let (i, classes) = (i as usize, (case.labels[i as usize], case.labels[j]));
                let slow = case.measure.distance(&case.rows, i, &case.rows, j, classes);
                assert_eq!(found, slow, "{policy:?}: {i}, {j}");
            }
        }
        assert_eq!(found[..n * n], found[n * n..2 * n * n]);
    }
}

/// The spread of each row's distances, from all of them.
fn spreads(case: &Case) -> Vec<DistanceSpread> {
    let all = case.matrix(&case.measure);
    let rows = all.chunks(case.rows.len()).enumerate();
    rows.map(|(row, distances)| DistanceSpread::of(distances, row)).collect()
}

#[test]
fn spread_is_the_mean_and_deviation_of_the_other_rows() {
    let case = Case::new(3, 40, (3, 1), 9, 0.0, Missing::One, Metric::Manhattan, Scaling::MinMax);
    for (i, found) in spreads(&case).iter().enumerate() {
        let others: Vec<f64> = (0..40)
            .filter(|&j| j != i)
            .map(|j| case.measure.distance(&case.rows, i, &case.rows, j, (0, 0)))
            .collect();
        let mean = others.iter().sum::<f64>() / 39.0;
        let variance = others.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / 39.0;
        assert!(
            (found.mean - mean).abs() < 1e-14 && (found.deviation - variance.sqrt()).abs() < 1e-14
        );
    }
}

#[test]
fn distances_in_all_lose_nothing() {
    // A last strip that is not full, and rows that differ from themselves where cells are missing.
    for (n, missing) in [(1, 0.0), (8, 0.0), (43, 0.0), (43, 0.2), (300, 0.0)] {
        let (metric, scaling) = (Metric::Manhattan, Scaling::MinMax);
        let case = Case::new(6, n, (3, 1), 1 << 20, missing, Missing::One, metric, scaling);
        let found = distances_in_all(case.labelled(), &case.measure, &Run::on(2)).unwrap().total();
        let mut all = case.matrix(&case.measure);
        (0..n).for_each(|row| all[row * n + row] = 0.0);
        // Whole numbers of 128 bits: exact.
        let steps = |d: &f64| (d * 2f64.powi(60)) as i128;
        let exact = all.iter().map(steps).sum::<i128>() as f64 / 2f64.powi(60);
        assert!((found - exact).abs() <= f64::EPSILON * exact, "{n}: {found} {exact}");
    }
}

#[test]
fn distances_in_all_are_the_same_in_whatever_order_rows_come() {
    let mut random = Random::new(4, 0);
    let columns = (0..3).map(|c| {
        let cells = (0..1500).map(|_| random.normal()).collect();
        Column::numeric(format!("x{c}"), cells)
    });
    let table = Table::new(columns.collect()).unwrap();
    let mut order: Vec<usize> = (0..1500).collect();
    let mut sums = Vec::new();
    for _ in 0..4 {
        let table = table.select_rows(&order);
        let encoder = Encoder::fit(&table).unwrap();
        let (rows, labels) = (encoder.encode(&table).unwrap(), vec![0; 1500]);
        let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 1);
        let measure = Measure::new(&encoder, Metric::Manhattan, Scaling::MinMax, unknown);
        let of = Labelled { rows: &rows, labels: &labels, classes: 1 };
        sums.push(distances_in_all(of, &measure, &Run::on(2)).unwrap());
        random.shuffle(&mut order);
    }
    assert!(sums.iter().all(|sum| sum.total() == sums[0].total()), "{sums:?}");
    // As doubles add them up it does matter.
    assert!(sums.iter().any(|sum| sum.sum != sums[0].sum), "{sums:?}");
}

#[test]
fn numbers_too_large_to_be_squared_are_left_to_the_definition() {
    let column =
        |name: &str, by: f64| Column::numeric(name, (0..40).map(|i| f64::from(i) * by).collect());
    for (by, served) in [(1.0, true), (1e20, false)] {
        let table = Table::new(vec![column("x", by), column("y", 0.5)]).unwrap();
        let encoder = Encoder::fit(&table).unwrap();
        let (rows, labels) = (encoder.encode(&table).unwrap(), vec![0; 40]);
        let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 1);
        let measure = Measure::new(&encoder, Metric::Euclidean, Scaling::None, unknown);
        let of = Labelled { rows: &rows, labels: &labels, classes: 1 };
        assert_eq!(Reweighted::new(of, &measure).is_some(), served);
    }
}

#[test]
fn more_categories_than_a_byte_has_are_left_to_the_definition() {
    let (metric, scaling) = (Metric::Euclidean, Scaling::MinMax);
    for (n, served) in [(200, true), (2000, false)] {
        let case = Case::new(5, n, (2, 3), 9, 0.0, Missing::One, metric, scaling);
        assert_eq!(Reweighted::new(case.labelled(), &case.measure).is_some(), served);
    }
}

#[test]
fn a_query_far_outside_the_training_range_finds_its_neighbours() {
    // The filter has no number for it, and once found nobody.
    let train = Table::new(vec![Column::numeric("x", (0..40).map(f64::from).collect())]).unwrap();
    let encoder = Encoder::fit(&train).unwrap();
    let rows = encoder.encode(&train).unwrap();
    let labels = vec![0; 40];
    for metric in [Metric::Manhattan, Metric::Euclidean] {
        for far in [1e22, 1e45, -1e60] {
            let query = Table::new(vec![Column::numeric("x", vec![far])]).unwrap();
            let queries = encoder.encode(&query).unwrap();
            let unknown = Unknown::fit(Missing::One, &encoder, &rows, &labels, 1);
            let measure = Measure::new(&encoder, metric, Scaling::MinMax, unknown);
            let of = |rows| Labelled { rows, labels: &labels, classes: 1 };
            let found =
                nearest_between((of(&queries), &[0]), of(&rows), false, &measure, 3, &Run::on(1));
            assert_eq!(found.unwrap().of(0, 0).0.len(), 3, "{metric:?} {far}");
        }
    }
}

#[test]
fn a_ramp_holds_between_two_tables() {
    let mut case =
        Case::new(8, 60, (3, 1), 30, 0.0, Missing::One, Metric::Manhattan, Scaling::MinMax);
    case.measure = case.measure.clone().with_ramp(Ramp { equal: 0.1, different: 0.4 });
    case.check(4, &Run::on(2), Tuning::default());
    let queries: Vec<u32> = (0..60).collect();
    let of = case.labelled();
    let apart = nearest_between((of, &queries), of, false, &case.measure, 1, &Run::on(2)).unwrap();
    for i in 0..60 {
        // Nobody is nearer than oneself.
        let (_, distance) = apart.of(i, case.labels[i] as usize);
        assert_eq!(distance, [0.0]);
    }
}

/// Hold every bounded distance, and what is taken from them, to the definition.
fn check_bounds(case: &Case, what: &str) {
    let n = case.rows.len();
    let bounded = Bounded::new(case.labelled(), &case.measure).unwrap();
    let targets: Vec<u32> = (0..n as u32).rev().step_by(3).collect();
    let (mut distances, mut closer) = (Vec::new(), Vec::new());
    for targets in targets.chunks(Bounded::TARGETS) {
        let mut some = Vec::new();
        bounded.distances(targets, &mut some);
        distances.append(&mut some);
    }
    let grain = bounded.grain();
    let spreads = spreads(case);
    for (&target, found) in targets.iter().zip(distances.chunks(bounded.width())) {
        assert_eq!(found[bounded.place(target)], NO_ROW);
        for row in (0..n as u32).filter(|&row| row != target) {
            let exact = case.distance(target as usize, row as usize);
            let rough = f64::from(found[bounded.place(row)]) * grain;
            assert!((rough - exact).abs() <= bounded.error(), "{what}: {rough} {exact}");
            assert_eq!(bounded.row(bounded.place(row)), Some(row));
        }
        let (rough, exact) = (bounded.spread(target, found), spreads[target as usize]);
        // Codes alone have no error but that of doubles.
        let error = 1.001 * bounded.error() + 1e-13 * exact.mean;
        assert!((rough.mean * grain - exact.mean).abs() <= error, "{what}");
        assert!((rough.deviation * grain - exact.deviation).abs() <= error, "{what}");
        if bounded.has_closer() {
            bounded.closer(target, &mut closer);
            for row in (0..n as u32).filter(|&row| row != target) {
                let exact = case.distance(target as usize, row as usize);
                assert!((closer[bounded.place(row)] - exact).abs() <= bounded.closer_error());
            }
            let closer = bounded.closer_spread(target, &closer);
            assert!((closer.mean - exact.mean).abs() <= 1e-13 * exact.mean);
            assert!((closer.deviation - exact.deviation).abs() <= 1e-13 * exact.mean);
        }
    }
    let of = case.labelled();
    let width = (case.rows.numeric() + case.rows.nominal()) as f64;
    // Few enough to leave hardly anyone in doubt.
    let few = if case.rows.has_missing() { 2e-6 } else { 1e-6 };
    assert!(bounded.error() < few * width, "{what}: {}", bounded.error());
    let (sum, error) = sum_of_distances(of, &case.measure, &Run::on(2)).unwrap().unwrap();
    let exact = distances_in_all(of, &case.measure, &Run::on(2)).unwrap().total() / 2.0;
    assert!((sum - exact).abs() <= error, "{what}: {sum} {exact} {error}");
    assert!(error < (width + 40.0) * 1e-15 * exact, "{what}: {error} {exact}");
}

#[test]
fn bounded_distances_are_within_their_bound() {
    // Numbers only, both, codes only; around the widths of chunks and of groups.
    for (n, shape) in [(16, (1, 0)), (65, (64, 2)), (130, (65, 1)), (200, (130, 2)), (90, (0, 2))] {
        let case =
            Case::new(7, n, shape, 1 << 20, 0.0, Missing::One, Metric::Manhattan, Scaling::ZScore);
        check_bounds(&case, "complete");
    }
    let band = Bounded::band(2.5, 1.0);
    assert_eq!((band.low, band.high), (2, 4));
    let nobody_is_so_near = Bounded::band(-3.0, 1.0);
    assert_eq!((nobody_is_so_near.low, nobody_is_so_near.high), (0, 0));
}

#[test]
fn bounded_distances_with_missing_cells_are_within_their_bound() {
    let metric = Metric::Manhattan;
    // A policy that leaves columns out has no bounded distances.
    for policy in POLICIES.into_iter().filter(|policy| *policy != Missing::Agnostic) {
        for (n, shape) in [(16, (1, 0)), (130, (65, 2)), (60, (130, 1)), (90, (0, 2)), (9, (0, 1))]
        {
            for (missing, scaling) in [(0.02, Scaling::MinMax), (0.4, Scaling::ZScore)] {
                let case = Case::new(8, n, shape, 1 << 20, missing, policy, metric, scaling);
                check_bounds(&case, &format!("{policy:?} {n} {shape:?} {missing}"));
            }
        }
        let mut random = Random::new(9, 0);
        // More missing genotypes in a row than are added up in floats.
        for (n, columns, missing) in [(70, 40, 0.1), (40, 600, 0.3), (9, 1, 0.4), (150, 130, 0.01)]
        {
            let case = Case::of_genotypes(&mut random, (n, columns), missing, policy, metric);
            check_bounds(&case, &format!("{policy:?} genotypes {n} {columns} {missing}"));
        }
    }
    let skipping = Case::new(8, 40, (3, 1), 9, 0.2, Missing::Agnostic, metric, Scaling::MinMax);
    assert!(Bounded::new(skipping.labelled(), &skipping.measure).is_none());
}

#[test]
fn missing_cells_of_many_classes_are_worked_out_when_they_are_met() {
    let (policy, metric, run) = (Missing::D, Metric::Manhattan, Run::on(2));
    let mut random = Random::new(10, 0);
    let packed = Case::of_genotypes(&mut random, (220, 360), 0.02, policy, metric);
    let packed = packed.of_many_classes(110);
    check_bounds(&packed, "packed");
    packed.check(1, &run, Tuning::default());
    let cells = Case::new(11, 220, (88, 1), 1 << 20, 0.05, policy, metric, Scaling::MinMax);
    let cells = cells.of_many_classes(110);
    assert!(Bounded::new(cells.labelled(), &cells.measure).is_none());
    cells.check(1, &run, Tuning::default());
}

#[test]
fn changing_factors_find_the_rows_of_the_definition() {
    let mut random = Random::new(21, 0);
    // Few values make ties, which go to the lower row.
    let shapes = [
        (3, (1, 0), 4),
        (40, (3, 0), 3),
        (150, (17, 0), 1 << 20),
        (300, (40, 0), 5),
        (2000, (6, 0), 1 << 20),
        (150, (3, 4), 5),
        (200, (0, 5), 1),
        // More columns than are summed in one part.
        (40, (600, 700), 1 << 20),
        // Genotypes, which are packed.
        (70, (0, 40), 0),
        (40, (0, 600), 0),
    ];
    for (n, shape, values) in shapes {
        // Without numbers any metric will do.
        let metric = if shape.0 == 0 { Metric::Manhattan } else { Metric::Euclidean };
        let mut case = match values {
            0 => Case::of_genotypes(&mut random, (n, shape.1), 0.0, Missing::One, metric),
            _ => Case::new(4, n, shape, values, 0.0, Missing::One, metric, Scaling::MinMax),
        };
        let plain = case.measure.clone();
        for round in 0..4 {
            // All alike, most at 0, any.
            let factor = |random: &mut Random| match round {
                0 => 1.0,
                1 if random.chance(0.8) => 0.0,
                _ => random.uniform(),
            };
            let count = shape.0 + shape.1;
            let factors: Vec<f64> = (0..count).map(|_| factor(&mut random)).collect();
            let measure = plain.clone().with_factors(&case.encoder, &factors).unwrap();
            let search = Reweighted::new(case.labelled(), &plain).unwrap();
            let targets: Vec<u32> = (0..n as u32).step_by(1 + n / 19).collect();
            let on = |threads| {
                let search = || search.nearest(&measure, &targets, 4, |_, near| near).unwrap();
                Run::on(threads).install(search).unwrap()
            };
            let found = on(1);
            for threads in [2, 3] {
                assert_eq!(on(threads), found, "{threads} threads");
            }
            case.measure = measure;
            for (&target, found) in targets.iter().zip(&found) {
                for (class, found) in found.iter().enumerate() {
                    assert_eq!(found, &case.slow(target as usize, class, 4), "round {round}");
                }
            }
        }
    }
}

/// The rules k-NN and SkNN.
mod rules {
    use nearkin::Run;
    use nearkin::data::Classes;
    use nearkin::data::Dense;
    use nearkin::measure::Norm;
    use nearkin::measure::Similarity;
    use nearkin::neighbors::{Decision, Rule};

    fn decide(rule: Rule, k: usize, labels: &[&str], base: &[f64], query: &[f64]) -> Decision {
        let names = vec!["x".to_owned(), "y".to_owned()];
        let similarity = Similarity::plain(Norm::Dot, names.clone());
        let ready = |cells: &[f64]| {
            similarity.prepare(&Dense::new(names.clone(), cells.to_vec()).unwrap()).unwrap()
        };
        let classes = Classes::from_labels(labels);
        let (base, query) = (ready(base), ready(query));
        let run = Run::on(1);
        rule.decide(&similarity, k, &base, &classes, &query, false, &run).unwrap().swap_remove(0)
    }

    #[test]
    fn a_tie_of_votes_goes_to_the_tied_class_that_is_nearest() {
        // Similarities to (1, 0): c 5, b 4, a 3, b 2, a 1.
        let base = [1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0, 5.0, 0.0];
        let labels = ["a", "b", "a", "b", "c"];
        let five = decide(Rule::Knn, 5, &labels, &base, &[1.0, 0.0]);
        assert_eq!((five.class, &five.scores[..]), (1, &[2.0, 2.0, 1.0][..]));
        assert_eq!(five.probabilities, [0.4, 0.4, 0.2]);
        assert_eq!(decide(Rule::Knn, 2, &labels, &base, &[1.0, 0.0]).class, 2);
        assert_eq!(decide(Rule::Knn, 99, &labels, &base, &[1.0, 0.0]), five);
    }

    #[test]
    fn a_class_smaller_than_k_is_judged_by_the_mean_of_its_rows() {
        let base = [1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 2.5, 0.0];
        let found = decide(Rule::Sknn, 3, &["a", "a", "a", "b"], &base, &[1.0, 0.0]);
        assert_eq!((found.class, &found.scores[..]), (1, &[2.0, 2.5][..]));
        assert_eq!(found.probabilities, [2.0 / 4.5, 2.5 / 4.5]);
    }

    #[test]
    fn equal_means_go_to_the_class_of_the_nearest_row() {
        let base = [2.0, 0.0, 2.0, 0.0, 1.0, 0.0, 3.0, 0.0];
        assert_eq!(decide(Rule::Sknn, 2, &["a", "a", "b", "b"], &base, &[1.0, 0.0]).class, 1);
    }

    #[test]
    fn probabilities_are_numbers_when_nothing_is_similar() {
        let base = [1.0, 0.0, 1.0, 0.0];
        let found = decide(Rule::Sknn, 1, &["a", "b"], &base, &[0.0, 1.0]);
        assert_eq!(found.probabilities, [0.5, 0.5]);
        let negative = decide(Rule::Sknn, 1, &["a", "b"], &base, &[-1.0, 0.0]);
        assert_eq!(negative.probabilities, [0.5, 0.5]);
    }

    #[test]
    fn among_themselves_no_row_is_its_own_neighbour() {
        let names = vec!["x".to_owned()];
        let similarity = Similarity::plain(Norm::Dot, names.clone());
        let rows = similarity.prepare(&Dense::new(names, vec![1.0, 2.0, 3.0]).unwrap()).unwrap();
        let classes = Classes::from_labels(["a", "a", "b"]);
        let run = Run::on(1);
        for rule in [Rule::Knn, Rule::Sknn] {
            let found = rule.decide(&similarity, 1, &rows, &classes, &rows, true, &run).unwrap();
            assert_eq!(found.iter().map(|d| d.class).collect::<Vec<_>>(), [1, 1, 0], "{rule:?}");
            assert!(found.iter().all(|d| d.probabilities.iter().sum::<f64>() == 1.0));
        }
    }
}
