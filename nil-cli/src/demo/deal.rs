//! The deal of the demonstration, from sign-up to payout.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use nil_core::auth::Principal;
use nil_core::kernel::utc_day;
use serde::Serialize;
use serde_json::{Value, json};

use super::money;
use super::player::{self, Person, Player};
use super::year;
use crate::failure::Failure;

/// The number of steps reported.
pub(crate) const STEPS: u64 = 17;

/// A step: who did what.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Told {
    pub who: String,
    pub what: String,
}

/// The completed deal.
pub(crate) struct Deal {
    /// The executed contract.
    pub contract: Vec<u8>,
}

/// The people of the deal.
struct Cast {
    operator: Principal,
    officer: Person,
    brand: Person,
    athlete: Person,
}

type Tell<'a> = &'a mut dyn FnMut(Told);

fn tell(to: &mut dyn FnMut(Told), who: &str, what: impl Into<String>) {
    to(Told { who: who.to_owned(), what: what.into() });
}

/// A job as a brand would post it; amounts in cents.
pub(crate) fn job(title: &str, amount: i64, slots: i64, today: chrono::NaiveDate) -> Value {
    let day =
        |days: u64| today.checked_add_days(chrono::Days::new(days)).unwrap_or(today).to_string();
    json!({
        "title": title,
        "description": "One reel on game day and one story the morning after, in our new jacket.",
        "category_id": 1,
        "compensation": "cash",
        "amount_cents": amount,
        "slots": slots,
        "business_purpose": "Introduce the autumn collection to students of the region.",
        "milestones": [
            {
                "title": "Game day reel", "platform": "instagram", "media_kind": "reel",
                "due_on": day(10), "hashtags": ["#ad", "#northfield"]
            },
            {
                "title": "Morning after story", "platform": "instagram", "media_kind": "story",
                "due_on": day(12), "hashtags": ["#ad"]
            }
        ]
    })
}

impl Deal {
    pub(crate) async fn play(player: &Player, to: Tell<'_>) -> Result<Self, Failure> {
        let cast = Self::sign_up(player, to).await?;
        let application = Self::agree(player, &cast, to).await?;
        let job = &application["job_id"];
        Self::deliver(player, &cast, job, to).await?;
        let contract = Self::pay(player, &cast, job, to).await?;
        Ok(Self { contract })
    }

    async fn sign_up(player: &Player, to: Tell<'_>) -> Result<Cast, Failure> {
        let operator = player::operator(&player.platform, "operator@nil.example").await?;
        let college = player
            .call(
                "admin.college.save",
                &operator,
                json!({
                    "name": "Lakeshore State University", "short_name": "Lakeshore State",
                    "conference": "Great Plains", "division": "D1", "state": "IL",
                    "time_zone": "America/Chicago"
                }),
            )
            .await?;
        tell(to, "operator", "enters Lakeshore State University");
        let college = college["id"].as_i64().unwrap_or_default();
        let officer = player
            .officer(
                &operator,
                (college, "owner", &[]),
                "Dana Whitfield",
                "compliance@lakeshore.example",
            )
            .await?;
        let sports = player.sports(&officer).await?;
        let sport = sports.get("Women's Basketball").copied().unwrap_or_default();
        tell(to, "compliance officer", "accepts the invitation and sets a password");
        let brand = player
            .partner("Northfield Outdoor", "Alex Moreau", "brand@northfield.example", 24)
            .await?;
        tell(to, "brand", "Northfield Outdoor registers and verifies its e-mail");
        let person = json!({
            "date_of_birth": "2005-04-12", "gender": "female", "hometown_city": "Peoria",
            "hometown_state": "IL", "bio": "Point guard, photographer, early riser.",
            "socials": [{ "platform": "instagram", "handle": "jordan.hoops", "followers": 18400 }]
        });
        let athlete = player
            .athlete(
                "Jordan Rivera",
                "jordan@lakeshore.example",
                (college, sport, "junior"),
                person,
            )
            .await?;
        tell(to, "athlete", "Jordan Rivera registers and verifies her e-mail");
        Ok(Cast { operator, officer, brand, athlete })
    }

