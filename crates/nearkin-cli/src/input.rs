//! The table a command reads: its name, the flags that say what the file does not, reading.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use nearkin::Run;
use nearkin::data::{Column, Table, TableRows, Target, bundled};
use nearkin::measure::OwnedVectors;
use nearkin::weigh::components;
use nearkin_read::{
    ColumnKind, Format, GivenColumns, Loaded, LoadedSparse, Mapped, MissingCovariate, Options,
    TargetChoice, TargetKind,
};

use crate::failure::{Failure, Result};
use crate::{csv, flags, output};

const HEADING: &str = "Reading";
/// The target column of bundled sets.
pub const BUNDLED_TARGET: &str = "class";

/// The words of `--input-format`.
const FORMATS: [&str; 7] = ["csv", "arff", "npy", "bed", "vcf", "parquet", "svmlight"];

/// Flags about how cells stand in a file.
const FILE_FLAGS: [&str; 5] = ["delimiter", "header", "no-header", "input-format", "decimal-comma"];

/// Flags about the columns of a table, which svmlight text does not have.
const TABLE_FLAGS: [&str; 21] = [
    "maf",
    "geno",
    "mind",
    "hwe",
    "decimal-comma",
    "target",
    "delimiter",
    "header",
    "no-header",
    "nominal",
    "numeric",
    "genotype",
    "additive",
    "drop",
    "keep-columns",
    "discrete-limit",
    "skip-missing-target",
    "id",
    "pheno",
    "keep",
    "remove",
];

/// The table's argument and the flags about reading it.
pub fn args() -> Vec<Arg> {
    let mut all = optional_args();
    all[0] = all[0].clone().required(true);
    all
}

/// The same where the command can do without a table.
pub fn optional_args() -> Vec<Arg> {
    let list = |name: &'static str| {
        flags::flag(name, "COLUMNS")
            .action(ArgAction::Append)
            .allow_negative_numbers(true)
            .value_parser(listed)
    };
    let mut flags = vec![
        flags::flag("target", "COLUMN").allow_negative_numbers(true).help(
            "The target: a column by name or number (0 the first, -1 the last), or a .npy file. \
             Default: the column called class, target, label or y, else the last; of a .bed file \
             the phenotype",
        ),
        flags::one_of("target-kind", "KIND", ["auto", "classes", "real"])
            .default_value("auto")
            .help("Whether the target holds classes or real values"),
        flags::flag("delimiter", "CHAR").help(
            "The character between cells, or one of tab, space, comma, semicolon. Default: \
                 found from the file",
        ),
        flags::switch("header")
            .help("The first row holds the column names. Default: found from the file")
            .conflicts_with("no-header"),
        flags::switch("no-header").help("The first row is data"),
        list("nominal").help("Columns to read as categories, by name or number"),
        list("numeric").help("Columns to read as numbers"),
        list("genotype").help(
            "Columns of 0, 1 and 2 to read as genotypes, kept in two bits a cell. The word all \
             stands for every feature",
        ),
        flags::switch("additive").help(
            "The difference of two genotypes is half the difference of their copies: 0, 0.5 or 1. \
             Default: 1 if they differ at all",
        ),
        list("drop").help(
            "Columns to leave out. In any list, put a name that has a comma in double quotes",
        ),
        flags::file("keep-columns").help(
            "Use only the features that FILE names, one a line, as --save-columns writes them",
        ),
        flags::flag("missing-token", "TEXT")
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .help("A text that marks a missing cell, besides the usual ones; may be repeated"),
        flags::switch("decimal-comma")
            .help("Read 1,5 as 1.5, in text whose cells another character parts"),
        flags::flag("discrete-limit", "N")
            .value_parser(value_parser!(usize))
            .help("Read numeric columns with at most N distinct values as categories"),
        flags::switch("skip-missing-target").help("Leave out the rows whose target is missing"),
        flags::flag("id", "COLUMN").allow_negative_numbers(true).help(
            "The column of samples' identifiers, which is no feature. Default: one called IID",
        ),
        flags::file("pheno").help(
            "Take the target from FILE: text with a header that has IID, and perhaps FID. --target \
             names its column. Default: the first after the identifiers",
        ),
        flags::file("keep")
            .help("Use only the samples that FILE lists, one a line: its IID, or its FID and IID"),
        flags::file("remove").help("Leave out the samples that FILE lists, as --keep reads it"),
        flags::one_of("input-format", "FORMAT", FORMATS)
            .help("The file's format. Default: by its name"),
    ];
    flags.extend([
        share("maf").help("Leave out genotype columns whose rarer allele has a share below this"),
        share("geno").help("Leave out genotype columns of which more than this share is missing"),
        share("mind").help("Leave out samples that lack more than this share of their genotypes"),
        share("hwe").help(
            "Leave out genotype columns whose exact p for Hardy-Weinberg proportions is below this, \
             among the controls where the target is 1 and 2",
        ),
    ]);
    flags = flags.into_iter().map(|flag| flag.help_heading(HEADING)).collect();
    let table = Arg::new("table")
        .value_name("TABLE")
        .value_parser(OsStringValueParser::new().map(table_path))
        .help("A file, @NAME for a bundled set, or - for standard input")
        .long_help(
            "A file (csv, tsv, raw, arff, npy, vcf, .gz may follow; bed, parquet; svm for learned \
             similarities), the prefix of a .bed with its .bim and .fam, @NAME for a bundled set, - for standard input",
        );
    flags.insert(0, table);
    flags
}

