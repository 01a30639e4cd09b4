//! `nearkin report`: one file that needs nothing else, and says how it was made. What a browser
//! makes of it is tested by scripts/test-report.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;

use common::Place;

fn report(place: &Place, words: &[&str]) -> String {
    let all = [&["report", "-o", "r.html", "-q"], words].concat();
    place.run(&all).well();
    fs::read_to_string(place.path("r.html")).unwrap()
}

/// The text of the element that begins at `begin`.
fn after<'p>(page: &'p str, begin: &str) -> &'p str {
    assert!(page.contains(begin), "{begin}");
    let rest = page.split_once(begin).unwrap().1;
    rest.split_once("</section>").map_or(rest, |(section, _)| section)
}

#[test]
fn a_report_is_one_file_that_fetches_nothing() {
    let page = report(&Place::new(), &["@iris"]);
    assert!(page.len() < 3_000_000);
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!outside.contains(word), "{word}");
    }
    for tag in ["section", "figure", "svg", "table", "script", "style", "details", "p", "div"] {
        let begun =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(begun, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn a_hostile_name_does_nothing_in_a_page() {
    let place = Place::new();
    let rows: String = (0..40)
        .map(|row| {
            format!("{},\"=cmd|' /C calc'!A0\",{}\n", row % 7, ["a", "<img src=x>"][row % 2])
        })
        .collect();
    place.file("t.csv", format!("\"<script>alert(1)</script>\u{202e}\",y,class\n{rows}"));
    let page = report(&place, &["t.csv"]);
    assert!(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
    assert!(!page.contains("<script>alert") && !page.contains("<img src=x"));
    assert!(!page.contains('\u{202e}'));
    // The script and the data of the last section are the only ones.
    assert_eq!(page.matches("<script").count(), 2);
    // What a spreadsheet would take for a formula gets a mark before it when a table is saved.
    assert!(page.contains("harmless"));
}

#[test]
fn columns_with_places_are_drawn_along_the_genome() {
    let place = Place::new();
    let text = noise(4, 60, 6, |word| (word % 3).to_string());
    let (_, cells) = text.split_once('\n').unwrap();
    let head = "1:100_A_G,1:200_A_G,2:50_A_G,2:900_C_T,10:5_A_T,X:77_A_C,class";
    place.file("g.csv", format!("{head}\n{cells}"));
    let page = report(&place, &["g.csv", "--genotype", "all"]);
    let association = after(&page, "<section id=\"association\"");
    assert!(
        association.contains("figure-association-places") && association.contains(", X:77: p ")
    );
    let plain = report(&place, &["@iris"]);
    assert!(!plain.contains("figure-association-places"));
}

#[test]
fn a_report_answers_in_words_figures_and_tables() {
    let page = report(&Place::new(), &["@iris"]);
    let data = after(&page, "<section id=\"data\"");
    assert!(data.contains("150 rows and 4 features (4 of numbers), with 3 classes of"));
    let weights = after(&page, "<section id=\"weights\"");
    assert!(weights.contains("<code>petal_width</code> (0.3754)"));
    for head in ["low", "high", "noise, 95 %", "above its own noise", "weight for setosa"] {
        assert!(weights.contains(&format!(">{head}</button>")), "{head}");
    }
    let association = after(&page, "<section id=\"association\"");
    assert!(association.contains("high <code>petal_width</code> goes with virginica"));
    for head in ["z", "p target", "p column", "q", "family-wise p", "direction"] {
        assert!(association.contains(&format!(">{head}</button>")), "{head}");
    }
    assert!(after(&page, "<section id=\"neighbours-k\"").contains(">k 20</button>"));
    assert!(after(&page, "<section id=\"similarity\"").contains("figure-margins-full"));
    assert!(after(&page, "<section id=\"kept\"").contains("features are enough: accuracy 0.970"));
    let classifiers = after(&page, "<section id=\"classifiers\"");
    for told in
        ["Best is ", "figure-confusion", "figure-calibration", "k-NN, learned full", ">best</td>"]
    {
        assert!(classifiers.contains(told), "{told}");
    }
    assert!(after(&page, "<section id=\"rows\"").contains("\"number\":149"));
    // Every figure says in words what it shows, and every table can be saved.
    let figures = page.matches("<figure ").count();
    assert!(figures >= 6 && page.matches("<desc ").count() == figures);
    assert_eq!(page.matches("class=\"small csv\"").count(), page.matches("<table>").count());
}

#[test]
fn a_report_says_how_it_was_made_and_is_the_same_on_any_number_of_threads() {
    let place = Place::new();
    place.run(&["data", "wine", "-o", "my wine.csv"]).well();
    let one = report(&place, &["my wine.csv", "--threads", "1", "--seed", "7"]);
    let command = "nearkin report -o r.html -q &#39;my wine.csv&#39; --threads 1 --seed 7";
    assert!(one.contains(command), "{}", after(&one, "How this was made"));
    assert!(one.contains("<dt>Seed</dt><dd><code>7</code>"));
    let sum = after(&one, "SHA-256 of the data</dt><dd><code>");
    let sum = sum.split_once("</code>").unwrap().0;
    assert!(sum.len() == 64 && sum.chars().all(|c| c.is_ascii_hexdigit()), "{sum}");
    let two = report(&place, &["my wine.csv", "--threads", "2", "--seed", "7"]);
    assert_eq!(one.replace("--threads 1", "--threads 2"), two);
    // A bundled set is summed as `nearkin data` prints it.
    assert!(report(&place, &["@wine"]).contains(sum));
    assert!(!report(&place, &["@iris"]).contains(sum));
}

#[test]
fn a_section_that_cannot_be_told_says_why_and_the_others_go_on() {
    let place = Place::new();
    let votes = report(&place, &["@house-votes-84"]);
    let similarity = after(&votes, "<section id=\"similarity\"");
    assert!(similarity.contains("Not told of this table:"), "{similarity}");
    assert!(after(&votes, "<section id=\"rows\"").contains("a missing cell as 1"));
    place.run(&["simulate", "lin-inc", "-o", "real.csv"]).well();
    let real = report(&place, &["real.csv"]);
    assert!(real.contains("By RReliefF") && !real.contains("id=\"similarity\""));
    assert!(after(&real, "<section id=\"no-classes\"").contains("is a number"));
}

/// The list at the head of the page.
fn headline(page: &str) -> &str {
    let head = after(page, "<header>");
    head.split_once("</header>").unwrap().0
}

#[test]
fn intervals_and_the_weights_of_noise_are_told_of_every_method_that_has_them() {
    let place = Place::new();
    place.run(&["simulate", "lin-inc", "--rows", "80", "-o", "real.csv"]).well();
    let real = report(&place, &["real.csv"]);
    let weights = after(&real, "<section id=\"weights\"");
    for told in [">low</button>", ">high</button>", ">noise, 95 %</button>", "40 exchanges of"] {
        assert!(weights.contains(told), "{told}");
    }
    assert!(headline(&real).contains("80 rows"), "{}", headline(&real));
    // Intervals are not defined here: what is missing is told.
    let page = report(&place, &["@iris", "-m", "relief-seq"]);
    let weights = after(&page, "<section id=\"weights\"");
    for told in ["There are no intervals: ", ">noise, mean</button>"] {
        assert!(weights.contains(told), "{told}");
    }
    assert!(!weights.contains(">low</button>"));
}

/// A table of noise: `columns` columns of cells by `cell`, and a fifth of the rows are cases.
fn noise(seed: u64, rows: usize, columns: usize, cell: impl Fn(u64) -> String) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    };
    let mut text: String = (0..columns).map(|column| format!("f{column},")).collect();
    text += "class\n";
    for row in 0..rows {
        (0..columns).for_each(|_| text += &format!("{},", cell(next())));
        text += if row % 5 == 0 { "case\n" } else { "control\n" };
    }
    text
}

#[test]
fn noise_with_unequal_classes_is_not_told_apart_from_noise() {
    let place = Place::new();
    let mut called = 0;
    for seed in 1..=6 {
        // Numbers, and genotypes.
        let genotypes = seed % 2 == 0;
        let text = match genotypes {
            true => noise(seed, 150, 20, |word| ((word % 3) * (word / 7 % 2)).to_string()),
            false => noise(seed, 150, 20, |word| (word % 100_000).to_string()),
        };
        place.file("noise.csv", text);
        let flag: &[&str] = if genotypes { &["--genotype", "all"] } else { &[] };
        let page = report(&place, &[&["noise.csv"], flag].concat());
        let head = headline(&page);
        called += usize::from(!head.contains("No feature is told apart from noise"));
        for claim in ["beyond chance", "harmful", "STIR"] {
            assert!(!page.contains(claim), "{claim}");
        }
        assert!(head.contains("150 rows"), "{head}");
    }
    // A table of noise is called one time in twenty.
    assert!(called <= 1, "{called} of 6");
}

#[test]
fn a_called_genotype_is_named_with_its_way() {
    let place = Place::new();
    let cells = noise(3, 200, 8, |word| (word % 3).to_string());
    let rows: Vec<String> = cells
        .lines()
        .skip(1)
        .enumerate()
        .map(|(row, line)| {
            let cells: Vec<&str> = line.split(',').take(8).collect();
            // Most rows with two copies at f2 are cases, and few others.
            let case = if cells[2] == "2" { row % 10 != 0 } else { row % 10 == 0 };
            format!("{},{}\n", cells.join(","), if case { "case" } else { "control" })
        })
        .collect();
    let head: String = (0..8).map(|column| format!("rs{column},")).collect();
    place.file("g.csv", format!("{head}status\n{}", rows.concat()));
    let page = report(&place, &["g.csv", "--target", "status", "--genotype", "all"]);
    let head = headline(&page);
    assert!(head.contains("1 of 8 features goes with <code>status</code>"), "{head}");
    assert!(head.contains("genotype 2 of <code>rs2</code> goes with case"), "{head}");
    assert!(!head.contains("Are these genotypes?"), "{head}");
    // The same file read as numbers: the page asks.
    let page = report(&place, &["g.csv", "--target", "status"]);
    let head = headline(&page);
    assert!(head.contains("Are these genotypes? 8 columns hold only 0, 1 and 2"), "{head}");
    assert!(head.contains("--genotype all") && !page.contains("8 of genotypes"), "{head}");
}

#[test]
fn genotypes_are_described_as_what_they_are() {
    let place = Place::new();
    let cell = |row: usize| if row == 7 { "" } else { ["0", "1", "1", "2", "0"][row % 5] };
    let row = |row: usize| format!("{},{},0\n", cell(row), ["x", "y"][row % 2]);
    let rows: String = (0..40).map(row).collect();
    place.file("g.csv", format!("rs1,class,rs2\n{rows}"));
    let page = report(&place, &["g.csv", "--target", "class", "--genotype", "all"]);
    let data = after(&page, "<section id=\"data\"");
    assert!(data.contains("40 rows and 2 features (2 of genotypes)"), "{data}");
    // rs2 alone is the same everywhere.
    assert!(data.contains("they cannot tell anything: <code>rs2</code>."), "{data}");
    let line = data.split("<tr>").find(|line| line.contains("<td>rs1</td>")).unwrap();
    // One cell missing of 40; 16 rows with 0 copies, 15 with 1, 8 with 2: 31 of 78 alleles.
    let values: Vec<&str> =
        line.split("data-v=\"").skip(1).map(|rest| rest.split_once('"').unwrap().0).collect();
    let wanted = ["1", "2.5", "3", "0", "0.7948717948717948", "2", "16", "15", "8"];
    assert_eq!(values[..9], wanted, "{line}");
    assert!((values[9].parse::<f64>().unwrap() - 31.0 / 78.0).abs() < 1e-12);
    assert!(line.contains("<td>genotypes</td>") && line.contains("<td>0 (16)</td>"), "{line}");
}

#[test]
fn the_best_accuracy_of_the_page_is_told_beside_what_it_has_to_beat() {
    let place = Place::new();
    let page = report(&place, &["@iris"]);
    let head = headline(&page);
    let best = after(head, "Best accuracy on rows not learned from: ");
    let best: f64 = best.split(' ').next().unwrap().parse().unwrap();
    // No accuracy in a table of held-out rows is higher.
    for name in ["classifiers", "features-kept"] {
        let table = after(&page, &format!("<div class=\"table\" data-name=\"{name}\">"));
        let table = table.split_once("</table>").unwrap().0;
        for row in table.split("<tr>").skip(2) {
            let cells: Vec<f64> = row
                .split("data-v=\"")
                .skip(1)
                .map(|rest| rest.split_once('"').unwrap().0.parse().unwrap())
                .collect();
            let accuracy = if name == "classifiers" { cells[0] } else { cells[1] };
            assert!(accuracy <= best + 0.0005, "{name}: {accuracy} above {best}");
        }
    }
    assert!(head.contains("the most frequent class gives 0.333; the best rule of one feature"));
    // Where nothing beats the constant answer, no number of features is enough.
    place.file("noise.csv", noise(5, 100, 6, |word| (word % 1000).to_string()));
    let page = report(&place, &["noise.csv"]);
    let kept = after(&page, "<section id=\"kept\"");
    assert!(kept.contains("No number of features is enough"), "{kept}");
    assert!(headline(&page).contains("Nothing tried is told apart from always saying"));
}

#[test]
fn what_may_mislead_is_told() {
    let place = Place::new();
    let rows: String = (0..60)
        .map(|i| format!("r{i},1,{},{}\n", i % 7, if i < 55 { "common" } else { "rare" }))
        .collect();
    place.file("t.csv", format!("name,same,x,class\n{rows}"));
    let page = report(&place, &["t.csv"]);
    let data = after(&page, "<section id=\"data\"");
    for told in [
        "they cannot tell anything: <code>same</code>",
        "as identifiers are",
        "92 % of the rows",
        "rare (5)",
    ] {
        assert!(data.contains(told), "{told}: {data}");
    }
}

#[test]
fn a_large_table_is_drawn_from_and_the_report_says_so() {
    let place = Place::new();
    let rows: String = (0..4000)
        .map(|i| format!("{},{},{}\n", i % 97, (i * 31) % 89, if i % 97 > 48 { "a" } else { "b" }))
        .collect();
    place.file("t.csv", format!("x,y,class\n{rows}"));
    let page = report(&place, &["t.csv", "--method", "relieff"]);
    assert!(
        after(&page, "<section id=\"rows\"").contains("This part looks at 500 of the 4000 rows")
    );
    assert!(after(&page, "<section id=\"neighbours-k\"").contains("3000 of the 4000"));
}

#[test]
fn a_report_that_cannot_be_made_leaves_nothing_behind() {
    let place = Place::new();
    place.file("t.csv", "x,class\n1,a\n2,b\n");
    place.run(&["report", "t.csv", "-o", "t.csv"]).refused(2, &["is the table itself"]);
    place.run(&["report", "no.csv"]).refused(2, &["no such file"]);
    place.run(&["report", "@iris", "--method", "nothing"]).refused(2, &["nothing"]);
    assert_eq!(place.files(), ["t.csv"]);
}

/// Two classes of similarities: asymmetric, partly negative, and a sample that is like nobody.
fn samples(place: &Place) {
    let like = |i: usize, j: usize| match (i == 12 || j == 12, i / 6 == j / 6) {
        (true, _) => -3.0,
        (_, true) => 5.0 + ((i * 7 + j * 3) % 4) as f64,
        (_, false) => 1.0 + ((i * 5 + j) % 3) as f64,
    };
    let row = |i: usize| {
        let cells: Vec<String> =
            (0..13).map(|j| if i == j { "9".into() } else { like(i, j).to_string() }).collect();
        cells.join(",") + "\n"
    };
    let label = |i: usize| if i < 6 { "<cat>\n" } else { "dog\n" };
    place.file("S.csv", (0..13).map(row).collect::<String>());
    place.file("y.txt", (0..13).map(label).collect::<String>());
}

#[test]
fn similarities_alone_are_reported_on() {
    let place = Place::new();
    samples(&place);
    let page = report(&place, &["--similarity", "S.csv", "--labels", "y.txt"]);
    let matrix = after(&page, "<section id=\"matrix\"");
    assert!(matrix.contains("13 samples of 2 classes: &lt;cat&gt; (6), dog (7)"));
    assert!(matrix.contains("They are not symmetric") && matrix.contains("% are below 0"));
    for part in ["figure-matrix", "figure-class-means", "data-name=\"asymmetric-pairs\""] {
        assert!(matrix.contains(part), "{part}");
    }
    assert!(after(&page, "<section id=\"centres\"").contains("data-name=\"prototypes\""));
    let laws = after(&page, "<section id=\"laws\"");
    assert!(laws.contains("figure-law-1") && laws.contains("by its law</title>"));
    let strangers = after(&page, "<section id=\"strangers\"");
    assert!(strangers.contains("1 sample stands far from every class: 12."), "{strangers}");
    assert!(after(&page, "<section id=\"classifiers\"").contains("Best is "));
    assert!(after(&page, "<section id=\"rows\"").contains("\"measure\":\"similarity\""));
    assert_eq!(page.matches("<dt>SHA-256 of ").count(), 2);
    assert!(!page.contains("<cat>"));
    // Dissimilarities are the same with their sign changed.
    let far = report(&place, &["--dissimilarity", "S.csv", "--labels", "y.txt"]);
    assert!(far.contains("dissimilarities, their sign changed, from -8 to 3"));
}

#[test]
fn a_report_on_noise_says_that_nothing_beats_the_most_frequent_class() {
    let place = Place::new();
    let row =
        |i: usize| format!("{},{},{}\n", i * 37 % 101, i * 53 % 89, ["x", "y"][i * i % 7 % 2]);
    place.file("noise.csv", "a,b,class\n".to_owned() + &(0..60).map(row).collect::<String>());
    let page = report(&place, &["noise.csv"]);
    assert!(page.contains("no better than always saying the most frequent class"));
    assert!(!report(&place, &["@iris"]).contains("no better than always"));
}

#[test]
fn a_report_is_refused_where_nothing_or_too_much_is_named() {
    let place = Place::new();
    samples(&place);
    place.run(&["report"]).refused(2, &["name a table", "--similarity"]);
    place.run(&["report", "--similarity", "S.csv"]).refused(2, &["--labels"]);
    let both = ["report", "@iris", "--similarity", "S.csv", "--labels", "y.txt"];
    place.run(&both).refused(2, &["there is a table too"]);
    place.run(&["report", "@iris", "--labels", "y.txt"]).refused(2, &["--labels", "--target"]);
}

#[test]
fn features_that_matter_only_together_are_named_together() {
    let page = report(&Place::new(), &["@epistasis"]);
    let head = headline(&page);
    assert!(head.contains("2 of 20 features go with"), "{head}");
    assert!(head.contains("<code>M0P0</code> together with <code>M0P1</code>"), "{head}");
    assert!(after(&page, "<section id=\"association\"").contains("data-name=\"partners\""));
}

#[test]
fn a_confounder_is_adjusted_for() {
    let place = Place::new();
    let text = noise(9, 200, 5, |word| (word % 1000).to_string());
    // Age drives both the class and f1.
    let rows: Vec<String> = text
        .lines()
        .skip(1)
        .enumerate()
        .map(|(row, line)| {
            let mut cells: Vec<String> = line.split(',').take(5).map(str::to_owned).collect();
            let old = (row * 7) % 20 < 10;
            let shift = if old { 1000 } else { 0 };
            cells[1] = (cells[1].parse::<u64>().unwrap() + shift).to_string();
            let case = (row * 13) % 10 < if old { 8 } else { 2 };
            let case = if case { "case" } else { "control" };
            format!("{},{},{case}\n", cells.join(","), if old { 60 } else { 30 })
        })
        .collect();
    place.file("t.csv", format!("f0,f1,f2,f3,f4,age,class\n{}", rows.concat()));
    let plain = report(&place, &["t.csv", "--drop", "age"]);
    assert!(headline(&plain).contains("high <code>f1</code> goes with case"), "{plain}");
    for flag in ["--covariates", "--strata"] {
        let given = report(&place, &["t.csv", flag, "age"]);
        let head = headline(&given);
        assert!(head.contains("No feature is told apart from noise"), "{flag}: {head}");
        assert!(head.contains("5 features") && head.contains("adjusted"), "{flag}: {head}");
        assert!(after(&given, "<section id=\"weights\"").contains("Weights are not adjusted"));
    }
}
