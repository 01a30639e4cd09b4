//! [`LearnError`]: what can go wrong in learning a similarity.

use super::{Error, ErrorKind};
use crate::sentences::{listed, sentences};

sentences! {
    /// What can go wrong in learning a similarity.
    pub enum LearnError {
        NoNumberOfNeighbours => "there is no k to try";
        OneForEachClass { similarities: usize }
            => "{similarities} similarities were learned, one a class, and a measure is one; \
                learn with mode multi-class";
        NoClasses => "a similarity is learned from classes, and there are none";
        AgainstRest { class: String, reason: Box<Error> }
            => "class `{class}` against the rest: {reason}";

        // Classes, triplets and rows.
        RealTarget { method: &'static str }
            => "{method} needs classes and the target is a real number; tell the reader that the \
                target holds classes, or weigh features with rrelieff";
        OneClass { class: String }
            => "every row is of class `{class}`; learning a similarity needs at least two classes";
        TooFewClasses => "learning a similarity needs at least two classes";
        NoTargets
            => "every class has a single row, so no row has a neighbour of its own class to be \
                drawn to; join classes or add rows";
        NoTriplets => "there is no triplet to learn from";
        TripletBeyond { triplet: usize, row: u32, rows: usize }
            => "triplet {triplet} is about row {row}, and rows are 0 to {}", rows.saturating_sub(1);
        TripletRepeats { triplet: usize, places: (&'static str, &'static str), row: u32 }
            => "triplet {triplet}: {} and {} are the same row, {row}; give three different rows",
            places.0, places.1;
        ReliefOfSparse
            => "RELIEF looks at differences in every column; give dense rows, or learn from sparse \
                ones with sila, rbs or srbs";
        TooSmallToWhiten { column: String }
            => "column `{column}` holds numbers too small to be whitened; scale the columns";

        // Going on from what was learned before.
        OtherColumns
            => "the rows have other columns than the similarity to go on from; give the same \
                columns in the same order";
        OtherMatrices { before: usize, now: usize }
            => "what was learned before has {before} matrices and this would have {now}; use the \
                same mode and classes";
        ClosedForm { method: &'static str }
            => "{method} finds its matrix in one step, so there is nothing to go on with; learn \
                anew, or go on with sila or srbs";

        // Learning itself.
        StepsGrow
            => "the steps grow beyond what a computer holds; use a smaller beta or lambda, or \
                scale the columns";
        NumbersGrow
            => "the numbers grow beyond what a computer holds; scale the columns, or use the norm \
                cosine";
        NoPositiveWeight
            => "no feature has a positive weight, so there is no metric to make of them; look at \
                the weights of relief, or at those of `nearkin weigh`";
        NoPositiveEigenvalue
            => "the learned matrix has no positive eigenvalue, so no positive semi-definite one is \
                near it; use the method without -psd";
        Balanced
            => "targets and impostors balance out in every feature, so no matrix has a positive \
                sum of margins; try sila, or another k";
        NothingTellsApart
            => "rows and their nearest rows of other classes are the same, so no similarity tells \
                the classes apart; add columns, or start from identity";

        // Choosing settings.
        ChoosingNeedsClasses
            => "settings are chosen by how well rows are classified, so rows need classes";
        ChoosingFromStart => "settings are chosen from the start; leave out what to go on from";
        NoRowsToJudge => "there must be rows to learn from and rows that judge";
        OneClassLeft => "rows to learn from must be of at least two classes";
        NoSetting => "no setting led to a similarity; try other settings, or sila";

        // Using what was learned.
        NothingLearned => "nothing was learned, so there is no similarity to use";
        OtherClasses { learned: Vec<String>, rows: Vec<String> }
            => "the similarities are about classes {} and the rows have {}",
            listed(learned), listed(rows);

        // Rows in blocks.
        NoSuchRows => "there are no rows with these numbers";
        NumbersAndClasses => "every row asked about has a number, and every other one a class";
        ClassesOfNeighbours => "every row with neighbours has a class that they are found in";
        NumberEachRow => "every row has a number";
        NeighbourAbsent
            => "a neighbour is not among the rows; the rows were gathered for another run";
        NoMargins => "these arrays are not the parts of rows with a margin";
        MatrixOfOtherSize { matrix: usize, columns: usize }
            => "a matrix of {matrix} × {matrix} cells does not go with {columns} columns and the \
                form to learn";
    }
}

impl LearnError {
    /// What the error is about.
    pub(super) fn kind(&self) -> ErrorKind {
        match self {
            Self::AgainstRest { reason, .. } => reason.kind(),
            Self::NoPositiveEigenvalue
            | Self::Balanced
            | Self::NothingTellsApart
            | Self::NoSetting => ErrorKind::NoAnswer,
            _ => ErrorKind::Data,
        }
    }
}