/// `--name SHARE`, a number from 0 to 1.
fn share(name: &'static str) -> Arg {
    let read = |text: &str| match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1, such as 0.05"),
    };
    flags::flag(name, "SHARE").value_parser(read)
}

/// The file that a word means: PLINK's prefix stands for its `.bed`.
fn table_path(word: OsString) -> PathBuf {
    let path = PathBuf::from(word);
    nearkin_read::bed_of_prefix(&path).unwrap_or(path)
}

/// The flags about covariates and strata, for a command that asks for them by [`given`].
pub fn given_args() -> Vec<Arg> {
    let list = |name: &'static str| {
        flags::flag(name, "COLUMNS")
            .action(ArgAction::Append)
            .allow_negative_numbers(true)
            .value_parser(listed)
    };
    let flags = vec![
        list("covariates").help("Columns to adjust for; they are not used as features"),
        list("strata").help(
            "Columns whose values together name the group of each row; they are not used as \
             features. FID names the family",
        ),
        flags::file("covar").help(
            "Take covariates from FILE too: text with a header that has IID, and perhaps FID. All \
             its columns, unless --covariates or --strata name some of them",
        ),
        flags::flag("components", "N")
            .value_parser(flags::whole(1, 1000))
            .help("Adjust for the first N principal components of the features too: for ancestry"),
        flags::one_of("missing-covariate", "WAY", ["error", "mean", "drop"])
            .default_value("error")
            .help("Where a covariate is missing: refuse, fill in the mean, or leave the row out"),
    ];
    flags.into_iter().map(|flag| flag.help_heading("Covariates")).collect()
}

/// The covariates and strata that the command names, taken out of what was read, and its targets
/// after the first; notes say what was filled in or left out.
pub fn given(matches: &ArgMatches, loaded: &mut Loaded) -> Result<(GivenColumns, Vec<Target>)> {
    let missing = match matches.get_one::<String>("missing-covariate").map(String::as_str) {
        Some("mean") => MissingCovariate::Mean,
        Some("drop") => MissingCovariate::Drop,
        _ => MissingCovariate::Refuse,
    };
    let further = further_targets(matches, loaded)?;
    let mut columns = loaded.take_given(&name(matches), missing)?;
    if let Some(&count) = matches.get_one::<u64>("components") {
        let found = components(&loaded.table, count as usize, 0, &Run::default())?;
        let mut all = columns.covariates.take().map_or_else(Vec::new, Table::into_columns);
        all.extend(found.into_columns());
        columns.covariates = Some(Table::new(all)?);
    }
    if columns.dropped > 0 {
        let count = columns.dropped;
        output::note(matches, &format!("{count} rows without a covariate were left out"));
    }
    if columns.filled > 0 {
        let count = columns.filled;
        output::note(
            matches,
            &format!("{count} missing cells of covariates were filled with the column's mean"),
        );
    }
    if further == 0 {
        return Ok((columns, Vec::new()));
    }
    let all = columns.covariates.take();
    let mut all: Vec<Column<'static>> = all.map_or(Vec::new(), |all| all.columns().to_vec());
    let rest = all.split_off(further.min(all.len()));
    if !rest.is_empty() {
        columns.covariates = Some(Table::new(rest)?);
    }
    let kind = target_kind(matches);
    let target = |column: &Column| {
        nearkin_read::as_target(column, kind).map_err(|row| unusable(matches, column, row))
    };
    let targets = all.iter().map(target).collect::<Result<_>>()?;
    Ok((columns, targets))
}

