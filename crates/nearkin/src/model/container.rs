//! Named tensors and words as bytes: the safetensors format, which other programs read too.
//!
//! ```text
//! 8 bytes   length of the header, little-endian
//! header    JSON: {"__metadata__": {word: word}, name: {dtype, shape, data_offsets}, …}
//! data      the tensors side by side, little-endian
//! ```
//!
//! Reading trusts nothing: every offset lies within the bytes at hand before anything is taken
//! from there, tensors lie side by side from the first byte of data to the last, and memory is
//! asked for only as far as bytes are there to fill it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{Damage, Error, ModelError, Result};

const METADATA: &str = "__metadata__";
/// Data begins at a multiple of this, so that numbers in a mapped file are aligned.
const ALIGNMENT: usize = 8;

/// The numbers of a tensor by type.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Double precision numbers.
    F64(Vec<f64>),
    /// Whole numbers of 64 bits.
    U64(Vec<u64>),
    /// Whole numbers of 32 bits.
    U32(Vec<u32>),
    /// Whole numbers of 16 bits.
    U16(Vec<u16>),
}

/// Numbers with their shape, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Its extent in each dimension.
    pub shape: Vec<usize>,
    /// Its numbers.
    pub cells: Cells,
}

/// What a file of tensors holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Container {
    /// Words about the whole.
    pub metadata: BTreeMap<String, String>,
    /// The tensors by name.
    pub tensors: BTreeMap<String, Tensor>,
}

impl Cells {
    fn dtype(&self) -> (&'static str, usize) {
        match self {
            Self::F64(_) => ("F64", 8),
            Self::U64(_) => ("U64", 8),
            Self::U32(_) => ("U32", 4),
            Self::U16(_) => ("U16", 2),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::F64(cells) => cells.iter().for_each(|x| out.extend(x.to_le_bytes())),
            Self::U64(cells) => cells.iter().for_each(|x| out.extend(x.to_le_bytes())),
            Self::U32(cells) => cells.iter().for_each(|x| out.extend(x.to_le_bytes())),
            Self::U16(cells) => cells.iter().for_each(|x| out.extend(x.to_le_bytes())),
        }
    }

    fn read(dtype: &str, bytes: &[u8]) -> Option<Self> {
        Some(match dtype {
            "F64" => Self::F64(numbers(bytes, f64::from_le_bytes)),
            "U64" => Self::U64(numbers(bytes, u64::from_le_bytes)),
            "U32" => Self::U32(numbers(bytes, u32::from_le_bytes)),
            "U16" => Self::U16(numbers(bytes, u16::from_le_bytes)),
            _ => return None,
        })
    }
}

fn numbers<T, const N: usize>(bytes: &[u8], number: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|&chunk| number(chunk)).collect()
}

/// Bytes a number of this type takes.
fn size(dtype: &str) -> Option<usize> {
    match dtype {
        "F64" | "U64" => Some(8),
        "U32" => Some(4),
        "U16" => Some(2),
        _ => None,
    }
}

impl Container {
    /// The bytes of a safetensors file.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Everything in order of name: the bytes do not depend on how a map keeps its keys.
        let mut header = BTreeMap::new();
        header.insert(METADATA.to_owned(), json!(self.metadata));
        let mut data = Vec::new();
        // Wide numbers first: then each tensor begins at a multiple of its numbers' size.
        let mut order: Vec<(&String, &Tensor)> = self.tensors.iter().collect();
        order.sort_by_key(|(_, tensor)| std::cmp::Reverse(tensor.cells.dtype().1));
        for (name, tensor) in order {
            let begin = data.len();
            tensor.cells.write(&mut data);
            let described = json!({
                "data_offsets": [begin, data.len()],
                "dtype": tensor.cells.dtype().0, "shape": tensor.shape,
            });
            header.insert(name.clone(), described);
        }
        let mut text = Value::Object(header.into_iter().collect()).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(ALIGNMENT), b' ');
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text);
        bytes.extend(data);
        bytes
    }

    /// The contents of the bytes of a safetensors file.
    ///
    /// # Errors
    /// When the bytes are no such file, cut short or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
            return Err(match bytes {
                [] => ModelError::Empty.into(),
                _ => ModelError::NotSafetensors.into(),
            });
        };
        if rest.first() != Some(&b'{') {
            return Err(ModelError::NotSafetensors.into());
        }
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some((header, data)) = rest.split_at_checked(length) else {
            return Err(cut_short(bytes.len(), length.saturating_add(8)));
        };
        let header: Map<String, Value> =
            serde_json::from_slice(header).map_err(|_| Damage::Header)?;
        let mut container = Self::default();
        let mut places = Vec::new();
        for (name, value) in &header {
            if name == METADATA {
                container.metadata = words(value)?;
            } else {
                let place = Place::of(name, value)?;
                places.push((place.begin, place.end, name, place));
            }
        }
        places.sort_by_key(|&(begin, end, ..)| (begin, end));
        let mut at = 0;
        for (begin, end, name, place) in &places {
            if *begin != at {
                return Err(Damage::TensorPlace { name: (*name).clone() }.into());
            }
            at = *end;
            let Some(bytes) = data.get(*begin..*end) else {
                let needed = places.iter().map(|(_, end, ..)| *end).max().unwrap_or(*end);
                let before = bytes.len() - data.len();
                return Err(cut_short(bytes.len(), needed.saturating_add(before)));
            };
            let cells = Cells::read(place.dtype, bytes)
                .ok_or_else(|| Damage::TensorType { name: (*name).clone() })?;
            container.tensors.insert((*name).clone(), Tensor { shape: place.shape.clone(), cells });
        }
        match data.len() - at {
            0 => Ok(container),
            extra => Err(Damage::BytesLeft { extra }.into()),
        }
    }
}

