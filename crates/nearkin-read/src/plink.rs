//! PLINK's binary genotypes: `.bed` with its `.bim` (variants) and `.fam` (samples).
//!
//! A column is a variant, named as the `.bim` names it; a cell is the number of copies of the
//! `.bim`'s first allele (A1). A row is a sample, and its phenotype in the `.fam` is the target.
//! The `.bed` must be variant by variant (SNP-major), as PLINK writes it:
//!
//! ```text
//! 6C 1B 01, then ⌈samples/4⌉ bytes a variant, first sample in the lowest two bits:
//! 00 = two A1    01 = missing    10 = one A1    11 = none
//! ```
//!
//! Lower bound: a quarter of a byte for each cell is read once and written once, with one look-up
//! for four cells.
//! Bytes go through two buffers, those of dropped variants too; where samples are left out, the
//! others are picked cell by cell.

mod sidecar;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use nearkin::data::{Column, Genotypes};

use crate::beside::Beside;
use crate::error::{OptionError, PlinkError, ReadError, Result};
use crate::given::Strata;
use crate::layout::{Layout, Role};
use crate::loaded::Loaded;
use crate::options::{Format, Options, TargetChoice};
use crate::rows::{RawTarget, Rows, TargetCells, decide};

use sidecar::{Fam, Variants};

/// The first two bytes of every `.bed`.
pub(crate) const MAGIC: [u8; 2] = [0x6C, 0x1B];

/// The name of the target, which is no column of the `.bed`.
const PHENOTYPE: &str = "phenotype";

/// The name of the sex, the fifth column of the `.fam`, as a covariate.
const SEX: &str = "SEX";

/// Samples in a byte.
const CELLS: usize = 4;

/// Reads the `.bed` at `path` and the two files beside it; `asked` is what the options ask of the
/// table itself.
pub(crate) fn read(
    path: &Path,
    beside: &Beside,
    asked: &Options,
    options: &Options,
) -> Result<Loaded> {
    let file = path.display().to_string();
    let (bim, fam) = (sibling(path, "bim"), sibling(path, "fam"));
    refuse_text_options(&file, asked)?;
    let variants = Variants::read(&bim)?;
    let Fam { samples, phenotypes, sex } = Fam::read(&fam)?;
    let by_sex = |list: &[String]| is_sex(list) && !is_sex(&variants.names);
    let (adjusted, grouped) = (by_sex(&asked.covariates), by_sex(&asked.strata));
    let layout = layout(&file, &variants.names, asked, adjusted || grouped)?;
    let wanted = match &options.target {
        // Another file has the phenotypes.
        _ if beside.has_phenotypes() => false,
        TargetChoice::Auto => true,
        TargetChoice::Column(name) if is_phenotype(name) => true,
        TargetChoice::Column(name) => {
            let (asked, fam) = (name.clone(), fam.display().to_string());
            let reason = OptionError::NotPhenotype { asked, fam };
            return Err(ReadError::Option { file, option: "target", reason });
        }
        TargetChoice::IfThere(name) => is_phenotype(name),
        TargetChoice::Npy(_) | TargetChoice::None => false,
    };
    let count = samples.iid.len();
    let target = wanted.then(|| RawTarget {
        name: PHENOTYPE.to_owned(),
        // The format says what the target is.
        guessed: false,
        kind: options.target_kind,
        cells: TargetCells::Phenotypes(phenotypes),
    });
    let by_family = layout.by_family;
    let rows = Rows { file: &file, count, lines: &[], samples: Some(samples), target, by_family };
    let mut decided = decide(rows, beside, options)?;
    let sex = Column::numeric(SEX, sex);
    if grouped {
        decided.strata.push(Strata::of_column(&sex));
    }
    if adjusted {
        decided.covariates.push(sex);
    }
    let shape = Shape { file: &file, bim: &bim, fam: &fam, samples: count };
    let kept = decided.kept.as_deref();
    let columns = shape.columns(path, &variants.names, &layout.roles, kept)?;
    let loaded = Loaded::new(&file, &variants.names, columns, &layout, decided)?;
    let places = variants.names.into_iter().zip(variants.places);
    let places = places.filter_map(|(name, place)| Some((name, place?))).collect();
    Ok(Loaded { format: Format::Bed, places, ..loaded })
}

/// True when the sex of samples is in a list.
fn is_sex(list: &[String]) -> bool {
    list.iter().any(|name| name == SEX)
}

fn is_phenotype(name: &str) -> bool {
    name.eq_ignore_ascii_case(PHENOTYPE)
}

/// The file of the same name with another ending.
fn sibling(path: &Path, ending: &str) -> PathBuf {
    path.with_extension(ending)
}

