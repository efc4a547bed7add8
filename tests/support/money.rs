//! Deals with approved work, cards and payout accounts, for the suites about money.

use std::panic::Location;

use chrono::Days;
use nil_core::auth::{Principal, Role};
use nil_core::kernel::{CollegeId, PortalUserId};
use nil_core::payments::{self, Report};
use serde_json::{Value, json};

use crate::contents::Connected;
use crate::people::Person;
use crate::world::World;

/// A deal whose work is approved and waits to be paid.
#[derive(Clone, Debug)]
pub struct Deal {
    pub contract_id: i64,
    pub job_id: i64,
    pub deliverable_ids: Vec<i64>,
}

/// A test card's token that is charged.
pub const GOOD_CARD: &str = "tok_4242424242424242";
/// A test card's token whose bank wants each charge to be confirmed.
pub const ASKING_CARD: &str = "tok_4000002500003155";
/// A test card's token that is declined.
pub const DECLINED_CARD: &str = "tok_4000000000000002";

impl World {
    /// A confirmed deal with approved deliverables of these amounts, the first one due first.
    pub async fn approved_deal(&self, partner: &Person, athlete: &Person, cents: &[i64]) -> Deal {
        let today = self.platform.now().date_naive();
        let milestones: Vec<Value> = (20..)
            .zip(cents)
            .map(|(days, cents)| {
                json!({
                    "title": format!("Post {days}"), "platform": "instagram", "media_kind": "post",
                    "due_on": today + Days::new(days), "amount_cents": cents,
                })
            })
            .collect();
        let total: i64 = cents.iter().sum();
        let over = json!({ "amount_cents": total, "slots": 1, "milestones": milestones });
        let job = self.open_job(partner, over).await;
        let hire = self.hire(partner, athlete, job).await;
        let confirm = json!({ "job_id": job });
        let confirmed =
            self.call("core.contract.confirm_availability", &athlete.principal, confirm);
        confirmed.await.data();
        for deliverable in &hire.deliverables {
            self.approve(&hire, *deliverable).await;
        }
        Deal { contract_id: hire.contract, job_id: job, deliverable_ids: hire.deliverables }
    }

    /// A confirmed deal with approved deliverables of these amounts, and with an agent, if one is
    /// given, who takes a share in basis points.
    pub async fn approved_deal_through(
        &self,
        partner: &Person,
        athlete: &Person,
        agent: Option<(&Person, i64)>,
        cents: &[i64],
    ) -> Deal {
        if let Some((agent, share)) = agent
            && !self.is_represented(athlete).await
        {
            self.represent(agent, athlete, share).await;
        }
        self.approved_deal(partner, athlete, cents).await
    }

    /// How many messages of an event were sent, before they are expanded for the recipient's
    /// channels.
    pub async fn told(&self, event: &str) -> i64 {
        let count =
            format!("SELECT COUNT(*) FROM outbox WHERE event = '{event}' AND channel = 'event'");
        self.id(&count).await
    }

    /// Runs a statement that returns an id, on a separate connection.
    pub async fn id(&self, text: &str) -> i64 {
        match self.connected().await {
            Connected::Sqlite(on) => {
                let answer = on.query_row(text, [], |row| row.get(0));
                answer.unwrap_or_else(|error| panic!("{error}: {text}"))
            }
            Connected::Postgres(mut on) => {
                let statement = sqlx::query_scalar(sqlx::AssertSqlSafe(text.to_owned()));
                let answer = statement.fetch_one(&mut on).await;
                answer.unwrap_or_else(|error| panic!("{error}: {text}"))
            }
        }
    }

    /// A value as the database writes it, on a separate connection.
    pub async fn text(&self, of: &str, from: &str) -> Option<String> {
        let text = format!("SELECT CAST({of} AS TEXT) FROM {from}");
        match self.connected().await {
            Connected::Sqlite(on) => {
                let answer = on.query_row(&text, [], |row| row.get(0));
                answer.unwrap_or_else(|error| panic!("{error}: {text}"))
            }
            Connected::Postgres(mut on) => {
                let statement = sqlx::query_scalar(sqlx::AssertSqlSafe(text.clone()));
                let answer = statement.fetch_one(&mut on).await;
                answer.unwrap_or_else(|error| panic!("{error}: {text}"))
            }
        }
    }

