//! A real mail server in a process of its own (aiosmtpd), which does what the address of a mail
//! says.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::certificate::certify;
use crate::database::scratch;

/// The time limit for what should happen soon.
const SOON: Duration = Duration::from_mins(1);

/// Where Python may be that has the package: an own Python hides the system's.
const PYTHONS: [&str; 2] = ["python3", "/usr/bin/python3"];

/// How connections to the server are protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Not at all.
    None,
    /// STARTTLS is required.
    StartTls,
    /// From the first byte.
    Tls,
}

/// A running mail server; it ends with the value.
pub struct MailServer {
    process: Child,
    told: Receiver<Value>,
    /// Its port on 127.0.0.1.
    pub port: u16,
    /// The certificate of the authority that its own certificate is from.
    pub authority: PathBuf,
    _folder: TempDir,
}

impl MailServer {
    /// A server that takes mails from anybody, without encryption.
    pub fn open() -> Self {
        Self::start(Protection::None, None)
    }

    /// A server with this protection that wants this log-in (`user:password`).
    pub fn start(protection: Protection, login: Option<&str>) -> Self {
        let folder = scratch();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/mail_server.py");
        let mut command = Command::new(python());
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        if let Some(login) = login {
            command.args(["--login", login]);
        }
        if protection != Protection::None {
            certify(folder.path());
            command.arg("--certificate").arg(folder.path().join("server.pem"));
            command.arg(folder.path().join("server.key"));
        }
        if protection == Protection::Tls {
            command.arg("--tls");
        }
        let mut process = command.spawn().expect("the mail server starts");
        let (line, told) = channel();
        let stdout = BufReader::new(process.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for text in stdout.lines().map_while(Result::ok) {
                let _ = line.send(serde_json::from_str(&text).expect("JSON"));
            }
        });
        let authority = folder.path().join("authority.pem");
        let mut server = Self { process, told, port: 0, authority, _folder: folder };
        let listening = server.next("listening");
        server.port = u16::try_from(listening["port"].as_u64().expect("a port")).expect("a port");
        server
    }

    /// Waits for the next event of this kind and returns it; others before it are passed over.
    pub fn next(&self, kind: &str) -> Value {
        loop {
            let told = self.told.recv_timeout(SOON);
            let told =
                told.unwrap_or_else(|error| panic!("the mail server told no {kind}: {error}"));
            if told["event"] == kind {
                return told;
            }
        }
    }

    /// What has happened by now and was not asked for yet.
    pub fn all(&self) -> Vec<Value> {
        // The server answers after everything that it told before.
        let mut asking = self.process.stdin.as_ref().expect("a pipe");
        asking.write_all(b"\n").expect("the mail server runs");
        let told = || self.told.recv_timeout(SOON).expect("the mail server answers");
        std::iter::repeat_with(told).take_while(|told| told["event"] != "all").collect()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A Python with aiosmtpd; none is a failure, never a skipped test.
fn python() -> &'static str {
    let has_it = |python: &&&str| {
        let mut command = Command::new(python);
        command.args(["-c", "import aiosmtpd"]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    PYTHONS.iter().find(has_it).expect("aiosmtpd: run the suites with tests/run, which installs it")
}