fn refuse_text_options(file: &str, options: &Options) -> Result<()> {
    let said = [
        ("nominal", !options.nominal.is_empty()),
        ("numeric", !options.numeric.is_empty()),
        ("discrete_limit", options.discrete_limit.is_some()),
    ];
    match said.iter().find(|(_, said)| *said) {
        None => Ok(()),
        Some((option, _)) => {
            let (file, reason) = (file.to_owned(), OptionError::NotBed);
            Err(ReadError::Option { file, option, reason })
        }
    }
}

/// Which variants are features, and which are covariates or strata.
fn layout(file: &str, names: &[String], options: &Options, no_sex: bool) -> Result<Layout> {
    let of = |list: &[String]| -> Vec<String> {
        list.iter().filter(|name| !no_sex || *name != SEX).cloned().collect()
    };
    let options = Options {
        target: TargetChoice::None,
        drop: options.drop.clone(),
        covariates: of(&options.covariates),
        strata: of(&options.strata),
        ..Options::default()
    };
    Layout::new(file, names, &options)
}

/// The numbers that the three files must agree on.
struct Shape<'a> {
    file: &'a str,
    bim: &'a Path,
    fam: &'a Path,
    samples: usize,
}

impl Shape<'_> {
    /// The columns that have a role, at the rows kept.
    fn columns(
        &self,
        path: &Path,
        names: &[String],
        roles: &[Role],
        kept: Option<&[usize]>,
    ) -> Result<Vec<Column<'static>>> {
        let io = |e| ReadError::io(self.file, e);
        let bed = File::open(path).map_err(io)?;
        let found = bed.metadata().map_err(io)?.len();
        let mut bed = BufReader::with_capacity(1 << 20, bed);
        let mut head = [0; 3];
        self.check_head(read_full(&mut bed, &mut head).map_err(io)?, head)?;
        self.check_size(found, names.len())?;
        let copies = copies_of_bytes();
        let mut columns = Vec::with_capacity(names.len());
        let mut bytes = vec![0; self.samples.div_ceil(CELLS)];
        for (name, role) in names.iter().zip(roles) {
            if read_full(&mut bed, &mut bytes).map_err(io)? < bytes.len() {
                return Err(self.bad(PlinkError::Shortened));
            }
            if *role == Role::Skip {
                continue;
            }
            let cells: Vec<u8> = bytes.iter().map(|&byte| copies[usize::from(byte)]).collect();
            let cells = Genotypes::new(cells, self.samples);
            let cells = cells.map_err(|e| ReadError::table(self.file, e))?;
            columns.push(match kept {
                Some(kept) => Column::genotypes(name, cells.select(kept)),
                None => Column::genotypes(name, cells),
            });
        }
        Ok(columns)
    }

    fn check_head(&self, found: usize, head: [u8; 3]) -> Result<()> {
        if found == 0 {
            return Err(ReadError::Empty { file: self.file.to_owned() });
        }
        if found < 3 || head[..2] != MAGIC {
            return Err(self.bad(PlinkError::NotBed { begins: head[..found].to_vec() }));
        }
        match head[2] {
            1 => Ok(()),
            0 => Err(self.bad(PlinkError::SampleBySample)),
            byte => Err(self.bad(PlinkError::UnknownOrder { byte })),
        }
    }

    fn check_size(&self, found: u64, variants: usize) -> Result<()> {
        let each = self.samples.div_ceil(CELLS) as u64;
        let expected = 3 + variants as u64 * each;
        if found == expected {
            return Ok(());
        }
        let (bim, fam) = (self.bim.display().to_string(), self.fam.display().to_string());
        let samples = self.samples;
        Err(self.bad(PlinkError::WrongSize { variants, bim, samples, fam, expected, found }))
    }

    fn bad(&self, reason: PlinkError) -> ReadError {
        ReadError::Plink { file: self.file.to_owned(), reason }
    }
}

/// Copies of A1, as [`Genotypes`] has them, for each byte of a `.bed`.
fn copies_of_bytes() -> [u8; 256] {
    const COPIES: [u8; 4] = [2, 3, 1, 0];
    std::array::from_fn(|byte| {
        (0..CELLS).fold(0, |all, at| all | COPIES[byte >> (2 * at) & 3] << (2 * at))
    })
}

/// Fills `bytes` as far as the file goes; how far is returned.
fn read_full(file: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<usize> {
    let mut found = 0;
    while found < bytes.len() {
        match file.read(&mut bytes[found..]) {
            Ok(0) => break,
            Ok(count) => found += count,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(found)
}
