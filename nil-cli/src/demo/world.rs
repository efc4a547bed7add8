//! `nil serve --demo`: a year of sample data. Everything but the athletes of the teams, who would
//! take too long to register, comes from the operations that users call.
//!
//! The same day gives the same figures: the year ends with the first instant of the day (UTC) on
//! which it is made.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{Days, TimeDelta};
use indicatif::ProgressBar;
use nil_core::auth::Principal;
use nil_core::error::codes;
use nil_core::kernel::{FixedClock, Password, midnight, utc_day};
use nil_core::ports::courier::{Channel, Courier, Later, Letter, Outcome};
use nil_core::ports::social_metrics::Sandbox;
use nil_core::seed::teams;
use nil_core::{Config, Error};
use serde_json::{Value, json};

use super::agency::Agency;
use super::paperwork::Papers;
use super::people::{self, AGENCIES, BRANDS, FANS, OFFICERS, REGISTERED, slug};
use super::player::{self, PASSWORD, Person, Player};
use super::year::Deals;
use super::{profile, progress, taxes, year};
use crate::failure::Failure;

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

/// The name of the invented marketplace, and its address for support.
const SITE: (&str, &str) = ("Campus Deals", "help@campusdeals.example");

/// The class years of those who register.
const CLASS_YEARS: [&str; 4] = ["freshman", "sophomore", "junior", "senior"];
/// The number of institutions with athletes and officers.
const WITH_ATHLETES: usize = 3;
/// The weeks of the year.
pub(super) const WEEKS: usize = 52;

