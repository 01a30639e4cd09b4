//! [`Writer`] and [`Reader`]: the parts of a model by name, words in the header and every number
//! in a tensor; lists of lists as values and offsets.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::container::{Cells, Container, Tensor};
use crate::data::Parts;
use crate::{Damage, Error, ModelError, Result};

/// The newest format that is written and read. It counts up when older programs could not make
/// sense of what is written.
pub const FORMAT: u64 = 1;

const FORMAT_KEY: &str = "nearkin_format";
const PROGRAM_KEY: &str = "nearkin_version";
const WORDS_KEY: &str = "nearkin_model";
const CHECK_KEY: &str = "nearkin_check";

/// Collects the parts of a model.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    words: BTreeMap<String, Value>,
    tensors: BTreeMap<String, Tensor>,
}

impl Writer {
    /// A word, a list of words, a truth.
    pub fn word(&mut self, name: &str, value: impl Into<Value>) {
        self.words.insert(name.into(), value.into());
    }

    /// Real numbers of this shape.
    pub fn reals(&mut self, name: &str, shape: &[usize], cells: &[f64]) {
        self.tensor(name, shape, Cells::F64(cells.to_vec()));
    }

    /// Whole numbers in a row.
    pub fn wholes(&mut self, name: &str, cells: impl IntoIterator<Item = u64>) {
        let cells: Vec<u64> = cells.into_iter().collect();
        self.tensor(name, &[cells.len()], Cells::U64(cells));
    }

    /// Codes of classes in a row.
    pub fn codes(&mut self, name: &str, cells: &[u32]) {
        self.tensor(name, &[cells.len()], Cells::U32(cells.to_vec()));
    }

    /// Numbers of any type.
    pub fn tensor(&mut self, name: &str, shape: &[usize], cells: Cells) {
        self.tensors.insert(name.into(), Tensor { shape: shape.to_vec(), cells });
    }

    /// Names with their values, in order.
    pub fn pairs(&mut self, name: &str, pairs: &[(String, String)]) {
        let pair = |(name, text): &(String, String)| Value::from(vec![name.as_str(), text]);
        self.word(name, pairs.iter().map(pair).collect::<Vec<Value>>());
    }

    /// What something fitted was taken apart into, under `place`.
    pub fn parts(&mut self, place: &str, parts: &Parts) {
        for (name, cells) in parts.all_numbers() {
            self.reals(&format!("{place}.{name}"), &[cells.len()], cells);
        }
        for (name, cells) in parts.all_codes() {
            self.codes(&format!("{place}.{name}"), cells);
        }
        for (name, texts) in parts.all_texts() {
            self.word(&format!("{place}.{name}"), texts.as_slice());
        }
    }

    /// The bytes of the file.
    pub fn finish(self) -> Vec<u8> {
        let words = Value::Object(self.words.into_iter().collect()).to_string();
        let mut container = Container { tensors: self.tensors, ..Container::default() };
        let mut put = |key: &str, value: String| container.metadata.insert(key.into(), value);
        put(FORMAT_KEY, FORMAT.to_string());
        put(PROGRAM_KEY, env!("CARGO_PKG_VERSION").into());
        put(WORDS_KEY, words);
        let check = check(&container);
        container.metadata.insert(CHECK_KEY.into(), check);
        container.to_bytes()
    }
}

/// A number that changes when a word or a number of the model does (FNV-1a).
fn check(container: &Container) -> String {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bits: u64| sum = (sum ^ bits).wrapping_mul(0x0100_0000_01b3);
    let words = container.metadata.get(WORDS_KEY).map(String::as_bytes).unwrap_or_default();
    words.iter().for_each(|&byte| take(u64::from(byte)));
    for (name, tensor) in &container.tensors {
        name.bytes().for_each(|byte| take(u64::from(byte)));
        tensor.shape.iter().for_each(|&n| take(n as u64));
        match &tensor.cells {
            Cells::F64(cells) => cells.iter().for_each(|x| take(x.to_bits())),
            Cells::U64(cells) => cells.iter().for_each(|&x| take(x)),
            Cells::U32(cells) => cells.iter().for_each(|&x| take(u64::from(x))),
            Cells::U16(cells) => cells.iter().for_each(|&x| take(u64::from(x))),
        }
    }
    format!("{sum:016x}")
}

/// Gives the parts of a model back, or says which one is not as it should be.
#[derive(Debug)]
pub(crate) struct Reader {
    words: Map<String, Value>,
    tensors: BTreeMap<String, Tensor>,
}

