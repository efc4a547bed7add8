//! Bare handlers: the framework, SQLite in place, the same two statements, serde; nothing else.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use warp::Filter as _;

const COUNT: &str = "SELECT COUNT(*) FROM college WHERE listed = ? AND state = ?";
const PAGE: &str = "SELECT id, name, short_name, slug, conference, division, state, time_zone, \
    email_domains, listed, created_at, updated_at FROM college WHERE listed = ? AND state = ? \
    ORDER BY name ASC, id ASC LIMIT ? OFFSET ?";

/// A pool of connections for reads.
#[derive(Clone)]
pub struct Shelf {
    path: PathBuf,
    kept: Arc<Mutex<Vec<Connection>>>,
}

impl Shelf {
    pub fn new(path: PathBuf) -> Self {
        Self { path, kept: Arc::default() }
    }

    fn answer(&self, body: &[u8]) -> String {
        let kept = self.kept.lock().unwrap().pop();
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let on =
            kept.unwrap_or_else(|| Connection::open_with_flags(&self.path, read_only).unwrap());
        let answer = answer(&on, body).unwrap();
        self.kept.lock().unwrap().push(on);
        answer
    }
}

fn answer(on: &Connection, body: &[u8]) -> rusqlite::Result<String> {
    let input: Value = serde_json::from_slice(body).unwrap();
    let state = input["state"].as_str().unwrap();
    let total: i64 = on.prepare_cached(COUNT)?.query_row((true, state), |row| row.get(0))?;
    let mut page = on.prepare_cached(PAGE)?;
    let rows = page.query_map((true, state, 20, 0), |row| {
        let text = |name: &str| row.get::<_, Option<String>>(name);
        let domains: Value = serde_json::from_str(&text("email_domains")?.unwrap()).unwrap();
        Ok(json!({
            "id": row.get::<_, i64>("id")?, "name": text("name")?,
            "short_name": text("short_name")?, "slug": text("slug")?,
            "conference": text("conference")?, "division": text("division")?,
            "state": text("state")?, "time_zone": text("time_zone")?,
            "email_domains": domains, "listed": row.get::<_, bool>("listed")?,
            "created_at": text("created_at")?, "updated_at": text("updated_at")?,
        }))
    })?;
    let data: Vec<Value> = rows.collect::<Result<_, _>>()?;
    let answer = json!({
        "status": "success", "message": "OK", "data": data,
        "pagination": { "page": 1, "per_page": 20, "total": total, "pages": 1 }
    });
    Ok(answer.to_string())
}

/// warp, as a tutorial would write it.
pub async fn warp(shelf: Shelf) -> SocketAddr {
    let route = warp::post().and(warp::path("listColleges")).and(warp::body::bytes()).then(
        move |body: warp::hyper::body::Bytes| {
            let shelf = shelf.clone();
            async move {
                let body = shelf.answer(&body);
                warp::reply::with_header(body, "content-type", "application/json")
            }
        },
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(warp::serve(route).incoming(listener).run());
    address
}

struct Handler(Shelf);

impl poem::Endpoint for Handler {
    type Output = poem::Response;

    async fn call(&self, mut request: poem::Request) -> poem::Result<poem::Response> {
        let body = request.take_body().into_bytes().await.unwrap();
        let body = self.0.answer(&body);
        Ok(poem::Response::builder().content_type("application/json").body(body))
    }
}

/// poem, likewise.
pub async fn poem(shelf: Shelf) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let acceptor = poem::listener::TcpAcceptor::from_tokio(listener).unwrap();
    let route = poem::Route::new().at("/listColleges", poem::post(Handler(shelf)));
    tokio::spawn(poem::Server::new_with_acceptor(acceptor).run(route));
    address
}
