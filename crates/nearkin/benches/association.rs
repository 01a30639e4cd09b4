//! Studies and speed of neighbourhood association.
//!
//! ```text
//! cargo bench -p nearkin --bench association -- levels [--tables 200] [--rows 100,300,1000]
//! cargo bench -p nearkin --bench association -- power          (needs NEARKIN_DATA)
//! cargo bench -p nearkin --bench association -- structure [--tables 20]
//! cargo bench -p nearkin --bench association -- speed [--size 2000,10000] [--only radius]
//! ```
//! `levels` writes, as CSV, how often columns that do not matter get a small p, design by design:
//! the shares below .05, .01 and .001, their spread over tables, and whether the share passes 1.3
//! times .05 or twice .001 by more than chance allows for all checks together (Bonferroni). `power`
//! sets the test beside permutation of MultiSURF and ReliefF on simulated genetics whose truth is
//! known. `structure` says how often null markers are called where ancestry drives label and
//! markers, without and with two components as covariates, and among sibships of four whose label
//! runs in families, without and with families as strata. `speed` times the test on genotypes.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, missing_docs)]

use std::time::Instant;

use nearkin::Run;
use nearkin::data::{Column, Genotypes, Table, Target};
use nearkin::random::Random;
use nearkin::stats::tails::binomial_at_least;
use nearkin::weigh::{
    Association, Given, MultiSurf, Nearness, Permutation, ReliefF, Weigh, components,
};
use rayon::prelude::*;

const COLUMNS: usize = 20;

/// What columns are like.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Genotypes,
    Correlated,
    Heavy,
    Mixed,
}

/// How the target comes about.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Truth {
    /// It has nothing to do with the table; this share are cases.
    Nothing(f64),
    /// Nothing within strata; strata shift label and columns.
    Strata,
    /// A covariate drives label and columns.
    Covariate,
    /// A covariate drives a number and columns.
    CovariateOfNumber,
    /// The first column drives it.
    StrongColumn,
    /// The first two columns together drive it, neither alone.
    StrongPair,
    /// Classes are clusters over the first half of the columns.
    Clusters(usize),
    /// The first column of blocks of five alike columns drives it.
    LinkedBlocks,
    /// A number of its own.
    Number,
}

struct Design {
    name: String,
    kind: Kind,
    rows: usize,
    truth: Truth,
}

struct Made {
    columns: Vec<Column<'static>>,
    target: Target,
    strata: Option<Vec<u32>>,
    covariates: Option<Table<'static>>,
    /// Whether each column has nothing to do with the target.
    null: Vec<bool>,
}

fn genotype(random: &mut Random, share: f64) -> u8 {
    u8::from(random.chance(share)) + u8::from(random.chance(share))
}

fn column_of(
    kind: Kind,
    at: usize,
    rows: usize,
    shift: &[f64],
    random: &mut Random,
) -> Column<'static> {
    let name = format!("x{at}");
    let numeric = |random: &mut Random, heavy: bool| {
        let draw = |random: &mut Random| match heavy {
            // Student's t with two degrees of freedom.
            true => {
                let squares = random.normal().powi(2) + random.normal().powi(2);
                random.normal() / (squares / 2.0).sqrt()
            }
            false => random.normal(),
        };
        (0..rows).map(|row| draw(random) + shift[row]).collect::<Vec<f64>>()
    };
    match kind {
        Kind::Genotypes => {
            let share = 0.1 + 0.4 * random.uniform();
            let cell = |row: usize| {
                let tilted = (share * (0.6 * shift[row]).exp()).min(0.95);
                Some(genotype(random, tilted))
            };
            let cells: Vec<Option<u8>> = (0..rows).map(cell).collect();
            Column::genotypes(name, Genotypes::from_copies(cells).unwrap())
        }
        Kind::Correlated => Column::numeric(name, numeric(random, false)),
        Kind::Heavy => Column::numeric(name, numeric(random, true)),
        Kind::Mixed if at.is_multiple_of(3) => {
            let cell = |_| (!random.chance(0.1)).then(|| ["a", "b", "c"][random.below(3)]);
            let cells: Vec<Option<&str>> = (0..rows).map(cell).collect();
            Column::nominal(name, &cells).unwrap()
        }
        Kind::Mixed => {
            let mut cells = numeric(random, at % 3 == 1);
            cells.iter_mut().filter(|_| random.chance(0.1)).for_each(|cell| *cell = f64::NAN);
            Column::numeric(name, cells)
        }
    }
}

