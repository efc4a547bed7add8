//! The assistant's tools for an external model: the same rows as in process, for one athlete, with
//! audit records.

use std::sync::{Arc, Mutex};

use nil_core::auth::{Principal, Scope};
use nil_core::kernel::AthleteId;
use nil_core::ports::model::{Later, Model, Question, Toolbox};
use nil_tests::{Engine, World, both};
use serde_json::{Value, json};

/// A model that uses every tool and stores the results.
#[derive(Default)]
struct Looker {
    wants_token: bool,
    saw: Mutex<Vec<Value>>,
    token: Mutex<Option<String>>,
}

impl Model for Looker {
    fn name(&self) -> &str {
        "looker"
    }

    fn wants_athlete_token(&self) -> bool {
        self.wants_token
    }

    fn answer<'a>(&'a self, question: &'a Question, tools: &'a dyn Toolbox) -> Later<'a, String> {
        let job = json!({ "job_id": question.job.as_ref().map(|(id, _)| *id) });
        let names = ["deals", "deliverables", "payments", "contract_terms"];
        let saw = names.map(|name| tools.call(name, &job).expect("rows"));
        self.saw.lock().unwrap().extend(saw);
        let token = question.athlete_token.as_ref();
        *self.token.lock().unwrap() = token.map(|token| token.expose().to_owned());
        Box::pin(async { Ok("Look below.".into()) })
    }
}

async fn both_give_the_same_rows(engine: Engine) {
    let looker = Arc::new(Looker::default());
    let world = World::with_model(engine, looker.clone()).await;
    let hire = world.active(json!({})).await;
    world.card(&hire.partner, nil_tests::GOOD_CARD).await;
    world.approve(&hire, hire.deliverables[0]).await;
    let ask = json!({ "text": "How is it going?", "job_id": hire.job });
    let asked = world.call("core.assistant.chat", &hire.athlete.principal, ask);
    assert_eq!(asked.await.data()["model"], "looker");
    let host = world.model_host(&hire.athlete);
    let in_process = looker.saw.lock().unwrap().clone();
    let names = ["deals", "deliverables", "payments", "contract_terms"];
    for (name, saw) in names.iter().zip(in_process) {
        let input = json!({ "job_id": hire.job });
        let rows = world.call(&format!("core.ai_tools.{name}"), &host, input).await;
        assert_eq!(rows.data(), saw, "{name}");
    }
    assert_eq!(*looker.token.lock().unwrap(), None, "it did not want one");
}

both!(both_give_the_same_rows);

async fn a_model_that_wants_one_gets_the_askers_token(engine: Engine) {
    let looker = Arc::new(Looker { wants_token: true, ..Looker::default() });
    let world = World::with_model(engine, looker.clone()).await;
    let hire = world.active(json!({})).await;
    let ask = json!({ "text": "How is it going?", "job_id": hire.job });
    let asked = world.call("core.assistant.chat", &hire.athlete.principal, ask);
    asked.await.data();
    let token = looker.token.lock().unwrap().clone().expect("a token");
    let host = world.host(Scope::AiTools).await;
    let service = world.platform.authenticate_service(host.key.expose()).await;
    let host = world.platform.authenticate_model_host(service.unwrap(), Some(&token));
    match host.await.unwrap() {
        Principal::ModelHost { athlete_id, .. } => assert_eq!(athlete_id.get(), hire.athlete.id),
        other => panic!("{other:?}"),
    }
}

both!(a_model_that_wants_one_gets_the_askers_token);

async fn what_a_host_does_is_on_the_record_for_the_athlete(world: World) {
    let hire = world.active(json!({})).await;
    let host = world.model_host(&hire.athlete);
    let job = json!({ "job_id": hire.job });
    world.call("core.ai_tools.contract_terms", &host, job).await.data();
    let ask = json!({ "job_id": hire.job, "text": "May I wear my jersey?" });
    world.call("core.ai_tools.draft_clarification", &host, ask).await.data();
    let trail = world.contents().await["audit_entry"].clone();
    let (actor, whom) =
        (format!("api_key:1:athlete:{}", hire.athlete.id), format!("athlete:{}", hire.athlete.id));
    for action in ["read_contract_terms", "proposed_clarification", "proposed"] {
        let row = trail.lines().find(|row| row.contains(&actor) && row.contains(action));
        let row = row.unwrap_or_else(|| panic!("no {action}"));
        assert!(row.matches(&whom).count() >= 2, "{row}");
    }
}
both!(what_a_host_does_is_on_the_record_for_the_athlete);

async fn drafts_have_an_end(world: World) {
    let hire = world.hired(json!({})).await;
    let host = world.model_host(&hire.athlete);
    let ask = |number: i64| json!({ "job_id": hire.job, "text": format!("Question {number}?") });
    for number in 0..50 {
        world.call("core.ai_tools.draft_clarification", &host, ask(number)).await.data();
    }
    let more = world.call("core.ai_tools.draft_clarification", &host, ask(50)).await;
    assert_eq!((more.status, more.code()), (409, "too_many_drafts"));
    world.call("core.ai_tools.draft_clarification", &host, ask(7)).await.data();
}
both!(drafts_have_an_end);

async fn a_job_without_a_contract_has_no_terms(world: World) {
    let (partner, athlete) =
        (world.partner("Cedar Coffee").await, world.athlete("Zoe Okafor").await);
    let job = world.open_job(&partner, json!({})).await;
    world.apply(&athlete, job).await;
    let host = world.model_host(&athlete);
    let terms = world.call("core.ai_tools.contract_terms", &host, json!({ "job_id": job })).await;
    assert_eq!((terms.status, terms.code()), (404, "not_found"));
    let deals = world.call("core.ai_tools.deals", &host, json!({})).await.data();
    assert_eq!((&deals[0]["contract"], &deals[0]["status"]), (&Value::Null, &json!("applicant")));
    assert_eq!(deals[0]["source"].as_str().unwrap().split(':').next(), Some("deal"));
}
both!(a_job_without_a_contract_has_no_terms);

async fn a_token_is_minted_for_athletes_that_there_are(world: World) {
    let nobody = world.platform.mint_athlete_token(AthleteId::new(999).unwrap()).await;
    assert_eq!(nobody.unwrap_err().code(), "not_found");
}
both!(a_token_is_minted_for_athletes_that_there_are);

async fn nobody_else_uses_the_tools(world: World) {
    let hire = world.active(json!({})).await;
    let service = Principal::Service {
        id: nil_core::kernel::ApiKeyId::new(1).unwrap(),
        scopes: vec![Scope::AiTools],
    };
    for (who, status) in [
        (&Principal::Anonymous, 401),
        (&service, 403),
        (&hire.athlete.principal, 403),
        (&hire.partner.principal, 403),
    ] {
        assert_eq!(world.call("core.ai_tools.deals", who, json!({})).await.status, status);
    }
    // A host is admitted to no other operation.
    let host = world.model_host(&hire.athlete);
    for operation in ["core.assistant.chat", "core.assistant.hand_token", "core.internal.run_round"]
    {
        assert_eq!(world.call(operation, &host, json!({ "text": "Hi" })).await.status, 403);
    }
}
both!(nobody_else_uses_the_tools);
