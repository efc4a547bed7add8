//! A contract of the platform at the clearinghouse, over HTTP: from its activation to cleared, and
//! to not cleared and revised.

use nil_tests::{ATTESTED, Got, Hire, Person, Server, all_no, every_stack};
use reqwest::Method;
use serde_json::{Value, json};

async fn send(server: &Server, token: &str, call: (Method, &str), body: &Value) -> Got {
    let (method, path) = call;
    let request = server.request(method.clone(), path).bearer_auth(token);
    let request = if method == Method::GET { request } else { request.json(body) };
    server.send(request).await
}

async fn done(server: &Server, token: &str, call: (Method, &str), body: Value) -> Value {
    let path = call.1.to_owned();
    let got = send(server, token, call, &body).await;
    assert_eq!(got.status, 200, "{path}: {:#}", got.json());
    got.json()["data"].clone()
}

/// A represented athlete's contract for 700 dollars, activated over HTTP.
struct Setting {
    hire: Hire,
    agent: Person,
    officer: String,
    clearance: String,
}

impl Setting {
    async fn new(server: &Server) -> Self {
        let world = &server.world;
        let college = world.college().await;
        let (_, officer) = world.portal_user(college, "officer").await;
        let athlete = world.athlete_of("Zoe Okafor", college).await;
        let agent = world.agent("North Agency").await;
        world.represent(&agent, &athlete, 1_000).await;
        let brand = world.partner("Ridge Outfitters").await;
        let job = world.open_job(&brand, json!({ "amount_cents": 70_000 })).await;
        let hire = world.hire(&brand, &athlete, job).await;
        let token = athlete.token.as_deref().unwrap();
        let none = done(server, token, (Method::GET, "/api/clearances"), json!({})).await;
        assert_eq!(none, json!([]), "nothing goes to the clearinghouse before both have agreed");
        let confirm = (Method::POST, "/api/athlete/confirm-the-availability");
        done(server, token, confirm, json!({ "job_id": job })).await;
        let due = done(server, token, (Method::GET, "/api/clearances"), json!({})).await;
        assert_eq!(
            (&due[0]["status"], &due[0]["contract_id"]),
            (&json!("due"), &json!(hire.contract))
        );
        assert_eq!(due[0]["title"], "Winter trail campaign");
        let clearance = due[0]["id"].to_string();
        Self { hire, agent, officer, clearance }
    }

    fn athlete(&self) -> &str {
        self.hire.athlete.token.as_deref().unwrap()
    }

    fn path(&self, end: &str) -> String {
        format!("/api/clearances/{}{end}", self.clearance)
    }

    async fn seen(&self, server: &Server, token: &str) -> Value {
        done(server, token, (Method::GET, &self.path("")), json!({})).await
    }

    /// The officer records what the clearinghouse says.
    async fn said(&self, server: &Server, word: Value) -> Value {
        let path = format!("/api/compliance/clearances/{}", self.clearance);
        done(server, &self.officer, (Method::PUT, &path), word).await
    }

    /// The agent answers every question with no.
    async fn prepare(&self, server: &Server, more: Value) -> Value {
        let mut body = json!({ "association": all_no() });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let token = self.agent.token.as_deref().unwrap();
        done(server, token, (Method::PUT, &self.path("/packet")), body).await
    }

    async fn submit(&self, server: &Server) -> Value {
        let body = json!({ "attestations": ATTESTED });
        done(server, self.athlete(), (Method::POST, &self.path("/submit")), body).await
    }

    /// The mails of an event to athlete, agent and brand.
    async fn mails(&self, server: &Server, event: &str) -> [String; 3] {
        nil_core::worker::round(&server.world.platform).await.unwrap();
        let to = [&self.hire.athlete.email, &self.agent.email, &self.hire.partner.email];
        let mut mails = Vec::new();
        for to in to {
            let mail = server.world.mail(to, event).await;
            mails.push(mail.unwrap_or_else(|| panic!("no {event} to {to}")));
        }
        mails.try_into().unwrap()
    }
}

