//! The foundation of the suites: a fresh platform on either database, callers, and calls.

mod agents;
mod archive;
mod authenticator;
mod bouncer;
pub mod bucket;
mod certificate;
mod cluster;
pub mod collector;
pub mod conforming;
mod contents;
mod copied;
mod courier;
pub mod database;
mod deals;
pub mod door;
mod drawing;
mod faulty;
mod files;
mod filings;
mod frozen;
mod gate;
mod hooks;
mod hostile;
mod hosts;
pub mod identity;
pub mod judged;
pub mod ledgered;
mod listening;
pub mod localstripe;
mod long;
mod mail_server;
mod migrated;
mod money;
pub mod mutating;
mod packets;
mod people;
mod population;
pub mod python;
pub mod receiver;
mod redis_server;
mod replica;
mod scripts;
mod server;
mod services;
pub mod serving;
pub mod shaky;
mod sms_provider;
pub mod story;
mod strangers_identity;
mod subscriptions;
mod taxes;
pub mod trust;
mod upgrading;
pub mod walking;
pub mod workbook;
mod world;

pub use archive::unpacked;
pub use authenticator::{AuthenticatorApp, recovery_codes};
pub use bouncer::Bouncer;
pub use cluster::Cluster;
pub use contents::Column;
pub use copied::{Unused, copied};
pub use courier::{Fate, Messenger};
pub use database::Engine;
pub use deals::{Hire, a_job};
pub use drawing::Draw;
pub use faulty::{Fault, Faulty};
pub use files::{PIXEL, a_file, is_pixel};
pub use filings::{a_disclosure, a_filing, laid_over};
pub use frozen::Frozen;
pub use gate::Gate;
pub use hostile::hostile_texts;
pub use hosts::{Host, Signed};
pub use listening::{Happened, Listening};
pub use long::{is_long, or_long, usual_or_long};
pub use mail_server::{MailServer, Protection};
pub use money::{ASKING_CARD, DECLINED_CARD, Deal, GOOD_CARD};
pub use packets::{ATTESTED, all_no};
pub use people::{PASSWORD, Person};
pub use redis_server::RedisServer;
pub use replica::Streaming;
pub use scripts::script_payloads;
pub use server::{Frontend, Got, Server};
pub use sms_provider::{SmsFate, SmsProvider, SmsText};
pub use strangers_identity::StrangersProvider;
pub use taxes::{payer, w9};
pub use world::{Answer, World};

/// What a test gets from a database: a platform, or the database itself.
pub trait Ground {
    fn on(engine: Engine) -> impl Future<Output = Self>;
}

impl Ground for Engine {
    async fn on(engine: Engine) -> Self {
        engine
    }
}

impl Ground for World {
    async fn on(engine: Engine) -> Self {
        World::on(engine).await
    }
}

/// Runs a test on a database.
pub async fn run_on<G: Ground, T: Future<Output = ()>>(engine: Engine, test: impl Fn(G) -> T) {
    test(G::on(engine).await).await;
}

/// Runs a test behind a server on a database.
pub async fn run_behind<T: Future<Output = ()>>(
    frontend: Frontend,
    engine: Engine,
    test: impl Fn(Server) -> T,
) {
    test(Server::start(World::on(engine).await, frontend).await).await;
}

/// Runs a test on both databases, as `NAME::sqlite` and `NAME::postgres`.
#[macro_export]
macro_rules! both {
    ($test:ident) => {
        mod $test {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                $crate::run_on($crate::Engine::Sqlite, super::$test).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                $crate::run_on($crate::Engine::Postgres, super::$test).await;
            }
        }
    };
}

/// Runs a test on every stack, {warp, poem} × {SQLite, PostgreSQL}, as `NAME::warp_sqlite` and so
/// on.
#[macro_export]
macro_rules! every_stack {
    ($test:ident) => {
        mod $test {
            use super::$test;
            use $crate::{Engine, Frontend, run_behind};

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn warp_sqlite() {
                run_behind(Frontend::Warp, Engine::Sqlite, $test).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn poem_sqlite() {
                run_behind(Frontend::Poem, Engine::Sqlite, $test).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn warp_postgres() {
                run_behind(Frontend::Warp, Engine::Postgres, $test).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn poem_postgres() {
                run_behind(Frontend::Poem, Engine::Postgres, $test).await;
            }
        }
    };
}

/// Runs a test behind both frontends, as `NAME::warp` and `NAME::poem`. It starts its own server.
#[macro_export]
macro_rules! both_frontends {
    ($test:ident) => {
        mod $test {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn warp() {
                super::$test($crate::Frontend::Warp).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn poem() {
                super::$test($crate::Frontend::Poem).await;
            }
        }
    };
}
