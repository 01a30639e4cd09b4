//! Measures of pairs of rows, against cases worked by hand from their definitions.
#![allow(clippy::unwrap_used)]

use nearkin::data::{Column, SimilarityMatrix, Table, Target};
use nearkin::measure::pairwise::*;
use nearkin::measure::{Form, Norm, Similarity, SquareMatrix};
use nearkin::{Result, Run};

fn words(name: &str, cells: &str) -> Column<'static> {
    let cells: Vec<Option<&str>> =
        cells.split(' ').map(|cell| (cell != "?").then_some(cell)).collect();
    Column::nominal(name, &cells).unwrap()
}

fn numbers(name: &str, cells: &[f64]) -> Column<'static> {
    Column::numeric(name, cells.to_vec())
}

fn table<const N: usize>(columns: [Column<'static>; N]) -> Table<'static> {
    Table::new(columns.into()).unwrap()
}

fn target(labels: &str) -> Target {
    Target::classes(labels.split(' '))
}

/// Rows of the training table against each other.
fn within(measure: &dyn PairMeasure, table: &Table, labels: &str) -> SimilarityMatrix<'static> {
    measure.fit(table, Some(&target(labels))).unwrap().block(table, table).unwrap()
}

#[track_caller]
fn near(found: f64, meant: f64) {
    assert!((found - meant).abs() < 1e-14, "{found} {meant}");
}

/// P(a | red) = 1, P(a | blue) = ½, P(a | green) = 0.
fn colours() -> (Table<'static>, &'static str) {
    (table([words("colour", "red red blue blue green")]), "a a a b b")
}

#[test]
fn counting_is_the_number_of_equal_cells() {
    let t = table([words("c", "x y x ?"), numbers("n", &[1.0, 1.0, 2.0, f64::NAN])]);
    let s = within(&Counting::default(), &t, "a a b b");
    assert_eq!(*s.row(0), [2.0, 1.0, 1.0, 0.0]);
    assert_eq!(*s.row(3), [0.0; 4], "a missing cell agrees with nothing, not even with itself");
    let new = table([words("c", "z z"), numbers("n", &[5.0, 5.0])]);
    let fitted = Counting::default().fit(&t, None).unwrap();
    assert_eq!(*fitted.block(&new, &t).unwrap().row(0), [0.0; 4]);
    assert_eq!(fitted.block(&new, &new).unwrap().at(0, 1), 2.0);
}

#[test]
fn value_differences_are_those_of_class_shares() {
    let (t, y) = colours();
    let s = within(&Vdm::default(), &t, y);
    for (pair, d) in [((0, 1), 0.0), ((0, 2), 0.5), ((0, 4), 2.0), ((2, 4), 0.5)] {
        near(s.at(pair.0, pair.1), -d);
        near(s.at(pair.1, pair.0), -d);
    }
    let s = within(&Vdm { q: 1.0, ..Vdm::default() }, &t, y);
    near(s.at(0, 2), -1.0);
    near(s.at(0, 4), -2.0);
    // w(red) = 1, w(blue) = √½: seen from blue, red is nearer than blue is seen from red.
    let s = within(&Vdm { weights: ValueWeights::StanfillWaltz, ..Vdm::default() }, &t, y);
    near(s.at(0, 2), -0.5);
    near(s.at(2, 0), -0.5 * 0.5f64.sqrt());
}

#[test]
fn an_unseen_value_has_no_class_or_all_alike() {
    let (t, y) = colours();
    let new = table([words("colour", "pink")]);
    let at = |vdm: Vdm| {
        let fitted = vdm.fit(&t, Some(&target(y))).unwrap();
        fitted.block(&new, &t).unwrap().at(0, 0)
    };
    near(at(Vdm::default()), -1.0);
    // P(a | red) = 3/4 and P(a | pink) = 1/2.
    near(at(Vdm { smoothing: 1.0, ..Vdm::default() }), -0.125);
}

#[test]
fn a_missing_cell_is_a_value_of_its_own_for_value_differences() {
    let t = table([words("c", "x x ? ?")]);
    let s = within(&Vdm::default(), &t, "a b b b");
    near(s.at(2, 3), 0.0);
    // P(b | x) = ½, P(b | ?) = 1.
    near(s.at(0, 2), -0.5);
}

#[test]
fn numbers_of_few_values_are_categories_and_others_are_refused() {
    let bits = table([numbers("n", &[1.0, 1.0, 0.0, 0.0, 7.0])]);
    let s = within(&Vdm::default(), &bits, "a a a b b");
    near(s.at(0, 4), -2.0);
    let many = table([Column::numeric("height", (0..30).map(f64::from).collect())]);
    let labels = vec!["a"; 30].join(" ");
    let refused = Vdm::default().fit(&many, Some(&target(&labels))).unwrap_err().to_string();
    assert!(refused.contains("`height` holds 30 different numbers"), "{refused}");
    assert!(refused.contains("hvdm or ivdm"), "{refused}");
}

#[test]
fn modified_value_differences_have_a_power_of_their_own_and_weigh_exemplars() {
    let (t, y) = colours();
    near(within(&Mvdm::default(), &t, y).at(0, 2), -1.0);
    near(within(&Mvdm { r: 2.0, ..Mvdm::default() }, &t, y).at(0, 4), -4.0);
    // Nearest others: 0→1 and 1→0, both right; 2→3 and 3→2, both wrong; 4→2, wrong. So row 2 has
    // 3 uses, 1 right (the one given), row 3 has 2 and 1, rows 0 and 1 have 2 and 2.
    let used = Mvdm { exemplars: ExemplarWeights::Used, ..Mvdm::default() };
    let s = within(&used, &t, y);
    near(s.at(0, 2), -3.0);
    near(s.at(0, 3), -2.0);
    near(s.at(2, 0), -1.0);
    let fitted = used.fit(&t, Some(&target(y))).unwrap();
    let refused = fitted.block(&t, &t.select_rows(&[0, 1])).unwrap_err().to_string();
    assert!(refused.contains("weighs its 5 training rows and was given 2"), "{refused}");
}

#[test]
fn hvdm_mixes_class_shares_spreads_and_missing_cells() {
    let t = table([
        words("colour", "red red blue blue green"),
        // Deviation 2 (divisor n), so that 4σ = 8.
        numbers("n", &[1.0, 5.0, 1.0, 5.0, f64::NAN]),
    ]);
    let at = |normal, i, j| within(&Hvdm { normal, ..Hvdm::default() }, &t, "a a a b b").at(i, j);
    // Colours: ΔP = (½, −½); numbers: 4/8.
    near(at(Normal::N2, 0, 3), -(0.5f64 + 0.25).sqrt());
    near(at(Normal::N1, 0, 3), -(1.0f64 + 0.25).sqrt());
    near(at(Normal::N3, 0, 3), -(1.0f64 + 0.25).sqrt());
    // Red and green: ΔP = (1, −1); the number is missing.
    near(at(Normal::N2, 0, 4), -(2.0f64 + 1.0).sqrt());
    near(at(Normal::N2, 4, 4), -1.0);
}

#[test]
fn interpolated_differences_run_between_midpoints() {
    // Five intervals of width 2, midpoints 1, 3, 5, 7, 9; P(a) = 1, ½, 0, 0, 0.
    let t = table([numbers("n", &[0.0, 1.0, 3.0, 3.0, 5.0, 7.0, 10.0])]);
    let fitted = Ivdm::default().fit(&t, Some(&target("a a a b b b b"))).unwrap();
    let at = |x: f64, z: f64| {
        let one = |v: f64| table([numbers("n", &[v])]);
        fitted.block(&one(x), &one(z)).unwrap().at(0, 0)
    };
    // Half way between 1 and 3: P(a) = ¾, P(b) = ¼.
    near(at(2.0, 3.0), -0.125);
    // Half way out of the range: P(a) = ½ and P(b) = 0.
    near(at(0.0, 1.0), -0.25);
    near(at(10.0, 9.0), -0.25);
    near(at(-1.0, 100.0), 0.0);
    near(at(1.0, 5.0), -2.0);
    near(at(f64::NAN, f64::NAN), 0.0);
    let constant = table([numbers("n", &[4.0, 4.0])]);
    near(within(&Ivdm::default(), &constant, "a b").at(0, 1), 0.0);
    // Categories as for vdm.
    let (t, y) = colours();
    assert_eq!(within(&Ivdm::default(), &t, y), within(&Vdm::default(), &t, y));
}

#[test]
fn heom_is_a_root_of_squares_over_ranges_mismatches_and_holes() {
    let t = table([numbers("n", &[0.0, 2.0, 4.0, f64::NAN]), words("c", "x y x x")]);
    let s = within(&Heom::default(), &t, "a a b b");
    near(s.at(0, 1), -(0.25f64 + 1.0).sqrt());
    near(s.at(0, 2), -1.0);
    near(s.at(0, 3), -1.0);
    near(s.at(3, 3), -1.0);
}

#[test]
fn distances_are_scaled_as_asked_and_leave_holes_out() {
    let t = table([numbers("n", &[0.0, 3.0, 6.0]), numbers("m", &[0.0, 4.0, f64::NAN])]);
    let plain = nearkin::measure::Scaling::None;
    let at = |measure: &dyn PairMeasure, i, j| within(measure, &t, "a a b").at(i, j);
    near(at(&Euclidean { scaling: plain, ..Euclidean::default() }, 0, 1), -5.0);
    near(at(&Manhattan { scaling: plain, ..Manhattan::default() }, 0, 1), -7.0);
    near(at(&Manhattan::default(), 0, 1), -1.5);
    // One of two columns known: it counts for both.
    near(at(&Manhattan::default(), 0, 2), -2.0);
    near(at(&Manhattan { missing: Holes::One, ..Manhattan::default() }, 1, 2), -1.5);
    let both = Manhattan { scaling: plain, missing: Holes::One };
    let refused = both.fit(&t, None).unwrap_err().to_string();
    assert!(refused.contains("columns are not scaled"), "{refused}");
}

#[test]
fn measures_of_sets_compare_what_is_shared_with_what_is_not() {
    // A = {p, q, s}, B = {p, r}: one in common, two and one apart.
    let t = table([
        numbers("p", &[1.0, 1.0, 0.0]),
        numbers("q", &[1.0, 0.0, 0.0]),
        numbers("r", &[0.0, 1.0, 0.0]),
        numbers("s", &[1.0, 0.0, 0.0]),
    ]);
    let at = |measure: &dyn PairMeasure, i, j| within(measure, &t, "a a b").at(i, j);
    near(at(&TverskyContrast::default(), 0, 1), 1.0 - 1.0 - 0.5);
    let contrast = TverskyContrast { theta: 2.0, alpha: 1.0, beta: 0.0 };
    near(at(&contrast, 0, 1), 0.0);
    near(at(&contrast, 1, 0), 1.0);
    let ratio = TverskyRatio { alpha: 0.8, beta: 0.2, ..TverskyRatio::default() };
    near(at(&ratio, 0, 1), 1.0 / 2.8);
    near(at(&ratio, 1, 0), 1.0 / 2.2);
    near(at(&Jaccard::default(), 0, 1), 0.25);
    near(at(&Dice::default(), 0, 1), 0.4);
    near(at(&Overlap::default(), 0, 1), 1.0);
    let coefficient = Overlap { form: OverlapForm::Coefficient, ..Overlap::default() };
    near(at(&coefficient, 0, 1), 0.5);
    near(at(&Cosine::default(), 0, 1), 1.0 / 6.0f64.sqrt());
    // Nothing at all on both sides, and on one.
    near(at(&Jaccard::default(), 2, 2), 1.0);
    near(at(&Jaccard { empty: 0.0 }, 2, 2), 0.0);
    near(at(&Jaccard::default(), 0, 2), 0.0);
    near(at(&Cosine::default(), 2, 2), 0.0);
}

#[test]
fn amounts_and_categories_are_features_too() {
    let t = table([
        numbers("n", &[3.0, 1.0, 0.0]),
        words("c", "x y x"),
        numbers("hole", &[1.0, 1.0, f64::NAN]),
    ]);
    let at = |measure: &dyn PairMeasure, i, j| within(measure, &t, "a a b").at(i, j);
    // Shared: min(3, 1) of n and 1 of hole; apart: 2 of n, and a category each.
    near(at(&Jaccard::default(), 0, 1), 2.0 / 6.0);
    near(at(&Overlap::default(), 0, 1), 2.0);
    near(at(&Cosine::default(), 0, 1), 4.0 / (11.0f64 * 3.0).sqrt());
    // The column with a hole is left out: 3 of n apart, x in common.
    near(at(&Jaccard::default(), 0, 2), 0.25);
    let negative = table([numbers("n", &[-1.0, 2.0])]);
    let refused = Dice::default().fit(&negative, None).unwrap_err().to_string();
    assert!(refused.contains("row 0, column `n`: -1 is negative"), "{refused}");
    assert!(Cosine::default().fit(&negative, None).is_ok());
}

#[test]
fn lin_counts_what_is_rare_for_more() {
    let t = table([words("c", "red red blue green"), words("s", "round round round square")]);
    let s = within(&Lin::default(), &t, "a a b b");
    near(s.at(0, 1), 1.0);
    let (half, quarter, most) = (0.5f64.ln(), 0.25f64.ln(), 0.75f64.ln());
    near(s.at(0, 2), 2.0 * most / (half + most + quarter + most));
    near(s.at(0, 3), 0.0);
    // Numbers have in common that they lie between: P(1) = ½, P(1 … 2) = ¾, P(1 … 3) = 1.
    let t = table([numbers("n", &[1.0, 1.0, 2.0, 3.0])]);
    let s = within(&Lin::default(), &t, "a a b b");
    near(s.at(0, 2), 2.0 * most / (half + quarter));
    near(s.at(0, 3), 0.0);
    let certain = table([words("c", "x x")]);
    near(within(&Lin::default(), &certain, "a b").at(0, 1), 1.0);
    // Unseen: one cell more than the four there are.
    let fitted = Lin::default().fit(&t, None).unwrap();
    let new = table([numbers("n", &[9.0])]);
    near(fitted.block(&new, &new).unwrap().at(0, 0), 1.0);
    assert!(fitted.block(&new, &t).unwrap().values().iter().all(|s| s.is_finite()));
}

#[test]
fn a_learned_similarity_is_a_measure_too() -> Result<()> {
    let names = vec!["x".to_owned(), "y".to_owned()];
    let matrix = SquareMatrix::new(Form::Full, 2, vec![1.0, 2.0, 0.0, 3.0])?;
    let learned = Similarity::new(matrix, Norm::Dot, names)?;
    let t = table([numbers("y", &[1.0, 0.0]), numbers("x", &[1.0, 2.0])]);
    // x'Az with rows (1, 1) and (2, 0).
    let s = learned.block(&t, &t)?;
    assert_eq!(*s.values(), [6.0, 2.0, 6.0, 4.0]);
    let back = Similarity::restore(&learned.parts())?;
    assert_eq!(back, learned);
    Ok(())
}

/// Numbers, bits, categories and holes, nothing negative, few different values a column.
fn mixed() -> (Table<'static>, &'static str) {
    let t = table([
        numbers("n", &[0.5, 1.0, 2.5, 0.5, f64::NAN, 3.0, 1.0, 2.0]),
        words("c", "x y x ? z z y x"),
        numbers("bit", &[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, f64::NAN]),
        words("d", "p q q p p q q p"),
    ]);
    (t, "a b a b c c a b")
}

#[test]
fn every_measure_comes_back_from_its_parts_to_the_bit() {
    let (t, y) = mixed();
    let new = table([
        numbers("n", &[0.7, 9.0]),
        words("c", "w x"),
        numbers("bit", &[2.0, 0.0]),
        words("d", "q ?"),
    ]);
    for mut measure in measures() {
        let id = measure.about().id;
        if id == "mvdm" {
            set(measure.as_mut(), "exemplars", "used").unwrap();
        }
        let fitted = measure.fit(&t, Some(&target(y))).unwrap();
        let back = measure.restore(&fitted.parts()).unwrap();
        let block = fitted.block(&new, &t).unwrap();
        assert_eq!(block, back.block(&new, &t).unwrap(), "{id}");
        assert_eq!(block, fitted.block_with(&new, &t, &Run::on(1)).unwrap(), "{id}");
        assert!(measure.restore(&nearkin::data::Parts::new()).is_err(), "{id}");
    }
}

#[test]
fn row_order_and_names_of_classes_do_not_matter() {
    let (t, y) = mixed();
    let order = [3, 0, 7, 5, 1, 6, 2, 4];
    let moved = t.select_rows(&order);
    let labels: Vec<&str> = y.split(' ').collect();
    let renamed = order.map(|row| match labels[row] {
        "a" => "zebra",
        "b" => "lion",
        _ => "ant",
    });
    for measure in measures() {
        let s = within(measure.as_ref(), &t, y);
        let other = within(measure.as_ref(), &moved, &renamed.join(" "));
        for (i, &row) in order.iter().enumerate() {
            for (j, &column) in order.iter().enumerate() {
                let off = (other.at(i, j) - s.at(row, column)).abs();
                assert!(off < 1e-12, "{}", measure.about().id);
            }
        }
    }
}

#[test]
fn every_measure_is_found_by_its_id_and_says_what_it_needs() {
    let (t, y) = mixed();
    for listed in measures() {
        let about = listed.about();
        assert_eq!(measure(about.id).unwrap().about(), about);
        assert!(listed.parameters().iter().all(|p| !p.help.is_empty()));
        let blind = listed.fit(&t, None);
        assert_eq!(blind.is_err(), listed.supervised(), "{}", about.id);
        let short = listed.fit(&t, Some(&target("a b")));
        assert_eq!(short.is_err(), listed.supervised(), "{}", about.id);
        if listed.supervised() {
            let real = Target::real(vec![0.5; 8]).unwrap();
            let refused = listed.fit(&t, Some(&real)).unwrap_err().to_string();
            assert!(refused.contains("learns from classes"), "{refused}");
        }
        let fitted = listed.fit(&t, Some(&target(y))).unwrap();
        let narrow = t.select_columns(&[0, 1, 2]);
        assert!(fitted.block(&narrow, &t).unwrap_err().to_string().contains("no column `d`"));
    }
    let refused = measure("hamming").err().unwrap().to_string();
    assert!(refused.contains("`hamming` is not a measure") && refused.contains("counting"));
}

/// Rules that ask for neighbours alone: engines against all pairs, to the bit.
mod neighbours {
    use super::*;
    use nearkin::classify;
    use nearkin::compare::Compared;
    use nearkin::data::Classes;
    use nearkin::neighbors::{SampleSearch, nearest_samples};
    use nearkin::random::Random;

    /// Rows of few values, so that similarities tie, or of many.
    fn rows(count: usize, values: usize, mixed: bool, random: &mut Random) -> Table<'static> {
        let mut cell = || random.below(values) as f64 - 1.5;
        let mut columns: Vec<Column> = (0..5)
            .map(|c| numbers(&format!("x{c}"), &(0..count).map(|_| cell()).collect::<Vec<_>>()))
            .collect();
        if mixed {
            let word = |_| ["a", "b", "?", "c"][random.below(4)];
            let cells: Vec<&str> = (0..count).map(word).collect();
            columns.push(words("word", &cells.join(" ")));
            let hole = |i: usize| if i % 7 == 3 { f64::NAN } else { i as f64 };
            let holes: Vec<f64> = (0..count).map(hole).collect();
            columns.push(numbers("holes", &holes));
        }
        Table::new(columns).unwrap()
    }

    #[test]
    fn engines_find_what_sorting_every_similarity_finds() {
        let mut random = Random::new(4, 0);
        for (values, mixed) in [(3, false), (3, true), (1000, false), (1000, true)] {
            let (base, asked) =
                (rows(90, values, mixed, &mut random), rows(40, values, mixed, &mut random));
            let labels: Vec<&str> = (0..90).map(|i| ["a", "b", "c"][i * i % 7 % 3]).collect();
            let classes = Classes::from_labels(&labels);
            let mut known = 0;
            for (id, setting) in [
                ("heom", None),
                ("euclidean", None),
                ("euclidean", Some(("scaling", "none"))),
                ("manhattan", Some(("scaling", "zscore"))),
                ("cosine", None),
            ] {
                let mut measure = measure(id).unwrap();
                if let Some((name, text)) = setting {
                    set(measure.as_mut(), name, text).unwrap();
                }
                let fitted = measure.fit(&base, None).unwrap();
                let s = fitted.block(&asked, &base).unwrap();
                for (rule, k) in [("knn", "1"), ("knn", "7"), ("sknn", "4"), ("sknn", "60")] {
                    let mut method = classify::classifier(rule).unwrap();
                    classify::set(method.as_mut(), "k", k).unwrap();
                    let ready = method.fit_labels(&classes).unwrap().unwrap();
                    let compared =
                        Compared::among(vec![Box::new(fitted.as_ref())], base.view(), None);
                    for threads in [1, 2] {
                        let run = Run::on(threads);
                        let said = compared.predict(ready.as_ref(), &asked, &run).unwrap();
                        assert_eq!(said, ready.predict(&s).unwrap(), "{id} {rule} {k} {values}");
                        known += usize::from(engine_knows(fitted.as_ref(), &asked, &base));
                    }
                }
                alone(fitted.as_ref(), &base);
            }
            assert_eq!(known, if mixed { 32 } else { 40 }, "the cosine takes numbers alone");
        }
    }

    /// Whether an engine finds the neighbours without every pair.
    fn engine_knows(fitted: &dyn FittedMeasure, queries: &Table, references: &Table) -> bool {
        let group_of = &vec![0; references.rows()];
        let queries = Some(queries);
        let wanted = SampleSearch { queries, references, group_of, groups: 1, k: 1 };
        nearest_samples(fitted, wanted, &Run::on(1)).unwrap().is_some()
    }

    /// References among themselves: the others in order, none its own neighbour.
    fn alone(fitted: &dyn FittedMeasure, base: &Table) {
        let everyone = vec![0; base.rows()];
        let wanted =
            SampleSearch { queries: None, references: base, group_of: &everyone, groups: 1, k: 5 };
        let Some(found) = nearest_samples(fitted, wanted, &Run::on(2)).unwrap() else { return };
        let s = fitted.block(base, base).unwrap();
        for (row, near) in found.iter().enumerate() {
            let mut others: Vec<usize> = (0..base.rows()).filter(|&other| other != row).collect();
            others.sort_by(|&a, &b| s.at(row, b).total_cmp(&s.at(row, a)));
            let found: Vec<usize> = near[0].iter().map(|one| one.row as usize).collect();
            assert_eq!(found, others[..5]);
        }
    }

    #[test]
    fn what_an_engine_does_not_take_is_left_to_pairs() {
        let classes = Classes::from_labels(["a", "b", "a"]);
        let mut knn = classify::classifier("knn").unwrap();
        classify::set(knn.as_mut(), "k", "1").unwrap();
        let ready = knn.fit_labels(&classes).unwrap().unwrap();
        let zeros = table([numbers("x", &[0.0, 1.0, 2.0]), numbers("y", &[0.0, 2.0, 1.0])]);
        let holes = table([numbers("x", &[1.0, f64::NAN, 2.0]), numbers("y", &[1.0, 2.0, 1.0])]);
        for (id, rows) in [("cosine", &zeros), ("cosine", &holes), ("counting", &zeros)] {
            let fitted = measure(id).unwrap().fit(rows, None).unwrap();
            assert!(!engine_knows(fitted.as_ref(), rows, rows), "{id}");
        }
        let cosine = measure("cosine").unwrap().fit(&zeros, None).unwrap();
        assert_eq!(*cosine.block(&zeros, &zeros).unwrap().row(0), [0.0; 3]);
        let heom = measure("heom").unwrap().fit(&zeros, None).unwrap();
        let fewer = zeros.select_rows(&[0, 1]);
        let compared = Compared::among(vec![heom], fewer, None);
        let refused = compared.predict(ready.as_ref(), &zeros, &Run::on(1)).unwrap_err();
        assert!(refused.to_string().contains("fitted on 3"));
    }
}