impl Reader {
    /// The parts in the bytes of a file.
    pub fn new(bytes: &[u8]) -> Result<Self> {
        let container = Container::from_bytes(bytes)?;
        let word = |key: &str| container.metadata.get(key).map(String::as_str);
        let Some(format) = word(FORMAT_KEY) else {
            return Err(ModelError::NotSavedByNearkin.into());
        };
        match format.parse::<u64>() {
            Ok(known) if (1..=FORMAT).contains(&known) => {}
            Ok(newer) if newer > FORMAT => {
                let written_by = word(PROGRAM_KEY).unwrap_or("(unknown)").to_owned();
                return Err(
                    ModelError::NewerFormat { format: newer, written_by, reads: FORMAT }.into()
                );
            }
            _ => return Err(Damage::Format { found: format.to_owned() }.into()),
        }
        // A model that was changed on purpose may leave the check out.
        if word(CHECK_KEY).is_some_and(|told| told != check(&container)) {
            return Err(Damage::Changed.into());
        }
        let words = word(WORDS_KEY).and_then(|text| serde_json::from_str(text).ok());
        let words = words.ok_or(Damage::Description)?;
        Ok(Self { words, tensors: container.tensors })
    }

    fn lacks(name: &str) -> Error {
        Damage::Lacks { name: name.to_owned() }.into()
    }

    /// True when there is a word or a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.words.contains_key(name) || self.tensors.contains_key(name)
    }

    /// A word.
    pub fn word(&self, name: &str) -> Result<&str> {
        self.words.get(name).and_then(Value::as_str).ok_or_else(|| Self::lacks(name))
    }

    /// A word, where there is one.
    pub fn maybe(&self, name: &str) -> Option<String> {
        self.words.get(name).and_then(Value::as_str).map(str::to_owned)
    }

    /// A list of words.
    pub fn words(&self, name: &str) -> Result<Vec<String>> {
        let list = self.words.get(name).and_then(Value::as_array);
        let word = |value: &Value| value.as_str().map(str::to_owned);
        list.and_then(|all| all.iter().map(word).collect()).ok_or_else(|| Self::lacks(name))
    }

    /// Anything JSON can say.
    pub fn value(&self, name: &str) -> Result<&Value> {
        self.words.get(name).ok_or_else(|| Self::lacks(name))
    }

    /// Names with their values, in order.
    pub fn pairs(&self, name: &str) -> Result<Vec<(String, String)>> {
        let pair = |value: &Value| match value.as_array()?.as_slice() {
            [Value::String(name), Value::String(text)] => Some((name.clone(), text.clone())),
            _ => None,
        };
        let pairs = self.value(name)?.as_array();
        pairs.and_then(|all| all.iter().map(pair).collect()).ok_or_else(|| Self::lacks(name))
    }

    /// What lies under `place`: tensors and lists of words.
    pub fn parts(&self, place: &str) -> Parts {
        let under = |name: &str| Some(name.strip_prefix(place)?.strip_prefix('.')?.to_owned());
        let mut parts = Parts::new();
        for (name, tensor) in &self.tensors {
            parts = match (under(name), &tensor.cells) {
                (Some(name), Cells::F64(cells)) => parts.with_numbers(name, cells.clone()),
                (Some(name), Cells::U32(cells)) => parts.with_codes(name, cells.clone()),
                _ => parts,
            };
        }
        for name in self.words.keys() {
            if let (Some(inner), Ok(words)) = (under(name), self.words(name)) {
                parts = parts.with_texts(inner, words);
            }
        }
        parts
    }

    /// A tensor.
    pub fn tensor(&self, name: &str) -> Result<&Tensor> {
        self.tensors.get(name).ok_or_else(|| Self::lacks(name))
    }

    /// Real numbers, in a row.
    pub fn reals(&self, name: &str) -> Result<&[f64]> {
        match &self.tensor(name)?.cells {
            Cells::F64(cells) => Ok(cells),
            _ => Err(Self::lacks(name)),
        }
    }

    /// Whole numbers, in a row.
    pub fn wholes(&self, name: &str) -> Result<&[u64]> {
        match &self.tensor(name)?.cells {
            Cells::U64(cells) => Ok(cells),
            _ => Err(Self::lacks(name)),
        }
    }

    /// One whole number.
    pub fn whole(&self, name: &str) -> Result<usize> {
        match self.wholes(name)? {
            &[number] => usize::try_from(number).map_err(|_| Self::lacks(name)),
            _ => Err(Self::lacks(name)),
        }
    }

    /// Codes of classes.
    pub fn codes(&self, name: &str) -> Result<&[u32]> {
        match &self.tensor(name)?.cells {
            Cells::U32(cells) => Ok(cells),
            _ => Err(Self::lacks(name)),
        }
    }
}
