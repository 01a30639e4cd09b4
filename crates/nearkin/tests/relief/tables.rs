//! Small random tables.

use nearkin::data::{Column, Table, Target};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A generator of numbers that needs no crate (Steele, Lea and Flood's splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// What a random table is like.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub seed: u64,
    pub rows: usize,
    pub numeric: usize,
    pub nominal: usize,
    /// Categories a column may have; up to three, and no numbers, are held two bits a cell.
    pub categories: usize,
    pub classes: usize,
    /// Quarters in power-of-two ranges: ties, and sums exact in any order.
    pub dyadic: bool,
    /// Cells missing, in percent.
    pub missing: usize,
    /// A constant column, a column with nothing known, and a few repeated rows.
    pub odd: bool,
}

/// A table, its classes as numbers, and real values beside them.
pub struct Case {
    pub table: Table<'static>,
    pub labels: Vec<usize>,
    pub real: Vec<f64>,
}

impl Case {
    pub fn target(&self) -> Target {
        Target::classes(self.labels.iter().map(|l| format!("c{l}")))
    }

    pub fn real_target(&self) -> Target {
        Target::real(self.real.clone()).unwrap()
    }
}

impl Recipe {
    pub fn make(&self) -> Case {
        let dice = &mut Dice(self.seed);
        let n = self.rows;
        let mut columns = Vec::new();
        let mut labels: Vec<usize> = (0..n).map(|i| i % self.classes).collect();
        // Unequal classes: some rows move to the first.
        for label in labels.iter_mut().skip(self.classes) {
            if dice.below(3) == 0 {
                *label = 0;
            }
        }
        let order = dice.shuffled(n);
        let labels: Vec<usize> = order.iter().map(|&i| labels[i]).collect();
        for c in 0..self.numeric {
            let cells = (0..n).map(|i| self.number(dice, labels[i] * usize::from(c == 0), i, c));
            let cells: Vec<f64> = cells.collect();
            columns.push(Column::numeric(format!("x{c}"), cells));
        }
        for c in 0..self.nominal {
            let cells: Vec<Option<String>> = (0..n)
                .map(|_| {
                    let value = dice.below(2 + c % (self.categories - 1));
                    (dice.below(100) >= self.missing).then(|| format!("v{value}"))
                })
                .collect();
            columns.push(Column::nominal(format!("n{c}"), &cells).unwrap());
        }
        if self.odd {
            columns.insert(0, Column::numeric("constant", vec![0.75; n]));
            columns.push(Column::numeric("unknown", vec![f64::NAN; n]));
            columns.push(Column::nominal::<&str>("nothing", &vec![None; n]).unwrap());
        }
        let table = Table::new(columns).unwrap();
        let rows: Vec<usize> = (0..n)
            .map(|i| if self.odd && i >= self.classes && dice.below(6) == 0 { i / 2 } else { i })
            .collect();
        let real = (0..n).map(|i| labels[i] as f64 + dice.unit()).collect();
        Case { table: table.select_rows(&rows), labels, real }
    }

    fn number(&self, dice: &mut Dice, shift: usize, row: usize, column: usize) -> f64 {
        let missing = dice.below(100) < self.missing;
        if self.dyadic {
            let quarters = 4usize << (column % 3);
            let value = (dice.below(quarters + 1) + shift * quarters / 4).min(quarters);
            // Both ends of the range, and whole quarters between.
            return match row {
                0 => 0.0,
                1 => quarters as f64 / 4.0,
                _ if missing => f64::NAN,
                _ => value as f64 / 4.0,
            };
        }
        let value = (dice.unit() + 0.4 * shift as f64) * [1.0, 37.0, 0.01][column % 3] - 0.3;
        if missing { f64::NAN } else { value }
    }
}

/// Tables with ties, odd columns and missing cells; a third of them packed.
pub fn any_table() -> impl Strategy<Value = Recipe> {
    prop_oneof![2 => mixed_table(), 1 => packed_table()]
}

fn mixed_table() -> impl Strategy<Value = Recipe> {
    (
        any::<u64>(),
        5usize..26,
        1usize..4,
        0usize..4,
        2usize..5,
        any::<bool>(),
        prop_oneof![Just(0usize), Just(15), Just(40)],
        any::<bool>(),
    )
        .prop_map(|(seed, rows, numeric, nominal, classes, dyadic, missing, odd)| Recipe {
            seed,
            rows,
            numeric,
            nominal,
            categories: 4,
            classes,
            dyadic,
            missing,
            odd,
        })
}

/// Complete tables of real numbers: no two distances are equal.
pub fn tie_free() -> impl Strategy<Value = Recipe> {
    (any::<u64>(), 6usize..26, 2usize..6, 2usize..5).prop_map(|(seed, rows, numeric, classes)| {
        Recipe {
            seed,
            rows,
            numeric,
            nominal: 0,
            categories: 4,
            classes,
            dyadic: false,
            missing: 0,
            odd: false,
        }
    })
}

/// Tables of two or three categories and no numbers, whose rows are held two bits a cell.
pub fn packed_table() -> impl Strategy<Value = Recipe> {
    let missing = prop_oneof![Just(0usize), Just(15), Just(40)];
    (any::<u64>(), 5usize..40, 1usize..12, 2usize..5, missing).prop_map(
        |(seed, rows, nominal, classes, missing)| Recipe {
            seed,
            rows,
            numeric: 0,
            nominal,
            categories: 3,
            classes,
            dyadic: true,
            missing,
            odd: false,
        },
    )
}

/// So many cases, the same in every run: a tie that only rounding breaks would otherwise turn
/// up once in many thousands.
pub fn cases(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(20_260_101);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}