/// How many targets come after the first: they were read before the covariates, and no cell of them
/// may be missing.
fn further_targets(matches: &ArgMatches, loaded: &Loaded) -> Result<usize> {
    let further = targets(matches)?.len().saturating_sub(1);
    let Some(columns) = loaded.covariates.get(..further) else {
        return Err(Failure::Input("--target: a column is named twice".into()));
    };
    for column in columns {
        if let Some(row) = (0..loaded.table.rows()).find(|&row| column.is_missing(row)) {
            return Err(unusable(matches, column, row));
        }
    }
    Ok(further)
}

/// The failure of a target without a value that can be used.
fn unusable(matches: &ArgMatches, column: &Column, row: usize) -> Failure {
    Failure::Input(format!(
        "{}: column `{}`, row {row} (counted from 0): one of several targets needs a known value \
         in every row, and numbers where they are real",
        name(matches),
        column.name
    ))
}

/// The columns that `--target` names; several only for a command that can explain them.
fn targets(matches: &ArgMatches) -> Result<Vec<String>> {
    let Some(words) = matches.get_one::<String>("target") else { return Ok(Vec::new()) };
    let names = listed(words).map_err(|reason| Failure::Input(format!("--target: {reason}")))?;
    let can = matches.try_contains_id("covariates").is_ok();
    match names.len() {
        0 | 1 => Ok(names),
        _ if !can => Err(Failure::Input(format!(
            "--target: {words} is a list, and one target is explained here; a name with a comma \
             stands in double quotes"
        ))),
        _ if names.iter().any(|name| name.ends_with(".npy")) => Err(Failure::Input(
            "--target: a .npy file holds one target; name columns of the table for several".into(),
        )),
        _ => Ok(names),
    }
}

fn target_kind(matches: &ArgMatches) -> TargetKind {
    match matches.get_one::<String>("target-kind").map(String::as_str) {
        Some("classes") => TargetKind::Classes,
        Some("real") => TargetKind::Real,
        _ => TargetKind::Auto,
    }
}

/// The table as the user named it.
pub fn name(matches: &ArgMatches) -> String {
    path(matches).display().to_string()
}

fn path(matches: &ArgMatches) -> &Path {
    matches.get_one::<PathBuf>("table").map_or(Path::new(""), PathBuf::as_path)
}

/// Refuse an answer that would replace the table it is about.
pub fn check_kept(matches: &ArgMatches, flag: &str, output: Option<&Path>) -> Result<()> {
    let Some(output) = output else { return Ok(()) };
    let same = match (path(matches).canonicalize(), output.canonicalize()) {
        (Ok(table), Ok(output)) => table == output && output.is_file(),
        _ => false,
    };
    match same {
        true => Err(Failure::Input(format!(
            "--{flag}: {} is the table itself; name another file",
            output.display()
        ))),
        false => Ok(()),
    }
}

fn is_given(matches: &ArgMatches, flag: &str) -> bool {
    matches.value_source(flag) == Some(ValueSource::CommandLine)
}

/// Rows of numbers, with the target and its name.
pub struct Numbers {
    /// The rows.
    pub rows: OwnedVectors,
    /// The target, where it was asked for.
    pub target: Option<Target>,
    /// Its name.
    pub target_name: String,
}

