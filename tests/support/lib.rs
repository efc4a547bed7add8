//! What the suites stand on: a fresh platform on either database, callers, and calls.

mod database;
mod people;
mod world;

pub use database::Engine;
pub use people::{PASSWORD, Person};
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
