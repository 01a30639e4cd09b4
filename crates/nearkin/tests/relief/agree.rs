//! The library against the plain definitions on random tables.

use nearkin::data::{Column, Table, Target};
use nearkin::measure::{Clip, Metric, Missing, Scaling};
use nearkin::weigh::*;
use proptest::prelude::*;

use super::plain::{self, Pick, Radius};
use super::space::{Space, number};
use super::tables::{Case, Dice, Recipe, any_table, cases, packed_table, tie_free};

pub const POLICIES: [Missing; 7] = [
    Missing::Agnostic,
    Missing::B,
    Missing::C,
    Missing::D,
    Missing::Weka,
    Missing::Relieved,
    Missing::One,
];
pub const METRICS: [Metric; 2] = [Metric::Manhattan, Metric::Euclidean];
pub const SCALINGS: [Scaling; 3] = [Scaling::MinMax, Scaling::ZScore, Scaling::None];

pub fn close(found: &[f64], meant: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.len(), meant.len());
    for (c, (a, b)) in found.iter().zip(meant).enumerate() {
        let near = (a - b).abs() <= tolerance * b.abs().max(1.0);
        prop_assert!(near, "feature {}: found {:?}, meant {:?}", c, found, meant);
    }
    Ok(())
}

fn fit(method: &dyn Weigh, case: &Case) -> Vec<f64> {
    weights(method, case, &case.target())
}

fn weights(method: &dyn Weigh, case: &Case, target: &Target) -> Vec<f64> {
    method.fit(&case.table, target).unwrap().weights
}

fn space(case: &Case, metric: Metric, common: &ReliefSettings) -> Space {
    Space::new(&case.table, &case.labels, metric, common.scale, common.missing)
}

fn metric() -> impl Strategy<Value = Metric> {
    prop::sample::select(&METRICS[..])
}

fn common() -> impl Strategy<Value = ReliefSettings> {
    let scale = prop::sample::select(&SCALINGS[..]);
    let missing = prop::sample::select(&POLICIES[..]);
    (scale, missing).prop_map(|(scale, missing)| ReliefSettings {
        scale,
        missing,
        ..ReliefSettings::default()
    })
}

/// Deviations are rounded: under them quarters, or columns with only two known values, would
/// tie in theory and not in doubles.
fn suited(recipe: &Recipe, common: ReliefSettings) -> ReliefSettings {
    match (recipe.dyadic || recipe.missing > 20, common.scale) {
        (true, Scaling::ZScore) => ReliefSettings { scale: Scaling::MinMax, ..common },
        _ => common,
    }
}

fn misses() -> impl Strategy<Value = Misses> {
    prop::sample::select(&[Misses::PerClass, Misses::NearestOther][..])
}

fn ties() -> impl Strategy<Value = Ties> {
    prop::sample::select(&[Ties::Index, Ties::Average][..])
}

fn weighting() -> impl Strategy<Value = Weighting> {
    use Weighting::*;
    prop::sample::select(&[Equal, Rank, Distance, DistanceSquared, Kernel][..])
}

