//! The results of an evaluation: for people, data frames and programs.

use std::fmt::Write as _;
use std::io::{self, Write};

use nearkin::evaluate::{Comparison, Spread, Summary, Trials, compare, summarise};
use nearkin::stats::{friedman, nemenyi_difference};
use nearkin::{Error, EvaluateError};
use serde_json::{Value, json};

use crate::csv::{self, cell, number};
use crate::failure::Result;
use crate::output::Form;
use crate::present::columns::aligned;

/// One table and its trials.
pub struct Evaluated {
    /// The table as the user named it.
    pub table: String,
    /// The class names.
    pub classes: Vec<String>,
    /// Its trials.
    pub trials: Trials,
}

/// The results of an evaluation.
pub struct Report {
    /// The protocol in words.
    pub setting: String,
    /// Tables in order.
    pub tables: Vec<Evaluated>,
    /// The method others are compared with.
    pub against: usize,
    /// Marks by the exact s-test, not as published.
    pub exact: bool,
}

/// A method's line: its summary, or why there is none, and how it compares.
struct Line {
    summary: std::result::Result<Summary, String>,
    name: String,
    against: Option<Comparison>,
}

impl Evaluated {
    fn lines(&self, against: usize) -> Vec<Line> {
        let line = |plan: usize| Line {
            name: self.trials.plans[plan].clone(),
            summary: summarise(&self.trials, plan).map_err(|error| match error {
                // The line names the method itself.
                Error::Evaluate(EvaluateError::NoAnswers { reason: Some(reason), .. }) => {
                    reason.to_string()
                }
                other => other.to_string(),
            }),
            against: compare(&self.trials, plan, against).ok().filter(|_| plan != against),
        };
        (0..self.trials.plans.len()).map(line).collect()
    }
}

const HEAD: &[&str] = &[
    "method",
    "accuracy",
    "accuracy_sd",
    "accuracy_fold_sd",
    "single_label_accuracy",
    "pooled_accuracy",
    "balanced_accuracy",
    "macro_f1",
    "log_loss",
    "brier",
    "roc_auc",
    "ece",
    "constant",
    "trials",
    "mark",
    "wins",
    "losses",
    "s_p",
    "mcnemar_p",
    "wilcoxon_p",
    "corrected_t_p",
    "note",
];

impl Report {
    /// Which of the first `asked` methods gave no answers on a table, and why the first did not.
    pub fn without_answers(&self, asked: usize) -> Option<String> {
        let mut failed = self.tables.iter().flat_map(|table| {
            let lines = table.lines(self.against).into_iter().take(asked);
            lines.filter_map(|line| Some((&table.table, line.name, line.summary.err()?)))
        });
        let (table, name, why) = failed.next()?;
        let others = match failed.count() {
            0 => String::new(),
            n => format!("; nor did {n} more"),
        };
        Some(format!("{table}: {name} gave no answers: {why}{others}"))
    }

    /// Write it in a form.
    pub fn write(&self, out: &mut dyn Write, form: Form) -> io::Result<()> {
        match form {
            Form::Table => out.write_all(self.text().as_bytes()),
            Form::Csv => self.csv(out),
            Form::Json => writeln!(out, "{:#}", self.json()),
        }
    }

