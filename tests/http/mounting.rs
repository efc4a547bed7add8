//! A site below a prefix, beside a host's own addresses: in axum, poem and warp. All that it says
//! of its own addresses names the prefix, and throttles count the clients of the host's server.

use nil_core::catalog::Interface;
use nil_core::http::{Outgoing, Site, SiteOptions};
use nil_tests::{Engine, World, both};
use poem::listener::TcpAcceptor;
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

#[expect(dead_code, reason = "its main is for `cargo run --example mount_in_poem`")]
#[path = "../../nil-http-poem/examples/mount_in_poem.rs"]
mod in_poem;
#[expect(dead_code, reason = "its main is for `cargo run --example mount_in_warp`")]
#[path = "../../nil-http-warp/examples/mount_in_warp.rs"]
mod in_warp;

const HELLO: &str = "hello from the host";

/// A host's server, with the site below `/nil`.
struct Host {
    world: World,
    address: String,
    client: Client,
    serving: AbortHandle,
}

impl Drop for Host {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Host {
    async fn new(
        engine: Engine,
        serve: impl FnOnce(Site, TcpListener) -> tokio::task::JoinHandle<()>,
    ) -> Self {
        let world = World::configured(engine, |config| {
            config.trusted_proxies = vec!["127.0.0.1".parse().expect("an address")];
        })
        .await;
        let site = Site::new(world.platform.clone(), &Interface::ALL, SiteOptions::default());
        let site = site.unwrap().at("/nil").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let serving = serve(site, listener).abort_handle();
        Self { world, address, client: Client::builder().no_proxy().build().unwrap(), serving }
    }

    async fn get(&self, path: &str) -> Response {
        self.client.get(format!("{}{path}", self.address)).send().await.unwrap()
    }

    async fn text(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.text().await.unwrap()
    }

    /// A log-in with a wrong password, passed on by the host for this client.
    async fn log_in(&self, client: &str, number: usize) -> u16 {
        let input =
            json!({ "email": format!("nobody{number}@example.com"), "password": "long enough" });
        let call = self.client.post(format!("{}/nil/api/login", self.address)).json(&input);
        call.header("x-forwarded-for", client).send().await.unwrap().status().as_u16()
    }