/// Priors that are not the shares of the rows.
fn skewed(case: &Case) -> Vec<f64> {
    let classes = case.labels.iter().max().unwrap() + 1;
    let sum: usize = (1..=classes).sum();
    (1..=classes).map(|c| c as f64 / sum as f64).collect()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn relieff(
        recipe in any_table(), k in 1usize..9, metric in metric(), common in common(),
        misses in misses(), ties in ties(), own_priors in any::<bool>(),
    ) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let space = space(&case, metric, &common);
        // Priors are for misses of each class.
        let own_priors = own_priors && misses == Misses::PerClass;
        let priors = if own_priors { skewed(&case) } else { space.shares() };
        let common = ReliefSettings { priors: own_priors.then(|| priors.clone()), ..common };
        let method = ReliefF { k, metric, misses, ties, common, ..ReliefF::default() };
        let meant = plain::relieff(&space, Pick::equal(k, ties), misses, &priors);
        close(&fit(&method, &case), &meant, 1e-9)?;
    }

    #[test]
    fn relieff_weightings(
        recipe in any_table(), k in 1usize..9, metric in metric(), common in common(),
        misses in misses(), weighting in weighting(), sigma in 0.3f64..5.0,
    ) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let space = space(&case, metric, &common);
        let method = ReliefF { k, metric, misses, weighting, sigma, common, ..ReliefF::default() };
        let pick = Pick { weighting, sigma, ..Pick::equal(k, Ties::Index) };
        close(&fit(&method, &case), &plain::relieff(&space, pick, misses, &space.shares()), 1e-9)?;
    }

    #[test]
    fn relieff_on_complete_numbers(recipe in tie_free(), k in 1usize..12, metric in metric()) {
        let case = recipe.make();
        let method = ReliefF { k, metric, ..ReliefF::default() };
        let space = space(&case, metric, &method.common);
        let pick = Pick::equal(k, Ties::Index);
        let meant = plain::relieff(&space, pick, Misses::PerClass, &space.shares());
        close(&fit(&method, &case), &meant, 1e-12)?;
    }

    #[test]
    fn relief(recipe in any_table(), squared in any::<bool>(), metric in metric(), common in common()) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let space = space(&case, metric, &common);
        let method = Relief { squared, metric, common, ..Relief::default() };
        close(&fit(&method, &case), &plain::relief(&space, squared), 1e-9)?;
    }

    #[test]
    fn relieved(
        recipe in any_table(), k in 1usize..5, metric in metric(), common in common(), misses in misses(),
    ) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let space = space(&case, metric, &common);
        let method = Relieved { k, metric, misses, common };
        let pick = Pick::equal(k, Ties::Average);
        close(&fit(&method, &case), &plain::relieff(&space, pick, misses, &space.shares()), 1e-9)?;
    }

    #[test]
    fn myopic(recipe in any_table(), bins in 2usize..12) {
        let case = recipe.make();
        let cells = |c: usize| -> Vec<Option<usize>> {
            let column = &case.table.columns()[c];
            if let nearkin::data::ColumnValues::Nominal { codes, .. } = &column.values {
                let known = |&code: &u16| (code != nearkin::data::MISSING).then_some(code as usize);
                return codes.iter().map(known).collect();
            }
            let cells: Vec<Option<f64>> =
                (0..case.table.rows()).map(|r| number(&case.table, c, r)).collect();
            let max = cells.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
            let min = cells.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            let cut = |x: f64| match max > min {
                true => (((x - min) / (max - min) * bins as f64) as usize).min(bins - 1),
                false => 0,
            };
            cells.into_iter().map(|x| x.map(cut)).collect()
        };
        let values: Vec<_> = (0..case.table.columns().len()).map(cells).collect();
        let meant = plain::myopic(&values, &case.labels);
        close(&fit(&MyopicReliefF { bins }, &case), &meant, 1e-9)?;
    }

    #[test]
    fn rrelieff(
        recipe in any_table(), k in 1usize..9, metric in metric(), common in common(),
        weighting in weighting(), sigma in 0.5f64..20.0, rank_from in 0usize..2,
    ) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let alone = vec![0; case.labels.len()];
        let space = Space::new(&case.table, &alone, metric, common.scale, common.missing);
        let pick =
            Pick { weighting, sigma, first_rank: rank_from, ..Pick::equal(k, Ties::Index) };
        let method = RReliefF { k, metric, weighting, sigma, rank_from, common };
        let meant = plain::rrelieff(&space, &case.real, pick);
        close(&weights(&method, &case, &case.real_target()), &meant, 1e-9)?;
    }

    #[test]
    fn relief_psd(
        recipe in any_table(), k in 1usize..5, metric in metric(), common in common(),
        misses in misses(), closed in any::<bool>(),
    ) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let clip = if closed { Clip::Closed } else { Clip::EachStep };
        let space = space(&case, metric, &common);
        let meant = plain::relief_psd(&space, k, misses, clip);
        // Where everything cancels, only rounding is left and its sign says nothing.
        let pick = Pick::equal(k, Ties::Index);
        let plain = plain::relieff(&space, pick, misses, &space.shares());
        prop_assume!(plain.iter().any(|w| w.abs() > 1e-12));
        let method = ReliefPsd { k, metric, misses, clip, common };
        if meant.iter().all(|w| *w <= 0.0) {
            // Clipping step by step may leave a rounding behind.
            let found = method.fit(&case.table, &case.target()).map(|found| found.weights);
            let nothing = |w: Vec<f64>| !closed && w.iter().all(|w| w.abs() < 1e-12);
            prop_assert!(found.map_or(true, nothing));
        } else if meant.iter().any(|w| *w > 1e-9) {
            close(&fit(&method, &case), &meant, 1e-9)?;
        }
    }

    #[test]
    fn class_dependent(
        recipe in any_table(), k in 1usize..7, metric in metric(), common in common(),
        scale in 0usize..3,
    ) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let class_scale = [ClassScale::Sum, ClassScale::MeanPerClass, ClassScale::ReliefF][scale];
        let space = space(&case, metric, &common);
        let method = ClassDependent { k, metric, class_scale, common };
        let (all, by_class) = plain::class_dependent(&space, k, class_scale, &space.shares());
        let wanted = Extras { per_class: true, ..Extras::default() };
        let found =
            method.fit_with(&case.table, &case.target(), &wanted, &nearkin::Run::default()).unwrap();
        close(&found.weights, &all, 1e-9)?;
        close(&found.class_weights.concat(), &by_class.concat(), 1e-9)?;
    }

    #[test]
    fn radius_methods(recipe in any_table(), metric in metric(), common in common()) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let space = space(&case, metric, &common);
        let fixed = |common: &ReliefSettings| common.clone();
        let (surf, star) = (
            Surf { metric, common: fixed(&common), ..Surf::default() },
            SurfStar { metric, common: fixed(&common), ..SurfStar::default() },
        );
        // A mean of many distances is rounded: only exact sums make exact ties.
        if !recipe.dyadic || metric == Metric::Manhattan && recipe.missing == 0 && !recipe.odd && common.scale == Scaling::MinMax {
            close(&fit(&surf, &case), &plain::radius(&space, Radius::Surf, &space.shares()), 1e-9)?;
            close(&fit(&star, &case), &plain::radius(&space, Radius::SurfStar, &space.shares()), 1e-9)?;
        }
        if !recipe.dyadic {
            let multi = MultiSurf { metric, common: fixed(&common) };
            let multi_star = MultiSurfStar { metric, common };
            close(&fit(&multi, &case), &plain::radius(&space, Radius::MultiSurf, &space.shares()), 1e-9)?;
            close(
                &fit(&multi_star, &case),
                &plain::radius(&space, Radius::MultiSurfStar, &space.shares()),
                1e-9,
            )?;
        }
    }

    #[test]
    fn relief_seq(
        recipe in any_table(), k_min in 1usize..4, more in 0usize..8, metric in metric(),
        common in common(),
    ) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let space = space(&case, metric, &common);
        let method = ReliefSeq { k_min, k_max: k_min + more, metric, common };
        let meant = plain::relief_seq(&space, k_min, k_min + more, &space.shares());
        let found = method.fit(&case.table, &case.target()).unwrap();
        close(&found.weights, &meant.iter().map(|m| m.0).collect::<Vec<_>>(), 1e-9)?;
        for (c, &k) in found.best_k.iter().enumerate() {
            let pick = Pick::equal(k, Ties::Index);
            let at = plain::relieff(&space, pick, Misses::PerClass, &space.shares());
            prop_assert!((at[c] - meant[c].0).abs() < 1e-9);
        }
    }

    #[test]
    fn i_relief(recipe in any_table(), sigma in 0.6f64..3.0, common in common()) {
        let (case, common) = (recipe.make(), suited(&recipe, common));
        let space = space(&case, Metric::Manhattan, &common);
        let method = IRelief { sigma, iterations: 5, tolerance: 0.0, common, ..IRelief::default() };
        let meant = plain::i_relief(&space, sigma, 0.0, 5);
        match method.fit(&case.table, &case.target()) {
            Ok(found) => close(&found.weights, &meant, 1e-9)?,
            Err(error) => prop_assert!(meant.iter().all(|w| *w == 0.0), "{}", error),
        }
    }

    #[test]
    fn feedback(
        recipe in prop_oneof![2 => tie_free(), 1 => packed_table()], nominal in 0usize..2,
        k in 1usize..6, metric in metric(), how in 0usize..6,
        refresh in prop::sample::select(&[1usize, 8][..]), shape in 0usize..6, ties in ties(),
        missing in prop::sample::select(&[0usize, 15][..]),
    ) {
        use Normaliser::*;
        // Sums over few categories and what stands for missing ones are equal too often.
        let [nominal, missing] = if recipe.numeric > 0 { [nominal, missing] } else { [recipe.nominal, 0] };
        let case = Recipe { nominal, missing, ..recipe }.make();
        let normaliser = [ClipMax, Floor, MinMax, Shift, Abs, Raw][how];
        let feedback = Feedback {
            k, metric, normaliser, refresh, ties, order: Order::Table, ..Feedback::default()
        };
        let space = space(&case, metric, &feedback.common);
        let mut schedule = Schedule::default();
        let s = 10.799_48;
        let logistic = |tau: f64| 1.0 / (1.0 + (-10.0 * (tau - 0.5)).exp());
        let plain_schedule: Box<dyn Fn(f64) -> f64> = match shape {
            1 => {
                schedule.schedule = Shape::Linear;
                Box::new(|tau| tau)
            }
            2 => {
                schedule.schedule = Shape::Logistic;
                Box::new(move |tau| {
                    (logistic(tau) - logistic(0.0)) / (logistic(1.0) - logistic(0.0))
                })
            }
            3 => {
                schedule.schedule = Shape::Step;
                Box::new(|tau| if tau >= 0.5 { 1.0 } else { 0.0 })
            }
            4 => {
                (schedule.schedule, schedule.alpha) = (Shape::Constant, 0.3);
                Box::new(|_| 0.3)
            }
            5 => {
                schedule.steepness = Some(s);
                Box::new(move |tau: f64| 1.0 - (-s * tau.powi(4)).exp())
            }
            _ => Box::new(|_| 1.0),
        };
        let with = plain::Feedback {
            pick: Pick::equal(k, ties), how: normaliser, floor: 0.1, refresh,
            schedule: &*plain_schedule, shake: &|_, x| x,
        };
        let meant = plain::feedback(&space, &with, &space.shares());
        // Running weights and learned factors are rounded. What is equal in theory is not in doubles:
        // which of two rows is nearer is then chance, and so is which of two weights is the least.
        let part = |c: usize| 1e-12 * (0.618 * (c + 1) as f64).fract();
        let rounded = |_, x: f64| (x * 1e12).round() / 1e12;
        let shakes: [&dyn Fn(usize, f64) -> f64; 3] =
            [&|c, x| x + part(c), &|c, x| x - part(c), &rounded];
        for shake in shakes {
            let other = plain::feedback(&space, &plain::Feedback { shake, ..with }, &space.shares());
            prop_assume!(close(&other, &meant, 1e-9).is_ok());
        }
        let method: Box<dyn Weigh> = match shape {
            0 => Box::new(DReliefF { feedback }),
            _ => Box::new(PdReliefF { schedule, feedback }),
        };
        close(&fit(&*method, &case), &meant, 1e-9)?;
    }

    #[test]
    fn turf(recipe in tie_free(), fraction in 0.05f64..0.6, keep in 1usize..4, nominal in 0usize..2) {
        let case = Recipe { nominal, ..recipe }.make();
        let inner = ReliefF { k: 3, ..ReliefF::default() };
        let method = Wrapped {
            wrapper: Turf { turf_fraction: fraction, turf_keep: Some(keep) },
            inner: Box::new(inner.clone()),
        };
        let found = method.fit(&case.table, &case.target()).unwrap();
        let total = case.table.columns().len();
        // Rounds: the worst share leaves, at least one, until `keep` are left.
        let mut left: Vec<usize> = (0..total).collect();
        let mut removed = vec![0; total];
        let mut below: Vec<usize> = vec![];
        let weigh = |left: &[usize]| {
            let part = Case { table: case.table.select_columns(left).into_owned(), labels: case.labels.clone(), real: vec![] };
            let space = space(&part, inner.metric, &inner.common);
            plain::relieff(&space, Pick::equal(3, Ties::Index), Misses::PerClass, &space.shares())
        };
        for round in 1.. {
            let w = weigh(&left);
            let mut order: Vec<usize> = (0..left.len()).collect();
            order.sort_by(|&a, &b| w[b].total_cmp(&w[a]).then(a.cmp(&b)));
            let order: Vec<usize> = order.into_iter().map(|at| left[at]).collect();
            if left.len() <= keep {
                below.splice(0..0, order);
                break;
            }
            let out = ((left.len() as f64 * fraction).ceil() as usize).min(left.len() - keep);
            let worst = order[left.len() - out..].to_vec();
            worst.iter().for_each(|&c| removed[c] = round);
            left.retain(|c| !worst.contains(c));
            below.splice(0..0, worst);
        }
        prop_assert_eq!(&found.removed_in, &removed);
        let ranking: Vec<usize> = found.ranking().iter().map(|r| r.index).collect();
        prop_assert_eq!(ranking, below);
        let kept: Vec<f64> = left.iter().map(|&c| found.weights[c]).collect();
        close(&kept, &weigh(&left), 1e-9)?;
    }
}

