//! [`Options`]: what a caller may say about a file; everything else is found in it.

use std::path::PathBuf;

/// How to read a file. The default finds everything in the file itself.
///
/// Columns are named by name or by index: 0 is the first, −1 the last. A number names a column
/// of that name if there is one, else the column at that index.
///
/// ```
/// use nearkin_read::{Options, TargetChoice, read_bytes};
///
/// let options = Options {
///     target: TargetChoice::Column("sick".into()),
///     nominal: vec!["ward".into()],
///     drop: vec!["0".into()],
///     ..Options::default()
/// };
/// let file = b"id,ward,age,sick\n1,3,44,no\n2,3,61,yes\n";
/// let loaded = read_bytes(file, "patients.csv", &options)?;
/// assert_eq!(loaded.table.names().collect::<Vec<_>>(), ["ward", "age"]);
/// assert!(loaded.table.columns()[0].is_nominal());
/// # Ok::<(), nearkin_read::ReadError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The format; `None` finds it by the file's name.
    pub format: Option<Format>,
    /// The delimiter of a text table; `None` finds it among `,` `;` tab `|` and space.
    ///
    /// A space stands for any run of spaces and tabs.
    pub delimiter: Option<u8>,
    /// Whether the first row holds the column names; `None` finds out.
    pub header: Option<bool>,
    /// Which column is to be explained.
    pub target: TargetChoice,
    /// Whether the target is a class or a real value.
    pub target_kind: TargetKind,
    /// Columns to read as categories whatever they hold.
    pub nominal: Vec<String>,
    /// Columns to read as numbers; another cell than a number is an error.
    pub numeric: Vec<String>,
    /// Columns of 0, 1 and 2 to read as genotypes; `all` names every feature.
    pub genotype: Vec<String>,
    /// Let genotypes differ by half the copies they are apart, not by all or nothing.
    pub additive: bool,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// Columns to adjust for, which are no features.
    pub covariates: Vec<String>,
    /// Columns whose values together tell groups of rows, which are no features. `FID` may stand
    /// for the family where samples have one.
    pub strata: Vec<String>,
    /// Numeric columns with at most this many distinct values become nominal.
    pub discrete_limit: Option<usize>,
    /// Kinds of columns by name, as a saved model knows them. A name that is not there is passed
    /// over, and what the other options say of a column comes first.
    pub kinds: Vec<(String, ColumnKind)>,
    /// Texts that mark a missing cell, beside [`MISSING_TOKENS`] (in Parquet beside nulls, empty texts and NaN).
    pub missing: Vec<String>,
    /// The column of samples' identifiers; `None` finds one called `IID`. A column `FID` beside it
    /// holds their families.
    pub id: Option<String>,
    /// A text file of phenotypes by IID; its column [`target`](Self::target), or its first, is the
    /// target.
    pub pheno: Option<PathBuf>,
    /// A text file of covariates by IID. Those of its columns that
    /// [`covariates`](Self::covariates) or [`strata`](Self::strata) name are taken, all as
    /// covariates where they name none of them.
    pub covar: Option<PathBuf>,
    /// A text file of the samples to keep: IID, or FID and IID, a line.
    pub keep: Option<PathBuf>,
    /// A text file of the samples to leave out.
    pub remove: Option<PathBuf>,
    /// Leave out variants whose rarer allele has a smaller share than this.
    pub maf: Option<f64>,
    /// Leave out variants of which a greater share than this is missing.
    pub geno: Option<f64>,
    /// Leave out samples that lack a greater share than this of their genotypes.
    pub mind: Option<f64>,
    /// Leave out variants whose p-value for Hardy–Weinberg proportions, among controls where
    /// there are controls and cases, is below this.
    pub hwe: Option<f64>,
    /// In a text table read `1,5` as 1.5, where no comma parts the cells.
    pub decimal_comma: bool,
    /// Leave out rows whose target is missing, which are an error otherwise.
    pub skip_missing_target: bool,
    /// The longest row accepted, in bytes, so that memory stays bounded on any input.
    pub max_record_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: None,
            delimiter: None,
            header: None,
            target: TargetChoice::Auto,
            target_kind: TargetKind::Auto,
            nominal: Vec::new(),
            numeric: Vec::new(),
            genotype: Vec::new(),
            additive: false,
            drop: Vec::new(),
            covariates: Vec::new(),
            strata: Vec::new(),
            discrete_limit: None,
            kinds: Vec::new(),
            missing: Vec::new(),
            id: None,
            maf: None,
            geno: None,
            mind: None,
            hwe: None,
            decimal_comma: false,
            pheno: None,
            covar: None,
            keep: None,
            remove: None,
            skip_missing_target: false,
            max_record_bytes: 1 << 30,
        }
    }
}

/// Cells that are missing besides empty ones: those of pandas, and Weka's `?`.
pub const MISSING_TOKENS: &[&str] = &[
    "?", "NA", "NaN", "nan", "N/A", "n/a", "null", "NULL", "None", "<NA>", "#N/A", "#N/A N/A",
    "#NA", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN",
];

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Delimited text, one row a line: `.csv`, `.tsv`, `.txt`, `.data`.
    Csv,
    /// Weka's attribute-relation file, dense or sparse: `.arff`.
    Arff,
    /// A Parquet file of flat columns: `.parquet`; needs the feature `parquet`.
    Parquet,
    /// PLINK's binary genotypes, with their `.bim` and `.fam` beside them: `.bed`.
    Bed,
    /// The Variant Call Format: `.vcf`, `.vcf.gz`.
    Vcf,
    /// A NumPy array of rows and columns: `.npy`. Whole numbers beyond 2⁵³ are rounded.
    Npy,
}

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers.
    Numeric,
    /// Categories.
    Nominal,
}

/// Which column is to be explained.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TargetChoice {
    /// The column called class, target, label or y (in any case), else the last one.
    #[default]
    Auto,
    /// This column, by name or index.
    Column(String),
    /// This column by name where there is one, else none: a table to predict may bring the truth.
    IfThere(String),
    /// A second file, a `.npy` array with one value a row; every column here is a feature.
    Npy(PathBuf),
    /// None: every column is a feature, as in a table to predict.
    None,
}

/// The kind of target to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TargetKind {
    /// Classes if some cell is not a number, or if all are whole numbers with at most ten
    /// distinct values of which one repeats; otherwise real.
    #[default]
    Auto,
    /// A class for each distinct value.
    Classes,
    /// A real value a row; another cell than a number is an error.
    Real,
}
