//! The papers of the demonstration's year: deals made elsewhere and clearances.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use chrono::{Days, TimeDelta};
use nil_core::kernel::utc_day;
use serde_json::{Value, json};

use super::people::{drawn, pick};
use super::player::{Person, Player};
use super::world::{WEEKS, World};
use crate::failure::Failure;

/// Deals made elsewhere: payer, kind of payer, title, category of jobs, compensation, description.
const ELSEWHERE: [(&str, &str, &str, i64, &str, &str); 17] = [
    ("Harbor Books", "business", "Reading day", 9, "cash", "Two readings in the shop."),
    ("Corner Deli", "business", "Sandwich of the month", 1, "product", "A post about lunch."),
    ("Hoops Academy", "business", "Summer camp", 12, "cash", "Coached at a camp for a day."),
    ("Card Vault", "business", "Signed cards", 19, "cash", "Signed two hundred cards."),
    ("Friends of the River", "nonprofit", "Clean-up day", 25, "cash", "Spoke at the clean-up."),
    ("Lake Auto Group", "business", "Opening day", 9, "cash", "Greeted guests at an opening."),
    ("Pat Ellison", "individual", "Private lessons", 13, "cash", "Ten lessons for two children."),
    ("Trail Mix Co.", "business", "Product review", 22, "product", "Reviewed three products."),
    (
        "Northside Barbers",
        "business",
        "A cut before the game",
        2,
        "product",
        "A story from the chair.",
    ),
    ("Campus Radio", "nonprofit", "Guest on a podcast", 15, "cash", "An hour about the season."),
    ("Stitch & Co.", "business", "Team shirts", 16, "cash", "A share of the shirts sold online."),
    ("Evergreen Physio", "business", "Warm-up video", 5, "cash", "A video of five exercises."),
    ("City Library", "nonprofit", "Summer reading", 14, "cash", "Spoke to children about books."),
    ("Lumen Photo", "business", "Catalog shoot", 6, "cash", "Half a day in front of a camera."),
    (
        "Riverside Grill",
        "business",
        "Meet and greet",
        11,
        "cash",
        "Photos with guests for two hours.",
    ),
    (
        "Second Serve Sports",
        "business",
        "Racket stringing tips",
        3,
        "product",
        "Three short videos.",
    ),
    ("Marlow Family", "individual", "Birthday visit", 9, "cash", "An hour at a birthday party."),
];

/// The questions about a payer's association with the institution.
const QUESTIONS: [&str; 6] = [
    "supports_institution",
    "insider",
    "large_donor",
    "asked_by_staff",
    "controlled_by_associate",
    "sponsor",
];

/// A disclosed deal that can come back from an officer.
#[derive(Debug)]
struct Disclosed {
    id: Value,
    athlete: Person,
    deal: Value,
}

/// The papers of the year so far.
#[derive(Debug, Default)]
pub(crate) struct Papers {
    disclosed: Vec<Disclosed>,
    /// The disclosed deals that officers have sent back.
    back: Vec<Value>,
}

impl Papers {
    /// Athletes answer what officers have sent back, and disclose what they agreed elsewhere; some
    /// late, some not at all until now.
    pub(crate) async fn disclose(
        &mut self,
        player: &Player,
        world: &World,
        week: usize,
    ) -> Result<(), Failure> {
        // What came back last is still on the athletes' desks.
        if week < WEEKS {
            for id in std::mem::take(&mut self.back) {
                self.answer(player, &id).await?;
            }
        }
        let mut at = vec![0, 0, 0, 0, 1];
        if week % 2 == 1 {
            at.push(2);
        }
        for (place, college) in at.into_iter().enumerate() {
            let number = week * 8 + place;
            let athlete = world.athlete(player, college, number * 53 + 5).await?;
            let deal = elsewhere(player, number);
            let save = "core.disclosed_job.save";
            let saved = player.call(save, &athlete.principal, deal.clone()).await?;
            let id = saved["id"].clone();
            if number % 41 == 12 && saved["status"] == "submitted" {
                let back = json!({ "id": id });
                player.call("core.disclosed_job.withdraw", &athlete.principal, back).await?;
            }
            self.disclosed.push(Disclosed { id, athlete, deal });
        }
        Ok(())
    }

    /// The athlete says what the officer wanted to know, and submits again.
    async fn answer(&self, player: &Player, id: &Value) -> Result<(), Failure> {
        let Some(sent_back) = self.disclosed.iter().find(|one| one.id == *id) else {
            return Ok(());
        };
        let said = sent_back.deal["description"].as_str().unwrap_or_default();
        let mut deal = with(sent_back.deal.clone(), "id", id.clone());
        deal["description"] = json!(format!("{said} It was on a Saturday, from ten to two."));
        let save = "core.disclosed_job.save";
        player.call(save, &sent_back.athlete.principal, deal).await?;
        Ok(())
    }

    /// Officers work on what has come in: disclosed deals, then clearances. At the end of the year
    /// some of it waits.
    pub(crate) async fn review(
        &mut self,
        player: &Player,
        world: &World,
        week: usize,
    ) -> Result<(), Failure> {
        let left = WEEKS - 1 - week;
        for college in 0..world.colleges.len() {
            let officer = world.reviewer(college)?;
            self.decide(player, officer, left).await?;
            clear(player, officer, left).await?;
        }
        Ok(())
    }

