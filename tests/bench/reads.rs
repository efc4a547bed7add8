//! One read operation through each frontend, beside a bare handler with the same statements.

use std::net::SocketAddr;
use std::time::Duration;

use nil_core::auth::throttle::Limits;
use nil_core::auth::{MasterKey, Operator, Permission};
use nil_core::catalog::Interface;
use nil_core::http::{Shutdown, Site, SiteOptions};
use nil_core::institutions::{SaveCollege, admin};
use nil_core::kernel::{OperatorId, SystemRandom};
use nil_core::storage::Location;
use nil_core::{Config, Platform};
use tokio::net::TcpListener;

use crate::{bare, load};

const CONNECTIONS: usize = 32;
const TIME: Duration = Duration::from_secs(3);
const ROUNDS: usize = 3;

fn request(path: &str) -> Vec<u8> {
    let body = "{\"state\":\"IL\"}";
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

async fn colleges(platform: &Platform) {
    let operator = Operator {
        id: OperatorId::new(1).unwrap(),
        permissions: vec![Permission::All],
        session: "bench".into(),
    };
    for number in 0..600 {
        let state = if number % 60 == 0 { "IL" } else { "CA" };
        let input = serde_json::json!({
            "name": format!("College number {number}"), "division": "D1", "state": state,
            "time_zone": "America/Chicago"
        });
        let input: SaveCollege = serde_json::from_value(input).unwrap();
        platform.call(operator.clone(), admin::save, input).await.unwrap();
    }
}

async fn serve(platform: &Platform, warp: bool) -> SocketAddr {
    let site = Site::new(platform.clone(), &Interface::ALL, SiteOptions::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, shutdown) = Shutdown::new();
    std::mem::forget(stop); // serves until the process ends
    if warp {
        tokio::spawn(nil_http_warp::serve(site, listener, shutdown));
    } else {
        tokio::spawn(nil_http_poem::serve(site, listener, shutdown));
    }
    address
}

pub async fn measure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nil.db");
    let mut config =
        Config::new(Location::Sqlite(path.clone()), MasterKey::generate(&SystemRandom));
    config.throttle = Limits { off: true, ..Limits::default() };
    let platform = nil_core::open(config).await.unwrap();
    colleges(&platform).await;
    let shelf = bare::Shelf::new(path);

    println!("Reading (list of 10 colleges, 2 statements, {CONNECTIONS} connections), req/s:");
    for warp in [true, false] {
        let ours = serve(&platform, warp).await;
        let theirs =
            if warp { bare::warp(shelf.clone()).await } else { bare::poem(shelf.clone()).await };
        let mut rates = [Vec::new(), Vec::new()];
        // Interleaved, so that a busy machine slows both.
        for _ in 0..ROUNDS {
            for (side, (address, path)) in
                [(ours, "/api/listColleges"), (theirs, "/listColleges")].into_iter().enumerate()
            {
                let rate =
                    load::requests_per_second(address, request(path), CONNECTIONS, TIME).await;
                rates[side].push(rate);
            }
        }
        let [ours, theirs] = rates.map(|mut rates| {
            rates.sort_by(f64::total_cmp);
            rates[ROUNDS / 2]
        });
        let name = if warp { "warp" } else { "poem" };
        println!("  {name}: nil {ours:.0}, bare {theirs:.0}: {:.2} of bare", ours / theirs);
    }
}
