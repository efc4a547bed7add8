//! Standard output. A reader that has seen enough, such as `head`, ends a command quietly; any other failure to write
//! is told.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal as _, Write};

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
    eprintln!("error: standard output: {error}");
    std::process::exit(1);
}
