//! [`Report`]: the findings of an experiment, for people, data frames and programs.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use nearkin_cli::columns::aligned;
use nearkin_cli::csv;
use nearkin_cli::output::Form;

/// How a claim came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As claimed.
    Held,
    /// In part, as the evidence says.
    Partly,
    /// Not as claimed.
    NotHeld,
    /// Nothing was there to try it on.
    NotTried,
}

impl Outcome {
    /// Held when `all`, partly when at least `some`, else not.
    pub fn of(all: bool, some: bool) -> Self {
        match (all, some) {
            (true, _) => Self::Held,
            (false, true) => Self::Partly,
            (false, false) => Self::NotHeld,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Partly => "partly",
            Self::NotHeld => "not held",
            Self::NotTried => "not tried",
        }
    }
}

/// A claim and how it came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// A short name.
    pub name: String,
    /// The claim in words.
    pub claim: &'static str,
    /// How it came out.
    pub outcome: Outcome,
    /// The figures behind it.
    pub evidence: String,
}

impl Verdict {
    /// The figures behind it, or why there are none.
    fn told(&self) -> &str {
        match self.outcome {
            Outcome::NotTried => "nothing that shows it was asked for, or was at hand",
            _ => &self.evidence,
        }
    }
}

/// A table or a text under a title.
pub struct Section {
    title: String,
    body: String,
}

impl Section {
    /// A text under a title.
    pub fn text(title: impl Into<String>, body: impl Into<String>) -> Self {
        Self { title: title.into(), body: body.into() }
    }

    /// A table under a title, the first column flush left, and what to know about it.
    pub fn table(
        title: impl Into<String>,
        head: &[&str],
        rows: &[Vec<String>],
        below: &str,
    ) -> Self {
        let right: Vec<usize> = (1..head.len()).collect();
        Self { title: title.into(), body: aligned(head, rows, &right) + below }
    }
}

/// The findings of an experiment.
pub struct Report {
    /// The design, in a paragraph.
    pub setting: String,
    /// Tables and texts, in order.
    pub sections: Vec<Section>,
    /// The claims.
    pub verdicts: Vec<Verdict>,
    /// Columns of the figures' data.
    pub head: Vec<&'static str>,
    /// The figures' data.
    pub rows: Vec<Vec<Value>>,
    /// Parts that were left out, and why.
    pub notes: Vec<String>,
}

impl Report {
    /// Write the report in a form: everything for people and programs, figures' data as CSV.
    pub fn write(&self, out: &mut dyn Write, experiment: &str, form: Form) -> io::Result<()> {
        match form {
            Form::Table => out.write_all(self.text().as_bytes()),
            Form::Csv => {
                writeln!(out, "{}", self.head.join(","))?;
                self.rows.iter().try_for_each(|row| {
                    let cells: Vec<String> = row.iter().map(csv::value).collect();
                    writeln!(out, "{}", cells.join(","))
                })
            }
            Form::Json => writeln!(out, "{:#}", self.json(experiment)),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", self.setting);
        for section in &self.sections {
            let _ = write!(text, "\n{}\n{}", section.title, section.body);
            if !section.body.ends_with('\n') {
                text.push('\n');
            }
        }
        let _ = writeln!(text, "\nVerdicts");
        for verdict in &self.verdicts {
            let outcome = verdict.outcome.word();
            let _ = writeln!(text, "{}: {outcome}. {}.", verdict.name, verdict.claim);
            let _ = writeln!(text, "    {}", verdict.told());
        }
        text
    }

    /// The report as a page: what is below a title stays as it is.
    pub fn markdown(&self, experiment: &str) -> String {
        let mut text = format!("# nearkin-papers {experiment}\n\n{}\n", self.setting);
        let _ = writeln!(text, "\n## Verdicts\n");
        for verdict in &self.verdicts {
            let Verdict { name, claim, outcome, .. } = verdict;
            let evidence = verdict.told();
            let _ = writeln!(text, "- **{name}: {}.** {claim}. {evidence}.", outcome.word());
        }
        for Section { title, body } in &self.sections {
            let _ = write!(text, "\n## {title}\n\n```text\n{}\n```\n", body.trim_end());
        }
        if !self.notes.is_empty() {
            let _ = writeln!(text, "\n## Notes\n");
            self.notes.iter().for_each(|note| {
                let _ = writeln!(text, "- {note}");
            });
        }
        text
    }

    fn json(&self, experiment: &str) -> Value {
        let verdicts = self.verdicts.iter().map(|verdict| {
            json!({
                "name": verdict.name, "claim": verdict.claim,
                "outcome": verdict.outcome.word(), "evidence": verdict.told(),
            })
        });
        let rows = self.rows.iter().map(|row| {
            let cells = self.head.iter().zip(row);
            Value::Object(
                cells.map(|(name, value)| ((*name).into(), value.clone())).collect::<Map<_, _>>(),
            )
        });
        json!({
            "nearkin_version": env!("CARGO_PKG_VERSION"), "experiment": experiment,
            "setting": self.setting, "verdicts": verdicts.collect::<Vec<_>>(),
            "rows": rows.collect::<Vec<_>>(), "notes": self.notes,
            "sections": self.sections.iter()
                .map(|Section { title, body }| json!({ "title": title, "text": body }))
                .collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        Report {
            setting: "Once".into(),
            sections: vec![Section::table("T", &["a", "b"], &[vec!["x".into(), "1".into()]], "")],
            verdicts: vec![Verdict {
                name: "C1".into(),
                claim: "it works",
                outcome: Outcome::of(false, true),
                evidence: "1 of 2".into(),
            }],
            head: vec!["set", "n", "score"],
            rows: vec![
                vec!["a,b".into(), 3.into(), 0.25.into()],
                vec![Value::Null, 1.into(), 1e-9.into()],
            ],
            notes: vec![],
        }
    }

    fn written(form: Form) -> String {
        let mut bytes = Vec::new();
        report().write(&mut bytes, "x", form).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_form_says_the_same() {
        assert!(written(Form::Table).contains("C1: partly. it works.\n    1 of 2\n"));
        assert_eq!(written(Form::Csv), "set,n,score\n\"a,b\",3,0.25\n,1,1e-9\n");
        let read: Value = serde_json::from_str(&written(Form::Json)).unwrap();
        assert_eq!(read["verdicts"][0]["outcome"], "partly");
        assert_eq!(read["rows"][0]["score"], 0.25);
    }
}
