//! A stranger's identity provider in a process of its own (oidc-provider-mock, from the Python
//! package index).

use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde_json::{Map, Value};

use crate::serving::Running;

/// The version that `tests/run` installs.
const VERSION: &str = "0.3.4";

/// The provider; its process ends with the value.
pub struct StrangersProvider {
    _process: Running,
    /// The name that it has for itself.
    pub issuer: String,
}

impl StrangersProvider {
    /// A provider that knows this person.
    pub fn start(person: &Value) -> Self {
        let program = format!("oidc-provider-mock-{VERSION}/bin/python");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/support/strangers_identity.py");
        let (process, issuer) = Running::announced(&program, &[script, &person.to_string()]);
        Self { _process: process, issuer }
    }

    /// A person signs on at the address that a browser was led to: returns what comes back.
    pub async fn sign_on(&self, address: &str, subject: &str) -> Map<String, Value> {
        let browser = Client::builder().no_proxy().redirect(Policy::none()).build();
        let form =
            form_urlencoded::Serializer::new(String::new()).append_pair("sub", subject).finish();
        let chosen = browser.expect("a client").post(address).body(form);
        let chosen = chosen.header("content-type", "application/x-www-form-urlencoded");
        let chosen = chosen.send().await.expect("an answer");
        let to = chosen.headers().get("location").expect("it leads back").to_str();
        let url = Url::parse(to.expect("an address")).expect("an address");
        url.query_pairs().map(|(name, value)| (name.into(), value.as_ref().into())).collect()
    }
}
