//! Laws of `data::parts`.

use nearkin::data::*;

#[test]
fn lists_come_back_as_they_were() {
    let lists = vec![vec![3, 1], vec![], vec![0]];
    let parts = Parts::new().with_lists("near", &lists);
    assert_eq!(parts.lists("near", 4).unwrap(), lists);
    let refused = parts.lists("near", 3).unwrap_err().to_string();
    assert!(refused.contains("points to 3 and there are 3"), "{refused}");
}

#[test]
fn a_part_of_the_wrong_size_is_told_by_name() {
    let parts = Parts::new().with_numbers("mean", vec![1.0, 2.0]).with_codes("k", vec![]);
    assert!(parts.number("mean").unwrap_err().to_string().contains("`mean` holds 2"));
    assert!(parts.exactly("mean", 3).unwrap_err().to_string().contains("2 numbers, not 3"));
    assert!(parts.code("k").is_err() && parts.texts("k").is_err());
    assert_eq!(parts.exactly("mean", 2).unwrap(), [1.0, 2.0]);
}

#[test]
fn names_are_cut_at_the_dot_alone() {
    let parts = Parts::new().with("a", Parts::new().with_numbers("x", vec![1.0]));
    let parts = parts.with_numbers("ab.x", vec![2.0]);
    assert_eq!(parts.within("a").all_numbers().len(), 1);
    assert_eq!(parts.within("ab").number("x").unwrap(), 2.0);
}
