//! The assistant's tools: functions over the records of the athlete who asks. The records are read
//! before anything is answered, through the athlete's own operations. Nothing here can reach
//! another athlete's records, and nothing writes.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::{Value, json};

use super::message::{Source, SourceKind};
use super::rows::{
    ContractOfDeal, ContractTermsRow, DealRow, DeliverableRow, PaymentRow, PaymentRows,
    PaymentsOfDeal, WalletRow,
};
use crate::auth::{Athlete, Party, Payee};
use crate::deals::browsing::{self as deals, ListDeals};
use crate::deals::{Deal, DealPayment, Deliverable, DeliverableStatus};
use crate::error::{Error, Result, codes};
use crate::jobs::ApplicationStatus;
use crate::kernel::{AthleteId, Cents, Followed, Following, JobId, Many, Nothing, PerPage};
use crate::operation::Cx;
use crate::payments::browsing::history::{self, Wallet};
use crate::ports::model::{Tool, Toolbox};

/// The maximum number of deals considered: the newest.
const DEALS: i64 = 100;
/// The longest question to a brand, in characters.
const QUESTION: usize = 1_000;

/// The athlete's records.
#[derive(Clone, Debug)]
pub(super) struct Records {
    pub(super) athlete: AthleteId,
    /// Newest first.
    pub(super) deals: Vec<Deal>,
    pub(super) wallet: Wallet,
    /// Whether the athlete may store another draft.
    pub(super) may_draft: bool,
}

impl Records {
    /// Reads the records; 404 if `job` is not one of the athlete's deals.
    pub(super) async fn read(
        cx: &Cx<Athlete>,
        job: Option<JobId>,
        may_draft: bool,
    ) -> Result<Self> {
        let mut deals = list(cx, None).await?;
        if let Some(job) = job
            && !deals.iter().any(|deal| deal.job.id == job)
        {
            // It is older than the newest hundred, or not the athlete's at all.
            let older = list(cx, Some(job)).await?;
            if older.is_empty() {
                return Err(codes::NOT_FOUND.into());
            }
            deals.extend(older);
        }
        let wallet = history::wallet(cx.by(Payee::Athlete(cx.caller)), Nothing {}).await?;
        Ok(Self { athlete: cx.caller.id, deals, wallet, may_draft })
    }

    /// The newest deal about a job.
    pub(super) fn deal(&self, job: JobId) -> Option<&Deal> {
        self.deals.iter().find(|deal| deal.job.id == job)
    }

    fn about(&self, job: Option<JobId>) -> impl Iterator<Item = &Deal> {
        let wanted = move |deal: &&Deal| job.is_none_or(|job| deal.job.id == job);
        self.deals.iter().filter(wanted)
    }
}

async fn list(cx: &Cx<Athlete>, job: Option<JobId>) -> Result<Vec<Deal>> {
    let every = Many::new(ApplicationStatus::ALL.to_vec()).map_err(Error::internal)?;
    let own = ListDeals { statuses: Some(every), job_id: job, from: None, to: None };
    let shared = Following { per_page: PerPage::new(DEALS), ..Following::default() };
    let wanted = Followed { own, shared };
    let found = deals::list(cx.by(Party::Athlete(cx.caller)), wanted).await?;
    Ok(found.items)
}

/// What is left to pay for a deal's approved work.
pub(super) fn owed(deal: &Deal) -> Cents {
    let approved = |d: &&Deliverable| d.status == DeliverableStatus::Approved;
    let left = |d: &Deliverable| d.amount_cents - d.paid_cents;
    let left = deal.deliverables.iter().filter(approved).map(left);
    left.filter(|left| left.is_positive()).sum()
}

/// What has been paid for a deal, less refunds.
pub(super) fn paid(deal: &Deal) -> Cents {
    let arrived = |p: &&DealPayment| p.paid_at.is_some();
    let kept = |p: &DealPayment| p.amount_cents - p.refunded_cents;
    deal.payments.iter().filter(arrived).map(kept).sum()
}

pub(super) fn deal_source(deal: &Deal) -> Source {
    Source { kind: SourceKind::Deal, id: deal.application.id.get(), title: deal.job.title.clone() }
}

