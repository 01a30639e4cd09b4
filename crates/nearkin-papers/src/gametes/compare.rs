//! Ours beside theirs: means, standard errors and a verdict with its reason.

use serde_json::Value;

use super::super::report::Section;
use super::groups::Kind;
use nearkin_cli::columns::aligned;

/// One replicate's outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    pub auc: f64,
    /// All predictive features stand on top.
    pub top: bool,
    /// scikit-rebate's, where recorded.
    pub peer: Option<(f64, bool)>,
}

/// How ours stands to theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Better,
    NotWorse,
    Worse,
    NotRecorded,
}

impl Standing {
    fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::NotWorse => "not worse",
            Self::Worse => "worse beyond one standard error",
            Self::NotRecorded => "not recorded",
        }
    }
}

/// Mean and standard error; the latter needs two values.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Mean {
    mean: f64,
    error: Option<f64>,
}

impl Mean {
    fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let error = (values.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt());
        Some(Self { mean, error })
    }

    fn shown(self) -> String {
        match self.error {
            Some(error) => format!("{:.4} ±{error:.4}", self.mean),
            None => format!("{:.4}", self.mean),
        }
    }

    fn standing(self) -> Standing {
        // A single replicate that differs has a mean of just one standard error: it counts.
        let beyond = self.mean.abs() > (self.error.unwrap_or(0.0) - 1e-9).max(1e-12);
        match (beyond, self.mean > 0.0) {
            (false, _) => Standing::NotWorse,
            (true, true) => Standing::Better,
            (true, false) => Standing::Worse,
        }
    }
}

/// A method on a group.
pub struct Line {
    pub method: &'static str,
    group: String,
    peer: &'static str,
    replicates: usize,
    auc: Option<Mean>,
    power: f64,
    peer_auc: Option<Mean>,
    peer_power: Option<f64>,
    /// Ours on the replicates that theirs was recorded on.
    paired: Option<(f64, f64)>,
    differences: Vec<f64>,
    reason: &'static str,
}

const HEAD: [&str; 10] = [
    "group",
    "replicates",
    "AUC",
    "power",
    "theirs on",
    "AUC",
    "power",
    "difference",
    "verdict",
    "why they may differ",
];
/// The heads of [`Line::values`].
pub const COLUMNS: [&str; 15] = [
    "group",
    "method",
    "peer_method",
    "replicates",
    "auc",
    "auc_error",
    "power",
    "recorded",
    "peer_auc",
    "peer_auc_error",
    "peer_power",
    "difference",
    "difference_error",
    "verdict",
    "reason",
];

impl Line {
    /// True when it is about this method on this group.
    pub fn is_of(&self, group: &str, method: &str) -> bool {
        (self.group.as_str(), self.method) == (group, method)
    }

    /// Our mean AUC.
    pub fn mean_auc(&self) -> String {
        self.auc.map_or("-".into(), |auc| format!("{:.4}", auc.mean))
    }

    pub fn new(
        group: &str,
        kind: Kind,
        (method, peer): (&'static str, &'static str),
        scores: &[Score],
    ) -> Self {
        let share =
            |marks: &[bool]| marks.iter().filter(|m| **m).count() as f64 / marks.len() as f64;
        let aucs: Vec<f64> = scores.iter().map(|score| score.auc).collect();
        let tops: Vec<bool> = scores.iter().map(|score| score.top).collect();
        let (peer_aucs, peer_tops): (Vec<f64>, Vec<bool>) =
            scores.iter().filter_map(|score| score.peer).unzip();
        let paired: Vec<&Score> = scores.iter().filter(|score| score.peer.is_some()).collect();
        let paired_aucs: Vec<f64> = paired.iter().map(|score| score.auc).collect();
        let paired_tops: Vec<bool> = paired.iter().map(|score| score.top).collect();
        let differences =
            scores.iter().filter_map(|score| Some(score.auc - score.peer?.0)).collect();
        Self {
            method,
            group: group.to_owned(),
            peer,
            replicates: scores.len(),
            auc: Mean::of(&aucs),
            power: share(&tops),
            peer_auc: Mean::of(&peer_aucs),
            peer_power: (!peer_tops.is_empty()).then(|| share(&peer_tops)),
            paired: Mean::of(&paired_aucs).map(|auc| (auc.mean, share(&paired_tops))),
            differences,
            reason: reason(kind, method),
        }
    }