/// Large enough for every fast path: tiles, single precision first, many threads.
#[test]
fn relieff_on_larger_tables() {
    for (seed, rows, numeric, nominal, categories, dyadic, missing, odd) in [
        (1, 300, 40, 0, 4, false, 0, false),
        (2, 300, 33, 5, 4, true, 0, true),
        (3, 260, 6, 7, 4, false, 10, true),
        (4, 290, 0, 20, 4, true, 0, false),
        (5, 270, 0, 20, 4, true, 10, false),
        (6, 290, 0, 70, 3, true, 0, false),
        (7, 270, 0, 70, 3, true, 10, false),
    ] {
        let recipe =
            Recipe { seed, rows, numeric, nominal, categories, classes: 3, dyadic, missing, odd };
        let case = recipe.make();
        for metric in METRICS {
            for misses in [Misses::PerClass, Misses::NearestOther] {
                for ties in [Ties::Index, Ties::Average] {
                    let method = ReliefF { k: 10, metric, misses, ties, ..ReliefF::default() };
                    let space = space(&case, metric, &method.common);
                    let meant =
                        plain::relieff(&space, Pick::equal(10, ties), misses, &space.shares());
                    close(&fit(&method, &case), &meant, 1e-12).unwrap();
                }
            }
        }
    }
}

