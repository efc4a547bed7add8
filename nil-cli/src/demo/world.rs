//! `nil serve --demo`: sample data for one year, created through the operations.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use std::sync::Arc;

use chrono::TimeDelta;
use indicatif::ProgressBar;
use nil_core::auth::Principal;
use nil_core::error::codes;
use nil_core::kernel::FixedClock;
use nil_core::payments;
use nil_core::{Config, Error, Platform};
use serde_json::{Value, json};

use super::deal::job;
use super::player::{self, PASSWORD, Person, Player};
use super::progress;
use crate::failure::Failure;
use crate::show::Sheet;

/// Invented colleges: name, conference, division, state, time zone.
const COLLEGES: [(&str, &str, &str, &str, &str); 12] = [
    ("Lakeshore State University", "Great Plains", "D1", "IL", "America/Chicago"),
    ("Redwood Coast University", "Pacific Crest", "D1", "CA", "America/Los_Angeles"),
    ("Bluegrass Technical University", "Mid-South", "D1", "KY", "America/New_York"),
    ("Copper Basin State", "Desert Sun", "D1", "AZ", "America/Phoenix"),
    ("Piedmont Methodist University", "Mid-South", "D1", "NC", "America/New_York"),
    ("Harbor City College", "Colonial Shore", "D2", "MA", "America/New_York"),
    ("Prairie View Polytechnic", "Great Plains", "D2", "NE", "America/Chicago"),
    ("Summit Ridge University", "Pacific Crest", "D1", "CO", "America/Denver"),
    ("Bayou Parish University", "Gulf States", "D1", "LA", "America/Chicago"),
    ("Granite Valley College", "Colonial Shore", "D3", "NH", "America/New_York"),
    ("Palmetto A&M", "Gulf States", "D1", "FL", "America/New_York"),
    ("Cedar Falls Community College", "Great Plains", "NJCAA", "IA", "America/Chicago"),
];

const BRANDS: [(&str, &str); 6] = [
    ("Northfield Outdoor", "Alex Moreau"),
    ("Maple Street Coffee", "Priya Nair"),
    ("Ironwood Fitness", "Tom Becker"),
    ("Brightside Dental", "Grace Lindqvist"),
    ("Halyard Sportswear", "Omar Haddad"),
    ("Parkway Motors", "Lena Fischer"),
];

const ATHLETES: [(&str, &str, i64); 16] = [
    ("Jordan Rivera", "female", 18_400),
    ("Malik Johnson", "male", 52_000),
    ("Sofia Almeida", "female", 7_300),
    ("Tyler Brooks", "male", 3_900),
    ("Amara Okoye", "female", 96_500),
    ("Ethan Novak", "male", 12_100),
    ("Camille Dubois", "female", 23_800),
    ("Diego Herrera", "male", 41_200),
    ("Hannah Schultz", "female", 5_600),
    ("Kenji Tanaka", "male", 15_700),
    ("Zoe Papadakis", "female", 33_000),
    ("Marcus Bell", "male", 8_800),
    ("Ingrid Larsen", "female", 11_400),
    ("Andre Thompson", "male", 68_900),
    ("Nadia Petrova", "female", 19_900),
    ("Caleb Wright", "male", 2_700),
];

const CAMPAIGNS: [(&str, i64); 6] = [
    ("Season opener posts", 80_000),
    ("Morning coffee story", 25_000),
    ("Gym session reel", 60_000),
    ("Smile campaign", 45_000),
    ("Autumn jacket launch", 125_000),
    ("Test drive weekend", 150_000),
];

/// Deals in the past year; the last ones are still under way.
const DEALS: usize = 28;

/// Fills an empty database and prints its accounts. Refuses any other database.
pub(crate) async fn fill(config: &Config) -> Result<(), Failure> {
    let begin = config.clock.now() - TimeDelta::days(365);
    let clock = Arc::new(FixedClock::new(begin));
    let mut past = config.clone();
    past.clock = clock.clone();
    // Nobody reads the mails of invented people.
    past.courier = None;
    let platform = Platform::open(past).await?;
    nil_core::seed::must_be_empty(&platform).await.map_err(in_use)?;
    let bar = progress(false, u64::try_from(COLLEGES.len() + DEALS + 22).unwrap_or_default());
    let player = Player::new(platform.clone());
    let world = World::people(&player, &bar).await?;
    for number in 0..DEALS {
        clock.advance(TimeDelta::days(12));
        bar.set_message("a year of deals");
        world.deal(&player, number).await?;
        bar.inc(1);
        if number % 4 == 3 {
            nil_core::worker::round(&platform).await?;
        }
    }
    nil_core::worker::round(&platform).await?;
    bar.finish_and_clear();
    platform.close().await;
    world.print();
    Ok(())
}

/// What to do about a database that is in use.
fn in_use(error: Error) -> Error {
    if !error.is(codes::DUPLICATE) {
        return error;
    }
    codes::DUPLICATE.saying(format!(
        "{} To serve what is in it, leave out `--demo`. To see the sample data, name another folder: \
         `nil serve --demo --data demo-data`.",
        error.message()
    ))
}

struct World {
    operator: Principal,
    officers: Vec<Person>,
    brands: Vec<Person>,
    athletes: Vec<Person>,
}