/// Fills an empty database and prints its accounts. Refuses any other database.
pub(crate) async fn fill(config: &Config) -> Result<(), Failure> {
    let end = midnight(utc_day(config.clock.now()));
    let begin = end - TimeDelta::days(365);
    let clock = Arc::new(FixedClock::new(begin));
    let mut past = config.clone();
    past.clock = clock.clone();
    past.courier = Some(Arc::new(Nobody));
    past.social_metrics = Some(Arc::new(Sandbox));
    let platform = nil_core::open(past).await?;
    nil_core::seed::must_be_empty(&platform).await.map_err(in_use)?;
    let officers = OFFICERS.len() + FANS.len();
    let people = COLLEGES.len() + officers + BRANDS.len() + AGENCIES.len() + REGISTERED.len();
    let bar = progress(false, u64::try_from(people + WEEKS + 1).unwrap_or_default());
    let player = Player::new(platform.clone());
    let world = World::people(&player, &bar).await?;
    bar.set_message("a year of deals");
    let (mut deals, mut agency, mut papers) =
        (Deals::default(), Agency::default(), Papers::default());
    for week in 0..=WEEKS {
        let last = week == WEEKS;
        let day = begin + TimeDelta::days(1 + 7 * i64::try_from(week).unwrap_or_default());
        let at = if last { end } else { day + TimeDelta::hours(16) };
        clock.advance(at - platform.now());
        agency.week(&player, &world, week).await?;
        world.go_on(&player, week).await?;
        deals.week(&player, &world, week, last).await?;
        papers.disclose(&player, &world, week).await?;
        world.enter(&player, week).await?;
        if !last {
            clock.advance(TimeDelta::days(1));
            agency.next_day(&player, &world, week).await?;
            // Stories are up for a day only.
            nil_core::deals::watch_posts(&platform).await?;
            clock.advance(TimeDelta::days(2));
            agency.review(&player, &world, week).await?;
            papers.review(&player, &world, week).await?;
        }
        nil_core::worker::round(&platform).await?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    platform.close().await;
    world.print(config);
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

/// A portal user with the role there, and whether it covers every sport.
#[derive(Debug)]
struct Officer {
    college: usize,
    role: &'static str,
    everywhere: bool,
    person: Person,
}

/// The people of the demonstration.
pub(crate) struct World {
    pub(crate) operator: Principal,
    /// The institutions with athletes.
    pub(crate) colleges: Vec<i64>,
    officers: Vec<Officer>,
    pub(super) agents: Vec<Person>,
    pub(super) brands: Vec<Person>,
    pub(super) fans: Vec<Person>,
    /// Those who registered.
    pub(super) athletes: Vec<Person>,
    /// Name and e-mail of the athletes of each institution.
    rosters: Vec<Vec<(String, String)>>,
}

impl World {
    async fn people(player: &Player, bar: &ProgressBar) -> Result<Self, Failure> {
        let operator = player::operator(&player.platform, "operator@nil.example").await?;
        let site = json!({ "name": SITE.0, "support_email": SITE.1 });
        player.call("admin.site.save_basic", &operator, site).await?;
        let mut colleges = Vec::new();
        for (name, conference, division, state, time_zone) in COLLEGES {
            bar.set_message(name);
            let college = json!({
                "name": name, "conference": conference, "division": division, "state": state,
                "time_zone": time_zone
            });
            let saved = player.call("admin.college.save", &operator, college).await?;
            colleges.push(number_of(&saved, "id"));
            bar.inc(1);
        }
        colleges.truncate(WITH_ATHLETES);
        let officers = Self::officers(player, bar, &operator, &colleges).await?;
        let Some(first) = officers.first() else {
            return Err(Failure::Broken("there are no officers".into()));
        };
        let sports = player.sports(&first.person).await?;
        let brands = Self::brands(player, bar).await?;
        let agents = Self::agents(player, bar).await?;
        let athletes = Self::registered(player, bar, &sports, &colleges).await?;
        let mut fans = Vec::new();
        for (name, college) in FANS {
            let email = format!("{}@fans.example", slug(name));
            let college = colleges.get(college).copied().unwrap_or_default();
            fans.push(player.fan(name, &email, college).await?);
            bar.inc(1);
        }
        let today = utc_day(player.platform.now());
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
        let world = Self { operator, colleges, officers, agents, brands, fans, athletes, rosters };
        world.follow(player).await?;
        Ok(world)
    }

    async fn officers(
        player: &Player,
        bar: &ProgressBar,
        operator: &Principal,
        colleges: &[i64],
    ) -> Result<Vec<Officer>, Failure> {
        let mut officers: Vec<Officer> = Vec::new();
        for (college, name, local, role, sports) in OFFICERS {
            let ids = match officers.first() {
                Some(first) if !sports.is_empty() => {
                    let all = player.sports(&first.person).await?;
                    sports.iter().filter_map(|sport| all.get(*sport).copied()).collect()
                }
                _ => Vec::new(),
            };
            let school = COLLEGES.get(college).map(|(name, ..)| slug(name)).unwrap_or_default();
            let email = format!("{local}@{school}.example");
            let id = colleges.get(college).copied().unwrap_or_default();
            let person = player.officer(operator, (id, role, ids.as_slice()), name, &email).await?;
            // The first two institutions look at every deal that was made elsewhere.
            if role == "owner" && college < 2 {
                let rules = json!({ "approval": { "requirement": "all" } });
                player.call("compliance.college.save_settings", &person.principal, rules).await?;
            }
            officers.push(Officer { college, role, everywhere: sports.is_empty(), person });
            bar.inc(1);
        }
        Ok(officers)
    }

    async fn brands(player: &Player, bar: &ProgressBar) -> Result<Vec<Person>, Failure> {
        let mut brands = Vec::new();
        for (number, (company, contact, category, about)) in BRANDS.iter().enumerate() {
            let email = format!("brand@{}.example", slug(company));
            let brand = player.partner(company, contact, &email, *category).await?;
            let card = json!({ "processor_token": "tok_4242424242424242" });
            player.call("core.partner.add_payment_method", &brand.principal, card).await?;
            taxes::as_payer(player, &brand.principal, number).await?;
            let profile = json!({
                "about": about, "website": format!("https://{}.example", slug(company)),
                "hq_city": "Chicago", "hq_state": "IL"
            });
            player.call("core.partner.edit", &brand.principal, profile).await?;
            brands.push(brand);
            bar.inc(1);
        }
        Ok(brands)
    }

    async fn agents(player: &Player, bar: &ProgressBar) -> Result<Vec<Person>, Failure> {
        let mut agents = Vec::new();
        let today = utc_day(player.platform.now());
        let until = today.checked_add_days(Days::new(800)).unwrap_or(today);
        for (agency, name, state, number, ..) in AGENCIES {
            let email = format!("agent@{}.example", slug(agency));
            let agent = player.agent(agency, name, &email).await?;
            let terms = json!({ "terms_version": 1 });
            player.call("core.agent.accept_contract", &agent.principal, terms).await?;
            let licence = json!({ "certifications": [{
                "body": "Register of athlete agents", "number": number, "state": state,
                "expires_on": until.to_string()
            }] });
            player.call("core.agent.edit", &agent.principal, licence).await?;
            taxes::hand_in(player, &agent).await?;
            year::connect(player, &agent.principal).await?;
            let daily = json!({ "preference": "standard" });
            player.call("core.payout_account.set_preference", &agent.principal, daily).await?;
            agents.push(agent);
            bar.inc(1);
        }
        Ok(agents)
    }

    async fn registered(
        player: &Player,
        bar: &ProgressBar,
        sports: &HashMap<String, i64>,
        colleges: &[i64],
    ) -> Result<Vec<Person>, Failure> {
        let mut athletes = Vec::new();
        for (number, (name, gender, team, followers, college)) in REGISTERED.iter().enumerate() {
            let before = REGISTERED.iter().take(number);
            let place = before.filter(|(.., of, _, at)| of == team && at == college).count();
            let sport = sports.get(*team).copied().unwrap_or_default();
            let college = colleges.get(*college).copied().unwrap_or_default();
            let seed = u64::try_from(number).unwrap_or_default();
            let born = people::born(number % 4, seed, utc_day(player.platform.now()));
            let (city, state) = profile::hometown(number);
            let person = json!({
                "date_of_birth": born.to_string(), "gender": gender, "hometown_city": city,
                "hometown_state": state, "bio": profile::words(number),
                "socials": [{
                    "platform": "instagram", "handle": slug(name), "followers": followers
                }]
            });
            let email = format!("{}@students.example", slug(name));
            let class_year = people::pick(&CLASS_YEARS, number).unwrap_or_default();
            let athlete =
                player.athlete(name, &email, (college, sport, class_year), person).await?;
            let more = json!({
                "position": profile::position(team, place),
                "jersey_number": profile::jersey(team, place)
            });
            player.call("core.athlete.edit", &athlete.principal, more).await?;
            athletes.push(athlete);
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

    /// The agent of this number.
    pub(crate) fn agent(&self, number: usize) -> Result<&Person, Failure> {
        self.agents.get(number).ok_or_else(|| Failure::Broken("there is no such agent".into()))
    }

    /// The owner of an institution's portal.
    pub(crate) fn owner(&self, college: usize) -> Result<&Person, Failure> {
        let mut officers = self.officers.iter().filter(|one| one.college == college);
        let owner = officers.find(|one| one.role == "owner").map(|one| &one.person);
        owner.ok_or_else(|| Failure::Broken("an institution without officers".into()))
    }

    /// Who decides at an institution: an officer for every sport, or else the owner.
    pub(crate) fn reviewer(&self, college: usize) -> Result<&Person, Failure> {
        let mut officers = self.officers.iter().filter(|one| one.college == college);
        match officers.find(|one| one.role == "officer" && one.everywhere) {
            Some(officer) => Ok(&officer.person),
            None => self.owner(college),
        }
    }

    /// Whether this is the one athlete who was paid and has handed in no tax form.
    pub(crate) fn lacks_tax_form(&self, athlete: &Person) -> bool {
        self.athletes.get(1).is_some_and(|one| one.id == athlete.id)
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
}

fn number_of(value: &Value, name: &str) -> i64 {
    value.get(name).and_then(Value::as_i64).unwrap_or_default()
}
