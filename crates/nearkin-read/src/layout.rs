//! [`Layout`]: what each column of a file is for, from its names and the caller's options.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use nearkin::data::Column;

use crate::error::{Conflict, OptionError, ReadError, Result};
use crate::options::{ColumnKind, Options, TargetChoice, TargetKind};

/// Names that make a column the target when the caller does not say.
pub(crate) const TARGET_NAMES: [&str; 4] = ["class", "target", "label", "y"];

/// The use of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Left out.
    Skip,
    /// To be explained.
    Target,
    /// A feature whose kind its cells or its declaration decide.
    Infer,
    /// A feature the caller says is numeric.
    Numeric,
    /// A feature the caller says is nominal.
    Nominal,
    /// A feature the caller says is a genotype.
    Genotype,
    /// The family of a sample.
    Family,
    /// The identifier of a sample.
    Sample,
}

/// Columns of their own memory.
type Columns = Vec<Column<'static>>;

impl Role {
    /// True for identifiers.
    pub fn is_id(self) -> bool {
        matches!(self, Self::Family | Self::Sample)
    }

    /// True for a feature.
    pub fn is_feature(self) -> bool {
        self.is_free() && self != Self::Target
    }

    /// True for a column that can be the target.
    fn is_free(self) -> bool {
        !self.is_id() && self != Self::Skip
    }
}

/// The roles of all columns.
#[derive(Debug)]
pub(crate) struct Layout {
    /// A role a column.
    pub roles: Vec<Role>,
    /// The target's position, when it is one of the columns.
    pub target: Option<usize>,
    /// True when the caller did not choose the target.
    pub guessed: bool,
    /// The kind of target to make.
    pub kind: TargetKind,
    /// The positions of the covariates, in the order in which they were asked for.
    pub covariates: Vec<usize>,
    /// The positions of the columns that tell strata.
    pub strata: Vec<usize>,
    /// True when families are strata.
    pub by_family: bool,
    /// The column of samples that was found without being named.
    pub found_ids: Option<usize>,
    /// True for PLINK's `.raw`, whose first columns are known.
    pub raw: bool,
}