    fn standing(&self) -> Standing {
        Mean::of(&self.differences).map_or(Standing::NotRecorded, Mean::standing)
    }

    /// Why the two may differ, where they do.
    fn reason(&self) -> &'static str {
        if self.differences.iter().any(|d| d.abs() > 1e-12) { self.reason } else { "" }
    }

    /// Cells for people.
    fn shown(&self) -> Vec<String> {
        let mean = |mean: Option<Mean>| mean.map_or("-".into(), Mean::shown);
        let power = |power: Option<f64>| power.map_or("-".into(), |power| format!("{power:.2}"));
        vec![
            self.group.clone(),
            self.replicates.to_string(),
            mean(self.auc),
            power(Some(self.power)),
            self.differences.len().to_string(),
            mean(self.peer_auc),
            power(self.peer_power),
            mean(Mean::of(&self.differences)),
            self.standing().word().into(),
            self.reason().into(),
        ]
    }

    /// Cells for data frames.
    pub fn values(&self) -> Vec<Value> {
        let of = |mean: Option<Mean>| {
            [mean.map(|m| m.mean).into(), mean.and_then(|m| m.error).into()] as [Value; 2]
        };
        let [auc, auc_error] = of(self.auc);
        let [peer_auc, peer_auc_error] = of(self.peer_auc);
        let [difference, difference_error] = of(Mean::of(&self.differences));
        vec![
            self.group.as_str().into(),
            self.method.into(),
            self.peer.into(),
            self.replicates.into(),
            auc,
            auc_error,
            self.power.into(),
            self.differences.len().into(),
            peer_auc,
            peer_auc_error,
            self.peer_power.into(),
            difference,
            difference_error,
            self.standing().word().into(),
            self.reason().into(),
        ]
    }
}

/// Where the two go different ways.
fn reason(kind: Kind, method: &str) -> &'static str {
    match (kind, method) {
        (_, "relief-seq" | "pdrelieff") => "another method than ReliefF",
        (Kind::Real, _) => "RReliefF; theirs calls rows within a deviation hits",
        (Kind::Missing, "surf" | "surf-star") => {
            "missing cells as in Relief-D; theirs left out, and its radius halves"
        }
        (Kind::Missing, _) => "missing cells as in Relief-D; theirs left out",
        (Kind::Classes, _) => "class priors; theirs has none",
        (Kind::Mixed, _) => "theirs counts mismatches for more and ramps numbers",
        (Kind::Categories, "relieff") => "ties by row; theirs by an unstable sort",
        (Kind::Categories, "relieff-stable") => "same weights; rounding tells equal ones apart",
        (Kind::Categories, "relieff-shared") => "ties share places; theirs by an unstable sort",
        _ => "same definition: rounding at the edge of the radius",
    }
}

/// All replicates of a method together.
pub struct Pooled {
    pub replicates: usize,
    difference: Option<Mean>,
    groups: [usize; 3],
}

/// Pool the lines of one method, every group counting the same.
pub fn pooled(lines: &[&Line]) -> Pooled {
    let means: Vec<f64> =
        lines.iter().filter_map(|line| Some(Mean::of(&line.differences)?.mean)).collect();
    let count = |wanted| lines.iter().filter(|line| line.standing() == wanted).count();
    Pooled {
        replicates: lines.iter().map(|line| line.differences.len()).sum(),
        difference: Mean::of(&means),
        groups: [Standing::Better, Standing::NotWorse, Standing::Worse].map(count),
    }
}

impl Pooled {
    /// True when the mean over groups lies below zero by more than its standard error.
    pub fn is_worse(&self) -> bool {
        self.difference.is_some_and(|difference| difference.standing() == Standing::Worse)
    }

    /// The figures in words.
    pub fn told(&self) -> String {
        let [better, even, worse] = self.groups;
        match self.difference {
            None => "nothing was recorded for these groups".into(),
            Some(difference) => format!(
                "mean difference of AUC over {} groups ({} replicates) {}; better in {better}, \
                 not worse in {even}, worse beyond one standard error in {worse}",
                better + even + worse,
                self.replicates,
                difference.shown()
            ),
        }
    }
}