/// Read the table that the command names as rows of numbers, sparse ones from svmlight text.
pub fn numbers(matches: &ArgMatches, with_target: bool) -> Result<Numbers> {
    if let Some(rows) = sparse(matches)? {
        let target = with_target.then_some(rows.target);
        let target_name = if with_target { "target" } else { "" };
        let rows = rows.rows.into();
        return Ok(Numbers { rows, target, target_name: target_name.into() });
    }
    let table = name(matches);
    let loaded = if with_target { read(matches)? } else { read_features(matches)? };
    let target = match with_target {
        true => Some(target(matches, &table, &loaded)?),
        false => None,
    };
    let (target, target_name) =
        target.map_or((None, ""), |(target, name)| (Some(target.clone()), name));
    let target_name = target_name.to_owned();
    let rows = TableRows::new(loaded.table).map_err(|e| Failure::of_table(&table, e))?.into();
    Ok(Numbers { rows, target, target_name })
}

/// The command's table as sparse rows, if it is svmlight text.
pub fn sparse(matches: &ArgMatches) -> Result<Option<LoadedSparse>> {
    let path = path(matches);
    let shown = path.display().to_string();
    let bare = shown.strip_suffix(".gz").unwrap_or(&shown);
    let named = [".svm", ".svmlight", ".libsvm"].iter().any(|end| bare.ends_with(end));
    let format = matches.get_one::<String>("input-format").map(String::as_str);
    if !format.map_or(named, |format| format == "svmlight") {
        return Ok(None);
    }
    if let Some(flag) = TABLE_FLAGS.iter().find(|flag| is_given(matches, flag)) {
        return Err(Failure::Input(format!(
            "--{flag}: {shown} is svmlight text, whose rows begin with their target and number \
             their columns; this flag is for tables"
        )));
    }
    let mut options = Options { target_kind: TargetKind::Classes, ..Options::default() };
    if let Some("real") = matches.get_one::<String>("target-kind").map(String::as_str) {
        options.target_kind = TargetKind::Real;
    }
    Ok(Some(nearkin_read::read_svmlight(path, &options)?))
}

/// Read the table that the command names, with the columns to keep.
pub fn read(matches: &ArgMatches) -> Result<Loaded> {
    read_kept(matches, options(matches)?)
}

/// Read a table that may bring the truth in column `target` and whose columns are of known kinds.
pub fn read_like(
    matches: &ArgMatches,
    target: &str,
    kinds: Vec<(String, ColumnKind)>,
) -> Result<Loaded> {
    let mut options = options(matches)?;
    if options.target == TargetChoice::Auto {
        options.target = TargetChoice::IfThere(target.into());
    }
    options.target_kind = TargetKind::Classes;
    options.kinds = kinds;
    read_kept(matches, options)
}

/// Read a table all of whose columns are features, but for one that `--target` names.
pub fn read_features(matches: &ArgMatches) -> Result<Loaded> {
    let mut options = options(matches)?;
    if options.target == TargetChoice::Auto {
        options.target = TargetChoice::None;
    }
    read_kept(matches, options)
}

/// The target and its name; when the column was guessed, a note says so.
pub fn target<'l>(
    matches: &ArgMatches,
    table: &str,
    loaded: &'l Loaded,
) -> Result<(&'l Target, &'l str)> {
    let name = loaded.target_name.as_deref().unwrap_or("target");
    let Some(target) = &loaded.target else {
        return Err(Failure::Input(format!(
            "{table}: there is no target; name its column, or a .npy file, with --target, or a file \
             of phenotypes with --pheno"
        )));
    };
    output::tell(matches, &output::remarks(&loaded.notes));
    if loaded.target_guessed {
        output::note(matches, &format!("the target is column `{name}`; --target chooses another"));
    }
    Ok((target, name))
}

/// Read the file at `path` to describe it: a target there need not be known.
pub fn read_to_describe(matches: &ArgMatches, path: &Path) -> Result<Loaded> {
    let mut options = options(matches)?;
    let bed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bed"));
    // Samples without any phenotype are described all the same.
    if bed && options.target == TargetChoice::Auto && options.pheno.is_none() {
        options.target = TargetChoice::IfThere("phenotype".into());
    }
    options.skip_missing_target = true;
    read_kept_at(matches, path, options)
}

/// Read the table at `path`, one of several that the command names.
pub fn read_at(matches: &ArgMatches, path: &Path) -> Result<Loaded> {
    read_kept_at(matches, path, options(matches)?)
}

fn read_kept(matches: &ArgMatches, options: Options) -> Result<Loaded> {
    read_kept_at(matches, path(matches), options)
}

