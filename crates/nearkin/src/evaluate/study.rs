//! [`Study`]: several plans asked about the same splits.
//!
//! A trial is one plan on one split of one problem: multi-class, or a class against the rest.
//! Candidates of the plan's grid are chosen inside the split's training rows. Trials are
//! independent and their answers do not depend on threads, so they can be kept as they come and
//! an interrupted study resumed.

use super::pipeline::{FittedPipeline, Pipeline, Trained};
use super::scores::Answered;
use super::{Choose, Fit, Inner, Plan, Subject, each};
use crate::classify::Predictions;
use crate::data::{Classes, Cut, Protocol, SimilarityMatrix, Split, Table, Target};
use crate::random::Random;
use crate::{Error, ErrorKind, EvaluateError, ParameterError, Result, Run, choice};

/// Streams of inner cuts begin here, away from those of outer ones.
const INNER: u64 = 1 << 32;

choice! {
    /// How several classes are asked about.
    pub enum Mode {
        /// Which of the classes is it?
        MultiClass = "multi-class",
        /// For each class: is it this one, or another? With two classes, once.
        OneVsRest = "one-vs-rest",
    }
}

/// Rows to evaluate on: of columns, or of similarities to each other.
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// Rows of a table.
    Table(&'a Table<'a>),
    /// Samples known by their similarities, a square matrix.
    Similarities(&'a SimilarityMatrix<'a>),
}

impl Source<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Table(table) => table.rows(),
            Self::Similarities(s) => s.rows(),
        }
    }

    fn fit(
        &self,
        pipeline: &Pipeline,
        rows: &[usize],
        classes: Classes,
        run: &Run,
    ) -> Result<FittedPipeline> {
        match self {
            Self::Table(table) => {
                pipeline.fit(&table.select_rows(rows), &Target::Classes(classes), run)
            }
            Self::Similarities(s) => {
                pipeline.fit_similarities(&s.select(rows, rows), &classes, run)
            }
        }
    }

    /// Let a fitted pipeline have `rows` as neighbours.
    fn extend(
        &self,
        fitted: FittedPipeline,
        rows: &[usize],
        classes: Classes,
        run: &Run,
    ) -> Result<FittedPipeline> {
        match self {
            Self::Table(table) => fitted.remembering(&table.select_rows(rows), classes, run),
            Self::Similarities(s) => {
                fitted.pipeline.fit_similarities(&s.select(rows, rows), &classes, run)
            }
        }
    }

    fn ask(
        &self,
        fitted: &FittedPipeline,
        (train, test): (&[usize], &[usize]),
        run: &Run,
    ) -> Result<Predictions> {
        match self {
            Self::Table(table) => fitted.predict(&table.select_rows(test), run),
            Self::Similarities(s) => fitted.predict_similarities(&s.select(test, train), run),
        }
    }
}

/// One labelling of the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// In one-versus-rest: the class that is compared with all others.
    pub class: Option<String>,
    /// The labels; against the rest, codes are 0 for the rest and 1 for the class.
    pub classes: Classes,
}

/// The answers of one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    /// The predicted class of each test row, as a code of the problem.
    pub said: Vec<u32>,
    /// The probability of each class, row after row, if the method gives them.
    pub probabilities: Option<Vec<f64>>,
}

/// One trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Number of the plan.
    pub plan: usize,
    /// Number of the split.
    pub split: usize,
    /// Number of the problem.
    pub problem: usize,
    /// The settings chosen from the grid, as text; empty when there was nothing to choose.
    pub chosen: String,
    /// The answers, or the reason why the data allowed none.
    pub answers: Result<Answers>,
}

/// How plans are asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Study {
    /// How rows are cut.
    pub protocol: Protocol,
    /// Which questions are asked.
    pub mode: Mode,
    /// How candidates are chosen.
    pub choose: Choose,
}

impl Default for Study {
    /// Ten stratified folds, multi-class, grids chosen by five folds.
    fn default() -> Self {
        Self { protocol: Protocol::default(), mode: Mode::MultiClass, choose: Choose::default() }
    }
}

/// All trials of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Trials {
    /// The names of the plans.
    pub plans: Vec<String>,
    /// The splits.
    pub splits: Vec<Split>,
    /// The problems.
    pub problems: Vec<Problem>,
    /// The trials: by plan, then split, then problem.
    pub outcomes: Vec<Outcome>,
}

