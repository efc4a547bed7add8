//! Sign-on in a browser: the pages before and after the provider's (decision 81).

use nil_core::kernel::Clock as _;
use nil_tests::identity::{CLIENT, Key, Provider, SECRET, providers_nearby};
use nil_tests::{Engine, Frontend, Got, Server, StrangersProvider, World, both};
use reqwest::Method;
use serde_json::{Value, json};

use crate::console::text;

const FORM: &str = "application/x-www-form-urlencoded";

/// A server with an institution whose officers sign on at this provider.
async fn served(world: World, issuer: &str) -> Server {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    world.give_domains(college, json!(["lakeshore.example"])).await;
    let input = json!({
        "issuer": issuer, "client_id": CLIENT, "client_secret": SECRET, "role_claim": "groups",
        "roles": [{ "value": "nil-officers", "role": "officer" }],
    });
    world.call("compliance.sign_on.save", &owner, input).await.data();
    Server::start(world, Frontend::Poem).await
}

fn dana() -> Value {
    json!({
        "sub": "id-of-dana", "sid": "desk", "email": "dana@lakeshore.example",
        "email_verified": true, "name": "Dana Whitfield", "groups": ["nil-officers"],
    })
}

async fn sent(server: &Server, path: &str, fields: &[(&str, &str)]) -> Got {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = server.request(Method::POST, path).header("content-type", FORM);
    server.send(request.header("sec-fetch-site", "same-origin").body(body)).await
}

async fn asked(server: &Server, path: &str, cookie: &str) -> Got {
    server.send(server.request(Method::GET, path).header("cookie", cookie)).await
}

fn cookies(got: &Got) -> Vec<String> {
    let all = got.headers.get_all("set-cookie").iter();
    all.map(|value| value.to_str().unwrap().split(';').next().unwrap().to_owned()).collect()
}

/// Begins a sign-on in the portal: the provider's address, and the browser's cookie.
async fn begin(server: &Server) -> (String, String) {
    let shown = server.get("/portal/sign-in?then=/team").await;
    assert!(text(&shown).contains("href=\"/portal/sign-on?then=%2Fteam\""), "{}", text(&shown));
    let page = server.get("/portal/sign-on?then=%2Fteam").await;
    assert!(text(&page).contains("Sign in through your institution"));
    let fields = [("email", "dana@lakeshore.example"), ("then", "/team")];
    let got = sent(server, "/portal/sign-on", &fields).await;
    assert_eq!(got.status, 200, "{}", text(&got));
    let flags = got.header("set-cookie");
    assert!(flags.contains("; HttpOnly; SameSite=Lax; Max-Age=600"), "{flags}");
    let to = got.header("refresh").strip_prefix("0; url=").expect("an address").to_owned();
    assert!(text(&got).contains(&to.replace('&', "&amp;")), "a link for whoever goes by hand");
    (to, cookies(&got).remove(0))
}

fn landing(back: &serde_json::Map<String, Value>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in back {
        query.append_pair(name, value.as_str().unwrap());
    }
    format!("/portal/sign-on?{}", query.finish())
}

async fn a_browser_is_led_to_the_provider_and_back(engine: Engine) {
    let provider = Provider::start(Key::curve()).await;
    let world = World::configured(engine, providers_nearby).await;
    let server = served(world, provider.issuer()).await;
    let (to, cookie) = begin(&server).await;
    let back = provider.sign_on(&to, server.world.clock.now(), dana());
    // Another browser, which lacks the cookie, is not signed in.
    let other = server.get(&landing(&back)).await;
    assert_eq!(other.status, 401, "{}", text(&other));
    assert!(text(&other).contains("did not succeed"), "{}", text(&other));
    let got = asked(&server, &landing(&back), &cookie).await;
    assert_eq!((got.status, got.header("location")), (303, "/portal/team"), "{}", text(&got));
    let session = cookies(&got).remove(0);
    assert!(session.starts_with("nil_portal="), "{session}");
    let team = asked(&server, "/portal/team", &session).await;
    assert_eq!(team.status, 200);
    assert!(text(&team).contains("Dana Whitfield"));
    let once_more = asked(&server, &landing(&back), &cookie).await;
    assert_eq!(once_more.status, 401);
    // Who refuses at the provider comes back with a reason that is not repeated.
    let refused = "/portal/sign-on?error=access_denied&error_description=a%20reason&state=x";
    let refused = asked(&server, refused, &cookie).await;
    assert_eq!(refused.status, 401);
    assert!(!text(&refused).contains("access_denied") && !text(&refused).contains("a reason"));
    // An address of no institution.
    let none = sent(&server, "/portal/sign-on", &[("email", "dana@elsewhere.example")]).await;
    assert_eq!(none.status, 404);
    assert!(text(&none).contains("No institution with this domain"), "{}", text(&none));
    // The provider ends the session by a form, as the protocol has it.
    let now = server.world.clock.now().timestamp();
    let message = provider.sign(&json!({
        "iss": provider.issuer(), "aud": CLIENT, "iat": now, "jti": "1", "sid": "desk",
        "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
    }));
    let told = "/api/compliance/sign-on/log-out";
    let told = sent(&server, told, &[("logout_token", &message)]).await;
    assert_eq!(told.status, 200, "{}", text(&told));
    assert_eq!(asked(&server, "/portal/team", &session).await.status, 303);
    let wrong = "/api/compliance/sign-on/log-out";
    assert_eq!(sent(&server, wrong, &[("logout_token", "x")]).await.status, 400);
    // The console has no provider.
    assert!(!text(&server.get("/console/sign-in").await).contains("/sign-on"));
}
both!(a_browser_is_led_to_the_provider_and_back);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_strangers_provider_signs_officers_on() {
    let provider = StrangersProvider::start(&dana());
    // The provider signs with the time of day.
    let mut world = World::in_real_time(Engine::Sqlite).await;
    world.reopen(providers_nearby).await;
    let server = served(world, &provider.issuer).await;
    let (to, cookie) = begin(&server).await;
    let back = provider.sign_on(&to, "id-of-dana").await;
    let got = asked(&server, &landing(&back), &cookie).await;
    assert_eq!((got.status, got.header("location")), (303, "/portal/team"), "{}", text(&got));
}