fn read_kept_at(matches: &ArgMatches, path: &Path, options: Options) -> Result<Loaded> {
    let Some(file) = matches.get_one::<PathBuf>("keep-columns") else {
        return read_all(matches, path, options);
    };
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::Input(format!("--keep-columns: {shown}: {error}")))?;
    let mut loaded = read_all(matches, path, options)?;
    let known: HashSet<&str> = loaded.table.names().collect();
    let mut kept: HashSet<&str> = HashSet::new();
    for (line, name) in (1..).zip(text.lines()).filter(|(_, name)| !name.is_empty()) {
        if !known.contains(name) {
            return Err(Failure::Input(format!(
                "--keep-columns: {shown}, line {line}: {} has no feature column `{name}`",
                path.display()
            )));
        }
        kept.insert(name);
    }
    if kept.is_empty() {
        return Err(Failure::Input(format!("--keep-columns: {shown}: it names no column")));
    }
    let at: Vec<usize> = (0..)
        .zip(loaded.table.names())
        .filter(|(_, n)| kept.contains(n))
        .map(|(at, _)| at)
        .collect();
    loaded.table = loaded.table.select_columns(&at).into_owned();
    Ok(loaded)
}

fn read_all(matches: &ArgMatches, path: &Path, mut options: Options) -> Result<Loaded> {
    if let Some(name) = path.to_str().and_then(|text| text.strip_prefix('@')) {
        if let Some(flag) = FILE_FLAGS.iter().find(|flag| is_given(matches, flag)) {
            let reason = format!("--{flag}: @{name} is no file; leave this flag out");
            return Err(Failure::Input(reason));
        }
        // Read through the reader, so that the flags that choose columns work as they do for a
        // file.
        let (table, target) = bundled::load(name)?;
        let mut bytes = Vec::new();
        csv::table(&mut bytes, &table, &target, BUNDLED_TARGET)
            .map_err(|error| Failure::writing(name, &error))?;
        // A file cannot say that digits are categories; the set can.
        let free = |column: &Column| !mentioned(&options, &table, &column.name);
        let nominal = table.columns().iter().filter(|c| c.is_nominal() && free(c));
        let nominal: Vec<String> = nominal.map(|column| column.name.clone()).collect();
        options.nominal.extend(nominal);
        if options.target == TargetChoice::Auto {
            options.target = TargetChoice::Column(BUNDLED_TARGET.into());
        }
        (options.format, options.header, options.delimiter) =
            (Some(Format::Csv), Some(true), Some(b','));
        return Ok(nearkin_read::read_bytes(&bytes, &format!("@{name}"), &options)?);
    }
    if path == Path::new("-") {
        options.format = options.format.or(Some(Format::Csv));
        return Ok(nearkin_read::read_stream(std::io::stdin(), "standard input", &options)?);
    }
    match mapped(path, &options) {
        Some(file) => Ok(nearkin_read::read_mapped(file, &options)?),
        None => Ok(nearkin_read::read(path, &options)?),
    }
}

/// A NumPy array of floats, mapped into memory, so that its columns of numbers stay in the file.
/// None for any other file or a faulty one: the reader handles those.
fn mapped(path: &Path, options: &Options) -> Option<&'static Mapped> {
    let named = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("npy"));
    if options.format.map_or(!named, |format| format != Format::Npy) {
        return None;
    }
    crate::mapped::open(path, |_| true)
}

/// True when a flag already says what to do with the column called `name`.
fn mentioned(options: &Options, table: &Table, name: &str) -> bool {
    // The target, which comes last in the file, is no column of the table.
    let width = table.columns().len() + 1;
    let names = |asked: &String| {
        let index = match asked.parse::<isize>() {
            Ok(index) if index < 0 => width.checked_add_signed(index),
            Ok(index) => usize::try_from(index).ok(),
            Err(_) => None,
        };
        asked == name || index.is_some_and(|at| table.position(name) == Some(at))
    };
    let target = match &options.target {
        TargetChoice::Column(asked) | TargetChoice::IfThere(asked) => Some(asked),
        _ => None,
    };
    let lists = [&options.nominal, &options.numeric, &options.genotype, &options.drop];
    lists.into_iter().flatten().chain(target).any(names)
}

