//! Laws of the generators: each table follows the rule its generator states.
#![allow(clippy::unwrap_used, clippy::panic)] // a test's helpers are tests

use nearkin::Note;
use nearkin::data::{ColumnValues, Target};
use nearkin::simulate::{
    DecisionList, Disjunction, Epistasis, Heterogeneity, Led, LinEq, LinInc, LinearThreshold,
    Majority, Modulo, Monk, MonkProblem, Parity, Penetrance, PerturbedCentroids, RandomRbf,
    Simulate, Simulated, Sphere, Xor, generator, generators, set,
};

/// The relevant cells of every row as numbers; a category counts by its code.
fn relevant(made: &Simulated) -> Vec<Vec<f64>> {
    let cell = |values: &ColumnValues, row: usize| match values {
        ColumnValues::F64(lane) => lane.at(row),
        ColumnValues::F32(lane) => f64::from(lane.at(row)),
        ColumnValues::Nominal { codes, .. } => f64::from(codes[row]),
        ColumnValues::Genotype(cells) => f64::from(cells.code(row)),
    };
    let columns = made.table.columns();
    let row = |r: usize| made.relevant.iter().map(|&j| cell(&columns[j].values, r)).collect();
    (0..made.table.rows()).map(row).collect()
}

fn codes(made: &Simulated) -> Vec<u32> {
    match &made.target {
        Target::Classes(classes) => {
            classes.codes().iter().map(|&c| classes.names()[c as usize].parse().unwrap()).collect()
        }
        Target::Real(_) => panic!("a real target"),
    }
}

fn follows(generator: &dyn Simulate, rule: impl Fn(&[f64]) -> bool) {
    let made = generator.generate().unwrap();
    for (row, class) in relevant(&made).iter().zip(codes(&made)) {
        assert_eq!(u32::from(rule(row)), class, "{}: {row:?}", generator.about().id);
    }
}

fn sum(row: &[f64]) -> f64 {
    row.iter().sum()
}

#[test]
fn the_same_seed_repeats_and_another_does_not() {
    for mut generator in generators() {
        let id = generator.about().id;
        if id == "monk" {
            set(generator.as_mut(), "rows", "100").unwrap();
        }
        let first = generator.generate().unwrap();
        assert_eq!(first, generator.generate().unwrap(), "{id}");
        set(generator.as_mut(), "random_state", "1").unwrap();
        assert_ne!(first.table, generator.generate().unwrap().table, "{id}");
    }
}

#[test]
fn more_irrelevant_features_leave_the_rest_alone() {
    for mut generator in generators() {
        let made = |generator: &mut dyn Simulate, count: &str| {
            set(generator, "irrelevant", count).unwrap();
            generator.generate().unwrap()
        };
        let (few, many) = (made(generator.as_mut(), "2"), made(generator.as_mut(), "5"));
        let shared: Vec<usize> = (0..few.table.columns().len()).collect();
        assert_eq!(few.table, many.table.select_columns(&shared));
        assert_eq!((&few.target, &few.relevant), (&many.target, &many.relevant));
        assert_eq!(many.table.columns().len(), shared.len() + 3);
    }
}

#[test]
fn irrelevant_features_are_named_so() {
    for generator in generators() {
        let made = generator.generate().unwrap();
        let about = generator.about();
        assert!(!made.relevant.is_empty() && !about.summary.is_empty());
        assert_eq!(made.table.rows(), made.target.len());
        assert!(!made.table.has_missing());
        for (j, name) in made.table.names().enumerate() {
            let is_noise = name.starts_with('N');
            assert!(about.id == "monk" || is_noise != made.relevant.contains(&j), "{name}");
        }
    }
}

#[test]
fn an_unknown_generator_or_parameter_is_told_the_known_ones() {
    let error = generator("paritty").map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("`paritty` is not a generator") && error.contains("parity, majority"));
    let mut parity = generator("parity").unwrap();
    let error = set(parity.as_mut(), "bits", "3").unwrap_err().to_string();
    assert!(error.contains("parity has no such parameter; it has rows, relevant"), "{error}");
}

