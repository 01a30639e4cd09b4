//! The content of a file: rows, columns by kind, missing cells, the target.

use std::io::{self, Write};

use nearkin::data::{ColumnValues, Table, Target};
use nearkin_read::{Loaded, VariantSummary};
use serde_json::{Value, json};

use crate::csv::{cell, number};
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
    genotypes(out, loaded)?;
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
pub fn json(file: &str, loaded: &Loaded, each: bool) -> Value {
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
    let rows = loaded.table.rows();
    let variants: Vec<Value> = variants(loaded)
        .map(|(name, one)| {
            json!({
                "name": name,
                "chromosome": loaded.places.get(name).map(|place| place.chromosome.as_str()),
                "position": loaded.places.get(name).map(|place| place.position),
                "copies": one.copies, "missing": one.missing,
                "frequency": Some(one.frequency).filter(|share| !share.is_nan()),
                "hardy_weinberg": one.hardy_weinberg, "rows": rows,
            })
        })
        .filter(|_| each)
        .collect();
    json!({
        "genotypes": each.then_some(variants),
        "table": file, "rows": loaded.table.rows(), "columns": loaded.table.columns().len(),
        "kinds": kinds, "target": target, "notes": output::texts(&output::remarks(&loaded.notes)),
    })
}

/// The genotype columns, each with what its cells are.
pub fn variants(loaded: &Loaded) -> impl Iterator<Item = (&str, VariantSummary)> {
    loaded.table.columns().iter().filter_map(|column| match &column.values {
        ColumnValues::Genotype(cells) => Some((column.name.as_str(), VariantSummary::of(cells))),
        _ => None,
    })
}

/// A line for each genotype column.
pub fn variants_csv(out: &mut dyn Write, loaded: &Loaded) -> io::Result<()> {
    writeln!(
        out,
        "name,chromosome,position,copies_0,copies_1,copies_2,missing,frequency,hardy_weinberg"
    )?;
    let rows = loaded.table.rows().max(1) as f64;
    for (name, one) in variants(loaded) {
        let [none, het, both] = one.copies;
        let missing = number(one.missing as f64 / rows);
        let share = if one.frequency.is_nan() { String::new() } else { number(one.frequency) };
        let p = number(one.hardy_weinberg);
        let place = match loaded.places.get(name) {
            Some(place) => format!("{},{}", cell(&place.chromosome), place.position),
            None => ",".to_owned(),
        };
        writeln!(out, "{},{place},{none},{het},{both},{missing},{share},{p}", cell(name))?;
    }
    Ok(())
}

/// A p-value below which genotypes are commonly doubted.
const OFF: f64 = 1e-6;

/// What the genotypes are, in a few lines.
fn genotypes(out: &mut dyn Write, loaded: &Loaded) -> io::Result<()> {
    let mut rarer: Vec<f64> = Vec::new();
    let (mut empty, mut constant, mut off) = (0, 0, Vec::new());
    let mut worst: Option<(usize, &str)> = None;
    for (name, one) in variants(loaded) {
        match one.rarer() {
            share if share.is_nan() => empty += 1,
            share => rarer.push(share),
        }
        constant += usize::from(one.rarer() == 0.0);
        if one.missing > worst.map_or(0, |(missing, _)| missing) {
            worst = Some((one.missing, name));
        }
        if one.hardy_weinberg < OFF {
            off.push(shown(name));
        }
    }
    rarer.sort_by(f64::total_cmp);
    if let (Some(low), Some(high)) = (rarer.first(), rarer.last()) {
        let middle = rarer[rarer.len() / 2];
        writeln!(out, "  rarer allele: share {low:.4} to {high:.4}, median {middle:.4}")?;
    }
    if constant > 0 {
        writeln!(out, "  {constant} genotype columns have one allele alone")?;
    }
    if empty > 0 {
        writeln!(out, "  {empty} genotype columns have no known cell")?;
    }
    if let Some((missing, name)) = worst {
        let share = 100.0 * missing as f64 / loaded.table.rows().max(1) as f64;
        writeln!(out, "  most missing: {share:.2} % of `{}`", shown(name))?;
    }
    if !rarer.is_empty() {
        let count = off.len();
        let names = if count > 0 { format!(": {}", some(off.into_iter())) } else { String::new() };
        writeln!(out, "  Hardy-Weinberg p below {OFF}: {count}{names}")?;
    }
    Ok(())
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
