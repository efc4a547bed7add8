//! The papers of the demonstration's year: deals made elsewhere, clearances, and filings about agents.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use chrono::{Days, SecondsFormat, TimeDelta};
use nil_core::auth::Principal;
use serde_json::{Value, json};

use super::people::{drawn, pick};
use super::player::{Person, Player};
use super::world::World;
use crate::failure::Failure;

/// Deals made elsewhere: payer, kind of payer, title, category of jobs, compensation, description.
const ELSEWHERE: [(&str, &str, &str, i64, &str, &str); 8] = [
    ("Harbor Books", "business", "Reading day", 9, "cash", "Two readings in the shop."),
    ("Corner Deli", "business", "Sandwich of the month", 1, "product", "A post about lunch."),
    ("Hoops Academy", "business", "Summer camp", 12, "cash", "Coached at a camp for a day."),
    ("Card Vault", "business", "Signed cards", 19, "cash", "Signed two hundred cards."),
    ("Friends of the River", "nonprofit", "Clean-up day", 25, "cash", "Spoke at the clean-up."),
    ("Lake Auto Group", "business", "Opening day", 9, "cash", "Greeted guests at an opening."),
    ("Pat Ellison", "individual", "Private lessons", 13, "cash", "Ten lessons for two children."),
    ("Trail Mix Co.", "business", "Product review", 22, "product", "Reviewed three products."),
];

/// A filing: the week, whose agent, whether the notices are late, and what becomes of it.
const FILINGS: [(usize, usize, bool, &str); 8] = [
    (9, 0, false, "acknowledged"),
    (13, 1, true, "terminated"),
    (21, 2, false, "acknowledged"),
    (26, 3, false, "deleted"),
    (33, 4, true, "returned"),
    (40, 5, false, "acknowledged"),
    (50, 6, true, "submitted"),
    (51, 7, false, "draft"),
];

impl World {
    /// Athletes disclose what they agreed elsewhere; some late, some not at all until now.
    pub(crate) async fn disclose(&self, player: &Player, week: usize) -> Result<(), Failure> {
        let mut at = vec![0, 0, 0, 0, 1];
        if week % 2 == 1 {
            at.push(2);
        }
        for (place, college) in at.into_iter().enumerate() {
            let number = week * 8 + place;
            let who = self.athlete(player, college, number * 53 + 5).await?;
            let (company, kind, title, category, compensation, description) =
                pick(&ELSEWHERE, number).unwrap_or_default();
            let drawn = drawn(u64::try_from(number).unwrap_or_default());
            let amount = i64::try_from(drawn % 48 + 3).unwrap_or_default() * 2_500;
            let ago = if number % 14 == 3 { 24 } else { drawn % 3 };
            let today = player.platform.now().date_naive();
            let signed = today.checked_sub_days(Days::new(ago + 1)).unwrap_or(today);
            let deal = json!({
                "payer_name": company, "payer_kind": kind, "title": title, "category_id": category,
                "amount_cents": amount, "compensation": compensation,
                "signed_on": signed.to_string(), "description": description,
                "attestations": [
                    "not_for_performance", "not_an_inducement", "business_purpose",
                    "complete_and_true"
                ],
                "draft": number % 33 == 7
            });
            let save = "core.disclosed_job.save";
            let saved = player.call(save, &who.principal, deal).await?;
            if number % 41 == 12 && saved["status"] == "submitted" {
                let back = json!({ "id": saved["id"] });
                player.call("core.disclosed_job.withdraw", &who.principal, back).await?;
            }
        }
        Ok(())
    }

    /// Officers work on what has come in: disclosed deals, then clearances.
    pub(crate) async fn review(&self, player: &Player, last: bool) -> Result<(), Failure> {
        for officer in &self.officers {
            self.decide(player, officer, last).await?;
            self.clear(player, officer).await?;
        }
        Ok(())
    }

    async fn decide(&self, player: &Player, officer: &Person, last: bool) -> Result<(), Failure> {
        let listing = "compliance.disclosed_job.list";
        let open = json!({ "statuses": ["under_review", "submitted"], "per_page": 100 });
        let found = player.call(listing, &officer.principal, open).await?;
        for job in found.as_array().into_iter().flatten() {
            let id = job["id"].as_i64().unwrap_or_default();
            let (taken, look) = (job["status"] == "under_review", [id % 9, id % 17, id % 13]);
            let decision = match look {
                _ if last && id % 2 == 0 => continue,
                [4, ..] | [_, 6, _] | [.., 8] if !taken => json!({ "decision": "take" }),
                [_, 6, _] => {
                    json!({ "decision": "reject", "note": "The payer is not named in full." })
                }
                [.., 8] => json!({ "decision": "ask", "note": "Which day was it?" }),
                _ => json!({ "decision": "approve" }),
            };
            let decision = with(decision, "id", json!(id));
            player.call("compliance.disclosed_job.decide", &officer.principal, decision).await?;
        }
        Ok(())
    }

