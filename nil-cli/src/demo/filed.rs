//! Filings of the demonstration's year about agents who do not use the platform: an officer enters
//! them from paper.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use chrono::{Days, TimeDelta};
use nil_core::kernel::utc_day;
use serde_json::{Value, json};

use super::agency::seconds;
use super::player::{Person, Player};
use super::world::World;
use crate::failure::Failure;

/// Filings that an officer of the large institution enters about agents without an account: the
/// week, the athlete, and what becomes of it.
const ENTERED: [(usize, usize, &str); 4] =
    [(16, 300, "acknowledged"), (23, 310, "terminated"), (44, 300, "deleted"), (52, 320, "draft")];

impl World {
    /// Filings about agents who do not use the platform.
    pub(crate) async fn enter(&self, player: &Player, week: usize) -> Result<(), Failure> {
        for (_, athlete, becomes) in ENTERED.iter().filter(|(at, ..)| *at == week) {
            let athlete = self.athlete(player, 0, *athlete).await?;
            let officer = &self.reviewer(0)?.principal;
            let input = entered(player, &athlete, *becomes == "draft");
            let filed = player.call("compliance.disclosure.submit", officer, input).await?;
            let id = &filed["id"];
            let acknowledge = json!({
                "id": id, "decision": "acknowledge", "note": "Received and complete."
            });
            let update = "compliance.disclosure.update";
            match *becomes {
                "acknowledged" => {
                    player.call(update, officer, acknowledge).await?;
                }
                "terminated" => {
                    player.call(update, officer, acknowledge).await?;
                    let note = "The athlete has left the sport.";
                    let over = json!({ "id": id, "decision": "terminate", "note": note });
                    player.call(update, officer, over).await?;
                }
                "deleted" => {
                    // It was entered twice.
                    let delete = json!({ "id": id });
                    player.call("compliance.disclosure.delete", officer, delete).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// A filing as an officer enters it from paper. A draft lacks the athlete's notice and part of the
/// papers.
fn entered(player: &Player, athlete: &Person, draft: bool) -> Value {
    let now = player.platform.now();
    let ago = |hours: i64| seconds(now - TimeDelta::hours(hours));
    let day = utc_day(now - TimeDelta::hours(30));
    let until = day.checked_add_days(Days::new(364)).unwrap_or(day);
    let mut filing = json!({
        "athlete_id": athlete.id, "kind": "professional", "submit": !draft,
        "agent": {
            "name": "Gloria Pennington", "business": "Pennington Sports Law", "form": "sole_proprietor",
            "addresses": ["77 River Road, Louisville, KY 40202"], "phones": ["(502) 555-0148"],
            "emails": ["gloria@pennington.example"], "sites": ["https://pennington.example"]
        },
        "registration": {
            "state": "KY", "number": format!("KY-{:04}", 1_000 + athlete.id),
            "from": day.to_string(), "until": until.to_string()
        },
        "contract": {
            "signed_at": ago(30), "from": day.to_string(), "until": until.to_string(),
            "services": "Advice about a professional career.", "consideration": "Three percent.",
            "consideration_method": "Of the salary of the first contract, when it is paid."
        },
        "warning_notice_present": true, "acknowledgement_signed_at": ago(29),
        "notices": { "agent_at": ago(20), "athlete_at": ago(18) }
    });
    if draft {
        filing["notices"]["athlete_at"] = Value::Null;
        filing["acknowledgement_signed_at"] = Value::Null;
    }
    filing
}
