//! Hosts put the site into servers of their own: any body that can be sent to another thread will
//! do.

use std::cell::Cell;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body as AxumBody;
use bytes::Bytes;
use http_body::{Body, Frame};
use nil_core::catalog::Interface;
use nil_core::http::{Outgoing, Site, SiteOptions};
use nil_tests::{Engine, World, both};
use poem::Endpoint as _;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use warp::Filter as _;

/// A body that one thread after the other may read, as axum's, and never two.
struct OneAtATime(Cell<Option<Bytes>>);

impl Body for OneAtATime {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }
}

async fn site_of(engine: Engine) -> (World, Site) {
    let world = World::on(engine).await;
    let site = Site::new(world.platform.clone(), &Interface::ALL, SiteOptions::default());
    (world, site.expect("a site"))
}

/// Passes only futures that may move between threads.
fn movable<F: Future + Send>(future: F) -> F {
    future
}

async fn a_body_that_two_threads_cannot_share_is_answered(engine: Engine) {
    let (_world, site) = site_of(engine).await;
    let body = OneAtATime(Cell::new(Some(Bytes::from_static(b"{\"per_page\":1}"))));
    let request = hyper_request("POST", "/api/listColleges", body);
    let response = movable(site.answer(request)).await;
    assert_eq!(response.status(), 200);
}
both!(a_body_that_two_threads_cannot_share_is_answered);

fn hyper_request<B>(method: &str, path: &str, body: B) -> poem::http::Request<B> {
    let request = poem::http::Request::builder().method(method).uri(path);
    request.header("content-type", "application/json").body(body).expect("a request")
}

/// The site behind axum, beside a route of the host's own.
fn behind_axum(site: Site) -> axum::Router {
    let answer = move |request: axum::extract::Request| {
        let site = site.clone();
        async move {
            let (parts, body) = movable(site.answer(request)).await.into_parts();
            let body = match body {
                Outgoing::Whole(bytes) => AxumBody::from(bytes),
                Outgoing::Stream(stream) => AxumBody::new(stream),
            };
            axum::response::Response::from_parts(parts, body)
        }
    };
    axum::Router::new()
        .route("/hello", axum::routing::get(|| async { "hello from the host" }))
        .fallback(answer)
}

async fn asked(client: &Client, address: &str) -> (StatusCode, Value) {
    let call = client.post(format!("{address}/api/listColleges")).json(&json!({ "page": 2 }));
    let answer = call.send().await.expect("an answer");
    (answer.status(), answer.json().await.expect("JSON"))
}

async fn is_whole(address: &str) {
    let client = Client::builder().no_proxy().build().unwrap();
    let hello = client.get(format!("{address}/hello")).send().await.unwrap();
    assert_eq!(hello.text().await.unwrap(), "hello from the host");
    let (status, answer) = asked(&client, address).await;
    assert_eq!((status.as_u16(), &answer["pagination"]["page"]), (200, &json!(2)), "{answer}");
    let missing = client.get(format!("{address}/api/nowhere")).send().await.unwrap();
    assert_eq!(missing.status(), 404);
    let document: Value = client
        .get(format!("{address}/api/openapi.json"))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(document["openapi"], "3.1.0");
}

async fn a_host_of_axum_has_the_site_beside_its_own(engine: Engine) {
    let (_world, site) = site_of(engine).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let app = behind_axum(site);
    let serving = tokio::spawn(async move { axum::serve(listener, app).await });
    is_whole(&address).await;
    serving.abort();
}
both!(a_host_of_axum_has_the_site_beside_its_own);

async fn a_host_of_poem_has_the_site_beside_its_own(engine: Engine) {
    let (_world, site) = site_of(engine).await;
    let hello = poem::endpoint::make_sync(|_| "hello from the host");
    // The site knows its addresses by their whole path.
    let app = poem::Route::new()
        .at("/hello", hello)
        .nest_no_strip("/api", nil_http_poem::Serve(site.clone()))
        .nest_no_strip("/admin", nil_http_poem::Serve(site.clone()));
    let request = poem::Request::builder()
        .method(poem::http::Method::POST)
        .uri_str("/api/listColleges")
        .body("{\"page\":2}");
    let answer = movable(app.get_response(request)).await;
    assert_eq!(answer.status(), 200);
    let own = poem::Request::builder().uri_str("/hello").finish();
    let own = app.get_response(own).await.into_body().into_string().await.unwrap();
    assert_eq!(own, "hello from the host");
    let csrf = poem::Request::builder().uri_str("/admin/updateCsrfToken").finish();
    assert_eq!(app.get_response(csrf).await.status(), 200);
    // `nest` at the root strips nothing.
    let root = poem::Route::new().nest("/", nil_http_poem::Serve(site));
    let page = poem::Request::builder().uri_str("/api/openapi.json").finish();
    assert_eq!(root.get_response(page).await.status(), 200);
}
both!(a_host_of_poem_has_the_site_beside_its_own);

async fn a_host_of_warp_has_the_site_beside_its_own(engine: Engine) {
    let (_world, site) = site_of(engine).await;
    let hello = warp::path("hello").and(warp::path::end()).map(|| "hello from the host");
    let app = hello.or(nil_http_warp::routes(site));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(warp::serve(app).incoming(listener).run());
    is_whole(&address).await;
    // What is under another path is not the site's.
    let client = Client::builder().no_proxy().build().unwrap();
    let other = client.get(format!("{address}/elsewhere")).send().await.unwrap();
    assert_eq!(other.status(), 404);
    assert!(other.headers().get("x-request-id").is_none());
    serving.abort();
}
both!(a_host_of_warp_has_the_site_beside_its_own);
