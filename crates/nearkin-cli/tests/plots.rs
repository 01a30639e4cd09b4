//! `--plot`: pictures that any viewer opens, and that say in words what they show.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;

use common::Place;

#[test]
fn weights_are_drawn_with_names_values_and_words() {
    let place = Place::new();
    place.run(&["weigh", "@iris", "--interval", "-q", "--plot", "w.svg"]).well();
    let svg = fs::read_to_string(place.path("w.svg")).unwrap();
    for feature in ["petal_width", "petal_length", "sepal_length", "sepal_width"] {
        assert!(svg.contains(&format!(">{feature}</text>")), "{feature}");
        assert!(svg.contains(&format!("<title>{feature}: 0.")), "{feature} tells its weight");
    }
    assert!(svg.contains("role=\"img\"") && svg.contains("longest is petal_width: 0.3754"));
    assert_eq!(svg.matches("<rect").count(), 5, "a bar a feature, and the ground");
    // Every tag that is opened is closed.
    assert_eq!(svg.matches("<title").count(), svg.matches("</title>").count());
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
}

#[test]
fn weights_per_class_are_told_apart_by_more_than_colour() {
    let place = Place::new();
    place.run(&["weigh", "@iris", "--per-class", "-q", "--plot", "w.svg"]).well();
    let svg = fs::read_to_string(place.path("w.svg")).unwrap();
    for class in ["setosa", "versicolor", "virginica"] {
        assert!(svg.contains(&format!(">{class}</text>")), "{class}");
        assert!(svg.contains(&format!("petal_width, {class}: ")), "{class}");
    }
    // Four features and the legend: a circle, a square, a triangle each.
    let shapes = ["<circle", "<polygon"].map(|shape| svg.matches(shape).count());
    assert_eq!(shapes, [5, 5]);
}

#[test]
fn a_picture_of_pixels_is_a_png_where_the_program_can_write_one() {
    let place = Place::new();
    let written = place.run(&["weigh", "@wine", "-q", "--plot", "w.png"]);
    if !cfg!(feature = "png") {
        written.refused(2, &["--features png"]);
        return;
    }
    written.well();
    let png = fs::read(place.path("w.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 4000, "{}", png.len());
}

#[test]
fn a_file_of_another_kind_is_refused_before_the_work() {
    let place = Place::new();
    let told = &["--plot", "w.pdf", ".svg or .png"];
    place.run(&["weigh", "@iris", "--plot", "w.pdf"]).refused(2, told);
    place.run(&["weigh", "@iris", "--plot", "no/such/w.svg"]).refused(1, &["cannot be written"]);
    assert_eq!(place.files(), Vec::<String>::new());
    place.file("t.svg", "a,class\n1,x\n2,y\n");
    let words = ["weigh", "t.svg", "--input-format", "csv", "--plot", "t.svg"];
    place.run(&words).refused(2, &["is the table itself"]);
}

#[test]
fn names_from_a_file_cannot_break_the_picture() {
    let place = Place::new();
    place.file("t.csv", "\"</svg><script>x\",class\n1,a\n2,a\n5,b\n6,b\n");
    place.run(&["weigh", "t.csv", "--k", "1", "-q", "--plot", "w.svg"]).well();
    let svg = fs::read_to_string(place.path("w.svg")).unwrap();
    assert!(!svg.contains("<script") && svg.contains("&lt;/svg&gt;"), "{svg}");
}

/// The picture that these words draw.
fn drawn(place: &Place, words: &[&str]) -> String {
    place.run(&[words, &["-q", "--plot", "p.svg"]].concat()).well();
    fs::read_to_string(place.path("p.svg")).unwrap()
}

#[test]
fn margins_are_drawn_before_and_after_learning_a_bar_a_row() {
    let place = Place::new();
    let svg = drawn(&place, &["learn", "@iris", "--method", "srbs"]);
    for words in [">before</text>", ">after</text>", "<title>row 0: ", "<title>row 149: "] {
        assert!(svg.contains(words), "{words}");
    }
    assert_eq!(svg.matches("<title>row ").count(), 300);
    let each = drawn(&place, &["learn", "@iris", "--method", "rbs", "--mode", "one-vs-rest"]);
    assert!(each.contains(">virginica: after</text>"));
}

#[test]
fn accuracies_are_bars_a_curve_or_dots_as_the_methods_and_tables_are() {
    let place = Place::new();
    let few = ["evaluate", "@iris", "--protocol", "3-fold", "--methods"];
    let bars = drawn(&place, &[&few[..], &["knn(k=1), nearest-centroid"]].concat());
    assert!(bars.contains("<title>nearest-centroid: 0."), "{bars}");
    let kept =
        "best 1 by relieff > knn(k=3), best 2 by relieff > knn(k=3), best 4 by relieff > knn(k=3)";
    let curve = drawn(&place, &[&few[..], &[kept]].concat());
    assert!(curve.contains(">features kept</text>"), "{curve}");
    assert!(curve.contains("features kept 2: 0."), "{curve}");
    let words = ["evaluate", "@iris", "@wine", "--protocol", "3-fold", "--methods", "knn(k=1)"];
    let dots = drawn(&place, &words);
    assert!(dots.contains(">@iris</text>") && dots.contains(">@wine</text>"));
}

#[test]
fn similarities_are_drawn_as_they_were_given_or_measured() {
    let place = Place::new();
    let svg = drawn(&place, &["classify", "@iris", "--method", "knn", "--measure", "euclidean"]);
    assert!(
        svg.contains("<image ") && svg.contains("setosa (50), versicolor (50), virginica (50)")
    );
    place.file("S.csv", "4,3,1,0\n3,4,0,1\n1,0,4,2\n0,1,2,4\n").file("y.txt", "a\nb\na\nb\n");
    let words = ["classify", "--similarity", "S.csv", "--labels", "y.txt", "--test", "0"];
    let svg = drawn(&place, &[&words[..], &["--method", "nearest-centroid"]].concat());
    assert!(svg.contains("Off the diagonal values run from 0 to 3"), "{svg}");
}
