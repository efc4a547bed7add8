//! Servers beside the platform: ours, on a free port of this process, and others' programs.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use axum::Router;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A server of this process; it stops with the value.
pub struct Serving {
    /// Where it is.
    pub address: String,
    task: JoinHandle<()>,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Serving {
    /// Serves at a free port what is made for the address.
    pub async fn at(app: impl FnOnce(&str) -> Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let app = app(&address);
        let task =
            tokio::spawn(async move { axum::serve(listener, app).await.expect("it serves") });
        Self { address, task }
    }
}

/// A program of another maker, where `tests/run` puts it; it ends with the value.
pub struct Running(Child);

impl Running {
    /// Starts it, and waits until it says on standard output where it is.
    pub fn announced(program: &str, args: &[&str]) -> (Self, String) {
        let mut process = started(program, |command| {
            command.args(args).stdout(Stdio::piped()).stderr(Stdio::null());
        });
        let address = runs_on(process.stdout.take().expect("a pipe"));
        (Self(process), address)
    }

    /// The same, for one that says it on standard error, in a folder of its own.
    pub fn announced_in(folder: &Path, program: &str, args: &[&str]) -> (Self, String) {
        let mut process = started(program, |command| {
            command.args(args).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
        });
        let address = runs_on(process.stderr.take().expect("a pipe"));
        (Self(process), address)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program of another maker, where `tests/run` puts it.
pub fn started(program: &str, prepare: impl FnOnce(&mut Command)) -> Child {
    let program = installed(program);
    let mut command = Command::new(&program);
    command.stdin(Stdio::null());
    prepare(&mut command);
    let started = command.spawn();
    started.unwrap_or_else(|error| panic!("{}: {error}; tests/run installs it", program.display()))
}

/// The address that a server says on this output when it listens.
fn runs_on(output: impl Read + Send + 'static) -> String {
    let (line, told) = std::sync::mpsc::channel();
    // Reads to the end: a server that cannot write stops.
    std::thread::spawn(move || {
        for text in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = line.send(text);
        }
    });
    let address = told.iter().find_map(|text| {
        let (_, rest) = text.split_once("Running on ")?;
        rest.split_whitespace().next().map(str::to_owned)
    });
    address.expect("the server says where it runs")
}

/// A program of another maker, where `tests/run` puts it.
fn installed(program: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    target.join(program)
}
