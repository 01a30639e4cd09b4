//! [`SimulateError`]: what can go wrong in making a table.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in making a table.
    pub enum SimulateError {
        ClassesTooSmall { tries: usize, members: usize }
            => "{tries} tables were drawn and each had a class of fewer than {members} rows; ask for \
                more rows";
    }
}
