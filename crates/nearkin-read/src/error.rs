//! [`ReadError`]: what can go wrong between a file and a table, as values.
//!
//! Every sentence names the file as the caller did, and the line where there is one. Lines are
//! counted from 1, columns and rows from 0. Options stand in it under their names in
//! [`Options`](crate::Options); a door may match a variant and say more, such as the flag that helps.

use std::fmt;
use std::io;

use nearkin::data::MISSING;
use nearkin::sentences;

sentences! {
    /// An error in reading a file into a table.
    pub enum ReadError {
        NotFound { file: String } => "{file}: there is no such file; check the path";
        NotBeside { file: String }
            => "{file}: there is no such file; a .bed needs its .bim and its .fam beside it, \
                under the same name";
        Directory { file: String } => "{file}: this is a directory; name a file in it";
        // `source` is what the system said.
        Io { file: String, kind: io::ErrorKind, source: String }
            => "{file}: cannot be read: {source}";
        UnknownFormat { file: String, reason: FormatError }
            => "{file}: {reason}; give a name that ends in .csv, .tsv, .txt, .data, .arff, .npy, \
                .vcf (.gz may follow), .bed or .parquet, or say which format it is";
        Changed { file: String }
            => "{file}: it was changed while its numbers were in use, so there is no answer; try \
                again when no other program writes to it";
        Empty { file: String } => "{file}: the file is empty; a table needs at least one row";
        NoRows { file: String }
            => "{file}: there are column names but no row of data below them";
        Ragged { file: String, line: u64, expected: usize, found: usize }
            => "{file}, line {line}: found {found} cells, expected {expected} as in the first \
                row; check the delimiter and the quotes, and mark a missing cell by `?` or by \
                nothing between two delimiters";
        DuplicateName { file: String, name: String, first: usize, second: usize }
            => "{file}: columns {first} and {second} (counted from 0) are both named `{name}`; \
                rename one, or drop one by its number";
        Conflict { file: String, column: String, roles: Conflict }
            => "{file}: column `{column}` is {roles}; choose one";
        Option { file: String, option: &'static str, reason: OptionError }
            => "{file}: {option}: {reason}";
        TargetLength { file: String, rows: usize, target_file: String, found: usize }
            => "{file}: the table has {rows} rows, the target in {target_file} has {found}; give \
                one value for each row, in the same order";
        NoLabelColumn { file: String, asked: String, count: usize, names: Vec<String> }
            => "{file}: there is no column `{asked}`; the first line has {count} cells, \
                {}; name the column that holds the labels", quoted(names);
        Cell { file: String, line: u64, column: String, reason: CellError }
            => "{file}, line {line}, column `{column}`: {reason}";
        // A cell of a file without lines.
        RowCell { file: String, row: usize, column: String, reason: CellError }
            => "{file}, row {row} (counted from 0), column `{column}`: {reason}";
        // `at` bytes precede the first one that does not fit, in a column or line.
        Encoding { file: String, line: u64, byte: u8, at: usize, place: String }
            => "{file}, line {line}: byte 0x{byte:02X} ({at} bytes into {place}) is not UTF-8 \
                text; if it is text, save it as UTF-8 (from latin1: `iconv -f latin1 -t utf-8`)";
        // The record begins at `line`.
        LongRecord { file: String, line: u64, limit: usize }
            => "{file}, line {line}: this row is longer than {limit} bytes; check for an \
                unclosed quote or a file without line ends, or raise `max_record_bytes`";
        UnclosedQuote { file: String, line: u64 }
            => "{file}, line {line}: a quote opened in this row is never closed; close it, or \
                double it (`\"\"`) where a quote is meant";
        // `reason` is what the decompressor said.
        Gzip { file: String, reason: String }
            => "{file}: the gzip data is damaged, cut short or followed by other bytes \
                ({reason}); fetch or compress the file again";
        Arff { file: String, line: u64, reason: ArffError } => "{file}, line {line}: {reason}";
        Vcf { file: String, line: u64, reason: VcfError } => "{file}, line {line}: {reason}";
        Npy { file: String, reason: NpyError } => "{file}: {reason}";
        Parquet { file: String, reason: ParquetError } => "{file}: {reason}";
        Plink { file: String, reason: PlinkError } => "{file}: {reason}";
        Svmlight { file: String, line: u64, reason: SvmlightError }
            => "{file}, line {line}: {reason}";
        // `other` cannot be matched with it.
        NoSamples { file: String, other: String }
            => "{file}: the table has no sample identifiers to match {other} with; name the column \
                that holds them";
        NoIid { file: String, line: u64, names: Vec<String> }
            => "{file}, line {line}: there is no column `IID`; the first line must name the \
                columns, such as `FID IID bmi`, and it holds {}", quoted(names);
        NoValues { file: String } => "{file}: there is no column beside the identifiers";
        SampleTwice { file: String, first: u64, second: u64, sample: String }
            => "{file}: lines {first} and {second} are both sample `{sample}`; take one out, or \
                give both files a column FID that tells them apart";
        RowTwice { file: String, first: usize, second: usize, sample: String, other: String }
            => "{file}: rows {first} and {second} (counted from 0) are both sample `{sample}`, so \
                the lines of {other} cannot be matched; give both files a column FID that tells \
                them apart";
        // The first sample here and there.
        NothingMatches { file: String, here: String, other: String, there: String }
            => "{file}: no sample is one of {other}; the first here is `{here}`, there `{there}`";
        NoSampleLeft { file: String, list: String }
            => "{file}: no sample is left by {list}; check that its lines are IID, or FID and IID";
        // `option` is the filter that left out the last `count` of them.
        NothingLeft { file: String, option: &'static str, count: usize, limit: f64 }
            => "{file}: nothing is left by the filter {option} {limit}, which left out {count}";
        NoTargets { file: String, column: String }
            => "{file}: column `{column}`: the target is missing in every row that is kept";
        // `place` is a line or a row; of `count` in all.
        MissingCovariate { file: String, place: String, column: String, count: usize }
            => "{file}, {place}: covariate `{column}` is missing, {count} such rows in all; fill \
                them in, or leave such rows out";
        NoMean { file: String, place: String, column: String }
            => "{file}, {place}: `{column}` is missing, and there is no mean of it to fill in; \
                leave such rows out";
        NoCompleteRow { file: String }
            => "{file}: every row lacks a covariate or a stratum";
        CovariateTwice { file: String, column: String, other: String }
            => "{file}: there is a column `{column}` here and in {other}; drop or rename one";
        // The cells were read but do not make a table.
        Table { file: String, source: Box<nearkin::Error> } => "{file}: {source}";
    }
}

sentences! {
    /// Why a file's format is not known.
    pub enum FormatError {
        Zip => "this is a zip archive or a spreadsheet, which is not read; export it as CSV";
        NoEnding => "the name has no ending that tells the format";
        Svmlight => "sparse rows are no table; `read_svmlight` reads them";
        Unknown { ending: String } => "`.{ending}` is no format that is known";
    }
}

sentences! {
    /// Two roles that one column cannot have.
    pub enum Conflict {
        DroppedTarget => "the target and among those to drop";
        NominalAndNumeric => "asked to be both nominal and numeric";
        TargetId => "the target and the samples' identifiers";
        CovariateId => "among the covariates or strata and the samples' identifiers";
        CovariateTarget => "the target and among the covariates or strata";
        DroppedCovariate => "among the covariates or strata and among those to drop";
        GenotypeTarget => "the target and among the genotypes";
        GenotypeAndOther => "asked to be both a genotype and another kind";
    }
}

sentences! {
    /// What is wrong with an option, which stands before it by its name in
    /// [`Options`](crate::Options).
    pub enum OptionError {
        NoColumnAt { asked: String, count: usize }
            => "there is no column `{asked}`; there are {count} columns, 0 to {}",
            count.saturating_sub(1);
        Misspelt { asked: String, nearest: String }
            => "there is no column `{asked}`; did you mean `{nearest}`?";
        NoColumn { asked: String, count: usize, names: Vec<String> }
            => "there is no column `{asked}`; the {count} columns begin with {}", quoted(names);
        CommaParts => "the comma parts the cells of this table; say which character does";
        BadDelimiter => "a quote or a line end cannot be the delimiter; try `,`";
        NoShare { found: f64 } => "expected a number from 0 to 1, got {found}";
        NoGenotypes => "the table has no genotypes";
        NoFamilies
            => "families are not known; a column FID beside the samples' IID tells them";
        TwoTargets => "phenotypes and a .npy file are both given; choose one";
        NoPhenotype { asked: String, names: Vec<String> }
            => "there is no column `{asked}` of phenotypes; the columns begin with {}",
            quoted(names);
        NotBed => "the columns of a .bed file are genotypes; leave this option out";
        NotVcf => "the columns of a .vcf file are genotypes; leave this option out";
        NoVcfTarget => "a .vcf file has no target; give a file of phenotypes, or a .npy file";
        NotPhenotype { asked: String, fam: String }
            => "the target of a .bed file is the phenotype in {fam}, or a .npy file with one \
                value a sample; `{asked}` is neither";
    }
}

sentences! {
    /// Why a cell is refused.
    pub enum CellError {
        NotUtf8 { byte: u8 } => "byte 0x{byte:02X} is not UTF-8 text";
        NotANumber { found: String }
            => "`{found}` is not a number; correct it, list it as missing, or read the column as \
                nominal";
        NotAGenotype { found: String }
            => "`{found}` is no genotype: 0, 1 or 2 copies of an allele, or missing; correct it, \
                or do not read the column as a genotype";
        NotCopies { found: f64 }
            => "{found} is no genotype: 0, 1 or 2 copies of an allele, or NaN; correct it, or do \
                not list the column as a genotype";
        Infinite { found: String }
            => "`{found}` is infinite or too large for a number, and has no distance to others; \
                replace it, or list it as missing";
        InfiniteValue
            => "an infinite value has no distance to others; replace it, or make it NaN to mark \
                it missing";
        TooManyCategories { found: String }
            => "`{found}` is the column's {MISSING}th different text, and {} is the most; if it \
                is an identifier, drop the column", MISSING - 1;
        // `known` are the first declared values, of `count`.
        NotDeclared { found: String, known: Vec<String>, count: usize }
            => "`{found}` is not among the declared values {}{}; correct it, or declare it",
            quoted(known), if *count > known.len() { ", …" } else { "" };
        MissingTarget { found: String }
            => "the target is missing (`{found}`), and every row needs one; fill it in, leave such \
                rows out, or choose another target";
        TargetNotFinite { found: f64 }
            => "the target is {found}; every row needs a finite value";
        EmptyClass => "the target is empty; every row needs a class";
        EmptyPair => "the cell is empty; every pair needs a finite number";
        BadPair { found: String } => "`{found}` is no finite number; every pair needs one";
        NotFinitePair { found: f64 } => "{found} is no finite number; every pair needs one";
        MissingId => "the sample has no identifier; every row needs one";
        MissingLabel => "the label is missing; every row needs one";
    }
}

sentences! {
    /// How an ARFF file breaks the rules of its format.
    pub enum ArffError {
        NoDistance { attribute: String, kind: &'static str }
            => "attribute `{attribute}` is of type {kind}, which has no distance; drop it, or \
                read it as nominal";
        RowWeight
            => "found `{{` after the first value: weights of rows are not read; remove them";
        NoComma { found: String } => "expected `,` before `{found}`";
        Ragged { found: usize, expected: usize }
            => "found {found} values, expected {expected}, one for each @attribute; mark a \
                missing value by `?`";
        NoSuchAttribute { found: String, last: usize }
            => "found `{found}`, expected the number of an attribute, 0 to {last}";
        OpenRow => "a sparse row is not closed; expected `,` or `}}`";
        AfterRow { found: String }
            => "found `{found}` after the row's `}}`; weights of rows are not read, remove it";
        TwoValues { attribute: String }
            => "attribute `{attribute}` has two values; remove one";
        NoAttributes => "@data comes before any @attribute";
        NotADeclaration { found: String }
            => "expected @relation, @attribute or @data, found `{found}`";
        NoData => "the file ends without @data and the rows below it";
        Unnamed
            => "@attribute needs a name and a type, such as `@attribute age numeric`";
        Relational { attribute: String }
            => "attribute `{attribute}` is relational; tables within tables are not read, \
                flatten it first";
        UnknownType { attribute: String, found: String }
            => "attribute `{attribute}`: found the type `{found}`, expected numeric, real, \
                integer or the values in braces";
        DeclaredTwice { value: String }
            => "the value `{value}` is declared twice; remove one";
        OpenDeclaration => "the declared values are not closed; expected `,` or `}}`";
        AfterType { found: String }
            => "found `{found}` after the attribute's type; remove it";
        OpenQuote { before: String } => "the quote before `{before}` is never closed";
    }
}

sentences! {
    /// How a NumPy file is damaged, or why it holds no table.
    pub enum NpyError {
        NotNpy
            => "this is no NumPy file: it does not begin with \\x93NUMPY; save the array with \
                numpy.save";
        UnknownVersion { version: u8 }
            => "version {version} of the format is not known; expected 1, 2 or 3";
        HeaderCutShort => "the file ends within its header; save it again";
        UnknownEntry { entry: String } => "the header has an unknown entry `{entry}`";
        MissingEntry => "the header lacks one of descr, fortran_order and shape";
        DamagedHeader { expected: String, found: String }
            => "the header is damaged: expected {expected} at `{found}`";
        Records => "the array holds records of named fields; save a plain array of numbers";
        UnknownType { descr: String }
            => "cells of type `{descr}` are not read; convert them first, for example with \
                `array.astype(\"f8\")`";
        TooLarge { shape: String } => "the array's shape {shape} is larger than any memory";
        CutShort { shape: String, expected: usize, found: usize }
            => "the file is cut short: shape {shape} takes {expected} bytes, found {found}; copy \
                or save it again";
        TooLong { shape: String }
            => "there are more bytes than shape {shape} takes; save it again";
        Text { what: &'static str }
            => "the array holds text; {what} from NumPy holds numbers, save texts as CSV";
        NotTwoDimensions { shape: String, what: &'static str }
            => "the array's shape is {shape}; {what} has two dimensions, rows and columns";
        NoCells { shape: String } => "the array's shape is {shape}; it is empty";
        TooManyCategories { column: String }
            => "column `{column}` has too many different values to be nominal";
        TargetShape { shape: String }
            => "the array's shape is {shape}; a target has one value a row, shape (rows,)";
        TextTarget => "the array holds text; a real target holds numbers";
        NoLabels => "the array holds no labels";
        NotMappable
            => "this is no .npy file, and only such files can be mapped; save the array with \
                numpy.save";
        MappedType
            => "only float32 and float64 of this machine's byte order can be mapped; save the \
                array as one of them, or read the file instead";
        MappedSimilarities
            => "similarities are mapped as they lie, so the array must hold float64 row by row; \
                save numpy.ascontiguousarray(s, dtype='float64')";
        ShorterThanShape => "the file is shorter than its shape";
        NotAligned
            => "its numbers are not aligned in the file; save it again with numpy.save";
    }
}

sentences! {
    /// Why a Parquet file is not read.
    pub enum ParquetError {
        NotBuilt
            => "this is Parquet, and this build does not read it; build nearkin with `--features \
                parquet`, or export the table as CSV";
        // `told` is the library's message.
        Damaged { told: String }
            => "cannot be read as Parquet ({told}); fetch or write the file again";
        Stream => "Parquet cannot be read from a stream; name the file itself";
        NoDistance { column: String, what: &'static str }
            => "column `{column}` holds {what}, which have no distance; drop the column, or \
                write it in another form";
    }
}

sentences! {
    /// Why a PLINK file is not read, or does not fit the files beside it.
    pub enum PlinkError {
        Packed => "a packed .bed is not read; unpack it with gunzip";
        // The name without its ending.
        Pgen { stem: String }
            => "PLINK 2's .pgen is not read; convert it with `plink2 --pfile {stem} --make-bed \
                --out {stem}`";
        Stream => "a .bed needs its .bim and its .fam beside it; name the file itself";
        Shortened => "it became shorter while it was read; read it again";
        NotBed { begins: Vec<u8> }
            => "it begins with {begins:02X?}, a PLINK .bed with [6C, 1B, 01]; convert it with \
                `plink --make-bed` (a table of intervals is also called .bed, and is not read)";
        SampleBySample
            => "it is sample by sample (individual-major), as old versions of PLINK wrote it; \
                rewrite it with `plink --bfile NAME --make-bed --out NEW`";
        UnknownOrder { byte: u8 }
            => "its third byte is {byte:02X}, and 01 (variant by variant) is the order that is \
                read; rewrite it with `plink --make-bed` (a .pgen with `plink2 \
                --make-bed`)";
        WrongSize {
            variants: usize, bim: String, samples: usize, fam: String, expected: u64, found: u64,
        }
            => "it {}: {variants} variants ({bim}) of {samples} samples ({fam}) take {expected} \
                bytes, it has {found}; check that the three files belong together, or fetch it \
                again", if found < expected { "is cut short" } else { "is too long" };
        VariantTwice { first: usize, second: usize, name: String }
            => "lines {first} and {second} are both variant `{name}`; rename one, for example \
                with `plink2 --set-all-var-ids`";
        NoPhenotypes
            => "no sample has a phenotype; put it into the sixth column, or give the target as a \
                .npy file with one value a sample";
        // Of `count` in all, the first at `line`.
        NoPhenotypeLine { sample: String, count: usize }
            => "there is no line for sample `{sample}`, and {count} samples in all have no \
                phenotype; fill them in, or leave such samples out";
        MissingPhenotype { line: u64, sample: String, found: String, count: usize }
            => "line {line}: the phenotype of sample `{sample}` is missing (`{found}`), {count} \
                in all; fill them in, or leave such samples out";
        // 0 beside 1 may be a class or a missing phenotype.
        UnclearPhenotype { line: u64, sample: String, found: String, count: usize }
            => "line {line}: the phenotype of sample `{sample}` is missing (`{found}`), {count} \
                in all; if 0 and 1 are the classes, ask for classes; if not, leave such samples \
                out";
        PhenotypeNotFinite { line: u64, found: String }
            => "line {line}: the phenotype `{found}` is not a finite number; correct it, or ask \
                for classes";
        BlankLine { line: usize } => "line {line} is blank; take it out";
        NotSixCells { line: usize, found: usize, names: &'static str }
            => "line {line}: found {found} cells, expected 6 ({names}), blanks between them";
    }
}

sentences! {
    /// How a VCF file breaks the rules of its format, or why it holds no table.
    pub enum VcfError {
        Bcf => "this is BCF; convert it with `bcftools view FILE -Oz -o NEW.vcf.gz`";
        NoHeader { expected: &'static str, found: String }
            => "expected the column `{expected}` of the line of names, found `{found}`; a .vcf has \
                lines that begin with ##, then one from #CHROM to FORMAT and the samples";
        NoSamples => "the file names no sample; a table needs their genotypes";
        SampleTwice { sample: String } => "two samples are called `{sample}`; rename one";
        Ragged { found: usize, expected: usize }
            => "found {found} cells, expected {expected} with tabs between them; was the file cut \
                short?";
        NotAGenotype { sample: String, found: String }
            => "sample `{sample}`: `{found}` is no genotype of one or two alleles, 0, 1 or a point; \
                correct it, or take the variant out";
        NoPosition { found: String } => "the position `{found}` is no whole number";
        VariantTwice { first: u64, name: String }
            => "this is variant `{name}`, as line {first} is; rename one, for example with \
                `bcftools annotate --set-id`";
        NoVariants { left_out: usize }
            => "there is no variant with one alternative allele and genotypes; {left_out} were left \
                out, and `bcftools norm -m -` splits those with several";
    }
}

sentences! {
    /// Why a line is no row of an svmlight file.
    pub enum SvmlightError {
        NoTarget { found: String }
            => "`{found}` stands where the target should; begin every row with its class or value";
        NotRising { column: u32, before: u32 }
            => "column {column} follows {before}; the columns of a row must rise, each once";
        NoColon { found: String }
            => "`{found}` has no colon; write column:value, such as 3:0.5";
        NoColumn { found: String }
            => "`{found}` does not begin with a column's number; write column:value, such as \
                3:0.5";
        NoNumber { found: String }
            => "`{found}` has no finite number after the colon; write column:value, such as 3:0.5";
    }
}

/// A result whose error is [`ReadError`].
pub type ReadResult<T, E = ReadError> = std::result::Result<T, E>;

pub(crate) use ReadResult as Result;

/// A damaged gzip stream, carried through `io::Error` to [`ReadError::io`].
#[derive(Debug)]
pub(crate) struct GzipDamage(pub String);

impl fmt::Display for GzipDamage {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for GzipDamage {}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Table { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}

impl ReadError {
    /// The right variant for what the system said about `file`.
    pub(crate) fn io(file: &str, source: io::Error) -> Self {
        let file = file.to_owned();
        if let Some(damage) = source.get_ref().and_then(|e| e.downcast_ref::<GzipDamage>()) {
            return Self::Gzip { file, reason: damage.0.clone() };
        }
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { file },
            io::ErrorKind::IsADirectory => Self::Directory { file },
            kind => Self::Io { file, kind, source: source.to_string() },
        }
    }

    /// A table error of `file`.
    pub(crate) fn table(file: &str, source: nearkin::Error) -> Self {
        Self::Table { file: file.to_owned(), source: Box::new(source) }
    }

    /// An ARFF error of `file` at `line`.
    pub(crate) fn arff(file: &str, line: u64, reason: ArffError) -> Self {
        Self::Arff { file: file.to_owned(), line, reason }
    }

    /// A NumPy error of `file`.
    pub(crate) fn npy(file: &str, reason: NpyError) -> Self {
        Self::Npy { file: file.to_owned(), reason }
    }

    /// An error of the cell in `row` and `column` of `file`, which has no lines.
    pub(crate) fn row_cell(file: &str, row: usize, column: &str, reason: CellError) -> Self {
        Self::RowCell { file: file.to_owned(), row, column: column.to_owned(), reason }
    }
}

/// A value as it may stand in a message: short, and always text.
pub(crate) fn shown(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(&value[..value.len().min(200)]);
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.into_owned(),
    }
}

/// `` `a`, `b`, `c` ``.
fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
