//! Standard output and standard error.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Standard output, buffered.
pub(crate) fn stdout() -> BufWriter<Stdout> {
    BufWriter::new(io::stdout())
}

/// Whether standard output shows colours.
pub(crate) fn stdout_coloured() -> bool {
    io::stdout().is_terminal() && colours()
}

/// Whether standard error shows colours.
pub(crate) fn stderr_coloured() -> bool {
    io::stderr().is_terminal() && colours()
}

fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A line on standard error; nobody need be there to read it.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A line of progress that the next one replaces, if standard error is a terminal. An empty one takes it away.
pub(crate) fn progress(text: &str) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = write!(stderr, "\r\x1b[K{text}");
        let _ = stderr.flush();
    }
}