fn cases(rows: usize, share: f64, random: &mut Random) -> Target {
    let mut labels = vec!["control"; rows];
    let count = ((rows as f64 * share).round() as usize).max(2);
    random.sample(rows, count).into_iter().for_each(|row| labels[row] = "case");
    Target::classes(labels)
}

fn labels(odds: impl Iterator<Item = f64>, random: &mut Random) -> Target {
    let label = |odds: f64| match random.chance(1.0 / (1.0 + (-odds).exp())) {
        true => "case",
        false => "control",
    };
    Target::classes(odds.map(label).collect::<Vec<_>>())
}

fn make(design: &Design, seed: u64) -> Made {
    let random = &mut Random::new(seed, 17);
    let rows = design.rows;
    let kind = design.kind;
    let none = vec![0.0; rows];
    let plain = |random: &mut Random| -> Vec<Column<'static>> {
        let mut columns: Vec<_> =
            (0..COLUMNS).map(|at| column_of(kind, at, rows, &none, random)).collect();
        if kind == Kind::Correlated {
            // Blocks of five that share most of their variance.
            for block in 0..COLUMNS / 5 {
                let common: Vec<f64> = (0..rows).map(|_| random.normal()).collect();
                for (at, column) in columns.iter_mut().enumerate().skip(5 * block).take(5) {
                    let cells = common.iter().map(|c| 0.8 * c + 0.6 * random.normal()).collect();
                    *column = Column::numeric(format!("x{at}"), cells);
                }
            }
        }
        columns
    };
    let all_null = vec![true; COLUMNS];
    let of = |columns, target, null| Made { columns, target, strata: None, covariates: None, null };
    let codes = |column: &Column| -> Vec<usize> {
        let copies = |row| match &column.values {
            nearkin::data::ColumnValues::Genotype(cells) => cells.at(row).map_or(0, usize::from),
            _ => 0,
        };
        (0..rows).map(copies).collect()
    };
    match design.truth {
        Truth::Nothing(share) => {
            let columns = plain(random);
            let target = cases(rows, share, random);
            of(columns, target, all_null)
        }
        Truth::Number => {
            let columns = plain(random);
            let values = (0..rows).map(|_| random.normal().exp()).collect();
            of(columns, Target::real(values).unwrap(), all_null)
        }
        Truth::Strata => {
            let strata: Vec<u32> = (0..rows).map(|_| random.below(8) as u32).collect();
            let levels: Vec<f64> = (0..8).map(|_| random.normal()).collect();
            let shift = |random: &mut Random| -> Vec<f64> {
                let own: Vec<f64> =
                    levels.iter().map(|l| 0.7 * l + 0.7 * random.normal()).collect();
                strata.iter().map(|&s| own[s as usize]).collect()
            };
            let columns = (0..COLUMNS)
                .map(|at| {
                    let shift = shift(random);
                    column_of(kind, at, rows, &shift, random)
                })
                .collect();
            let target = labels(strata.iter().map(|&s| 1.2 * levels[s as usize]), random);
            Made { strata: Some(strata), ..of(columns, target, all_null) }
        }
        Truth::Covariate | Truth::CovariateOfNumber => {
            let ancestry: Vec<f64> = (0..rows).map(|_| random.normal()).collect();
            let columns = (0..COLUMNS)
                .map(|at| {
                    let tie = 0.8 * random.normal();
                    let shift: Vec<f64> = ancestry.iter().map(|a| tie * a).collect();
                    column_of(kind, at, rows, &shift, random)
                })
                .collect();
            let target = match design.truth {
                Truth::Covariate => labels(ancestry.iter().map(|a| a - 0.7), random),
                _ => {
                    let value = |a: &f64| a + random.normal();
                    Target::real(ancestry.iter().map(value).collect()).unwrap()
                }
            };
            let covariates = Table::new(vec![Column::numeric("ancestry", ancestry)]).unwrap();
            Made { covariates: Some(covariates), ..of(columns, target, all_null) }
        }
        Truth::StrongColumn => {
            let columns = plain(random);
            let first = codes(&columns[0]);
            let target = labels(first.iter().map(|&c| 3.0 * c as f64 - 2.5), random);
            let null = (0..COLUMNS).map(|at| at > 0).collect();
            of(columns, target, null)
        }
        Truth::StrongPair => {
            let columns = plain(random);
            let (a, b) = (codes(&columns[0]), codes(&columns[1]));
            let odd = |(a, b): (&usize, &usize)| if (a + b) % 2 == 1 { 2.5 } else { -2.5 };
            let target = labels(a.iter().zip(&b).map(odd), random);
            let null = (0..COLUMNS).map(|at| at > 1).collect();
            of(columns, target, null)
        }
        Truth::Clusters(classes) => {
            // Ten of thirty columns.
            let (relevant, rest) = (10, 20);
            let columns: Vec<_> =
                (0..relevant + rest).map(|at| column_of(kind, at, rows, &none, random)).collect();
            let centres: Vec<Vec<usize>> =
                (0..classes).map(|_| (0..relevant).map(|_| random.below(3)).collect()).collect();
            let cells: Vec<Vec<usize>> = columns[..relevant].iter().map(codes).collect();
            let class = |row: usize| {
                let distance = |centre: &Vec<usize>| -> f64 {
                    let differ = cells.iter().zip(centre).filter(|(c, at)| c[row] != **at).count();
                    differ as f64 + 0.5 * random.uniform()
                };
                let distances: Vec<f64> = centres.iter().map(distance).collect();
                let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
                distances.iter().position(|d| *d == least).unwrap().to_string()
            };
            let target = Target::classes((0..rows).map(class).collect::<Vec<_>>());
            let null = (0..relevant + rest).map(|at| at >= relevant).collect();
            of(columns, target, null)
        }
        Truth::LinkedBlocks => {
            // Of five neighbours each is a copy of the one before in four rows of five.
            let mut columns: Vec<Column<'static>> = Vec::new();
            let mut last: Vec<u8> = Vec::new();
            for at in 0..COLUMNS {
                let share = 0.2 + 0.3 * random.uniform();
                let fresh: Vec<u8> = (0..rows).map(|_| genotype(random, share)).collect();
                last = match at % 5 {
                    0 => fresh,
                    _ => {
                        let keep = |(old, new)| if random.chance(0.8) { old } else { new };
                        last.into_iter().zip(fresh).map(keep).collect()
                    }
                };
                let cells = last.iter().map(|&c| Some(c));
                let cells = Genotypes::from_copies(cells).unwrap();
                columns.push(Column::genotypes(format!("x{at}"), cells));
            }
            let first = codes(&columns[0]);
            let target = labels(first.iter().map(|&c| 3.0 * c as f64 - 2.5), random);
            let null = (0..COLUMNS).map(|at| at >= 5).collect();
            of(columns, target, null)
        }
    }
}

