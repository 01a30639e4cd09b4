//! Digests of the data read: two runs are about the same data when these agree, whatever files,
//! flags and targets the data came from.

use nearkin::data::{Classes, ColumnValues, SimilarityMatrix, Table};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of `bytes`, in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of a table: the name, kind and cells of every column.
pub fn of_table(table: &Table) -> String {
    let mut all = String::new();
    for column in table.columns() {
        let mut bytes = format!("{:?} {} ", column.name, column.kind()).into_bytes();
        match &column.values {
            ColumnValues::F64(lane) => lane.iter().for_each(|x| bytes.extend(x.to_le_bytes())),
            ColumnValues::F32(lane) => {
                lane.iter().for_each(|x| bytes.extend(f64::from(x).to_le_bytes()));
            }
            ColumnValues::Nominal { codes, categories } => {
                bytes.extend(format!("{categories:?} ").into_bytes());
                codes.iter().for_each(|code| bytes.extend(code.to_le_bytes()));
            }
            ColumnValues::Genotype(cells) => {
                bytes.extend((0..cells.len()).map(|row| cells.at(row).unwrap_or(u8::MAX)));
            }
        }
        all += &digest(&bytes);
    }
    digest(all.as_bytes())
}

/// The digest of a similarity matrix, row by row.
pub fn of_similarities(s: &SimilarityMatrix) -> String {
    let row = |row: usize| {
        let bytes: Vec<u8> = s.row(row).iter().flat_map(|x| x.to_le_bytes()).collect();
        digest(&bytes)
    };
    digest((0..s.rows()).map(row).collect::<String>().as_bytes())
}

/// The digest of class labels: the names, and the class of each row.
pub fn of_classes(classes: &Classes) -> String {
    let mut bytes = format!("{:?} ", classes.names()).into_bytes();
    classes.codes().iter().for_each(|code| bytes.extend(code.to_le_bytes()));
    digest(&bytes)
}