    fn cells(&self, line: &Line) -> Vec<Value> {
        let mut cells: Vec<Value> = vec![line.name.as_str().into()];
        match &line.summary {
            Err(why) => {
                cells.extend(vec![Value::Null; HEAD.len() - 2]);
                cells.push(why.as_str().into());
            }
            Ok(s) => {
                cells.extend([
                    s.accuracy.mean.into(),
                    deviation(s.accuracy).into(),
                    deviation(s.by_split).into(),
                    s.single.map(|single| single.mean).into(),
                    s.pooled_accuracy.into(),
                    s.balanced_accuracy.into(),
                    s.macro_f1.into(),
                    s.log_loss.into(),
                    s.brier.into(),
                    s.roc_auc.into(),
                    s.ece.into(),
                    s.constant.into(),
                    s.trials.into(),
                ]);
                let c = line.against;
                cells.extend([
                    c.map(|c| c.mark(self.exact).to_string()).into(),
                    c.map(|c| c.wins).into(),
                    c.map(|c| c.losses).into(),
                    c.map(|c| if self.exact { c.sign_p } else { c.published_p }).into(),
                    c.map(|c| c.mcnemar_p).into(),
                    c.and_then(|c| c.wilcoxon_p).into(),
                    c.and_then(|c| c.corrected_t_p).into(),
                ]);
                let failed = s.failed.as_ref();
                cells.push(failed.map(|(n, why)| format!("{n} trials failed: {why}")).into());
            }
        }
        cells
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let several = self.tables.len() > 1;
        let first = if several { "table," } else { "" };
        writeln!(out, "{first}{}", HEAD.join(","))?;
        for table in &self.tables {
            for line in table.lines(self.against) {
                let mut cells: Vec<String> = self.cells(&line).iter().map(csv::value).collect();
                if several {
                    cells.insert(0, cell(&table.table).into_owned());
                }
                writeln!(out, "{}", cells.join(","))?;
            }
        }
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", self.setting);
        for table in &self.tables {
            let lines = table.lines(self.against);
            let head = [
                "method", "accuracy", "", "balanced", "F1", "log-loss", "Brier", "AUC", "ECE",
                "constant",
            ];
            let shown = |value: Option<f64>| value.map_or("-".into(), |v| format!("{v:.3}"));
            let mut rows = Vec::new();
            for line in &lines {
                let Ok(s) = &line.summary else { continue };
                let mark = line.against.map_or(String::new(), |c| c.mark(self.exact).to_string());
                rows.push(vec![
                    line.name.clone(),
                    match s.accuracy.count {
                        // One value does not deviate.
                        1 => format!("{:.3}", s.accuracy.mean),
                        _ => format!("{:.3} ±{:.3}", s.accuracy.mean, s.accuracy.deviation),
                    },
                    mark,
                    format!("{:.3}", s.balanced_accuracy),
                    format!("{:.3}", s.macro_f1),
                    shown(s.log_loss),
                    shown(s.brier),
                    shown(s.roc_auc),
                    shown(s.ece),
                    match s.constant {
                        0 => String::new(),
                        n => format!("{n} of {}", s.trials),
                    },
                ]);
            }
            let right: Vec<usize> = (1..head.len()).collect();
            let _ = write!(text, "\n{}\n{}", table.table, aligned(&head, &rows, &right));
            for line in &lines {
                match &line.summary {
                    Err(why) => {
                        let _ = writeln!(text, "{}: no answers: {why}", line.name);
                    }
                    Ok(Summary { failed: Some((n, why)), .. }) => {
                        let _ = writeln!(text, "{}: {n} trials gave no answers: {why}", line.name);
                    }
                    Ok(_) => {}
                }
            }
            let first = &table.trials.plans[self.against];
            let _ = writeln!(
                text,
                "Marks compare with {first} by the s-test, {}.",
                if self.exact { "exact" } else { "as published" }
            );
        }
        if let Some(over) = self.over_tables() {
            text.push_str(&over);
        }
        text
    }

    /// Accuracies of the methods that answered on every table, with their positions.
    fn common(&self) -> (Vec<usize>, Vec<Vec<f64>>) {
        let plans = self.tables.first().map_or(0, |t| t.trials.plans.len());
        let accuracy = |table: &Evaluated, plan| {
            summarise(&table.trials, plan)
                .ok()
                .filter(|s| s.failed.is_none())
                .map(|s| s.accuracy.mean)
        };
        let all: Vec<usize> = (0..plans)
            .filter(|&plan| self.tables.iter().all(|table| accuracy(table, plan).is_some()))
            .collect();
        let scores = self
            .tables
            .iter()
            .map(|table| all.iter().filter_map(|&plan| accuracy(table, plan)).collect());
        let scores = scores.collect();
        (all, scores)
    }

    /// Friedman's test over tables and Nemenyi's critical difference.
    fn over_tables(&self) -> Option<String> {
        if self.tables.len() < 2 {
            return None;
        }
        let (plans, scores) = self.common();
        if plans.len() < 2 {
            return None;
        }
        let names = &self.tables.first()?.trials.plans;
        let test = friedman(&scores).ok()??;
        let critical = nemenyi_difference(0.05, plans.len(), scores.len()).ok()?;
        let mut order: Vec<usize> = (0..plans.len()).collect();
        order.sort_by(|&a, &b| test.mean_ranks[a].total_cmp(&test.mean_ranks[b]));
        let rows: Vec<Vec<String>> = order
            .iter()
            .map(|&at| {
                let rank = test.mean_ranks[at];
                let beaten =
                    order.iter().filter(|&&other| test.mean_ranks[other] - rank > critical);
                let beaten: Vec<&str> = beaten.map(|&other| names[plans[other]].as_str()).collect();
                let told = if beaten.is_empty() { "-".into() } else { beaten.join(", ") };
                vec![names[plans[at]].clone(), format!("{rank:.2}"), told]
            })
            .collect();
        Some(format!(
            "\nOver {} tables\n{}Friedman: chi-square {:.3}, p {:.4}; Iman-Davenport F {:.3}, p \
             {:.4}.\nNemenyi's critical difference of mean ranks at 0.05: {critical:.3}.\n",
            scores.len(),
            aligned(
                &["method", "mean rank", "better than, beyond the critical difference"],
                &rows,
                &[1]
            ),
            test.chi_square,
            test.p,
            test.f,
            test.f_p
        ))
    }

