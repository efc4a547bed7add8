//! Contracts that pay a share of sales: commission on those that the athlete brings about, or a
//! royalty on those of goods that bear the athlete's name.

use super::contract::{Contract, ContractStatus};
use super::store::contract as contracts;
use super::terms::{CompensationKind, Terms};
use crate::error::{Error, Result, codes};
use crate::kernel::{
    AthleteId, BasisPoints, Cents, ContractId, Date, JobId, LAST_ZONE, PartnerId, end_of_day,
};
use crate::operation::Work;
use crate::people;

/// A contract that pays a share of sales, locked until the transaction ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnCommission {
    pub(crate) id: ContractId,
    pub(crate) partner_id: PartnerId,
    athlete_id: AthleteId,
    status: ContractStatus,
    /// The last day of its term, if it has one.
    last_day: Option<Date>,
    /// The athlete's share of a sale.
    pub(crate) rate: BasisPoints,
    /// The maximum of all shares together.
    pub(crate) most: Cents,
}

/// The athlete's contract for a job. 404 if there is none, 409 `not_on_commission` if it pays none.
pub(crate) async fn of_deal(
    work: &mut Work,
    job: JobId,
    athlete: AthleteId,
) -> Result<OnCommission> {
    let contract = contracts::lock_newest(work, job, athlete).await?;
    read(&contract.ok_or(codes::NOT_FOUND)?, CompensationKind::Commission)
}

/// A contract that pays commission.
pub(crate) async fn lock(work: &mut Work, id: ContractId) -> Result<OnCommission> {
    let contract = contracts::lock(work, id).await?;
    read(&contract.ok_or(codes::NOT_FOUND)?, CompensationKind::Commission)
}

/// A brand's contract that pays a royalty. 404 for another brand's, 409 `not_on_commission` if it
/// pays none.
pub(crate) async fn on_royalty(
    work: &mut Work,
    id: ContractId,
    partner: PartnerId,
) -> Result<OnCommission> {
    let contract = contracts::lock(work, id).await?;
    let own = contract.filter(|contract| contract.partner_id == partner);
    read(&own.ok_or(codes::NOT_FOUND)?, CompensationKind::Royalty)
}

fn read(contract: &Contract, kind: CompensationKind) -> Result<OnCommission> {
    let terms: Terms = serde_json::from_value(contract.terms.clone()).map_err(Error::internal)?;
    let pay = &terms.compensation;
    let rate = pay.commission_basis_points.and_then(BasisPoints::new);
    let Some(rate) = rate.filter(|_| pay.kind == kind) else {
        return Err(codes::NOT_ON_COMMISSION.into());
    };
    Ok(OnCommission {
        id: contract.id,
        partner_id: contract.partner_id,
        athlete_id: contract.athlete_id,
        status: contract.status,
        last_day: terms.dates.term_ends_on,
        rate,
        most: Cents(pay.product_value_cents.unwrap_or_default()),
    })
}

impl OnCommission {
    /// Checks that sales can be accounted for: once the athlete has confirmed the contract, also
    /// after its term, whose last month is accounted for when it is over. 409 `contract_not_active`
    /// before, `commission_ended` for a contract that was cancelled.
    pub(crate) fn check_accounted(&self) -> Result<()> {
        match self.status {
            ContractStatus::Generated => Err(codes::CONTRACT_NOT_ACTIVE.into()),
            ContractStatus::Cancelled | ContractStatus::Expired => {
                Err(codes::COMMISSION_ENDED.into())
            }
            ContractStatus::Active | ContractStatus::Completed => Ok(()),
        }
    }

    /// Checks that sales earn commission now: from the athlete's confirmation to the last day of
    /// the term in the athlete's institution's time zone, whether or not the deliverables are done
    /// and paid. 409 `contract_not_active` before, `commission_ended` after.
    pub(crate) async fn check_open(&self, work: &mut Work) -> Result<()> {
        match self.status {
            ContractStatus::Generated => return Err(codes::CONTRACT_NOT_ACTIVE.into()),
            ContractStatus::Cancelled | ContractStatus::Expired => {
                return Err(codes::COMMISSION_ENDED.into());
            }
            ContractStatus::Active | ContractStatus::Completed => {}
        }
        let Some(last_day) = self.last_day else {
            return Ok(());
        };
        let athlete = people::facts(work, self.athlete_id).await?;
        let zone = athlete.map_or(LAST_ZONE, |athlete| athlete.zone());
        if work.now() > end_of_day(last_day, zone) {
            return Err(codes::COMMISSION_ENDED.into());
        }
        Ok(())
    }
}