/// So many rows and columns that blocks, packs and chunks of the fast path all begin anew.
#[test]
fn radius_methods_on_a_larger_table() {
    for (rows, numeric, nominal, categories, classes, missing) in [
        (300, 70, 40, 4, 3, 0),
        (270, 0, 70, 4, 2, 0),
        (300, 17, 0, 4, 2, 0),
        (270, 0, 70, 3, 2, 0),
        (270, 0, 70, 3, 3, 10),
        (260, 21, 9, 4, 3, 10),
    ] {
        let recipe = Recipe {
            seed: 5,
            rows,
            numeric,
            nominal,
            categories,
            classes,
            dyadic: false,
            missing,
            odd: false,
        };
        let (case, common) = (recipe.make(), ReliefSettings::default());
        let metric = Metric::Manhattan;
        let space = space(&case, metric, &common);
        let methods: [(Radius, Box<dyn Weigh>); 4] = [
            (Radius::Surf, Box::new(Surf::default())),
            (Radius::SurfStar, Box::new(SurfStar::default())),
            (Radius::MultiSurf, Box::new(MultiSurf::default())),
            (Radius::MultiSurfStar, Box::new(MultiSurfStar::default())),
        ];
        for (kind, method) in methods {
            let meant = plain::radius(&space, kind, &space.shares());
            close(&fit(method.as_ref(), &case), &meant, 1e-12).unwrap();
        }
    }
}

