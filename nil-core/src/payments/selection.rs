//! Resolves the contracts and deliverables that a payment request names, and validates them.

use std::collections::BTreeMap;

use super::amount_owed::{Owed, WantedPayment};
use super::payment::PaymentKind;
use super::store;
use crate::error::{Error, Result, codes};
use crate::institutions::checking;
use crate::kernel::{ContractId, DeliverableId, PartnerId, Time};
use crate::storage::Session;

/// The maximum number of invalid deliverables named in a response.
const NAMED: usize = 100;

/// The lines of a request; each names a contract or a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a> {
    lines: &'a [WantedPayment],
    kind: PaymentKind,
}

/// The lines of a request; 422 if one names neither a contract nor a job.
pub(super) fn named(lines: &[WantedPayment], kind: PaymentKind) -> Result<Named<'_>> {
    let named = Named { lines, kind };
    for (at, line) in lines.iter().enumerate() {
        if line.contract_id.is_none() && line.job_id.is_none() {
            let field = named.field(at, "contract_id");
            return Err(Error::invalid(field, "give contract_id or job_id"));
        }
    }
    Ok(named)
}

impl Named<'_> {
    /// The path of a line's field in the request.
    fn field(&self, at: usize, field: &str) -> String {
        match self.kind {
            PaymentKind::Card => field.into(),
            PaymentKind::Bulk => format!("payments.{at}.{field}"),
        }
    }

    /// 422 for every line that repeats the contract of an earlier line: one payment covers all that is paid
    /// under a contract.
    fn each_contract_once(&self, owed: &Owed) -> Result<()> {
        let mut first: BTreeMap<ContractId, usize> = BTreeMap::new();
        let mut twice = None;
        for (at, line) in self.lines.iter().enumerate() {
            let Some(contract) = owed.contract(line) else {
                continue;
            };
            if let Some(before) = first.get(&contract.id) {
                let error = twice.unwrap_or_else(|| Error::from(codes::VALIDATION_FAILED));
                let message = format!(
                    "names contract {}, as payments.{before} does; make one line of them, with the \
                     deliverables of both",
                    contract.id
                );
                twice = Some(error.at(self.field(at, "contract_id"), message));
            } else {
                first.insert(contract.id, at);
            }
        }
        twice.map_or(Ok(()), Err)
    }

    /// 422 for deliverables that are not approved work of their line's contract. Other brands' deliverables
    /// count as unknown.
    async fn only_approved_work(
        &self,
        session: &mut Session,
        partner: PartnerId,
        owed: &Owed,
    ) -> Result<()> {
        let strays = self.lines.iter().enumerate().flat_map(|(at, line)| {
            let contract = owed.contract(line).map(|contract| contract.id);
            let strays = owed.strays(line).into_iter();
            strays.map(move |(place, id)| (at, place, contract, id))
        });
        let strays: Vec<_> = strays.take(NAMED).collect();
        if strays.is_empty() {
            return Ok(());
        }
        let ids: Vec<DeliverableId> = strays.iter().map(|(.., id)| *id).collect();
        let known = store::owed::deliverables(session, partner, &ids).await?;
        let mut refusal = Error::from(codes::VALIDATION_FAILED);
        for (at, place, contract, id) in strays {
            let message = match known.get(&id) {
                None => "is not known".to_owned(),
                Some((other, _)) if Some(*other) != contract => {
                    format!("belongs to contract {other}")
                }
                Some((_, status)) => format!("is {status}; only approved work is paid"),
            };
            let field = self.field(at, &format!("deliverable_ids.{place}"));
            refusal = refusal.at(field, message);
        }
        Err(refusal)
    }
}

/// What is owed under the contracts that a request names; `lock` locks their rows. 422 if two lines name the
/// same contract, or a line names work that is not approved work of its contract.
pub(super) async fn owed(
    session: &mut Session,
    partner: PartnerId,
    named: Named<'_>,
    lock: bool,
    now: Time,
) -> Result<Owed> {
    let contracts = store::owed::contracts(session, partner, named.lines, lock).await?;
    let owing = store::owed::owing(session, &contracts).await?;
    let ids: Vec<ContractId> = contracts.iter().map(|contract| contract.id).collect();
    let paid = store::owed::paid(session, &ids).await?;
    let refused = checking::of_payments(session, &ids, now).await?;
    let owed = Owed::new(contracts, owing, paid, refused);
    named.each_contract_once(&owed)?;
    named.only_approved_work(session, partner, &owed).await?;
    Ok(owed)
}
