//! A table in blocks gives the weights of the table in one piece, to the bit.

use nearkin::Run;
use nearkin::data::{Column, Table, Target};
use nearkin::measure::{Metric, Missing, Scaling};
use nearkin::neighbors::Neighbors;
use nearkin::random::Random;
use nearkin::weigh::blocks::{BLOCK, Facing, Frame, Seen, TableSummary};
use nearkin::weigh::{
    ClassDependent, ClassScale, Extras, FeatureWeights, Misses, MultiSurf, MultiSurfStar, RReliefF,
    ReliefF, ReliefSettings, Surf, SurfStar, Weigh,
};

const ROWS: usize = 230;

/// Numbers, few values of one, and categories that turn up late; some cells missing when asked.
fn table(holes: bool) -> Table<'static> {
    let mut random = Random::new(5, 0);
    let mut cells = |values: usize| -> Vec<f64> {
        let mut cell = || random.below(values) as f64 / 7.0;
        (0..ROWS).map(|_| cell()).collect()
    };
    let (x, few, mut codes) = (cells(1000), cells(4), cells(5));
    let wide: Vec<Column> = (0..30).map(|i| Column::numeric(format!("w{i}"), cells(50))).collect();
    codes.sort_by(f64::total_cmp);
    let hole = |row: usize, every: usize| holes && row % every == 3;
    let with_holes = |cells: Vec<f64>, every: usize| {
        let cell = |(row, x): (usize, f64)| if hole(row, every) { f64::NAN } else { x };
        cells.into_iter().enumerate().map(cell).collect::<Vec<f64>>()
    };
    let words: Vec<Option<String>> = codes
        .iter()
        .enumerate()
        .map(|(row, x)| (!hole(row, 11)).then(|| format!("{x:.2}")))
        .collect();
    let mut columns = vec![
        Column::numeric("x", with_holes(x, 7)),
        Column::nominal("word", &words).unwrap(),
        Column::numeric("few", with_holes(few, 13)),
    ];
    columns.extend(wide);
    Table::new(columns).unwrap()
}

fn classes() -> Target {
    Target::classes((0..ROWS).map(|row| ["a", "b", "c"][(row * row / 3) % 3]))
}

fn real() -> Target {
    Target::real((0..ROWS).map(|row| ((row * 37) % 101) as f64).collect()).unwrap()
}

/// Where blocks begin and end; one of them is empty.
fn blocks(cuts: &[usize]) -> Vec<std::ops::Range<usize>> {
    let ends = cuts.iter().copied().chain([ROWS]);
    [0].into_iter().chain(cuts.iter().copied()).zip(ends).map(|(a, b)| a..b).collect()
}

struct Cut<'a> {
    frame: Frame,
    table: &'a Table<'a>,
    target: &'a Target,
}

impl Cut<'_> {
    fn rows(&self, rows: &[usize]) -> (Table<'static>, Target) {
        let target = match self.target {
            Target::Classes(all) => {
                let codes = rows.iter().map(|&row| all.codes()[row]).collect();
                self.frame.target_of_codes(codes).unwrap()
            }
            real => real.select(rows),
        };
        (self.table.select_rows(rows), target)
    }

    fn range(&self, rows: std::ops::Range<usize>) -> (Table<'static>, Target) {
        self.rows(&rows.collect::<Vec<_>>())
    }
}

/// What is known of the target of all rows.
fn seen(target: &Target) -> Seen {
    match target {
        Target::Classes(classes) => {
            Seen::Classes { names: classes.names().to_vec(), counts: classes.counts().to_vec() }
        }
        Target::Real(values) => Seen::Real {
            low: values.iter().copied().fold(f64::INFINITY, f64::min),
            high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        },
    }
}

