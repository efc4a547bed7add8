//! A real server of Amazon's storage protocol in a process of its own (moto), with one bucket.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nil_core::kernel::Secret;
use nil_core::ports::objects::{S3, S3Settings};
use tempfile::TempDir;

use crate::database::scratch;

/// The version that `tests/run` installs.
const VERSION: &str = "5.2.5";

const BUCKET: &str = "files";
/// The server takes any key.
const KEY_ID: &str = "AKIDEXAMPLE";
const KEY: &str = "wJalrXUtnFEMI";

/// A bucket; its server ends with the value.
pub struct Bucket {
    process: Child,
    /// The server's address.
    pub endpoint: String,
    _folder: TempDir,
}

impl Bucket {
    /// A server with an empty bucket.
    pub async fn open() -> Self {
        let folder = scratch();
        let program = installed(&format!("moto-{VERSION}/bin/moto_server"));
        let mut process = Command::new(&program)
            .args(["-H", "127.0.0.1", "-p", "0"])
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("{}: {error}; tests/run installs it", program.display())
            });
        let endpoint = runs_on(process.stderr.take().expect("a pipe"));
        let bucket = Self { process, endpoint, _folder: folder };
        let made = reqwest::Client::new().put(format!("{}/{BUCKET}", bucket.endpoint)).send().await;
        assert!(made.expect("an answer").status().is_success());
        bucket
    }

    /// What another process needs to use this bucket.
    pub fn environment(&self) -> [(&'static str, String); 4] {
        [
            ("NIL_OBJECTS_BUCKET", BUCKET.to_owned()),
            ("NIL_OBJECTS_ENDPOINT", self.endpoint.clone()),
            ("NIL_OBJECTS_ACCESS_KEY_ID", KEY_ID.to_owned()),
            ("NIL_OBJECTS_SECRET_ACCESS_KEY", KEY.to_owned()),
        ]
    }

    /// The store in this bucket.
    pub fn store(&self) -> S3 {
        let settings = S3Settings {
            bucket: BUCKET.into(),
            region: "us-east-1".into(),
            endpoint: Some(self.endpoint.clone()),
            prefix: "nil/tests".into(),
            access_key_id: KEY_ID.into(),
            secret_access_key: Secret::new(KEY),
        };
        S3::new(settings).expect("good settings")
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address that a server says on this output when it listens.
pub fn runs_on(output: impl Read + Send + 'static) -> String {
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
pub fn installed(program: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    target.join(program)
}
