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
fn a_picture_of_pixels_is_a_png_that_is_not_empty() {
    let place = Place::new();
    place.run(&["weigh", "@wine", "-q", "--plot", "w.png"]).well();
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