impl World {
    async fn people(player: &Player, bar: &ProgressBar) -> Result<Self, Failure> {
        let operator = player::operator(&player.platform, "operator@nil.example").await?;
        let mut colleges = Vec::new();
        let mut officers = Vec::new();
        for (name, conference, division, state, time_zone) in COLLEGES {
            bar.set_message(name);
            let college = json!({
                "name": name, "conference": conference, "division": division, "state": state,
                "time_zone": time_zone
            });
            let saved = player.call("admin.college.save", &operator, college).await?;
            let id = saved["id"].as_i64().unwrap_or_default();
            let email = format!("compliance@{}.example", slug(name));
            officers.push(player.officer(&operator, id, "Dana Whitfield", &email).await?);
            colleges.push(id);
            bar.inc(1);
        }
        let mut brands = Vec::new();
        for (number, (company, contact)) in (1..).zip(BRANDS) {
            let email = format!("brand@{}.example", slug(company));
            let brand = player.partner(company, contact, &email, number).await?;
            let card = json!({ "processor_token": "tok_4242424242424242" });
            player.call("core.partner.add_payment_method", &brand.principal, card).await?;
            brands.push(brand);
            bar.inc(1);
        }
        let mut athletes = Vec::new();
        for (number, (name, gender, followers)) in (1..).zip(ATHLETES) {
            let college = colleges.iter().cycle().nth(number / 2).copied().unwrap_or_default();
            let sport = i64::try_from(number % 8 + 1).unwrap_or(1);
            let person = json!({
                "date_of_birth": format!("200{}-0{}-15", 3 + number % 4, 1 + number % 9),
                "gender": gender, "hometown_state": "IL",
                "socials": [{
                    "platform": "instagram", "handle": slug(name), "followers": followers
                }]
            });
            let email = format!("{}@students.example", slug(name));
            athletes.push(player.athlete(name, &email, college, sport, person).await?);
            bar.inc(1);
        }
        Ok(Self { operator, officers, brands, athletes })
    }

    /// One deal; how far it gets depends on its start date.
    async fn deal(&self, player: &Player, number: usize) -> Result<(), Failure> {
        let at = |people: &[Person], n: usize| people.iter().cycle().nth(n).cloned();
        let (Some(brand), Some(athlete), Some(second)) = (
            at(&self.brands, number),
            at(&self.athletes, number * 5),
            at(&self.athletes, number * 5 + 1),
        ) else {
            return Ok(());
        };
        let (brand, hired) = (&brand.principal, &athlete.principal);
        let stage = DEALS - number;
        let (title, amount) = CAMPAIGNS.iter().cycle().nth(number).copied().unwrap_or_default();
        let amount = amount + i64::try_from(number).unwrap_or_default() * 500;
        let today = player.platform.now().date_naive();
        let posted = player.call("core.job.save", brand, job(title, amount, 2, today)).await?;
        if stage == 1 {
            return Ok(()); // waiting for an operator's approval
        }
        let id = &posted["id"];
        let open = json!({ "job_id": id, "status": "open" });
        player.call("admin.job.decide_pending", &self.operator, open).await?;
        let apply = json!({ "job_id": id, "pitch": "I would love to." });
        let application = player.call("core.application.apply", hired, apply.clone()).await?;
        player.call("core.application.apply", &second.principal, apply).await?;
        if stage <= 3 {
            return Ok(()); // waiting for the brand
        }
        let hire = json!({ "id": application["id"] });
        player.call("core.application.hire", brand, hire).await?;
        if stage == 4 {
            return Ok(()); // waiting for the athlete
        }
        let job = json!({ "job_id": id });
        player.call("core.contract.confirm_availability", hired, job.clone()).await?;
        let list = player.call("core.deliverable.outstanding", hired, job.clone()).await?;
        for deliverable in list.as_array().into_iter().flatten() {
            let post = json!({
                "deliverable_id": deliverable["id"],
                "post_url": format!("https://www.instagram.com/p/nil{number}{}/", deliverable["id"]),
                "caption": "Proud to be part of it #ad"
            });
            player.call("core.deliverable.submit", hired, post).await?;
            if stage > 6 {
                let fine = json!({ "deliverable_id": deliverable["id"], "status": "approved" });
                player.call("core.deliverable.change_status", brand, fine).await?;
            }
        }
        if stage > 8 {
            self.settle(player, brand, &athlete, id, number).await?;
        }
        Ok(())
    }

    async fn settle(
        &self,
        player: &Player,
        brand: &Principal,
        athlete: &Person,
        job: &Value,
        number: usize,
    ) -> Result<(), Failure> {
        let pay = json!({ "athlete_id": athlete.id, "job_id": job });
        player.call("core.payment.pay_with_saved_card", brand, pay).await?;
        if number % 3 == 2 {
            return Ok(()); // the money stays in the wallet
        }
        let connect = "core.payout_account.create_express";
        let account = player.call(connect, &athlete.principal, json!({})).await?;
        let url = account["onboarding_url"].as_str().unwrap_or_default();
        payments::sandbox::open_onboarding(&player.platform, url).await?;
        player.call("core.payout_account.status", &athlete.principal, json!({})).await?;
        player.call("admin.payout.trigger", &self.operator, json!({ "id": athlete.id })).await?;
        Ok(())
    }

    fn print(&self) {
        let mut sheet = Sheet::new(["who", "e-mail", "password"]);
        sheet.row(["operator", "operator@nil.example", PASSWORD]);
        for (kind, people) in [
            ("compliance officer", &self.officers),
            ("brand", &self.brands),
            ("athlete", &self.athletes),
        ] {
            for person in people.iter().take(3) {
                let who = format!("{kind}: {}", person.name);
                sheet.row([who.as_str(), &person.email, PASSWORD]);
            }
        }
        sheet.draw();
    }
}

fn slug(name: &str) -> String {
    name.to_lowercase().split(|c: char| !c.is_ascii_alphanumeric()).collect::<Vec<_>>().join("")
}
