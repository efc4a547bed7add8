//! The portal and the console over HTTP: cookies, form tokens, who sees which page, and what
//! becomes of a form.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal, Role};
use nil_core::catalog::{Entry, Interface, catalog};
use nil_tests::{Frontend, Got, PASSWORD, Server, World, both, every_stack};
use reqwest::Method;
use scraper::{Html, Selector};
use serde_json::json;

/// A browser with one session.
pub(crate) struct Browser<'s> {
    pub server: &'s Server,
    pub side: &'static str,
    pub cookie: String,
}

/// What a page's forms have beside their own fields.
pub(crate) struct Form {
    pub token: String,
    pub key: String,
    pub mark: String,
}

impl Form {
    fn of(page: &Html) -> Self {
        let value = |name| value_of(page, name);
        Self { token: value("form_token"), key: value("idempotency_key"), mark: value("as") }
    }
}

fn cookies_of(got: &Got) -> String {
    got.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
}

fn value_of(page: &Html, name: &str) -> String {
    let selector = Selector::parse(&format!("main input[name={name}]")).unwrap();
    let found = page.select(&selector).next().unwrap_or_else(|| panic!("no {name}"));
    found.attr("value").unwrap_or_default().to_owned()
}

pub(crate) fn text(got: &Got) -> String {
    String::from_utf8(got.bytes.clone()).unwrap()
}

const FORM: &str = "application/x-www-form-urlencoded";