fn designs(sizes: &[usize]) -> Vec<Design> {
    let mut all = Vec::new();
    let mut add = |name: String, kind, rows, truth| all.push(Design { name, kind, rows, truth });
    let kinds = [
        ("genotypes", Kind::Genotypes),
        ("correlated", Kind::Correlated),
        ("heavy", Kind::Heavy),
        ("mixed-missing", Kind::Mixed),
    ];
    for &rows in sizes {
        for (name, kind) in kinds {
            for (share, cases) in [("half", 0.5), ("fifth", 0.2), ("twentieth", 0.05)] {
                add(format!("{name}, {share} cases"), kind, rows, Truth::Nothing(cases));
            }
        }
        if rows > 300 {
            continue;
        }
        for (name, kind) in [kinds[0], kinds[2], kinds[3]] {
            add(format!("{name}, a number"), kind, rows, Truth::Number);
        }
        for (name, kind) in [kinds[0], kinds[2]] {
            add(format!("{name}, strata"), kind, rows, Truth::Strata);
            add(format!("{name}, covariate of classes"), kind, rows, Truth::Covariate);
            add(format!("{name}, covariate of a number"), kind, rows, Truth::CovariateOfNumber);
        }
        let genotypes = kinds[0];
        for (what, truth) in [
            ("one strong column", Truth::StrongColumn),
            ("one strong pair", Truth::StrongPair),
            ("three clustered classes", Truth::Clusters(3)),
            ("nine clustered classes", Truth::Clusters(9)),
            ("linked blocks", Truth::LinkedBlocks),
        ] {
            add(format!("{}, {what}", genotypes.0), genotypes.1, rows, truth);
        }
    }
    all
}