/// From 4096 rows on differences are summed on a grid of 2⁻²⁸; a test needs squares as well, and
/// takes doubles as few rows do. So does a ramp, and one from 0 to 1 leaves differences alone: it
/// is for the stars, which have no such test.
#[test]
fn many_rows_are_summed_as_few_are() {
    let recipe = Recipe {
        seed: 6,
        rows: 4096,
        numeric: 3,
        nominal: 1,
        categories: 4,
        classes: 2,
        dyadic: false,
        missing: 0,
        odd: false,
    };
    let (case, run) = (recipe.make(), nearkin::Run::default());
    let (stir, plain) = (Extras { stir: true, ..Extras::default() }, Extras::default());
    let common = ReliefSettings {
        ramp: true,
        ramp_equal: 0.0,
        ramp_different: 1.0,
        ..ReliefSettings::default()
    };
    let surf_star = SurfStar { common: common.clone(), ..SurfStar::default() };
    let multisurf_star = MultiSurfStar { common, ..MultiSurfStar::default() };
    let pairs: [(&dyn Weigh, &dyn Weigh, &Extras); 4] = [
        (&Surf::default(), &Surf::default(), &stir),
        (&MultiSurf::default(), &MultiSurf::default(), &stir),
        (&SurfStar::default(), &surf_star, &plain),
        (&MultiSurfStar::default(), &multisurf_star, &plain),
    ];
    for (method, doubles, wanted) in pairs {
        let meant = doubles.fit_with(&case.table, &case.target(), wanted, &run).unwrap().weights;
        let found = fit(method, &case);
        let step = 1.0 / f64::from(1 << 28);
        assert!(
            found.iter().zip(&meant).all(|(a, b)| (a - b).abs() < step),
            "{found:?}, {meant:?}"
        );
        assert_ne!(found, meant, "both were summed the same way");
    }
}