fn encoded(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

async fn sent(server: &Server, path: &str, cookie: &str, pairs: &[(&str, &str)]) -> Got {
    let request = server
        .request(Method::POST, path)
        .header("cookie", cookie)
        .header("sec-fetch-site", "same-origin")
        .header("content-type", FORM)
        .body(encoded(pairs));
    server.send(request).await
}

impl<'s> Browser<'s> {
    pub async fn sign_in(server: &'s Server, side: &'static str, email: &str) -> Self {
        let pairs = [("email", email), ("password", PASSWORD)];
        let got = sent(server, &format!("{side}/sign-in"), "", &pairs).await;
        assert_eq!(got.status, 303, "{}", text(&got));
        assert_eq!(got.header("location"), side);
        let flags = got.header("set-cookie");
        assert!(flags.ends_with("; Path=/; HttpOnly; SameSite=Lax"), "{flags}");
        Self { server, side, cookie: cookies_of(&got) }
    }

    pub async fn get(&self, path: &str) -> Got {
        let path = format!("{}{path}", self.side);
        let request = self.server.request(Method::GET, &path).header("cookie", &self.cookie);
        self.server.send(request).await
    }

    /// A page in a language that the browser asks for.
    pub async fn get_in(&self, language: &str, path: &str) -> String {
        let path = format!("{}{path}", self.side);
        asked_in(self.server, &path, &self.cookie, language).await
    }

    pub async fn form(&self, path: &str) -> Form {
        let got = self.get(path).await;
        Form::of(&Html::parse_document(&text(&got)))
    }

    pub async fn send(&self, path: &str, form: &Form, pairs: &[(&str, &str)]) -> Got {
        let beside =
            [("form_token", &*form.token), ("idempotency_key", &*form.key), ("as", &*form.mark)];
        let pairs: Vec<_> = beside.into_iter().chain(pairs.iter().copied()).collect();
        sent(self.server, &format!("{}{path}", self.side), &self.cookie, &pairs).await
    }
}

/// The generated page of an operation.
fn page_of(entry: &Entry) -> String {
    let (_, short) = entry.name.split_once('.').unwrap();
    format!("/op/{short}")
}

async fn a_session_of_a_page_is_not_one_of_the_api(server: Server) {
    let college = server.world.college().await;
    let (email, token) = server.world.new_portal_user(college, "officer").await;
    for path in ["/portal", "/portal/op/athlete.list"] {
        let got = server.get(path).await;
        assert_eq!(got.status, 303);
        let then = got.header("location");
        assert!(then.starts_with("/portal/sign-in"), "{then}");
    }
    let pairs = [("email", email.as_str()), ("password", "not the password")];
    let refused = sent(&server, "/portal/sign-in", "", &pairs).await;
    assert_eq!(refused.status, 401);
    assert!(text(&refused).contains(&format!("value=\"{email}\"")), "what was typed is kept");
    assert!(!text(&refused).contains("not the password"));

    let officer = Browser::sign_in(&server, "/portal", &email).await;
    let got = officer.get("").await;
    assert_eq!(got.status, 200);
    assert_eq!(got.header("cache-control"), "no-store");
    let policy = got.header("content-security-policy");
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    // The API takes no session of the pages, and the pages take no token of the API.
    let (_, secret) = officer.cookie.split_once('=').unwrap();
    let path = "/api/compliance/athletes/getAthlete";
    let bearer = server.request(Method::GET, path).bearer_auth(secret);
    assert_eq!(server.send(bearer).await.status, 401);
    let by_cookie = server.request(Method::GET, path).header("cookie", &officer.cookie);
    assert_eq!(server.send(by_cookie).await.status, 401);
    let page = server.request(Method::GET, "/portal").bearer_auth(&token);
    assert_eq!(server.send(page).await.status, 303);
    // The console takes no session of the portal under its own cookie's name.
    let other =
        server.request(Method::GET, "/console").header("cookie", format!("nil_console={secret}"));
    assert_eq!(server.send(other).await.status, 303);

    // A log-out elsewhere ends the page at once.
    let end = server.request(Method::POST, "/api/compliance/sessions/end");
    assert_eq!(server.send(end.bearer_auth(&token).json(&json!({}))).await.status, 200);
    assert_eq!(officer.get("").await.status, 303);
}

every_stack!(a_session_of_a_page_is_not_one_of_the_api);

async fn a_form_comes_from_a_page_of_the_session_and_is_done_once(server: Server) {
    let college = server.world.college().await;
    let (email, _) = server.world.new_portal_user(college, "owner").await;
    let owner = Browser::sign_in(&server, "/portal", &email).await;
    let form = owner.form("/op/portal_user.invite").await;
    let invite = [("email", "new@portal.example"), ("name", "Nora Lind"), ("role", "viewer")];
    let path = "/portal/do/portal_user.invite";
    let wrong = Form { token: "0".repeat(96), ..owner.form("/op/portal_user.invite").await };
    let refused = owner.send("/do/portal_user.invite", &wrong, &invite).await;
    assert_eq!(refused.status, 403);
    let foreign = server
        .request(Method::POST, path)
        .header("cookie", &owner.cookie)
        .header("sec-fetch-site", "cross-site")
        .header("content-type", FORM)
        .body(encoded(&[("form_token", &*form.token)]));
    assert_eq!(server.send(foreign).await.status, 403);
    assert_eq!(server.world.mail("new@portal.example", "portal_user.invited").await, None);

    // What is refused keeps what was typed, and names every field.
    let bad = [("email", "no address"), ("name", "Nora Lind"), ("role", "")];
    let refused = owner.send("/do/portal_user.invite", &form, &bad).await;
    assert_eq!(refused.status, 422);
    let page = text(&refused);
    assert!(page.contains("value=\"no address\"") && page.contains("id=\"errors\""), "{page}");
    assert!(page.contains("href=\"#f-email\"") && page.contains("href=\"#f-role\""), "{page}");

    // Sent twice, it is done once.
    for _ in 0..2 {
        let done = owner.send("/do/portal_user.invite", &form, &invite).await;
        assert_eq!(done.status, 200, "{}", text(&done));
        assert!(text(&done).contains("Invitation sent"));
    }
    let listed = owner.get("/op/portal_user.list").await;
    assert_eq!(text(&listed).matches(">Nora Lind<").count(), 1);
}

every_stack!(a_form_comes_from_a_page_of_the_session_and_is_done_once);

async fn a_form_whose_session_has_ended_is_sent_after_signing_in_again(server: Server) {
    let college = server.world.college().await;
    let (email, token) = server.world.new_portal_user(college, "owner").await;
    let (other, _) = server.world.new_portal_user(college, "owner").await;
    let invite = [("email", "new@portal.example"), ("name", "Nora Lind"), ("role", "viewer")];
    let mut kept = Vec::new();
    for _ in 0..2 {
        let owner = Browser::sign_in(&server, "/portal", &email).await;
        let form = owner.form("/op/portal_user.invite").await;
        let end = server.request(Method::POST, "/api/compliance/sessions/end");
        server.send(end.bearer_auth(&token).json(&json!({}))).await;
        let asked = owner.send("/do/portal_user.invite", &form, &invite).await;
        assert_eq!(asked.status, 401);
        let page = Html::parse_document(&text(&asked));
        let hidden = Selector::parse("main input[type=hidden]").unwrap();
        let pairs = page.select(&hidden).filter_map(|input| {
            Some((input.attr("name")?.to_owned(), input.attr("value")?.to_owned()))
        });
        kept.push(pairs.collect::<Vec<_>>());
    }
    let signed_in_as = async |email: &str, kept: &[(String, String)]| {
        let own = [("email", email), ("password", PASSWORD)];
        let kept = kept.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let pairs: Vec<_> = own.into_iter().chain(kept).collect();
        sent(&server, "/portal/sign-in", "", &pairs).await
    };
    // Somebody else does not send it.
    let somebody_else = signed_in_as(&other, &kept[0]).await;
    assert_eq!(somebody_else.status, 303);
    assert_eq!(server.world.mail("new@portal.example", "portal_user.invited").await, None);
    let done = signed_in_as(&email, &kept[1]).await;
    assert_eq!(done.status, 200, "{}", text(&done));
    assert!(text(&done).contains("Invitation sent"));
    assert!(done.header("set-cookie").starts_with("nil_portal="));
}

every_stack!(a_form_whose_session_has_ended_is_sent_after_signing_in_again);

async fn a_kept_form_is_sent_to_the_view_it_was_shown_in(server: Server) {
    let email = server.world.chief_operator().await;
    let operator = Browser::sign_in(&server, "/console", email).await;
    let make = async |browser: &Browser<'_>, place: &str, name: &str| {
        let form = operator.form(place).await;
        browser.send(place, &form, &[("act", "folder"), ("name", name)]).await
    };
    assert_eq!(make(&operator, "/library", "Posters").await.status, 303);
    let root = text(&operator.get("/library").await);
    let (_, after) = root.split_once("/console/library?parent_id=").expect("the folder");
    let posters: String = after.chars().take_while(char::is_ascii_digit).collect();
    let place = format!("/library?parent_id={posters}");
    // The browser has lost its session.
    let gone = Browser { server: &server, side: "/console", cookie: String::new() };
    let asked = make(&gone, &place, "Autumn").await;
    assert_eq!(asked.status, 401);
    let page = Html::parse_document(&text(&asked));
    let hidden = Selector::parse("main input[type=hidden]").unwrap();
    let kept = page.select(&hidden).filter_map(|input| input.attr("name").zip(input.attr("value")));
    let own = [("email", email), ("password", PASSWORD)];
    let pairs: Vec<_> = own.into_iter().chain(kept).collect();
    let sent = sent(&server, "/console/sign-in", "", &pairs).await;
    assert_eq!((sent.status, sent.header("location")), (303, &*format!("/console{place}")));
    assert!(!text(&operator.get("/library").await).contains("Autumn"));
    assert!(text(&operator.get(&place).await).contains("Autumn"));
}
every_stack!(a_kept_form_is_sent_to_the_view_it_was_shown_in);

