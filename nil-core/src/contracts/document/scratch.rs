//! How other programs see a document. For tests.

use std::io::Write as _;
use std::process::Command;

/// A file that is deleted after the test.
pub(crate) struct Scratch(tempfile::NamedTempFile);

impl Scratch {
    pub(crate) fn holding(bytes: &[u8]) -> Self {
        let mut file = tempfile::Builder::new().suffix(".pdf").tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Self(file)
    }

    /// A program's output about the file.
    pub(crate) fn seen_by(&self, program: &str, before: &[&str], after: &[&str]) -> String {
        let output =
            Command::new(program).args(before).arg(self.0.path()).args(after).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{program}: {said}{:?}", output.stderr);
        said
    }
}

/// The text as it stands on the pages.
pub(crate) fn text(pdf: &[u8]) -> String {
    Scratch::holding(pdf).seen_by("pdftotext", &["-layout"], &["-"])
}