impl Layout {
    /// Gives every column its role; refuses unknown, contradictory and repeated names.
    pub fn new(file: &str, names: &[String], options: &Options) -> Result<Self> {
        let find = Finder::new(file, names);
        let mut roles = vec![Role::Infer; names.len()];
        for asked in &options.drop {
            roles[find.column("drop", asked)?] = Role::Skip;
        }
        let raw = is_raw(names);
        let found_ids = identify(names, &mut roles, &find, options)?.filter(|_| !raw);
        let mut by_family = false;
        let mut apart = [Vec::new(), Vec::new()];
        let lists = [("covariates", &options.covariates), ("strata", &options.strata)];
        for ((option, list), found) in lists.into_iter().zip(&mut apart) {
            for asked in list {
                let is_id = |at| roles[at] == Role::Family;
                let known = names.iter().position(|name| name == asked);
                if option == "strata" && is_family(asked) && known.is_none_or(is_id) {
                    by_family = true;
                    continue;
                }
                let at = find.column(option, asked)?;
                if roles[at].is_id() {
                    return Err(find.conflict(at, Conflict::CovariateId));
                }
                if roles[at] == Role::Skip {
                    return Err(find.conflict(at, Conflict::DroppedCovariate));
                }
                if !found.contains(&at) {
                    found.push(at);
                }
            }
        }
        let [covariates, strata] = apart;
        let is_apart = |at: &usize| covariates.contains(at) || strata.contains(at);
        let target = match &options.target {
            TargetChoice::None | TargetChoice::Npy(_) => None,
            TargetChoice::Auto if raw => Some(PHENOTYPE).filter(|&at| roles[at].is_free()),
            TargetChoice::Auto => guess(names, |at| roles[*at].is_free() && !is_apart(at)),
            TargetChoice::Column(asked) => Some(find.column("target", asked)?),
            TargetChoice::IfThere(name) => names
                .iter()
                .position(|n| n == name)
                .filter(|&at| roles[at].is_free() && !is_apart(&at)),
        };
        let mut kind = options.target_kind;
        if let Some(at) = target {
            if roles[at] == Role::Skip {
                return Err(find.conflict(at, Conflict::DroppedTarget));
            }
            if roles[at].is_id() {
                return Err(find.conflict(at, Conflict::TargetId));
            }
            if is_apart(&at) {
                return Err(find.conflict(at, Conflict::CovariateTarget));
            }
            roles[at] = Role::Target;
        }
        if raw {
            let unused = |at: &usize| roles[*at] == Role::Infer && !is_apart(at);
            let unused: Vec<usize> = (0..=PHENOTYPE).filter(unused).collect();
            unused.into_iter().for_each(|at| roles[at] = Role::Skip);
            let dominance = |at: &usize| roles[*at] == Role::Infer && names[*at].ends_with("_HET");
            let dominance: Vec<usize> = (PHENOTYPE + 1..names.len()).filter(dominance).collect();
            dominance.into_iter().for_each(|at| roles[at] = Role::Skip);
        }
        for (option, list, role, says) in [
            ("nominal", &options.nominal, Role::Nominal, TargetKind::Classes),
            ("numeric", &options.numeric, Role::Numeric, TargetKind::Real),
        ] {
            for asked in list {
                let at = find.column(option, asked)?;
                match roles[at] {
                    Role::Skip | Role::Family | Role::Sample => {}
                    Role::Target if kind == TargetKind::Auto || kind == says => kind = says,
                    Role::Infer => roles[at] = role,
                    now if now == role => {}
                    _ => return Err(find.conflict(at, Conflict::NominalAndNumeric)),
                }
            }
        }
        for asked in &options.genotype {
            let each = match asked.as_str() {
                "all" if find.is_unknown("all") => 0..names.len(),
                asked => {
                    let at = find.column("genotype", asked)?;
                    if roles[at] == Role::Target {
                        return Err(find.conflict(at, Conflict::GenotypeTarget));
                    }
                    at..at + 1
                }
            };
            for at in each {
                match roles[at] {
                    _ if asked == "all" && is_apart(&at) => {}
                    Role::Infer => roles[at] = Role::Genotype,
                    Role::Skip | Role::Target | Role::Genotype => {}
                    Role::Family | Role::Sample => {}
                    _ if asked == "all" => {}
                    _ => {
                        return Err(find.conflict(at, Conflict::GenotypeAndOther));
                    }
                }
            }
        }
        if raw {
            let variant = |at: &usize| roles[*at] == Role::Infer && !is_apart(at);
            let variants: Vec<usize> = (PHENOTYPE + 1..names.len()).filter(variant).collect();
            variants.into_iter().for_each(|at| roles[at] = Role::Genotype);
        }
        if !options.kinds.is_empty() {
            let known: HashMap<&str, ColumnKind> =
                options.kinds.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
            for (role, name) in roles.iter_mut().zip(names).filter(|(r, _)| **r == Role::Infer) {
                match known.get(name.as_str()) {
                    Some(ColumnKind::Numeric) => *role = Role::Numeric,
                    Some(ColumnKind::Nominal) => *role = Role::Nominal,
                    None => {}
                }
            }
        }
        find.check_repeats(&roles)?;
        let guessed = target.is_some() && options.target == TargetChoice::Auto && !raw;
        Ok(Self { roles, target, guessed, kind, covariates, strata, by_family, found_ids, raw })
    }

    /// The features, the covariates and the columns that tell strata, from the `columns` that were
    /// read among those called `names`.
    pub fn part(&self, names: &[String], columns: Vec<Column<'static>>) -> [Columns; 3] {
        let of = |list: &[usize]| -> Columns {
            let named = |&at: &usize| columns.iter().find(|column| column.name == names[at]);
            list.iter().filter_map(named).cloned().collect()
        };
        let (covariates, strata) = (of(&self.covariates), of(&self.strata));
        let apart: HashSet<&str> =
            self.covariates.iter().chain(&self.strata).map(|&at| names[at].as_str()).collect();
        let features = columns.into_iter().filter(|c| !apart.contains(c.name.as_str())).collect();
        [features, covariates, strata]
    }
}

