//! Genotype columns: every method says of them what it says of the same cells as categories.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use nearkin::data::{
    Column, ColumnValues, Encoder, FittedColumn, Genotypes, MISSING, Table, Target,
};
use nearkin::measure::Metric;
use nearkin::random::Random;
use nearkin::weigh::{self, Extras, FeatureWeights, Misses, ReliefF, Weigh, Weighting};
use nearkin::{Error, Run};
use proptest::prelude::*;

/// What a test is about: sizes, the share of missing cells in percent, a seed.
type Case = (usize, usize, usize, u64);

fn cells((rows, columns, missing, seed): Case) -> Vec<Vec<Option<u8>>> {
    let mut random = Random::new(seed, 1);
    let mut cell = || match random.below(100) < missing {
        true => None,
        false => Some(random.below(3) as u8),
    };
    (0..columns).map(|_| (0..rows).map(|_| cell()).collect()).collect()
}

fn as_genotypes(cells: &[Vec<Option<u8>>]) -> Vec<Column<'static>> {
    let column = |(at, cells): (usize, &Vec<Option<u8>>)| {
        let cells = Genotypes::from_copies(cells.iter().copied()).unwrap();
        Column::genotypes(format!("snp{at}"), cells)
    };
    cells.iter().enumerate().map(column).collect()
}

fn as_nominal(cells: &[Vec<Option<u8>>]) -> Vec<Column<'static>> {
    let column = |(at, cells): (usize, &Vec<Option<u8>>)| {
        let codes = cells.iter().map(|cell| cell.map_or(MISSING, u16::from)).collect();
        let categories = Genotypes::CATEGORIES.map(str::to_owned).to_vec();
        Column::from_codes(format!("snp{at}"), codes, categories).unwrap()
    };
    cells.iter().enumerate().map(column).collect()
}

/// The cells two bits each, beside a constant.
fn packed(cells: &[Vec<Option<u8>>]) -> Vec<Column<'static>> {
    let mut columns = as_genotypes(cells);
    let constant = Genotypes::from_copies(cells[0].iter().map(|_| Some(0))).unwrap();
    columns.push(Column::genotypes("constant", constant));
    columns
}

/// The cells as codes, beside the same constant. A fourth category, which does not occur, keeps
/// the rows from being packed.
fn plain(cells: &[Vec<Option<u8>>]) -> Vec<Column<'static>> {
    let mut columns = as_nominal(cells);
    let categories = ["0", "1", "2", "3"].map(str::to_owned).to_vec();
    let constant = Column::from_codes("constant", vec![0; cells[0].len()], categories).unwrap();
    columns.push(constant);
    columns
}

#[test]
fn rows_of_few_categories_are_packed_and_others_not() {
    let cells = cells((10, 5, 10, 3));
    let encoded = |columns| {
        let table = Table::new(columns).unwrap();
        Encoder::fit(&table).unwrap().encode(&table).unwrap()
    };
    assert!(encoded(packed(&cells)).packed().is_some());
    assert!(encoded(as_nominal(&cells)).packed().is_some());
    assert!(encoded(plain(&cells)).packed().is_none());
    let (fast, slow) = (encoded(packed(&cells)), encoded(plain(&cells)));
    for row in 0..10 {
        assert_eq!(fast.codes(row), slow.codes(row));
        assert_eq!(fast.holes(row), slow.holes(row));
    }
    assert_eq!(fast.all_codes(), slow.all_codes());
}

fn targets((rows, _, _, seed): Case) -> [Target; 2] {
    let mut random = Random::new(seed, 2);
    // Three classes, each with at least two rows.
    let label = |row: usize, drawn: usize| if row < 6 { row % 3 } else { drawn };
    let labels: Vec<String> =
        (0..rows).map(|row| label(row, random.below(3)).to_string()).collect();
    let values = (0..rows).map(|row| row as f64 + random.uniform()).collect();
    [Target::classes(labels), Target::real(values).unwrap()]
}

fn bits(weights: &FeatureWeights) -> Vec<u64> {
    let classes = weights.class_weights.iter().flatten();
    weights.weights.iter().chain(classes).map(|w| w.to_bits()).collect()
}