#[test]
fn boolean_classes_follow_their_rules() {
    for relevant in 1..7 {
        follows(&Parity { relevant, ..Parity::default() }, |row| sum(row) % 2.0 == 1.0);
        follows(&Majority { relevant, ..Majority::default() }, |row| {
            sum(row) > row.len() as f64 / 2.0
        });
        follows(&Disjunction { relevant, ..Disjunction::default() }, |row| {
            let (first, second) = row.split_at(row.len() / 2);
            (!first.is_empty() && !first.contains(&0.0)) || !second.contains(&0.0)
        });
    }
}

#[test]
fn regions_follow_their_rules_and_split_about_evenly() {
    for relevant in [1, 2, 5, 10] {
        let linear = LinearThreshold { relevant, rows: 2000, ..LinearThreshold::default() };
        follows(&linear, |row| sum(row) > row.len() as f64 / 2.0);
        let sphere = Sphere { relevant, rows: 2000, ..Sphere::default() };
        follows(&sphere, |row| {
            row.iter().map(|x| (x - 0.5) * (x - 0.5)).sum::<f64>() < row.len() as f64 / 12.0
        });
        for made in [linear.generate().unwrap(), sphere.generate().unwrap()] {
            let ones = codes(&made).iter().sum::<u32>();
            assert!((800..1250).contains(&ones), "{ones}");
        }
    }
}

#[test]
fn modulo_counts_the_relevant_digits() {
    for numeric in [false, true] {
        let made = Modulo { p: 5, relevant: 3, numeric, ..Modulo::default() }.generate().unwrap();
        for (row, class) in relevant(&made).iter().zip(codes(&made)) {
            assert_eq!(sum(row) as u32 % 5, class);
        }
        assert!(made.table.columns().iter().all(|c| c.is_nominal() != numeric));
    }
}

#[test]
fn monk_rules_hold_of_216_142_and_228_robots() {
    use MonkProblem::{One, Three, Two};
    for (problem, ones, relevant) in
        [(One, 216, vec![0, 1, 4]), (Two, 142, vec![0, 1, 2, 3, 4, 5]), (Three, 228, vec![1, 3, 4])]
    {
        let made = Monk { problem, ..Monk::default() }.generate().unwrap();
        assert_eq!(codes(&made).iter().sum::<u32>(), ones);
        assert_eq!((made.table.rows(), made.relevant), (432, relevant));
    }
}

#[test]
fn a_monk_class_depends_on_its_relevant_attributes_only() {
    for problem in [MonkProblem::One, MonkProblem::Three] {
        let made = Monk { problem, ..Monk::default() }.generate().unwrap();
        let mut seen = std::collections::HashMap::new();
        for (row, class) in relevant(&made).iter().zip(codes(&made)) {
            assert_eq!(*seen.entry(format!("{row:?}")).or_insert(class), class);
        }
    }
}

#[test]
fn monk_rows_are_different_robots_and_flips_are_counted() {
    let monk = Monk { rows: Some(122), flip: 0.05, problem: MonkProblem::Two, ..Monk::default() };
    let made = monk.generate().unwrap();
    let mut rows: Vec<String> = relevant(&made).iter().map(|row| format!("{row:?}")).collect();
    rows.sort();
    rows.dedup();
    assert_eq!(rows.len(), 122);
    let truly = |row: &Vec<f64>| u32::from(row.iter().filter(|&&v| v == 0.0).count() == 2);
    let wrong = relevant(&made).iter().zip(codes(&made)).filter(|(r, c)| truly(r) != *c).count();
    assert_eq!(made.notes, [Note::FlippedClasses { count: wrong }]);
    let error = Monk { rows: Some(433), ..Monk::default() }.generate().unwrap_err().to_string();
    assert!(error.contains("there are 432 different robots, got 433"));
}