/// Marks the columns of identifiers; the one found without being named is returned.
fn identify(
    names: &[String],
    roles: &mut [Role],
    find: &Finder<'_>,
    options: &Options,
) -> Result<Option<usize>> {
    let said = [&options.nominal, &options.numeric, &options.genotype, &options.covariates];
    let target = match &options.target {
        TargetChoice::Column(name) | TargetChoice::IfThere(name) => Some(name),
        _ => None,
    };
    let is_said = |name: &String| said.iter().any(|list| list.contains(name));
    let at = match &options.id {
        Some(asked) => Some(find.column("id", asked)?),
        None => names.iter().position(|name| {
            matches!(name.as_str(), "IID" | "#IID") && !is_said(name) && Some(name) != target
        }),
    };
    let Some(at) = at else { return Ok(None) };
    roles[at] = Role::Sample;
    let family = names.iter().position(|name| is_family(name));
    if let Some(family) = family.filter(|&other| other != at && !is_said(&names[other])) {
        roles[family] = Role::Family;
    }
    Ok(options.id.is_none().then_some(at))
}

/// The first columns of PLINK's `.raw`; the others are variants.
const RAW: [&str; 6] = ["FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE"];

/// Which of them is the sex and which the phenotype.
pub(crate) const SEX: usize = 4;
pub(crate) const PHENOTYPE: usize = 5;

/// True for the columns of PLINK's `.raw`.
fn is_raw(names: &[String]) -> bool {
    names.len() > RAW.len() && names.iter().zip(RAW).all(|(name, known)| name == known)
}

/// True for the name that PLINK gives the family of a sample.
pub(crate) fn is_family(name: &str) -> bool {
    matches!(name, "FID" | "#FID")
}

/// The column with a target's name, else the last one that is kept.
fn guess(names: &[String], kept: impl Fn(&usize) -> bool) -> Option<usize> {
    let named = |wanted: &&str| {
        (0..names.len()).filter(&kept).find(|&at| names[at].trim().eq_ignore_ascii_case(wanted))
    };
    TARGET_NAMES.iter().find_map(named).or_else(|| (0..names.len()).rev().find(&kept))
}

/// Finds columns by name or index.
struct Finder<'a> {
    file: &'a str,
    names: &'a [String],
    /// Made when first asked: a wide table seldom is.
    at: OnceCell<HashMap<&'a str, usize>>,
}

impl<'a> Finder<'a> {
    fn new(file: &'a str, names: &'a [String]) -> Self {
        Self { file, names, at: OnceCell::new() }
    }

    fn column(&self, option: &'static str, asked: &str) -> Result<usize> {
        let names = self.names.iter().enumerate().rev();
        let at = self.at.get_or_init(|| names.map(|(at, name)| (name.as_str(), at)).collect());
        if let Some(&at) = at.get(asked) {
            return Ok(at);
        }
        let (asked, count) = (asked.to_owned(), self.names.len());
        let reason = match asked.trim().parse::<i64>() {
            Ok(index) => {
                let at = if index < 0 { index.checked_add(count as i64) } else { Some(index) };
                match at.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < count) {
                    Some(at) => return Ok(at),
                    None => OptionError::NoColumnAt { asked, count },
                }
            }
            Err(_) => match nearest(&asked, self.names) {
                Some(name) => OptionError::Misspelt { asked, nearest: name.to_owned() },
                None => {
                    let names = self.names.iter().take(5).cloned().collect();
                    OptionError::NoColumn { asked, count, names }
                }
            },
        };
        Err(ReadError::Option { file: self.file.to_owned(), option, reason })
    }

    /// True when no column has this name.
    fn is_unknown(&self, name: &str) -> bool {
        !self.names.iter().any(|known| known == name)
    }

    fn conflict(&self, at: usize, roles: Conflict) -> ReadError {
        let (file, column) = (self.file.to_owned(), self.names[at].clone());
        ReadError::Conflict { file, column, roles }
    }

    fn check_repeats(&self, roles: &[Role]) -> Result<()> {
        let mut first_at: HashMap<&str, usize> = HashMap::with_capacity(self.names.len());
        for (second, name) in self.names.iter().enumerate() {
            if roles[second] == Role::Skip {
                continue;
            }
            if let Some(first) = first_at.insert(name, second) {
                let (file, name) = (self.file.to_owned(), name.clone());
                return Err(ReadError::DuplicateName { file, name, first, second });
            }
        }
        Ok(())
    }
}

