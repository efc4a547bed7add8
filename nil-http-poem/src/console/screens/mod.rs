//! The pages of both sides, and the way to them.

mod acts;
mod all;
mod deciding;
mod filters;
mod forms;
mod generated;
mod list;
mod opening;
mod operators;
mod portal;
mod searching;
mod table_of;

use futures::future::join;
use hyper::Response;
use nil_core::auth::Principal;
use nil_core::error::codes;
use nil_core::http::{Desk, Outgoing, Visit};
use nil_core::{Error, Result};

use super::call::{Page, Person, Shown};
use super::kept::KeptAnswers;
use super::query::Query;
use super::session::{self, Kept, SignedIn};
use super::side::Side;
use super::views::{self, Views};
use super::{counts, frame, refusal, signing_on};
pub(super) use table_of::SCREENS;
use table_of::Screen;

/// What a page comes to.
pub(super) enum Outcome {
    Shown(Shown),
    /// Anything else, such as a file.
    Response(Response<Outgoing>),
}

impl Outcome {
    /// Leads to another page after a form was sent.
    pub(super) fn to(address: &str) -> Self {
        Self::Response(frame::see_other(address))
    }
}

impl From<Shown> for Outcome {
    fn from(shown: Shown) -> Self {
        Self::Shown(shown)
    }
}