#[test]
fn led_segments_fail_one_time_in_ten() {
    let sound = Led { flip: 0.0, rows: 5000, ..Led::default() }.generate().unwrap();
    let mut shown = std::collections::HashMap::new();
    for (row, digit) in relevant(&sound).into_iter().zip(codes(&sound)) {
        assert_eq!(*shown.entry(digit).or_insert(row.clone()), row);
    }
    assert_eq!(shown.len(), 10);
    let faulty = Led { rows: 5000, ..Led::default() }.generate().unwrap();
    let failed: f64 = relevant(&faulty)
        .iter()
        .zip(codes(&faulty))
        .map(|(row, digit)| row.iter().zip(&shown[&digit]).map(|(a, b)| (a - b).abs()).sum::<f64>())
        .sum();
    assert!((failed / 35_000.0 - 0.1).abs() < 0.006, "{failed}");
    assert_eq!(faulty.table.columns().len(), 24);
}

/// The notes hold the rules in full precision: read them back and apply them.
#[test]
fn the_first_rule_that_fires_gives_the_class() {
    for boolean in [false, true] {
        let list = DecisionList { relevant: 6, classes: 3, boolean, ..DecisionList::default() };
        let made = list.generate().unwrap();
        let fires = |rule: &str, row: &[f64]| {
            let tests = rule.trim_start_matches("if ").split(" then ").next().unwrap();
            tests.split(" and ").all(|test| {
                let parts: Vec<&str> = test.split(' ').collect();
                let value = row[parts[0][1..].parse::<usize>().unwrap()];
                let bound: f64 = parts[2].parse().unwrap();
                match parts[1] {
                    "<" => value < bound,
                    ">=" => value >= bound,
                    _ => value == bound,
                }
            })
        };
        let notes: Vec<String> = made.notes.iter().map(|note| note.to_string()).collect();
        let rules: Vec<&String> = notes.iter().filter(|n| n.starts_with("if ")).collect();
        for (row, class) in relevant(&made).iter().zip(codes(&made)) {
            let first = rules.iter().find(|rule| fires(rule, row)).unwrap();
            assert!(first.ends_with(&format!(" then {class}")), "{first} {class}");
        }
        assert!(made.table.columns().iter().all(|c| c.is_nominal() == boolean));
    }
}

#[test]
fn a_feature_no_rule_reads_is_told() {
    let list = DecisionList { relevant: 40, rows: 3, max_tests: 2, ..DecisionList::default() };
    let made = DecisionList { seed: 3, ..list }.generate().unwrap();
    assert!(made.notes.last().unwrap().to_string().starts_with("no rule reads R"));
}

#[test]
fn rbf_clouds_keep_to_the_asked_classes() {
    let made = RandomRbf { classes: 4, rows: 3000, ..RandomRbf::default() }.generate().unwrap();
    let mut seen = codes(&made);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [0, 1, 2, 3]);
    // Centres are uniform and steps are symmetric: the middle stays near one half.
    let rows = relevant(&made);
    let mean = rows.iter().map(|row| sum(row)).sum::<f64>() / (3000.0 * 10.0);
    assert!((mean - 0.5).abs() < 0.08, "{mean}");
}

#[test]
fn linear_targets_are_their_weighted_sums() {
    let made = LinInc { relevant: 5, ..LinInc::default() }.generate().unwrap();
    let Target::Real(values) = &made.target else { panic!() };
    for (row, value) in relevant(&made).iter().zip(values) {
        let expected: f64 = row.iter().zip(1..).map(|(x, j)| f64::from(j) * x).sum();
        assert!((expected - value).abs() < 1e-12);
    }
    let made = LinEq::default().generate().unwrap();
    let Target::Real(values) = &made.target else { panic!() };
    assert!(
        relevant(&made).iter().zip(values).all(|(row, value)| (sum(row) - value).abs() < 1e-12)
    );
}

/// Rows of bits with their classes.
fn rows(made: &PerturbedCentroids) -> Vec<(usize, Vec<u16>)> {
    let made = made.generate().unwrap();
    let bit = |values: &ColumnValues, row: usize| match values {
        ColumnValues::Nominal { codes, .. } => codes[row],
        _ => panic!("bits are categories"),
    };
    let row = |r: usize| made.table.columns().iter().map(|c| bit(&c.values, r)).collect();
    codes(&made).iter().enumerate().map(|(r, &class)| (class as usize, row(r))).collect()
}

