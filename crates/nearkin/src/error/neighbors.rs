//! [`NeighborsError`]: what can go wrong in finding neighbours.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in finding neighbours.
    pub enum NeighborsError {
        NotMergeable
            => "neighbours can be merged when they are about the same rows, classes and k";
        NotParts => "these arrays are not the parts of neighbours";
        GroupsDisagree => "every reference needs a group, and no more than there are";
        DistanceTooLarge { query: usize, row: u32 }
            => "row {query}: its distance to training row {row} is too large for a number; divide \
                the columns by a constant, or take values out that cannot be meant";
        SimilarityTooLarge { query: usize, row: usize }
            => "the similarity of rows {query} and {row} is too large to hold; scale the columns, \
                or use the norm cosine";
        ClassesDisagree { rows: usize, classes: usize }
            => "there are {rows} rows and {classes} classes of rows; they must agree";
        NoLabelledRow => "there is no labelled row to be a neighbour";
        QueriesDisagree { queries: usize, rows: usize }
            => "rows are asked among themselves, but there are {queries} queries and {rows} rows";
        LabelsDisagree { references: usize, labels: usize }
            => "the queries have similarities to {references} references and there are {labels} \
                labels; they must agree";
    }
}
