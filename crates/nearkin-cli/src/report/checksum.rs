//! SHA-256, by which a reader knows that a file is the one a report was made of.
//!
//! Reference: NIST, *Secure hash standard*, FIPS 180-4 (2015), sections 4.1.2, 5.1.1 and 6.2.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const ROUNDS: usize = 64;

/// The sum of bytes, as 64 letters.
pub fn of_bytes(bytes: &[u8]) -> String {
    let mut state = State::new();
    state.add(bytes);
    state.end()
}

/// The sum of a file.
pub fn of_file(path: &Path) -> io::Result<String> {
    let (mut file, mut state) = (File::open(path)?, State::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(state.end()),
            read => state.add(&buffer[..read]),
        }
    }
}

/// The first 32 bits of the fractional part of the `root`-th root of the first primes.
fn fractions(count: usize, root: f64) -> Vec<u32> {
    let prime = |n: &u32| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let primes = (2..).filter(prime).take(count);
    primes.map(|p| (f64::from(p).powf(1.0 / root).fract() * 2f64.powi(32)) as u32).collect()
}

struct State {
    sum: Vec<u32>,
    constants: Vec<u32>,
    block: Vec<u8>,
    length: u64,
}

impl State {
    fn new() -> Self {
        let (sum, constants) = (fractions(8, 2.0), fractions(ROUNDS, 3.0));
        Self { sum, constants, block: Vec::with_capacity(64), length: 0 }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64 * 8);
        let mut rest = bytes;
        while !rest.is_empty() {
            let (taken, left) = rest.split_at(rest.len().min(64 - self.block.len()));
            self.block.extend(taken);
            rest = left;
            if self.block.len() == 64 {
                self.mix();
            }
        }
    }

    fn end(mut self) -> String {
        let length = self.length;
        self.block.push(0x80);
        if self.block.len() > 56 {
            self.block.resize(64, 0);
            self.mix();
        }
        self.block.resize(56, 0);
        self.block.extend(length.to_be_bytes());
        self.mix();
        self.sum.iter().map(|word| format!("{word:08x}")).collect()
    }

    fn mix(&mut self) {
        let mut w: Vec<u32> = self
            .block
            .chunks_exact(4)
            .map(|bytes| bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)))
            .collect();
        for t in 16..ROUNDS {
            let [x, y] = [w[t - 15], w[t - 2]];
            let x = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
            let y = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
            w.push(w[t - 16].wrapping_add(x).wrapping_add(w[t - 7]).wrapping_add(y));
        }
        let mut v = self.sum.clone();
        for (word, constant) in w.iter().zip(&self.constants) {
            let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let high = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let first = [high, choice, *constant, *word].into_iter().fold(v[7], u32::wrapping_add);
            let most = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            let low = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(first);
            v[0] = first.wrapping_add(low).wrapping_add(most);
        }
        self.sum.iter_mut().zip(v).for_each(|(sum, v)| *sum = sum.wrapping_add(v));
        self.block.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        assert_eq!(
            of_bytes(b""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            of_bytes(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(
            of_bytes(long),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        let million = vec![b'a'; 1_000_000];
        assert_eq!(
            of_bytes(&million),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }
}
