//! What the tests of the program share: running it in a folder of its own.
#![allow(dead_code, clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder to run the program in.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Put a file there.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), content).unwrap();
        self
    }

    /// The names of the files there, hidden ones too.
    pub fn files(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            names.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The program with these words, to be run there.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(words).current_dir(self.0.path()).env_remove("NO_COLOR");
        command
    }

    /// Run the program there.
    pub fn run(&self, words: &[&str]) -> Answer {
        Answer::of(&self.command(words).output().unwrap())
    }

    /// Run a line of shell there, in which `nearkin` is the program.
    pub fn shell(&self, line: &str) -> Answer {
        let folder = program().parent().unwrap().display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(self.0.path()).env("HOME", self.0.path());
        Answer::of(&shell.env("PATH", format!("{folder}:{path}")).output().unwrap())
    }
}

/// The program under test: that of the crate whose test this is.
pub fn program() -> PathBuf {
    let of_papers = option_env!("CARGO_BIN_EXE_nearkin-papers");
    of_papers.or(option_env!("CARGO_BIN_EXE_nearkin")).unwrap().into()
}

/// What the program printed and how it ended.
#[derive(Debug)]
pub struct Answer {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Answer {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// The run went well.
    #[track_caller]
    pub fn well(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// The run was refused: exit code, nothing on standard output, one sentence with `parts`.
    #[track_caller]
    pub fn refused(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        let errors: Vec<&str> = self
            .err
            .lines()
            .filter(|l| !l.starts_with("nearkin: note: ") && !l.starts_with("nearkin: warning: "))
            .collect();
        assert_eq!(errors.len(), 1, "{self:?}");
        assert!(errors[0].starts_with("nearkin: "), "{self:?}");
        for part in parts {
            assert!(errors[0].contains(part), "`{part}` is not in {}", errors[0]);
        }
        self
    }
}
