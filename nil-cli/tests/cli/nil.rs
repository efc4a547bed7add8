//! The program, run in a folder of its own with nothing in its environment but what a test says.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use nil_tests::World;
use serde_json::Value;

/// The binary under test.
pub(crate) const NIL: &str = env!("CARGO_BIN_EXE_nil");

/// How to run it.
pub(crate) struct Nil {
    pub folder: PathBuf,
    environment: Vec<(&'static str, String)>,
}

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl Nil {
    /// In an empty folder: the database and the key are the program's own affair.
    pub(crate) fn alone() -> Self {
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let name = format!("nil_cli_{}_{number}", std::process::id());
        let base = ["/dev/shm", "/tmp"].iter().map(Path::new);
        let base = base.into_iter().find(|path| path.is_dir()).unwrap();
        let folder = base.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            folder,
            environment: Vec::new(),
        }
    }

    /// On the same platform as a test.
    pub(crate) fn beside(world: &World) -> Self {
        let mut nil = Self::alone();
        nil.environment.extend(world.environment());
        nil
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(NIL);
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.run_reading(arguments, "")
    }

    /// With something on standard input.
    pub(crate) fn run_reading(&self, arguments: &[&str], input: &str) -> Ended {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("it starts");
        // A program that does not read its input has closed it: no reason to fail.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().expect("it ends");
        Ended {
            code: output.status.code().expect("no signal"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

impl Drop for Nil {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Ended {
    /// Panics unless it went well.
    #[track_caller]
    pub(crate) fn good(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.text(), self.stderr);
        self
    }

    /// Panics unless it was refused with this code, on standard error.
    #[track_caller]
    pub(crate) fn refused(self, code: &str) -> Self {
        assert_eq!(self.code, 1, "{}\n{}", self.text(), self.stderr);
        let told = format!("error: {code}: ");
        assert!(self.stderr.starts_with(&told), "{}", self.stderr);
        self
    }

    /// Panics unless it was called wrongly, in these words.
    #[track_caller]
    pub(crate) fn misused(self, words: &str) -> Self {
        assert_eq!(self.code, 2, "{}\n{}", self.text(), self.stderr);
        assert!(self.stderr.contains(words), "{}", self.stderr);
        assert!(self.stdout.is_empty(), "{}", self.text());
        self
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.text(), self.stderr))
    }
}
