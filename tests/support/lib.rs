//! What the suites stand on: a fresh platform on either database, callers, and calls.

mod agents;
mod archive;
pub mod conforming;
mod contents;
mod courier;
pub mod database;
mod deals;
pub mod door;
mod faulty;
mod files;
mod filings;
mod hostile;
mod hosts;
mod listening;
mod migrated;
mod money;
mod people;
mod population;
mod server;
mod services;
pub mod story;
mod subscriptions;
mod world;

pub use archive::unpacked;
pub use contents::Column;
pub use courier::{Fate, Messenger};
pub use database::Engine;
pub use deals::{Hire, a_job};
pub use faulty::{Fault, Faulty};
pub use files::{PIXEL, a_file};
pub use filings::{a_filing, laid_over};
pub use hostile::hostile_texts;
pub use hosts::{Host, Signed};
pub use listening::{Happened, Listening};
pub use money::{DECLINED_CARD, Deal, GOOD_CARD};
pub use people::{PASSWORD, Person};
pub use server::{Frontend, Got, Server};
pub use world::{Answer, World};

/// Writes a test once and runs it on both databases, as `NAME::sqlite` and `NAME::postgres`.
#[macro_export]
macro_rules! on_both_databases {
    ($($(#[$meta:meta])* async fn $name:ident($world:ident) $body:block)+) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            $(#[$meta])*
            async fn test($world: $crate::World) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                test($crate::World::on($crate::Engine::Sqlite).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                test($crate::World::on($crate::Engine::Postgres).await).await;
            }
        }
    )+};
}

/// The same by the machine's clock, for tests whose platform other processes share.
#[macro_export]
macro_rules! on_both_databases_in_real_time {
    ($($(#[$meta:meta])* async fn $name:ident($world:ident) $body:block)+) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            $(#[$meta])*
            async fn test($world: $crate::World) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                test($crate::World::in_real_time($crate::Engine::Sqlite).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                test($crate::World::in_real_time($crate::Engine::Postgres).await).await;
            }
        }
    )+};
}

/// Writes a test once and runs it on every stack, {warp, poem} × {SQLite, PostgreSQL}, as
/// `NAME::warp_sqlite` and so on.
#[macro_export]
macro_rules! on_every_stack {
    ($($(#[$meta:meta])* async fn $name:ident($server:ident) $body:block)+) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            $(#[$meta])*
            async fn test(#[allow(unused_mut)] mut $server: $crate::Server) $body

            async fn on(frontend: $crate::Frontend, engine: $crate::Engine) {
                test($crate::Server::start($crate::World::on(engine).await, frontend).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn warp_sqlite() {
                on($crate::Frontend::Warp, $crate::Engine::Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn poem_sqlite() {
                on($crate::Frontend::Poem, $crate::Engine::Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn warp_postgres() {
                on($crate::Frontend::Warp, $crate::Engine::Postgres).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn poem_postgres() {
                on($crate::Frontend::Poem, $crate::Engine::Postgres).await;
            }
        }
    )+};
}

/// Writes a test once and runs it behind both frontends, as `NAME::warp` and `NAME::poem`. It starts its own
/// server.
#[macro_export]
macro_rules! on_both_frontends {
    ($($(#[$meta:meta])* async fn $name:ident($frontend:ident) $body:block)+) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            $(#[$meta])*
            async fn test($frontend: $crate::Frontend) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn warp() {
                test($crate::Frontend::Warp).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn poem() {
                test($crate::Frontend::Poem).await;
            }
        }
    )+};
}