    async fn decide(
        &mut self,
        player: &Player,
        officer: &Person,
        left: usize,
    ) -> Result<(), Failure> {
        let listing = "compliance.disclosed_job.list";
        let open = json!({ "statuses": ["under_review", "submitted"], "per_page": 100 });
        let found = player.call(listing, &officer.principal, open).await?;
        for (place, job) in found.as_array().into_iter().flatten().enumerate() {
            let id = job["id"].as_i64().unwrap_or_default();
            // Nothing comes back twice.
            let first = !job["description"].as_str().unwrap_or_default().contains("Saturday");
            let decisions: &[&str] = match [id % 13, id % 17] {
                _ if left == 0 => WAITING.get(place).copied().unwrap_or(&["approve"]),
                [4, _] if first => &["take", "ask"],
                [_, 6] if first => &["take", "reject"],
                [8, _] if job["status"] == "submitted" => &["take"], // for a week
                _ => &["approve"],
            };
            for decision in decisions {
                if *decision == "take" && job["status"] == "under_review" {
                    continue;
                }
                let note = match *decision {
                    "ask" => Some("Which day was it, and for how long?"),
                    "reject" => Some("The work is not described: what was done, and when?"),
                    _ => None,
                };
                let input = json!({ "id": id, "decision": decision, "note": note });
                let decide = "compliance.disclosed_job.decide";
                player.call(decide, &officer.principal, input).await?;
                if note.is_some() {
                    self.back.push(json!(id));
                }
            }
        }
        Ok(())
    }
}

/// What officers have done about the newest disclosed deals at the end of the year.
const WAITING: [&[&str]; 6] =
    [&[], &["take"], &["take", "ask"], &["take", "reject"], &[], &["approve"]];

/// A deal that an athlete made elsewhere.
fn elsewhere(player: &Player, number: usize) -> Value {
    let (company, kind, title, category, compensation, description) =
        pick(&ELSEWHERE, number / 8 * 5 + number % 8).unwrap_or_default();
    let drawn = drawn(u64::try_from(number).unwrap_or_default());
    let amount = i64::try_from(drawn % 48 + 3).unwrap_or_default() * 2_500;
    let ago = if number % 14 == 3 { 24 } else { drawn % 3 };
    let today = utc_day(player.platform.now());
    let signed = today.checked_sub_days(Days::new(ago + 1)).unwrap_or(today);
    json!({
        "payer_name": company, "payer_kind": kind, "title": title, "category_id": category,
        "amount_cents": amount, "compensation": compensation, "signed_on": signed.to_string(),
        "description": description,
        "attestations": [
            "not_for_performance", "not_an_inducement", "business_purpose", "complete_and_true"
        ],
        "draft": number % 33 == 7
    })
}

/// The clearinghouse answers, and officers hand in what is due; every seventh deal late. At the end
/// of the year some deals wait in each state.
async fn clear(player: &Player, officer: &Person, left: usize) -> Result<(), Failure> {
    let answered = [
        ("arbitration", 40, &["cleared"][..]),
        ("flagged", 5, &["cleared"][..]),
        ("not_cleared", 6, &["arbitration"][..]),
        ("submitted", 3, &["flagged", "not_cleared", "cleared"][..]),
        ("due", 0, &["submitted"][..]),
    ];
    for (status, days, words) in answered {
        let list = json!({ "statuses": [status], "per_page": 100 });
        let found = player.call("compliance.clearance.list", &officer.principal, list).await?;
        for (place, clearance) in found.as_array().into_iter().flatten().enumerate() {
            let id = clearance["id"].as_i64().unwrap_or_default();
            let waited = since(player, clearance) >= TimeDelta::days(days);
            let word = match (status, words) {
                _ if !waited => continue,
                ("due", _) if id % 7 == 3 && !is_late(clearance) => continue,
                ("not_cleared", _) if id % 2 == 0 && (left, place) != (1, 0) => continue,
                ("submitted", [flagged, refused, cleared]) => match (left, place) {
                    (0, 0) => continue,
                    (0, 1) => flagged,
                    (0 | 2, 2) | (2, 1) => refused,
                    _ if id % 11 == 5 => flagged,
                    _ if id % 19 == 7 => refused,
                    _ => cleared,
                },
                (_, [word, ..]) => word,
                (_, []) => continue,
            };
            if *word == "submitted" {
                let answers = json!({ "id": id, "association": association(clearance) });
                let answer = "compliance.clearance.answer";
                player.call(answer, &officer.principal, answers).await?;
            }
            let heard = json!({
                "id": id, "status": word, "reference": format!("CH-{:06}", id * 7 + 100_000),
                "note": note(word)
            });
            player.call("compliance.clearance.record", &officer.principal, heard).await?;
        }
    }
    Ok(())
}

/// What the institution knows of a payer: one sponsors it, one has given much.
fn association(clearance: &Value) -> Value {
    let payor = clearance["payor"].as_str().unwrap_or_default().to_lowercase();
    let yes = match payor {
        _ if payor.contains("parkway motors") => "sponsor",
        _ if payor.contains("lake auto") => "large_donor",
        _ => "",
    };
    json!(QUESTIONS.map(|question| json!({ "question": question, "answer": question == yes })))
}

fn is_late(clearance: &Value) -> bool {
    clearance["late"] == true
}

fn note(word: &str) -> Option<&'static str> {
    match word {
        "flagged" => Some("Please explain how the fee was found."),
        "not_cleared" => Some("The fee is above what comparable deals pay."),
        _ => None,
    }
}

fn with(mut value: Value, name: &str, of: Value) -> Value {
    value[name] = of;
    value
}

/// How long a clearance has had its status.
fn since(player: &Player, clearance: &Value) -> TimeDelta {
    let at = clearance["updated_at"].as_str().and_then(|at| at.parse().ok());
    at.map_or(TimeDelta::zero(), |at: nil_core::kernel::Time| player.platform.now() - at)
}
