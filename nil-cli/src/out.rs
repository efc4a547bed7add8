//! Standard output. A reader that has seen enough, such as `head`, ends a command quietly; any
//! other failure to write is told.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::process::{Command, Stdio};

use crate::settings::env;

/// Prints a line, like `println!`.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::out::line(format_args!($($text)*))
    };
}
pub(crate) use say;

/// Prints a line.
pub(crate) fn line(text: Arguments<'_>) {
    ended(writeln!(io::stdout().lock(), "{text}"));
}

/// Prints a line for whoever reads it. What follows goes on without a reader.
pub(crate) fn announce(text: Arguments<'_>) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Whether people read, and no program.
pub(crate) fn is_for_people() -> bool {
    io::stdout().is_terminal()
}

/// Prints an error or a remark on standard error, like `eprintln!`. If nobody reads it, the command
/// goes on: its exit code says how it ended.
macro_rules! complain {
    ($($text:tt)*) => {
        $crate::out::error(format_args!($($text)*))
    };
}
pub(crate) use complain;

/// Prints a line on standard error.
pub(crate) fn error(text: Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// The pager if `NIL_PAGER` and `PAGER` name none: ends by itself if everything fits on the screen.
const PAGER: &str = "less -FRSX";

/// Prints lines, on a terminal through a pager. An empty `NIL_PAGER`, or `cat`, switches it off.
pub(crate) fn page(text: &str) {
    if is_for_people() && paged(text).is_some() {
        return;
    }
    let mut out = io::stdout().lock();
    ended(out.write_all(text.as_bytes()));
}

/// Hands the lines to the pager; none if there is no pager.
fn paged(text: &str) -> Option<()> {
    let wanted = match std::env::var("NIL_PAGER") {
        Ok(own) => own,
        Err(_) => env("PAGER").unwrap_or_else(|| PAGER.to_owned()),
    };
    let mut words = wanted.split_whitespace();
    let program = words.next().filter(|program| *program != "cat")?;
    let mut child = Command::new(program).args(words).stdin(Stdio::piped()).spawn().ok()?;
    // Whoever leaves the pager early has seen enough.
    if let Some(mut lines) = child.stdin.take() {
        let _ = lines.write_all(text.as_bytes());
    }
    child.wait().ok().map(|_| ())
}

/// Prints a line about a list for people. A program that reads lines would take it for one of them.
pub(crate) fn remark(text: Arguments<'_>) {
    if is_for_people() {
        line(text);
    }
}

/// Prints bytes as they are, at once.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    ended(out.write_all(bytes).and_then(|()| out.flush()));
}

/// Ends the command if nobody reads on: what it was to do is done, so its exit code is 0.
fn ended(written: io::Result<()>) {
    let Err(error) = written else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    complain!("error: standard output: {error}");
    std::process::exit(1);
}
