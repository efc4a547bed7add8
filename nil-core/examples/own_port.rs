//! A host that sends the platform's mails by its own means: a port is a trait, and the host's type
//! stands in the settings.
//!
//! ```sh
//! cargo run -p nil-core --example own_port
//! ```

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use nil_core::api::core::registration;
use nil_core::auth::{Anyone, Caller, MasterKey, NewPartner, Principal};
use nil_core::kernel::SystemRandom;
use nil_core::ports::courier::{Channel, Courier, Later, Letter, Outcome};
use nil_core::storage::Location;
use nil_core::{Config, Platform, worker};
use serde_json::json;

type Told<T> = Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Told<()> {
    let folder = std::env::temp_dir().join(format!("nil-own-port-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let told = tour(&folder).await;
    std::fs::remove_dir_all(&folder)?;
    for line in told? {
        println!("{line}");
    }
    Ok(())
}

/// The host's mailer; this one keeps what it was given.
#[derive(Default)]
struct Mailer(Mutex<Vec<String>>);

impl Courier for Mailer {
    /// Text messages wait in the outbox.
    fn carries(&self, channel: Channel) -> bool {
        channel == Channel::Email
    }

    fn hand_over<'a>(&'a self, letter: &'a Letter) -> Later<'a> {
        Box::pin(async move {
            let subject = letter.subject.as_deref().unwrap_or_default();
            let line = format!("{} to {}: {subject}", letter.event, letter.to);
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            Outcome::Sent
        })
    }
}

/// Everything the host does; answers what its mailer was given.
pub async fn tour(folder: &Path) -> Told<Vec<String>> {
    let mailer = Arc::new(Mailer::default());
    let key = MasterKey::generate(&SystemRandom);
    let mut config = Config::new(Location::Sqlite(folder.join("nil.db")), key);
    config.data = folder.to_owned();
    config.courier = Some(mailer.clone());
    let platform = nil_core::open(config).await?;

    register(&platform).await?;
    // A host lets `worker::run` go on beside its own work; one round is enough to see a mail go
    // out.
    let round = worker::round(&platform).await?;
    platform.close().await;

    let mut told = mailer.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    told.push(format!("Tasks that failed: {}.", round.failed.len()));
    Ok(told)
}

/// Takes a brand through its registration, up to the code that is mailed to it.
async fn register(platform: &Platform) -> Told<()> {
    let start = json!({ "first_name": "Alex", "last_name": "Moreau", "phone": "+12175550100" });
    let start = serde_json::from_value(start)?;
    let anybody = Anyone(Principal::Anonymous);
    let begun = platform.call(anybody, registration::partner_start, start).await?;
    let who = platform.authenticate_registrant(begun.registration_token.expose());
    let brand = NewPartner::admit(&who.await?).ok_or("no registration")?;
    let own = json!({ "email": "brand@northfield.example", "password": "a walk along the lake" });
    let own = serde_json::from_value(own)?;
    platform.call(brand.clone(), registration::partner_credentials, own).await?;
    let company = serde_json::from_value(json!({ "company_name": "Northfield" }))?;
    platform.call(brand.clone(), registration::partner_company, company).await?;
    let category = serde_json::from_value(json!({ "business_category_id": 4 }))?;
    platform.call(brand, registration::partner_category, category).await?;
    Ok(())
}