/// What one table says: p of the columns that do not matter, false and all calls at q .05.
struct Outcome {
    p: Vec<[f64; 3]>,
    false_calls: usize,
    calls: usize,
}

fn one_table(design: &Design, seed: u64) -> Option<Outcome> {
    let made = make(design, seed);
    let table = Table::new(made.columns).unwrap();
    let given = Given {
        covariates: made.covariates.as_ref(),
        strata: made.strata.as_deref(),
        ..Given::default()
    };
    let of = Association::default();
    let run = Run::in_current_pool();
    let found = of.test(&table, &made.target, &given, &run).ok()?;
    let tests = || found.tests.iter().zip(&made.null);
    let called = |q: f64| q <= 0.05;
    Some(Outcome {
        p: tests().filter(|(_, null)| **null).map(|(t, _)| [t.p, t.p_target, t.p_column]).collect(),
        false_calls: tests().filter(|(t, null)| **null && called(t.q)).count(),
        calls: tests().filter(|(t, _)| called(t.q)).count(),
    })
}

fn levels(tables: u64, sizes: &[usize]) {
    println!(
        "design,rows,tables,refused,tests,below_05,sd_05,below_01,below_001,target_05,column_05,\
         fdr_05,p_of_inflation_05,p_of_inflation_001,inflated"
    );
    let designs = designs(sizes);
    let checks = 2.0 * designs.len() as f64;
    for design in &designs {
        let begun = Instant::now();
        let all: Vec<Option<Outcome>> =
            (0..tables).into_par_iter().map(|seed| one_table(design, seed)).collect();
        let refused = all.iter().filter(|one| one.is_none()).count();
        let all: Vec<Outcome> = all.into_iter().flatten().collect();
        let below = |which: usize, level: f64| -> (usize, usize) {
            let p = || all.iter().flat_map(|one| &one.p).map(|p| p[which]);
            (p().filter(|p| *p < level).count(), p().count())
        };
        let share = |(count, of): (usize, usize)| count as f64 / of.max(1) as f64;
        let each: Vec<f64> = all
            .iter()
            .map(|one| share((one.p.iter().filter(|p| p[0] < 0.05).count(), one.p.len())))
            .collect();
        let mean = each.iter().sum::<f64>() / each.len().max(1) as f64;
        let spread = each.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        let sd = (spread / (each.len().max(2) - 1) as f64).sqrt();
        let fdr =
            all.iter().map(|one| one.false_calls as f64 / one.calls.max(1) as f64).sum::<f64>()
                / all.len().max(1) as f64;
        // Columns of a table may be called together: tests are counted as so many fewer.
        let (count, tests) = below(0, 0.05);
        let binomial = mean * (1.0 - mean) / (tests as f64 / all.len().max(1) as f64);
        let design_effect = if binomial > 0.0 { (sd * sd / binomial).max(1.0) } else { 1.0 };
        let inflation = |count: usize, bound: f64| {
            let effective = (tests as f64 / design_effect).round();
            let count = (count as f64 / design_effect).round();
            binomial_at_least(count as u64, effective as u64, bound)
        };
        let (rare, _) = below(0, 0.001);
        let (at_05, at_001) = (inflation(count, 1.3 * 0.05), inflation(rare, 2.0 * 0.001));
        let inflated = at_05.min(at_001) < 0.05 / checks;
        println!(
            "\"{}\",{},{},{refused},{tests},{:.4},{sd:.4},{:.4},{:.5},{:.4},{:.4},{fdr:.4},\
             {at_05:.2e},{at_001:.2e},{inflated}",
            design.name,
            design.rows,
            all.len(),
            share((count, tests)),
            share(below(0, 0.01)),
            share(below(0, 0.001)),
            share(below(1, 0.05)),
            share(below(2, 0.05)),
        );
        eprintln!("{}, {} rows: {:.1} s", design.name, design.rows, begun.elapsed().as_secs_f64());
    }
}

