//! The assistant with a language model: a server of this suite that gives scripted answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::TimeDelta;
use nil_core::auth::{Principal, Scope};
use nil_core::kernel::Secret;
use nil_core::ports::model::{ChatCompletions, Later, Model, Question, Settings, Toolbox};
use nil_tests::{Engine, Person, World, both};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The server's reaction to the next request.
enum Turn {
    /// Answers with this status and body.
    Say(u16, String),
    /// Redirects the caller.
    Redirect(String),
    /// Never answers.
    Stall,
    /// Answers without an end.
    Flood,
}

struct Script {
    address: String,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Script {
    /// A server that plays these turns, then closes every connection.
    async fn play(turns: Vec<Turn>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = asked.clone();
        tokio::spawn(async move {
            let mut held = Vec::new();
            let mut turns = turns.into_iter();
            while let Ok((mut stream, _)) = listener.accept().await {
                let (head, body) = request(&mut stream).await;
                let Some(turn) = turns.next() else { continue };
                let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
                kept.lock().unwrap().push((head, body));
                match turn {
                    Turn::Say(status, text) => answer(&mut stream, status, "", &text).await,
                    Turn::Redirect(to) => {
                        answer(&mut stream, 307, &format!("Location: {to}\r\n"), "").await;
                    }
                    Turn::Stall => held.push(stream),
                    Turn::Flood => {
                        let head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
                        stream.write_all(head).await.unwrap();
                        let piece = vec![b' '; 64 * 1024];
                        while stream.write_all(&piece).await.is_ok() {}
                    }
                }
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<(String, Value)> {
        self.asked.lock().unwrap().clone()
    }
}

async fn request(stream: &mut TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.unwrap();
        bytes.extend_from_slice(&piece[..read]);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let Some(end) = end else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.unwrap().trim().parse().unwrap();
        if bytes.len() >= end + 4 + length {
            return (head, bytes[end + 4..].to_vec());
        }
        assert!(read > 0, "the request broke off");
    }
}

async fn answer(stream: &mut TcpStream, status: u16, more: &str, body: &str) {
    let text = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n{more}\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(text.as_bytes()).await;
}

fn says(text: &str) -> Turn {
    let message = json!({ "role": "assistant", "content": text });
    Turn::Say(200, json!({ "choices": [{ "message": message }] }).to_string())
}

fn calls(tools: &[(&str, &str)]) -> Turn {
    let calls: Vec<Value> = tools
        .iter()
        .enumerate()
        .map(|(at, (name, arguments))| {
            json!({
                "id": format!("call_{at}"), "type": "function",
                "function": { "name": name, "arguments": arguments },
            })
        })
        .collect();
    let message = json!({ "role": "assistant", "content": null, "tool_calls": calls });
    Turn::Say(200, json!({ "choices": [{ "message": message }] }).to_string())
}

async fn world(engine: Engine, script: &Script) -> World {
    world_of(engine, script, false).await
}

async fn world_of(engine: Engine, script: &Script, athlete_token: bool) -> World {
    let model = ChatCompletions::new(Settings {
        url: script.address.clone(),
        key: Some(Secret::new("sk-local-test")),
        model: "small-local".into(),
        timeout: Duration::from_secs(2),
        athlete_token,
    });
    World::with_model(engine, Arc::new(model.unwrap())).await
}

async fn ask(world: &World, who: &Person, text: &str, job: Option<i64>) -> Value {
    let question = json!({ "text": text, "job_id": job });
    world.call("core.assistant.chat", &who.principal, question).await.data()
}

/// A model whose first question aborts the asking task.
#[derive(Default)]
struct Deadly(AtomicBool);

impl Model for Deadly {
    fn name(&self) -> &'static str {
        "deadly"
    }

    fn answer<'a>(&'a self, _: &'a Question, _: &'a dyn Toolbox) -> Later<'a, String> {
        assert!(self.0.swap(true, Ordering::SeqCst), "the server ends here");
        Box::pin(async { Ok("On December 10.".to_owned()) })
    }
}

async fn a_key_outlives_a_server_that_died_by_minutes(engine: Engine) {
    let world = World::with_model(engine, Arc::new(Deadly::default())).await;
    let athlete = world.athlete("Zoe Okafor").await;
    let question = || {
        let input = json!({ "text": "When is my reel due?" });
        world.call_with_key("core.assistant.chat", &athlete.principal, input, Some("k"))
    };
    assert_eq!(question().await.code(), "internal_error");
    assert_eq!(question().await.code(), "idempotency_in_progress");
    world.pass(TimeDelta::minutes(11));
    let answer = question().await.data();
    assert_eq!(answer["text"], "On December 10.");
    // From here on the answer is stored like any other.
    world.pass(TimeDelta::hours(23));
    assert_eq!(question().await.data(), answer);
}
both!(a_key_outlives_a_server_that_died_by_minutes);

/// The tools' results for the calls of a round: the tool messages of the next request.
fn results(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap().iter();
    let tools = messages.filter(|message| message["role"] == "tool");
    tools.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

async fn tools_make_a_round_trip(engine: Engine) {
    let script = Script::play(vec![
        calls(&[("deliverables", "{}"), ("contract_terms", "{\"job_id\": 1}")]),
        says("Your reel is due on December 10 [deliverable:1] under [contract:1]. Not from [deal:77]."),
    ])
    .await;
    let world = world(engine, &script).await;
    let hire = world.active(json!({})).await;
    let stranger = world.hired(json!({ "title": "Secret launch" })).await;
    let reply = ask(&world, &hire.athlete, "When is my reel due?", Some(hire.job)).await;
    let text = "Your reel is due on December 10 under. Not from [deal:77].";
    assert_eq!((&reply["text"], &reply["model"]), (&json!(text), &json!("small-local")));
    let kinds: Vec<&str> = reply["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| source["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["deliverable", "contract"]);
    assert_eq!(reply["sources"][0]["title"], "Reel");

    let asked = script.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked[0].0.starts_with("post /v1/chat/completions"), "{}", asked[0].0);
    assert!(asked[0].0.contains("authorization: bearer sk-local-test"));
    let (first, second) = (&asked[0].1, &asked[1].1);
    assert_eq!((&first["model"], &first["tool_choice"]), (&json!("small-local"), &json!("auto")));
    let names: Vec<&str> = first["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["deals", "deliverables", "payments", "contract_terms", "draft_clarification"]
    );
    let results = results(second);
    assert!(results[0].contains("\"due_on\":\"2026-12-10\""), "{}", results[0]);
    assert!(results[1].contains("\"number\":\"NIL-2026-"), "{}", results[1]);
    // Nothing of the other athlete's deal was sent to the model.
    let told = serde_json::to_string(&asked[1].1).unwrap();
    assert!(!told.contains("Secret launch") && !told.contains(&stranger.athlete.email));
}
both!(tools_make_a_round_trip);

async fn tools_reach_one_athlete_and_write_nothing(engine: Engine) {
    let script = Script::play(vec![
        calls(&[
            ("contract_terms", "{\"job_id\": 2}"),
            ("payments", "{\"job_id\": 2}"),
            ("deals", "{\"athlete_id\": 2, \"user_id\": 2}"),
            ("send_clarification", "{\"id\": 1}"),
            ("draft_clarification", "{\"job_id\": 2, \"text\": \"Hello\"}"),
            ("deals", "not json"),
            ("contract_terms", "{\"job_id\": \"1 OR 1=1\"}"),
            ("draft_clarification", "{\"job_id\": 1, \"text\": \"May I wear my jersey?\"}"),
            ("deals", "{}"),
        ]),
        says("I have proposed a question."),
    ])
    .await;
    let world = world(engine, &script).await;
    let hire = world.active(json!({})).await;
    let stranger = world.active(json!({ "title": "Secret launch" })).await;
    assert_eq!((hire.job, stranger.job), (1, 2));
    let reply = ask(&world, &hire.athlete, "Tell me about job 2", None).await;
    let results = results(&script.asked()[1].1);
    for (at, word) in [
        (0, "no such deal"),
        (3, "no such tool"),
        (4, "no such deal"),
        (5, "not JSON"),
        (6, "must be an integer"),
        (7, "proposed"),
        (8, "Too many calls"),
    ] {
        assert!(results[at].contains(word), "{at}: {}", results[at]);
    }
    assert!(results.iter().all(|result| !result.contains("Secret launch")), "{results:#?}");
    assert!(
        results[1].contains("\"deals\":[]") && results[2].contains("Winter trail"),
        "{results:#?}"
    );
    assert_eq!(reply["draft"]["draft_text"], "May I wear my jersey?");
    assert_eq!(
        (&reply["draft"]["status"], &reply["draft"]["job_id"]),
        (&json!("pending"), &json!(1))
    );
    assert_eq!(world.id("SELECT COUNT(*) FROM message").await, 0);
}
both!(tools_reach_one_athlete_and_write_nothing);

async fn a_model_that_is_out_leaves_the_rules(engine: Engine) {
    let trap = Script::play(vec![says("You were redirected.")]).await;
    let long = "x".repeat(300 * 1024);
    let script = Script::play(vec![
        Turn::Say(500, "{}".into()),
        Turn::Say(200, "no json".into()),
        Turn::Say(200, "{}".into()),
        Turn::Say(200, "{\"choices\":[]}".into()),
        Turn::Say(200, "{\"choices\":[{\"message\":{\"content\":42}}]}".into()),
        says("  \n "),
        says(&long),
        Turn::Redirect(trap.address.clone()),
        Turn::Flood,
        Turn::Stall,
    ])
    .await;
    let world = world(engine, &script).await;
    let hire = world.active(json!({})).await;
    for turn in 1..=10 {
        let reply = ask(&world, &hire.athlete, "What is due?", None).await;
        assert_eq!(reply["model"], "rules", "turn {turn}: {reply}");
        assert!(reply["text"].as_str().unwrap().contains("December 10, 2026"), "{reply}");
        assert_eq!(script.asked().len(), turn, "turn {turn}");
    }
    assert_eq!(trap.asked().len(), 0, "a redirect was followed");
    // The earlier messages are sent along, with every answer the athlete got.
    let last = &script.asked()[9].1;
    let roles: Vec<&str> = last["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles.len(), 10);
    assert_eq!((roles[0], roles[1], roles[2], roles[9]), ("system", "user", "assistant", "user"));
    // The server is gone: the question is still answered.
    drop(script);
    let reply = ask(&world, &hire.athlete, "What is due?", None).await;
    assert_eq!(reply["model"], "rules");
}
both!(a_model_that_is_out_leaves_the_rules);

async fn rounds_and_answers_have_an_end(engine: Engine) {
    let mut turns: Vec<Turn> = (0..4).map(|_| calls(&[("deals", "{}")])).collect();
    turns.push(says(&"é".repeat(5_000)));
    let script = Script::play(turns).await;
    let world = world(engine, &script).await;
    let hire = world.active(json!({})).await;
    let reply = ask(&world, &hire.athlete, "What is due?", None).await;
    assert_eq!(reply["text"].as_str().unwrap().chars().count(), 4_000);
    let asked = script.asked();
    assert_eq!(asked.len(), 5);
    assert_eq!(asked[4].1["tool_choice"], "none");
}
both!(rounds_and_answers_have_an_end);

async fn an_athletes_token_goes_to_a_host_that_is_to_have_one_and_to_no_other(engine: Engine) {
    for wanted in [false, true] {
        let script = Script::play(vec![says("Nothing is due.")]).await;
        let world = world_of(engine, &script, wanted).await;
        let athlete = world.athlete("Zoe Okafor").await;
        ask(&world, &athlete, "What is due?", None).await;
        let (head, _) = &script.asked()[0];
        let token = head.lines().find_map(|line| line.strip_prefix("x-athlete-token: "));
        assert_eq!(token.is_some(), wanted, "{head}");
        let Some(token) = token else { continue };
        let host = world.host(Scope::AiTools).await;
        let service = world.platform.authenticate_service(host.key.expose()).await;
        let service = service.expect("a good key");
        let host = world.platform.authenticate_model_host(service, Some(token));
        assert!(matches!(host.await, Ok(Principal::ModelHost { .. })));
    }
}
both!(an_athletes_token_goes_to_a_host_that_is_to_have_one_and_to_no_other);
