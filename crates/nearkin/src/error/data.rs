//! [`DataError`]: what can go wrong in a table, a target or a matrix of similarities.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in a table, a target or a matrix of similarities.
    pub enum DataError {
        RowsDisagree { table: usize, target: usize }
            => "the table has {table} rows and the target {target}; they must agree";
    }
}
