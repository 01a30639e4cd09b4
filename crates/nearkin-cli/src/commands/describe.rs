//! The content of a file: rows, columns by kind, missing cells, the target.

use std::io::{self, Write};

use nearkin::data::{Table, Target};
use nearkin_read::Loaded;
use serde_json::{Value, json};

use crate::output;
use crate::present::columns::shown;

/// The number of columns and classes that are named.
const FEW: usize = 8;

/// The description as text.
pub fn text(out: &mut dyn Write, file: &str, loaded: &Loaded) -> io::Result<()> {
    let Loaded { table, target, target_name, .. } = loaded;
    let rows = if loaded.row_names.is_empty() { "rows" } else { "samples" };
    writeln!(out, "{}: {} {rows}, {} features", shown(file), table.rows(), table.columns().len())?;
    for (kind, count, missing) in kinds(table) {
        let cells = (count * table.rows()) as f64;
        let share = 100.0 * missing as f64 / cells.max(1.0);
        writeln!(out, "  {count} {kind}, {missing} missing cells ({share:.2} %)")?;
    }
    writeln!(out, "features: {}", some(table.names().map(shown)))?;
    if let Some(name) = loaded.row_names.first() {
        writeln!(out, "first sample: {}", shown(name))?;
    }
    let name = shown(target_name.as_deref().unwrap_or("none"));
    match target {
        None => writeln!(out, "target: none")?,
        Some(Target::Real(values)) => {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            writeln!(out, "target: `{name}`, real, {low} to {high}")?;
        }
        Some(Target::Classes(classes)) => {
            let each = classes.names().iter().zip(classes.counts());
            let each = each.map(|(name, count)| format!("{} ({count})", shown(name)));
            writeln!(out, "target: `{name}`, {} classes: {}", classes.len(), some(each))?;
        }
    }
    let remarks = output::below(&output::remarks(&loaded.notes));
    write!(out, "{}", remarks.trim_start_matches('\n'))
}

/// The description as JSON.
pub fn json(file: &str, loaded: &Loaded) -> Value {
    let kinds: Vec<Value> = kinds(&loaded.table)
        .map(|(kind, count, missing)| json!({"kind": kind, "columns": count, "missing": missing}))
        .collect();
    let target = loaded.target.as_ref().map(|target| match target {
        Target::Real(_) => json!({"name": loaded.target_name, "kind": "real"}),
        Target::Classes(classes) => json!({
            "name": loaded.target_name, "kind": "classes",
            "classes": classes.names(), "counts": classes.counts(),
        }),
    });
    json!({
        "table": file, "rows": loaded.table.rows(), "columns": loaded.table.columns().len(),
        "kinds": kinds, "target": target, "notes": output::texts(&output::remarks(&loaded.notes)),
    })
}

/// The kinds that occur: how many columns, how many missing cells.
fn kinds(table: &Table) -> impl Iterator<Item = (&'static str, usize, usize)> {
    let of = |kind: &'static str| {
        let columns = || table.columns().iter().filter(move |column| column.kind() == kind);
        (kind, columns().count(), columns().map(|column| column.missing()).sum())
    };
    ["numeric", "nominal", "genotype"].map(of).into_iter().filter(|(_, count, _)| *count > 0)
}

/// The first few of a list, and that there are more.
fn some(mut each: impl Iterator<Item = String>) -> String {
    let first: Vec<String> = each.by_ref().take(FEW).collect();
    let more = each.count();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    first.join(", ") + &more
}