fn options(matches: &ArgMatches) -> Result<Options> {
    let word = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let columns = |name: &str| -> Vec<String> {
        let given = matches.try_get_many::<Vec<String>>(name);
        given.ok().flatten().into_iter().flatten().flatten().cloned().collect()
    };
    let share = |name: &str| matches.get_one::<f64>(name).copied();
    // Not every command has all of these flags.
    let file = |name: &str| matches.try_get_one::<PathBuf>(name).ok().flatten().cloned();
    let mut targets = targets(matches)?.into_iter();
    let target = match targets.next() {
        None => TargetChoice::Auto,
        Some(file) if file.ends_with(".npy") => TargetChoice::Npy(file.into()),
        Some(column) => TargetChoice::Column(column),
    };
    // Further targets are no features either; `further_targets` finds them again.
    let covariates = targets.chain(columns("covariates")).collect();
    let header = match (matches.get_flag("header"), matches.get_flag("no-header")) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    if word("input-format") == Some("svmlight") {
        return Err(Failure::Input(
            "--input-format: svmlight rows are for `nearkin learn`, `predict` and `neighbors`"
                .into(),
        ));
    }
    Ok(Options {
        format: word("input-format").map(|format| match format {
            "arff" => Format::Arff,
            "npy" => Format::Npy,
            "bed" => Format::Bed,
            "vcf" => Format::Vcf,
            "parquet" => Format::Parquet,
            _ => Format::Csv,
        }),
        delimiter: word("delimiter").map(delimiter).transpose()?,
        header,
        target,
        target_kind: target_kind(matches),
        nominal: columns("nominal"),
        numeric: columns("numeric"),
        genotype: columns("genotype"),
        additive: matches.get_flag("additive"),
        maf: share("maf"),
        geno: share("geno"),
        mind: share("mind"),
        hwe: share("hwe"),
        decimal_comma: matches.get_flag("decimal-comma"),
        drop: columns("drop"),
        covariates,
        strata: columns("strata"),
        id: word("id").map(str::to_owned),
        pheno: file("pheno"),
        covar: file("covar"),
        keep: file("keep"),
        remove: file("remove"),
        skip_missing_target: matches.get_flag("skip-missing-target"),
        discrete_limit: matches.get_one::<usize>("discrete-limit").copied(),
        missing: matches.get_many("missing-token").into_iter().flatten().cloned().collect(),
        ..Options::default()
    })
}

/// The names in a list, separated by commas. A name in double quotes may hold commas; a double
/// quote inside it is written twice.
fn listed(text: &str) -> Result<Vec<String>, String> {
    let mut names = vec![String::new()];
    let mut rest = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = rest.next() {
        let begun = names.last().is_some_and(|name| !name.is_empty());
        match (c, names.last_mut()) {
            ('"', Some(name)) if quoted && rest.next_if_eq(&'"').is_some() => name.push('"'),
            ('"', _) if quoted || !begun => quoted = !quoted,
            (',', _) if !quoted => names.push(String::new()),
            (c, Some(name)) => name.push(c),
            (_, None) => {}
        }
    }
    match quoted {
        true => Err("a double quote is never closed".into()),
        false => Ok(names),
    }
}

fn delimiter(text: &str) -> Result<u8> {
    match (text, text.as_bytes()) {
        ("tab" | "\\t", _) => Ok(b'\t'),
        ("space", _) => Ok(b' '),
        ("comma", _) => Ok(b','),
        ("semicolon", _) => Ok(b';'),
        (_, &[byte]) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(byte),
        _ => Err(Failure::Input(format!(
            "--delimiter: expected one ASCII character (not a quote), or tab, space, comma, \
             semicolon, got `{text}`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_comma_stands_in_quotes() {
        let names = |text| listed(text).unwrap();
        assert_eq!(names("a,b c,-1"), ["a", "b c", "-1"]);
        assert_eq!(names("\"a,b\",c"), ["a,b", "c"]);
        assert_eq!(names("5\" pipe,\"say \"\"x\"\", y\""), ["5\" pipe", "say \"x\", y"]);
        assert!(listed("\"a,b").is_err());
    }
}
