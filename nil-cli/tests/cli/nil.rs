//! The program, run in its own folder with only the environment that a test sets.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use nil_tests::World;
use nil_tests::database::{Database, scratch, scratch_base};
use serde_json::Value;
use tempfile::TempDir;

use crate::served::Served;

/// The binary under test.
pub(crate) const NIL: &str = env!("CARGO_BIN_EXE_nil");

/// The settings of a run.
pub(crate) struct Nil {
    pub folder: PathBuf,
    _scratch: TempDir,
    database: Option<Database>,
    environment: Vec<(&'static str, String)>,
    /// The maximum size of a file, in KiB.
    largest_file: Option<u64>,
}

/// A finished run.
#[derive(Debug)]
pub(crate) struct Ended {
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Nil {
    /// In an empty folder: the program creates the database and the key itself.
    pub(crate) fn alone() -> Self {
        let scratch = scratch();
        Self {
            folder: scratch.path().to_path_buf(),
            _scratch: scratch,
            database: None,
            // No proxy has to find out that a server leaves.
            environment: vec![("NIL_DRAIN_SECONDS", "0".to_owned())],
            largest_file: None,
        }
    }

    /// In a folder with the demonstration's year, and no server. The year is made once for all
    /// tests: it takes half a minute of a processor.
    pub(crate) fn demonstrated() -> Self {
        let program = std::fs::metadata(NIL).unwrap();
        let made = program.modified().unwrap().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        let template = scratch_base().join(format!("nil-template-demonstration-{made}"));
        // Whoever comes while it is made waits for it.
        let lock = File::create(template.with_extension("lock")).unwrap();
        lock.lock().unwrap();
        if !template.exists() {
            let nil = Self::alone();
            let served = Served::start(&nil, &["--demo"]);
            std::fs::write(template.with_extension("said"), &served.printed).unwrap();
            drop(served);
            // The log is written by the tests.
            assert_eq!(nil.left(), ["log", "nil-data"]);
            std::fs::rename(nil.path("nil-data"), &template).unwrap();
        }
        drop(lock);
        let nil = Self::alone();
        let copied =
            Command::new("cp").arg("-a").arg(&template).arg(nil.path("nil-data")).status().unwrap();
        assert!(copied.success());
        nil
    }

    /// In an empty folder, with an empty PostgreSQL database, which is removed afterwards.
    pub(crate) async fn on_postgres() -> Self {
        let database = Database::create().await;
        let mut nil = Self::alone().with("NIL_DATABASE", &database.url);
        nil.database = Some(database);
        nil
    }

    /// With the same platform as a test.
    pub(crate) fn beside(world: &World) -> Self {
        let mut nil = Self::alone();
        nil.environment.extend(world.environment());
        nil
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Limits the size of files: larger writes fail, as on a full disk.
    pub(crate) fn with_files_up_to(mut self, kib: u64) -> Self {
        self.largest_file = Some(kib);
        self
    }

    /// The address of its PostgreSQL database.
    pub(crate) fn address(&self) -> String {
        self.database.as_ref().expect("a database").url.clone()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// What is in its folder, by name.
    pub(crate) fn left(&self) -> Vec<String> {
        let left = std::fs::read_dir(&self.folder).unwrap();
        let names = left.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = match self.largest_file {
            None => Command::new(NIL),
            Some(kib) => {
                // The signal sent at the limit would end the process; a full disk sends none.
                let script = "trap '' XFSZ; ulimit -S -f \"$0\"; exec \"$@\"";
                let mut command = Command::new("/bin/sh");
                // The shell counts in blocks of 512 bytes.
                command.args(["-c", script, &(kib * 2).to_string(), NIL]);
                command
            }
        };
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

    /// What `nil doctor` finds about this: `good`, `warning` or `bad`, and its words.
    pub(crate) fn doctor(&self, subject: &str) -> (String, String) {
        let found = self.run(&["doctor", "--json"]).json();
        let found = found.as_array().unwrap().iter().find(|one| one["subject"] == subject);
        let found = found.unwrap_or_else(|| panic!("nothing about {subject}"));
        let text = |name: &str| found[name].as_str().unwrap().to_owned();
        (text("state"), text("says"))
    }

    /// Runs with this text on standard input.
    pub(crate) fn run_reading(&self, arguments: &[&str], input: &str) -> Ended {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).spawn().expect("it starts");
        // A program that does not read its input has closed it: ignore the error.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().expect("it ends");
        Ended {
            code: output.status.code().expect("no signal"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

impl Ended {
    /// Panics unless it succeeded.
    #[track_caller]
    pub(crate) fn good(self) -> Self {
        assert_eq!(self.code, 0, "{}\n{}", self.text(), self.stderr);
        self
    }

    /// Panics unless it was refused with this code, printed on standard error.
    #[track_caller]
    pub(crate) fn refused(self, code: &str) -> Self {
        assert_eq!(self.code, 1, "{}\n{}", self.text(), self.stderr);
        let told = format!("error: {code}: ");
        assert!(self.stderr.starts_with(&told), "{}", self.stderr);
        self
    }

    /// Panics unless it reported wrong usage with these words.
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
