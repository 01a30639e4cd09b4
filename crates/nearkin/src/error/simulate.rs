//! [`SimulateError`]: what can go wrong in making a table.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in making a table.
    pub enum SimulateError {
        OneClass
            => "all simulated rows fell into one class; ask for more rows or another seed";
        ClassesTooSmall { tries: usize, members: usize }
            => "{tries} tables were drawn and each had a class of fewer than {members} rows; ask for \
                more rows";
        PenetranceSize { cells: usize, loci: usize }
            => "a penetrance table of n loci, n from 1 to 8, has 3^n cells, got {cells} for {loci} \
                loci";
        NotProbability { got: f64 } => "a penetrance is a probability from 0 to 1, got {got}";
        Loci { got: usize } => "epistasis is between 2 to 4 loci, got {got} frequencies";
    }
}
