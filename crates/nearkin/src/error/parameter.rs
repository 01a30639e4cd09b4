//! [`ParameterError`]: what is wrong with the value of a parameter.

use super::classify::SupportError;
use crate::sentences::{listed, sentences};

sentences! {
    /// What is wrong with the value of a parameter; the parameter's name stands beside it.
    pub enum ParameterError {
        // Any parameter.
        TooSmall { min: f64, got: f64 } => "must be at least {min}, got {got}";
        TooLarge { max: f64, got: f64 } => "must be at most {max}, got {got}";
        Outside { min: f64, max: f64, got: f64 } => "must be from {min} to {max}, got {got}";
        NotBetween { low: f64, high: f64, got: f64 }
            => "must be above {low} and below {high}, got {got}";
        NotWhole { got: String } => "expected a whole number, got `{got}`";
        NotFinite { got: String } => "expected a finite number, got `{got}`";
        NotFlag { got: String } => "expected true or false, got `{got}`";
        NotOneOf { words: Vec<&'static str>, got: String }
            => "expected one of {}, got `{got}`", listed(words);
        NoSuchParameter { owner: String, known: Vec<&'static str> }
            => "{owner} has no such parameter; it has {}", listed(known);
        NoSuchMethod { id: String, what: &'static str, known: Vec<&'static str> }
            => "`{id}` is not {what}; there are {}", listed(known);

        // weigh.
        NoSuchRow { row: usize, rows: usize }
            => "row {row} does not exist; rows are 0 to {}", rows.saturating_sub(1);
        BadInterval { replicates: usize, level: f64 }
            => "needs replicates and a level between 0 and 1, got {replicates} and {level}";
        NoBlocks { method: &'static str } => "{method} has no form that works on blocks of rows";
        Sequential { method: &'static str }
            => "{method} is sequential by definition: the weights found so far change the \
                distances of the next target, so targets cannot be looked at side by side; use \
                relieff";
        IntervalOfBlocks
            => "a bootstrap draws among the contributions of all rows, which no block has; leave \
                it out, or weigh on one machine";
        IntervalOfClipped => "clipped weights are no means; use relieff for intervals";
        IntervalOfClassMeans => "intervals need the class scale sum or relieff";
        StirOfFar { method: &'static str }
            => "stir is about near rows and {method} counts far ones; use permutation";
        StirOfSquares => "stir needs plain differences and not squared ones";
        StirOfSums => "stir needs means, which the class scale relieff has";
        StirOfFeedback { method: &'static str }
            => "stir takes neighbours as given and {method} chooses them by the weights it tests, \
                so noise would pass; use relieff for stir";
        PriorsOfNearest
            => "the nearest misses of any class have no priors; leave them out";
        PriorsOfRelief => "relief takes the nearest miss of any class; leave them out";
        PriorsOfIRelief => "i-relief takes misses of all classes together; leave them out";
        PriorsOfSums
            => "sums over neighbours have no priors; the class scale relieff has; leave them out";
        PriorsOfResiduals
            => "association compares residuals, which know the shares of the classes; leave them out";
        AllRowsAreTargets => "association takes all rows as targets; leave it out";
        Components { most: usize, got: usize }
            => "expected from 1 to {most} components, the fewer of half the rows and all columns; \
                got {got}";
        PriorsOfReal => "a real target has no classes to have priors";
        RampEnds { different: f64, got: f64 }
            => "must be below ramp_different, {different}, got {got}";
        SampleTooLarge { rows: usize, got: usize }
            => "must be at most the number of rows, {rows}, got {got}";
        KMin { k_max: usize, got: usize } => "must be at most k_max = {k_max}, got {got}";
        RawFactors
            => "raw factors may cancel, and a policy that leaves columns out divides by them; \
                choose another normaliser or another policy for missing values";
        NoHalfArea { shape: f64 } => "no steepness leaves half the area for {shape}";
        Top { features: usize, got: usize } => "must be from 1 to {features} (features), got {got}";
        NotNumber => "must be a number";
        NotTested => "the features were not tested; ask for p-values when weighing";

        // learn.
        NotInBlocks
            => "would look for neighbours among all rows anew, which are in blocks; leave it out";
        SequentialRows
            => "sila is sequential by definition: every mistake changes the matrix that the next \
                row is judged by, so rows cannot be looked at side by side; use srbs";
        MatrixPerClass
            => "one-vs-rest learns a matrix a class, and blocks of rows one matrix; use multi-class";
        WhitenInBlocks
            => "looks at all rows together, and these are in blocks; leave it, or whiten rows \
                before";
        WhitenCounts { norm: &'static str }
            => "turns 0 and 1 into other numbers, and {norm} counts them; leave it";
        WhitenSparse
            => "would turn the zeros of sparse rows into other numbers; leave it, or give dense \
                rows";
        WhitenByNothing { why: &'static str } => "has nothing to go by: {why}";
        WhitenFlat { flat: usize, size: usize }
            => "rows that belong together are all the same in {flat} of {size} directions, which \
                it would stretch without end; give less than 1, such as 0.9";
        UnusedByTriplets
            => "plays no part: triplets say which rows belong together; leave it";
        UnusedByDistance { why: &'static str }
            => "{why}; leave it, or say `used_as` similarity";
        Narrower => "is narrower than that of the similarity to go on from";
        NotDiagonal { columns: usize }
            => "must be diagonal for sparse rows: any other would hold {columns} × {columns} \
                numbers";
        ReliefNotDiagonal
            => "must be diagonal: relief weighs single features; relief-psd also learns a \
                symmetric matrix";
        NotKept { kept: usize, got: usize }
            => "must be at most {kept}, the sums that were kept, got {got}";
        NothingToTry => "there must be at least one number of neighbours to try";
        OneNumberOfTargets
            => "there is one number of targets that rows are whitened by; try one, or whiten by \
                classes";
        JudgingFolds { rows: usize, got: usize }
            => "must be from 2 to {rows}, the number of rows, got {got}";

        // classify.
        Empty => "needs at least one value";
        ListNotWhole { min: usize, got: f64 }
            => "must be whole numbers of at least {min}, got {got}";
        ListTooSmall { min: f64, got: f64 } => "must be numbers of at least {min}, got {got}";
        NoneBelowRows { most: usize } => "none is at most {most}, the training rows less one";
        NotOneEachClass { given: usize, classes: Vec<String> }
            => "{given} given for {} classes ({})", classes.len(), listed(classes);
        CostsDisagree { given: usize, classes: Vec<String> }
            => "{given} given; {0} classes ({1}) need {0} × {0}: for every class said, the cost \
                under each true class", classes.len(), listed(classes);
        NegativeOrInfinite { got: f64 } => "must be finite and not below 0, got {got}";
        SupportUndeclared => "is for a declared support; set support as well";
        SupportNeeds { support: String, needs: &'static str }
            => "support `{support}` needs {needs}";
        SupportTooNarrow { low: f64, high: f64, value: f64 }
            => "the support reaches from {low} to {high} and a training value is {value}; widen it";
        Support { reason: SupportError } => "{reason}";

        // evaluate.
        NothingToChoose => "has no value to choose from";
        NoProbabilities { classifier: String }
            => "{classifier} gives no probabilities; choose by accuracy instead";
        ReadsColumns { method: String, instead: &'static str }
            => "{method} reads the columns themselves; {instead}";
        NeedsTable { method: String } => "{method} reads the columns of a table: give one";
        NoFactors { measure: String }
            => "{measure} takes no factors; keep the best features instead (weights.keep), or take \
                the distance manhattan or euclidean";
        OwnFactors
            => "a learned similarity has factors of its own; keep the best features instead \
                (weights.keep), or take a plain similarity";
        AlreadySimilarities => "the data are similarities already: use `given`, and no weights";
        GivenOnTable
            => "`given` is for a similarity matrix; a table needs a metric, a norm or a learner";
        OneSimilarityAClass
            => "one similarity a class was learned, which the rules knn(k=…) and sknn(k=…) can use; \
                for other classifiers learn with mode multi-class";
        NotAnId { text: String }
            => "`{text}` is not an id, or an id with settings such as `srbs(beta=10)`";
        NoSuchSetting { method: String } => "{method} has no such setting";
        NoSuchSimilarity { text: String, measures: Vec<&'static str>, learners: Vec<&'static str> }
            => "`{text}` is no similarity; there are given, dot, {}, and learned ones: {}",
            listed(measures), listed(learners);
        NotFromOne { got: String } => "must be a whole number from 1 on, got `{got}`";
        NoWeightsYet => "set `weights` to a method first";
        NoSettings { similarity: String } => "the similarity {similarity} has no settings";
        RuleHasOnlyK => "a neighbour rule has the setting k alone";
        NoPartOfPipeline
            => "is no part of a pipeline; there are scaling, weights, similarity and classifier, \
                and settings of their methods such as similarity.beta";

        // measure.
        Negative { got: f64 } => "must be 0 or more, got {got}";
        ZerosWouldMove { column: String }
            => "would turn the zeros of sparse column `{column}` into other numbers; use none, or \
                give dense rows";
        Unscaled { word: String }
            => "`{word}` is the range of a scaled column and the columns are not scaled; scale \
                them, or leave missing cells out";

        // data.
        SplitSizes { rows: usize, train: usize, test: usize }
            => "needs at least one training and one test row and {rows} rows in all, got {train} \
                and {test}";
        HoldOutShare { got: f64 } => "a hold-out is a share above 0 and below 1, got {got}";
        FoldCount { units: usize, what: &'static str, got: usize }
            => "folds must be from 2 to {units} (there are {units} {what}), got {got}";
        TooFewToCut { what: &'static str, got: usize } => "needs at least 2 {what}, got {got}";
        PriorCount { given: usize, classes: Vec<String> }
            => "{given} given for {} classes ({})", classes.len(), listed(classes);
        PriorNotPositive => "every class needs a probability above 0";

        // simulate.
        TooManyCells { rows: usize, columns: f64, most: usize }
            => "{rows} rows of {columns} columns are more than {most} cells, the most a simulated \
                table may have; ask for fewer rows or columns";
        TooManyCentroids { centroids: usize, features: usize }
            => "{centroids} of {features} features are too many to hold";
        MinTests { most: usize, got: usize }
            => "must be at most max_tests and the number of relevant features, {most}, got {got}";
        Robots { robots: usize, got: usize }
            => "there are {robots} different robots, got {got}";
        Order { got: usize } => "must be 2 or 3 loci, got {got}";
        FrequencyRange
            => "must be two frequencies, the lowest and the highest, such as 0.05,0.5";
        Frequencies { loci: usize, got: usize }
            => "must be one frequency for all loci or one for each of the {loci}, got {got}";
        NotMinor { got: f64 }
            => "a minor allele's frequency is above 0 and at most 0.5, got {got}";
        Heritability { asked: f64, prevalence: f64, maf: Vec<f64>, most: f64 }
            => "{asked} cannot be reached without effects of fewer loci at prevalence {prevalence} \
                and minor allele frequencies {maf:?}; the largest found is {most:.4}. Ask for \
                less, or raise the frequencies";

        // stats.

        // neighbors.

        // model.
        NoSuchMeasure { id: String, known: Vec<&'static str>, learners: Vec<&'static str> }
            => "`{id}` is not a measure; there are {}, and those that learn one: {}",
            listed(known), listed(learners);
    }
}
