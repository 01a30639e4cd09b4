//! Writing arrays for NumPy.

use std::io::{self, Write};

/// Write rows of numbers as a `.npy` file of two dimensions; `columns` are those of no rows.
pub fn write(out: &mut dyn Write, rows: &[Vec<f64>], columns: usize) -> io::Result<()> {
    let columns = rows.first().map_or(columns, Vec::len);
    let shape = format!("({}, {columns})", rows.len());
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length take ten bytes; data begins at a multiple of 64.
    let padded = (header.len() + 11).next_multiple_of(64) - 10;
    header.extend(std::iter::repeat_n(' ', padded - 1 - header.len()));
    header.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    rows.iter().flatten().try_for_each(|x| out.write_all(&x.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_array_reads_back() {
        let mut bytes = Vec::new();
        super::write(&mut bytes, &[vec![1.0, -2.5], vec![0.1, 3.0]], 2).unwrap();
        assert_eq!((bytes.len() - 32) % 64, 0);
        let options = nearkin_read::Options {
            target: nearkin_read::TargetChoice::None,
            ..Default::default()
        };
        let loaded = nearkin_read::read_bytes(&bytes, "a.npy", &options).unwrap();
        assert_eq!((loaded.table.rows(), loaded.table.columns().len()), (2, 2));
    }
}
