//! Deals for the suites, made through the real operations.

use nil_core::auth::Permission;
use serde_json::{Value, json};

use crate::people::Person;
use crate::world::World;

/// A job that pays 500 dollars for a reel and a story; `over` replaces fields.
pub fn a_job(over: Value) -> Value {
    let mut job = json!({
        "title": "Winter trail campaign",
        "description": "Show our new vest on a winter run.",
        "category_id": 1,
        "compensation": "cash",
        "amount_cents": 50_000,
        "slots": 2,
        "business_purpose": "introducing a running vest to students",
        "milestones": [
            {
                "title": "Reel", "platform": "instagram", "media_kind": "reel",
                "due_on": "2026-12-10", "hashtags": ["trailday"],
            },
            {
                "title": "Story", "platform": "instagram", "media_kind": "story",
                "due_on": "2026-12-20",
            },
        ],
    });
    if let (Some(job), Value::Object(over)) = (job.as_object_mut(), over) {
        job.extend(over);
    }
    job
}

/// A hired athlete with all related records.
#[derive(Clone, Debug)]
pub struct Hire {
    pub partner: Person,
    pub athlete: Person,
    pub job: i64,
    pub application: i64,
    pub contract: i64,
    pub deliverables: Vec<i64>,
}

impl World {
    /// An open job of this brand.
    pub async fn open_job(&self, partner: &Person, over: Value) -> i64 {
        if over["amount_cents"].as_i64().is_some_and(|cents| (1..100).contains(&cents)) {
            // Cents show how an amount is rounded; sites allow them if they want.
            self.script("UPDATE site SET least_amount_cents = 0").await;
        }
        let posted = self.call("core.job.save", &partner.principal, a_job(over)).await.data();
        let job = posted["id"].as_i64().expect("an id");
        let operator = self.operator(&[Permission::Jobs]);
        let decision = json!({ "job_id": job, "status": "open" });
        let opened = self.call("admin.job.decide_pending", &operator, decision).await.data();
        assert_eq!(opened["status"], "open");
        job
    }

    /// The athlete applies; returns the application.
    pub async fn apply(&self, athlete: &Person, job: i64) -> i64 {
        let apply = json!({ "job_id": job });
        let application = self.call("core.application.apply", &athlete.principal, apply).await;
        application.data()["id"].as_i64().expect("an id")
    }

    /// A new brand, job and athlete; the athlete is hired and has not confirmed.
    pub async fn hired(&self, over: Value) -> Hire {
        let partner = self.partner("Ridge Outfitters").await;
        let athlete = self.athlete("Zoe Okafor").await;
        let job = self.open_job(&partner, over).await;
        self.hire(&partner, &athlete, job).await
    }

    /// The athlete applies and is hired.
    pub async fn hire(&self, partner: &Person, athlete: &Person, job: i64) -> Hire {
        let application = self.apply(athlete, job).await;
        let hire = json!({ "id": application });
        let hired = self.call("core.application.hire", &partner.principal, hire).await.data();
        assert_eq!(hired["status"], "hired");
        let deal = self.deal(athlete, job).await;
        let ids = deal["deliverables"].as_array().expect("deliverables");
        Hire {
            partner: partner.clone(),
            athlete: athlete.clone(),
            job,
            application,
            contract: hired["contract"]["id"].as_i64().expect("an id"),
            deliverables: ids.iter().map(|d| d["id"].as_i64().expect("an id")).collect(),
        }
    }

    /// A hired athlete who has confirmed: the contract is active.
    pub async fn active(&self, over: Value) -> Hire {
        let hire = self.hired(over).await;
        let confirm = json!({ "job_id": hire.job });
        let confirmed =
            self.call("core.contract.confirm_availability", &hire.athlete.principal, confirm).await;
        assert_eq!(confirmed.data()["contract"]["status"], "active");
        hire
    }

    /// The athlete's newest deal for the job, in any state.
    pub async fn deal(&self, athlete: &Person, job: i64) -> Value {
        let every = [
            "invited",
            "applicant",
            "hired",
            "confirmed",
            "extension_requested",
            "cancellation_requested",
            "completed",
            "rejected",
            "withdrawn",
            "declined",
            "expired",
            "cancelled",
        ];
        let wanted = json!({ "job_id": job, "statuses": every });
        let deals = self.call("core.deal.list", &athlete.principal, wanted).await.data();
        deals[0].clone()
    }

    /// The job as its brand sees it.
    pub async fn job(&self, partner: &Person, job: i64) -> Value {
        let seen = json!({ "job_id": job });
        self.call("core.job.detail", &partner.principal, seen).await.data()
    }

    /// Submits a deliverable.
    pub async fn submit(&self, hire: &Hire, deliverable: i64) -> Value {
        let work = json!({
            "deliverable_id": deliverable, "post_url": "https://www.instagram.com/p/C8x/",
            "caption": "On the trail #ad",
        });
        self.call("core.deliverable.submit", &hire.athlete.principal, work).await.data()
    }

    /// Submits a deliverable and gets it approved.
    pub async fn approve(&self, hire: &Hire, deliverable: i64) -> Value {
        self.submit(hire, deliverable).await;
        let decision = json!({ "deliverable_id": deliverable, "status": "approved" });
        let partner = &hire.partner.principal;
        self.call("core.deliverable.change_status", partner, decision).await.data()
    }
}
