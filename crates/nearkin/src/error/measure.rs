//! [`MeasureError`]: what can go wrong in comparing rows.

use crate::sentences::sentences;

sentences! {
    /// What can go wrong in comparing rows.
    pub enum MeasureError {
        NoClasses => "a similarity is learned from classes, and there are none";
        BadFactor { column: String, factor: f64 }
            => "the factor of column `{column}` is {factor}; a factor in a distance must be a \
                finite number, 0 or more";

        // The matrix of a similarity.
        MatrixCells { size: usize, expected: usize, got: usize }
            => "a matrix of {size} features needs {expected} numbers, got {got}";
        MatrixNotFinite => "the matrix of a similarity must hold finite numbers";
        NotSymmetric => "the matrix is not symmetric; give it as full";
        MatrixColumns { features: usize, columns: usize, constant: bool }
            => "the matrix is about {features} features and there are {columns} columns{}",
            if *constant { " and a constant" } else { "" };
        NoDistance
            => "the matrix is not positive semi-definite, so it makes no distance; use it as a \
                similarity, or learn with a -psd method";
        AbsoluteNeedsDiagonal
            => "absolute differences are weighed by a diagonal matrix; use squared-distance";
        AbsoluteOfSparse
            => "a sum of absolute differences looks at every cell; give dense rows, or use a \
                squared-distance or a similarity";
        NoFactor
            => "the matrix is not positive semi-definite, so it has no factor; learn with rbs-psd \
                or srbs-psd";
        NoFactorUnderNorm { norm: String }
            => "a {norm} similarity is no inner product of two mapped rows, because its norm is \
                not a product; learn with the norm cosine to export a factor";
        NoFactorOfAbsolute
            => "a sum of absolute differences is no inner product and no Euclidean distance of \
                mapped rows; learn with `used_as` similarity, or a matrix that is not diagonal, to \
                export a factor";
        OwnNormUnsaved { norm: String }
            => "the norm `{norm}` is a function of your program, and a file holds no code; use \
                dot, cosine, dice or jaccard to save what is learned";

        // Rows, and how they are made ready.
        SimilarityColumns { similarity: usize, rows: usize }
            => "the similarity is about {similarity} columns, the rows have {rows}";
        OtherPreparation { rows: String, similarity: String }
            => "rows were made ready for {rows}, the similarity is {similarity}; make them ready \
                with the similarity itself";
        PreparationColumns { what: &'static str, about: usize, columns: usize }
            => "{what} is about {about} columns, and there are {columns}";
        ScaleNotFinite => "scaling needs a finite shift and factor for each column";
        WhiteningCells { size: usize }
            => "whitening needs {size} × {size} finite numbers, as many rows as columns";
        WhitenedSparse
            => "rows are whitened, and the zeros of sparse rows would not stay zeros; give dense \
                rows";
        OwnNormOfSparse
            => "a norm of your own is asked about whole rows, and these are sparse; give dense \
                rows";
        NotFinite { row: usize, column: Option<String>, value: f64 }
            => "row {row}, {}: {value} is no finite number, and similarities need them",
            place(column);
        TooLargeToWhiten { row: usize }
            => "row {row} holds numbers too large to be whitened; scale the columns";
        Negative { row: usize, column: Option<String>, value: f64, norm: &'static str }
            => "row {row}, {}: {value} is negative, and {norm} compares what is present with what \
                is absent; give 0/1 columns, or use the norm cosine",
            place(column);
        NoDirection { row: usize, after: Option<&'static str> }
            => "row {row} is all zeros{}, and a zero row has no cosine with any other; drop it, use \
                the norm dot, or give rows a constant",
            after.map_or_else(String::new, |step| format!(" after {step}"));
        TooLarge => "a similarity is too large to hold; scale the columns, or use the norm cosine";

        // Measures of pairs of rows.
        TooManyNumbers {
            column: String, different: usize, measure: &'static str, instead: &'static str,
        }
            => "column `{column}` holds {different} different numbers and {measure} compares \
                categories; cut it into intervals, or use {instead}";
        RealTarget { measure: &'static str }
            => "{measure} learns from classes and the target is real; use euclidean, manhattan or \
                heom";
        NoTarget { measure: &'static str }
            => "{measure} learns from the classes of the training rows; give a target, or use \
                counting, heom or lin";
        NegativeAmount { row: usize, column: String, value: f64, measure: &'static str }
            => "row {row}, column `{column}`: {value} is negative, and {measure} compares amounts; \
                add a constant, or use cosine, euclidean or manhattan";
        NegativeColumn { column: String, min: f64, measure: &'static str }
            => "column `{column}`: {min} is negative, and {measure} compares amounts; add a \
                constant, or use cosine, euclidean or manhattan";
        NeedsAllRows { measure: &'static str, why: &'static str }
            => "{measure} needs all rows: {why}";
        NotTrainingRows { rows: usize, references: usize }
            => "mvdm weighs its {rows} training rows and was given {references} references; \
                compare with the training rows, or set exemplars to none";
    }
}

/// A column by name, or the constant that rows were given.
fn place(column: &Option<String>) -> String {
    match column {
        Some(name) => format!("column `{name}`"),
        None => "the constant".to_owned(),
    }
}

impl MeasureError {
    /// The row the error is about, if it is about one.
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::NotFinite { row, .. }
            | Self::TooLargeToWhiten { row }
            | Self::Negative { row, .. }
            | Self::NoDirection { row, .. }
            | Self::NegativeAmount { row, .. } => Some(*row),
            _ => None,
        }
    }

    /// True when a number is below 0 where a norm or a measure takes amounts.
    pub fn is_negative(&self) -> bool {
        matches!(
            self,
            Self::Negative { .. } | Self::NegativeAmount { .. } | Self::NegativeColumn { .. }
        )
    }
}
