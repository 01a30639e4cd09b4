//! [`ModelError`]: what can go wrong in reading a saved model.

use super::ParameterError;
use crate::sentences::sentences;

sentences! {
    /// What can go wrong in reading a saved model.
    pub enum ModelError {
        NeedsClasses { method: String }
            => "{method} answers with classes and the target is a real number; tell the reader \
                that the target holds classes";
        MadeFromSimilarities
            => "the model was made from similarities alone; give those of the queries to its \
                samples";
        NotSafetensors => "this is no safetensors file, so no saved model of nearkin";
        NotSavedByNearkin => "this is a safetensors file, but not a model that nearkin saved";
        Damaged { how: Damage } => "the model file is damaged: {how}; copy or make it again";
        CutShort { found: usize, expected: usize }
            => "the model file is cut short: {found} bytes of {expected} are there; copy or make \
                it again";
        NewerFormat { format: u64, written_by: String, reads: u64 }
            => "the model is of format {format}, written by nearkin {written_by}, and this is \
                nearkin {}, which reads formats up to {reads}; update nearkin",
            env!("CARGO_PKG_VERSION");
        UnknownKind { kind: String }
            => "the model is a `{kind}`, which this nearkin does not know; update nearkin";
        LostParameter { method: String, parameter: String }
            => "the model was made by {method} with a parameter `{parameter}`, which it no longer \
                has";
        NoRows
            => "the model was saved without rows, as those that learned from triplets are, so it \
                knows no class; learn from classes and save the rows";
        ShiftsColumns
            => "the model shifts columns, and the zeros of sparse rows would not stay zeros; give \
                a table";
        OtherColumns => "the rows have other columns than the model";
        NoSimilarity => "the model holds no similarity";
        RowsDisagree => "the model's rows and their classes do not agree";
        NotAValue { name: String, reason: ParameterError } => "the model's {name}: {reason}";
        ShortBound => "the model's bound has too few numbers";
        Empty => "the file is empty; a saved model is not";
    }
}

sentences! {
    /// What is wrong with a damaged file of a model.
    pub enum Damage {
        Header => "its header is no JSON";
        Metadata => "its metadata are no words";
        Description => "its description is no JSON";
        Tensor { part: &'static str, name: String } => "the {part} of tensor `{name}` cannot be";
        TensorPlace { name: String } => "tensor `{name}` does not begin where one ends";
        TensorType { name: String } => "tensor `{name}` is of an unknown type";
        BytesLeft { extra: usize } => "{extra} bytes follow its last tensor";
        Format { found: String } => "`{found}` is no format";
        Changed => "its numbers are not those that were saved";
        Lacks { name: String } => "it has no `{name}`, or one of another kind";
        SamplesDisagree => "its samples and their classes do not agree";
        SamplesKind { kind: String } => "it has samples of a kind `{kind}`";
        FittedClasses => "what it learned is about other classes";
        SimilarityColumns => "its similarities are about other columns";
        ColumnsDisagree => "its columns and classes do not agree";
        CodesType => "its rows have codes of another type";
        RowsDisagree => "its rows and their columns do not agree";
        Categories => "its categories are no words";
        Genotype => "a genotype of its rows is none";
    }
}

impl From<Damage> for crate::Error {
    fn from(how: Damage) -> Self {
        ModelError::Damaged { how }.into()
    }
}
