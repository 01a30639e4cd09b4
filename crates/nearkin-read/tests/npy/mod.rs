//! Arrays for tests, as NumPy writes them.

/// A `.npy` file of float64, row by row.
pub fn npy(rows: usize, columns: usize, values: &[f64]) -> Vec<u8> {
    let mut head =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    head += &" ".repeat(63 - (10 + head.len()) % 64);
    head.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.as_bytes());
    values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}
