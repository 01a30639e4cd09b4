//! What the order of rows is worth to scikit-rebate, in the groups where its ReliefF was ahead.
//!
//! Of equally near rows it takes those that an unstable sort happens to put first, so its weights
//! change with the order of rows. Recorded by `bench/skrebate_gametes.py --orders`.

use super::super::report::Section;
use super::compare::Line;

const RECORD: &str = include_str!("../../../../data/skrebate-orders.csv");

/// Theirs as the rows lie and over random orders, beside ours; none of these groups, no section.
pub fn section(lines: &[Line]) -> Option<Section> {
    let own = |group: &str| lines.iter().find(|line| line.is_of(group, "relieff"));
    let row = |record: &str| {
        let cells: Vec<&str> = record.split(',').collect();
        let [group, "relieff", lying, mean, deviation, least, greatest] = cells[..] else {
            return None;
        };
        let spread = format!("{mean} ({deviation})");
        let ends = format!("{least} to {greatest}");
        Some(vec![group.to_owned(), own(group)?.mean_auc(), lying.to_owned(), spread, ends])
    };
    let rows: Vec<Vec<String>> = RECORD.lines().skip(1).filter_map(row).collect();
    let head =
        ["group", "ours", "theirs as rows lie", "mean (s.d.) over orders", "least, greatest"];
    let below = "Mean AUC over the replicates; ten random orders of the rows, in which nothing but \
                 ties comes out otherwise.\nOurs takes equally near rows as they lie.\n";
    let title = "What the order of rows is worth to scikit-rebate's relieff, where it was ahead";
    (!rows.is_empty()).then(|| Section::table(title, &head, &rows, below))
}
