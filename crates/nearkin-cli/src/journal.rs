//! [`Journal`]: finished trials in a file, a line each, so that an interrupted run can go on.
//!
//! A line is a JSON object: the study's key, the numbers of plan, split and problem, what was
//! chosen, and the answers or why there are none; or a key and the value of a finished piece of
//! work. A line cut short by the interruption is left out.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use nearkin::EvaluateError;
use nearkin::evaluate::{Answers, Outcome};
use serde_json::{Value, json};

use crate::failure::{Failure, Result};

/// The file that finished trials are appended to.
static PLACE: OnceLock<PathBuf> = OnceLock::new();

/// The file that finished trials are in, where this run keeps them.
pub fn place() -> Option<&'static Path> {
    PLACE.get().map(PathBuf::as_path)
}

/// How every line begins.
const BEGINNING: &[u8] = b"{\"study\"";

/// A file of finished trials.
pub struct Journal {
    file: Mutex<File>,
    finished: HashMap<String, Vec<Outcome>>,
    values: HashMap<String, Value>,
}

impl Journal {
    /// Open the file, reading what is in it, or begin it.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |error: std::io::Error| {
            Failure::Input(format!("--resume: {}: {error}", path.display()))
        };
        let mut finished: HashMap<String, Vec<Outcome>> = HashMap::new();
        let (mut values, mut whole) = (HashMap::new(), true);
        if let Ok(file) = File::open(path) {
            for line in BufReader::new(file).split(b'\n') {
                let line = line.map_err(failed)?;
                let foreign = || {
                    Failure::Input(format!(
                        "--resume: {}: this is no file of finished trials; name another",
                        path.display()
                    ))
                };
                let Ok(mut value) = serde_json::from_slice::<Value>(&line) else {
                    // Only a line cut short may be no JSON; another file is not written to.
                    if !BEGINNING.starts_with(&line[..line.len().min(BEGINNING.len())]) {
                        return Err(foreign());
                    }
                    whole = line.is_empty();
                    continue;
                };
                let key = value["study"].as_str().map(str::to_owned).ok_or_else(foreign)?;
                match (value.get_mut("value").map(Value::take), read(&value)) {
                    (Some(value), _) => _ = values.insert(key, value),
                    (None, Some(outcome)) => finished.entry(key).or_default().push(outcome),
                    (None, None) => return Err(foreign()),
                }
            }
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(failed)?;
        if !whole {
            // The next line must not continue one that was cut short.
            writeln!(file).map_err(failed)?;
        }
        // Only the first journal of a run is remembered; setting it again does nothing.
        let _ = PLACE.set(path.to_owned());
        Ok(Self { file: Mutex::new(file), finished, values })
    }

    /// The finished trials of the study called `key`.
    pub fn finished(&self, key: &str) -> Vec<Outcome> {
        self.finished.get(key).cloned().unwrap_or_default()
    }

    /// The result of the finished piece of work called `key`.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// Add what a piece of work came to.
    pub fn keep_value(&self, key: &str, value: &Value) {
        self.add(&json!({ "study": key, "value": value }));
    }

    /// Add a trial.
    pub fn keep(&self, key: &str, outcome: &Outcome, probabilities: bool) {
        self.add(&written(key, outcome, probabilities));
    }

    /// A full disk does not end the work, whose answer is still to come.
    fn add(&self, line: &Value) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(file, "{line}").and_then(|()| file.flush());
    }
}

fn written(key: &str, outcome: &Outcome, probabilities: bool) -> Value {
    let Outcome { plan, split, problem, chosen, answers } = outcome;
    let mut line = json!({
        "study": key, "plan": plan, "split": split, "problem": problem, "chosen": chosen,
    });
    match answers {
        Ok(answers) => {
            line["said"] = json!(answers.said);
            if let Some(p) = answers.probabilities.as_ref().filter(|_| probabilities) {
                line["probabilities"] = json!(p);
            }
        }
        Err(error) => line["failed"] = json!(error.to_string()),
    }
    line
}

/// The reason of a trial without answers, of which a file keeps the sentence.
fn kept(sentence: &str) -> nearkin::Error {
    EvaluateError::Kept { sentence: sentence.to_owned() }.into()
}

fn read(line: &Value) -> Option<Outcome> {
    let number = |name: &str| line[name].as_u64().map(|n| n as usize);
    let answers = match line["failed"].as_str() {
        Some(sentence) => Err(kept(sentence)),
        None => {
            let said = line["said"].as_array()?.iter();
            let said = said.map(|v| v.as_u64().map(|n| n as u32)).collect::<Option<_>>()?;
            let probabilities = line["probabilities"]
                .as_array()
                .and_then(|values| values.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>());
            Ok(Answers { said, probabilities })
        }
    };
    Some(Outcome {
        plan: number("plan")?,
        split: number("split")?,
        problem: number("problem")?,
        chosen: line["chosen"].as_str()?.to_owned(),
        answers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_are_read_back_and_a_line_cut_short_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials");
        let answers = |p| Answers { said: vec![0, 1], probabilities: p };
        let one = Outcome {
            plan: 1,
            split: 2,
            problem: 0,
            chosen: "k=3".into(),
            answers: Ok(answers(Some(vec![0.1, 0.9, 1.0 / 3.0, 2.0 / 3.0]))),
        };
        let two = Outcome { plan: 0, answers: Err(kept("no")), ..one.clone() };
        let journal = Journal::open(&path).unwrap();
        journal.keep("iris", &one, true);
        journal.keep("wine", &two, true);
        std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(b"{\"study\": \"ir")
            .unwrap();
        let again = Journal::open(&path).unwrap();
        again.keep("iris", &two, false);
        let again = Journal::open(&path).unwrap();
        assert_eq!(again.finished("iris"), [one, two.clone()]);
        assert_eq!(again.finished("wine"), [two]);
        again.keep_value("table 1", &json!({"sda": [0.5, 1.0 / 3.0]}));
        let again = Journal::open(&path).unwrap();
        assert_eq!(again.value("table 1"), Some(&json!({"sda": [0.5, 1.0 / 3.0]})));
        assert_eq!((again.value("iris"), again.finished("iris").len()), (None, 2));
        for other in ["{\"a\": 1}\n", "x,y\n1,2\n", "<html>"] {
            std::fs::write(&path, other).unwrap();
            assert!(Journal::open(&path).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
    }
}
