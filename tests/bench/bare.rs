//! Bare handlers: the framework, the pool, the same two statements, serde. Nothing else.

use std::net::SocketAddr;

use serde_json::{Value, json};
use sqlx::{Row as _, SqlitePool};
use warp::Filter as _;

const COUNT: &str = "SELECT COUNT(*) FROM college WHERE listed = ? AND state = ?";
const PAGE: &str = "SELECT id, name, short_name, slug, conference, division, state, time_zone, \
    email_domains, listed, created_at, updated_at FROM college WHERE listed = ? AND state = ? \
    ORDER BY name ASC, id ASC LIMIT ? OFFSET ?";

async fn answer(pool: &SqlitePool, body: &[u8]) -> String {
    let input: Value = serde_json::from_slice(body).unwrap();
    let state = input["state"].as_str().unwrap();
    let mut connection = pool.acquire().await.unwrap();
    let total: i64 = sqlx::query_scalar(COUNT)
        .bind(true)
        .bind(state)
        .fetch_one(&mut *connection)
        .await
        .unwrap();
    let rows = sqlx::query(PAGE)
        .bind(true)
        .bind(state)
        .bind(20_i64)
        .bind(0_i64)
        .fetch_all(&mut *connection)
        .await
        .unwrap();
    let data: Vec<Value> = rows
        .iter()
        .map(|row| {
            let text = |name: &str| row.get::<Option<String>, _>(name);
            let domains: Value = serde_json::from_str(&text("email_domains").unwrap()).unwrap();
            json!({
                "id": row.get::<i64, _>("id"), "name": text("name"),
                "short_name": text("short_name"), "slug": text("slug"),
                "conference": text("conference"), "division": text("division"),
                "state": text("state"), "time_zone": text("time_zone"),
                "email_domains": domains, "listed": row.get::<bool, _>("listed"),
                "created_at": text("created_at"), "updated_at": text("updated_at"),
            })
        })
        .collect();
    json!({
        "status": "success", "message": "OK", "data": data,
        "pagination": { "page": 1, "per_page": 20, "total": total, "pages": 1 }
    })
    .to_string()
}

/// warp, as a tutorial would write it.
pub async fn warp(pool: SqlitePool) -> SocketAddr {
    let route = warp::post()
        .and(warp::path("listColleges"))
        .and(warp::body::bytes())
        .then(move |body: warp::hyper::body::Bytes| {
            let pool = pool.clone();
            async move {
                let body = answer(&pool, &body).await;
                warp::reply::with_header(body, "content-type", "application/json")
            }
        });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(warp::serve(route).incoming(listener).run());
    address
}

struct Handler(SqlitePool);

impl poem::Endpoint for Handler {
    type Output = poem::Response;

    async fn call(&self, mut request: poem::Request) -> poem::Result<poem::Response> {
        let body = request.take_body().into_bytes().await.unwrap();
        let body = answer(&self.0, &body).await;
        Ok(poem::Response::builder()
            .content_type("application/json")
            .body(body))
    }
}

/// poem, likewise.
pub async fn poem(pool: SqlitePool) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let acceptor = poem::listener::TcpAcceptor::from_tokio(listener).unwrap();
    let route = poem::Route::new().at("/listColleges", poem::post(Handler(pool)));
    tokio::spawn(poem::Server::new_with_acceptor(acceptor).run(route));
    address
}
