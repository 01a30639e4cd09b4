//! The text files beside a `.bed`: what its columns and its rows are.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::error::{PlinkError, ReadError, Result};
use crate::loaded::Place;
use crate::phenotype::Phenotypes;
use crate::samples::Samples;

/// The variants of a `.bim`.
pub(super) struct Variants {
    pub names: Vec<String>,
    /// Where each lies, if its position is a number.
    pub places: Vec<Option<Place>>,
}

impl Variants {
    /// Reads the names; a variant called `.` is named by its place and alleles.
    pub fn read(path: &Path) -> Result<Self> {
        let (mut names, mut places): (Vec<String>, _) = (Vec::new(), Vec::new());
        let kind = "chromosome, name, position in morgans, position, allele 1, allele 2";
        lines(path, kind, |cells| {
            let [chromosome, name, _, position, one, two] = cells;
            let place = |position| Place { chromosome: chromosome.to_owned(), position };
            places.push(position.parse().ok().map(place));
            names.push(match name {
                "." => format!("{chromosome}:{position}:{one}:{two}"),
                name => name.to_owned(),
            });
        })?;
        let mut first_at: HashMap<&str, usize> = HashMap::with_capacity(names.len());
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = first_at.insert(name, at) {
                let (file, name) = (path.display().to_string(), name.clone());
                let reason = PlinkError::VariantTwice { first: first + 1, second: at + 1, name };
                return Err(ReadError::Plink { file, reason });
            }
        }
        Ok(Self { names, places })
    }
}

/// The samples of a `.fam`, and their phenotypes.
pub(super) struct Fam {
    pub samples: Samples,
    pub phenotypes: Phenotypes,
    /// 1 is male, 2 female; NaN where it is not known.
    pub sex: Vec<f64>,
}

impl Fam {
    pub fn read(path: &Path) -> Result<Self> {
        let (mut iid, mut fid, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut sexes = Vec::new();
        let kind = "family, name, father, mother, sex, phenotype";
        lines(path, kind, |[family, name, _, _, sex, phenotype]| {
            iid.push(name.to_owned());
            fid.push(family.to_owned());
            texts.push(phenotype.to_owned());
            sexes.push(match sex {
                "1" => 1.0,
                "2" => 2.0,
                _ => f64::NAN,
            });
        })?;
        let samples = Samples { fid: Some(fid), iid };
        let (file, names) = (path.display().to_string(), samples.names());
        let lines = (1..).take(texts.len()).map(Some).collect();
        Ok(Self { samples, phenotypes: Phenotypes { file, lines, names, texts }, sex: sexes })
    }
}

/// Hands on the six cells of every line.
fn lines(path: &Path, names: &'static str, mut each: impl FnMut([&str; 6])) -> Result<()> {
    let file = path.display().to_string();
    let bad = |reason| ReadError::Plink { file: file.clone(), reason };
    let input = File::open(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => ReadError::NotBeside { file: file.clone() },
        _ => ReadError::io(&file, e),
    })?;
    let mut input = BufReader::with_capacity(1 << 17, input);
    let (mut line, mut at) = (Vec::new(), 0usize);
    // The first line with nothing on it: only the end of the file may follow.
    let mut blank = None;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).map_err(|e| ReadError::io(&file, e))? == 0 {
            break;
        }
        at += 1;
        let text = std::str::from_utf8(&line).map_err(|e| ReadError::Encoding {
            file: file.clone(),
            line: at as u64,
            byte: line[e.valid_up_to()],
            at: e.valid_up_to(),
            place: "the line".into(),
        })?;
        let mut cells = text.split_ascii_whitespace();
        let six: [Option<&str>; 6] = std::array::from_fn(|_| cells.next());
        let found = six.iter().flatten().count() + cells.count();
        if found == 0 {
            blank = blank.or(Some(at));
            continue;
        }
        if let Some(blank) = blank {
            return Err(bad(PlinkError::BlankLine { line: blank }));
        }
        match six {
            [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)] if found == 6 => {
                each([a, b, c, d, e, f]);
            }
            _ => return Err(bad(PlinkError::NotSixCells { line: at, found, names })),
        }
    }
    if at == 0 || blank == Some(1) {
        return Err(ReadError::Empty { file });
    }
    Ok(())
}
