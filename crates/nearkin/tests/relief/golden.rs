//! Values worked out elsewhere, by programs that share no code with this one.

use nearkin::data::{Column, Table, Target};
use nearkin::measure::Metric;
use nearkin::weigh::*;

use super::toy::TOY;

fn near(found: &[f64], meant: &[f64]) {
    assert_eq!(found.len(), meant.len());
    for (a, b) in found.iter().zip(meant) {
        assert!((a - b).abs() < 1e-12, "found {found:?}, meant {meant:?}");
    }
}

fn toy() -> (Table<'static>, Target) {
    let column = |c: usize| Column::numeric(format!("x{c}"), TOY.map(|row| row.0[c]).to_vec());
    let table = Table::new((0..4).map(column).collect()).unwrap();
    (table, Target::classes(TOY.map(|row| row.1.to_string())))
}

#[test]
fn relief_of_the_worked_example() {
    let (table, target) = toy();
    let relief = |k| {
        let method = ReliefF { k, misses: Misses::NearestOther, ..ReliefF::default() };
        method.fit(&table, &target).unwrap().weights
    };
    let one =
        [-0.029881762809028968, 0.18650953984287316, 0.11757004451427074, 0.13121590383726306];
    let three =
        [-0.02293084915800789, 0.16168599576006992, 0.1400082918739635, 0.12971798428109108];
    near(&relief(1), &one);
    near(&relief(3), &three);
    let kira = Relief { squared: false, metric: Metric::Manhattan, ..Relief::default() };
    near(&kira.fit(&table, &target).unwrap().weights, &one);
}

#[test]
fn relief_psd_of_the_worked_example() {
    let (table, target) = toy();
    let meant =
        [0.008945419801743713, 0.18650953984287316, 0.11757004451427074, 0.13137309292649096];
    near(&ReliefPsd::default().fit(&table, &target).unwrap().weights, &meant);
}

/// Four numeric columns and one of three categories; 24 rows in three classes of 8.
fn congruential() -> (Table<'static>, Target) {
    let mut state = 12345u64;
    let mut next = || {
        state = (state * 1_103_515_245 + 12345) % (1 << 31);
        state as f64 / (1u64 << 31) as f64
    };
    let rows: Vec<[f64; 5]> = (0..24).map(|_| [(); 5].map(|()| next())).collect();
    let class = |row: &[f64; 5]| match row[0] {
        x if x + 0.5 * row[1] < 0.55 => "0",
        x if x < 0.6 => "1",
        _ => "2",
    };
    let mut columns: Vec<Column> = (0..4)
        .map(|c| Column::numeric(format!("x{c}"), rows.iter().map(|row| row[c]).collect()))
        .collect();
    let cells: Vec<Option<String>> =
        rows.iter().map(|row| Some(((row[4] * 3.0) as u8).to_string())).collect();
    columns.push(Column::nominal("n", &cells).unwrap());
    (Table::new(columns).unwrap(), Target::classes(rows.iter().map(class)))
}

/// Made by a prototype in Python with numpy: `relief(X, y, nominal, schedule, k=3, ties, norm, p,
/// period)` over the rows in table order, differences as |a − b| of range-scaled columns, ties
/// within 1e-12 taken as equal where they are averaged.
#[test]
fn feedback_methods_equal_the_prototype() {
    use Normaliser::*;
    let (table, target) = congruential();
    let (l1, l2) = (Metric::Manhattan, Metric::Euclidean);
    let run = |shape: Option<(Shape, f64)>, ties, normaliser, metric, refresh, meant: [f64; 5]| {
        let order = Order::Table;
        let feedback =
            Feedback { k: 3, ties, normaliser, metric, refresh, order, ..Feedback::default() };
        let method: Box<dyn Weigh> = match shape {
            None => Box::new(DReliefF { feedback }),
            Some((schedule, shape)) => {
                let steepness = match (schedule, shape) {
                    (Shape::Weibull, 4.0) => Some(10.799478272577511),
                    (Shape::Weibull, _) => Some(1.5936242422852749),
                    _ => None,
                };
                let schedule = Schedule { schedule, shape, steepness, ..Schedule::default() };
                Box::new(PdReliefF { schedule, feedback })
            }
        };
        near(&method.fit(&table, &target).unwrap().weights, &meant);
    };
    let weibull = |p| Some((Shape::Weibull, p));
    let (first, shared) = (Ties::Index, Ties::Average);
    run(
        None,
        first,
        ClipMax,
        l2,
        1,
        [
            0.2570730332531443,
            0.06727876947132284,
            0.004777462317819359,
            0.04913709707638453,
            0.02083333333333324,
        ],
    );
    run(
        None,
        shared,
        MinMax,
        l1,
        1,
        [
            0.2798485672234942,
            0.02735338808053898,
            -0.009126585403638738,
            0.017915427049951468,
            -0.04166666666666676,
        ],
    );
    run(
        None,
        first,
        Raw,
        l1,
        8,
        [
            0.2670795940649498,
            0.006608635618827161,
            0.01714368760091804,
            0.02795257818341201,
            -0.0625,
        ],
    );
    run(
        None,
        first,
        Raw,
        l2,
        1,
        [
            0.2600209788038767,
            0.03234378912781164,
            0.008858965948141595,
            0.022202515444358584,
            -0.04861111111111114,
        ],
    );
    run(
        weibull(4.0),
        first,
        ClipMax,
        l2,
        1,
        [
            0.26791108273782294,
            0.03420106218178435,
            -0.003820394436038101,
            0.054728156459288115,
            0.0,
        ],
    );
    run(
        weibull(4.0),
        shared,
        Floor,
        l1,
        8,
        [
            0.2782572724494893,
            0.02108213848551496,
            -0.028703162844399114,
            0.07252821558478398,
            -0.04166666666666671,
        ],
    );
    run(
        Some((Shape::Linear, 4.0)),
        first,
        Shift,
        l2,
        1,
        [
            0.2768889259218847,
            0.036548779374269,
            -0.020817341704125372,
            0.05308270889330261,
            -0.027777777777777835,
        ],
    );
    run(
        Some((Shape::Logistic, 4.0)),
        first,
        Abs,
        l1,
        8,
        [
            0.2823892901686862,
            0.02411037857843364,
            -0.032670298649698955,
            0.06793251315700076,
            -0.04166666666666672,
        ],
    );
    run(
        weibull(1.0),
        first,
        ClipMax,
        l1,
        1,
        [
            0.2703848996499812,
            0.02457098772297341,
            -0.03196746083589844,
            0.05740412549005284,
            -0.013888888888888945,
        ],
    );
}