/// The name that takes the fewest edits to reach, if it is near at all.
fn nearest<'a>(asked: &str, names: &'a [String]) -> Option<&'a str> {
    let wanted: Vec<char> = asked.to_lowercase().chars().collect();
    let near = (wanted.len() * 2 / 5).clamp(1, 4);
    names
        .iter()
        .filter(|name| name.len() < 4 * (wanted.len() + near))
        .map(|name| (edits(&wanted, &name.to_lowercase().chars().collect::<Vec<_>>(), near), name))
        .filter(|(edits, _)| *edits <= near)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name.as_str())
}

/// Levenshtein's distance; beyond `near` any larger number.
fn edits(a: &[char], b: &[char], near: usize) -> usize {
    if a.len().abs_diff(b.len()) > near {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(names: &[&str], options: &Options) -> Result<Layout> {
        let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
        Layout::new("f", &names, options)
    }

    fn to(column: &str) -> Options {
        Options { target: TargetChoice::Column(column.into()), ..Options::default() }
    }

    #[test]
    fn a_column_is_found_by_name_before_index() {
        assert_eq!(layout(&["a", "b", "0"], &to("0")).unwrap().target, Some(2));
        assert_eq!(layout(&["a", "b", "c"], &to("0")).unwrap().target, Some(0));
        assert_eq!(layout(&["a", "b", "c"], &to("-2")).unwrap().target, Some(1));
    }

    #[test]
    fn the_target_is_the_column_named_so_else_the_last() {
        let auto = Options::default();
        assert_eq!(layout(&["Y", "Class", "c"], &auto).unwrap().target, Some(1));
        assert_eq!(layout(&["a", "b", "c"], &auto).unwrap().target, Some(2));
        let dropped = Options { drop: vec!["c".into()], ..Options::default() };
        assert_eq!(layout(&["a", "b", "c"], &dropped).unwrap().target, Some(1));
        assert!(layout(&["a", "b"], &auto).unwrap().guessed);
        assert!(!layout(&["a", "b"], &to("a")).unwrap().guessed);
    }

    #[test]
    fn an_unknown_column_suggests_the_nearest_name_or_the_range() {
        let message = |column| layout(&["age", "weight"], &to(column)).unwrap_err().to_string();
        assert!(message("wieght").contains("did you mean `weight`?"));
        assert!(message("Age ").contains("did you mean `age`?"));
        assert!(message("2").contains("2 columns, 0 to 1"));
        assert!(message("-9223372036854775808").contains("2 columns"));
        assert!(message("zzz").contains("begin with `age`, `weight`"));
    }

    #[test]
    fn a_repeated_name_is_refused_unless_one_is_dropped() {
        let message = layout(&["a", "b", "a"], &Options::default()).unwrap_err().to_string();
        assert!(message.contains("columns 0 and 2") && message.contains("`a`"), "{message}");
        let dropped = Options { drop: vec!["2".into()], ..Options::default() };
        assert!(layout(&["a", "b", "a"], &dropped).is_ok());
    }

    #[test]
    fn contradictions_are_refused() {
        let both = Options { nominal: vec!["a".into()], numeric: vec!["a".into()], ..to("b") };
        assert!(layout(&["a", "b"], &both).unwrap_err().to_string().contains("both nominal"));
        let gone = Options { drop: vec!["b".into()], ..to("b") };
        assert!(layout(&["a", "b"], &gone).unwrap_err().to_string().contains("to drop"));
    }

    #[test]
    fn what_a_model_knows_of_columns_is_followed_where_they_are_there() {
        let kinds = vec![
            ("a".to_owned(), ColumnKind::Nominal),
            ("gone".to_owned(), ColumnKind::Numeric),
            ("b".to_owned(), ColumnKind::Nominal),
        ];
        let there = |name: &str| TargetChoice::IfThere(name.into());
        let options = Options { kinds, target: there("b"), ..Options::default() };
        let found = layout(&["a", "b", "c"], &options).unwrap();
        assert_eq!(found.roles, [Role::Nominal, Role::Target, Role::Infer]);
        let options = Options { target: there("z"), ..options };
        assert_eq!(layout(&["a", "b", "c"], &options).unwrap().target, None);
    }

    #[test]
    fn a_nominal_target_is_classes() {
        let options = Options { nominal: vec!["b".into()], ..Options::default() };
        assert_eq!(layout(&["a", "b"], &options).unwrap().kind, TargetKind::Classes);
    }
}
