//! What is owed under a contract, and what a payment of it costs.
//!
//! Owed is the approved work and the commission on reported sales, less all payments that have not
//! failed. A refund does not reopen it, and what is owed under a cancelled contract stays payable.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::fee::LineCents;
use crate::error::{Code, codes};
use crate::institutions::Breach;
use crate::kernel::{
    AgentId, Amount, AthleteId, BasisPoints, Cents, CollegeId, ContractId, ConversionId,
    DeliverableId, JobId, Many,
};
use crate::storage::FromRow;

/// One athlete to pay, with the contract and the work.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct WantedPayment {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The contract to pay under; give this or `job_id`.
    pub contract_id: Option<ContractId>,
    /// The job the athlete was hired for; give this or `contract_id`.
    pub job_id: Option<JobId>,
    /// Pay only these deliverables; default: all approved work, and commission on sales.
    pub deliverable_ids: Option<Many<DeliverableId, 1, 100>>,
    /// The athlete's amount; default: everything owed. A partial amount settles the earliest
    /// deliverables first, commission after them.
    pub amount_cents: Option<Amount>,
}

/// The facts about a contract that a payment needs.
#[derive(Clone, Debug, FromRow)]
pub(crate) struct Payable {
    pub id: ContractId,
    pub job_id: JobId,
    pub athlete_id: AthleteId,
    pub college_id: Option<CollegeId>,
    /// That institution's.
    pub time_zone: Option<String>,
    pub agent_id: Option<AgentId>,
    pub fee_basis_points: BasisPoints,
    pub commission_basis_points: Option<BasisPoints>,
    pub athlete_name: String,
    pub job_title: String,
    /// Whether a `job_id` can refer to this contract.
    pub live: bool,
}

/// What an athlete earns money with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Earned {
    /// Approved work.
    Deliverable(DeliverableId),
    /// Commission on a sale.
    Conversion(ConversionId),
}

/// The unpaid part of one earning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owing {
    pub contract_id: ContractId,
    pub by: Earned,
    pub left_cents: Cents,
}

/// One line of a payment, ready to be charged.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub contract: Payable,
    pub shares: Vec<(Earned, Cents)>,
    pub cents: LineCents,
}

/// The reason why a line cannot be paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unpayable {
    pub code: Code,
    pub message: String,
}

impl From<Code> for Unpayable {
    fn from(code: Code) -> Self {
        Self { code, message: code.sentence.into() }
    }
}

/// The contracts of one brand that a request names, with what is owed under each. Each planned line
/// is deducted, so that two lines cannot pay for the same work.
#[derive(Debug, Default)]
pub(crate) struct Owed {
    contracts: Vec<Payable>,
    owing: BTreeMap<ContractId, Vec<Owing>>,
    paid: BTreeMap<ContractId, LineCents>,
    refused: BTreeMap<ContractId, Breach>,
}

impl Owed {
    /// Takes the contracts, what is left to pay under them (earliest first), what was paid under
    /// them, and which of them a rule of the athlete's institution forbids to pay.
    pub(crate) fn new(
        contracts: Vec<Payable>,
        owing: Vec<Owing>,
        paid: BTreeMap<ContractId, LineCents>,
        refused: BTreeMap<ContractId, Breach>,
    ) -> Self {
        let mut by_contract: BTreeMap<ContractId, Vec<Owing>> = BTreeMap::new();
        for row in owing {
            by_contract.entry(row.contract_id).or_default().push(row);
        }
        Self { contracts, owing: by_contract, paid, refused }
    }

    /// The contract a request refers to: the one it names, or the newest live one of the job.
    pub(crate) fn contract(&self, wanted: &WantedPayment) -> Option<&Payable> {
        let mut fitting = self.contracts.iter().filter(|contract| {
            contract.athlete_id == wanted.athlete_id
                && wanted.contract_id.is_none_or(|id| id == contract.id)
                && wanted.job_id.is_none_or(|id| id == contract.job_id)
        });
        match (wanted.contract_id, wanted.job_id) {
            (None, None) => None,
            (Some(_), _) => fitting.next(),
            (None, Some(_)) => fitting.max_by_key(|contract| (contract.live, contract.id)),
        }
    }

    /// The deliverables in a request that are not approved work of its contract; empty if the
    /// contract itself is unknown.
    pub(crate) fn strays(&self, wanted: &WantedPayment) -> Vec<(usize, DeliverableId)> {
        let Some(contract) = self.contract(wanted) else {
            return Vec::new();
        };
        let owing = self.owing.get(&contract.id).map_or(&[][..], Vec::as_slice);
        let approved = |id| owing.iter().any(|row| row.by == Earned::Deliverable(id));
        let named = wanted.deliverable_ids.as_deref().unwrap_or_default();
        let named = named.iter().copied().enumerate();
        named.filter(|(_, id)| !approved(*id)).collect()
    }