/// A table of genotypes and two classes: random, but for the first column.
fn cohort(rows: usize, columns: usize) -> (Table<'static>, Target) {
    let random = &mut Random::new(1, 1);
    let share: Vec<f64> = (0..columns).map(|_| 0.1 + 0.4 * random.uniform()).collect();
    let column = |(at, share): (usize, &f64)| {
        let cells: Vec<Option<u8>> = (0..rows).map(|_| Some(genotype(random, *share))).collect();
        Column::genotypes(format!("rs{at}"), Genotypes::from_copies(cells).unwrap())
    };
    let columns: Vec<_> = share.iter().enumerate().map(column).collect();
    let target = cases(rows, 0.4, random);
    (Table::new(columns).unwrap(), target)
}

fn speed(rows: usize, columns: usize, only: &str) {
    println!("what,rows,columns,exchanges,seconds");
    let (table, target) = cohort(rows, columns);
    let numbers =
        Target::real((0..rows).map(|row| ((row * 7919) % 1009) as f64).collect()).unwrap();
    let run = Run::default();
    let time = |what: &str, of: &Association, target: &Target| {
        if !what.contains(only) {
            return;
        }
        let begun = Instant::now();
        let found = of.test(&table, target, &Given::default(), &run).unwrap();
        let seconds = begun.elapsed().as_secs_f64();
        println!("{what},{rows},{columns},{},{seconds:.2}", of.exchanges);
        assert_eq!(found.tests.len(), columns);
    };
    let few = Association { exchanges: 50, ..Association::default() };
    time("radius; classes", &few, &target);
    time("radius; classes", &Association::default(), &target);
    let nearest = Association { near: Nearness::Nearest, ..Association::default() };
    time("k nearest; classes", &Association { exchanges: 50, ..nearest.clone() }, &target);
    time("k nearest; classes", &nearest, &target);
    time("k nearest; a number", &nearest, &numbers);
    time("radius; a number", &few, &numbers);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let flag = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    let sizes = |text: Option<String>, default: &[usize]| -> Vec<usize> {
        text.map_or(default.to_vec(), |text| {
            text.split(',').map(|size| size.parse().unwrap()).collect()
        })
    };
    match words.first().map(String::as_str) {
        Some("levels") => {
            let tables = flag("--tables").map_or(200, |text| text.parse().unwrap());
            levels(tables, &sizes(flag("--rows"), &[100, 300, 1000]));
        }
        Some("structure") => {
            structure(flag("--tables").map_or(20, |text| text.parse().unwrap()));
        }
        Some("power") => power(&flag("--groups").unwrap_or_default()),
        Some("speed") => {
            let size = sizes(flag("--size"), &[2000, 10_000]);
            speed(size[0], size[1], &flag("--only").unwrap_or_default());
        }
        // What `cargo bench` of everything takes along.
        _ => speed(500, 1000, ""),
    }
}