async fn a_contract_over_the_threshold_is_cleared(server: Server) {
    let setting = Setting::new(&server).await;
    let seen = setting.seen(&server, setting.athlete()).await;
    let packet = &seen["packet"];
    assert_eq!(packet["payer"]["name"], "Ridge Outfitters");
    assert_eq!((&packet["amount_cents"], &packet["cash_cents"]), (&json!(70_000), &json!(70_000)));
    assert_eq!(packet["agent"]["agency"], "North Agency");
    assert_eq!(packet["business_purpose"], "introducing a running vest to students");
    assert_eq!(packet["deliverables"].as_array().unwrap().len(), 2);
    assert!(packet["usage_rights"].is_object() && packet["contract_number"].is_string());
    assert_eq!((&packet["prepared_by"], &packet["revision"]), (&json!("platform"), &json!(1)));
    let missing = seen["missing"].as_array().unwrap();
    assert_eq!((missing.len(), &missing[0]["field"]), (1, &json!("association")), "{seen:#}");

    // The institution knows who has given how much, and its answer stands.
    let path = format!("/api/compliance/clearances/{}/association", setting.clearance);
    let large = json!({ "association": [{ "question": "large_donor", "answer": false }] });
    done(&server, &setting.officer, (Method::PUT, &path), large).await;
    let other = json!({ "association": [{ "question": "large_donor", "answer": true }] });
    let packet = setting.path("/packet");
    let refused = send(&server, setting.athlete(), (Method::PUT, &packet), &other).await;
    assert_eq!(refused.status, 422);
    assert!(refused.json()["errors"]["association.0.answer"].is_array(), "{:#}", refused.json());

    let early = json!({ "attestations": ["business_purpose"] });
    let submit = setting.path("/submit");
    let early = send(&server, setting.athlete(), (Method::POST, &submit), &early).await;
    assert_eq!(early.status, 422);
    let named: Vec<String> = early.json()["errors"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(named, ["association", "attestations"]);

    let prepared = setting.prepare(&server, json!({})).await;
    assert_eq!((&prepared["missing"], &prepared["packet"]["revision"]), (&json!([]), &json!(2)));
    let agent = setting.agent.token.as_deref().unwrap();
    let all = json!({ "attestations": ATTESTED });
    let by_agent = send(&server, agent, (Method::POST, &submit), &all).await;
    assert_eq!(by_agent.status, 403, "only the athlete submits");
    let submitted = setting.submit(&server).await;
    assert_eq!((&submitted["status"], &submitted["late"]), (&json!("submitted"), &json!(false)));
    assert_eq!(submitted["steps"][0]["packet"]["attestations"].as_array().unwrap().len(), 4);
    let again = send(&server, setting.athlete(), (Method::POST, &submit), &all).await;
    assert_eq!((again.status, again.code().as_str()), (409, "illegal_transition"));

    let path = format!("/api/compliance/clearances/{}", setting.clearance);
    let shown = done(&server, &setting.officer, (Method::GET, &path), json!({})).await;
    assert_eq!(shown["steps"], submitted["steps"], "the officer sees what was submitted");
    setting.said(&server, json!({ "status": "cleared", "reference": "NG-77" })).await;
    let seen = setting.seen(&server, agent).await;
    assert_eq!((&seen["status"], &seen["reference"]), (&json!("cleared"), &json!("NG-77")));
    for event in ["clearance.submitted", "clearance.cleared"] {
        for mail in setting.mails(&server, event).await {
            assert!(mail.contains("\"Winter trail campaign\" of Zoe Okafor"), "{event}: {mail}");
        }
    }
}
every_stack!(a_contract_over_the_threshold_is_cleared);

async fn a_contract_that_is_not_cleared_is_revised(server: Server) {
    let setting = Setting::new(&server).await;
    setting.prepare(&server, json!({ "payer_kind": "collective" })).await;
    // A collective is associated with its institution: the answers contradict this.
    let seen = setting.seen(&server, setting.athlete()).await;
    assert_eq!(seen["missing"][0]["field"], "associated_entity", "{seen:#}");
    setting.prepare(&server, json!({ "payer_kind": "business" })).await;
    let first = setting.submit(&server).await["packet"]["revision"].clone();
    let asks = json!({ "status": "flagged", "note": "Why this athlete?" });
    setting.said(&server, asks).await;
    let explained = json!({ "explanation": "She runs the trail that the vest is named after." });
    setting.prepare(&server, explained).await;
    setting.submit(&server).await;
    let refuses = json!({ "status": "not_cleared", "note": "Above the range of compensation." });
    setting.said(&server, refuses).await;
    let revised = json!({ "explanation": "The reel is a film of four minutes.",
        "business_purpose": "Launch the vest in Illinois." });
    setting.prepare(&server, revised).await;
    setting.submit(&server).await;
    setting.said(&server, json!({ "status": "cleared" })).await;
    let seen = setting.seen(&server, setting.athlete()).await;
    let steps = seen["steps"].as_array().unwrap();
    let words: Vec<&str> = steps.iter().map(|step| step["step"].as_str().unwrap()).collect();
    assert_eq!(words, ["submitted", "flagged", "submitted", "not_cleared", "submitted", "cleared"]);
    assert_eq!(steps[0]["packet"]["revision"], first);
    assert_eq!(steps[0]["packet"]["explanation"], Value::Null);
    assert_eq!(steps[4]["packet"]["business_purpose"], "Launch the vest in Illinois.");
    for (event, reason) in [
        ("disclosed_job.flagged", "Why this athlete?"),
        ("clearance.not_cleared", "Above the range of compensation."),
    ] {
        for mail in setting.mails(&server, event).await {
            assert!(mail.contains(reason), "{event}: {mail}");
        }
    }
}
every_stack!(a_contract_that_is_not_cleared_is_revised);
