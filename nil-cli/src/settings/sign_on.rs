//! The identity provider of the platform's operators: its settings under `[operator_sign_on]`.

use std::path::PathBuf;

use nil_core::config::OperatorSignOn;
use nil_core::ports::identity::Client;
use serde::Deserialize;

use super::values::{env, parsed, secret};
use crate::failure::Failure;

/// The part `[operator_sign_on]` of `nil.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Section {
    issuer: Option<String>,
    client_id: Option<String>,
    secret: Option<String>,
    secret_file: Option<PathBuf>,
    required_claim: Option<String>,
    required_value: Option<String>,
    passwords: Option<bool>,
}

impl std::fmt::Debug for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Section").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

/// The provider of these settings, if one is named.
pub(super) fn operators(file: Section) -> Result<Option<OperatorSignOn>, Failure> {
    let own = (file.secret, file.secret_file);
    let secret = secret("NIL_OPERATOR_SIGN_ON_SECRET", "secret", own).map_err(|why| wrong(&why))?;
    let id = env("NIL_OPERATOR_SIGN_ON_CLIENT_ID").or(file.client_id);
    let claim = env("NIL_OPERATOR_SIGN_ON_REQUIRED_CLAIM").or(file.required_claim);
    let value = env("NIL_OPERATOR_SIGN_ON_REQUIRED_VALUE").or(file.required_value);
    let passwords = parsed("NIL_OPERATOR_SIGN_ON_PASSWORDS", file.passwords)?;
    let Some(issuer) = env("NIL_OPERATOR_SIGN_ON_ISSUER").or(file.issuer) else {
        let others = [&id, &claim, &value];
        if secret.is_some() || passwords.is_some() || others.iter().any(|it| it.is_some()) {
            return Err(wrong("issuer: is missing beside the other settings of operator_sign_on"));
        }
        return Ok(None);
    };
    let missing = |name: &str| wrong(&format!("{name}: is missing beside issuer"));
    let required = match (claim, value) {
        (Some(claim), Some(value)) => Some((claim, value)),
        (None, None) => None,
        (Some(_), None) => return Err(wrong("required_value: is missing beside required_claim")),
        (None, Some(_)) => return Err(wrong("required_claim: is missing beside required_value")),
    };
    Ok(Some(OperatorSignOn {
        client: Client {
            issuer,
            id: id.ok_or_else(|| missing("client_id"))?,
            secret: secret.ok_or_else(|| missing("secret"))?,
        },
        required,
        passwords: passwords.unwrap_or(true),
    }))
}

/// What is wrong with a setting; the text begins with its name.
fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("operator_sign_on.{why}"))
}
