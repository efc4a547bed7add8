//! A visit to a back office over HTTP: log in, call, log out.

use std::io::Read as _;

use nil_core::kernel::Secret;
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::args::Call;
use crate::failure::Failure;
use crate::settings::env;

/// An operator's session: its cookie, and the token that every change carries.
pub(crate) struct Visit {
    cookie: String,
    csrf: String,
}

impl Visit {
    /// Logs in as the operator named with `--as`; none if the call names nobody.
    pub(crate) async fn of(
        call: &Call,
        client: &Client,
        base: &str,
    ) -> Result<Option<Self>, Failure> {
        let Some(caller) = &call.caller else { return Ok(None) };
        let Some(email) = caller.strip_prefix("operator:") else {
            let why = "Admin is called over HTTP as operator:EMAIL";
            return Err(Failure::Usage(why.into()));
        };
        let password = password(call)?;
        let heard = client.get(format!("{base}/updateCsrfToken")).send();
        let first = Self::heard(heard.await.map_err(|error| broken(&error))?, None).await?;
        let mut input = json!({ "email": email, "password": password.expose() });
        if let (Some(input), Some(code)) = (input.as_object_mut(), &call.totp) {
            input.insert("totp".into(), code.as_str().into());
        }
        let asked = first.carried_by(client.post(format!("{base}/check-login")).json(&input));
        let heard = asked.send().await.map_err(|error| broken(&error))?;
        Ok(Some(Self::heard(heard, Some(first)).await?))
    }

    /// The session that an answer tells of. It goes on with the cookie of the one before if the
    /// answer sets none.
    async fn heard(answer: Response, before: Option<Self>) -> Result<Self, Failure> {
        let cookie = answer.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok());
        let cookie = cookie.and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
        let body: Value = answer.json().await.map_err(|error| broken(&error))?;
        let text = |place: &str| body.pointer(place).and_then(Value::as_str).map(str::to_owned);
        let Some(csrf) = text("/data/csrf_token") else {
            return Err(Failure::Answered {
                code: text("/code").unwrap_or_else(|| "unknown".into()),
                message: text("/message").unwrap_or_default(),
                fields: Vec::new(),
            });
        };
        let cookie = cookie.or_else(|| before.map(|before| before.cookie)).unwrap_or_default();
        Ok(Self { cookie, csrf })
    }

    /// A request of this session.
    pub(crate) fn carried_by(&self, request: RequestBuilder) -> RequestBuilder {
        request.header("cookie", &self.cookie).header("x-csrf-token", &self.csrf)
    }

    /// Logs out. The session would end by itself, so a failure is none of the call's.
    pub(crate) async fn end(self, client: &Client, base: &str) {
        let _ = self.carried_by(client.get(format!("{base}/logout"))).send().await;
    }
}

fn password(call: &Call) -> Result<Secret, Failure> {
    if call.password_stdin {
        if call.input.as_deref() == Some("-") {
            let why = "standard input is the password or the input, not both";
            return Err(Failure::Usage(why.into()));
        }
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(Secret::new(text.trim_end_matches(['\r', '\n'])));
    }
    env("NIL_PASSWORD").map(Secret::new).ok_or_else(|| {
        let why = "the operator's password comes from NIL_PASSWORD or, with --password-stdin, from \
                   standard input";
        Failure::Usage(why.into())
    })
}

fn broken(error: &reqwest::Error) -> Failure {
    Failure::Broken(error.to_string())
}
