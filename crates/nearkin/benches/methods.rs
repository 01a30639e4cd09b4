//! Seconds of weighting methods on noise: `cargo bench -p nearkin --bench methods -- [--rounds 5] CASE ...`.
//!
//! A case is `method[:parameter=value]...@rows,columns,kind,classes,threads`, with `numeric`
//! (single precision), `genotype`, `nominal` (five categories), `holes` (numeric, a tenth missing) or
//! `uncalled` (genotypes, a hundredth missing) for the kind:
//!
//! ```text
//! cargo bench -p nearkin --bench methods -- relieff:k=20@5000,200,numeric,2,1 surf@5000,200,genotype,2,2
//! ```
//!
//! All cases take turns, round by round, and the least time of each counts, so that times can be
//! set beside each other on a machine that is not quiet. Prints a line of `case,seconds,MB` each;
//! memory is the peak of the process with all its tables (Linux only), so one for one case.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod peak;

use std::time::Instant;

use nearkin::Run;
use nearkin::data::{Column, ColumnValues, Lane, MISSING, Table, Target};
use nearkin::random::Random;
use nearkin::weigh::{Extras, Weigh, method, set};

struct Case {
    name: String,
    method: Box<dyn Weigh>,
    table: Table<'static>,
    target: Target,
    run: Run<'static>,
    seconds: f64,
}

impl Case {
    fn new(name: &str) -> Self {
        let (words, shape) = name.split_once('@').unwrap();
        let mut words = words.split(':');
        let mut method = method(words.next().unwrap()).unwrap();
        for word in words {
            let (parameter, value) = word.split_once('=').unwrap();
            set(method.as_mut(), parameter, value).unwrap();
        }
        let shape: Vec<&str> = shape.split(',').collect();
        let number = |i: usize| shape[i].parse::<usize>().unwrap();
        let (rows, columns, classes) = (number(0), number(1), number(3));
        Self {
            method,
            table: table(rows, columns, shape[2]),
            target: Target::classes((0..rows).map(|row| (row % classes).to_string())),
            run: Run::on(number(4)),
            seconds: f64::INFINITY,
            name: name.to_owned(),
        }
    }

    fn time(&mut self) {
        let start = Instant::now();
        let wanted = Extras::default();
        let found = self.method.fit_with(&self.table, &self.target, &wanted, &self.run).unwrap();
        self.seconds = self.seconds.min(start.elapsed().as_secs_f64());
        let _ = std::hint::black_box(found);
    }
}

fn table(rows: usize, columns: usize, kind: &str) -> Table<'static> {
    let mut random = Random::new(1, 0);
    let column = |c: usize| {
        let name = format!("x{c}");
        let categories = match kind {
            "genotype" | "uncalled" => 3,
            "nominal" => 5,
            _ => 0,
        };
        if categories > 0 {
            let mut code = || match kind == "uncalled" && random.chance(0.01) {
                true => MISSING,
                false => random.below(categories) as u16,
            };
            let codes = (0..rows).map(|_| code()).collect();
            let categories = (0..categories).map(|code| code.to_string()).collect();
            return Column::from_codes(name, codes, categories).unwrap();
        }
        let mut cell = || match kind == "holes" && random.chance(0.1) {
            true => f32::NAN,
            false => random.uniform() as f32,
        };
        Column { name, values: ColumnValues::F32(Lane::owned((0..rows).map(|_| cell()).collect())) }
    };
    Table::new((0..columns).map(column).collect()).unwrap()
}

fn main() {
    let (mut rounds, mut cases) = (5, Vec::new());
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--rounds" => rounds = words.next().unwrap().parse().unwrap(),
            case => cases.push(Case::new(case)),
        }
    }
    for _ in 0..rounds {
        cases.iter_mut().for_each(Case::time);
    }
    let peak = peak::megabytes().unwrap_or(0.0);
    for case in cases {
        println!("{},{:.6},{peak:.1}", case.name, case.seconds);
    }
}
