//! [`ReadNote`]: what a reader should know about a table that was read all the same.

use nearkin::{Severity, sentences};

sentences! {
    /// A note about a table that was read all the same.
    pub enum ReadNote {
        DecimalCommas { column: String, example: String }
            => "column `{column}` is read as categories: its values look like numbers with \
                decimal commas; write points instead, such as {example}, or read such commas";
        // Of `count` features.
        LikeGenotypes { alike: usize, count: usize }
            => "{alike} of {count} columns hold nothing but 0, 1 and 2 and are read as numbers; if \
                they are genotypes, read them as such";
        // `other` is the first of the values that are no numbers.
        NearlyNumbers { column: String, numbers: usize, count: usize, other: String }
            => "column `{column}` is read as categories: {numbers} of its {count} different \
                values are numbers, `{other}` is none; correct it, or list it as missing";
        IndexLeftOut { column: String }
            => "column `{column}`, the index of a data frame, is left out";
        NoPhenotypes { missing: usize, samples: usize }
            => "{missing} of {samples} samples have no phenotype, so there is no target";
        NoTarget { missing: usize, rows: usize, column: String }
            => "column `{column}` is missing in {missing} of {rows} rows, so there is no target";
        RowsLeftOut { count: usize } => "{count} rows without a target were left out";
        // Of a list of samples to keep.
        NotListed { list: String, count: usize, unknown: usize }
            => "{count} samples that are not in {list} were left out{}", not_here(*unknown);
        // Of a list of samples to remove.
        Listed { list: String, count: usize, unknown: usize }
            => "{count} samples that are in {list} were left out{}", not_here(*unknown);
        Unmatched { file: String, rows: usize, lines: usize }
            => "{rows} rows of the table have no line in {file}, {lines} lines there no row";
        UnknownAsNumber { file: String, column: String, count: usize }
            => "{file}: column `{column}` holds -9 in {count} rows, read as a number; if it marks \
                missing cells, list it as missing";
        UnknownAsClass { column: String, count: usize }
            => "the target `{column}` is -9 in {count} rows and 1 or 2 in all others, as PLINK \
                writes missing phenotypes, controls and cases; -9 is read as a class of its own; if \
                it is missing, list it as missing and leave such rows out";
        IdsFound { column: String }
            => "column `{column}` holds the identifiers of samples and is no feature";
        // By the reason: several alternative alleles, none, no genotypes.
        VariantsLeftOut { several: usize, none: usize, uncalled: usize }
            => "{} variants were left out: {several} have several alternative alleles (`bcftools \
                norm -m -` splits them), {none} none, {uncalled} no genotypes",
            several + none + uncalled;
        SamplesLackGenotypes { count: usize, of: usize, limit: f64 }
            => "{count} of {of} samples lack more than {limit} of their genotypes and were left out";
        VariantsMissing { count: usize, of: usize, limit: f64 }
            => "{count} of {of} columns are missing in more than {limit} of the samples and were \
                left out";
        VariantsOffProportions { count: usize, of: usize, limit: f64, controls: bool }
            => "{count} of {of} columns are off Hardy-Weinberg proportions (p below {limit}{}) and \
                were left out", if *controls { ", among the controls" } else { "" };
        VariantsRare { count: usize, of: usize, limit: f64 }
            => "{count} of {of} columns have a rarer allele of a share below {limit} and were left \
                out";
        SamplesLeftOut { count: usize } => "{count} samples without a phenotype were left out";
    }
}

impl ReadNote {
    /// How much it matters: a column of another kind than was meant changes every answer.
    pub fn severity(&self) -> Severity {
        match self {
            Self::DecimalCommas { .. }
            | Self::NearlyNumbers { .. }
            | Self::LikeGenotypes { .. }
            | Self::UnknownAsNumber { .. }
            | Self::UnknownAsClass { .. } => Severity::Warning,
            _ => Severity::Information,
        }
    }
}

/// What to add about samples of a list that are not in the table.
fn not_here(unknown: usize) -> String {
    match unknown {
        0 => String::new(),
        unknown => format!("; {unknown} of its samples are not in the table"),
    }
}
