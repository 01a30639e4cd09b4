//! [`EvaluateError`]: what can go wrong in evaluating.

use super::Error;
use crate::sentences::{listed, sentences};

sentences! {
    /// What can go wrong in evaluating.
    pub enum EvaluateError {
        // A study and its trials.
        LabelsDisagree { rows: usize, labels: usize }
            => "there are {rows} rows and {labels} labels; they must agree";
        OneClass => "every row is of one class; there is nothing to evaluate";
        OtherStudy
            => "a finished trial does not belong to this study; resume with the same data, plans \
                and seed, or begin a new file";
        NoCandidate => "there is no candidate";
        // Read from a file of finished trials: the sentence that was kept there.
        Kept { sentence: String } => "{sentence}";

        // Answers and what they come to.
        AnswersDisagree { answers: usize, rows: usize }
            => "{answers} predictions for {rows} rows; there must be one for each, and at least \
                one";
        ProbabilitiesDisagree => "every row needs a probability for each class";
        NoSuchClass { classes: usize } => "a class code is not below {classes}";
        NoAnswers { plan: String, reason: Option<Box<Error>> } => "{plan}: {}",
            reason.as_ref().map_or("it has no trials".to_owned(), |reason| reason.to_string());

        // Pipelines.
        PipelineNeedsClasses
            => "a pipeline answers with classes and the target is a real number; tell the reader \
                that the target holds classes";
        NoTrainingRow => "there is no row to learn from";
        NoQuery => "there is no row to classify";
        TrainingMatrix { rows: usize, columns: usize, labels: usize }
            => "the training matrix is {rows} × {columns} and there are {labels} labels; the three \
                must agree";
        FittedOnSimilarities
            => "the pipeline was fitted on similarities; give those of the queries to its training \
                samples";
        FittedOnTable => "the pipeline was fitted on a table; give the queries as rows of one";
        BayesReadsColumns => "naive Bayes reads the columns of a table";
        NotLearned => "the similarity was not learned";
        NoColumn { column: String }
            => "the table has no column `{column}`, which the pipeline was fitted on";
        NoStep { step: String, classifiers: Vec<&'static str>, similarities: Vec<&'static str>, learners: Vec<&'static str> }
            => "`{step}` is no step of a pipeline; there are classifiers ({}, naive-bayes), \
                similarities (dot, {}, and learned ones: {}), scalings (minmax, zscore, none), and \
                `best 5 by METHOD` or `weighed by METHOD` with a method that weighs features",
            listed(classifiers), listed(similarities), listed(learners);
        StepTwice { first: String, second: String, what: &'static str }
            => "`{first}` and `{second}` are both {what}; leave one out";
        AfterClassifier { classifier: String, step: String }
            => "`{step}` comes after the classifier `{classifier}`; put it before";

        NothingInCommon
            => "the two plans have no trial in common that gave answers";

        // A learned similarity beside others.
        NoTestRows => "there are no rows to test on, or they lack classes";
        NothingLearned => "nothing was learned";

        // Studies of weights.
        NeedsClasses => "the target is a real number, and classes are needed";
        ClassNotDrawn
            => "a class has no training row in one of the splits; take more rows or stratify";
        NotSeparable => "separability needs at least one relevant and one irrelevant feature";
    }
}
