//! Certificates of servers that a test starts.

use std::path::Path;
use std::process::Command;

/// Makes an authority (`authority.pem`), and a certificate of it for `localhost` (`server.pem`,
/// `server.key`), both for a day.
pub(crate) fn certify(folder: &Path) {
    let openssl = |arguments: &[&str]| {
        let common = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
        let mut command = Command::new("openssl");
        command.args(common).args(["-noenc", "-days", "1"]).args(arguments).current_dir(folder);
        let output = command.output().expect("openssl");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    openssl(&[
        "-subj",
        "/CN=Authority of a test",
        "-keyout",
        "authority.key",
        "-out",
        "authority.pem",
    ]);
    openssl(&[
        "-CA",
        "authority.pem",
        "-CAkey",
        "authority.key",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-addext",
        "basicConstraints=critical,CA:FALSE",
        "-keyout",
        "server.key",
        "-out",
        "server.pem",
    ]);
}