fn weigh(
    method: &dyn Weigh,
    wanted: &Extras,
    (table, target): (&Table, &Target),
    cuts: &[usize],
    grid: bool,
) -> FeatureWeights {
    let blocks = blocks(cuts);
    let run = Run::on(2);
    let part = |rows: &std::ops::Range<usize>| table.select_rows(&rows.clone().collect::<Vec<_>>());
    let summaries = blocks.iter().map(|rows| TableSummary::of(&part(rows)).unwrap());
    let summary = summaries.reduce(|all, next| all.merge(&next).unwrap()).unwrap();
    let frame = Frame::new(method, wanted, summary, seen(target)).unwrap();
    let mut cut = Cut { frame, table, target };
    if cut.frame.needs().counts {
        let mut all: Vec<u64> = Vec::new();
        for rows in &blocks {
            let (table, target) = cut.range(rows.clone());
            let counts = cut.frame.count(&table, &target).unwrap();
            all.resize(counts.len(), 0);
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        }
        cut.frame = cut.frame.with_counts(&all).unwrap();
    }
    if cut.frame.needs().deviations {
        let numeric = table.columns().iter().filter(|column| !column.is_nominal()).count();
        let mut passes: Vec<Vec<f64>> = Vec::new();
        for _ in 0..2 {
            let mut into = vec![0.0; 2 * numeric];
            for rows in &blocks {
                let (table, sums) = (cut.range(rows.clone()).0, passes.first());
                cut.frame.add_deviations(&table, sums.map(Vec::as_slice), &mut into).unwrap();
            }
            passes.push(into);
        }
        cut.frame = cut.frame.with_deviations(&passes[1]).unwrap();
    }
    let targets = cut.frame.targets().unwrap();
    let (mut sums, mut rows) = (Vec::new(), Vec::new());
    for ids in targets.chunks(2 * BLOCK) {
        let part = if grid {
            grid_part(&cut, ids, &blocks, &run)
        } else {
            cut.frame.parts_of_whole(table, target, ids, &run).unwrap()
        };
        sums.resize(part.width, 0.0);
        for cells in part.cells.chunks(part.width) {
            sums.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += cell);
        }
        rows.extend(part.rows);
    }
    cut.frame.finish(&sums, rows).unwrap()
}

fn grid_part(
    cut: &Cut,
    ids: &[u32],
    blocks: &[std::ops::Range<usize>],
    run: &Run,
) -> nearkin::weigh::blocks::Part {
    let own: Vec<usize> = ids.iter().map(|&id| id as usize).collect();
    let queries = cut.rows(&own);
    let mut near: Option<Neighbors> = None;
    for rows in blocks.iter().filter(|rows| !rows.is_empty()) {
        let base = cut.range(rows.clone());
        let asked = (&queries.0, &queries.1, ids);
        let found = cut.frame.nearest(asked, (&base.0, &base.1, rows.start as u32), run).unwrap();
        near = Some(match near {
            None => found,
            Some(near) => near.merge(&found).unwrap(),
        });
    }
    let near = near.unwrap();
    let mut others: Vec<u32> = (0..near.rows())
        .flat_map(|row| (0..near.classes()).map(move |class| (row, class)))
        .flat_map(|(row, class)| near.of(row, class).0.to_vec())
        .collect();
    others.sort_unstable();
    others.dedup();
    let ids: Vec<u32> = ids.iter().chain(&others).copied().collect();
    let rows: Vec<usize> = ids.iter().map(|&id| id as usize).collect();
    let (table, target) = cut.rows(&rows);
    cut.frame.parts((&table, &target, &ids), &near, run).unwrap()
}

/// What bits there are, NaN among them.
fn same(a: &FeatureWeights, b: &FeatureWeights) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

#[test]
fn blocks_of_any_length_give_the_same_bits() {
    let everything = Extras {
        per_class: true,
        pairs: true,
        stir: true,
        rows: vec![3, 200, 64],
        bootstrap: None,
    };
    let common = |missing, scale| ReliefSettings { missing, scale, ..ReliefSettings::default() };
    let policies = [Missing::D, Missing::Agnostic, Missing::C, Missing::Weka];
    for (at, missing) in policies.into_iter().enumerate() {
        let table = table(true);
        let scale = if at == 1 { Scaling::ZScore } else { Scaling::MinMax };
        let relieff = ReliefF { k: 5, common: common(missing, scale), ..ReliefF::default() };
        let nearest_other = ReliefF { misses: Misses::NearestOther, ..relieff.clone() };
        let sums = ClassDependent {
            class_scale: ClassScale::MeanPerClass,
            common: common(missing, scale),
            ..ClassDependent::default()
        };
        let sampled = ReliefF {
            metric: Metric::Euclidean,
            common: ReliefSettings { sample: Some(150), seed: 3, ..common(missing, scale) },
            ..relieff.clone()
        };
        let rrelieff = RReliefF { common: common(missing, scale), ..RReliefF::default() };
        let nothing = Extras::default();
        let methods: [(&dyn Weigh, &Extras, Target); 5] = [
            (&relieff, &everything, classes()),
            (&nearest_other, &everything, classes()),
            (&sums, &nothing, classes()),
            (&sampled, &everything, classes()),
            (&rrelieff, &nothing, real()),
        ];
        for (method, wanted, target) in &methods {
            let whole = method.fit_with(&table, target, wanted, &Run::on(1)).unwrap();
            for cuts in [&[][..], &[115], &[1, 64, 64, 100, 101, 200]] {
                for grid in [false, true] {
                    let found = weigh(*method, wanted, (&table, target), cuts, grid);
                    let about = (method.about().id, missing, cuts, grid);
                    assert!(same(&found, &whole), "{about:?}");
                }
            }
        }
    }
}

