//! Programs in Python with which strangers' libraries look at what the platform makes.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::bucket::installed;

/// What a script below `tests` answers to this input, both in JSON. `environment` is the folder
/// that `tests/run` has installed its libraries into.
pub fn asked(environment: &str, script: &str, input: &Value) -> Value {
    let program = installed(&format!("{environment}/bin/python"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let mut process = Command::new(&program)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}; tests/run installs it", program.display()));
    let mut told = process.stdin.take().expect("a pipe");
    write!(told, "{input}").expect("it listens");
    drop(told);
    let output = process.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    serde_json::from_slice(&output.stdout).expect("JSON")
}