#[test]
fn rows_lie_as_far_from_their_centroid_as_bits_are_flipped() {
    let made = PerturbedCentroids {
        rows: 4000,
        bits: 40,
        flip_0: 0.3,
        flip_1: 0.1,
        share_0: 0.25,
        ..PerturbedCentroids::default()
    };
    let centres = made.centres();
    let (mut flipped, mut count) = ([0.0f64; 2], [0.0f64; 2]);
    for (class, row) in rows(&made) {
        let off = row.iter().zip(&centres[class][0]).filter(|(a, b)| a != b).count();
        flipped[class] += off as f64 / 40.0;
        count[class] += 1.0;
    }
    assert!((count[0] / 4000.0 - 0.25).abs() < 0.03);
    assert!((flipped[0] / count[0] - 0.3).abs() < 0.01);
    assert!((flipped[1] / count[1] - 0.1).abs() < 0.01);
}

#[test]
fn another_sample_has_the_same_centroids_and_other_rows() {
    let first = PerturbedCentroids { centroids: 2, ..PerturbedCentroids::default() };
    let second = PerturbedCentroids { sample: 1, ..first.clone() };
    assert_eq!(first.centres(), second.centres());
    assert_ne!(rows(&first), rows(&second));
    assert_eq!(rows(&first), rows(&first.clone()));
}

#[test]
fn centroids_of_a_class_are_as_alike_as_asked() {
    let agree = |alike| {
        let made = PerturbedCentroids { bits: 20_000, centroids: 2, alike, ..Default::default() };
        let centres = made.centres();
        let same = |a: &[u16], b: &[u16]| {
            a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / 20_000.0
        };
        (same(&centres[0][0], &centres[0][1]), same(&centres[0][0], &centres[1][0]))
    };
    let (within, between) = agree(0.0);
    assert!((within - 0.5).abs() < 0.02 && (between - 0.5).abs() < 0.02);
    // A bit agrees when it is kept, or by luck: 0.6 + 0.4/2.
    let (within, between) = agree(0.6);
    assert!((within - 0.8).abs() < 0.02 && (between - 0.5).abs() < 0.02);
}