/// Two operators have the same page open. Whoever saves last is told what the other has done, keeps
/// what was typed, and can save it over that.
async fn what_was_changed_meanwhile_is_shown_before_it_is_overwritten(server: Server) {
    let email = server.world.chief_operator().await;
    let operator = Browser::sign_in(&server, "/console", email).await;
    let open = async || {
        let page = Html::parse_document(&text(&operator.get("/settings").await));
        (Form::of(&page), value_of(&page, "revision"))
    };
    let save = async |(form, seen): &(Form, String), name: &str| {
        let pairs = [("name", name), ("support_email", "help@lakes.example"), ("revision", seen)];
        operator.send("/settings", form, &pairs).await
    };
    let (one, other) = (open().await, open().await);
    assert_eq!(save(&one, "Lakes").await.status, 303);
    let refused = save(&other, "Rivers").await;
    assert_eq!(refused.status, 409);
    let told = text(&refused);
    let page = Html::parse_document(&told);
    let row = Selector::parse("[aria-labelledby=mw] tbody tr").unwrap();
    let rows: Vec<String> = page.select(&row).map(|row| row.text().collect()).collect();
    assert_eq!(rows, ["NameLakesRivers"], "{told}");
    assert!(told.contains("value=\"Rivers\""), "what was typed is kept");
    assert_ne!(value_of(&page, "revision"), other.1);
    assert!(text(&operator.get("/settings").await).contains("value=\"Lakes\""));

    let again = (Form::of(&page), value_of(&page, "revision"));
    assert_eq!(save(&again, "Rivers").await.status, 303);
    assert!(text(&operator.get("/settings").await).contains("value=\"Rivers\""));
}

