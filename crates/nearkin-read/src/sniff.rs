//! Finding out what a text table does not say: its delimiter and whether it has a header.

use std::collections::HashSet;

use crate::cell::{Missing, number, trimmed};
use crate::layout::TARGET_NAMES;
use crate::records::OwnedRecord;

/// Candidates, the more telling first.
const DELIMITERS: [u8; 5] = [b',', b';', b'\t', b'|', b' '];

/// The delimiter that cuts the sample's lines into equally many cells, more than one.
///
/// Where no delimiter does (a sample of one line, ragged rows), the one found most often in the
/// first line; a comma if there is none. `whole` says that the sample is the whole file.
pub(crate) fn delimiter(sample: &[u8], whole: bool) -> u8 {
    let mut lines = lines(sample);
    if !whole && lines.len() > 1 {
        lines.pop();
    }
    let first = lines.first().copied().unwrap_or_default();
    let even = |&&delimiter: &&u8| {
        let cuts = cuts(first, delimiter);
        cuts > 0 && lines.len() > 1 && lines.iter().all(|line| self::cuts(line, delimiter) == cuts)
    };
    let most = || {
        DELIMITERS[..4]
            .iter()
            .rev()
            .max_by_key(|&&d| cuts(first, d))
            .filter(|&&d| cuts(first, d) > 0)
    };
    let blank = || DELIMITERS[4..].iter().find(|&&d| cuts(first, d) > 0);
    *DELIMITERS.iter().find(even).or_else(most).or_else(blank).unwrap_or(&b',')
}

/// The lines that are not blank, a quoted line end being part of its line.
fn lines(sample: &[u8]) -> Vec<&[u8]> {
    let mut quoted = false;
    sample
        .split(|&byte| {
            quoted ^= byte == b'"';
            !quoted && (byte == b'\n' || byte == b'\r')
        })
        .filter(|line| !line.trim_ascii().is_empty())
        .collect()
}

/// How often `delimiter` stands outside quotes; a run of blanks counts once.
fn cuts(line: &[u8], delimiter: u8) -> usize {
    let line = if delimiter == b' ' { line.trim_ascii() } else { line };
    let (mut quoted, mut count, mut before) = (false, 0, 0);
    for &byte in line {
        quoted ^= byte == b'"';
        let byte = if delimiter == b' ' && byte == b'\t' { b' ' } else { byte };
        let run = delimiter == b' ' && before == b' ';
        count += usize::from(byte == delimiter && !quoted && !run);
        before = byte;
    }
    count
}

/// True when the first row reads as names for the rows below.
///
/// Names are texts, present and no numbers (except 0, 1, 2, … as some programs write), and a
/// word for a target that does not come again below makes a header of any row. Names that repeat
/// above numbers are names still, to be refused as such; over columns of text alone, a first row
/// whose cell comes again below in its column is data.
pub(crate) fn header(first: &[&[u8]], below: &[OwnedRecord], missing: &Missing) -> bool {
    let repeats =
        |row: &OwnedRecord| row.cells().zip(first).any(|(cell, first)| trimmed(cell) == *first);
    // `y` is left out: it is as likely a value.
    let named = |cell: &&[u8]| {
        TARGET_NAMES[..3].iter().any(|name| cell.eq_ignore_ascii_case(name.as_bytes()))
    };
    if first.len() > 1 && first.iter().any(named) && !below.is_empty() && !below.iter().any(repeats)
    {
        return true;
    }
    let mut seen = HashSet::new();
    let (mut counted, mut twice) = (0, false);
    for (j, &cell) in first.iter().enumerate() {
        let unnamed = cell.is_empty() && j == 0 && first.len() > 1;
        if missing.text(cell) && !unnamed {
            return false;
        }
        twice |= !seen.insert(cell);
        if number(cell).is_some() {
            if cell != j.to_string().as_bytes() {
                return false;
            }
            counted += 1;
        }
    }
    if counted > 0 {
        return counted >= 3;
    }
    let numbers = |row: &OwnedRecord| row.cells().any(|cell| number(trimmed(cell)).is_some());
    below.iter().any(numbers) || (!twice && !below.iter().any(repeats))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::records::Records;

    #[test]
    fn the_delimiter_is_the_one_that_cuts_evenly() {
        for (text, expected) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2,5\n", b';'),
            ("a\tb c\n1\t2\n", b'\t'),
            ("a|b\nx y|z\n", b'|'),
            ("1  2 3\n 4 5   6\n", b' '),
            ("\"a,b\";c\n\"1,2\";3\n", b';'),
            ("name\nx\n", b','),
            ("a b,c\n1,2\n", b','),
        ] {
            assert_eq!(delimiter(text.as_bytes(), true) as char, expected as char, "{text:?}");
        }
    }

    #[test]
    fn a_header_is_text_above_something_else() {
        for (text, expected) in [
            ("a,b\n1,2", true),
            ("1,2\n3,4", false),
            ("a,1\nb,2", false),
            ("y,n\nn,y\ny,y", false),
            ("name,party\nann,left\nbob,right", true),
            ("a,?\nb,c", false),
            ("a,a\n1,2", true),
            ("a,a\nb,c", false),
            ("2019,2020,class\n1,2,x", true),
            (",a,b\n0,1,2", true),
            ("0,1,2,class\n5,6,7,x", true),
            ("0,1,yes\n1,1,no", false),
            ("a,b", true),
        ] {
            let mut rows = Records::new("t", Box::new(text.as_bytes()), b',', 99);
            let mut below = Vec::new();
            while let Some(row) = rows.next().unwrap() {
                below.push(row.to_owned());
            }
            let first = below.remove(0);
            let first: Vec<&[u8]> = first.cells().collect();
            let missing = Missing::new(&Options::default());
            assert_eq!(header(&first, &below, &missing), expected, "{text:?}");
        }
    }
}