/// Markers of rows whose alleles follow two axes of ancestry, and a label that follows them too.
fn ancestry(random: &mut Random) -> (Table<'static>, Target) {
    let (rows, loci) = (300, 600);
    let axes: Vec<[f64; 2]> = (0..rows).map(|_| [random.normal(), random.normal()]).collect();
    let column = |at: usize| {
        let base = -0.4 - 1.2 * random.uniform();
        let tie = [0.5 * random.normal(), 0.5 * random.normal()];
        let cell = |axes: &[f64; 2]| {
            let odds = base + tie[0] * axes[0] + tie[1] * axes[1];
            Some(genotype(random, 1.0 / (1.0 + (-odds).exp())))
        };
        let cells: Vec<Option<u8>> = axes.iter().map(cell).collect();
        Column::genotypes(format!("m{at}"), Genotypes::from_copies(cells).unwrap())
    };
    let columns = (0..loci).map(column).collect();
    let target = labels(axes.iter().map(|a| 1.2 * a[0] - 0.8 * a[1] - 0.5), random);
    (Table::new(columns).unwrap(), target)
}

/// Families of four sibs whose label runs in the family, with the family of each row.
fn sibships(random: &mut Random) -> (Table<'static>, Target, Vec<u32>) {
    let (families, loci) = (75, 600);
    let share: Vec<f64> = (0..loci).map(|_| 0.15 + 0.35 * random.uniform()).collect();
    let (mut rows, mut family, mut odds) = (Vec::<Vec<u8>>::new(), Vec::new(), Vec::new());
    for at in 0..families {
        let mut parent = || -> Vec<[bool; 2]> {
            share.iter().map(|&s| [random.chance(s), random.chance(s)]).collect()
        };
        let (mother, father) = (parent(), parent());
        let common = 1.5 * random.normal();
        for _ in 0..4 {
            let mut pass = |of: &[bool; 2]| u8::from(of[random.below(2)]);
            rows.push(mother.iter().zip(&father).map(|(m, f)| pass(m) + pass(f)).collect());
            family.push(at);
            odds.push(common);
        }
    }
    let column = |locus: usize| {
        let cells = Genotypes::from_copies(rows.iter().map(|row| Some(row[locus]))).unwrap();
        Column::genotypes(format!("m{locus}"), cells)
    };
    let columns = (0..loci).map(column).collect();
    let target = labels(odds.into_iter(), random);
    (Table::new(columns).unwrap(), target, family)
}

fn structure(tables: u64) {
    println!("design,tables,tests,below_05,below_001");
    let run = Run::default();
    let of = Association { exchanges: 200, ..Association::default() };
    let tell = |design: &str, all: &[f64]| {
        let below =
            |level: f64| all.iter().filter(|p| **p < level).count() as f64 / all.len() as f64;
        println!("{design},{tables},{},{:.4},{:.5}", all.len(), below(0.05), below(0.001));
    };
    let p = |table: &Table, target: &Target, given: &Given| -> Vec<f64> {
        of.test(table, target, given, &run).unwrap().tests.iter().map(|test| test.p).collect()
    };
    let mut found: [Vec<f64>; 4] = Default::default();
    for seed in 0..tables {
        let (table, target) = ancestry(&mut Random::new(seed, 23));
        let axes = components(&table, 2, 0, &run).unwrap();
        found[0].extend(p(&table, &target, &Given::default()));
        let given = Given { covariates: Some(&axes), ..Given::default() };
        found[1].extend(p(&table, &target, &given));
        let (table, target, family) = sibships(&mut Random::new(seed, 29));
        found[2].extend(p(&table, &target, &Given::default()));
        let given = Given { strata: Some(&family), ..Given::default() };
        found[3].extend(p(&table, &target, &given));
    }
    let names = ["ancestry", "ancestry; two components", "sibships", "sibships; strata"];
    names.iter().zip(&found).for_each(|(name, all)| tell(name, all));
}

