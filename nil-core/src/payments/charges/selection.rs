//! Plans the lines of a payment request: validates what they name, reads what is owed, and shares
//! each amount out.

use std::collections::BTreeMap;

use super::amount_owed::{Line, Owed, Unpayable, WantedPayment};
use super::payment::PaymentKind;
use crate::error::{Error, Result, codes};
use crate::institutions::checking;
use crate::kernel::{AthleteId, ContractId, DeliverableId, PartnerId, Time};
use crate::operation::Work;
use crate::payments::{methods, store};
use crate::storage::{Session, first_of};

/// The maximum number of invalid deliverables named in a response.
const NAMED: usize = 100;

/// What each line of a request pays, in their order, or why it cannot be paid; `lock` locks the
/// contracts. 422 if a line names neither a contract nor a job, if two lines name the same
/// contract, or if a line names work that is not approved work of its contract.
pub(crate) async fn planned(
    session: &mut Session,
    partner: PartnerId,
    (lines, kind): (&[WantedPayment], PaymentKind),
    lock: bool,
    now: Time,
) -> Result<Vec<Result<Line, Unpayable>>> {
    let request = Request { lines, kind };
    request.each_names_a_contract()?;
    let contracts = store::owed::contracts(session, partner, lines, lock).await?;
    let owing = store::owed::owing(session, &contracts).await?;
    let ids: Vec<ContractId> = contracts.iter().map(|contract| contract.id).collect();
    let paid = store::owed::paid(session, &ids).await?;
    let refused = checking::of_payments(session, &ids, now).await?;
    let mut owed = Owed::new(contracts, owing, paid, refused);
    request.each_contract_once(&owed)?;
    request.only_approved_work(session, partner, &owed).await?;
    Ok(lines.iter().map(|wanted| owed.plan(wanted)).collect())
}

/// The line of a payment to one athlete, with its contract locked.
pub(super) async fn only_line(
    work: &mut Work,
    partner: PartnerId,
    wanted: WantedPayment,
) -> Result<Line> {
    let now = work.now();
    let planned = planned(work, partner, (&[wanted], PaymentKind::Card), true, now).await?;
    first_of(planned)?.map_err(refusal)
}

fn refusal(why: Unpayable) -> Error {
    if why.code == codes::AMOUNT_EXCEEDS_OWED {
        Error::from(why.code).at("amount_cents", why.message)
    } else {
        why.code.saying(why.message)
    }
}

/// Everything owed under one contract of a brand, locked. Refuses as a payment with the saved card
/// does, and if no card is saved. Writes nothing.
pub(crate) async fn all_of_contract(
    work: &mut Work,
    partner: PartnerId,
    athlete: AthleteId,
    contract: ContractId,
) -> Result<Line> {
    let wanted = WantedPayment {
        athlete_id: athlete,
        contract_id: Some(contract),
        job_id: None,
        deliverable_ids: None,
        amount_cents: None,
    };
    let line = only_line(work, partner, wanted).await?;
    if !methods::can_pay(work, partner).await? {
        return Err(codes::NO_PAYMENT_METHOD.into());
    }
    Ok(line)
}

/// The lines of a request.
#[derive(Clone, Copy, Debug)]
struct Request<'a> {
    lines: &'a [WantedPayment],
    kind: PaymentKind,
}

impl Request<'_> {
    /// The path of a line's field in the request.
    fn field(&self, at: usize, field: &str) -> String {
        match self.kind {
            PaymentKind::Card => field.into(),
            PaymentKind::Bulk => format!("payments.{at}.{field}"),
        }
    }

    /// 422 for the first line that names neither a contract nor a job.
    fn each_names_a_contract(&self) -> Result<()> {
        let names = |line: &WantedPayment| line.contract_id.is_some() || line.job_id.is_some();
        match self.lines.iter().position(|line| !names(line)) {
            None => Ok(()),
            Some(at) => {
                let field = self.field(at, "contract_id");
                Err(Error::invalid(field, "give contract_id or job_id"))
            }
        }
    }

    /// 422 for every line that repeats the contract of an earlier line: one payment covers all that
    /// is paid under a contract.
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

    /// 422 for deliverables that are not approved work of their line's contract. Other brands'
    /// deliverables count as unknown.
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
