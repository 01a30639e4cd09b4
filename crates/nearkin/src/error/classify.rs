//! [`ClassifyError`]: what can go wrong in classifying.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in classifying.
    pub enum ClassifyError {
        // Training samples and queries.
        NotSquare { rows: usize, columns: usize, method: &'static str }
            => "the training matrix is {rows} × {columns}; {method} needs the similarities of the \
                training samples with each other, as many rows as columns";
        LabelsDisagree { rows: usize, labels: usize }
            => "the training matrix has {rows} rows and there are {labels} labels; they must agree";
        OneClass { class: String }
            => "every row is of class `{class}`; a classifier needs at least two classes";
        TakesOneMatrix { method: &'static str, given: usize }
            => "{method} takes one similarity matrix, {given} were given; sda and nn-sda take \
                several";
        FittedOnOneMatrix { asked: usize }
            => "the classifier was fitted on one similarity matrix and is asked with {asked}";
        MatricesDisagree { fitted: usize, given: usize }
            => "the classifier was fitted on {fitted} similarity matrices and is asked with \
                {given}, which must be of the same measures in the same order and of the same \
                queries";
        ReferencesDisagree { queries: usize, fitted: usize }
            => "the queries have similarities to {queries} references and the classifier was \
                fitted on {fitted}; they must be the same ones in the same order";
        MoreThanNeighbours => "this classifier asks for more than a query's neighbours";
        OtherTrainingRows { rows: usize, fitted: usize }
            => "the table has {rows} training rows and the classifier was fitted on {fitted}; \
                they must be the same ones in the same order";
        NoSuchClass { class: u32 } => "there is no class {class}";
        NeighbourhoodParts => "every neighbour has a class, and a similarity to all";

        // Similarities that a classifier cannot use.
        NegativeSimilarity { row: usize, column: usize, similarity: f64 }
            => "row {row}, column {column}: the similarity is {similarity}; adjusted-centroid \
                divides by mean similarities and needs them not negative: add a constant, or use \
                sda";
        NoSimilarityToCentroid { class: String, row: usize }
            => "every sample of class `{class}` has similarity 0 to its centroid, row {row}, which \
                cannot be divided by; use nearest-centroid or sda";
        SquaresOutOfRange { method: &'static str }
            => "{method}: the similarities are too large or too small for the squares of \
                deviations; multiply the whole matrix by a power of ten that brings it near 1";
        DifferencesOutOfRange { column: usize }
            => "psvm: the similarities to sample {column} are too large or too small to be told \
                apart; multiply the whole matrix by a power of ten that brings it near 1";
        NoStatistic { method: &'static str }
            => "{method} needs at least one statistic of at least one similarity matrix";
        Support { reason: SupportError } => "{reason}";

        // Tables that naive Bayes reads.
        TableLabelsDisagree { rows: usize, labels: usize }
            => "the table has {rows} rows and there are {labels} labels; they must agree";
        TooManyNumbers { column: String, count: usize }
            => "column `{column}` holds {count} different numbers; naive Bayes counts values: cut \
                it into classes first, or read it as nominal";
        NoSuchColumn { column: String }
            => "the table has no column `{column}`, which the classifier was fitted on";

        // Predictions.
        NoProbabilities
            => "this rule has no probabilities to be checked; use sda, nn-sda, local-sda, \
                mixture-sda or knn";
        NoExpectedCost
            => "this model gives no probabilities, so nothing can be expected of it; fit it with \
                probabilities, or use sda, nn-sda, local-sda, mixture-sda or knn";
        TruthDisagrees { predictions: usize, truth: usize, bins: usize }
            => "{predictions} predictions, {truth} true classes, {bins} bins; there must be a true \
                class for each, and at least one of everything";
    }
}

sentences! {
    /// Why a set of values cannot be the support of a law.
    pub enum SupportError {
        NotFinite { value: f64 } => "a support cannot hold {value}";
        Empty => "a support needs at least one value";
        TooWide { low: f64, high: f64 }
            => "values from {low} to {high} are too far apart; divide them by a constant";
        Grid { start: f64, step: f64, count: usize }
            => "a grid needs a start, a step above 0 and at least one value, got {start}, {step}, \
                {count}";
        Interval { low: f64, high: f64 }
            => "an interval needs a left end below its right one, got {low} and {high}";
    }
}

impl From<SupportError> for ClassifyError {
    fn from(reason: SupportError) -> Self {
        Self::Support { reason }
    }
}
