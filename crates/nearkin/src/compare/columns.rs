//! Whether a table has the columns a model was made on.

use std::collections::HashSet;

use crate::data::Table;
use crate::{DataError, Result};

/// Refuse a table with other columns than `expected`, naming those missing and extra; their
/// order does not matter.
///
/// # Errors
/// When there is a column missing or extra.
pub fn check_columns(expected: &[String], table: &Table) -> Result<()> {
    let known: HashSet<&str> = expected.iter().map(String::as_str).collect();
    let there: HashSet<&str> = table.names().collect();
    let missing: Vec<&str> =
        expected.iter().map(String::as_str).filter(|name| !there.contains(name)).collect();
    let extra: Vec<&str> = table.names().filter(|name| !known.contains(name)).collect();
    match missing.is_empty() && extra.is_empty() {
        true => Ok(()),
        false => {
            Err(DataError::OtherColumns { missing: named(&missing), extra: named(&extra) }.into())
        }
    }
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Column;

    fn check(expected: &[&str], there: &[&str]) -> Option<String> {
        let columns = there.iter().map(|name| Column::numeric(*name, vec![1.0])).collect();
        let expected: Vec<String> = expected.iter().map(|name| (*name).to_owned()).collect();
        check_columns(&expected, &Table::new(columns).unwrap()).err().map(|e| e.to_string())
    }

    #[test]
    fn missing_and_extra_columns_are_named_and_order_is_free() {
        assert_eq!(check(&["a", "b"], &["b", "a"]), None);
        let both = check(&["a", "b"], &["b", "c"]).unwrap();
        assert!(both.contains("missing `a`; extra `c`"), "{both}");
        let extra = check(&["a"], &["a", "id"]).unwrap();
        assert!(extra.contains("extra `id`; drop"), "{extra}");
        let wide: Vec<String> = (0..20).map(|i| format!("x{i}")).collect();
        let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
        assert!(check(&wide, &["y"]).unwrap().contains("`x7` and 12 more; extra `y`"));
    }
}