/// Shows a page.
pub(super) async fn get(
    visit: &mut Visit<'_>,
    (side, kept): (&'static Side, &KeptAnswers),
    path: &str,
) -> Response<Outgoing> {
    let desk = visit.desk();
    let query = Query::read(visit.query());
    let found = match session::signed_in(desk, visit.headers(), side).await {
        Ok(found) => found,
        Err(error) => {
            visit.note_refusal(&error);
            return session::sign_in_page(desk, side, &query, None, Some(&error));
        }
    };
    let Some((who, person)) = found else {
        visit.note(side.base, &Principal::Anonymous);
        return match path {
            "/sign-in" => session::sign_in_page(desk, side, &query, None, None),
            signing_on::PATH => {
                let came = signing_on::get(desk, side, visit.headers(), &query).await;
                come(visit, (side, kept), came).await
            }
            _ if opening::is_open(side, path) => opening::page(desk, side, path, &query, None),
            _ => {
                let then = format!("{path}{}", query.address());
                let to = Query::default().with("then", Some(&then)).address();
                frame::see_other(&format!("{}{}/sign-in{to}", desk.prefix(), side.base))
            }
        };
    };
    visit.note(side.base, &who);
    let views = Views::of(desk, side, visit.headers(), &who);
    let page = Page { desk, side, who, person, path, query, views, kept };
    if ["/sign-in", signing_on::PATH].contains(&path) || opening::is_open(side, path) {
        return frame::see_other(&page.at(""));
    }
    // Addresses are short: what is empty is not in them.
    if page.query.has_empty() {
        return frame::see_other(&page.here(&page.query));
    }
    if let Some(first) = to_do_first(&page).filter(|first| *first != path) {
        return frame::see_other(&page.at(first));
    }
    let (outcome, ()) = join(shown(&page), counts::refresh(&page)).await;
    match outcome {
        Ok(Outcome::Shown(shown)) => frame::page(&page, &shown),
        Ok(Outcome::Response(response)) => response,
        Err(error) => {
            visit.note_refusal(&error);
            refusal::page(&page, &error)
        }
    }
}

/// What an operator must do before anything else.
fn to_do_first(page: &Page<'_>) -> Option<&'static str> {
    use nil_core::auth::Must;
    match &page.who {
        Principal::NewOperator { must: Must::ChangePassword, .. } => {
            Some("/op/auth.change_password")
        }
        Principal::NewOperator { must: Must::SetUpTotp, .. } => {
            ["/op/totp.start", "/op/totp.confirm"]
                .into_iter()
                .find(|it| *it == page.path)
                .or(Some("/op/totp.start"))
        }
        _ => None,
    }
}

async fn shown(page: &Page<'_>) -> Result<Outcome> {
    if let Some(short) = page.path.strip_prefix("/op/") {
        return generated::get(page, short).await;
    }
    if let Some(short) = page.path.strip_prefix("/file/") {
        return generated::file(page, short).await;
    }
    if let Some(screen) = Screen::find(page.side, page.path) {
        return match page.allowed(screen.needs) {
            Some(_) => (screen.get)(page).await,
            // Whoever may not see the first page still sees what they may do.
            None if page.path.is_empty() => Ok(all::get(page).into()),
            None => Err(codes::FORBIDDEN.into()),
        };
    }
    match page.path {
        "/all" => Ok(all::get(page).into()),
        "/search" => Ok(searching::get(page).await.into()),
        _ => Err(codes::NOT_FOUND.into()),
    }
}

/// Does what a form asks for.
pub(super) async fn post(
    visit: &mut Visit<'_>,
    (side, kept): (&'static Side, &KeptAnswers),
    path: &str,
) -> Response<Outgoing> {
    let desk = visit.desk();
    visit.note(side.base, &Principal::Anonymous);
    if !visit.is_from_here() {
        return frame::not_from_here(desk);
    }
    let found = match session::signed_in(desk, visit.headers(), side).await {
        Ok(found) => found,
        Err(error) => {
            visit.note_refusal(&error);
            return session::sign_in_page(desk, side, &Query::default(), None, Some(&error));
        }
    };
    let anybody = Principal::Anonymous;
    let sent = visit.form(found.as_ref().map_or(&anybody, |(who, _)| who)).await;
    let mut sent = match sent {
        Ok(sent) => sent,
        Err(error) => {
            visit.note_refusal(&error);
            return match found {
                Some((who, person)) => {
                    refusal::page(&at(visit, (side, kept), (who, person), path), &error)
                }
                None => session::sign_in_page(desk, side, &Query::default(), None, Some(&error)),
            };
        }
    };
    let fields = Query(std::mem::take(&mut sent.pairs));
    // Whoever adds an entry has not filled it in yet.
    let fields = if fields.get("more").is_some() { fields } else { fields.without_empty_entries() };
    if path == "/sign-in" {
        return signing_in(visit, (side, kept), &fields).await;
    }
    if path == "/language" && found.is_none() {
        return in_other_language(desk, side, &fields);
    }
    let Some((who, person)) = found else {
        if path == signing_on::PATH {
            return signing_on::post(desk, side, &fields).await;
        }
        if opening::is_open(side, path) {
            return opening::send(desk, side, path, &fields).await;
        }
        let to = format!("{path}{}", Query::read(visit.query()).address());
        let kept = Kept::of(&to, &fields);
        return session::sign_in_page(desk, side, &Query::default(), Some(&kept), None);
    };
    visit.note(side.base, &who);
    let page = at(visit, (side, kept), (who, person), path);
    if !desk.is_form_token(&page.who, fields.get("form_token").unwrap_or_default()) {
        return frame::not_from_here(desk);
    }
    match path {
        "/sign-out" => return session::sign_out(&page).await,
        "/language" => return in_other_language(desk, side, &fields),
        _ => {}
    }
    let outcome = sent_to(&page, path, Form { fields, file: sent.file }).await;
    finished(visit, &page, outcome)
}

/// Shows the page from which the form came in another language.
fn in_other_language(desk: Desk<'_>, side: &Side, fields: &Query) -> Response<Outgoing> {
    let back = session::path_in(fields, "back");
    let address = format!("{}{}{back}", desk.prefix(), side.base);
    frame::in_other_language(desk, fields.get("language").unwrap_or_default(), &address)
}

/// What a form sent.
pub(super) struct Form {
    pub fields: Query,
    pub file: Option<nil_core::http::SentFile>,
}

fn at<'v>(
    visit: &Visit<'v>,
    (side, kept): (&'static Side, &'v KeptAnswers),
    (who, person): (Principal, Person),
    path: &'v str,
) -> Page<'v> {
    let query = Query::read(visit.query());
    let views = Views::of(visit.desk(), side, visit.headers(), &who);
    Page { desk: visit.desk(), side, who, person, path, query, views, kept }
}

async fn sent_to(page: &Page<'_>, path: &str, form: Form) -> Result<Outcome> {
    if let Some(short) = path.strip_prefix("/do/") {
        return forms::post(page, short, form).await;
    }
    if path == "/views" {
        return views::post(page, &form.fields).map(Outcome::Response);
    }
    match Screen::find(page.side, path).and_then(|screen| screen.post) {
        Some(post) => post(page, form).await,
        None => Err(Error::from(codes::NOT_FOUND)),
    }
}

fn finished(
    visit: &mut Visit<'_>,
    page: &Page<'_>,
    outcome: Result<Outcome>,
) -> Response<Outgoing> {
    match outcome {
        Ok(Outcome::Shown(shown)) => frame::page(page, &shown),
        Ok(Outcome::Response(response)) => response,
        Err(error) => {
            visit.note_refusal(&error);
            refusal::page(page, &error)
        }
    }
}

/// Signs in, and sends the form that was kept, if the same account has signed in.
async fn signing_in(
    visit: &mut Visit<'_>,
    (side, kept_answers): (&'static Side, &KeptAnswers),
    fields: &Query,
) -> Response<Outgoing> {
    let came = session::sign_in(visit.desk(), side, fields).await;
    come(visit, (side, kept_answers), came).await
}

/// Leads whoever has signed in to where they go.
async fn come(
    visit: &mut Visit<'_>,
    (side, kept_answers): (&'static Side, &KeptAnswers),
    came: SignedIn,
) -> Response<Outgoing> {
    let desk = visit.desk();
    match came {
        SignedIn::Page(response) => response,
        SignedIn::Person { who, person, sealed, kept, then } => {
            visit.note(side.base, &who);
            let is_same = |kept: &Kept| kept.mark == session::mark_of(desk, &who);
            let kept = kept.filter(is_same);
            let response = match kept {
                Some(Kept { to, fields, .. }) => {
                    let (path, query) = to.split_once('?').unwrap_or((&to, ""));
                    let shown = at(visit, (side, kept_answers), (who, person), "");
                    let page = Page { path, query: Query::read(query), ..shown };
                    let outcome = sent_to(&page, path, Form { fields, file: None }).await;
                    finished(visit, &page, outcome)
                }
                None => frame::see_other(&format!("{}{}{then}", desk.prefix(), side.base)),
            };
            session::begin(desk, side, &sealed, response)
        }
    }
}
