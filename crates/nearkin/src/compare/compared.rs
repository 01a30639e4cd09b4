//! [`Compared`]: training rows that queries are compared with, by one measure or several.

use super::columns::check_columns;
use crate::classify::{
    Asks, Classify, Fitted, LearnsFrom, Predictions, Queries, SizeChoice, each_row,
};
use crate::data::{Classes, SimilarityMatrix, Table, TableRows, Target};
use crate::measure::pairwise::{FittedMeasure, MeasureKind, PairMeasure};
use crate::neighbors::{
    Decision, Rule, SampleSearch, SimilarRow, most_similar_in, nearest_samples, no_neighbours,
};
use crate::{ClassifyError, DataError, Result, Run};

/// The most similarities of queries and training rows that are held at a time while neighbours are
/// found.
const HELD: usize = 1 << 20;

/// The same where a classifier asks for all of them.
const ASKED: usize = 1 << 23;

/// So many training rows are left out one by one, their neighbours held at a time.
const TOGETHER: usize = 4096;

/// Training rows with the measures that were fitted on them.
#[derive(Debug)]
pub struct Compared<'t> {
    measures: Vec<Box<dyn FittedMeasure + 't>>,
    rows: Table<'t>,
    /// Further rows that the classifier has samples compared with.
    beside: Option<Table<'t>>,
}

/// The neighbours of some queries, best first: `[query][group]`.
type Near = Vec<Vec<Vec<SimilarRow>>>;

/// How many neighbours are asked for, in which groups of training rows.
struct Groups {
    k: usize,
    of: Vec<u32>,
    count: usize,
}

impl Groups {
    fn new(k: usize, of_each: bool, classes: &Classes) -> Self {
        match of_each {
            true => Self { k, of: classes.codes().to_vec(), count: classes.len() },
            false => Self { k, of: vec![0; classes.codes().len()], count: 1 },
        }
    }
}

impl<'t> Compared<'t> {
    /// Fit `measures` on training rows, for `classifier`.
    ///
    /// # Errors
    /// When the rows and their classes disagree, or a measure cannot compare the rows.
    pub fn fit(
        classifier: &dyn Classify,
        measures: &[Box<dyn PairMeasure>],
        rows: Table<'t>,
        classes: &Classes,
    ) -> Result<Self> {
        let target = Target::Classes(classes.clone());
        let mut fitted: Vec<Box<dyn FittedMeasure + 't>> = Vec::new();
        for measure in measures {
            fitted.push(measure.fit(&rows, Some(&target))?);
        }
        Self::new(classifier, fitted, rows, classes)
    }

    /// Training rows with measures that were fitted on them before, for `classifier`.
    ///
    /// # Errors
    /// When the rows and their classes disagree.
    pub fn new(
        classifier: &dyn Classify,
        measures: Vec<Box<dyn FittedMeasure + 't>>,
        rows: Table<'t>,
        classes: &Classes,
    ) -> Result<Self> {
        let target = classes.codes().len();
        if rows.rows() != target {
            return Err(DataError::RowsDisagree { table: rows.rows(), target }.into());
        }
        let beside = classifier.references(&rows, classes)?;
        Ok(Self { measures, rows, beside })
    }

    /// The same with the further rows that a classifier has samples compared with, where there are
    /// some.
    pub fn among(
        measures: Vec<Box<dyn FittedMeasure + 't>>,
        rows: Table<'t>,
        beside: Option<Table<'t>>,
    ) -> Self {
        Self { measures, rows, beside }
    }

    /// Take other training rows of the same columns; the measures stay as they were fitted.
    pub(crate) fn replace_rows(&mut self, rows: Table<'t>) {
        self.rows = rows;
    }

