//! Collects what speaks against a dispute. It is read in one go; the document is made afterwards,
//! outside of any transaction.

use super::dispute::Dispute;
use crate::contracts::agreement::Agreement;
use crate::error::Result;
use crate::payments::store::evidence::{self as store, Agreed, Deal, Delivered, Period, Written};
use crate::storage::Session;
use crate::wording::{inline, listing, money};

/// A disputed payment, with all that speaks for it.
pub(super) struct Case {
    pub deal: Deal,
    pub agreed: Vec<Agreed>,
    pub delivered: Vec<Delivered>,
    pub written: Vec<Written>,
}

/// What speaks against a dispute.
pub(super) struct Collected {
    pub dispute: Dispute,
    pub cases: Vec<Case>,
    /// The contracts of the cases, each once.
    pub agreements: Vec<Agreement>,
    /// For a subscription.
    pub period: Option<Period>,
}

impl Collected {
    /// Reads all of it.
    pub async fn of(session: &mut Session, dispute: Dispute) -> Result<Self> {
        let (mut cases, mut agreements) = (Vec::<Case>::new(), Vec::new());
        for deal in store::deals(session, dispute.id).await? {
            if cases.iter().all(|case| case.deal.contract_id != deal.contract_id) {
                agreements.push(Agreement::of(session, deal.contract_id).await?);
            }
            cases.push(Case {
                agreed: store::agreed(session, deal.contract_id).await?,
                delivered: store::delivered(session, deal.contract_id).await?,
                written: store::written(session, &deal).await?,
                deal,
            });
        }
        let period = match dispute.subscription_charge_id {
            Some(charge) => Some(store::period(session, charge).await?),
            None => None,
        };
        Ok(Self { dispute, cases, agreements, period })
    }

    /// What was bought, in a sentence.
    pub fn product(&self) -> String {
        if let Some(period) = &self.period {
            return format!("A period of the subscription \u{201c}{}\u{201d}.", period.plan_name);
        }
        let works = self.cases.iter().map(|case| {
            let deal = &case.deal;
            format!(
                "\u{201c}{}\u{201d} by {} ({}, contract {})",
                inline(&deal.job_title),
                inline(&deal.athlete_name),
                money("usd", (deal.amount_cents + deal.fee_cents).get()),
                deal.contract_number
            )
        });
        format!("Sponsored work under signed contracts: {}.", listing(works))
    }
}
