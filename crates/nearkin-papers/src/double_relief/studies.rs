//! The trials: the main study, wide tables, orders of rows, normalisers, refresh periods. A trial
//! is kept as soon as it is finished, where the user wants that.

use crate::studies::separability::{draw, separations};
use nearkin::Run;
use nearkin::evaluate::{Spread, each};
use nearkin::stats::Separation;
use nearkin::weigh::{DReliefF, Feedback, Normaliser, PdReliefF, Weigh};
use serde_json::{Value, json};

use super::claims::{Cell, D, Findings, OrderSpread, PD, RELIEF, WideRbf, mean};
use super::problems::{K, PROBLEMS, Problem, ROWS, Size, algorithms, feedback, relieff};
use crate::report::Section;
use crate::settings::Settings;
use nearkin_cli::failure::{Failure, Result};

/// Seeds set aside for one table, should it have to be drawn again.
const REDRAWS: u64 = 1 << 10;
/// Spreads the user's seeds apart (2⁶⁴ over the golden ratio).
const APART: u64 = 0x9E37_79B9_7F4A_7C15;

/// A table to draw.
#[derive(Clone, Copy)]
struct Trial {
    problem: usize,
    size: Size,
}

impl Trial {
    fn problem(&self) -> &'static Problem {
        &PROBLEMS[self.problem]
    }

    /// Draw the table and weigh it by the methods for its seed.
    fn run(
        &self,
        methods: &(impl Fn(u64) -> Vec<Box<dyn Weigh>> + Sync),
        run: &Run,
    ) -> nearkin::Result<Vec<Separation>> {
        let make = |seed| (self.problem().make)(Size { seed, ..self.size });
        let (seed, made) = draw(make, K + 1, self.size.seed)?;
        separations(&made, &methods(seed), run)
    }
}

/// `sets` trials of each chosen problem and number of relevant features.
fn trials(
    settings: &Settings,
    problems: impl Iterator<Item = usize>,
    (rows, relevants): (usize, &[usize]),
    sets: usize,
) -> Vec<Trial> {
    let mut trials = Vec::new();
    for problem in problems {
        // The limits are those of the main study's tables.
        let most = if rows == ROWS { PROBLEMS[problem].most } else { usize::MAX };
        for &relevant in relevants.iter().filter(|&&r| r <= most) {
            for set in 0..sets {
                let place = (problem * 1000 + relevant) * 1000 + set;
                let seed = settings.seed.wrapping_mul(APART).wrapping_add(place as u64 * REDRAWS);
                trials.push(Trial { problem, size: Size { rows, relevant, seed } });
            }
        }
    }
    trials
}

/// The scores of each trial of the study called `name`: as kept, or by the methods for its seed.
fn scored(
    settings: &Settings,
    name: &str,
    trials: &[Trial],
    methods: impl Fn(u64) -> Vec<Box<dyn Weigh>> + Sync,
) -> Result<Vec<Vec<Separation>>> {
    let found = each(trials, &settings.run(), |trial, run| {
        let Size { rows, relevant, seed } = trial.size;
        let problem = trial.problem().name;
        let key = format!("double-relief {name}: {problem}, {rows} rows, {relevant}, seed {seed}");
        settings.once(&key, || {
            let scores = trial.run(&methods, run)?;
            Ok(scores.iter().map(|s| json!([s.separability, s.usability, s.auc])).collect())
        })
    })?;
    let read = |trial: &Value| -> Option<Vec<Separation>> {
        let score = |one: &Value| {
            let at = |place: usize| one[place].as_f64();
            Some(Separation { separability: at(0)?, usability: at(1)?, auc: at(2)? })
        };
        trial.as_array()?.iter().map(score).collect()
    };
    let broken = || Failure::Input("--resume: what is kept is broken; begin a new file".into());
    found.iter().map(|trial| read(trial).ok_or_else(broken)).collect()
}

/// All problems, all algorithms, from one relevant feature on.
pub fn main(settings: &Settings, sets: usize) -> Result<Vec<Findings>> {
    let relevants: Vec<usize> =
        if settings.quick { vec![1, 2, 3, 4, 6, 8, 10] } else { (1..=10).collect() };
    let trials = trials(settings, 0..PROBLEMS.len(), (ROWS, &relevants), sets);
    let scores = scored(settings, "main", &trials, |seed| algorithms(feedback(seed)))?;
    let findings = PROBLEMS.iter().enumerate().map(|(at, problem)| {
        let mut cells: Vec<Cell> = Vec::new();
        for (trial, scores) in trials.iter().zip(&scores).filter(|(trial, _)| trial.problem == at) {
            let relevant = trial.size.relevant;
            if cells.last().is_none_or(|cell| cell.relevant != relevant) {
                cells.push(Cell { relevant, ..Cell::default() });
            }
            let Some(cell) = cells.last_mut() else { continue };
            for (algorithm, score) in scores.iter().enumerate() {
                cell.separability[algorithm].push(score.separability);
                cell.usability[algorithm].push(score.usability);
                cell.auc[algorithm].push(score.auc);
            }
        }
        Findings { name: problem.name, numeric: problem.numeric, cells }
    });
    Ok(findings.collect())
}