#[test]
fn radius_methods_give_the_same_bits_by_targets() {
    for holes in [false, true] {
        let (table, target) = (table(holes), classes());
        let (surf, multisurf) = (Surf::default(), MultiSurf::default());
        let methods: [&dyn Weigh; 2] = [&surf, &multisurf];
        for method in methods {
            let whole = method.fit(&table, &target).unwrap();
            let found = weigh(method, &Extras::default(), (&table, &target), &[100], false);
            assert!(same(&found, &whole), "{} {holes}", method.about().id);
        }
    }
}

/// Rows enough for whole numbers, some distances equal, with a column of words.
fn many() -> (Table<'static>, Target) {
    const MANY: usize = 4100;
    let mut random = Random::new(8, 0);
    let mut cells =
        |values: usize| -> Vec<f64> { (0..MANY).map(|_| random.below(values) as f64).collect() };
    let (x, few, words) = (cells(100_000), cells(9), cells(3));
    let class = |(x, few): (&f64, &f64)| if x / 1e5 + few / 9.0 > 1.0 { "more" } else { "less" };
    let target = Target::classes(x.iter().zip(&few).map(class));
    let words: Vec<Option<String>> = words.iter().map(|word| Some(word.to_string())).collect();
    let word = Column::nominal("word", &words).unwrap();
    let columns = vec![Column::numeric("x", x), word, Column::numeric("few", few)];
    (Table::new(columns).unwrap(), target)
}

fn frame_of(method: &dyn Weigh, (table, target): (&Table, &Target)) -> Frame {
    Frame::new(method, &Extras::default(), TableSummary::of(table).unwrap(), seen(target)).unwrap()
}

/// Sums of distances from some rows to all, block after block.
fn distances(
    cut: &Cut,
    ids: &[u32],
    blocks: &[std::ops::Range<usize>],
    means: Option<&[f64]>,
) -> Vec<f64> {
    let mut sums = vec![0.0; 2 * ids.len()];
    for rows in blocks {
        let (table, target) = cut.rows(&facing_rows(ids, rows));
        let facing = Facing { table: &table, target: &target, ids, first: rows.start as u32 };
        cut.frame.add_distances(facing, means, &mut sums, &Run::on(2)).unwrap();
    }
    sums
}

fn facing_rows(ids: &[u32], rows: &std::ops::Range<usize>) -> Vec<usize> {
    ids.iter().map(|&id| id as usize).chain(rows.clone()).collect()
}