    async fn has_the_site_below_its_prefix(&self) {
        assert_eq!(self.text("/hello").await, HELLO);
        let path = format!("{}/nil/api/listColleges", self.address);
        let listed = self.client.post(path).json(&json!({ "page": 2 })).send().await.unwrap();
        let listed: Value = listed.json().await.unwrap();
        assert_eq!(listed["pagination"]["page"], 2, "{listed:#}");
        assert_eq!(self.get("/nil/api/nowhere").await.status(), 404);
        assert_eq!(self.text("/nil/healthz").await, "ok\n");
        for version in ["openapi", "openapi-3.0"] {
            let document = self.text(&format!("/nil/admin/{version}.json")).await;
            let document: Value = serde_json::from_str(&document).unwrap();
            assert_eq!(document["servers"][0]["url"], "/nil/admin");
        }
        let page = self.text("/nil/api/docs").await;
        assert!(page.contains(r#"data-base="/nil/api""#), "{page}");
        assert!(self.text("/nil/api/docs/page.js").await.contains("SwaggerUIBundle"));
        let index = self.text("/nil/").await;
        for link in ["/nil/api/docs", "/nil/api/compliance/openapi.json", "/nil/healthz"] {
            assert!(index.contains(&format!("href=\"{link}\"")), "{index}");
        }
        assert!(!index.contains("href=\"/api"), "{index}");
        let mail = self.text("/nil/verify-email?token=abc").await;
        assert!(mail.contains(r#"action="/nil/verify-email""#), "{mail}");
        let session = self.get("/nil/admin/updateCsrfToken").await;
        let cookie = session.headers()["set-cookie"].to_str().unwrap().to_owned();
        assert!(cookie.contains("; Path=/nil/admin; HttpOnly; SameSite=Strict"), "{cookie}");
    }

    /// The link in a mail, once `public_url` names the prefix too.
    async fn answers_the_form_of_a_mail(&self) {
        let path = format!("{}/nil/verify-email", self.address);
        let refused = self.client.post(path).body("token=unknown").send().await.unwrap();
        assert_eq!(refused.status(), 422);
        assert!(refused.text().await.unwrap().contains("This link is not valid"));
    }

    async fn counts_clients_by_their_addresses(&self) {
        for number in 0..10 {
            assert_eq!(self.log_in("203.0.113.1", number).await, 401);
        }
        assert_eq!(self.log_in("203.0.113.1", 10).await, 429);
        assert_eq!(self.log_in("203.0.113.2", 11).await, 401, "another client's log-ins");
    }

    /// An address of the host's that leads nowhere is not answered by the site.
    async fn leaves_other_addresses_to_the_host(&self) {
        for path in ["/api/listColleges", "/nile", "/elsewhere"] {
            let answer = self.get(path).await;
            assert_eq!(answer.status(), 404, "{path}");
            assert!(answer.headers().get("x-request-id").is_none(), "{path}");
        }
    }

    async fn check(self) {
        self.has_the_site_below_its_prefix().await;
        self.answers_the_form_of_a_mail().await;
        self.leaves_other_addresses_to_the_host().await;
        self.counts_clients_by_their_addresses().await;
        self.world.books_are_right().await;
    }
}

async fn a_host_of_poem_nests_the_site(engine: Engine) {
    let host = Host::new(engine, |site, listener| {
        let acceptor = TcpAcceptor::from_tokio(listener).unwrap();
        let serving = poem::Server::new_with_acceptor(acceptor).run(in_poem::app(site));
        tokio::spawn(async move { serving.await.unwrap() })
    });
    host.await.check().await;
}
both!(a_host_of_poem_nests_the_site);

async fn a_host_of_warp_mounts_the_site(engine: Engine) {
    let host = Host::new(engine, |site, listener| {
        tokio::spawn(warp::serve(in_warp::app(site)).incoming(listener).run())
    });
    host.await.check().await;
}
both!(a_host_of_warp_mounts_the_site);

async fn a_host_of_axum_asks_whose_an_address_is(engine: Engine) {
    let host = Host::new(engine, |site, listener| {
        let answer = move |client: axum::extract::ConnectInfo<std::net::SocketAddr>,
                           mut request: axum::extract::Request| {
            let site = site.clone();
            async move {
                if !site.owns(request.uri().path()) {
                    let nothing = axum::body::Body::empty();
                    return axum::response::Response::builder().status(404).body(nothing).unwrap();
                }
                request.extensions_mut().insert(nil_core::http::Peer(client.0));
                let (parts, body) = site.answer(request).await.into_parts();
                let body = match body {
                    Outgoing::Whole(bytes) => axum::body::Body::from(bytes),
                    Outgoing::Stream(stream) => axum::body::Body::new(stream),
                };
                axum::response::Response::from_parts(parts, body)
            }
        };
        let hello = axum::routing::get(|| async { HELLO });
        let app = axum::Router::new().route("/hello", hello).fallback(answer);
        let app = app.into_make_service_with_connect_info::<std::net::SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() })
    });
    host.await.check().await;
}
both!(a_host_of_axum_asks_whose_an_address_is);

#[tokio::test]
async fn a_prefix_that_is_no_path_is_refused() {
    let world = World::on(Engine::Sqlite).await;
    let site = Site::new(world.platform.clone(), &Interface::ALL, SiteOptions::default()).unwrap();
    for prefix in ["nil", "/nil/", "/", "/a b", "/\"><script>"] {
        let refused = site.at(prefix).unwrap_err();
        assert_eq!(refused.code(), "validation_failed", "{prefix}");
    }
}