/// More features, fewer rows: what the problems show there.
pub struct Wide {
    rows: Vec<Vec<String>>,
    rbf: Option<WideRbf>,
}

/// 100 rows with up to 99 features; dReliefF also with negative weights left in the distance.
pub fn wide(settings: &Settings, sets: usize) -> Result<Wide> {
    const WIDE_ROWS: usize = 100;
    let named = |name: &str| PROBLEMS.iter().position(|p| p.name == name).unwrap_or(0);
    let chosen: Vec<usize> = match settings.quick {
        true => vec![named("RBF 50")],
        false => ["RBF 50", "rules (num)", "rules (bool)", "linear", "majority"].map(named).into(),
    };
    let relevants: &[usize] =
        if settings.quick { &[12, 24] } else { &[12, 15, 18, 21, 24, 27, 30, 33] };
    let trials = trials(settings, chosen.iter().copied(), (WIDE_ROWS, relevants), sets);
    let methods = |seed| {
        let mut methods = algorithms(feedback(seed));
        let normaliser = Normaliser::Raw;
        methods.push(Box::new(DReliefF { feedback: Feedback { normaliser, ..feedback(seed) } }));
        methods
    };
    let scores = scored(settings, "wide", &trials, methods)?;
    let mut wide = Wide { rows: Vec::new(), rbf: None };
    for &problem in &chosen {
        let own = || trials.iter().zip(&scores).filter(|(t, _)| t.problem == problem);
        let of = |at: usize| own().map(|(_, s)| s[at].separability).collect::<Vec<_>>();
        let auc = |at: usize| mean(&own().map(|(_, s)| s[at].auc).collect::<Vec<_>>());
        let against = |at: usize| Spread::of_differences(&of(at), &of(RELIEF));
        let mut row = vec![PROBLEMS[problem].name.to_owned(), of(RELIEF).len().to_string()];
        row.push(format!("{:.4}", mean(&of(RELIEF))));
        row.extend([PD, D, 3].map(|at| against(at).map_or(String::new(), super::signed)));
        row.extend([RELIEF, PD, D, 3].map(|at| format!("{:.3}", auc(at))));
        wide.rows.push(row);
        if let (true, Some(clipped), Some(raw)) =
            (PROBLEMS[problem].name == "RBF 50", against(D), against(3))
        {
            wide.rbf = Some(WideRbf { clipped, raw });
        }
    }
    Ok(wide)
}

impl Wide {
    /// The figures on random RBF.
    pub fn rbf(&self) -> Option<WideRbf> {
        self.rbf
    }

    /// The table.
    pub fn section(&self) -> Section {
        let head = [
            "problem",
            "tables",
            "ReliefF",
            "pd-Rel (s.e.)",
            "d-Rel (s.e.)",
            "raw d-Rel (s.e.)",
            "AUC Rel",
            "pd",
            "d",
            "raw d",
        ];
        let title =
            "Many features, few rows: separability with 100 rows and 12 relevant features or more";
        Section::table(title, &head, &self.rows, "raw: negative weights left in the distance\n")
    }
}

/// How separability varies with the order of rows.
pub struct Orders {
    /// By problem.
    pub spreads: Vec<OrderSpread>,
    orders: usize,
    tables: usize,
}

/// Separability of both feedback methods over many orders of the same rows, four relevant
/// features.
pub fn orders(settings: &Settings) -> Result<Orders> {
    let orders = if settings.quick { 6 } else { 20 };
    let tables = settings.repetitions(2, 6);
    let trials = trials(settings, 0..PROBLEMS.len(), (ROWS, &[4]), tables);
    let methods = |_| {
        let mut methods: Vec<Box<dyn Weigh>> = Vec::new();
        for order in 0..orders {
            let feedback = feedback(order);
            methods
                .push(Box::new(PdReliefF { feedback: feedback.clone(), ..PdReliefF::default() }));
            methods.push(Box::new(DReliefF { feedback }));
        }
        methods
    };
    let scores = scored(settings, &format!("{orders} orders"), &trials, methods)?;
    let spreads = PROBLEMS.iter().enumerate().map(|(at, problem)| {
        let deviation = |method: usize| {
            let own = trials.iter().zip(&scores).filter(|(trial, _)| trial.problem == at);
            let each: Vec<f64> = own
                .filter_map(|(_, scores)| {
                    let all = scores.iter().skip(method).step_by(2).map(|s| s.separability);
                    Spread::of(&all.collect::<Vec<_>>()).map(|spread| spread.deviation)
                })
                .collect();
            mean(&each)
        };
        OrderSpread { name: problem.name, progressive: deviation(0), double: deviation(1) }
    });
    Ok(Orders { spreads: spreads.collect(), orders: orders as usize, tables })
}