/// One line a group.
pub fn table(title: String, lines: &[&Line]) -> Section {
    let rows: Vec<Vec<String>> = lines.iter().map(|line| line.shown()).collect();
    Section::text(title, aligned(&HEAD, &rows, &[1, 2, 3, 4, 5, 6, 7]))
}

/// The groups that nothing was recorded for.
pub fn unrecorded(lines: &[Line]) -> Option<String> {
    let mut groups: Vec<&str> = Vec::new();
    for line in lines.iter().filter(|line| line.differences.is_empty()) {
        if !groups.contains(&line.group.as_str()) {
            groups.push(&line.group);
        }
    }
    let list = groups.join(", ");
    (!groups.is_empty())
        .then(|| format!("scikit-rebate was not run, or not by all methods, on {list}"))
}

/// One line a method.
pub fn summary(methods: &[&str], lines: &[Line]) -> Section {
    let mut rows = Vec::new();
    for method in methods {
        let own: Vec<&Line> = lines.iter().filter(|line| line.method == *method).collect();
        let mean = |of: &dyn Fn(&Line) -> Option<f64>| {
            let values: Vec<f64> = own
                .iter()
                .filter(|line| !line.differences.is_empty())
                .filter_map(|l| of(l))
                .collect();
            Mean::of(&values).map_or("-".into(), |mean| format!("{:.4}", mean.mean))
        };
        let pooled = pooled(&own);
        let [better, even, worse] = pooled.groups.map(|count| count.to_string());
        rows.push(vec![
            (*method).to_owned(),
            (pooled.groups.iter().sum::<usize>()).to_string(),
            mean(&|line| line.paired.map(|(auc, _)| auc)),
            mean(&|line| line.peer_auc.map(|m| m.mean)),
            mean(&|line| line.paired.map(|(_, power)| power)),
            mean(&|line| line.peer_power),
            pooled.difference.map_or("-".into(), Mean::shown),
            better,
            even,
            worse,
        ]);
    }
    let head = [
        "method",
        "groups",
        "AUC",
        "theirs",
        "power",
        "theirs",
        "difference of AUC",
        "better",
        "not worse",
        "worse",
    ];
    Section::table(
        "All replicates that were recorded for both, every group counting the same",
        &head,
        &rows,
        "",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(pairs: &[(f64, f64)]) -> Line {
        let score = |&(auc, peer)| Score { auc, top: auc == 1.0, peer: Some((peer, peer == 1.0)) };
        let scores: Vec<Score> = pairs.iter().map(score).collect();
        Line::new("g", Kind::Categories, ("relieff", "relieff"), &scores)
    }

    #[test]
    fn a_difference_counts_beyond_its_standard_error() {
        assert_eq!(line(&[(0.9, 0.9), (1.0, 1.0)]).standing(), Standing::NotWorse);
        assert_eq!(line(&[(0.9, 0.8), (1.0, 0.9)]).standing(), Standing::Better);
        assert_eq!(line(&[(0.8, 0.9), (0.9, 1.0)]).standing(), Standing::Worse);
        assert_eq!(line(&[(0.8, 0.9), (0.9, 0.8)]).standing(), Standing::NotWorse);
        assert_eq!(line(&[(0.8, 0.9), (1.0, 1.0), (1.0, 1.0)]).standing(), Standing::Worse);
        assert!(line(&[(1.0, 1.0)]).reason().is_empty());
        assert!(line(&[(1.0, 0.9)]).shown()[9].contains("ties by row"));
    }

    #[test]
    fn groups_count_the_same_whatever_their_replicates() {
        let (a, b) = (line(&[(0.5, 0.4)]), line(&[(0.5, 0.6), (0.5, 0.6), (0.5, 0.6)]));
        let pooled = pooled(&[&a, &b]);
        assert!(pooled.difference.unwrap().mean.abs() < 1e-12 && !pooled.is_worse());
        assert_eq!((pooled.replicates, pooled.groups), (4, [1, 0, 1]));
    }
}