impl Study {
    /// The protocol of the SiLA and RELIEF/sRBS papers: five folds of ⌊n/5⌋ rows, not
    /// stratified, each class against the rest; a fifth of the other rows, rounded up, validates
    /// and is among the neighbours at test time.
    pub fn sila_2008(seed: u64, repeats: usize) -> Self {
        Self {
            protocol: Protocol { cut: Cut::EvenFolds(5), repeats, stratified: false, seed },
            mode: Mode::OneVsRest,
            choose: Choose {
                inner: Inner::Validation(0.2),
                fit: Fit::Prototypes,
                ..Choose::default()
            },
        }
    }

    /// The same with the rows that were learned from as neighbours, and no others.
    pub fn srbs_2012(seed: u64, repeats: usize) -> Self {
        let study = Self::sila_2008(seed, repeats);
        Self { choose: Choose { fit: Fit::Learn, ..study.choose }, ..study }
    }

    /// The protocol of the SDA chapter's benchmarks: leave-one-out outside and inside.
    pub fn sda_2009() -> Self {
        Self {
            protocol: Protocol { cut: Cut::LeaveOneOut, ..Protocol::default() },
            mode: Mode::MultiClass,
            choose: Choose { inner: Inner::LeaveOneOut, ..Choose::default() },
        }
    }

    /// The problems made from these classes: one with all classes, or one for each class against
    /// the rest.
    ///
    /// # Errors
    ///
    /// [`Error::Table`](crate::Error::Table) when the classes cannot be told apart by name.
    pub fn problems(&self, classes: &Classes) -> Result<Vec<Problem>> {
        if self.mode == Mode::MultiClass {
            return Ok(vec![Problem { class: None, classes: classes.clone() }]);
        }
        let asked = if classes.len() == 2 { 1..2 } else { 0..classes.len() };
        let against = |code: usize| {
            let name = &classes.names()[code];
            let sides = classes.codes().iter().map(|&c| u32::from(c as usize == code)).collect();
            let rest = match classes.len() {
                2 => classes.names()[0].clone(),
                _ => format!("not {name}"),
            };
            let classes = Classes::new(sides, vec![rest, name.clone()])?;
            Ok(Problem { class: Some(name.clone()), classes })
        };
        asked.map(against).collect()
    }

    /// Do every trial that is not among `finished`; `keep` is called with each as it is done.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] when rows and labels disagree, there is one class, or a finished trial is
    /// of another study; errors of the protocol and of plans. What the data of one split do not
    /// allow is no error: it is kept in [`Outcome::answers`].
    pub fn run(
        &self,
        (source, classes, groups): (Source, &Classes, Option<&[u32]>),
        plans: &[Plan],
        finished: Vec<Outcome>,
        keep: &(dyn Fn(&Outcome) + Sync),
        run: &Run,
    ) -> Result<Trials> {
        if source.rows() != classes.codes().len() {
            let (rows, labels) = (source.rows(), classes.codes().len());
            return Err(EvaluateError::LabelsDisagree { rows, labels }.into());
        }
        if classes.len() < 2 {
            return Err(EvaluateError::OneClass.into());
        }
        let splits = self.protocol.splits(classes, groups)?;
        let problems = self.problems(classes)?;
        let candidates = plans.iter().map(Plan::candidates).collect::<Result<Vec<_>>>()?;
        let count = plans.len() * splits.len() * problems.len();
        let mut slots: Vec<Option<Outcome>> = vec![None; count];
        let place = |plan: usize, split: usize, problem: usize| {
            (plan * splits.len() + split) * problems.len() + problem
        };
        for outcome in finished {
            let (plan, split, problem) = (outcome.plan, outcome.split, outcome.problem);
            let fits = plan < plans.len() && split < splits.len() && problem < problems.len();
            let rows = splits.get(split).map_or(0, |s| s.test.len());
            if fits && outcome.answers.as_ref().map_or(true, |a| a.said.len() == rows) {
                slots[place(plan, split, problem)] = Some(outcome);
            } else {
                return Err(EvaluateError::OtherStudy.into());
            }
        }
        let open: Vec<usize> = (0..count).filter(|&at| slots[at].is_none()).collect();
        let done = each(&open, run, |&at, run| {
            let (rest, problem) = (at / problems.len(), at % problems.len());
            let (plan, split) = (rest / splits.len(), rest % splits.len());
            let trial = Trial {
                source,
                classes: &problems[problem].classes,
                choose: self.choose,
                seed: self.protocol.seed,
                number: split as u64,
            };
            let answered =
                trial.answer(&plans[plan].subject, &candidates[plan], &splits[split], run);
            let (chosen, answers) = match answered {
                Ok((chosen, answers)) => (chosen, Ok(answers)),
                // What the data of this split do not allow is an outcome like others.
                Err(error) if error.kind() == ErrorKind::Data => (String::new(), Err(error)),
                Err(other) => return Err(other),
            };
            let outcome = Outcome { plan, split, problem, chosen, answers };
            keep(&outcome);
            Ok(outcome)
        })?;
        for (at, outcome) in open.into_iter().zip(done) {
            slots[at] = Some(outcome);
        }
        Ok(Trials {
            plans: plans.iter().map(|plan| plan.name.clone()).collect(),
            outcomes: slots.into_iter().flatten().collect(),
            splits,
            problems,
        })
    }
}

