//! Peak memory of every weighting method: `cargo bench -p nearkin --bench memory`.
//!
//! Each method weighs the same table of doubles in a process of its own; the peak is set beside
//! the size of the table, which the process holds as well. Linux only.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod peak;

use nearkin::Run;
use nearkin::data::{Column, Table, Target};
use nearkin::random::Random;
use nearkin::weigh::{Extras, method, methods, set, wrap};

const ROWS: usize = 1_000;
const COLUMNS: usize = 10_000;

fn fit(id: &str) {
    let mut random = Random::new(1, 0);
    let column =
        |c| Column::numeric(format!("x{c}"), (0..ROWS).map(|_| random.uniform()).collect());
    let table = Table::new((0..COLUMNS).map(column).collect()).unwrap();
    let target = match id {
        "rrelieff" => Target::real((0..ROWS).map(|i| i as f64).collect()).unwrap(),
        _ => Target::classes((0..ROWS).map(|i| (i % 2).to_string())),
    };
    let mut chosen = match id {
        "turf" | "vls" => wrap(id, method("relieff").unwrap()).unwrap(),
        _ => method(id).unwrap(),
    };
    // One step shows the memory of all.
    for (name, value) in
        [("iterations", "1"), ("refresh", "8"), ("turf_fraction", "0.5"), ("vls_subsets", "5")]
    {
        if chosen.parameters().iter().any(|p| p.name == name) {
            set(chosen.as_mut(), name, value).unwrap();
        }
    }
    let weights = chosen.fit_with(&table, &target, &Extras::default(), &Run::default()).unwrap();
    let bytes = (ROWS * COLUMNS * 8) as f64;
    let share = peak::megabytes()
        .map_or("unknown".into(), |peak| format!("{:.2}", peak * 1_048_576.0 / bytes));
    println!("{id:>16}   {share} × the table   (first weight {:.4})", weights.weights[0]);
}

fn main() {
    if let Ok(id) = std::env::var("NEARKIN_MEMORY_OF") {
        return fit(&id);
    }
    println!(
        "Peak memory of the process on {ROWS} × {COLUMNS} doubles, {} MB:",
        ROWS * COLUMNS * 8 / 1_000_000
    );
    let ids: Vec<String> = methods().iter().map(|m| m.about().id.to_owned()).collect();
    for id in ids.iter().map(String::as_str).chain(["turf", "vls"]) {
        let program = std::env::current_exe().unwrap();
        std::process::Command::new(program).env("NEARKIN_MEMORY_OF", id).status().unwrap();
    }
}
