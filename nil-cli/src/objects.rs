//! The bucket for files: its settings under `[objects]`.

use std::path::PathBuf;

use nil_core::ports::objects::{S3, S3Settings};
use serde::Deserialize;

use crate::failure::Failure;
use crate::settings::{env, secret};

/// The part `[objects]` of `nil.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Section {
    bucket: Option<String>,
    region: Option<String>,
    endpoint: Option<String>,
    prefix: Option<String>,
    access_key_id: Option<String>,
    secret_access_key: Option<String>,
    secret_access_key_file: Option<PathBuf>,
}

impl std::fmt::Debug for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Section").field("bucket", &self.bucket).finish_non_exhaustive()
    }
}

/// The bucket of these settings, if one is named; otherwise files are in the data folder.
pub(crate) fn bucket(file: Section) -> Result<Option<S3>, Failure> {
    let own = (file.secret_access_key, file.secret_access_key_file);
    let key = secret("NIL_OBJECTS_SECRET_ACCESS_KEY", "secret_access_key", own);
    let key = key.map_err(|why| wrong(&why))?;
    let region = env("NIL_OBJECTS_REGION").or(file.region);
    let endpoint = env("NIL_OBJECTS_ENDPOINT").or(file.endpoint);
    let prefix = env("NIL_OBJECTS_PREFIX").or(file.prefix);
    let access_key_id = env("NIL_OBJECTS_ACCESS_KEY_ID").or(file.access_key_id);
    let Some(bucket) = env("NIL_OBJECTS_BUCKET").or(file.bucket) else {
        let others = [&region, &endpoint, &prefix, &access_key_id];
        if key.is_some() || others.iter().any(|other| other.is_some()) {
            return Err(wrong("bucket: is missing beside the other settings of objects"));
        }
        return Ok(None);
    };
    let missing = |name: &str| wrong(&format!("{name}: is missing beside bucket"));
    let region = match (region, &endpoint) {
        (Some(region), _) => region,
        // A server of one's own has one region, whatever its name.
        (None, Some(_)) => "us-east-1".into(),
        (None, None) => return Err(missing("region")),
    };
    let settings = S3Settings {
        bucket,
        region,
        endpoint,
        prefix: prefix.unwrap_or_default(),
        access_key_id: access_key_id.ok_or_else(|| missing("access_key_id"))?,
        secret_access_key: key.ok_or_else(|| missing("secret_access_key"))?,
    };
    S3::new(settings).map(Some).map_err(|why| wrong(&why))
}

/// What is wrong with a setting; the text begins with its name.
fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("objects.{why}"))
}