    /// The training rows.
    pub fn rows(&self) -> &Table<'t> {
        &self.rows
    }

    /// The number of measures.
    pub fn measures(&self) -> usize {
        self.measures.len()
    }

    /// The number of rows that queries are compared with: the training rows, and the additional
    /// references of the classifier.
    pub fn references(&self) -> usize {
        self.rows.rows() + self.beside.as_ref().map_or(0, Table::rows)
    }

    /// Refuse a table that has other columns than the training rows.
    ///
    /// # Errors
    /// When it has, naming them.
    pub fn check(&self, queries: &Table) -> Result<()> {
        check_columns(&self.rows.names().map(str::to_owned).collect::<Vec<_>>(), queries)
    }

    /// The similarities of the training rows with each other, a matrix for each measure.
    ///
    /// # Errors
    /// When rows cannot be compared: a similarity would be no number.
    pub fn own(&self, run: &Run) -> Result<Vec<SimilarityMatrix<'static>>> {
        self.blocks(&self.rows, run)
    }

    /// The similarities of the rows of `queries` to the training rows, a matrix for each measure.
    ///
    /// # Errors
    /// When the columns are others, or rows cannot be compared.
    pub fn similarities(
        &self,
        queries: &Table,
        run: &Run,
    ) -> Result<Vec<SimilarityMatrix<'static>>> {
        self.check(queries)?;
        self.blocks(queries, run)
    }

    fn blocks(&self, queries: &Table, run: &Run) -> Result<Vec<SimilarityMatrix<'static>>> {
        let blocks = self.measures.iter().map(|measure| {
            let s = measure.block_with(queries, &self.rows, run)?;
            match &self.beside {
                None => Ok(s),
                Some(beside) => s.beside(&measure.block_with(queries, beside, run)?),
            }
        });
        blocks.collect()
    }

    /// Whether all similarities of the training rows with each other are equal, by every measure.
    /// Rows are compared a few at a time, until two similarities differ.
    ///
    /// # Errors
    /// When rows cannot be compared.
    pub fn all_equal(&self, run: &Run) -> Result<bool> {
        let mut first: Vec<Option<f64>> = vec![None; self.measures.len()];
        // One row alone mostly tells.
        let alone = (self.rows.rows() > 0).then(|| vec![0]);
        for part in alone.into_iter().chain(self.parts(self.rows.rows(), HELD)) {
            let views = self.blocks(&self.rows.select_rows(&part), run)?;
            for (s, first) in views.iter().zip(&mut first) {
                let first = *first.get_or_insert_with(|| s.at(0, 0));
                if s.iter().any(|value| value != first) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Fit `classifier` on the training rows, from no more than it learns from.
    ///
    /// # Errors
    /// As [`Classify::fit_several`].
    pub fn classify(
        &self,
        classifier: &dyn Classify,
        classes: &Classes,
        run: &Run,
    ) -> Result<Box<dyn Fitted>> {
        match classifier.learns(classes)? {
            LearnsFrom::Classes(_) | LearnsFrom::Neighbours(_) if self.measures.len() != 1 => {
                let (method, given) = (classifier.about().id, self.measures.len());
                Err(ClassifyError::TakesOneMatrix { method, given }.into())
            }
            LearnsFrom::Classes(fitted) => Ok(fitted),
            LearnsFrom::Neighbours(choice) => choice.rule(self.chosen(&choice, classes, run)?),
            LearnsFrom::Matrix => classifier.fit_several(&self.own(run)?, classes, run),
        }
    }

    /// The cheapest size, leaving each training row out.
    fn chosen(&self, choice: &SizeChoice, classes: &Classes, run: &Run) -> Result<usize> {
        let k = choice.sizes.iter().max().copied().unwrap_or(1);
        let groups = Groups::new(k, choice.of_each, classes);
        let (mut totals, codes) = (vec![0.0; choice.sizes.len()], classes.codes());
        let all: Vec<usize> = (0..codes.len()).collect();
        for part in all.chunks(TOGETHER) {
            let near = self.near(&self.rows.select_rows(part), Some(part), &groups, run)?;
            let costs = each_row(part.len(), run, |at| {
                let known = |one: &SimilarRow| (codes[one.row as usize], one.similarity);
                let near: Vec<Vec<_>> =
                    near[at].iter().map(|group| group.iter().map(known).collect()).collect();
                Ok(choice.costs(codes[part[at]], &near))
            })?;
            costs.iter().for_each(|row| {
                totals.iter_mut().zip(row).for_each(|(total, cost)| *total += cost);
            });
        }
        let least =
            (1..totals.len()).fold(0, |best, i| if totals[i] < totals[best] { i } else { best });
        Ok(choice.sizes[least])
    }

    /// What `fitted`, which was fitted on the training rows, says of the rows of `queries`.
    ///
    /// # Errors
    /// When the columns are others, the classifier was fitted on other rows, or rows cannot be
    /// compared.
    pub fn predict(&self, fitted: &dyn Fitted, queries: &Table, run: &Run) -> Result<Predictions> {
        self.check(queries)?;
        match (fitted.asks(), &self.measures[..]) {
            (Asks::Neighbours { k, of_each, classes }, [_]) => {
                let (rows, known) = (self.rows.rows(), classes.codes().len());
                if rows != known {
                    return Err(ClassifyError::OtherTrainingRows { rows, fitted: known }.into());
                }
                let near = self.near(queries, None, &Groups::new(k, of_each, classes), run)?;
                fitted.predict_from(Queries::Neighbours(&near), run)
            }
            _ => {
                let of = |queries: &Table| {
                    fitted.predict_from(Queries::Similarities(&self.blocks(queries, run)?), run)
                };
                let parts = self.parts(queries.rows(), ASKED);
                let [first, further @ ..] = &parts[..] else { return of(queries) };
                let mut said = of(&queries.select_rows(first))?;
                for part in further {
                    said.append(of(&queries.select_rows(part))?);
                }
                Ok(said)
            }
        }
    }

    /// What `rule` says of every row of `queries`, from its `k` nearest training rows under the
    /// first measure.
    ///
    /// # Errors
    /// When the columns are others, k is 0, or rows cannot be compared.
    pub(crate) fn decide(
        &self,
        (rule, k): (Rule, usize),
        classes: &Classes,
        queries: &Table,
        run: &Run,
    ) -> Result<Vec<Decision>> {
        self.check(queries)?;
        if let MeasureKind::Bilinear(similarity) = self.measures[0].kind() {
            let ready = |table: &Table| {
                similarity.prepare(&TableRows::select(table, similarity.columns())?)
            };
            let (base, queries) = (ready(&self.rows)?, ready(queries)?);
            return rule.decide(similarity, k, &base, classes, &queries, false, run);
        }
        if k == 0 {
            return Err(no_neighbours());
        }
        // The k nearest of each class hold the k nearest of all.
        let near = self.near(queries, None, &Groups::new(k, true, classes), run)?;
        Ok(near.iter().map(|near| rule.conclude(near, k, classes.codes())).collect())
    }

    /// The training rows most similar to each of `queries`; `own` says which training rows these
    /// are, where they are some, and none is its own neighbour.
    fn near(
        &self,
        queries: &Table,
        own: Option<&[usize]>,
        groups: &Groups,
        run: &Run,
    ) -> Result<Near> {
        let Groups { k, of: group_of, count } = groups;
        // A training row finds itself as well.
        let k = k + usize::from(own.is_some());
        let (references, measure) = (&self.rows, self.measures[0].as_ref());
        let wanted =
            SampleSearch { queries: Some(queries), references, group_of, groups: *count, k };
        let mut found = match nearest_samples(measure, wanted, run)? {
            Some(found) => found,
            None => {
                let mut found = Near::with_capacity(queries.rows());
                for part in self.parts(queries.rows(), HELD) {
                    let s = measure.block_with(&queries.select_rows(&part), references, run)?;
                    let near = most_similar_in(&s, (group_of, *count), k, run)?;
                    found.extend((0..part.len()).map(|query| {
                        let group = |group| {
                            let (rows, far) = near.of(query, group);
                            let ranked = rows.iter().zip(far);
                            ranked.map(|(&row, far)| SimilarRow { row, similarity: -far }).collect()
                        };
                        (0..*count).map(group).collect()
                    }));
                }
                found
            }
        };
        for (near, &own) in found.iter_mut().zip(own.into_iter().flatten()) {
            for group in near {
                group.retain(|one| one.row as usize != own);
                group.truncate(k - 1);
            }
        }
        Ok(found)
    }

    /// So many rows cut so that a part has at most `held` similarities to the training rows, or is
    /// one row.
    fn parts(&self, rows: usize, held: usize) -> Vec<Vec<usize>> {
        let step = (held / self.rows.rows().max(1)).max(1);
        let all: Vec<usize> = (0..rows).collect();
        all.chunks(step).map(<[usize]>::to_vec).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::classify::{classifier, set};
    use crate::data::{Column, Parts};
    use crate::measure::pairwise::{MeasureKind, measure};
    use crate::random::Random;

    /// A measure that records the largest number of similarities computed in one call.
    #[derive(Debug)]
    struct Remembering {
        inner: Box<dyn FittedMeasure>,
        engine: bool,
        most: Arc<AtomicUsize>,
    }

    impl FittedMeasure for Remembering {
        fn block_with(
            &self,
            queries: &Table,
            references: &Table,
            run: &Run,
        ) -> Result<SimilarityMatrix<'static>> {
            self.most.fetch_max(queries.rows() * references.rows(), Ordering::Relaxed);
            self.inner.block_with(queries, references, run)
        }

        fn parts(&self) -> Parts {
            self.inner.parts()
        }

        fn kind(&self) -> MeasureKind<'_> {
            if self.engine { self.inner.kind() } else { MeasureKind::Pairs }
        }
    }

    /// Rows of few values, so that similarities tie.
    fn rows(count: usize) -> (Table<'static>, Classes) {
        let mut random = Random::new(7, 0);
        let mut column = |name: &str| {
            Column::numeric(name, (0..count).map(|_| random.below(9) as f64 - 4.0).collect())
        };
        let table = Table::new(["a", "b", "c"].map(&mut column).to_vec()).unwrap();
        (table, Classes::from_labels((0..count).map(|i| ["x", "y", "z"][i * i % 11 % 3])))
    }

    /// A rule over neighbours never holds the similarities of all pairs of rows, with a given
    /// number of neighbours or a chosen one. Its answers are the same as from all similarities.
    #[test]
    fn rules_of_neighbours_never_ask_for_the_matrix() {
        let (table, classes) = rows(1100);
        assert!(table.rows() * table.rows() > HELD);
        let run = Run::on(2);
        let s = measure("manhattan").unwrap().fit(&table, None).unwrap();
        let s = s.block_with(&table, &table, &run).unwrap();
        for (id, k) in [("knn", "5"), ("knn", ""), ("sknn", "5"), ("sknn", "")] {
            let mut method = classifier(id).unwrap();
            set(method.as_mut(), "k", k).unwrap();
            let meant = method.fit(&s, &classes).unwrap();
            for engine in [true, false] {
                let inner = measure("manhattan").unwrap().fit(&table, None).unwrap();
                let most = Arc::new(AtomicUsize::new(0));
                let measure = Remembering { inner, engine, most: most.clone() };
                let measures: Vec<Box<dyn FittedMeasure>> = vec![Box::new(measure)];
                let compared =
                    Compared::new(method.as_ref(), measures, table.view(), &classes).unwrap();
                let fitted = compared.classify(method.as_ref(), &classes, &run).unwrap();
                assert_eq!(fitted.parts(), meant.parts(), "{id} {k} {engine}");
                let said = compared.predict(fitted.as_ref(), &table, &run).unwrap();
                assert_eq!(said, meant.predict(&s).unwrap(), "{id} {k} {engine}");
                let asked = most.load(Ordering::Relaxed);
                assert!(if engine { asked == 0 } else { (1..=HELD).contains(&asked) }, "{asked}");
            }
        }
    }

    #[test]
    fn equal_similarities_are_noticed() {
        let heom = measure("heom").unwrap();
        let knn = classifier("knn").unwrap();
        let classes = Classes::from_labels(["a", "b", "a"]);
        for (cells, equal) in [([1.0, 1.0, 1.0], true), ([1.0, 1.0, 2.0], false)] {
            let table = Table::new(vec![Column::numeric("x", cells.to_vec())]).unwrap();
            let measures = std::slice::from_ref(&heom);
            let compared = Compared::fit(knn.as_ref(), measures, table, &classes).unwrap();
            assert_eq!(compared.all_equal(&Run::on(1)).unwrap(), equal);
        }
    }
}
