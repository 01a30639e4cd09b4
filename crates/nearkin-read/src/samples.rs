//! [`Samples`]: who the rows of a table are.

use std::collections::HashSet;

/// The samples of a table, one a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Samples {
    /// The family of each sample (PLINK's FID), where the file tells it.
    pub fid: Option<Vec<String>>,
    /// The own identifier of each sample (PLINK's IID).
    pub iid: Vec<String>,
}

impl Samples {
    /// A name for each sample: its own identifier where that tells all samples apart, else family
    /// and own identifier with a colon between them.
    ///
    /// ```
    /// use nearkin_read::Samples;
    /// let text = |names: [&str; 2]| names.map(String::from).to_vec();
    /// let samples = Samples { fid: Some(text(["f1", "f2"])), iid: text(["1", "1"]) };
    /// assert_eq!(samples.names(), ["f1:1", "f2:1"]);
    /// ```
    pub fn names(&self) -> Vec<String> {
        match &self.fid {
            Some(fid) if !self.are_different() => {
                fid.iter().zip(&self.iid).map(|(fid, iid)| format!("{fid}:{iid}")).collect()
            }
            _ => self.iid.clone(),
        }
    }

    /// True when no two samples have the same own identifier.
    pub(crate) fn are_different(&self) -> bool {
        let mut seen = HashSet::with_capacity(self.iid.len());
        self.iid.iter().all(|iid| seen.insert(iid.as_str()))
    }

    /// The samples of some rows.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        let of = |names: &Vec<String>| rows.iter().map(|&row| names[row].clone()).collect();
        Self { fid: self.fid.as_ref().map(of), iid: of(&self.iid) }
    }
}