every_stack!(what_was_changed_meanwhile_is_shown_before_it_is_overwritten);

/// A page in a language that the browser asks for.
async fn asked_in(server: &Server, path: &str, cookie: &str, language: &str) -> String {
    let request = server.request(Method::GET, path).header("cookie", cookie);
    let got = server.send(request.header("accept-language", language)).await;
    assert_eq!(got.status, 200);
    text(&got)
}

async fn a_page_speaks_the_language_that_was_chosen_or_asked_for(server: Server) {
    let spanish = asked_in(&server, "/portal/sign-in", "", "es-US,es;q=0.9,en;q=0.8").await;
    assert!(
        spanish.contains("<html lang=\"es\">") && spanish.contains(">Contraseña<"),
        "{spanish}"
    );
    assert!(asked_in(&server, "/portal/sign-in", "", "de").await.contains(">Password<"));
    let longer = asked_in(&server, "/portal/sign-in", "", "en-XA").await;
    assert!(
        longer.contains("<html lang=\"en-XA\">") && longer.contains(">Pååššwwörrd<"),
        "{longer}"
    );

    // Whoever is not signed in chooses as well.
    let choice = [("language", "es"), ("back", "/forgotten")];
    let got = sent(&server, "/console/language", "", &choice).await;
    assert_eq!((got.status, got.header("location")), (303, "/console/forgotten"));
    let flags = got.header("set-cookie");
    assert!(flags.starts_with("nil_language=es; Path=/; HttpOnly; SameSite=Lax"), "{flags}");
    let away = [("language", "es"), ("back", "//elsewhere.example")];
    let got = sent(&server, "/portal/language", "", &away).await;
    assert_eq!(got.header("location"), "/portal");

    let college = server.world.college().await;
    let (email, _) = server.world.new_portal_user(college, "officer").await;
    let mut officer = Browser::sign_in(&server, "/portal", &email).await;
    let form = officer.form("/op/auth.change_own_password").await;
    let choice = [("language", "es"), ("back", "/transactions?preset=year")];
    let wrong =
        Form { token: "0".repeat(96), ..officer.form("/op/auth.change_own_password").await };
    assert_eq!(officer.send("/language", &wrong, &choice).await.status, 403);
    let got = officer.send("/language", &form, &choice).await;
    assert_eq!((got.status, got.header("location")), (303, "/portal/transactions?preset=year"));
    officer.cookie = format!("{}; {}", officer.cookie, cookies_of(&got));
    let page = text(&officer.get("").await);
    assert!(
        page.contains("<h1>Bandeja de entrada</h1>") && page.contains("Cerrar sesión"),
        "{page}"
    );
    // A language that is not offered is not kept.
    let got = officer.send("/language", &form, &[("language", "en-XA")]).await;
    assert_eq!((got.status, got.header("set-cookie")), (303, ""));
}
every_stack!(a_page_speaks_the_language_that_was_chosen_or_asked_for);

/// Walks all generated pages of a side, and compares who sees them with who may call them.
async fn a_sign_in_asks_for_the_code_after_the_password(world: World) {
    let server = Server::start(world, Frontend::Poem).await;
    let world = &server.world;
    let college = world.college().await;
    let (officer, token) = world.new_portal_user(college, "viewer").await;
    let operator = "steps@operators.example";
    let sides = [
        ("/portal", &*officer, world.platform.authenticate_compliance(&token).await.unwrap()),
        ("/console", operator, world.new_operator(operator, Permission::All).await),
    ];
    for (side, email, who) in sides {
        let interface = if side == "/portal" { "compliance" } else { "admin" };
        let (app, recovery) = world.with_two_steps(interface, &who, PASSWORD).await;
        world.pass(TimeDelta::seconds(30));
        let sign_in = format!("{side}/sign-in");
        let then = ("then", "/all");
        let first = [("email", email), ("password", PASSWORD), then];
        let asked = sent(&server, &sign_in, "", &first).await;
        assert_eq!((asked.status, cookies_of(&asked)), (200, String::new()), "{side}");
        assert!(!text(&asked).contains(PASSWORD), "the password is sealed");
        let held = value_of(&Html::parse_document(&text(&asked)), "held");
        let wrong = [("held", &*held), ("totp", app.wrong_code(world)), then];
        let refused = sent(&server, &sign_in, "", &wrong).await;
        assert_eq!(refused.status, 401);
        let held = value_of(&Html::parse_document(&text(&refused)), "held");
        for code in [app.code(world), recovery[0].clone()] {
            let second = [("held", &*held), ("totp", &*code), then];
            let got = sent(&server, &sign_in, "", &second).await;
            assert_eq!((got.status, got.header("location")), (303, &*format!("{side}/all")));
            let browser = Browser { server: &server, side, cookie: cookies_of(&got) };
            assert_eq!(browser.get("/all").await.status, 200);
        }
        // The password is held for five minutes only.
        world.pass(TimeDelta::minutes(6));
        let late = [("held", &*held), ("totp", &*recovery[1]), then];
        let late = sent(&server, &sign_in, "", &late).await;
        assert!([401, 422].contains(&late.status), "{}", late.status);
        assert_eq!(cookies_of(&late), "");
    }
}