    /// The clearinghouse answers, and officers hand in what is due; every seventh deal late.
    async fn clear(&self, player: &Player, officer: &Person) -> Result<(), Failure> {
        let answered = [
            ("flagged", 5, &["cleared"][..]),
            ("not_cleared", 6, &["arbitration"][..]),
            ("submitted", 3, &["flagged", "not_cleared", "cleared"][..]),
            ("due", 0, &["submitted"][..]),
        ];
        for (status, days, words) in answered {
            let list = json!({ "statuses": [status], "per_page": 100 });
            let found = player.call("compliance.clearance.list", &officer.principal, list).await?;
            for clearance in found.as_array().into_iter().flatten() {
                let id = clearance["id"].as_i64().unwrap_or_default();
                let waited = since(player, clearance) >= TimeDelta::days(days);
                let word = match (status, words) {
                    _ if !waited => continue,
                    ("due", _) if id % 7 == 3 && !is_late(clearance) => continue,
                    ("not_cleared", _) if id % 2 == 0 => continue,
                    ("submitted", [flagged, refused, cleared]) => match id {
                        _ if id % 11 == 5 => flagged,
                        _ if id % 19 == 7 => refused,
                        _ => cleared,
                    },
                    (_, [word, ..]) => word,
                    (_, []) => continue,
                };
                let heard = json!({
                    "id": id, "status": word, "reference": format!("CH-{:06}", id * 7 + 100_000),
                    "note": note(word)
                });
                player.call("compliance.clearance.record", &officer.principal, heard).await?;
            }
        }
        Ok(())
    }

    /// Filings about the athletes' agents: in every state, with notices in time and late.
    pub(crate) async fn file(&self, player: &Player, week: usize) -> Result<(), Failure> {
        let Some(officer) = self.officers.first() else {
            return Ok(());
        };
        for (_, whose, late, becomes) in FILINGS.iter().filter(|(at, ..)| *at == week) {
            let athlete = self.athlete(player, 0, *whose).await?;
            let input = filing(player, &athlete, *late, *becomes != "draft");
            let submit = "compliance.disclosure.submit";
            let filed = player.call(submit, &officer.principal, input).await?;
            finish(player, &officer.principal, &filed["id"], becomes).await?;
        }
        Ok(())
    }
}

async fn finish(
    player: &Player,
    officer: &Principal,
    id: &Value,
    becomes: &str,
) -> Result<(), Failure> {
    let decisions: &[(&str, &str)] = match becomes {
        "acknowledged" => &[("acknowledge", "Received and complete.")],
        "returned" => &[("return", "The registration number does not match the register.")],
        "terminated" => &[
            ("acknowledge", "Received and complete."),
            ("terminate", "The athlete cancelled within fourteen days."),
        ],
        "deleted" => {
            player.call("compliance.disclosure.delete", officer, json!({ "id": id })).await?;
            &[]
        }
        _ => &[],
    };
    for (decision, note) in decisions {
        let input = json!({ "id": id, "decision": decision, "note": note });
        player.call("compliance.disclosure.update", officer, input).await?;
    }
    Ok(())
}

fn filing(player: &Player, athlete: &Person, late: bool, submit: bool) -> Value {
    let now = player.platform.now();
    let at =
        |hours: i64| (now - TimeDelta::hours(hours)).to_rfc3339_opts(SecondsFormat::Secs, true);
    let (signed, told) = if late { (150, 20) } else { (30, 20) };
    let day = (now - TimeDelta::hours(signed)).date_naive();
    let until = day.checked_add_days(Days::new(364)).unwrap_or(day);
    json!({
        "athlete_id": athlete.id, "kind": "both", "submit": submit,
        "agent": {
            "name": "Dana Castillo", "business": "Summit Athlete Partners", "form": "llc",
            "addresses": ["1 Lake Street, Chicago, IL 60601"], "phones": ["(312) 555-0123"],
            "emails": ["dana@summit.example"], "sites": ["https://summit.example/athletes"]
        },
        "registration": {
            "state": "IL", "number": format!("AA-{:04}", 1_000 + athlete.id),
            "from": day.to_string(), "until": until.to_string()
        },
        "contract": {
            "signed_at": at(signed), "from": day.to_string(), "until": until.to_string(),
            "services": "Finds and negotiates sponsorships.", "consideration": "Ten percent.",
            "consideration_method": "Of what the athlete receives, monthly."
        },
        "warning_notice_present": true,
        "acknowledgement_signed_at": at(signed - 1),
        "notices": { "agent_at": at(told), "athlete_at": at(told - 2) }
    })
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
