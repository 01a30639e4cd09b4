//! What the order of rows is worth to ReliefF, in the groups where scikit-rebate's was ahead.
//!
//! Of equally near rows nearkin takes those that come first, scikit-rebate those that an unstable
//! sort happens to put first. Rows of one kind that lie together, as in these files, then do not
//! count alike. In random orders they do, and there both are the same method: ours is run in them,
//! scikit-rebate's was recorded by `bench/skrebate_gametes.py --orders`.

use nearkin::evaluate::Spread;
use nearkin::random::Random;

use super::super::report::Section;
use super::compare::Line;
use super::groups::Sample;
use nearkin_cli::failure::Result;

const RECORD: &str = include_str!("../../data/skrebate-orders.csv");
/// Random orders, as many as were recorded.
const ORDERS: usize = 10;

/// One group over random orders of its rows.
pub struct Shuffled {
    group: String,
    /// AUC summed over replicates, by order.
    sums: [f64; ORDERS],
    replicates: usize,
}

impl Shuffled {
    /// To be filled, if the group was recorded.
    pub fn of(group: &str) -> Option<Self> {
        let recorded = RECORD.lines().skip(1).any(|line| line.split(',').next() == Some(group));
        recorded.then(|| Self { group: group.to_owned(), sums: [0.0; ORDERS], replicates: 0 })
    }

    /// Add a replicate, scored by `auc` in every order.
    pub fn add(&mut self, sample: &Sample, auc: impl Fn(&Sample) -> Result<f64>) -> Result<()> {
        for (order, sum) in self.sums.iter_mut().enumerate() {
            let mut rows: Vec<usize> = (0..sample.table.rows()).collect();
            Random::new(order as u64, self.replicates as u64).shuffle(&mut rows);
            *sum += auc(&Sample {
                name: sample.name.clone(),
                table: sample.table.select_rows(&rows),
                target: sample.target.select(&rows),
                relevant: sample.relevant.clone(),
                kind: sample.kind,
            })?;
        }
        self.replicates += 1;
        Ok(())
    }

    fn spread(&self) -> Option<Spread> {
        let means = self.sums.map(|sum| sum / self.replicates.max(1) as f64);
        Spread::of(&means).filter(|_| self.replicates > 0)
    }
}

/// Ours and theirs, as the rows lie and over random orders; none of these groups, no section.
pub fn section(lines: &[Line], shuffled: &[Shuffled]) -> Option<Section> {
    let row = |record: &str| {
        let cells: Vec<&str> = record.split(',').collect();
        let [group, "relieff", lying, mean, deviation, ..] = cells[..] else { return None };
        let own = lines.iter().find(|line| line.is_of(group, "relieff"))?;
        let spread = shuffled.iter().find(|one| one.group == group)?.spread()?;
        Some(vec![
            group.to_owned(),
            own.mean_auc(),
            lying.to_owned(),
            format!("{:.4} ({:.4})", spread.mean, spread.deviation),
            format!("{mean} ({deviation})"),
        ])
    };
    let rows: Vec<Vec<String>> = RECORD.lines().skip(1).filter_map(row).collect();
    let head = ["group", "as rows lie: ours", "theirs", "over orders: ours", "theirs"];
    let below = "Mean AUC over the replicates, and its mean and standard deviation over ten random \
                 orders of the rows.\nThe files are sorted by class, and by kind of row within a \
                 class. Of equally near rows, ours takes those that\ncome first, theirs those that \
                 an unstable sort puts first. If the order of rows has a meaning, shuffle the \
                 rows,\nor let equally near rows share places (--ties average).\n";
    let title = "relieff over random orders of rows, where scikit-rebate was ahead";
    (!rows.is_empty()).then(|| Section::table(title, &head, &rows, below))
}
