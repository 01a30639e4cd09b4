//! What scikit-rebate reached on the same files, recorded by `bench/skrebate_gametes.py`.

use std::collections::HashMap;

use nearkin_cli::failure::{Failure, Result};

/// Scores recorded of scikit-rebate.
pub const RELEASE: &str = "scikit-rebate 0.8.4 (recorded)";

const RECORD: &str = include_str!("../../data/skrebate-gametes.csv");

/// AUC, and whether all predictive features are on top, by group, replicate and method.
pub struct Recorded(HashMap<[&'static str; 3], (f64, bool)>);

impl Recorded {
    /// The scores recorded for a file and a method.
    pub fn get(&self, group: &str, replicate: &str, method: &str) -> Option<(f64, bool)> {
        self.0.get(&[group, replicate, method]).copied()
    }
}

/// The record, read.
pub fn recorded() -> Result<Recorded> {
    let row = |line: &'static str| {
        let mut cells = line.split(',');
        let key = [cells.next()?, cells.next()?, cells.next()?];
        Some((key, (cells.next()?.parse().ok()?, cells.next()? == "1")))
    };
    let rows: Option<HashMap<_, _>> = RECORD.lines().skip(1).map(row).collect();
    rows.map(Recorded)
        .ok_or_else(|| Failure::System("the record of scikit-rebate is damaged".into()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_record_can_be_read() {
        let recorded = super::recorded().unwrap();
        let found = recorded.get("core2way_s200_h0.4_EDM1", "01", "relieff").unwrap();
        assert!((0.0..=1.0).contains(&found.0));
        assert_eq!(recorded.get("core2way_s200_h0.4_EDM1", "99", "relieff"), None);
    }
}
