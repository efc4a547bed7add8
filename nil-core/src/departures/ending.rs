//! Ends what a person who leaves has begun, through the records' own machines.

use super::departure::Profile;
use crate::agents::ending as representations;
use crate::error::Result;
use crate::jobs::{Job, applying, closing as jobs};
use crate::operation::Work;
use crate::payments::ledger::Owner;
use crate::payments::subscriptions::subscribing;

/// Withdraws an athlete's applications, which are locked before the athlete.
pub(super) async fn end_first(work: &mut Work, profile: Profile) -> Result<()> {
    match profile {
        Profile::Athlete(athlete) => applying::withdraw_all(work, athlete).await,
        Profile::Partner(_) | Profile::Agent(_) | Profile::Fan => Ok(()),
    }
}

/// Locks a brand's jobs, so that nobody is hired for them any more.
pub(super) async fn lock_open_jobs(work: &mut Work, profile: Profile) -> Result<Vec<Job>> {
    match profile {
        Profile::Partner(partner) => jobs::lock_open_of(work, partner).await,
        Profile::Athlete(_) | Profile::Agent(_) | Profile::Fan => Ok(Vec::new()),
    }
}

/// Cancels a brand's jobs, ends representations, and lets a subscription end.
pub(super) async fn end_rest(work: &mut Work, profile: Profile, open: &[Job]) -> Result<()> {
    match profile {
        Profile::Athlete(athlete) => representations::end_all_of_athlete(work, athlete).await,
        Profile::Agent(agent) => {
            representations::end_all_of_agent(work, agent).await?;
            subscribing::cancel_of(work, Owner::Agent(agent)).await
        }
        Profile::Partner(partner) => {
            jobs::cancel_all(work, partner, open).await?;
            subscribing::cancel_of(work, Owner::Partner(partner)).await
        }
        Profile::Fan => Ok(()),
    }
}