/// Where a tensor lies and what it is.
struct Place<'h> {
    dtype: &'h str,
    shape: Vec<usize>,
    begin: usize,
    end: usize,
}

impl<'h> Place<'h> {
    fn of(name: &str, value: &'h Value) -> Result<Self> {
        let wrong = |part| Error::from(Damage::Tensor { part, name: name.to_owned() });
        let whole = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
        let list = |what: &str| -> Option<Vec<usize>> {
            value.get(what)?.as_array()?.iter().map(whole).collect()
        };
        let dtype = value.get("dtype").and_then(Value::as_str).ok_or_else(|| wrong("type"))?;
        let shape = list("shape").ok_or_else(|| wrong("shape"))?;
        let offsets = list("data_offsets").ok_or_else(|| wrong("place"))?;
        let &[begin, end] = &offsets[..] else { return Err(wrong("place")) };
        let size = size(dtype).ok_or_else(|| wrong("type"))?;
        let bytes = shape.iter().try_fold(size, |all, &n| all.checked_mul(n));
        match end.checked_sub(begin) {
            Some(length) if bytes == Some(length) => Ok(Self { dtype, shape, begin, end }),
            _ => Err(wrong("shape")),
        }
    }
}

fn words(value: &Value) -> Result<BTreeMap<String, String>> {
    let word = |(key, value): (&String, &Value)| Some((key.clone(), value.as_str()?.to_owned()));
    let words = value.as_object().and_then(|all| all.iter().map(word).collect());
    words.ok_or_else(|| Damage::Metadata.into())
}

fn cut_short(found: usize, expected: usize) -> Error {
    ModelError::CutShort { found, expected }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Container {
        let mut container = Container::default();
        container.metadata.insert("a".into(), "b \u{e9}".into());
        let mut put = |name: &str, shape: &[usize], cells| {
            container.tensors.insert(name.into(), Tensor { shape: shape.to_vec(), cells });
        };
        put("codes", &[3], Cells::U16(vec![1, 2, 65535]));
        put("reals", &[2, 2], Cells::F64(vec![0.1, -0.0, f64::MAX, 5e-324]));
        put("none", &[0, 4], Cells::U32(vec![]));
        put("wholes", &[1], Cells::U64(vec![u64::MAX]));
        container
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = example().to_bytes();
        assert_eq!(Container::from_bytes(&bytes).unwrap(), example());
        assert_eq!((bytes.len() - 8) % 2, 0);
        // Keys in order of name, whatever features serde_json was built with.
        let begin = r#"{"__metadata__":{"a":"b é"},"codes":{"data_offsets":[40,46],"dtype":"U16","#;
        assert!(bytes[8..].starts_with(begin.as_bytes()));
    }

    #[test]
    fn every_cut_and_every_addition_is_noticed() {
        let bytes = example().to_bytes();
        for end in 0..bytes.len() {
            let told = Container::from_bytes(&bytes[..end]).unwrap_err().to_string();
            assert!(
                ["cut short", "no safetensors", "empty"].iter().any(|w| told.contains(w)),
                "{end}: {told}"
            );
        }
        let longer = [bytes, vec![0]].concat();
        let told = Container::from_bytes(&longer).unwrap_err().to_string();
        assert!(told.contains("1 bytes follow"), "{told}");
    }

    #[test]
    fn sizes_that_no_file_holds_are_refused_without_memory() {
        let refuse = |header: &str| {
            let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
            bytes.extend(header.as_bytes());
            Container::from_bytes(&bytes).unwrap_err().to_string()
        };
        let tensor = |shape: &str, offsets: &str| {
            refuse(&format!(
                r#"{{"x":{{"dtype":"F64","shape":{shape},"data_offsets":{offsets}}}}}"#
            ))
        };
        assert!(tensor("[1000000000000]", "[0,8000000000000]").contains("cut short"));
        assert!(tensor("[18446744073709551615,2]", "[0,16]").contains("shape"));
        assert!(tensor("[1]", "[8,16]").contains("begin"));
        assert!(tensor("[1]", "[16,8]").contains("shape"));
        assert!(tensor("[-1]", "[0,8]").contains("shape"));
        assert!(refuse("{]").contains("no JSON"));
        assert!(refuse(&"[".repeat(100_000)).contains("no safetensors"));
        assert!(refuse(&format!("{{\"x\":{}", "[".repeat(100_000))).contains("no JSON"));
        assert!(
            refuse(r#"{"x":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}}"#).contains("type")
        );
        assert!(Container::from_bytes(&[255; 64]).unwrap_err().to_string().contains("safetensors"));
        let huge = [&u64::MAX.to_le_bytes()[..], b"{}"].concat();
        assert!(Container::from_bytes(&huge).unwrap_err().to_string().contains("cut short"));
    }
}