/// With at most this many cuts, what was learned on each is kept for the next candidate. It holds
/// the training rows, so keeping more would take too much memory.
const FEW_CUTS: usize = 10;

/// A pipeline, and what labels taught it.
type Taught = (Pipeline, Trained);

/// The rows that a pipeline learns from, and the rows among which it then finds neighbours.
struct Fitted {
    learn: Vec<usize>,
    remember: Vec<usize>,
}

/// One trial to be done.
struct Trial<'a> {
    source: Source<'a>,
    classes: &'a Classes,
    choose: Choose,
    seed: u64,
    number: u64,
}

impl Trial<'_> {
    fn answer(
        &self,
        subject: &Subject,
        candidates: &[(String, Pipeline)],
        split: &Split,
        run: &Run,
    ) -> Result<(String, Answers)> {
        match (subject, candidates) {
            (Subject::Rest, _) => Ok((String::new(), self.constant(0, split.test.len()))),
            (Subject::Majority, _) => Ok((String::new(), self.majority(split))),
            (_, candidates) => {
                let best = match candidates {
                    [_] => 0,
                    _ => self.choose(candidates, &split.train, run)?,
                };
                let (settings, pipeline) = &candidates[best];
                let rows = self.fitted_on(&split.train)?;
                let rows = (&rows.learn[..], &rows.remember[..], &split.test[..]);
                Ok((settings.clone(), self.ask(pipeline, rows, &mut None, run)?))
            }
        }
    }

    /// The rows that a candidate learns from, and the rows among which it then finds neighbours.
    fn fitted_on(&self, train: &[usize]) -> Result<Fitted> {
        let all = || train.to_vec();
        if let (Inner::Validation(_), Fit::Learn | Fit::Prototypes) =
            (self.choose.inner, self.choose.fit)
            && let [cut] = &self.inner(train)?[..]
        {
            let learn = cut.train.clone();
            let remember = if self.choose.fit == Fit::Learn { learn.clone() } else { all() };
            return Ok(Fitted { learn, remember });
        }
        Ok(Fitted { learn: all(), remember: all() })
    }

    fn constant(&self, class: u32, rows: usize) -> Answers {
        let mut p = vec![0.0; self.classes.len()];
        p[class as usize] = 1.0;
        Answers { said: vec![class; rows], probabilities: Some(p.repeat(rows)) }
    }

    fn majority(&self, split: &Split) -> Answers {
        let mut counts = vec![0.0; self.classes.len()];
        split.train.iter().for_each(|&row| counts[self.classes.codes()[row] as usize] += 1.0);
        let best = (1..counts.len()).fold(0, |b, c| if counts[c] > counts[b] { c } else { b });
        let total = split.train.len() as f64;
        let shares: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let rows = split.test.len();
        Answers { said: vec![best as u32; rows], probabilities: Some(shares.repeat(rows)) }
    }

    /// Fit on `train`, ask about `test`; `last` is what was fitted on the same rows before.
    fn ask(
        &self,
        pipeline: &Pipeline,
        (learn, remember, test): (&[usize], &[usize], &[usize]),
        last: &mut Option<Taught>,
        run: &Run,
    ) -> Result<Answers> {
        let known = self.labels(remember);
        let width = self.classes.len();
        let code = |name: &String| self.classes.names().iter().position(|n| n == name);
        let codes: Vec<usize> = known.names().iter().filter_map(code).collect();
        if let [only] = codes[..] {
            // Training rows of one class leave one answer.
            return Ok(self.constant(only as u32, test.len()));
        }
        let fitted = match last.take() {
            Some((last, trained)) if last.differs_in_classifier_alone(pipeline) => {
                FittedPipeline::new(pipeline, trained, run)?
            }
            _ => self.source.fit(pipeline, learn, self.labels(learn), run)?,
        };
        let fitted = match learn.len() == remember.len() {
            true => fitted,
            false => self.source.extend(fitted, remember, known, run)?,
        };
        let said = self.source.ask(&fitted, (remember, test), run)?;
        let FittedPipeline { pipeline, trained, .. } = fitted;
        let taught = trained.learned.is_some() || trained.weights.is_some();
        *last = taught.then_some((pipeline, trained));
        let spread = |logs: &Vec<f64>| {
            let mut p = vec![0.0; test.len() * width];
            for (row, logs) in logs.chunks_exact(codes.len()).enumerate() {
                logs.iter().zip(&codes).for_each(|(l, &c)| p[row * width + c] = l.exp());
            }
            p
        };
        Ok(Answers {
            said: said.class.iter().map(|&c| codes[c as usize] as u32).collect(),
            probabilities: said.log_posteriors.as_ref().map(spread),
        })
    }

    /// The best candidate inside `train`.
    fn choose(
        &self,
        candidates: &[(String, Pipeline)],
        train: &[usize],
        run: &Run,
    ) -> Result<usize> {
        let cuts = self.inner(train)?;
        let mut best: Option<(f64, usize)> = None;
        let mut refused = None;
        let mut last: Vec<Option<Taught>> = cuts.iter().map(|_| None).collect();
        for (at, (_, pipeline)) in candidates.iter().enumerate() {
            match self.score(pipeline, &cuts, &mut last, run) {
                Ok(score) if best.is_none_or(|(most, _)| score > most) => best = Some((score, at)),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Data => refused = Some(error),
                Err(other) => return Err(other),
            }
        }
        best.map(|(_, best)| best)
            .ok_or_else(|| refused.unwrap_or_else(|| EvaluateError::NoCandidate.into()))
    }

    /// Mean score over inner cuts, each of as much weight as it has rows.
    fn score(
        &self,
        pipeline: &Pipeline,
        cuts: &[Split],
        last: &mut [Option<Taught>],
        run: &Run,
    ) -> Result<f64> {
        let mut truth = Vec::new();
        let mut said = Vec::new();
        let mut probabilities: Option<Vec<f64>> = Some(Vec::new());
        let few = cuts.len() <= FEW_CUTS;
        for (cut, last) in cuts.iter().zip(last) {
            let answers = self.ask(pipeline, (&cut.train, &cut.train, &cut.test), last, run)?;
            truth.extend(cut.test.iter().map(|&row| self.classes.codes()[row]));
            said.extend(answers.said);
            probabilities = match (probabilities, answers.probabilities) {
                (Some(mut all), Some(more)) => {
                    all.extend(more);
                    Some(all)
                }
                _ => None,
            };
            last.take_if(|_| !few);
        }
        let answered = Answered {
            classes: self.classes.len(),
            truth: &truth,
            said: &said,
            probabilities: probabilities.as_deref(),
        };
        self.choose.by.of(&answered.scores()?).ok_or_else(|| {
            let classifier = pipeline.classifier.describe();
            Error::parameter("choose_by", ParameterError::NoProbabilities { classifier })
        })
    }

    /// The cuts of the training rows, as rows of the source.
    fn inner(&self, train: &[usize]) -> Result<Vec<Split>> {
        let stream = INNER + self.number;
        let outer = |rows: &[usize]| rows.iter().map(|&at| train[at]).collect::<Vec<_>>();
        let cuts = match self.choose.inner {
            Inner::Validation(share) => {
                let wanted = (train.len() as f64 * share).ceil() as usize;
                let wanted = wanted.clamp(1, train.len().saturating_sub(1).max(1));
                let drawn = Random::new(self.seed, stream).sample(train.len(), wanted);
                vec![Split::leaving(train.len(), drawn)]
            }
            Inner::Folds(folds) => {
                let cut = Cut::Folds(folds.min(train.len()));
                let seed = Random::new(self.seed, stream).word();
                let protocol = Protocol { cut, repeats: 1, stratified: true, seed };
                protocol.splits(&self.labels(train), None)?
            }
            Inner::LeaveOneOut => {
                let protocol = Protocol { cut: Cut::LeaveOneOut, ..Protocol::default() };
                protocol.splits(&self.labels(train), None)?
            }
        };
        let outer = |cut: Split| Split { train: outer(&cut.train), test: outer(&cut.test) };
        Ok(cuts.into_iter().map(outer).collect())
    }

    fn labels(&self, rows: &[usize]) -> Classes {
        match Target::Classes(self.classes.clone()).select(rows) {
            Target::Classes(classes) => classes,
            Target::Real(_) => self.classes.clone(),
        }
    }
}
