//! Plans from a file: the part of TOML that pipelines and grids need.
//!
//! ```toml
//! protocol = "5x10-fold"
//!
//! [[plan]]
//! name = "sRBS"
//! pipeline = "srbs > knn(k=1)"
//!
//! [plan.grid]
//! "similarity.beta" = [0.1, 1, 10]
//! "similarity.k, classifier.k" = [1, 3]
//! ```
//!
//! A plan may also give its steps one by one: scaling, weights, keep, similarity, classifier.
//! Values are strings, numbers, true or false, and lists of them on one line.

use nearkin::evaluate::Plan;
use nearkin::evaluate::pipeline::Pipeline;

use super::words;
use crate::failure::{Failure, Result, refuse};

/// The content of a file.
#[derive(Debug, Default, PartialEq)]
pub struct PlanFile {
    /// Settings at its top: protocol, mode, choose.
    pub top: Vec<(String, String)>,
    /// Its plans.
    pub plans: Vec<Plan>,
}

/// A plan being read.
#[derive(Default)]
struct Draft {
    steps: Vec<(String, String)>,
    grid: Vec<(String, Vec<String>)>,
}

/// Read the text of a file called `name`.
pub fn read(name: &str, text: &str, given: bool) -> Result<PlanFile> {
    let mut top = Vec::new();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut in_grid = false;
    for (number, line) in (1..).zip(text.lines()) {
        let told = |what: &str| Failure::Input(format!("--plan: {name}, line {number}: {what}"));
        let line = uncommented(line).trim();
        match line {
            "" => continue,
            "[[plan]]" => {
                drafts.push(Draft::default());
                in_grid = false;
                continue;
            }
            "[plan.grid]" if !drafts.is_empty() => {
                in_grid = true;
                continue;
            }
            line if line.starts_with('[') => {
                return Err(told("expected [[plan]] or, below it, [plan.grid]"));
            }
            _ => {}
        }
        let Some((key, value)) = line.split_once(" =").or_else(|| line.split_once('=')) else {
            return Err(told("expected `name = value`"));
        };
        let key = unquoted(key.trim()).to_owned();
        let values = values(value.trim()).ok_or_else(|| {
            told("expected a string in quotes, a number, true, false, or a list of them")
        })?;
        match (drafts.last_mut(), in_grid, &values[..]) {
            (Some(draft), true, _) => draft.grid.push((key, values)),
            (Some(draft), false, [one]) => draft.steps.push((key, one.clone())),
            (None, _, [one]) => top.push((key, one.clone())),
            _ => return Err(told("a list belongs below [plan.grid]")),
        }
    }
    if drafts.is_empty() {
        return refuse!("--plan: {name}: there is no [[plan]] in it");
    }
    let plans = drafts.into_iter().enumerate().map(|(at, draft)| finish(name, at, draft, given));
    Ok(PlanFile { top, plans: plans.collect::<Result<_>>()? })
}

fn finish(file: &str, at: usize, draft: Draft, given: bool) -> Result<Plan> {
    let told =
        |error: nearkin::Error| Failure::Input(format!("--plan: {file}, plan {}: {error}", at + 1));
    let get = |key: &str| draft.steps.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str());
    let mut plan = match get("pipeline") {
        Some(text) => words::plan(text, given).map_err(told)?,
        None if given => Plan::new("", Pipeline::given(Default::default())),
        None => Plan::new("", Pipeline::default()),
    };
    if let nearkin::evaluate::Subject::Pipeline(pipeline) = &mut plan.subject {
        for (key, value) in &draft.steps {
            match key.as_str() {
                "name" | "pipeline" => {}
                "keep" => pipeline.set("weights.keep", value).map_err(told)?,
                path => pipeline.set(path, value).map_err(told)?,
            }
        }
        plan.name = get("name").map_or_else(|| pipeline.describe(), str::to_owned);
    }
    plan.grid = draft.grid;
    plan.candidates().map_err(told)?;
    Ok(plan)
}

/// The line without a comment; `#` in quotes is none.
fn uncommented(line: &str) -> &str {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

/// The values in a cell of the file: a single value, or all values of a list.
fn values(text: &str) -> Option<Vec<String>> {
    let Some(list) = text.strip_prefix('[') else { return value(text).map(|one| vec![one]) };
    let list = list.strip_suffix(']')?.trim();
    let (mut parts, mut quoted) = (vec![String::new()], false);
    for c in list.chars() {
        quoted ^= c == '"';
        match (c, parts.last_mut()) {
            (',', _) if !quoted => parts.push(String::new()),
            (c, Some(part)) => part.push(c),
            _ => {}
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.map(value).collect()
}

fn value(text: &str) -> Option<String> {
    match text.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').filter(|t| !t.contains('"')).map(str::to_owned),
        None if matches!(text, "true" | "false") => Some(text.to_owned()),
        None => text.parse::<f64>().ok().map(|_| text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_and_grids_are_read() {
        let text = "protocol = \"3-fold\" # outer\n\n[[plan]]\nname = \"a # b\"\nscaling = \"none\"\n\
                    similarity = \"srbs\"\nclassifier = \"knn(k=1)\"\n[plan.grid]\n\
                    \"similarity.beta\" = [0.1, 1]\n\"similarity.k, classifier.k\" = [1, 3]\n\
                    [[plan]]\npipeline = \"zscore > cosine > sda\"\n";
        let file = read("p.toml", text, false).unwrap();
        assert_eq!(file.top, [("protocol".to_owned(), "3-fold".to_owned())]);
        assert_eq!(file.plans[0].name, "a # b");
        assert_eq!(file.plans[0].candidates().unwrap().len(), 4);
        assert_eq!(file.plans[1].name, "zscore > cosine > sda");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, told) in [
            ("", "no [[plan]]"),
            ("[plan]\n", "line 1"),
            ("[[plan]]\nscaling = none\n", "line 2"),
            ("[[plan]]\nscaling = \"huge\"\n", "plan 1"),
            ("[[plan]]\nscaling = [\"none\"\n", "line 2"),
            ("[[plan]]\n[plan.grid]\n\"classifier.q\" = [1]\n", "plan 1"),
        ] {
            let error = read("p.toml", text, false).unwrap_err().sentence().unwrap();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
