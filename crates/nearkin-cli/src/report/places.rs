//! The places of columns on chromosomes: from the `.bim` file beside a `.bed`, else from names such
//! as `7:1234567`.

use std::collections::HashMap;
use std::path::Path;

use nearkin::data::Table;

/// A place: chromosome and position.
pub type Place = (String, f64);

/// The place of each column, where at least nine columns in ten have one.
pub fn of(file: &str, table: &Table) -> Option<Vec<Option<Place>>> {
    let path = Path::new(file);
    let is_bed = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("bed"));
    // The reader has read the same file; when it is gone by now there is no picture, that is all.
    let bim = is_bed.then(|| std::fs::read_to_string(path.with_extension("bim")).ok()).flatten();
    let known = bim.as_deref().map(by_name).unwrap_or_default();
    let place = |name: &str| match bim.is_some() {
        true => known.get(name).cloned(),
        false => in_name(name),
    };
    let places: Vec<Option<Place>> = table.names().map(place).collect();
    let found = places.iter().flatten().count();
    (found > 1 && found * 10 >= places.len() * 9).then_some(places)
}

/// Places by name, of the lines `chromosome, name, centimorgans, position, alleles`.
fn by_name(bim: &str) -> HashMap<String, Place> {
    let line = |line: &str| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let position: f64 = cells.get(3)?.parse().ok()?;
        let known = *cells.first()? != "0" && position > 0.0;
        known.then(|| (cells[1].to_owned(), (cells[0].to_owned(), position)))
    };
    bim.lines().filter_map(line).collect()
}

/// The place that a name tells: `7:1234567`, `chr7_1234567_A_G`.
fn in_name(name: &str) -> Option<Place> {
    let mut parts = name.split([':', '_']);
    let (chromosome, position) = (parts.next()?, parts.next()?);
    let plain = chromosome.strip_prefix("chr").unwrap_or(chromosome);
    let number = plain.parse::<u8>().is_ok_and(|number| (1..=99).contains(&number));
    let named = ["X", "Y", "XY", "MT", "M"].contains(&plain);
    let position: u64 = position.parse().ok()?;
    (number || named).then(|| (plain.to_owned(), position as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_names_and_from_bim_lines() {
        assert_eq!(in_name("chr7_1234_A_G"), Some(("7".into(), 1234.0)));
        assert_eq!(in_name("X:99"), Some(("X".into(), 99.0)));
        for other in ["rs12", "age_2", "V1:3", "0:5", "7:x"] {
            assert_eq!(in_name(other), None, "{other}");
        }
        let known = by_name("1 rs5 0 100 A G\n0 rs6 0 0 A G\nX\trs7\t0\t7\tA\tC\n");
        assert_eq!(known.len(), 2);
        assert_eq!(known["rs7"], ("X".into(), 7.0));
    }
}