    /// Plans a line and deducts it from what is owed.
    pub(crate) fn plan(&mut self, wanted: &WantedPayment) -> Result<Line, Unpayable> {
        let contract = self.contract(wanted).ok_or(codes::NOT_FOUND)?.clone();
        let all = self.owing.entry(contract.id).or_default();
        let chosen = |owing: &Owing| match (wanted.deliverable_ids.as_deref(), owing.by) {
            (None, _) => true,
            (Some(ids), Earned::Deliverable(id)) => ids.contains(&id),
            (Some(_), Earned::Conversion(_)) => false,
        };
        let owed: Cents = all.iter().filter(|row| chosen(row)).map(|row| row.left_cents).sum();
        if !owed.is_positive() {
            return Err(codes::NOTHING_OWED.into());
        }
        let amount = wanted.amount_cents.map_or(owed, Amount::cents);
        if amount > owed {
            return Err(Unpayable {
                code: codes::AMOUNT_EXCEEDS_OWED,
                message: format!("must be at most {}, the amount owed", owed.get()),
            });
        }
        if let Some(breach) = self.refused.get(&contract.id) {
            return Err(Unpayable { code: breach.refusal(), message: breach.message.clone() });
        }
        let mut rest = amount;
        let mut shares = Vec::new();
        for row in all.iter_mut().filter(|row| chosen(row)) {
            let share = rest.min(row.left_cents);
            if share.is_positive() {
                row.left_cents = row.left_cents - share;
                rest = rest - share;
                shares.push((row.by, share));
            }
        }
        let commission = contract.commission_basis_points.filter(|_| contract.agent_id.is_some());
        let before = self.paid.entry(contract.id).or_default();
        let cents = LineCents::after(*before, amount, contract.fee_basis_points, commission);
        *before = before.and(cents);
        Ok(Line { contract, shares, cents })
    }
}

/// The sums of the lines' amounts and fees.
pub(super) fn sums<'a>(lines: impl IntoIterator<Item = &'a Line>) -> [Cents; 2] {
    lines.into_iter().fold([Cents::ZERO; 2], |[amount, fee], line| {
        [amount + line.cents.amount, fee + line.cents.fee]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deliverable(id: i64) -> DeliverableId {
        DeliverableId::new(id).unwrap()
    }

    fn contract(id: i64, live: bool) -> Payable {
        Payable {
            id: ContractId::new(id).unwrap(),
            job_id: JobId::new(5).unwrap(),
            athlete_id: AthleteId::new(3).unwrap(),
            college_id: None,
            time_zone: None,
            agent_id: AgentId::new(2),
            fee_basis_points: BasisPoints::new(1_000).unwrap(),
            commission_basis_points: BasisPoints::new(1_500),
            athlete_name: "Jordan".into(),
            job_title: "Post".into(),
            live,
        }
    }

    fn owed(lefts: &[i64]) -> Owed {
        let owing = (1..).zip(lefts).map(|(id, left)| Owing {
            contract_id: ContractId::new(7).unwrap(),
            by: Earned::Deliverable(deliverable(id)),
            left_cents: Cents(*left),
        });
        Owed::new(vec![contract(7, true)], owing.collect(), BTreeMap::new(), BTreeMap::new())
    }

    fn wanted(amount: Option<i64>, deliverables: Option<&[i64]>) -> WantedPayment {
        WantedPayment {
            athlete_id: AthleteId::new(3).unwrap(),
            contract_id: ContractId::new(7),
            job_id: None,
            deliverable_ids: deliverables
                .map(|ids| Many::new(ids.iter().map(|id| deliverable(*id)).collect()).unwrap()),
            amount_cents: amount.map(|cents| Amount::new(cents).unwrap()),
        }
    }

    #[test]
    fn a_part_settles_the_earliest_first() {
        let line = owed(&[100, 200, 300]).plan(&wanted(Some(250), None)).unwrap();
        assert_eq!(
            line.shares,
            [
                (Earned::Deliverable(deliverable(1)), Cents(100)),
                (Earned::Deliverable(deliverable(2)), Cents(150))
            ]
        );
        assert_eq!(line.cents.fee, Cents(25));
        assert_eq!(line.cents.commission, Cents(38));
    }

    #[test]
    fn commission_comes_after_work_and_not_where_work_is_named() {
        let sale = Earned::Conversion(ConversionId::new(4).unwrap());
        let book = || {
            let mut owing = owed(&[100]).owing.remove(&ContractId::new(7).unwrap()).unwrap();
            owing.push(Owing { by: sale, left_cents: Cents(50), ..owing[0] });
            Owed::new(vec![contract(7, true)], owing, BTreeMap::new(), BTreeMap::new())
        };
        let all = book().plan(&wanted(Some(120), None)).unwrap();
        assert_eq!(all.shares[1], (sale, Cents(20)));
        let named = book().plan(&wanted(None, Some(&[1]))).unwrap();
        assert_eq!(named.cents.amount, Cents(100));
    }

    #[test]
    fn nothing_left_more_than_owed_and_unknown_contracts_are_told_apart() {
        let mut book = owed(&[100, 0]);
        assert_eq!(book.plan(&wanted(None, Some(&[2]))).unwrap_err().code, codes::NOTHING_OWED);
        let more = book.plan(&wanted(Some(101), None)).unwrap_err();
        assert_eq!(more.code, codes::AMOUNT_EXCEEDS_OWED);
        let mut other = wanted(None, None);
        other.contract_id = ContractId::new(8);
        assert_eq!(book.plan(&other).unwrap_err().code, codes::NOT_FOUND);
    }

    #[test]
    fn two_lines_cannot_pay_for_the_same_work() {
        let mut book = owed(&[100]);
        assert!(book.plan(&wanted(Some(60), None)).is_ok());
        assert_eq!(book.plan(&wanted(None, None)).unwrap().cents.amount, Cents(40));
        assert_eq!(book.plan(&wanted(None, None)).unwrap_err().code, codes::NOTHING_OWED);
    }

    #[test]
    fn a_job_means_its_live_contract() {
        let both = vec![contract(7, true), contract(9, false)];
        let owed = Owed::new(both, Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut by_job = wanted(None, None);
        by_job.contract_id = None;
        by_job.job_id = JobId::new(5);
        assert_eq!(owed.contract(&by_job).unwrap().id.get(), 7);
    }
}