    /// Saves a card for a brand.
    pub async fn card(&self, partner: &Person, token: &str) -> Value {
        let input = json!({ "processor_token": token });
        self.call("core.partner.add_payment_method", &partner.principal, input).await.data()
    }

    /// A brand with a card that is charged.
    pub async fn paying_partner(&self, name: &str) -> Person {
        let partner = self.partner(name).await;
        self.card(&partner, GOOD_CARD).await;
        partner
    }

    /// An athlete with this much in the wallet, from one paid deal.
    pub async fn earner(&self, cents: i64) -> Person {
        let partner = self.paying_partner("Cedar Coffee").await;
        let athlete = self.athlete("Jordan Lake").await;
        let deal = self.approved_deal(&partner, &athlete, &[cents]).await;
        self.pay(&partner, &athlete, &deal).await;
        athlete
    }

    /// Pays everything that is owed under a deal.
    pub async fn pay(&self, partner: &Person, athlete: &Person, deal: &Deal) -> Value {
        let input = json!({ "athlete_id": athlete.id, "contract_id": deal.contract_id });
        self.call("core.payment.pay_with_saved_card", &partner.principal, input).await.data()
    }

    /// Opens a payout account and finishes the onboarding.
    pub async fn can_receive(&self, payee: &Person) {
        let opened =
            self.call("core.payout_account.create", &payee.principal, json!({})).await.data();
        let account = opened["processor_account_id"].as_str().expect("an account");
        let done = payments::sandbox::finish_onboarding(&self.platform, account).await;
        assert!(done.expect("the sandbox"));
    }

    /// The balance of a wallet.
    pub async fn balance(&self, payee: &Person) -> i64 {
        let wallet = self.call("core.wallet.show", &payee.principal, json!({})).await;
        wallet.data()["balance_cents"].as_i64().expect("cents")
    }

    /// Checks the books and the institutions' view of them; panics with the problems.
    #[track_caller]
    pub fn books_are_right(&self) -> impl Future<Output = Report> + '_ {
        let caller = Location::caller();
        async move {
            let report = payments::verify(&self.platform).await.expect("a report");
            assert!(report.sound(), "{caller}: {:#?}", report.problems());
            self.figures_are_kept(caller).await;
            report
        }
    }

    /// The transactions that triggers maintain match the records.
    #[track_caller]
    pub fn figures_are_right(&self) -> impl Future<Output = ()> + '_ {
        self.figures_are_kept(Location::caller())
    }

    async fn figures_are_kept(&self, caller: &Location<'_>) {
        let (kept, right) = ("college_transaction", "college_transaction_seen");
        for (these, those) in [(kept, right), (right, kept)] {
            let differ = format!(
                "SELECT COUNT(*) FROM (SELECT * FROM {these} EXCEPT SELECT * FROM {those}) AS differ"
            );
            assert_eq!(self.id(&differ).await, 0, "{caller}: {these}");
        }
        let mut college = 0;
        loop {
            let next = format!(
                "SELECT COALESCE(MIN(college_id), 0) FROM college_transaction WHERE college_id > {college}"
            );
            college = self.id(&next).await;
            if college == 0 {
                return;
            }
            self.totals_are_kept(college, &json!({}), caller).await;
        }
    }

    /// The kept totals of an institution's months match a recount: naming both sources leaves
    /// nothing out, and makes figures read the transactions.
    pub async fn totals_are_kept(&self, college: i64, input: &Value, caller: &Location<'_>) {
        let reader = Principal::Portal {
            id: PortalUserId::new(1).unwrap(),
            college_id: CollegeId::new(college).unwrap(),
            role: Role::Owner,
            sports: Vec::new(),
            session: "test".into(),
        };
        for figure in [
            "compliance.transaction.summary",
            "compliance.transaction.top_teams",
            "compliance.analytics.by_sport",
            "compliance.analytics.by_category",
            "compliance.analytics.by_payment_type",
        ] {
            let mut recount = input.clone();
            recount["sources"] = json!(["platform", "disclosed"]);
            let kept = self.call(figure, &reader, input.clone()).await;
            let right = self.call(figure, &reader, recount).await;
            assert_eq!(kept.status, 200, "{caller}: {figure} {input}: {}", kept.body);
            assert_eq!(kept.body, right.body, "{caller}: {figure} {input}");
        }
    }
}