impl Orders {
    /// The table.
    pub fn section(&self) -> Section {
        let rows: Vec<Vec<String>> = self
            .spreads
            .iter()
            .map(|one| {
                let cells = [one.progressive, one.double].map(|sd| format!("{sd:.4}"));
                [vec![one.name.to_owned(), "0".into()], cells.to_vec()].concat()
            })
            .collect();
        let title = format!(
            "Order of rows: standard deviation of separability over {} orders (4 relevant \
             features, {} tables)",
            self.orders, self.tables
        );
        Section::table(title, &["problem", "ReliefF", "pdReliefF", "dReliefF"], &rows, "")
    }
}

/// Both feedback methods under settings of the feedback, on tables of 2, 4, 6 and 8 relevant
/// features: a table of AUC and one of separability for each method.
fn variants(
    settings: &Settings,
    sets: usize,
    what: &str,
    names: &[&str],
    variant: impl Fn(usize, Feedback) -> Feedback + Sync,
) -> Result<Vec<Section>> {
    let trials = trials(settings, 0..PROBLEMS.len(), (ROWS, &[2, 4, 6, 8]), sets);
    let count = names.len();
    let methods = |seed| {
        let mut methods = vec![relieff()];
        for at in 0..count {
            let feedback = variant(at, feedback(seed));
            methods.push(Box::new(DReliefF { feedback: feedback.clone() }) as Box<dyn Weigh>);
            methods.push(Box::new(PdReliefF { feedback, ..PdReliefF::default() }));
        }
        methods
    };
    let scores = scored(settings, &what.to_lowercase(), &trials, methods)?;
    let mut sections = Vec::new();
    for (offset, method) in [(1, "dReliefF"), (2, "pdReliefF")] {
        let places: Vec<usize> =
            std::iter::once(0).chain((0..count).map(|at| offset + 2 * at)).collect();
        let mut rows = Vec::new();
        for (at, problem) in PROBLEMS.iter().enumerate() {
            let mut row = vec![problem.name.to_owned()];
            for &place in &places {
                let own = || trials.iter().zip(&scores).filter(|(t, _)| t.problem == at);
                let auc: Vec<f64> = own().map(|(_, s)| s[place].auc).collect();
                let apart: Vec<f64> = own().map(|(_, s)| s[place].separability).collect();
                row.push(format!("{:+.4} {:.3}", mean(&apart), mean(&auc)));
            }
            rows.push(row);
        }
        let mut row = vec!["mean AUC".to_owned()];
        for &place in &places {
            let by_problem: Vec<f64> = (0..PROBLEMS.len())
                .map(|at| {
                    let own = trials.iter().zip(&scores).filter(|(t, _)| t.problem == at);
                    mean(&own.map(|(_, s)| s[place].auc).collect::<Vec<_>>())
                })
                .collect();
            row.push(format!("{:.3}", mean(&by_problem)));
        }
        rows.push(row);
        let head: Vec<&str> =
            ["problem", "ReliefF"].into_iter().chain(names.iter().copied()).collect();
        let title =
            format!("{what} in {method}: separability and AUC with 2 to 8 relevant features");
        sections.push(Section::table(title, &head, &rows, ""));
    }
    Ok(sections)
}

/// Each normaliser of the running weights.
pub fn normalisers(settings: &Settings, sets: usize) -> Result<Vec<Section>> {
    const ALL: [(&str, Normaliser); 6] = [
        ("clip-max", Normaliser::ClipMax),
        ("floor", Normaliser::Floor),
        ("min-max", Normaliser::MinMax),
        ("shift", Normaliser::Shift),
        ("abs", Normaliser::Abs),
        ("raw", Normaliser::Raw),
    ];
    variants(settings, sets, "Normaliser", &ALL.map(|(name, _)| name), |at, feedback| Feedback {
        normaliser: ALL[at].1,
        ..feedback
    })
}

/// Several refresh periods of the factors.
pub fn refreshes(settings: &Settings, sets: usize) -> Result<Vec<Section>> {
    const ALL: [(&str, usize); 4] = [("1", 1), ("8", 8), ("32", 32), ("100", 100)];
    let names = ALL.map(|(name, _)| name);
    variants(settings, sets, "Refresh period", &names, |at, feedback| Feedback {
        refresh: ALL[at].1,
        ..feedback
    })
}
