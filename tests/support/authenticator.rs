//! Authenticator apps of people who log in with two steps.

use nil_core::auth::Principal;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret, Totp};

use crate::World;

/// Somebody's authenticator app.
pub struct AuthenticatorApp(Totp);

impl AuthenticatorApp {
    /// An app that was given this secret.
    pub fn with(secret: &str) -> Self {
        let secret = Secret::try_from_base32(secret).unwrap();
        Self(Builder::new().with_secret(secret).with_account_name("me").build().unwrap())
    }

    /// The code that it shows.
    pub fn code(&self, world: &World) -> String {
        let now = u64::try_from(world.platform.now().timestamp()).unwrap();
        self.0.generate(now).to_string()
    }

    /// A code that is wrong.
    pub fn wrong_code(&self, world: &World) -> &'static str {
        if self.code(world) == "000000" { "000001" } else { "000000" }
    }
}

impl World {
    /// Turns the two-step log-in of somebody with this password on; returns their app and their
    /// recovery codes. `interface` is `admin` or `compliance`.
    pub async fn with_two_steps(
        &self,
        interface: &str,
        me: &Principal,
        password: &str,
    ) -> (AuthenticatorApp, Vec<String>) {
        let row = |act: &str| format!("{interface}.totp.{act}");
        let start = json!({ "current_password": password });
        let given = self.call(&row("start"), me, start).await.data();
        let app = AuthenticatorApp::with(given["secret"].as_str().expect("a secret"));
        let first = json!({ "totp": app.code(self) });
        let on = self.call(&row("confirm"), me, first).await.data();
        (app, recovery_codes(&on))
    }
}

/// The recovery codes of an answer.
pub fn recovery_codes(answer: &Value) -> Vec<String> {
    let all = answer["recovery_codes"].as_array().expect("recovery codes");
    all.iter().map(|code| code.as_str().expect("a text").to_owned()).collect()
}
