//! The people with access to the portal: who they are, inviting one, changing one.

use maud::{Markup, html};
use nil_core::accounts::PortalUserStatus;
use nil_core::{Error, Result};
use serde_json::{Map, Value};

use crate::console::call::{Page, Shown};
use crate::console::describe::Field;
use crate::console::form::{self, Filled, Refusals};
use crate::console::part::Part as _;
use crate::console::picks::Picks;
use crate::console::query::Query;
use crate::console::screens::acts::is_possible;
use crate::console::screens::list::{Around, List, PLAIN, Seen, column, lead};
use crate::console::screens::{Form, Outcome};
use crate::console::table::rows_of;
use crate::console::texts::{self, key, say};
use crate::console::{picks, reading, refusal, words};

const INVITE: &str = "portal_user.invite";
const CHANGE: &str = "portal_user.change";
const RESET: &str = "portal_user.reset_two_step";

static LIST: List = List {
    operation: "portal_user.list",
    title: key!("nav-team"),
    about: key!("team-about"),
    row: &["q", "statuses"],
    columns: &[
        lead(key!("col-name"), |Seen { page, .. }, row| {
            let user = row.part("id").to_string();
            let address = page.here(&page.query.with("user", Some(&user)));
            html! {
                @if is_possible(page, CHANGE, row.text("status")) {
                    a href={ (address) "#change" } { (row.text("name")) }
                } @else { (row.text("name")) }
                small.dim { (row.text("email")) }
            }
        }),
        column(key!("role"), "", |_, row| html! { (words::word(row.text("role"))) }),
        column(key!("access"), "", |_, row| words::chip(row.text("status"))),
        column(key!("sports"), "p2", |_, row| {
            let sports = row.part("sport_ids").as_array().map(Vec::len).filter(|all| *all > 0);
            html! { @match sports { Some(count) => (count), None => (say!("all-of-them")) } }
        }),
        column(key!("last-sign-in"), "w p2", |Seen { page, .. }, row| {
            html! { @if let Some(at) = row.moment("last_login_at") {
                (words::short_moment(at, page.person.zone))
            } }
        }),
        column(key!("nav-trail"), "p3", |Seen { page, .. }, row| {
            let address = page.at(&format!("/trail?portal_user_id={}", row.part("id")));
            html! { a href=(address) { (say!("what-one-did", name = row.text("name"))) } }
        }),
    ],
    ..PLAIN
};

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, None, None).await?.into())
}

async fn show(page: &Page<'_>, typed: Option<&Query>, refused: Option<&Error>) -> Result<Shown> {
    let mut list = LIST.read(page).await?;
    list.picks.extend(picks::of(page, page.fields(INVITE)).await);
    let user = typed.unwrap_or(&page.query).get("user").and_then(|id| id.parse::<i64>().ok());
    let user =
        rows_of(&list.answer).iter().find(|row| user.is_some() && row.part("id").as_i64() == user);
    let editing = Editing { page, picks: &list.picks, typed, refused };
    let said = html! {
        @if let Some(error) = refused {
            (refusal::note(page.fields(INVITE), error))
            @if let Some(typed) = typed {
                (refusal::meanwhile(page, page.fields(CHANGE), typed, error))
            }
        }
        (waiting(page, &list.answer))
    };
    let after = match user {
        Some(user) => editing.change(user),
        None => editing.invite(),
    };
    let around = Around { said: Some(said), after: Some(after), ..Around::default() };
    let mut shown = LIST.show(&list.seen(page), list.refused.as_ref(), around);
    if let Some(error) = refused {
        shown.status = error.kind().status();
    }
    Ok(shown)
}

/// Whether a change leads a user to this state.
fn can_become(user: &Value, wanted: PortalUserStatus) -> bool {
    let state: Option<PortalUserStatus> = user.text("status").parse().ok();
    state.is_some_and(|state| state.can_become(wanted))
}

/// Who asks for access: who can be let in as well as refused.
fn waiting(page: &Page<'_>, answer: &Value) -> Markup {
    let asks = |user: &&Value| {
        can_become(user, PortalUserStatus::Active) && can_become(user, PortalUserStatus::Disabled)
    };
    let all = rows_of(answer).iter().filter(asks);
    let all: Vec<&Value> =
        all.filter(|user| is_possible(page, CHANGE, user.text("status"))).collect();
    let title = say!("wait-for-answer", count = all.len());
    html! {
        @if !all.is_empty() {
            section.note.warn {
                h2 { (title) }
                @for user in all {
                    @let (name, role) = (user.text("name"), user.text("role"));
                    form.row method="post" action=(page.at("/team")) {
                        span {
                            b { (name) } " "
                            small { (say!("asks-to-be", email = user.text("email"), role = role)) }
                        }
                        (page.hidden())
                        input type="hidden" name="act" value="change";
                        input type="hidden" name="id" value=(user.part("id"));
                        button.small name="status" value="active" { (say!("let-in-as", role = role))
                            span.vh { " " (name) } }
                        button.small.danger name="status" value="disabled" { (say!("refuse"))
                            span.vh { " " (name) } }
                    }
                }
            }
        }
    }
}

