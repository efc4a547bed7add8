//! `nil serve --demo`: a year of sample data. Everything but the athletes of the teams, who would take too long to
//! register, comes from the operations that users call.
//!
//! The same day gives the same figures: the year ends with the first instant of the day (UTC) on which it is made.

use std::sync::Arc;

use chrono::TimeDelta;
use indicatif::ProgressBar;
use nil_core::auth::Principal;
use nil_core::error::codes;
use nil_core::kernel::{FixedClock, Password, midnight};
use nil_core::ports::courier::{Channel, Courier, Later, Letter, Outcome};
use nil_core::seed::teams;
use nil_core::{Config, Error, Platform};
use serde_json::{Value, json};

use super::people::{self, AGENCIES, BRANDS, REGISTERED, slug};
use super::player::{self, PASSWORD, Person, Player};
use super::progress;
use super::year::Deals;
use crate::failure::Failure;
use crate::show::Sheet;

/// Invented colleges: name, conference, division, state, time zone. The first three have athletes.
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

/// The class years of those who register.
const CLASS_YEARS: [&str; 4] = ["freshman", "sophomore", "junior", "senior"];
/// The number of institutions with athletes and officers.
const WITH_ATHLETES: usize = 3;
/// The weeks of the year.
const WEEKS: usize = 52;

