//! A note where queries are rows that the model was made from.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use clap::ArgMatches;
use nearkin::data::{ColumnValues, Dense, MISSING, Table};

use crate::output;

/// A row as something to look up.
type Key = Vec<u64>;

/// The rows of numbers, to be looked up.
pub fn of_dense(rows: &Dense) -> Vec<Key> {
    let key = |row| rows.row(row).iter().map(|x| (x + 0.0).to_bits()).collect();
    (0..rows.rows()).map(key).collect()
}

/// The rows of `table`, restricted to the columns called `names`; none if a column is missing.
fn of_table(table: &Table, names: &[&str], words: &RandomState) -> Option<Vec<Key>> {
    let mut keys = vec![Key::with_capacity(names.len()); table.rows()];
    for name in names {
        let column = &table.columns()[table.position(name)?];
        for (row, key) in keys.iter_mut().enumerate() {
            key.push(match &column.values {
                ColumnValues::F64(lane) => (lane.at(row) + 0.0).to_bits(),
                ColumnValues::F32(lane) => (f64::from(lane.at(row)) + 0.0).to_bits(),
                ColumnValues::Genotype(cells) => cells.at(row).map_or(u64::MAX, u64::from),
                ColumnValues::Nominal { codes, categories } => match codes[row] {
                    MISSING => 0,
                    code => words.hash_one(&categories[usize::from(code)]),
                },
            });
        }
    }
    Some(keys)
}

/// Say so when most rows of `asked` are among the `known` ones.
pub fn tell_known_rows(matches: &ArgMatches, known: &Table, asked: &Table, again: &str) {
    let (names, words) = (known.names().collect::<Vec<_>>(), RandomState::new());
    let keys = |table: &Table| of_table(table, &names, &words);
    if let (Some(known), Some(asked)) = (keys(known), keys(asked)) {
        tell_known(matches, known, asked, again);
    }
}

/// Say so when most of `asked` are among the `known` ones; `again` says where to learn more.
pub fn tell_known(matches: &ArgMatches, known: Vec<Key>, asked: Vec<Key>, again: &str) {
    let (known, rows): (HashSet<Key>, _) = (known.into_iter().collect(), asked.len());
    let seen = asked.iter().filter(|key| known.contains(*key)).count();
    if 2 * seen > rows {
        let told = format!(
            "{seen} of {rows} rows are among the rows that decide, and each is its own neighbour \
             there: new rows will fare worse, {again}"
        );
        output::note(matches, &told);
    }
}

/// Say which columns of categories hold none that the `known` rows hold.
pub fn tell_new_values(matches: &ArgMatches, known: &Table, asked: &Table) {
    for column in known.columns() {
        let ColumnValues::Nominal { categories: old, .. } = &column.values else { continue };
        let at = asked.position(&column.name);
        let Some(at) = at else { continue };
        let ColumnValues::Nominal { categories: new, .. } = &asked.columns()[at].values else {
            continue;
        };
        if let (Some(one), Some(other)) = (new.first(), old.first())
            && new.iter().all(|value| !old.contains(value))
        {
            let told = format!(
                "column `{}`: no value was there in training, where it held the like of `{other}`; \
                 `{one}` and all others count as unknown",
                column.name
            );
            output::note(matches, &told);
        }
    }
}