/// Of five others four at distance d and one at e: d is the mean less half a deviation where e is
/// further, and the mean and half a deviation where e is nearer. Distances a hair from that are
/// those that whole numbers cannot tell.
#[test]
fn rows_a_hair_from_a_limit_are_on_the_side_of_their_definition() {
    for seed in 0..300 {
        let dice = &mut Dice(seed);
        let hair = 10f64.powf(-6.5 - 4.0 * dice.unit());
        let (many, one) = if seed % 2 == 0 { (0.25, 1.0) } else { (1.0 - 3.0 * hair, 0.25) };
        let mut cells = vec![0.0, one];
        cells.extend((0..4).map(|_| many + hair * (2.0 * dice.unit() - 1.0)));
        let labels: Vec<usize> = (0..6).map(|row| (row + dice.below(2)) % 2).collect();
        let labels = if labels.contains(&0) && labels.contains(&1) {
            labels
        } else {
            vec![0, 1, 0, 1, 0, 1]
        };
        let table = Table::new(vec![Column::numeric("x", cells)]).unwrap();
        let case = Case { table, labels, real: vec![0.0; 6] };
        let space = space(&case, Metric::Manhattan, &ReliefSettings::default());
        for (kind, method) in [
            (Radius::MultiSurf, Box::new(MultiSurf::default()) as Box<dyn Weigh>),
            (Radius::MultiSurfStar, Box::new(MultiSurfStar::default())),
        ] {
            let meant = plain::radius(&space, kind, &space.shares());
            close(&fit(method.as_ref(), &case), &meant, 1e-9).unwrap();
        }
    }
}
