//! Another service with the platform inside it: no server, no tokens, no JSON. Operations are
//! functions, callers are values the host vouches for, answers are records.
//!
//! ```sh
//! cargo run -p nil-core --example embed
//! ```
//!
//! It opens the platform on a scratch SQLite file, enters a college, takes a brand through its
//! registration, posts a job, lets it through, and reads everything back.

use std::error::Error;
use std::path::Path;

use nil_core::accounts::{Start, create_operator};
use nil_core::api::{admin, core};
use nil_core::auth::{
    Anyone, Caller, MasterKey, NewPartner, Operator, Partner, Permission, Principal,
};
use nil_core::institutions::{ListColleges, SaveCollege};
use nil_core::jobs::{ListPosted, SaveJob};
use nil_core::kernel::{Email, Followed, Password, PersonName, Phone, SystemRandom, Text};
use nil_core::notifications::list_outbox;
use nil_core::storage::Location;
use nil_core::{Config, Platform};

type Outcome<T> = Result<T, Box<dyn Error>>;

const OPERATOR: &str = "operator@host.example";
const BRAND: &str = "brand@northfield.example";

#[tokio::main]
async fn main() -> Outcome<()> {
    let folder = std::env::temp_dir().join(format!("nil-embed-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let told = tour(&folder).await;
    std::fs::remove_dir_all(&folder)?;
    for line in told? {
        println!("{line}");
    }
    Ok(())
}

/// Everything the host does; answers what it has to tell.
pub async fn tour(folder: &Path) -> Outcome<Vec<String>> {
    // A host keeps the key: with another one, tokens and sealed texts of before cannot be read.
    let key = MasterKey::generate(&SystemRandom);
    let mut config = Config::new(Location::Sqlite(folder.join("nil.db")), key);
    config.data = folder.to_owned();
    let platform = nil_core::open(config).await?;
    let mut told = vec!["The platform is open.".to_owned()];

    let operator = operator(&platform).await?;
    let college = platform.call(operator.clone(), admin::college::save, college()?).await?;
    told.push(format!("College {}: {}.", college.id, college.name));

    let partner = register(&platform).await?;
    told.push(format!("Brand {}: {BRAND}.", partner.id));

    // A long input reads well as JSON; it is checked field by field like a request's body.
    let saved = platform.call(partner, core::job::save, job(platform.now())?).await?;
    let job = &saved.job;
    told.push(format!("Job {}: {} ({}).", job.id, job.title, job.status));
    let open = serde_json::json!({ "job_id": job.id, "status": "open" });
    let open = serde_json::from_value(open)?;
    platform.call(operator, admin::job::decide_pending, open).await?;

    // What the caller may not do does not compile: `core::job::save` takes nobody but a Partner.
    // What is wrong with an input or a record is an error with a stable code.
    let wrong: SaveJob = serde_json::from_value(serde_json::json!({ "title": "No more" }))?;
    if let Err(refusal) = platform.call(partner, core::job::save, wrong).await {
        told.push(format!("Refused: {} ({}).", refusal.code(), refusal.message()));
    }

    let all: Followed<ListPosted> = serde_json::from_value(serde_json::json!({}))?;
    let posted = platform.call(partner, core::job::posted, all).await?;
    for posted in &posted.items {
        told.push(format!("Posted: {} ({}).", posted.job.title, posted.job.status));
    }
    let anybody = Anyone(Principal::Anonymous);
    let listed = Followed::<ListColleges>::default();
    let listed = platform.call(anybody, core::public::colleges, listed).await?;
    told.push(format!("Colleges to choose from: {}.", listed.items.len()));

    platform.close().await;
    Ok(told)
}

/// The first operator, and what they are let in as.
async fn operator(platform: &Platform) -> Outcome<Operator> {
    let email = Email::new(OPERATOR)?;
    let name = Text::new("Sam Okafor")?;
    let password = Password::new("a long enough passphrase")?;
    create_operator(platform, email, name, vec![Permission::All], password).await?;
    // Whoever opens the database may act as any account in it; the audit trail says who.
    let who = platform.vouch_for("operator", OPERATOR).await?;
    Operator::admit(&who).ok_or_else(|| "no operator".into())
}

fn college() -> Outcome<SaveCollege> {
    Ok(SaveCollege {
        id: None,
        name: Text::new("Lakeshore State University")?,
        short_name: None,
        slug: None,
        conference: None,
        division: "D1".parse()?,
        state: Text::new("IL")?,
        time_zone: Text::new("America/Chicago")?,
        email_domains: None,
        listed: None,
        participation: None,
        revision: None,
    })
}

fn job(now: nil_core::kernel::Time) -> Outcome<SaveJob> {
    let due_on = nil_core::kernel::utc_day(now) + chrono::Days::new(30);
    Ok(serde_json::from_value(serde_json::json!({
        "title": "Game day reel", "description": "One reel on game day.",
        "category_id": 1, "compensation": "cash", "amount_cents": 125_000, "slots": 2,
        "business_purpose": "Introduce the autumn collection.",
        "milestones": [{
            "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": due_on,
        }],
    }))?)
}

/// Takes a brand through its registration: a token carries it, a mailed code ends it.
async fn register(platform: &Platform) -> Outcome<Partner> {
    let start = Start {
        first_name: Some(PersonName::new("Alex")?),
        last_name: Some(PersonName::new("Moreau")?),
        phone: Some(Phone::new("+12175550100")?),
        referral_code: None,
    };
    let anybody = Anyone(Principal::Anonymous);
    let begun = platform.call(anybody, core::registration::partner_start, start).await?;
    let who = platform.authenticate_registrant(begun.registration_token.expose());
    let brand = NewPartner::admit(&who.await?).ok_or("no registration")?;

    let steps = serde_json::json!({ "email": BRAND, "password": "a walk along the lake" });
    let credentials = serde_json::from_value(steps)?;
    platform.call(brand.clone(), core::registration::partner_credentials, credentials).await?;
    let company = serde_json::from_value(serde_json::json!({ "company_name": "Northfield" }))?;
    platform.call(brand.clone(), core::registration::partner_company, company).await?;
    let category = serde_json::from_value(serde_json::json!({ "business_category_id": 4 }))?;
    platform.call(brand.clone(), core::registration::partner_category, category).await?;

    let otp = serde_json::json!({ "otp": mailed_code(platform).await? });
    let verify = serde_json::from_value(otp)?;
    platform.call(brand, core::registration::partner_verify, verify).await?;
    let who = platform.vouch_for("partner", BRAND).await?;
    Partner::admit(&who).ok_or_else(|| "no brand".into())
}

/// The code in the mail that waits to be sent. A host with a mailer of its own sends it instead.
async fn mailed_code(platform: &Platform) -> Outcome<String> {
    let rows = list_outbox(platform, 10).await?;
    let mail = rows.into_iter().find(|row| row.event == "otp.sent" && row.to == BRAND);
    let body = mail.and_then(|mail| mail.body).ok_or("no mail")?;
    let code = body.split(|letter: char| !letter.is_ascii_digit()).find(|run| run.len() == 6);
    Ok(code.ok_or("no code")?.to_owned())
}