/// How often the columns that matter are called at .05, by the test and by permutation.
fn power(wanted: &str) {
    let Some(data) = std::env::var_os("NEARKIN_DATA") else {
        println!("power: NEARKIN_DATA names no folder; nothing to do");
        return;
    };
    println!("group,files,relevant,association,se,multisurf,se,relieff,se,behind");
    let folder = std::path::Path::new(&data).join("gametes");
    let mut groups: Vec<_> =
        std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    groups.sort();
    for group in groups {
        let name = group.file_name().unwrap().to_string_lossy().into_owned();
        if !wanted.split(',').any(|part| name.starts_with(part)) {
            continue;
        }
        let mut files: Vec<_> =
            std::fs::read_dir(&group).unwrap().flatten().map(|e| e.path()).collect();
        files.sort();
        let found: Vec<(usize, [usize; 3])> =
            files.par_iter().filter_map(|file| called(file)).collect();
        let relevant: usize = found.iter().map(|one| one.0).sum();
        if relevant == 0 {
            continue;
        }
        let share =
            |at: usize| found.iter().map(|one| one.1[at]).sum::<usize>() as f64 / relevant as f64;
        let error = |share: f64| (share * (1.0 - share) / relevant as f64).sqrt();
        let [a, m, r] = [0, 1, 2].map(share);
        // The error of the difference; of shares of 0 or 1 that of one call.
        let slack = |other: f64| {
            (error(a).powi(2) + error(other).powi(2)).sqrt().max(1.0 / relevant as f64)
        };
        let behind = a + slack(m) < m || a + slack(r) < r;
        println!(
            "{name},{},{relevant},{a:.3},{:.3},{m:.3},{:.3},{r:.3},{:.3},{behind}",
            found.len(),
            error(a),
            error(m),
            error(r)
        );
    }
}

/// Columns that matter and how many of them each test calls; none of a file that is left out.
fn called(file: &std::path::Path) -> Option<(usize, [usize; 3])> {
    let bytes = std::process::Command::new("gzip").arg("-dc").arg(file).output().ok()?.stdout;
    let text = String::from_utf8(bytes).ok()?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next()?.split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let width = names.len() - 1;
    if rows.len() * width > 200_000 {
        return None;
    }
    let cell = |row: &Vec<&'_ str>, at: usize| {
        (!row[at].is_empty() && row[at] != "NA").then(|| row[at].to_owned())
    };
    let columns = (0..width).map(|at| {
        let cells: Vec<Option<String>> = rows.iter().map(|row| cell(row, at)).collect();
        Column::nominal(names[at], &cells).unwrap()
    });
    let table = Table::new(columns.collect()).unwrap();
    if table.columns().iter().any(|column| match &column.values {
        nearkin::data::ColumnValues::Nominal { categories, .. } => categories.len() > 10,
        _ => false,
    }) {
        return None;
    }
    let labels: Vec<&str> = rows.iter().map(|row| row[width]).collect();
    let target = Target::classes(labels);
    match &target {
        Target::Classes(classes) if classes.len() <= 10 => {}
        _ => return None,
    }
    let is_noise =
        |name: &str| name.strip_prefix('N').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let relevant: Vec<usize> = (0..width).filter(|&at| !is_noise(names[at])).collect();
    if relevant.is_empty() || relevant.len() == width {
        return None;
    }
    let run = Run::in_current_pool();
    let found = Association::default().test(&table, &target, &Given::default(), &run).ok()?;
    let by_association = relevant.iter().filter(|&&at| found.tests[at].p < 0.05).count();
    let by_permutation = |method: &dyn Weigh| {
        let weights = method.fit_with(&table, &target, &nearkin::weigh::Extras::default(), &run);
        let weights = weights.unwrap();
        let of = Permutation { exchanges: 199, seed: 1, strata: None, call: None };
        let tests = of.test(method, (&table, &target), &weights, &run).unwrap().tests;
        relevant.iter().filter(|&&at| tests[at].p.is_some_and(|p| p < 0.05)).count()
    };
    let by_multisurf = by_permutation(&MultiSurf::default());
    let by_relieff = by_permutation(&ReliefF { k: 10, ..ReliefF::default() });
    Some((relevant.len(), [by_association, by_multisurf, by_relieff]))
}
