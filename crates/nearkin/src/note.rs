//! [`Note`]: facts and warnings about an answer, as values.

use crate::error::Error;
use crate::sentences::{listed, sentences};

sentences! {
    /// A fact or a warning about an answer that was given all the same.
    pub enum Note {
        // Read from a saved model: the sentence that was saved.
        Saved { told: String } => "{told}";

        // weigh.
        ClassOfOneRow { class: String }
            => "class `{class}` has one row: it has no neighbour of its own class";
        ClassBelowK { class: String, rows: usize, k: usize }
            => "class `{class}` has {rows} rows: fewer than k = {k} neighbours are averaged there";
        ConstantColumns { first: String, count: usize } => "{}", columns(
            first, *count, "is constant and gets weight 0", "are constant and get weight 0");
        AllMissingColumns { first: String, count: usize } => "{}", columns(
            first, *count, "has no known value and takes no part",
            "have no known value and take no part");
        NothingSelected { rule: String } => "no feature is selected by {rule}";
        FixedRows { rows: usize, movable: usize }
            => "{rows} rows are alone in their stratum and never move; {movable} rows can move";
        RelatedRows { rows: usize, pairs: usize }
            => "{rows} rows have a relative in the table as near as a half sib ({pairs} pairs, by \
                their genotypes); relatives share traits for reasons of their own: exchange \
                within families, as strata, or expect false calls";
        RowsWithoutNear { rows: usize }
            => "{rows} rows have no near row and count for nothing";
        StirOfUnequalClasses { large: String, largest: usize, small: String, smallest: usize }
            => "class `{large}` has {largest} rows and class `{small}` {smallest}: with classes this \
                unequal the p-values of stir do not hold, for noise gets small ones too; those of \
                the method association do";
        FewExchanges { exchanges: usize, features: usize, asked: f64, together: usize, needed: usize }
            => "{exchanges} permutations are few for {features} features: q reaches {asked} only \
                {}; one feature alone needs {needed} permutations, and the method association has \
                no such bound",
            together_of(*together, *features);
        ExchangesEnded { done: usize, asked: usize }
            => "ended after {done} of {asked} permutations: no feature can be called any more";
        FewTargets { count: usize }
            => "{count} targets are few for a method that feeds weights back; expect weights to \
                depend on the order of rows";
        WeightsMoved { steps: usize, sigma: f64 }
            => "the weights still moved after {steps} steps; allow more iterations, or try a \
                larger sigma than {sigma}";

        // measure.
        Amounts { norm: &'static str }
            => "{norm} is meant for 0/1 columns and some values are others: they are taken as \
                amounts{}",
            if *norm == "jaccard" { ", and where they exceed 1 the norm can fall below 0" } else { "" };

        // learn.
        AgainstRest { class: String, note: Box<Note> } => "class `{class}`: {note}";
        NoTargetOfClass { class: String }
            => "class `{class}` has one row, which has no target neighbour of its class";
        FewTargetsOfClass { class: String, rows: usize, k: usize }
            => "class `{class}` has {rows} rows: fewer than k = {k} target neighbours there";
        SymmetricAnyway { method: &'static str }
            => "{method}: a positive semi-definite matrix is symmetric, so that `full` learns what \
                `symmetric` does";
        MatrixMoved { steps: usize } => "the matrix still moved after {steps} steps";
        RowsStillMistaken { epoch: usize }
            => "rows still made the matrix move in epoch {epoch}";

        // classify.
        KAboveRows { k: usize, rows: usize }
            => "k is {k} and there are {rows} training rows: all of them are neighbours";
        LawOfOneRow { class: String }
            => "class `{class}` has one row: its law of its own nearest neighbour is that of all \
                classes";
        GatheredValues { values: usize, cells: usize }
            => "the training matrix has {values} different values; laws are fitted on {cells} cells \
                of them";
        MachineWeights { c: f64, epsilon: f64, used: usize, weights: usize }
            => "C = {c}, ε = {epsilon}: {used} of {weights} weights are not 0";
        MachinesNotSettled { unsettled: usize, machines: usize }
            => "{unsettled} of {machines} machines had not come to rest after all sweeps; allow \
                more, or a larger tolerance";
        NoHeldOutScores
            => "no fold leaves samples of two classes that the rule can be fitted to, so \
                probabilities are the priors; classes need two samples or more";

        // evaluate.
        LeftOut { name: String, reason: Box<Error> } => "no row for {name}: {reason}";

        // simulate.
        FlippedClasses { count: usize } => "{count} classes were flipped";
        DecisionRule { tests: Vec<String>, class: usize }
            => "if {} then {class}", tests.join(" and ");
        UnreadFeatures { features: Vec<String> } => "no rule reads {}", listed(features);
        GeneticModel {
            model: usize,
            maf: Vec<f64>,
            prevalence: f64,
            heritability: f64,
            penetrances: Vec<f64>,
        } => "model {model}: minor allele frequencies {maf:?}, prevalence {prevalence:.4}, \
              heritability {heritability:.4}, penetrances (last locus fastest) {}",
            spaced(penetrances);
        RowsExplained { model: usize, count: usize, rows: usize }
            => "model {model} explains {count} of {rows} rows";
        Centroid { class: usize, bits: Vec<u16> }
            => "centroid of class {class}: {}", bits.iter().map(u16::to_string).collect::<String>();
    }
}

/// A sentence about one column by name, or about several by number.
fn columns(first: &str, count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("column `{first}` {one}"),
        _ => format!("{count} columns {many}, `{first}` first"),
    }
}

/// How many features must lie above all exchanges at once.
fn together_of(together: usize, features: usize) -> String {
    match together <= features {
        true => format!("where {together} features or more lie above all permutations at once"),
        false => "with more permutations".into(),
    }
}

/// Probabilities with four digits, a space between them.
fn spaced(cells: &[f64]) -> String {
    cells.iter().map(|cell| format!("{cell:.4}")).collect::<Vec<_>>().join(" ")
}

/// Who should hear of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A fact beside the answer.
    Information,
    /// The answer may not be what was meant: the data or the settings want a second look.
    Warning,
    /// The method stopped at its limit of rounds before its answer came to rest.
    NotConverged,
}

impl Note {
    /// Who should hear of it.
    pub fn severity(&self) -> Severity {
        match self {
            Self::AgainstRest { note, .. } => note.severity(),
            Self::ClassOfOneRow { .. }
            | Self::StirOfUnequalClasses { .. }
            | Self::FewExchanges { .. }
            | Self::NoTargetOfClass { .. }
            | Self::LawOfOneRow { .. }
            | Self::RelatedRows { .. }
            | Self::NoHeldOutScores => Severity::Warning,
            Self::WeightsMoved { .. }
            | Self::MatrixMoved { .. }
            | Self::MachinesNotSettled { .. } => Severity::NotConverged,
            _ => Severity::Information,
        }
    }
}
