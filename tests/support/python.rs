//! Programs in Python with which strangers' libraries look at what the platform makes.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::serving::started;

/// What a script below `tests` answers to this input, both in JSON. `environment` is the folder
/// that `tests/run` has installed its libraries into.
pub fn asked(environment: &str, script: &str, input: &Value) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let mut process = started(&format!("{environment}/bin/python"), |command| {
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
    });
    let mut told = process.stdin.take().expect("a pipe");
    write!(told, "{input}").expect("it listens");
    drop(told);
    let output = process.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{:?}", output.status);
    serde_json::from_slice(&output.stdout).expect("JSON")
}
