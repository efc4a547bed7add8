//! Real servers on real sockets: either framework, every interface.

use std::net::SocketAddr;
use std::sync::Arc;

use nil_core::catalog::Interface;
use nil_core::http::{Pages, Shutdown, Site, SiteOptions};
use nil_http_poem::console::Console;
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::World;

/// Which framework serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frontend {
    Warp,
    Poem,
}

/// A server that is stopped when it is dropped.
pub struct Server {
    pub world: World,
    pub address: SocketAddr,
    pub site: Site,
    pub client: reqwest::Client,
    stop: watch::Sender<bool>,
    running: Option<JoinHandle<()>>,
}

/// What came back, read to its end.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Got {
    /// The whole response; for a live stream, which has no end, the head.
    pub async fn of(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let live = headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
        let bytes =
            if live { Vec::new() } else { response.bytes().await.expect("a whole body").to_vec() };
        Self { status, headers, bytes }
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&self.bytes)))
    }

    /// The refusal's code.
    #[track_caller]
    pub fn code(&self) -> String {
        self.json()["code"].as_str().expect("a code").to_owned()
    }

    /// A header's text, if present.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

impl Server {
    pub async fn start(world: World, frontend: Frontend) -> Self {
        let pages: Option<Arc<dyn Pages>> = Some(Arc::new(Console::new()));
        let options = SiteOptions { pages, ..SiteOptions::default() };
        let site = Site::new(world.platform.clone(), &Interface::ALL, options).expect("a site");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, shutdown) = Shutdown::new();
        let running = match frontend {
            Frontend::Warp => tokio::spawn(nil_http_warp::serve(site.clone(), listener, shutdown)),
            Frontend::Poem => tokio::spawn(nil_http_poem::serve(site.clone(), listener, shutdown)),
        };
        let client = reqwest::Client::builder()
            .no_proxy()
            // Tests check redirects themselves.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .expect("a client");
        Self { world, address, site, client, stop, running: Some(running) }
    }

    /// A request to `/api/…`, `/api/compliance/…` or `/admin/…`.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("http://{}{path}", self.address))
    }

    /// Posts JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Got {
        Got::of(self.request(Method::POST, path).json(body).send().await.expect("an answer")).await
    }

    /// Gets.
    pub async fn get(&self, path: &str) -> Got {
        Got::of(self.request(Method::GET, path).send().await.expect("an answer")).await
    }

    /// Sends a request built by the caller.
    pub async fn send(&self, request: RequestBuilder) -> Got {
        Got::of(request.send().await.expect("an answer")).await
    }

    /// Stops the server and waits until it has drained.
    pub async fn stop(&mut self) {
        self.site.drain();
        let _ = self.stop.send(true);
        if let Some(running) = self.running.take() {
            running.await.expect("the server ends in order");
        }
    }
}
