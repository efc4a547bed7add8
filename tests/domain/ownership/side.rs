//! One of the two worlds: its users and all their records.

use std::collections::BTreeMap;

use nil_core::auth::{Permission, Principal};
use nil_tests::{GOOD_CARD, Person, World, a_file};
use serde_json::{Value, json};

/// The ids that have an owner, by what they name.
type Ids = BTreeMap<&'static str, Vec<i64>>;

/// A college's portal user, a brand, an athlete, their agent, and deals in every state.
pub(super) struct Side {
    pub(super) callers: BTreeMap<&'static str, Principal>,
    /// The first id of a kind belongs to the active deal.
    pub(super) ids: Ids,
    /// Two files of each caller's own: one to read, and one to delete.
    files: BTreeMap<&'static str, [i64; 2]>,
    /// A device of each caller's own.
    devices: BTreeMap<&'static str, i64>,
}

impl Side {
    pub(super) async fn new(world: &World, name: &str) -> Self {
        let college = world.college().await;
        let (portal, _) = world.portal_user(college, "owner").await;
        let partner = world.partner(name).await;
        let athlete = world.athlete_of("Jordan Lake", college).await;
        let agent = world.agent(&format!("{name} Agency")).await;
        let fan = world.fan("Robin Hill").await;
        let mut side = Self {
            ids: Ids::from([("athlete", vec![athlete.id])]),
            callers: BTreeMap::new(),
            files: BTreeMap::new(),
            devices: BTreeMap::new(),
        };
        for (kind, role) in [("colleague", "viewer"), ("deciding colleague", "officer")] {
            if let Principal::Portal { id, .. } = world.portal_user(college, role).await.0 {
                side.learn(kind, &json!(id));
            }
        }
        world.accept_terms(&agent).await;
        let active = world.represent(&agent, &athlete, 1_000).await;
        let scout = world.agent(&format!("{name} Scouts")).await;
        let invited = world.invite(&scout, &athlete, 500).await;
        for id in [active, invited] {
            side.learn("representation", &json!(id));
        }
        for (kind, owner, person) in
            [("partner's invoice", "partner", &partner), ("agent's invoice", "agent", &agent)]
        {
            side.learn(kind, &json!(invoice(world, owner, person).await));
        }
        let cards = [
            ("core.partner.add_payment_method", &partner),
            ("core.agent.add_payment_method", &agent),
        ];
        for (operation, owner) in cards {
            let card = json!({ "processor_token": GOOD_CARD });
            let card = world.call(operation, &owner.principal, card).await.data();
            let kind = match operation.split('.').nth(1) {
                Some("agent") => "agent's payment_method",
                _ => "partner's payment_method",
            };
            side.learn(kind, &card["id"]);
        }
        let owners =
            [("athlete", &athlete), ("partner", &partner), ("agent", &agent), ("fan", &fan)];
        for (caller, owner) in owners {
            side.two_files(world, caller, owner).await;
            let device = json!({ "token": format!("push {}", owner.email), "platform": "web" });
            let device = world.call("core.device.save", &owner.principal, device);
            let device = side.learn("device", &device.await.data()["id"]);
            side.devices.insert(caller, device);
        }
        side.deal_under_way(world, &partner, &athlete).await;
        for until in ["applied", "invited", "hired", "closed"] {
            side.deal_until(until, world, &partner, &athlete).await;
        }
        side.folder(world, [&athlete, &partner, &agent]).await;
        side.services(world, &partner, &athlete).await;
        side.commission(world, &partner, &athlete).await;
        side.disclosures(world, &portal, &athlete).await;
        side.filings(world, &portal, [&athlete, &agent]).await;
        let kinds = ["partner's webhook", "partner's spare webhook", "partner's delivery"];
        side.webhooks(world, "core", &partner.principal, kinds).await;
        let kinds = ["college's webhook", "college's spare webhook", "college's delivery"];
        side.webhooks(world, "compliance", &portal, kinds).await;
        side.squad_list(world, &portal).await;
        side.talks(world, [&athlete, &partner, &agent, &fan]).await;
        let asked = world.call("core.attestation.list", &partner.principal, json!({})).await;
        side.learn("asked clearance", &asked.data()[0]["id"]);
        side.callers.extend([
            ("model_host", world.model_host(&athlete)),
            ("athlete", athlete.principal),
            ("partner", partner.principal),
            ("agent", agent.principal),
            ("portal_user", portal),
            ("fan", fan.principal.clone()),
        ]);
        side.told(world, &fan).await;
        side
    }