#[test]
fn rows_within_a_radius_add_up_over_blocks_to_the_same_bits() {
    let (table, target) = many();
    let blocks = [0..1, 1..64, 64..3000, 3000..table.rows()];
    let common = || ReliefSettings { sample: Some(100), seed: 2, ..ReliefSettings::default() };
    let methods: [&dyn Weigh; 4] = [
        &Surf { common: common(), ..Surf::default() },
        &SurfStar { common: common(), ..SurfStar::default() },
        &MultiSurf { common: common(), ..MultiSurf::default() },
        &MultiSurfStar { common: common(), ..MultiSurfStar::default() },
    ];
    for method in methods {
        let frame = frame_of(method, (&table, &target));
        let cut = Cut { frame, table: &table, target: &target };
        let ids = cut.frame.targets().unwrap();
        let (near, far) = if cut.frame.radius() == Some(true) {
            let means = cut.frame.radius_means(&distances(&cut, &ids, &blocks, None));
            cut.frame.own_radii(&means, &distances(&cut, &ids, &blocks, Some(&means)))
        } else {
            let every: Vec<u32> = (0..table.rows() as u32).collect();
            let one = cut.frame.one_radius(&distances(&cut, &every, &blocks, None)).unwrap();
            (vec![one; ids.len()], vec![one; ids.len()])
        };
        let mut within = vec![0; ids.len() * cut.frame.within_width()];
        for rows in &blocks {
            let (table, target) = cut.rows(&facing_rows(&ids, rows));
            let first = rows.start as u32;
            let facing = Facing { table: &table, target: &target, ids: &ids, first };
            let found = cut.frame.within(facing, (&near, &far), &Run::on(2)).unwrap();
            within.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
        }
        let own: Vec<usize> = ids.iter().map(|&id| id as usize).collect();
        let part = cut.frame.parts_within(&cut.rows(&own).1, &ids, &within).unwrap();
        let mut sums = vec![0.0; part.width];
        for cells in part.cells.chunks(part.width) {
            sums.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += cell);
        }
        let found = cut.frame.finish(&sums, part.rows).unwrap();
        let whole = method.fit(&table, &target).unwrap();
        assert!(same(&found, &whole), "{}", method.about().id);
    }
}

#[test]
fn what_has_no_place_on_the_grid_is_refused() {
    let (table, target) = many();
    let method = MultiSurfStar::default();
    // The summary of the first block is taken for that of all, but for the number of rows.
    let mut summary = TableSummary::of(&table.select_rows(&(0..40).collect::<Vec<_>>())).unwrap();
    summary.rows = table.rows();
    let frame = Frame::new(&method, &Extras::default(), summary, seen(&target)).unwrap();
    let told = |cells: Vec<f64>, frame: &Frame| {
        let rows = cells.len();
        let words = vec![Some("0".to_string()); rows];
        let word = Column::nominal("word", &words).unwrap();
        let few = Column::numeric("few", vec![3.0; rows]);
        let table = Table::new(vec![Column::numeric("x", cells), word, few]).unwrap();
        let target = frame.target_of_codes(vec![0; rows]).unwrap();
        let facing = Facing { table: &table, target: &target, ids: &[7], first: 0 };
        let limits = (&[1.0][..], &[1.0][..]);
        frame.within(facing, limits, &Run::on(1)).err().map(|error| error.to_string())
    };
    assert_eq!(told(vec![50_000.0, 40_000.0], &frame), None);
    for (cell, why) in
        [(-1.0, "column `x` holds -1"), (1e9, "`x` holds 1000000000"), (f64::NAN, "missing")]
    {
        for cells in [vec![50_000.0, cell], vec![cell, 50_000.0]] {
            let told = told(cells, &frame).unwrap_or_default();
            assert!(told.contains(why) && told.contains("summarise all blocks"), "{told}");
        }
    }
    assert!(told(vec![], &frame).unwrap().contains("0 rows were given for 1 targets"));
    // Few rows are summed in another order, and holes are filled from any block.
    let few: Vec<usize> = (0..40).collect();
    let mut holed = TableSummary::of(&table).unwrap();
    let holes = Column::numeric("x", vec![f64::NAN; 4100]);
    let columns = [&[holes], &table.columns()[1..]].concat();
    holed = holed.merge(&TableSummary::of(&Table::new(columns).unwrap()).unwrap()).unwrap();
    let few_rows = TableSummary::of(&table.select_rows(&few)).unwrap();
    for (summary, why) in [(few_rows, "fewer than 4096 rows"), (holed, "missing cell")] {
        let counts = vec![summary.rows / 2, summary.rows / 2];
        let seen = Seen::Classes { names: vec!["less".into(), "more".into()], counts };
        let frame = Frame::new(&method, &Extras::default(), summary, seen).unwrap();
        let said = told(vec![50_000.0, 40_000.0], &frame).unwrap();
        assert!(said.contains(why), "{said}");
        let target = frame.target_of_codes(vec![0]).unwrap();
        let sums = vec![0; frame.within_width()];
        let said = frame.parts_within(&target, &[7], &sums).unwrap_err().to_string();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn what_is_sequential_says_so() {
    for id in ["drelieff", "pdrelieff"] {
        let method = nearkin::weigh::method(id).unwrap();
        let told = method.blockwise(&Extras::default()).unwrap_err().to_string();
        assert!(told.contains("sequential by definition"), "{told}");
    }
}