both!(a_sign_in_asks_for_the_code_after_the_password);

async fn an_owner_resets_a_second_step_on_the_page_of_the_team(world: World) {
    let server = Server::start(world, Frontend::Poem).await;
    let world = &server.world;
    let college = world.college().await;
    let (owner, _) = world.new_portal_user(college, "owner").await;
    let (_, token) = world.new_portal_user(college, "viewer").await;
    let viewer = world.platform.authenticate_compliance(&token).await.unwrap();
    world.with_two_steps("compliance", &viewer, PASSWORD).await;
    let browser = Browser::sign_in(&server, "/portal", &owner).await;
    let Principal::Portal { id, .. } = viewer else { panic!("{viewer:?}") };
    let id = id.to_string();
    let path = format!("/team?user={id}");
    let asked = text(&browser.get(&path).await);
    assert!(asked.contains("Reset the second step"), "{asked}");
    let form = browser.form(&path).await;
    let reset = [("act", "two_step"), ("id", &*id), ("user", &*id)];
    assert_eq!(browser.send("/team", &form, &reset).await.status, 303);
    assert!(!text(&browser.get(&path).await).contains("Reset the second step"));
    assert_eq!(world.id("SELECT COUNT(*) FROM portal_recovery_code").await, 0);
}

both!(an_owner_resets_a_second_step_on_the_page_of_the_team);

async fn walked(browser: &Browser<'_>, interface: Interface, who: &Principal) {
    let mut shown = 0;
    for entry in catalog().of(interface) {
        // The session itself is not ended, and the dashboard has a narrow limit.
        let got = browser.get(&page_of(entry)).await;
        let page = text(&got);
        if entry.admit(who).is_err() {
            assert_eq!(got.status, 403, "{} as {}", entry.name, who.actor());
            continue;
        }
        assert!([200, 404, 422].contains(&got.status), "{} {}\n{page}", entry.name, got.status);
        let document = Html::parse_document(&page);
        let count = |selector| document.select(&Selector::parse(selector).unwrap()).count();
        assert_eq!(count("h1"), 1, "{}", entry.name);
        assert_eq!(count("[style], style, script:not([src])"), 0, "{}", entry.name);
        shown += 1;
    }
    assert!(shown > 20, "{shown}");
}

async fn a_page_is_seen_by_whoever_may_call_its_operation(world: World) {
    let server = Server::start(world, Frontend::Poem).await;
    let world = &server.world;
    let college = world.college().await;
    for role in Role::ALL {
        let (email, token) = world.new_portal_user(college, role.as_str()).await;
        let who = world.platform.authenticate_compliance(&token).await.unwrap();
        let browser = Browser::sign_in(&server, "/portal", &email).await;
        walked(&browser, Interface::Compliance, &who).await;
        // An operator's page is not there for an officer.
        let console = server.request(Method::GET, "/console").header("cookie", &browser.cookie);
        assert_eq!(server.send(console).await.status, 303);
    }
    for permission in [Permission::All, Permission::Finance, Permission::Content] {
        let email = format!("{}@operators.example", permission.as_str().replace('*', "all"));
        let who = world.new_operator(&email, permission).await;
        let browser = Browser::sign_in(&server, "/console", &email).await;
        walked(&browser, Interface::Admin, &who).await;
    }
}

both!(a_page_is_seen_by_whoever_may_call_its_operation);
