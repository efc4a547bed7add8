//! The story of the parity suite, run through the command line: it gets the same answers as from
//! the servers.

use nil_core::catalog::{Interface, catalog};
use nil_tests::story::{Caller, Door};
use nil_tests::{Engine, Frontend, Server, World, story};
use serde_json::{Value, json};

use crate::nil::{Ended, Nil};

/// `nil call`, in process or to a server.
pub(crate) struct CommandLine {
    pub(crate) nil: Nil,
    /// Where servers serve Core and Compliance, `http://…`. Operators need a session there, which
    /// the command line does not have, so they call in process.
    pub(crate) addresses: Option<[String; 2]>,
}

impl Door for CommandLine {
    async fn call(&self, operation: &str, caller: &Caller, input: Value) -> Value {
        let interface = catalog().named(operation).unwrap().interface;
        let input = input.to_string();
        let who = format!("{}:{}", caller.kind, caller.email);
        let mut arguments = vec!["call", operation, "--input", &input, "--json", "--output", "-"];
        let [core, compliance] = match &self.addresses {
            Some(addresses) => addresses.each_ref().map(Some),
            None => [None, None],
        };
        let address = match interface {
            Interface::Core => core,
            Interface::Compliance => compliance,
            Interface::Admin => None,
        };
        let url = address.map(|address| format!("{address}{}", interface.base()));
        match (&url, &caller.token) {
            (Some(url), token) => {
                arguments.extend(["--url", url]);
                if let Some(token) = token {
                    arguments.extend(["--token", token]);
                }
            }
            (None, _) if caller.kind.is_empty() => {}
            (None, _) => arguments.extend(["--as", &who]),
        }
        heard(operation, &self.nil.run(&arguments))
    }
}

/// The result of a run for a script. Exit code and standard error must agree.
fn heard(operation: &str, ended: &Ended) -> Value {
    let Ok(answer) = serde_json::from_slice::<Value>(&ended.stdout) else {
        assert_eq!(ended.code, 0, "{operation}: {ended:?}");
        let begin = &ended.stdout[..ended.stdout.len().min(8)];
        return json!(String::from_utf8_lossy(begin));
    };
    match answer["code"].as_str() {
        None => assert_eq!(ended.code, 0, "{operation}: {ended:?}"),
        Some(code) => {
            assert_eq!(ended.code, 1, "{operation}: {ended:?}");
            assert!(ended.stderr.starts_with(&format!("error: {code}: ")), "{ended:?}");
        }
    }
    answer
}

async fn plays_the_story(engine: Engine, serving: bool) {
    let world = World::in_real_time(engine).await;
    world.chief_operator().await;
    let platform = world.platform.clone();
    let nil = Nil::beside(&world);
    let (addresses, _alive) = if serving {
        let server = Server::start(world, Frontend::Warp).await;
        (Some([(); 2].map(|()| format!("http://{}", server.address))), Ok(server))
    } else {
        (None, Err(world))
    };
    let door = CommandLine { nil, addresses };
    let transcript = story::play(&door, &platform, platform.now().date_naive()).await;
    insta::with_settings!({
        snapshot_path => "../../../tests/story", prepend_module_to_snapshot => false
    }, {
        insta::assert_snapshot!("deal", transcript);
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_process_sqlite() {
    plays_the_story(Engine::Sqlite, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_process_postgres() {
    plays_the_story(Engine::Postgres, false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_http_sqlite() {
    plays_the_story(Engine::Sqlite, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_http_postgres() {
    plays_the_story(Engine::Postgres, true).await;
}