    fn json(&self) -> Value {
        let tables: Vec<Value> = self.tables.iter().map(|table| self.table_json(table)).collect();
        let (plans, scores) = self.common();
        let over = match (self.tables.len() > 1, friedman(&scores)) {
            (true, Ok(Some(test))) => {
                let names = &self.tables[0].trials.plans;
                let ranks = plans.iter().zip(&test.mean_ranks);
                json!({
                    "mean_ranks": ranks
                        .map(|(&plan, &rank)| (names[plan].clone(), json!(rank)))
                        .collect::<serde_json::Map<_, _>>(),
                    "friedman_chi_square": test.chi_square, "friedman_p": test.p,
                    "iman_davenport_f": finite(test.f), "iman_davenport_p": test.f_p,
                    "nemenyi_critical_difference":
                        nemenyi_difference(0.05, plans.len(), scores.len()).ok(),
                })
            }
            _ => Value::Null,
        };
        json!({
            "nearkin_version": env!("CARGO_PKG_VERSION"), "setting": self.setting,
            "tables": tables, "over_tables": over,
        })
    }

    fn table_json(&self, table: &Evaluated) -> Value {
        let trials = &table.trials;
        let lines = table.lines(self.against);
        let methods = lines.iter().enumerate().map(|(plan, line)| {
            let cells = self.cells(line);
            let mut one: serde_json::Map<String, Value> =
                HEAD.iter().map(|name| (*name).to_owned()).zip(cells).collect();
            if let Ok(summary) = &line.summary {
                one.insert("confusion".into(), json!(summary.confusion));
                one.insert(
                    "reliability".into(),
                    summary
                        .reliability
                        .as_ref()
                        .map(|bins| {
                            let bins = bins.iter().map(|b| {
                                json!({"from": b.from, "count": b.count, "confidence": b.confidence,
                                   "accuracy": b.accuracy})
                            });
                            bins.collect::<Vec<_>>()
                        })
                        .into(),
                );
            }
            let chosen = trials.outcomes.iter().filter(|o| o.plan == plan && !o.chosen.is_empty());
            let chosen =
                chosen.map(|o| json!({"split": o.split, "problem": o.problem, "chosen": o.chosen}));
            one.insert("chosen".into(), chosen.collect::<Vec<_>>().into());
            Value::Object(one)
        });
        json!({
            "table": table.table, "classes": table.classes,
            "problems": trials.problems.iter().map(|p| p.class.clone()).collect::<Vec<_>>(),
            "splits": trials.splits.len(), "against": trials.plans[self.against],
            "methods": methods.collect::<Vec<_>>(),
        })
    }

    /// Every answer: a line a row, split, problem and method.
    pub fn predictions(&self, out: &mut dyn Write) -> Result<(), io::Error> {
        writeln!(out, "table,method,split,asked,row,truth,said,right,probabilities")?;
        for table in &self.tables {
            let trials = &table.trials;
            for outcome in &trials.outcomes {
                let Ok(answers) = &outcome.answers else { continue };
                let problem = &trials.problems[outcome.problem];
                let names = problem.classes.names();
                let truth = trials.truth(outcome);
                for (at, &row) in trials.splits[outcome.split].test.iter().enumerate() {
                    let (truth, said) = (truth[at], answers.said[at]);
                    let p = answers.probabilities.as_ref().map_or(String::new(), |p| {
                        let row = &p[at * names.len()..(at + 1) * names.len()];
                        row.iter().map(|p| number(*p)).collect::<Vec<_>>().join(";")
                    });
                    writeln!(
                        out,
                        "{},{},{},{},{row},{},{},{},{p}",
                        cell(&table.table),
                        cell(&trials.plans[outcome.plan]),
                        outcome.split,
                        cell(problem.class.as_deref().unwrap_or("")),
                        cell(&names[truth as usize]),
                        cell(&names[said as usize]),
                        u8::from(truth == said),
                    )?;
                }
            }
        }
        Ok(())
    }
}

/// One value does not deviate.
fn deviation(spread: Spread) -> Option<f64> {
    (spread.count > 1).then_some(spread.deviation)
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|v| v.is_finite())
}