    async fn agree(player: &Player, cast: &Cast, to: Tell<'_>) -> Result<Value, Failure> {
        let today = utc_day(player.platform.now());
        let posted = job("Game day reel and story", 125_000, 1, today);
        let job = player.call("core.job.save", &cast.brand.principal, posted).await?;
        let pay = money(&job["amount_cents"]);
        tell(to, "brand", format!("posts “{}” for {pay}", text(&job["title"])));
        let decided = json!({ "job_id": job["id"], "status": "open" });
        player.call("admin.job.decide_pending", &cast.operator, decided).await?;
        tell(to, "operator", "approves the job");
        let pitch = json!({ "job_id": job["id"], "pitch": "My followers are at every home game." });
        let application =
            player.call("core.application.apply", &cast.athlete.principal, pitch).await?;
        tell(to, "athlete", "applies");
        let card = json!({ "processor_token": "tok_4242424242424242" });
        player.call("core.partner.add_payment_method", &cast.brand.principal, card).await?;
        tell(to, "brand", "saves a card");
        let hire = json!({ "id": application["id"] });
        let hired = player.call("core.application.hire", &cast.brand.principal, hire).await?;
        let number = text(&hired["contract"]["number"]);
        tell(to, "brand", format!("hires; contract {number} is generated"));
        Ok(application)
    }

    async fn deliver(
        player: &Player,
        cast: &Cast,
        job: &Value,
        to: Tell<'_>,
    ) -> Result<(), Failure> {
        let (athlete, brand) = (&cast.athlete.principal, &cast.brand.principal);
        let confirm = json!({ "job_id": job });
        player.call("core.contract.confirm_availability", athlete, confirm).await?;
        tell(to, "athlete", "confirms availability: the contract is executed");
        let wanted = json!({ "job_id": job });
        let list = player.call("core.deliverable.outstanding", athlete, wanted).await?;
        for (number, deliverable) in (1..).zip(list.as_array().into_iter().flatten()) {
            let post = json!({
                "deliverable_id": deliverable["id"],
                "post_url": format!("https://www.instagram.com/p/demo{number}/"),
                "caption": "Warm on the bench thanks to Northfield #ad #northfield"
            });
            player.call("core.deliverable.submit", athlete, post).await?;
            let approved = json!({ "deliverable_id": deliverable["id"], "status": "approved" });
            player.call("core.deliverable.change_status", brand, approved).await?;
        }
        tell(to, "athlete", "submits a reel and a story");
        tell(to, "brand", "approves both");
        Ok(())
    }

    async fn pay(
        player: &Player,
        cast: &Cast,
        job: &Value,
        to: Tell<'_>,
    ) -> Result<Vec<u8>, Failure> {
        let (athlete, brand) = (&cast.athlete.principal, &cast.brand.principal);
        let pay = json!({ "athlete_id": cast.athlete.id, "job_id": job });
        let payment = player.call("core.payment.pay_with_saved_card", brand, pay).await?;
        let (amount, fee) = (money(&payment["amount_cents"]), money(&payment["fee_cents"]));
        tell(to, "brand", format!("pays {amount} plus {fee} fee with the saved card"));
        year::connect(player, athlete).await?;
        tell(to, "athlete", "connects a bank account");
        let trigger = json!({ "id": cast.athlete.id });
        let payout = player.call("admin.payout.trigger", &cast.operator, trigger).await?;
        let sent = money(&payout["amount_cents"]);
        tell(to, "operator", format!("triggers the payout: {sent} is on its way"));
        let list = json!({});
        let seen =
            player.call("compliance.transaction.list", &cast.officer.principal, list).await?;
        let seen = seen.get(0).cloned().unwrap_or_default();
        let gross = money(&seen["gross_cents"]);
        tell(to, "compliance officer", format!("sees the transaction: {gross}"));
        let wanted = json!({ "athlete_id": cast.athlete.id, "job_id": job });
        let file = player
            .download("compliance.contract.download", &cast.officer.principal, wanted)
            .await?;
        let size = file.len();
        tell(to, "compliance officer", format!("downloads the executed contract ({size} bytes)"));
        Ok(file)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
