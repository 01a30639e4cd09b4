//! Portable Network Graphics: pixels packed by zlib, three bytes each.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use super::{Figure, raster};

/// A figure as a file of pixels.
pub fn draw(figure: &Figure) -> Vec<u8> {
    let pixels = raster::paint(figure);
    encode(pixels.width, &pixels.cells)
}

/// Rows of `width` pixels as a file.
pub fn encode(width: usize, cells: &[[u8; 3]]) -> Vec<u8> {
    let height = cells.len() / width.max(1);
    let mut header = Vec::with_capacity(13);
    header.extend((width as u32).to_be_bytes());
    header.extend((height as u32).to_be_bytes());
    // Eight bits a colour, three colours, the usual packing, the usual filters, not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &packed(width, cells));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn packed(width: usize, cells: &[[u8; 3]]) -> Vec<u8> {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut line = Vec::with_capacity(width * 3 + 1);
    for row in cells.chunks_exact(width.max(1)) {
        line.clear();
        line.push(0); // no filter: charts are flat
        line.extend(row.iter().flatten());
        // Writing into memory cannot fail.
        let _ = zlib.write_all(&line);
    }
    zlib.finish().unwrap_or_default()
}

fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], body: &[u8]) {
    file.extend((body.len() as u32).to_be_bytes());
    let mut crc = Crc::new();
    crc.update(kind);
    crc.update(body);
    file.extend(kind);
    file.extend(body);
    file.extend(crc.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn pixels_come_back_from_the_file() {
        let cells: Vec<[u8; 3]> = (0..6).map(|i| [i, 2 * i, 255 - i]).collect();
        let file = encode(3, &cells);
        assert_eq!(&file[16..24], [0, 0, 0, 3, 0, 0, 0, 2]);
        let length = u32::from_be_bytes(file[33..37].try_into().unwrap()) as usize;
        let mut lines = Vec::new();
        flate2::read::ZlibDecoder::new(&file[41..41 + length]).read_to_end(&mut lines).unwrap();
        let back: Vec<u8> = lines.chunks(10).flat_map(|line| line[1..].to_vec()).collect();
        assert_eq!(back, cells.into_iter().flatten().collect::<Vec<u8>>());
        // The check sum of an empty last chunk is the same in every file of this kind.
        assert!(file.ends_with(&[0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82]));
    }
}
