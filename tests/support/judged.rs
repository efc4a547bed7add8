//! What the suite of conformance is told about a server of the tests: its address, and the seed
//! accounts that it needs.

use std::sync::Arc;

use chrono::TimeDelta;
use nil_conformance::{Account, ReadMail, Settings};
use nil_core::auth::Permission;
use nil_core::http::Shutdown;
use nil_core::notifications::outbox;
use nil_core::{Config, worker};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::database::Engine;
use crate::people::PASSWORD;
use crate::server::Server;
use crate::world::World;

/// A platform that believes the addresses that the suite gives itself.
pub async fn world(engine: Engine) -> World {
    world_with(engine, |_| {}).await
}

/// The same with a different configuration.
pub async fn world_with(engine: Engine, change: impl FnOnce(&mut Config)) -> World {
    World::configured(engine, |config| {
        config.trusted_proxies = vec!["127.0.0.1".parse().expect("an address")];
        change(config);
    })
    .await
}

/// The worker beside a server; it ends with the value.
pub struct Working {
    task: JoinHandle<()>,
    _stop: watch::Sender<bool>,
}

impl Drop for Working {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Lets the worker do what a server's worker does.
pub fn working(server: &Server) -> Working {
    let (stop, shutdown) = Shutdown::new();
    let task = tokio::spawn(worker::run(server.world.platform.clone(), shutdown));
    Working { task, _stop: stop }
}

/// Makes the seed accounts, a minute apart, and describes the server.
pub async fn seeded(server: &Server) -> Settings {
    let world = &server.world;
    let college = world.college().await;
    world.pass(TimeDelta::minutes(1));
    let other = world.college().await;
    let (athlete, agent) =
        (world.athlete_of("Jordan Lake", college).await, world.agent("North Agency").await);
    world.represent(&agent, &athlete, 1_000).await;
    world.accept_terms(&agent).await;
    let mut accounts = vec![
        ("athlete", athlete.email),
        ("other_athlete", world.athlete_of("Zoe Okafor", other).await.email),
        ("brand", world.partner("Cedar Coffee").await.email),
        ("other_brand", world.partner("Ridge Outfitters").await.email),
        ("agent", agent.email),
        ("fan", world.fan("Casey Field").await.email),
        ("owner", world.new_portal_user(college, "owner").await.0),
        ("other_owner", world.new_portal_user(other, "owner").await.0),
    ];
    world.pass(TimeDelta::minutes(1));
    accounts.push(("viewer", world.new_portal_user(college, "viewer").await.0));
    for (part, permission) in [("operator", Permission::All), ("clerk", Permission::Reports)] {
        let email = format!("{part}@nil.example");
        world.new_operator(&email, permission).await;
        accounts.push((part, email));
    }
    let account = |(part, email): (&str, String)| {
        let permissions = if part == "clerk" { vec!["reports".to_owned()] } else { Vec::new() };
        (part.to_owned(), Account { email, password: PASSWORD.to_owned(), permissions })
    };
    let platform = world.platform.clone();
    let read_mail: ReadMail = Arc::new(move |address| {
        let platform = platform.clone();
        Box::pin(async move {
            let rows = outbox::list(&platform, 1_000).await.expect("the outbox");
            rows.into_iter().find(|row| row.to == address && row.body.is_some())?.body
        })
    });
    let address = format!("http://{}", server.address);
    Settings {
        public: Some(world.platform.config().public_url.clone()),
        forwarded: true,
        today: Some(world.platform.now().date_naive()),
        mail: Vec::new(),
        read_mail: Some(read_mail),
        accounts: accounts.into_iter().map(account).collect(),
        ..at(&address)
    }
}

/// The interfaces at an address, without accounts.
pub fn at(address: &str) -> Settings {
    let described = json!({
        "core": format!("{address}/api"),
        "compliance": format!("{address}/api/compliance"),
        "admin": format!("{address}/admin"),
        "accounts": {},
    });
    serde_json::from_value(described).expect("settings")
}
