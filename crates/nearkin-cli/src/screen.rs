//! The terminal: the one file that writes to standard output and standard error.

use std::io::{self, IsTerminal, Write};

/// How the answer may be drawn on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// ASCII without colour: files, pipes, `NO_COLOR`, dumb terminals.
    Plain,
    /// Unicode blocks and colour.
    Rich,
}

/// Print a message for the user on standard error, on its own line.
pub fn say(sentence: &str) {
    // A progress bar may stand on the line.
    let fresh = if stderr_is_watched() { "\r\x1b[K" } else { "" };
    // Standard error may be closed; then the message cannot be shown.
    let _ = writeln!(io::stderr(), "{fresh}nearkin: {sentence}");
}

/// Draw over the current line of standard error.
pub fn redraw(text: &str) {
    let mut stderr = io::stderr();
    let _ = write!(stderr, "\r{text}\x1b[K");
    let _ = stderr.flush();
}

/// Standard output.
pub fn stdout() -> Box<dyn Write> {
    Box::new(io::stdout())
}

/// True when a person sees standard output.
pub fn stdout_is_watched() -> bool {
    io::stdout().is_terminal()
}

/// The style that standard output can show.
pub fn style() -> Style {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match stdout_is_watched() && !set("NO_COLOR") && !dumb {
        true => Style::Rich,
        false => Style::Plain,
    }
}

/// True when a person sees standard error.
pub fn stderr_is_watched() -> bool {
    io::stderr().is_terminal()
}