/// Every method, for small tables, with this policy for missing cells.
fn all(policy: &str) -> Vec<Box<dyn Weigh>> {
    let mut all = weigh::methods();
    all.push(Box::new(ReliefF { weighting: Weighting::Rank, ..ReliefF::default() }));
    all.push(Box::new(ReliefF { misses: Misses::NearestOther, ..ReliefF::default() }));
    all.push(Box::new(ReliefF { metric: Metric::Euclidean, ..ReliefF::default() }));
    for method in &mut all {
        // Genotypes may be linked to other columns; categories without an order never are.
        for (name, value) in
            [("k", "3"), ("k_max", "6"), ("iterations", "4"), ("linked", "1"), ("missing", policy)]
        {
            let _ = method.try_set(name, value).unwrap();
        }
    }
    all
}

/// The weights to the bit, or why there are none.
fn fit(method: &dyn Weigh, columns: Vec<Column>, targets: &[Target; 2]) -> Result<Vec<u64>, Error> {
    let table = Table::new(columns).unwrap();
    let target = &targets[usize::from(method.about().id == "rrelieff")];
    let found = method.fit_with(&table, target, &Extras::default(), &Run::default());
    found.map(|weights| bits(&weights))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn every_method_weighs_genotypes_as_it_weighs_the_same_categories(
        rows in 8usize..70,
        columns in prop_oneof![1usize..12, 60usize..70, 125usize..135],
        missing in prop_oneof![Just(0usize), Just(3), Just(30)],
        policy in prop_oneof![Just("d"), Just("agnostic"), Just("c"), Just("relieved"), Just("weka")],
        seed in 0u64..1000,
    ) {
        let case = (rows, columns, missing, seed);
        let (cells, targets) = (cells(case), targets(case));
        for method in all(policy) {
            let packed = fit(&*method, packed(&cells), &targets);
            let plain = fit(&*method, plain(&cells), &targets);
            prop_assert_eq!(packed, plain, "{}", method.about().id);
            // Beside a number, genotypes are no longer packed.
            let number = || Column::numeric("number", (0..rows).map(|row| row as f64).collect());
            let beside = |mut columns: Vec<_>| { columns.push(number()); columns };
            let packed = fit(&*method, beside(as_genotypes(&cells)), &targets);
            let plain = fit(&*method, beside(as_nominal(&cells)), &targets);
            prop_assert_eq!(packed, plain, "{} beside a number", method.about().id);
        }
    }
}

#[test]
fn tests_pairs_and_single_rows_are_those_of_categories() {
    let case = (60, 90, 4, 5);
    let (cells, targets) = (cells(case), targets(case));
    let wanted =
        Extras { per_class: true, pairs: true, rows: vec![3, 50], stir: true, ..Extras::default() };
    let fit = |columns| {
        let table = Table::new(columns).unwrap();
        ReliefF::default().fit_with(&table, &targets[0], &wanted, &Run::default()).unwrap()
    };
    assert_eq!(fit(packed(&cells)), fit(plain(&cells)));
}

#[test]
fn additive_genotypes_are_numbers_whose_range_is_two() {
    let case = (50, 20, 5, 11);
    let (cells, targets) = (cells(case), targets(case));
    let additive = as_genotypes(&cells).into_iter().map(|column| match column.values {
        ColumnValues::Genotype(cells) => Column::genotypes(column.name, cells.additive()),
        _ => unreachable!(),
    });
    let numbers = cells.iter().enumerate().map(|(at, cells)| {
        let copies = cells.iter().map(|cell| cell.map_or(f64::NAN, f64::from)).collect();
        Column::numeric(format!("snp{at}"), copies)
    });
    // Every column holds both 0 and 2 here, so its own range is that of copies.
    let relieff = ReliefF::default();
    let found = fit(&relieff, additive.collect(), &targets);
    assert_eq!(found, fit(&relieff, numbers.collect(), &targets));
    // Where only 0 and 1 occur, they are half the range apart.
    let column = Genotypes::from_copies([Some(0), Some(1), Some(1), Some(0)]).unwrap().additive();
    let table = Table::new(vec![Column::genotypes("snp", column)]).unwrap();
    let encoder = Encoder::fit(&table).unwrap();
    let FittedColumn::Numeric { min, max, .. } = encoder.columns()[0] else { panic!() };
    assert_eq!((min, max), (0.0, 2.0));
    assert_eq!(encoder.encode(&table).unwrap().number(1, 0), 1.0);
}