/// The forms, with what was typed and why it was refused.
struct Editing<'e, 'p> {
    page: &'e Page<'p>,
    picks: &'e Picks,
    typed: Option<&'e Query>,
    refused: Option<&'e Error>,
}

impl Editing<'_, '_> {
    fn fields(&self, all: &[&Field], known: &Query) -> Markup {
        let none = Refusals::new();
        let typed = self.typed.map(|typed| refusal::renewed(typed, self.refused));
        let filled = Filled {
            values: typed.as_ref().unwrap_or(known),
            refusals: self.refused.map_or(&none, Error::fields),
            picks: self.picks,
            zone: self.page.person.zone,
            filters: false,
        };
        html! { @for field in all { (form::one(field, &field.name, field.required, &filled)) } }
    }

    fn invite(&self) -> Markup {
        let page = self.page;
        if page.allowed(INVITE).is_none() {
            return html! {};
        }
        let all: Vec<&Field> = page.fields(INVITE).iter().collect();
        html! {
            div.two {
                form.panel.pad id="invite" method="post" action=(page.at("/team"))
                    aria-labelledby="inv" {
                    h2 id="inv" { (say!("invite")) }
                    (page.hidden())
                    input type="hidden" name="act" value="invite";
                    (self.fields(&all, &Query::default()))
                    div.acts { button.pri { (say!("send-invitation")) } }
                }
            }
        }
    }

    fn change(&self, user: &Value) -> Markup {
        let page = self.page;
        if !is_possible(page, CHANGE, user.text("status")) {
            return html! {};
        }
        let own = |field: &&Field| ["role", "sport_ids", "revision"].contains(&&*field.name);
        let all: Vec<&Field> = page.fields(CHANGE).iter().filter(own).collect();
        let known = reading::filled(page.fields(CHANGE), user, page.person.zone);
        let (name, state) = (user.text("name"), user.text("status"));
        html! {
            div.two {
                form.panel.pad id="change" method="post" action=(page.at("/team"))
                    aria-labelledby="chg" {
                    h2 id="chg" { (say!("change-one", name = name)) }
                    (self.same(user, "rights"))
                    (self.fields(&all, &known))
                    div.acts {
                        button.pri { (say!("save")) }
                        a.btn href=(page.here(&page.query.without(&["user"]))) { (say!("cancel")) }
                    }
                }
                form.panel.pad method="post" action=(page.at("/team")) aria-labelledby="acc" {
                    h2 id="acc" { (say!("access")) }
                    (self.same(user, "change"))
                    p { (name) " " (words::chip(state)) }
                    div.acts {
                        @if can_become(user, PortalUserStatus::Disabled) {
                            button.danger name="status" value="disabled" { (say!("end-access")) }
                        } @else if can_become(user, PortalUserStatus::Active) {
                            button name="status" value="active" { (say!("give-access-again")) }
                        }
                    }
                }
                (self.second_step(user))
            }
        }
    }

    /// For a lost authenticator app: what the operation tells first, and its button.
    fn second_step(&self, user: &Value) -> Markup {
        let page = self.page;
        let reset = page.allowed(RESET).filter(|_| user.part("totp_on_at").is_string());
        html! {
            @if let Some([happens, stays]) = reset.and_then(texts::confirm) {
                form.panel.pad method="post" action=(page.at("/team")) aria-labelledby="two" {
                    h2 id="two" { (say!("two-step")) }
                    (self.same(user, "two_step"))
                    p { (happens) }
                    p.dim { (stays) }
                    div.acts { button.danger { (say!("reset-two-step")) } }
                }
            }
        }
    }

    /// What a form about one person has beside its own fields.
    fn same(&self, user: &Value, act: &str) -> Markup {
        html! {
            (self.page.hidden())
            input type="hidden" name="act" value=(act);
            input type="hidden" name="id" value=(user.part("id"));
            input type="hidden" name="user" value=(user.part("id"));
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let sent = form.fields;
    let act = sent.get("act").unwrap_or_default();
    let short = match act {
        "invite" => INVITE,
        "two_step" => RESET,
        _ => CHANGE,
    };
    let asked = picks::resolved(page, page.fields(short), &sent).await;
    let done = match page.input(short, &asked) {
        Ok(read) => page.write(short, with_sports(read, act), &sent).await,
        Err(error) => Err(error),
    };
    match done {
        Ok(_) => Ok(Outcome::to(&page.at("/team"))),
        Err(error) => Ok(show(page, Some(&sent), Some(&error)).await?.into()),
    }
}

/// No sports are all sports; left out they would stay as they are.
fn with_sports(mut read: Map<String, Value>, act: &str) -> Map<String, Value> {
    if act == "rights" {
        read.entry("sport_ids").or_insert_with(|| Value::Array(Vec::new()));
    }
    read
}