/// The densities of all rows add up to 1.
#[test]
fn the_density_is_that_of_the_rows() {
    let made = PerturbedCentroids { bits: 4, centroids: 2, ..PerturbedCentroids::default() };
    let centres = made.centres();
    for class in 0..2 {
        let all = (0..16u16).map(|n| (0..4).map(|bit| n >> bit & 1).collect::<Vec<u16>>());
        let sum: f64 = all.map(|row| made.log_density(&centres, class, &row).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn xor_is_the_parity_of_heterozygous_loci() {
    for order in [2, 3, 4] {
        follows(&Xor { order, ..Xor::default() }, |row| {
            row.iter().filter(|&&g| g == 1.0).count() % 2 == 1
        });
    }
}

/// Share of cases among the rows where `key` has each value, with the number of rows.
fn case_shares<K: std::hash::Hash + Eq>(
    made: &Simulated,
    key: impl Fn(&[f64]) -> K,
) -> Vec<(f64, f64)> {
    let mut cells = std::collections::HashMap::new();
    for (row, class) in relevant(made).iter().zip(codes(made)) {
        let entry = cells.entry(key(row)).or_insert((0.0, 0.0));
        *entry = (entry.0 + f64::from(class), entry.1 + 1.0);
    }
    cells.into_values().map(|(cases, all)| (cases / all, all)).collect()
}

/// Var(P(case | cell)) / (K(1−K)) over the rows' own cells.
fn explained(cells: &[(f64, f64)]) -> f64 {
    let n: f64 = cells.iter().map(|(_, all)| all).sum();
    let k = cells.iter().map(|(share, all)| share * all).sum::<f64>() / n;
    cells.iter().map(|(share, all)| all * (share - k).powi(2)).sum::<f64>() / (n * k * (1.0 - k))
}

#[test]
fn epistasis_explains_the_asked_share_together_and_nothing_alone() {
    for (order, maf, heritability) in [(2, 0.2, 0.1), (2, 0.4, 0.4), (3, 0.4, 0.2)] {
        let epistasis = Epistasis {
            rows: 40_000,
            order,
            maf: vec![maf],
            heritability,
            prevalence: 0.4,
            case_share: None,
            irrelevant: 1,
            ..Epistasis::default()
        };
        let made = epistasis.generate().unwrap();
        let whole = explained(&case_shares(&made, |row| format!("{row:?}")));
        assert!((whole - heritability).abs() < 0.02, "{order}: {whole}");
        for locus in 0..order {
            let alone = explained(&case_shares(&made, |row| row[locus] as u8));
            assert!(alone < 0.001, "{order}: {alone}");
        }
    }
}

#[test]
fn genotypes_keep_hardy_weinberg_proportions_among_cases_and_controls() {
    let made = Epistasis { rows: 20_000, maf: vec![0.2, 0.3], ..Epistasis::default() };
    let made = made.generate().unwrap();
    let rows = relevant(&made);
    for (locus, maf) in [0.2, 0.3].into_iter().enumerate() {
        for class in [0, 1] {
            let of: Vec<f64> = rows
                .iter()
                .zip(codes(&made))
                .filter(|(_, c)| *c == class)
                .map(|(row, _)| row[locus])
                .collect();
            let twos = of.iter().filter(|&&g| g == 2.0).count() as f64 / of.len() as f64;
            assert!((sum(&of) / (2.0 * of.len() as f64) - maf).abs() < 0.01);
            assert!((twos - maf * maf).abs() < 0.01);
        }
    }
}

#[test]
fn the_share_of_cases_is_exact_when_asked_for() {
    let made = Epistasis { rows: 500, case_share: Some(0.3), ..Epistasis::default() };
    assert_eq!(codes(&made.generate().unwrap()).iter().sum::<u32>(), 150);
}

#[test]
fn each_pair_explains_its_share_of_the_rows() {
    let mixed = |share| {
        let asked =
            Heterogeneity { rows: 40_000, share, irrelevant: 1, ..Heterogeneity::default() };
        let made = asked.generate().unwrap();
        let pair = |start: usize| {
            explained(&case_shares(&made, |row| (row[start] as u8, row[start + 1] as u8)))
        };
        (pair(0), pair(2))
    };
    // In a mixture the deviations of a pair shrink by its share, their variance by its square.
    let (first, second) = mixed(0.5);
    assert!((first - 0.075).abs() < 0.01 && (second - 0.075).abs() < 0.01, "{first} {second}");
    let (first, second) = mixed(1.0);
    assert!((first - 0.3).abs() < 0.02 && second < 0.002, "{first} {second}");
}

#[test]
fn bad_parameters_give_sentences() {
    let refused = |id: &str, settings: &[(&str, &str)], words: &str| {
        let mut generator = generator(id).unwrap();
        let outcome = settings
            .iter()
            .try_for_each(|(name, text)| set(generator.as_mut(), name, text))
            .and_then(|()| generator.generate().map(|_| ()));
        let error = outcome.unwrap_err().to_string();
        assert!(error.contains(words), "{id}: {error}");
    };
    refused("parity", &[("rows", "1")], "rows: must be at least 2, got 1");
    refused("led", &[("flip", "1.5")], "flip: must be from 0 to 1, got 1.5");
    refused("modulo", &[("p", "2000")], "p: must be from 2 to 1000");
    refused("monk", &[("problem", "4")], "expected one of 1, 2, 3, got `4`");
    refused("decision-list", &[("min_tests", "5")], "number of relevant features, 3, got 5");
    refused("epistasis", &[("order", "4")], "must be 2 or 3 loci, got 4");
    refused("epistasis", &[("maf", "0.7")], "at most 0.5, got 0.7");
    refused("epistasis", &[("maf", "0.1,0.2,0.3")], "one for each of the 2, got 3");
    refused("epistasis", &[("prevalence", "0")], "above 0 and below 1, got 0");
    refused("epistasis", &[("heritability", "0.99")], "the largest found is");
    refused("epistasis", &[("case_share", "1")], "fell into one class");
    refused("xor", &[("irrelevant_maf", "0.3")], "must be two frequencies");
    refused("disjunction", &[("relevant", "60")], "fell into one class");
}

proptest::proptest! {
    #[test]
    fn a_pure_table_is_pure_whenever_there_is_one(
        maf in proptest::collection::vec(0.02f64..=0.5, 2..=3),
        prevalence in 0.01f64..0.99,
        heritability in 0.0f64..0.4,
        seed in 0u64..1000,
    ) {
        let mut random = nearkin::random::Random::new(seed, 2);
        match Penetrance::pure(&maf, prevalence, heritability, &mut random) {
            Ok(table) => {
                assert!((table.heritability() - heritability).abs() < 1e-9);
                for locus in 0..maf.len() {
                    assert!(table.marginal(locus).iter().all(|p| (p - prevalence).abs() < 1e-9));
                }
            }
            Err(error) => assert!(error.to_string().contains("the largest found is"), "{error}"),
        }
    }
}

/// Random streams.
mod streams {
    use nearkin::random::Random;

    #[test]
    fn a_stream_repeats_and_differs_from_its_neighbour() {
        let draw = |seed, stream| Random::new(seed, stream).word();
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn below_covers_its_range_evenly() {
        let mut random = Random::new(7, 0);
        let mut counts = [0usize; 5];
        for _ in 0..50_000 {
            counts[random.below(5)] += 1;
        }
        assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
    }

    #[test]
    fn normal_has_mean_zero_and_variance_one() {
        let mut random = Random::new(3, 0);
        let draws: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02);
    }

    #[test]
    fn sample_has_no_repeats() {
        let mut drawn = Random::new(1, 1).sample(100, 40);
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 40);
    }
}

/// Tables of penetrances.
mod penetrances {
    use nearkin::random::Random;
    use nearkin::simulate::Penetrance;

    #[test]
    fn marginal_penetrances_are_equal() {
        for (seed, maf) in [vec![0.2, 0.3], vec![0.5, 0.1], vec![0.4, 0.3, 0.5]].iter().enumerate()
        {
            let table = Penetrance::pure(maf, 0.4, 0.05, &mut Random::new(seed as u64, 2)).unwrap();
            for locus in 0..maf.len() {
                assert!(table.marginal(locus).iter().all(|p| (p - 0.4).abs() < 1e-12), "{table:?}");
            }
            assert!((table.prevalence() - 0.4).abs() < 1e-12);
            assert!((table.heritability() - 0.05).abs() < 1e-12);
        }
    }

    #[test]
    fn pairs_of_three_loci_tell_nothing() {
        let maf = [0.4, 0.3, 0.5];
        let table = Penetrance::pure(&maf, 0.5, 0.1, &mut Random::new(5, 2)).unwrap();
        let weights = table.weights();
        for left_out in 0..3 {
            let mut cases = std::collections::BTreeMap::new();
            for (i, (w, p)) in weights.iter().zip(table.cells()).enumerate() {
                let mut pair = table.genotypes(i);
                pair.remove(left_out);
                let entry = cases.entry(pair).or_insert((0.0, 0.0));
                *entry = (entry.0 + w * p, entry.1 + w);
            }
            assert_eq!(cases.len(), 9);
            assert!(cases.values().all(|(case, all)| (case / all - 0.5).abs() < 1e-12));
        }
    }

    #[test]
    fn the_climb_reaches_what_random_directions_do_not() {
        // At frequency ½ and prevalence ½ exclusive or explains everything.
        let table = Penetrance::pure(&[0.5, 0.5], 0.5, 0.98, &mut Random::new(1, 2)).unwrap();
        assert!((table.heritability() - 0.98).abs() < 1e-9);
    }

    #[test]
    fn an_unreachable_heritability_is_told_the_largest() {
        let error = Penetrance::pure(&[0.05, 0.05], 0.5, 0.9, &mut Random::new(1, 2)).unwrap_err();
        assert!(error.to_string().contains("the largest found is 0."), "{error}");
    }

    #[test]
    fn a_table_of_the_wrong_size_is_refused() {
        assert!(Penetrance::new(vec![0.2], vec![0.1; 9]).is_err());
        assert!(Penetrance::new(vec![0.2], vec![0.1, 0.2, 1.2]).is_err());
        assert!(Penetrance::new(vec![0.7], vec![0.1; 3]).is_err());
        assert!(Penetrance::pure(&[0.2], 0.5, 0.1, &mut Random::new(1, 2)).is_err());
    }
}
