//! Uploads in parts, for the script of the library: a file that is too large for a form is begun,
//! sent part by part and completed. The answers are those of the operations, as JSON.
//!
//! A part goes to an address of this server, not of the store: the pages' policy lets a browser
//! reach no other, and the bytes are written to the store while they arrive.

use hyper::Response;
use nil_core::error::codes;
use nil_core::http::Outgoing;
use nil_core::{Error, Result};
use serde_json::{Map, Value, json};

use crate::console::call::Page;
use crate::console::frame;
use crate::console::query::Query;
use crate::console::refusal;
use crate::console::screens::{Form, Outcome};

/// What the path of a part's address begins with, after the base of the interface.
const PART: &str = "/content/multipart/part";

/// Nobody opens this page; the form is in the library.
pub(in crate::console::screens) fn get(page: &Page<'_>) -> Outcome {
    Outcome::to(&page.at(&format!("/library{}", page.query.address())))
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let response = match step(page, &form.fields).await {
        Ok(answer) => frame::json(200, &answer),
        Err(error) => refused(&error),
    };
    Ok(Outcome::Response(response))
}

async fn step(page: &Page<'_>, sent: &Query) -> Result<Value> {
    let short = match sent.get("act") {
        Some("create") => "content.multipart_create",
        Some("sign") => "content.multipart_sign",
        Some("complete") => "content.multipart_complete",
        Some("abort") => "content.multipart_abort",
        _ => return Err(codes::NOT_FOUND.into()),
    };
    let mut input = page.input(short, &sent.without(&["parts"]))?;
    match sent.get("act") {
        Some("sign") => {
            input.insert("here".into(), true.into());
        }
        Some("complete") => complete(&mut input, sent)?,
        _ => {}
    }
    let mut answer = page.write(short, input, sent).await?;
    if let Some(url) = answer.get_mut("data").and_then(|data| data.get_mut("url")) {
        *url = own_address(page, url.as_str().unwrap_or_default())?.into();
    }
    Ok(answer)
}

/// The tags of the parts; a large file has more of them than a form has entries.
fn complete(input: &mut Map<String, Value>, sent: &Query) -> Result<()> {
    let parts: Value = serde_json::from_str(sent.get("parts").unwrap_or_default())
        .map_err(|_| Error::invalid("parts", "must be the parts as JSON"))?;
    input.insert("parts".into(), parts);
    Ok(())
}

/// The address of a part below the site that shows the page, whatever the site is called outside.
fn own_address(page: &Page<'_>, url: &str) -> Result<String> {
    let (_, token) = url.split_once(PART).ok_or_else(|| Error::internal("no address of a part"))?;
    let base = page.side.interface.base();
    Ok(format!("{}{base}{PART}{token}", page.desk.prefix()))
}

fn refused(error: &Error) -> Response<Outgoing> {
    let fields = error.fields().values().flatten().map(String::as_str);
    let told: Vec<&str> = std::iter::once(error.message()).chain(fields).collect();
    let answer = json!({ "code": error.code(), "message": told.join(" ") });
    refusal::wait(frame::json(error.kind().status(), &answer), error)
}