/// Fills an empty database and prints its accounts. Refuses any other database.
pub(crate) async fn fill(config: &Config) -> Result<(), Failure> {
    let end = midnight(config.clock.now().date_naive());
    let begin = end - TimeDelta::days(365);
    let clock = Arc::new(FixedClock::new(begin));
    let mut past = config.clone();
    past.clock = clock.clone();
    past.courier = Some(Arc::new(Nobody));
    let platform = Platform::open(past).await?;
    nil_core::seed::must_be_empty(&platform).await.map_err(in_use)?;
    let people = COLLEGES.len() + BRANDS.len() + AGENCIES.len() + REGISTERED.len();
    let bar = progress(false, u64::try_from(people + WEEKS + 1).unwrap_or_default());
    let player = Player::new(platform.clone());
    let world = World::people(&player, &bar).await?;
    bar.set_message("a year of deals");
    let mut deals = Deals::default();
    for week in 0..=WEEKS {
        let last = week == WEEKS;
        let day = begin + TimeDelta::days(1 + 7 * i64::try_from(week).unwrap_or_default());
        let at = if last { end } else { day + TimeDelta::hours(16) };
        clock.advance(at - platform.now());
        world.go_on(&player, week).await?;
        deals.week(&player, &world, week, last).await?;
        world.disclose(&player, week).await?;
        world.file(&player, week).await?;
        if !last {
            clock.advance(TimeDelta::days(3));
            world.review(&player, week + 2 >= WEEKS).await?;
        }
        nil_core::worker::round(&platform).await?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    platform.close().await;
    world.print();
    Ok(())
}

/// Takes every message and delivers none: nobody reads the mails of invented people.
#[derive(Debug)]
struct Nobody;

impl Courier for Nobody {
    fn carries(&self, _: Channel) -> bool {
        true
    }

    fn hand_over<'a>(&'a self, _: &'a Letter) -> Later<'a> {
        Box::pin(async { Outcome::Sent })
    }
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

/// The people of the demonstration.
pub(crate) struct World {
    pub(crate) operator: Principal,
    pub(crate) officers: Vec<Person>,
    pub(crate) agents: Vec<Person>,
    brands: Vec<Person>,
    /// Those who registered.
    athletes: Vec<Person>,
    /// Name and e-mail of the athletes of each institution.
    rosters: Vec<Vec<(String, String)>>,
}

impl World {
    async fn people(player: &Player, bar: &ProgressBar) -> Result<Self, Failure> {
        let operator = player::operator(&player.platform, "operator@nil.example").await?;
        let (mut colleges, mut officers) = (Vec::new(), Vec::new());
        for (number, (name, conference, division, state, time_zone)) in COLLEGES.iter().enumerate()
        {
            bar.set_message(*name);
            let college = json!({
                "name": name, "conference": conference, "division": division, "state": state,
                "time_zone": time_zone
            });
            let saved = player.call("admin.college.save", &operator, college).await?;
            let id = number_of(&saved, "id");
            if number < WITH_ATHLETES {
                let email = format!("compliance@{}.example", slug(name));
                officers.push(player.officer(&operator, id, "Dana Whitfield", &email).await?);
                colleges.push(id);
            }
            bar.inc(1);
        }
        // The first two look at every deal that was made elsewhere.
        for officer in officers.iter().take(2) {
            let rules = json!({ "approval": { "requirement": "all" } });
            player.call("compliance.college.save_settings", &officer.principal, rules).await?;
        }
        let brands = Self::brands(player, bar).await?;
        let agents = Self::agents(player, bar).await?;
        let athletes = Self::registered(player, bar, &officers, &colleges).await?;
        let today = player.platform.now().date_naive();
        let members = people::members(&colleges, today);
        let password = Password::new(PASSWORD).map_err(|why| Error::invalid("password", why))?;
        teams::enter(&player.platform, &members, &password).await?;
        let mut rosters = Vec::new();
        for (index, college) in colleges.iter().enumerate() {
            let own = REGISTERED.iter().zip(&athletes).filter(|((.., at), _)| *at == index);
            let own = own.map(|(_, person)| (person.name.clone(), person.email.clone()));
            let team = members.iter().filter(|member| member.college == *college);
            let team = team
                .map(|one| (format!("{} {}", one.first_name, one.last_name), one.email.clone()));
            rosters.push(own.chain(team).collect());
        }
        Ok(Self { operator, officers, agents, brands, athletes, rosters })
    }

    async fn brands(player: &Player, bar: &ProgressBar) -> Result<Vec<Person>, Failure> {
        let mut brands = Vec::new();
        for (number, (company, contact)) in (1..).zip(BRANDS) {
            let email = format!("brand@{}.example", slug(company));
            let brand = player.partner(company, contact, &email, number).await?;
            let card = json!({ "processor_token": "tok_4242424242424242" });
            player.call("core.partner.add_payment_method", &brand.principal, card).await?;
            brands.push(brand);
            bar.inc(1);
        }
        Ok(brands)
    }

    async fn agents(player: &Player, bar: &ProgressBar) -> Result<Vec<Person>, Failure> {
        let mut agents = Vec::new();
        for (agency, name) in AGENCIES {
            let email = format!("agent@{}.example", slug(agency));
            let agent = player.agent(agency, name, &email).await?;
            let terms = json!({ "terms_version": 1 });
            player.call("core.agent.accept_contract", &agent.principal, terms).await?;
            agents.push(agent);
            bar.inc(1);
        }
        Ok(agents)
    }

    async fn registered(
        player: &Player,
        bar: &ProgressBar,
        officers: &[Person],
        colleges: &[i64],
    ) -> Result<Vec<Person>, Failure> {
        let Some(officer) = officers.first() else {
            return Ok(Vec::new());
        };
        let sports = player.call("compliance.filter.sports", &officer.principal, json!({})).await?;
        let mut athletes = Vec::new();
        for (number, (name, gender, team, followers, college)) in REGISTERED.iter().enumerate() {
            let sports = sports.as_array().into_iter().flatten();
            let sport = sports.clone().find(|sport| sport.get("label") == Some(&json!(team)));
            let sport = sport.map(|sport| number_of(sport, "value")).unwrap_or_default();
            let college = colleges.get(*college).copied().unwrap_or_default();
            let seed = u64::try_from(number).unwrap_or_default();
            let born = people::born(number % 4, seed, player.platform.now().date_naive());
            let person = json!({
                "date_of_birth": born.to_string(), "gender": gender, "hometown_state": "IL",
                "socials": [{
                    "platform": "instagram", "handle": slug(name), "followers": followers
                }]
            });
            let email = format!("{}@students.example", slug(name));
            let class_year = people::pick(&CLASS_YEARS, number).unwrap_or_default();
            let team = (college, sport, class_year);
            athletes.push(player.athlete(name, &email, team, person).await?);
            bar.inc(1);
        }
        Ok(athletes)
    }

    /// One of the brands, by a number.
    pub(crate) fn brand(&self, number: usize) -> Result<Person, Failure> {
        let at = number.checked_rem(self.brands.len()).unwrap_or_default();
        let brand = self.brands.get(at).cloned();
        brand.ok_or_else(|| Failure::Broken("there are no brands".into()))
    }

    /// One of the athletes of an institution, by a number.
    pub(crate) async fn athlete(
        &self,
        player: &Player,
        college: usize,
        number: usize,
    ) -> Result<Person, Failure> {
        let roster = self.rosters.get(college).map(Vec::as_slice).unwrap_or_default();
        let at = number.checked_rem(roster.len()).unwrap_or_default();
        match roster.get(at) {
            Some((name, email)) => player.known("athlete", name, email).await,
            None => Err(Failure::Broken("an institution without athletes".into())),
        }
    }

    fn print(&self) {
        let mut sheet = Sheet::new(["who", "e-mail", "password"]);
        sheet.row(["operator", "operator@nil.example", PASSWORD]);
        for (kind, people) in [
            ("compliance officer", &self.officers),
            ("brand", &self.brands),
            ("athlete", &self.athletes),
            ("agent", &self.agents),
        ] {
            for person in people.iter().take(3) {
                let who = format!("{kind}: {}", person.name);
                sheet.row([who.as_str(), &person.email, PASSWORD]);
            }
        }
        sheet.draw();
    }
}

fn number_of(value: &Value, name: &str) -> i64 {
    value.get(name).and_then(Value::as_i64).unwrap_or_default()
}
