//! A real server of Amazon's storage protocol in a process of its own (moto), with one bucket.

use nil_core::kernel::Secret;
use nil_core::ports::objects::{S3, S3Settings};
use tempfile::TempDir;

use crate::database::scratch;
use crate::serving::Running;

/// The version that `tests/run` installs.
const VERSION: &str = "5.2.5";

const BUCKET: &str = "files";
/// The server takes any key.
const KEY_ID: &str = "AKIDEXAMPLE";
const KEY: &str = "wJalrXUtnFEMI";

/// A bucket; its server ends with the value.
pub struct Bucket {
    _process: Running,
    /// The server's address.
    pub endpoint: String,
    _folder: TempDir,
}

impl Bucket {
    /// A server with an empty bucket.
    pub async fn open() -> Self {
        let folder = scratch();
        let program = format!("moto-{VERSION}/bin/moto_server");
        let args = ["-H", "127.0.0.1", "-p", "0"];
        let (process, endpoint) = Running::announced_in(folder.path(), &program, &args);
        let bucket = Self { _process: process, endpoint, _folder: folder };
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
