//! [`WeighError`]: what can go wrong in weighing features.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in weighing features.
    pub enum WeighError {
        // The table and its target.
        NeedsClasses { method: &'static str }
            => "{method} needs classes and the target is a real number; use rrelieff, or tell the \
                reader that the target holds classes";
        NeedsReal { method: &'static str }
            => "{method} needs a real target and this one holds classes; use relieff, or tell the \
                reader that the target is real";
        OneClass { class: String }
            => "every row is of class `{class}`; a weighting method needs at least two classes";
        Identifier { classes: usize, rows: usize }
            => "the target has {classes} classes in {rows} rows; is it an identifier, or a real \
                number? Choose another target, or tell the reader that it is real and use rrelieff";
        TooFewRows { rows: usize }
            => "the table has {rows} row(s); neighbours need at least two";
        ConstantTarget { value: f64 }
            => "the target is {value} in every row; there is nothing to explain";
        TargetTooWide => "the target's values are too far apart; divide them by a constant";
        ColumnTooWide { column: String, span: f64 }
            => "differences in column `{column}` reach {span:e}, which squared is no number; set \
                scale to minmax, or divide the column by a constant";

        // The weights.
        NotFinite { column: String, weight: f64 }
            => "the weight of `{column}` is {weight}: its values are too large or too small to \
                compute with; rescale the column";
        NonePositive
            => "no feature has a positive weight: hits are as far as misses everywhere; look at \
                the plain weights with relieff";
        NoMetric
            => "no feature has a positive weight, so there is no metric to make of them; look at \
                the plain weights with relieff";
        NoClassWeights => "there are no weights per class; ask for them when weighing (per_class)";
        NoPairWeights
            => "there are no weights for pairs of classes; ask for them when weighing (pairs)";

        // Extras: results beside the weights.
        ExtrasOfMaximum
            => "relief-seq takes a maximum over k: weights per class or row, stir and intervals \
                are not defined; permutation p-values are";
        ExtrasOfFixedPoint
            => "i-relief's weights are a fixed point, not a mean over rows: weights per class or \
                row, stir and intervals are not defined; permutation p-values are";
        ExtrasWithoutNeighbours
            => "myopic-relieff has no neighbours: weights per class or row, stir and intervals \
                are not defined; permutation p-values are";
        ExtrasOfWrapper { wrapper: &'static str }
            => "{wrapper} weighs features in different tables: weights per class or row, stir and \
                intervals are not defined; permutation p-values are";
        ExtrasOfReal
            => "a real target has no classes, hits or misses: weights per class or row and stir \
                are not defined; permutation p-values and intervals are";

        // Tables in blocks.
        NeedsWhole { method: &'static str, why: NeedsWhole }
            => "{method} needs all rows in one place: {why}";
        NoRadius => "a method with a radius was expected";
        NotReal => "a real target was expected";
        NoCodes => "a real target has no codes";
        OtherTarget { method: &'static str }
            => "a block's target is of another kind, or has other classes, than {method} knows of";
        BlockRowsDisagree { rows: usize, target: usize }
            => "a block has {rows} rows and its target {target}; they must agree";
        NumbersDisagree { numbers: usize, queries: usize }
            => "{numbers} row numbers were given for {queries} queries";
        TooFewForTargets { rows: usize, targets: usize }
            => "{rows} rows were given for {targets} targets and a block";
        NotGathered
            => "a neighbour is not among the rows; the rows were gathered for another run";
        UnknownMissing
            => "a cell is missing in a block, and the summary tells of none; summarise all blocks";
        BeyondSummary { column: String, cell: f64, low: f64, high: f64 }
            => "column `{column}` holds {cell} in a block, and the summary tells of {low} to \
                {high}; summarise all blocks";
        SumsExpected { targets: usize } => "sums of {targets} targets were expected";
        LimitsExpected { targets: usize } => "limits of {targets} targets were expected";
        OtherSums => "these are not the sums of this method";
        SumsOfOthers => "these are not the sums of these targets";
        OtherCounts => "these are not the counts of all columns";

        // Association.
        MissingCovariate { column: String, row: usize }
            => "row {row} has no value of the covariate `{column}`; leave the row out or fill the \
                cell";
        CovariateSeparates { covariate: String }
            => "the covariate `{covariate}` tells a class apart without error, so nothing of the \
                target is left to explain; leave it out";
        NothingLeft
            => "the target is constant or follows from the covariates without error; nothing is \
                left to test";
        GivenRows { table: usize, given: usize }
            => "the table has {table} rows, a covariate, the strata or a further target {given}; they \
                must agree";
        FewMovable { movable: usize, least: usize }
            => "{movable} rows lie in a stratum with two different values of the target; a test \
                needs at least {least}";
        NoCovariates { method: &'static str }
            => "{method} does not adjust for covariates; the method association does, and rrelieff \
                for a real target";
        NoStrata { method: &'static str }
            => "{method} draws nothing within strata; the method association does, and permutation \
                p-values of any method do";
        OneTarget { method: &'static str }
            => "{method} explains one target; the method association takes several at once";
        AssociationAlone
            => "association has no weights per class, pairs or intervals; it has p-values of its \
                own";
    }
}

sentences! {
    /// Why targets cannot meet the rows of a table block by block.
    #[derive(Copy)]
    pub enum NeedsWhole {
        SharedPlaces
            => "rows that share a place at equal distance may be in any block; use ties=index";
        FewRows => "fewer than 4096 rows are summed in an order that crosses blocks";
        MissingCells => "who makes good for a missing cell may be in any block; fill them in";
        Ramps => "ramps are summed in an order that crosses blocks";
        Squares => "squares for p-values are summed in an order that crosses blocks";
        Reach => "a column reaches too far for whole numbers; scale it";
    }
}