pub(super) fn deliverable_source(deliverable: &Deliverable) -> Source {
    Source {
        kind: SourceKind::Deliverable,
        id: deliverable.id.get(),
        title: deliverable.title.clone(),
    }
}

pub(super) fn contract_source(deal: &Deal) -> Option<Source> {
    let contract = deal.contract.as_ref()?;
    Some(Source {
        kind: SourceKind::Contract,
        id: contract.id.get(),
        title: contract.number.clone(),
    })
}

pub(super) fn payment_source(payment: &DealPayment) -> Source {
    Source { kind: SourceKind::Payment, id: payment.id.get(), title: payment.number.clone() }
}

pub(super) fn wallet_source(athlete: AthleteId) -> Source {
    Source { kind: SourceKind::Wallet, id: athlete.get(), title: "Wallet".into() }
}

/// A question to the brand of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) job: JobId,
    pub(super) text: String,
}

/// The tools for a model, with a record of their use.
#[derive(Debug)]
pub(super) struct Tools<'a> {
    records: &'a Records,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    shown: Vec<Source>,
    proposal: Option<Proposal>,
}

impl<'a> Tools<'a> {
    pub(super) fn over(records: &'a Records) -> Self {
        Self { records, used: Mutex::default() }
    }

    /// The records that were shown, and the question that was proposed.
    pub(super) fn outcome(self) -> (Vec<Source>, Option<Proposal>) {
        let used = self.used.into_inner();
        let used = used.unwrap_or_else(PoisonError::into_inner);
        (used.shown, used.proposal)
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a record was shown to the model; returns its name as a source.
    fn show(&self, source: Source) -> String {
        let name = format!("{}:{}", source.kind, source.id);
        let mut used = self.used();
        if !used.shown.contains(&source) {
            used.shown.push(source);
        }
        name
    }

    pub(super) fn deals(&self, job: Option<JobId>) -> Vec<DealRow> {
        let row = |deal: &Deal| DealRow {
            source: self.show(deal_source(deal)),
            job_id: deal.job.id,
            title: deal.job.title.clone(),
            brand: deal.partner.company_name.clone(),
            status: deal.application.status,
            compensation: deal.job.compensation,
            amount: deal.job.amount_cents.to_string(),
            contract: deal.contract.as_ref().map(|contract| ContractOfDeal {
                number: contract.number.clone(),
                status: contract.status,
                confirm_until: contract.expires_at,
            }),
        };
        self.records.about(job).map(row).collect()
    }

    pub(super) fn deliverables(&self, job: Option<JobId>) -> Vec<DeliverableRow> {
        let row = |(deal, d): (&Deal, &Deliverable)| DeliverableRow {
            source: self.show(deliverable_source(d)),
            job_id: deal.job.id,
            job_title: deal.job.title.clone(),
            title: d.title.clone(),
            platform: d.platform,
            media_kind: d.media_kind,
            quantity: d.quantity,
            due_on: d.due_on,
            overdue: d.overdue,
            status: d.status,
            amount: d.amount_cents.to_string(),
            paid: d.paid_cents.to_string(),
            instructions: d.instructions.clone(),
            hashtags: d.hashtags.clone(),
            disclosure_required: d.disclosure_required,
            review_note: d.review_note.clone(),
        };
        let all = self.records.about(job);
        all.flat_map(|deal| deal.deliverables.iter().map(move |d| (deal, d))).map(row).collect()
    }

    pub(super) fn payments(&self, job: Option<JobId>) -> PaymentRows {
        let row = |p: &DealPayment| PaymentRow {
            source: self.show(payment_source(p)),
            number: p.number.clone(),
            amount: p.amount_cents.to_string(),
            given_back: p.refunded_cents.to_string(),
            status: p.status.clone(),
            paid_at: p.paid_at,
        };
        let deal = |deal: &Deal| PaymentsOfDeal {
            source: self.show(deal_source(deal)),
            job_id: deal.job.id,
            job_title: deal.job.title.clone(),
            brand: deal.partner.company_name.clone(),
            agreed: deal.contract.as_ref().map(|c| c.agreed_amount_cents.to_string()),
            owed_for_approved_work: owed(deal).to_string(),
            payments: deal.payments.iter().map(row).collect(),
        };
        let wallet = &self.records.wallet;
        PaymentRows {
            deals: self.records.about(job).map(deal).collect(),
            wallet: WalletRow {
                source: self.show(wallet_source(self.records.athlete)),
                can_be_paid_out: wallet.balance_cents.to_string(),
                on_its_way_to_the_bank: wallet.under_way_cents.to_string(),
                arrived_at_the_bank: wallet.paid_out_cents.to_string(),
                owed_back: wallet.owed_back_cents.to_string(),
            },
        }
    }

    pub(super) fn contract_terms(&self, job: JobId) -> Result<ContractTermsRow, String> {
        let deal = self.records.deal(job).ok_or("There is no such deal.")?;
        let contract = deal.contract.as_ref();
        let contract = contract.ok_or("There is no contract for this job yet.")?;
        Ok(ContractTermsRow {
            source: contract_source(deal).map(|source| self.show(source)),
            job_id: job,
            number: contract.number.clone(),
            status: contract.status,
            terms: contract.terms.clone(),
        })
    }

    fn propose(&self, job: JobId, text: &str) -> Result<Value, String> {
        let known = self.records.deal(job);
        known.ok_or("There is no such deal.")?;
        let text: String = text.trim().chars().take(QUESTION).collect();
        if text.is_empty() || text.contains('\0') {
            return Err("The question is empty.".into());
        }
        if !self.records.may_draft {
            return Err("The athlete already has too many unsent drafts.".into());
        }
        self.used().proposal = Some(Proposal { job, text });
        Ok(json!({ "proposed": true }))
    }
}

fn as_json<T: Serialize>(rows: &T) -> Result<Value, String> {
    serde_json::to_value(rows).map_err(|_| "The records cannot be shown.".into())
}

/// The job a call names; `Err` if it is not one of the athlete's deals.
fn job_of(arguments: &Value) -> Result<Option<JobId>, String> {
    match arguments.get("job_id") {
        None | Some(Value::Null) => Ok(None),
        Some(id) => {
            let id = id.as_i64().and_then(JobId::new);
            id.map(Some).ok_or_else(|| "`job_id` must be an integer.".into())
        }
    }
}

impl Toolbox for Tools<'_> {
    fn tools(&self) -> Vec<Tool> {
        let job = json!({ "type": "integer", "description": "only this job" });
        let maybe = json!({ "type": "object", "properties": { "job_id": job } });
        let one = json!({
            "type": "object", "properties": { "job_id": job }, "required": ["job_id"],
        });
        let question = json!({
            "type": "object",
            "properties": {
                "job_id": job, "text": { "type": "string", "maxLength": QUESTION },
            },
            "required": ["job_id", "text"],
        });
        let tool = |name, purpose, parameters: &Value| Tool {
            name,
            purpose,
            parameters: parameters.clone(),
        };
        vec![
            tool("deals", "the athlete's deals and their statuses", &maybe),
            tool("deliverables", "the deliverables and their deadlines", &maybe),
            tool("payments", "what is owed, paid and paid out", &maybe),
            tool("contract_terms", "the contract terms for a job", &one),
            tool(
                "draft_clarification",
                "propose a question to the brand of a job; the athlete decides whether to send it",
                &question,
            ),
        ]
    }

    fn call(&self, name: &str, arguments: &Value) -> Result<Value, String> {
        let job = job_of(arguments)?;
        let needed = || job.ok_or_else(|| "`job_id` is required.".to_owned());
        match name {
            "deals" => as_json(&self.deals(job)),
            "deliverables" => as_json(&self.deliverables(job)),
            "payments" => as_json(&self.payments(job)),
            "contract_terms" => as_json(&self.contract_terms(needed()?)?),
            "draft_clarification" => {
                let text = arguments.get("text").and_then(Value::as_str);
                self.propose(needed()?, text.unwrap_or_default())
            }
            _ => Err("There is no such tool.".into()),
        }
    }
}
