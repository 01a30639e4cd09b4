//! [`ReadNote`]: what a reader should know about a table that was read all the same.

use nearkin::{Severity, sentences};

sentences! {
    /// A note about a table that was read all the same.
    pub enum ReadNote {
        DecimalCommas { column: String, example: String }
            => "column `{column}` is read as categories: its values look like numbers with \
                decimal commas; write points instead, such as {example}";
        // `other` is the first of the values that are no numbers.
        NearlyNumbers { column: String, numbers: usize, count: usize, other: String }
            => "column `{column}` is read as categories: {numbers} of its {count} different \
                values are numbers, `{other}` is none; correct it, or list it as missing";
        IndexLeftOut { column: String }
            => "column `{column}`, the index of a data frame, is left out";
        NoPhenotypes { missing: usize, samples: usize }
            => "{missing} of {samples} samples have no phenotype, so there is no target";
        SamplesLeftOut { count: usize } => "{count} samples without a phenotype were left out";
    }
}

impl ReadNote {
    /// How much it matters: a column of another kind than was meant changes every answer.
    pub fn severity(&self) -> Severity {
        match self {
            Self::DecimalCommas { .. } | Self::NearlyNumbers { .. } => Severity::Warning,
            _ => Severity::Information,
        }
    }
}
