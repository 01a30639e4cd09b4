//! Where answers go: files whole or not at all, pipes that close, Ctrl-C.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;

use common::Place;

#[test]
fn the_files_name_tells_the_form() {
    let place = Place::new();
    for (name, start) in [("w.csv", "rank,"), ("w.json", "{\n"), ("w.txt", "ReliefF with k 10")] {
        let answer = place.run(&["weigh", "@iris", "-o", name]).well();
        assert_eq!(answer.out, "");
        let text = fs::read_to_string(place.path(name)).unwrap();
        assert!(text.starts_with(start), "{name}: {text}");
    }
    assert_eq!(place.files(), ["w.csv", "w.json", "w.txt"]);
    let forced = place.run(&["weigh", "@iris", "-o", "w.txt", "--format", "csv"]).well();
    assert_eq!(forced.out, "");
    assert!(fs::read_to_string(place.path("w.txt")).unwrap().starts_with("rank,"));
}

#[test]
fn a_refused_run_leaves_an_older_answer_as_it_was() {
    let place = Place::new();
    place.file("w.csv", "older").file("t.csv", "x,class\n1,a\n2,a\n");
    place.run(&["weigh", "t.csv", "-o", "w.csv"]).refused(2, &["t.csv"]);
    assert_eq!(fs::read_to_string(place.path("w.csv")).unwrap(), "older");
    assert_eq!(place.files(), ["t.csv", "w.csv"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_the_work() {
    let place = Place::new();
    let words = ["weigh", "no-such-table.csv", "-o", "no-such-folder/w.csv"];
    place.run(&words).refused(1, &["no-such-folder/w.csv", "cannot be written"]);
    place.run(&["weigh", "@iris", "--format", "csv", "-o", "."]).refused(2, &["directory"]);
    assert!(place.files().is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_no_device_is_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let place = Place::new();
    let full = ["weigh", "@iris", "--format", "csv", "-o", "/dev/full"];
    place.run(&full).refused(1, &["/dev/full", "cannot be written"]);
    place.shell("nearkin data iris > /dev/full").refused(1, &["standard output"]);
    place.run(&["weigh", "@iris", "--format", "csv", "-o", "/dev/null"]).well();
    for device in ["/dev/full", "/dev/null"] {
        assert!(fs::metadata(device).unwrap().file_type().is_char_device());
    }
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    place.file("real.csv", "older");
    fs::set_permissions(place.path("real.csv"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real.csv", place.path("link.csv")).unwrap();
    place.run(&["weigh", "@iris", "-o", "link.csv"]).well();
    assert!(fs::symlink_metadata(place.path("link.csv")).unwrap().is_symlink());
    assert!(fs::read_to_string(place.path("real.csv")).unwrap().starts_with("rank,"));
    let mode = fs::metadata(place.path("real.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(place.files(), ["link.csv", "real.csv"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let place = Place::new();
    place.run(&["simulate", "parity", "--rows", "50", "--irrelevant", "20000", "-o", "t.csv"]);
    for line in [
        "nearkin weigh t.csv --format csv --quiet --k 2",
        "nearkin weigh t.csv --quiet --k 2",
        "nearkin weigh t.csv --quiet --k 2 --select weight:-9 --save-columns c.txt",
        "nearkin data balance-scale",
        "nearkin --help",
    ] {
        // The status of the program itself, not that of head.
        let answer = place.shell(&format!("{{ {line}; echo $? >&2; }} | head -1")).well();
        assert_eq!(answer.out.lines().count(), 1, "{answer:?}");
        assert_eq!(answer.err, "0\n", "{line}");
    }
    let columns = fs::read_to_string(place.path("c.txt")).unwrap();
    assert_eq!(columns.lines().count(), 20_003);
}

#[cfg(unix)]
mod interrupted {
    use std::io::Read;
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use super::*;

    /// Press Ctrl-C after a while and see what the program says.
    fn interrupt(mut child: Child, after: Duration) -> (Option<i32>, String) {
        sleep(after);
        let still_running = child.try_wait().unwrap().is_none();
        assert!(still_running, "the work ended before it could be interrupted");
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(20), "Ctrl-C was not answered");
            sleep(Duration::from_millis(10));
        }
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (child.wait().unwrap().code(), err)
    }

    #[test]
    fn long_work_stops_and_leaves_no_file() {
        let place = Place::new();
        let make = ["simulate", "parity", "--rows", "40000", "--irrelevant", "200", "-o", "t.csv"];
        place.run(&make).well();
        let words = ["weigh", "t.csv", "--quiet", "--threads", "1", "-o", "w.csv"];
        let mut command = place.command(&words);
        let child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (code, err) = interrupt(child, Duration::from_millis(1500));
        assert_eq!((code, err.as_str()), (Some(1), "nearkin: interrupted; nothing was written\n"));
        assert_eq!(place.files(), ["t.csv"]);
    }

    #[test]
    fn waiting_for_input_stops_too() {
        let place = Place::new();
        let mut command = place.command(&["weigh", "-", "-o", "w.csv"]);
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::piped());
        let (code, err) = interrupt(command.spawn().unwrap(), Duration::from_millis(300));
        assert_eq!((code, err.as_str()), (Some(1), "nearkin: interrupted; nothing was written\n"));
        assert!(place.files().is_empty());
    }
}

/// A NumPy array of doubles.
#[cfg(unix)]
fn npy(shape: &str, values: impl Iterator<Item = f64>) -> Vec<u8> {
    let head = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}");
    let head = format!("{head:117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.as_bytes());
    values.for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

/// The program holds the table mapped while it waits for the target, which comes from a pipe.
#[cfg(unix)]
#[test]
fn a_mapped_file_that_changes_meanwhile_ends_in_a_sentence() {
    let cells = || (0..20_000).map(|i| f64::from(i * i % 97));
    for change in ["truncate -s 4096 table.npy", "cp other.npy table.npy"] {
        let place = Place::new();
        for (name, shape, values) in [
            ("table.npy", "2000, 10", Box::new(cells()) as Box<dyn Iterator<Item = f64>>),
            ("other.npy", "2000, 10", Box::new(cells().map(|cell| -cell))),
            ("labels.npy", "2000,", Box::new((0..2000).map(|i| f64::from(i % 2)))),
        ] {
            fs::write(place.path(name), npy(shape, values)).unwrap();
        }
        let script = format!(
            "mkfifo target.npy; nearkin weigh table.npy --target target.npy -o w.csv & \
             exec 3> target.npy; sleep 0.05; {change}; cat labels.npy >&3; exec 3>&-; wait $!"
        );
        place.shell(&script).refused(2, &["table.npy: it was changed while"]);
        assert!(!place.path("w.csv").exists());
    }
}
