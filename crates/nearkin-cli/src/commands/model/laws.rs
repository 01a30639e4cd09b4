//! Laws against what was observed, bin by bin.

use std::fmt::Write as _;

use nearkin::classify::LawTable;
use serde_json::{Value, json};

use crate::csv::{cell, number};
use crate::output::Form;
use crate::present::columns::{aligned, shown};
use crate::present::table::cut;

/// Every statistic: how many samples of each class lie in a bin, and how many its law expects.
pub fn histograms(tables: &[LawTable], names: &[String], form: Form) -> String {
    form.text(|| table(tables, names), || csv(tables, names), || json(tables, names))
}

/// The same for programs.
pub fn json(tables: &[LawTable], names: &[String]) -> Value {
    let one = |table: &LawTable| {
        let class = |(at, name): (usize, &String)| json!({ "class": name, "observed": table.observed[at], "fitted": table.fitted[at] });
        json!({
            "statistic": table.statistic,
            "support": table.support.describe(),
            "support_low": table.support.low(),
            "support_high": finite(table.support.high()),
            "edges": table.edges,
            "classes": names.iter().enumerate().map(class).collect::<Vec<_>>(),
        })
    };
    tables.iter().map(one).collect()
}

fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

fn csv(tables: &[LawTable], names: &[String]) -> String {
    let mut text = String::from("statistic,class,from,to,observed,fitted\n");
    for table in tables {
        for (at, name) in names.iter().enumerate() {
            for bin in 0..table.edges.len() - 1 {
                let numbers = [
                    table.edges[bin],
                    table.edges[bin + 1],
                    table.observed[at][bin],
                    table.fitted[at][bin],
                ];
                let (statistic, class) = (cell(&table.statistic), cell(name));
                let _ = writeln!(text, "{statistic},{class},{}", numbers.map(number).join(","));
            }
        }
    }
    text
}

fn table(tables: &[LawTable], names: &[String]) -> String {
    let mut text = String::from("Samples observed, and (as many as the law expects)\n");
    for table in tables {
        let _ = writeln!(text, "\n{}: {}", shown(&table.statistic), table.support.describe());
        let head: Vec<String> =
            std::iter::once("from".to_owned()).chain(names.iter().map(|name| cut(name))).collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let row = |bin: usize| {
            let class =
                |at: usize| format!("{} ({:.1})", table.observed[at][bin], table.fitted[at][bin]);
            let mut row = vec![format!("{:.4}", table.edges[bin])];
            row.extend((0..names.len()).map(class));
            row
        };
        let rows: Vec<Vec<String>> = (0..table.edges.len() - 1).map(row).collect();
        text += &aligned(&head, &rows, &(0..head.len()).collect::<Vec<_>>());
    }
    text
}