    /// A squad list with one member.
    async fn squad_list(&mut self, world: &World, officer: &Principal) {
        let file = a_file("squad.csv", b"Name,Sport\nZoe Okafor,Softball\n");
        let import = json!({ "content": file["content"] });
        world.call("compliance.squad_list.import", officer, import).await.data();
        let all = world.call("compliance.squad_list.list", officer, json!({})).await.data();
        self.learn("squad member", &all[0]["id"]);
    }

    /// An endpoint of webhooks, one to remove, and a delivery to the first.
    async fn webhooks(
        &mut self,
        world: &World,
        interface: &str,
        owner: &Principal,
        [webhook, spare, delivery]: [&'static str; 3],
    ) {
        let hears = json!({ "url": "https://hooks.example/nil", "events": ["contract.executed"] });
        let save = format!("{interface}.webhook.save");
        let made = world.call(&save, owner, hears.clone()).await.data();
        self.learn(webhook, &made["id"]);
        self.learn(spare, &world.call(&save, owner, hears).await.data()["id"]);
        let test = format!("{interface}.webhook.test");
        let sent = world.call(&test, owner, json!({ "id": made["id"] })).await.data();
        self.learn(delivery, &sent["id"]);
    }

    /// An offer, and service orders in every open state.
    async fn services(&mut self, world: &World, partner: &Person, athlete: &Person) {
        let ordered = world.order(partner, athlete).await;
        self.learn("service_order", &json!(ordered));
        let offer = world.order_as(partner, ordered).await["offer_id"].clone();
        self.learn("service_offer", &offer);
        let accepted = world.accepted_order(partner, athlete).await;
        self.learn("accepted service_order", &json!(accepted));
        let delivered = world.delivered_order(partner, athlete).await;
        self.learn("delivered service_order", &json!(delivered));
    }

    /// A deal made elsewhere, as a draft and submitted, and its clearance.
    async fn disclosures(&mut self, world: &World, portal: &Principal, athlete: &Person) {
        let approval = json!({ "approval": { "requirement": "all" } });
        let save = "compliance.college.save_settings";
        world.call(save, portal, approval).await.data();
        for kind in ["disclosed_job", "submitted disclosed_job"] {
            let deal = json!({
                "payer_name": "Valley Sports", "payer_kind": "business", "title": "Signing hour",
                "category_id": 1, "amount_cents": 20_000, "compensation": "cash",
                "signed_on": "2026-11-20", "description": "An hour in the shop.",
                "attestations": ["not_for_performance", "not_an_inducement", "business_purpose",
                    "complete_and_true"],
                "draft": kind == "disclosed_job",
            });
            let saved = world.call("core.disclosed_job.save", &athlete.principal, deal);
            self.learn(kind, &saved.await.data()["id"]);
        }
        let due = json!({ "statuses": ["due"] });
        let due = world.call("compliance.clearance.list", portal, due).await.data();
        self.learn("clearance", &due[0]["id"]);
        let request = json!({
            "requester": "Dana Ortiz", "legal_basis": "Open Records Act", "received_on": "2026-11-19",
        });
        let noted = world.call("compliance.records_request.note", portal, request).await.data();
        self.learn("public_records_request", &noted["id"]);
    }

    /// A deal on commission with a link of the athlete, and one for a royalty.
    async fn commission(&mut self, world: &World, partner: &Person, athlete: &Person) {
        let website = json!({ "website": "https://cedar.example/" });
        let edited = world.call("core.partner.edit", &partner.principal, website);
        edited.await.data();
        let share = async |compensation: &str| {
            let over = json!({
                "compensation": compensation, "amount_cents": 0, "commission_basis_points": 1_000,
                "product_value_cents": 50_000,
            });
            let job = world.open_job(partner, over).await;
            let hire = world.hire(partner, athlete, job).await;
            let confirm = "core.contract.confirm_availability";
            let which = json!({ "job_id": hire.job });
            let confirmed = world.call(confirm, &athlete.principal, which).await;
            confirmed.data();
            hire
        };
        let royalty = share("royalty").await;
        self.learn("royalty contract", &json!(royalty.contract));
        let hire = share("commission").await;
        self.learn("commission job", &json!(hire.job));
        let link = json!({ "job_id": hire.job, "target_url": "https://cedar.example/" });
        let link = world.call("core.affiliate.save_link", &athlete.principal, link);
        self.learn("affiliate_link", &link.await.data()["id"]);
    }

    /// Two filings about the athlete's agent: one to read, and one to delete.
    async fn filings(&mut self, world: &World, portal: &Principal, [athlete, agent]: [&Person; 2]) {
        self.learn("agent", &json!(agent.id));
        for kind in ["filing", "spare filing"] {
            let filing = json!({ "athlete_id": athlete.id, "agent_id": agent.id });
            let saved = world.call("compliance.disclosure.submit", portal, filing);
            self.learn(kind, &saved.await.data()["id"]);
        }
    }

    /// Our id of a kind: the caller's own file, device or record if there is one; the athlete's id
    /// for other kinds.
    pub(super) fn own(&self, caller: &str, kind: &str) -> i64 {
        match (self.files.get(caller), kind) {
            (Some([file, _]), "file") | (Some([_, file]), "spare file") => return *file,
            _ => {}
        }
        if let (Some(device), "device") = (self.devices.get(caller), kind) {
            return *device;
        }
        let own = self.ids.get(format!("{caller}'s {kind}").as_str());
        own.or_else(|| self.ids.get(kind)).map_or(self.ids["athlete"][0], |ids| ids[0])
    }

    /// A notification for each of our callers.
    async fn told(&mut self, world: &World, fan: &Person) {
        let now = "'2026-11-20T12:00:00+00:00'";
        let insert = format!(
            "INSERT INTO notification (user_id, outbox_id, event, title, body, data, created_at, \
             updated_at) VALUES ({}, {}, 'announcement.published', 'News', 'News.', '{{}}', {now}, \
             {now}) RETURNING id",
            fan.user_id, -fan.user_id,
        );
        world.id(&insert).await;
        nil_core::worker::round(&world.platform).await.expect("a round");
        for (caller, kind) in [
            ("athlete", "athlete's notification"),
            ("partner", "partner's notification"),
            ("agent", "agent's notification"),
            ("fan", "fan's notification"),
        ] {
            let who = self.callers[caller].clone();
            let feed = world.call("core.notification.list", &who, json!({})).await.data();
            let id = feed[0]["id"].clone();
            self.learn(kind, &id);
            self.learn("notification", &id);
        }
    }

    pub(super) fn learn(&mut self, kind: &'static str, id: &Value) -> i64 {
        let id = id.as_i64().expect("an id");
        self.ids.entry(kind).or_default().push(id);
        id
    }

    /// Files of this caller's own.
    async fn two_files(&mut self, world: &World, caller: &'static str, owner: &Person) {
        let files = [world.file(owner, "a.png").await, world.file(owner, "b.png").await];
        self.files.insert(caller, files);
        self.learn("file", &json!(files[0]));
        self.learn("spare file", &json!(files[1]));
    }

    /// An approved job; returns its id.
    async fn job(&mut self, world: &World, partner: &Person) -> i64 {
        let milestone = |title: &str, due: &str| {
            json!({
                "title": title, "platform": "instagram", "media_kind": "post", "due_on": due,
            })
        };
        let job = json!({
            "title": "Game day", "description": "Posts on game day.", "category_id": 1,
            "compensation": "cash", "amount_cents": 90_000, "slots": 3,
            "business_purpose": "Introduce the autumn collection.",
            "milestones": [
                milestone("One", "2026-12-10"), milestone("Two", "2026-12-12"),
                milestone("Three", "2026-12-14"),
            ],
        });
        let saved = world.call("core.job.save", &partner.principal, job).await;
        let id = self.learn("job", &saved.data()["id"]);
        let operator = world.operator(&[Permission::Jobs]);
        let open = json!({ "job_id": id, "status": "open" });
        let decided = world.call("admin.job.decide_pending", &operator, open);
        decided.await.data();
        id
    }

    /// A job and the athlete's progress in it.
    async fn deal_until(
        &mut self,
        until: &str,
        world: &World,
        partner: &Person,
        athlete: &Person,
    ) -> i64 {
        let job = self.job(world, partner).await;
        let which = json!({ "job_id": job });
        if until == "invited" {
            let invite = json!({ "job_id": job, "athlete_ids": [athlete.id] });
            let invited = world.call("core.application.invite_bulk", &partner.principal, invite);
            invited.await.data();
        } else {
            let applied = world.call("core.application.apply", &athlete.principal, which.clone());
            let application = self.learn("application", &applied.await.data()["id"]);
            if until == "hired" {
                let hire = json!({ "id": application });
                let hired = world.call("core.application.hire", &partner.principal, hire);
                hired.await.data();
            }
        }
        if until == "closed" {
            let closed = world.call("core.job.close", &partner.principal, which);
            closed.await.data();
        }
        job
    }

    /// A deal with approved and partly paid work, submitted work, and a request for a later date.
    async fn deal_under_way(&mut self, world: &World, partner: &Person, athlete: &Person) {
        let job = self.deal_until("hired", world, partner, athlete).await;
        let which = json!({ "job_id": job });
        let confirm = "core.contract.confirm_availability";
        let confirmed = world.call(confirm, &athlete.principal, which.clone()).await;
        confirmed.data();
        let outstanding = "core.deliverable.outstanding";
        let all = world.call(outstanding, &athlete.principal, which.clone()).await.data();
        for deliverable in all.as_array().expect("a list") {
            self.learn("deliverable", &deliverable["id"]);
        }
        self.learn("contract", &all[0]["contract_id"]);
        let proof = world.file(athlete, "proof.png").await;
        self.learn("handed in", &json!(proof));
        for at in [0, 1] {
            let submit = json!({
                "file_ids": [proof],
                "deliverable_id": all[at]["id"], "caption": "Warm on the bench #ad",
                "post_url": format!("https://www.instagram.com/p/{}/", all[at]["id"]),
            });
            let submitted = world.call("core.deliverable.submit", &athlete.principal, submit);
            submitted.await.data();
        }
        let approve = json!({ "deliverable_id": all[0]["id"], "status": "approved" });
        let approved = world.call("core.deliverable.change_status", &partner.principal, approve);
        approved.await.data();
        let pay = json!({ "athlete_id": athlete.id, "job_id": job, "amount_cents": 5_000 });
        let paid = world.call("core.payment.pay_with_saved_card", &partner.principal, pay);
        self.learn("payment", &paid.await.data()["id"]);
        let later = json!({
            "job_id": job, "deliverable_id": all[2]["id"], "proposed_due_on": "2026-12-20",
            "reason": "Finals week.",
        });
        let asked = world.call("core.contract.request_new_due_date", &athlete.principal, later);
        asked.await.data();
    }
}

/// An invoice, as the worker would issue it after a month.
async fn invoice(world: &World, owner: &str, person: &Person) -> i64 {
    let now = "'2026-11-20T12:00:00+00:00'";
    let (id, number) = (person.id, world.number());
    let insert = format!(
        "INSERT INTO invoice (number, owner, kind, period, status, total_cents, currency, \
         issuer_name, issuer_contact, customer_name, customer_contact, issued_at, created_at, \
         updated_at) VALUES ('INV-{number}', '{owner}:{id}', 'platform_fees', '2026-10', 'open', 0, \
         'usd', 'nil', '', 'Somebody', '', {now}, {now}, {now}) RETURNING id"
    );
    world.id(&insert).await
}
