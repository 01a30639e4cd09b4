//! Laws of `data::encode`.

use nearkin::data::*;

fn mixed(x: Vec<f64>, c: &[Option<&str>]) -> Table<'static> {
    Table::new(vec![Column::numeric("x", x), Column::nominal("c", c).unwrap()]).unwrap()
}

#[test]
fn threads_do_not_change_what_is_encoded() {
    let cell = |row: usize, c: usize| ((row * 37 + c * 11) % 101) as f64 / 7.0;
    let columns = (0..70).map(|c| {
        Column::numeric(format!("c{c}"), (0..150).map(|row| cell(row, c)).collect::<Vec<_>>())
    });
    let table = Table::new(columns.collect()).unwrap();
    let made = || {
        let encoder = Encoder::fit(&table).unwrap();
        let rows = encoder.encode(&table).unwrap();
        (encoder, rows)
    };
    let (encoder, rows) = made();
    assert_eq!((encoder, rows.clone()), nearkin::Run::on(3).install(made).unwrap());
    assert_eq!((rows.number(149, 69), rows.number(64, 3)), (cell(149, 69), cell(64, 3)));
}

#[test]
fn ranges_come_from_training_rows_only() {
    let train = mixed(vec![2.0, 4.0, f64::NAN], &[Some("a"), Some("b"), None]);
    let encoder = Encoder::fit(&train).unwrap();
    let FittedColumn::Numeric { min, max, mean, deviation } = encoder.columns()[0] else {
        panic!()
    };
    assert_eq!((min, max, mean, deviation), (2.0, 4.0, 3.0, 1.0));
    let test = mixed(vec![10.0], &[Some("a")]);
    assert_eq!(encoder.encode(&test).unwrap().number(0, 0), 10.0);
}

#[test]
fn an_unseen_category_differs_from_all_known_ones_and_equals_itself() {
    let train = mixed(vec![0.0, 1.0], &[Some("b"), Some("d")]);
    let encoder = Encoder::fit(&train).unwrap();
    let test = mixed(vec![0.0; 5], &[Some("a"), Some("b"), None, Some("a"), Some("c")]);
    let rows = encoder.encode(&test).unwrap();
    let codes: Vec<u16> = (0..5).map(|r| rows.codes(r)[0]).collect();
    assert_eq!(codes, [2, 0, MISSING, 2, 3]);
}

#[test]
fn a_table_without_a_fitted_column_is_refused() {
    let encoder = Encoder::fit(&mixed(vec![0.0], &[Some("a")])).unwrap();
    let other = Table::new(vec![Column::numeric("x", vec![1.0])]).unwrap();
    assert!(encoder.encode(&other).unwrap_err().to_string().contains("no column `c`"));
    let changed =
        Table::new(vec![Column::numeric("x", vec![1.0]), Column::numeric("c", vec![1.0])]);
    assert!(encoder.encode(&changed.unwrap()).unwrap_err().to_string().contains("was nominal"));
}

#[test]
fn an_encoder_comes_back_from_its_parts() {
    let encoder = Encoder::fit(&mixed(vec![2.0, 4.5], &[Some("a"), Some("b")])).unwrap();
    assert_eq!(Encoder::restore(&encoder.parts()).unwrap(), encoder);
    let cut = encoder.parts().with_texts("categories", vec!["a".into()]);
    assert!(Encoder::restore(&cut).unwrap_err().to_string().contains("`categories`"));
}

#[test]
fn a_range_beyond_double_precision_is_refused() {
    let wide = mixed(vec![-1.5e308, 1.5e308], &[Some("a"), Some("a")]);
    assert!(Encoder::fit(&wide).unwrap_err().to_string().contains("divide it by a constant"));
}
