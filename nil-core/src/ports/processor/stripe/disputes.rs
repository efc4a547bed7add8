//! Disputes and early fraud warnings, and the evidence against them.

use serde_json::Value;

use super::answers::{created, seconds};
use super::calls::{Parameter, Terms, number, text};
use super::{Stripe, found_in, known};
use crate::kernel::{Cents, Time};
use crate::ports::processor::{Dispute, DisputeKind, DisputeState, Evidence, Outage, Verdict};

/// How the ids of early warnings begin.
const WARNING: &str = "issfr_";
const DISPUTES: &str = "disputes";
const WARNINGS: &str = "radar/early_fraud_warnings";
/// Where an early warning has the charge, whose amount it concerns.
const CHARGE: &str = "charge";
/// The longest text that the interface takes, in characters.
const LONGEST: usize = 20_000;

impl Stripe {
    pub(super) async fn known_dispute(&self, reference: &str) -> Result<Option<Dispute>, Outage> {
        let of_warning = reference.starts_with(WARNING);
        let list = if of_warning { WARNINGS } else { DISPUTES };
        let expand: Vec<Parameter<'_>> =
            of_warning.then(|| ("expand[]", CHARGE.to_owned())).into_iter().collect();
        let path = format!("{list}/{reference}");
        let found = found_in(self.calls.get(&path, &expand, Terms::default()).await?)?;
        Ok(found.and_then(|object| read(&object)))
    }

    pub(super) async fn newest_disputes(&self, since: Time) -> Result<Vec<Dispute>, Outage> {
        let newest = [("created[gte]", since.timestamp().to_string())];
        let mut all = self.calls.all(DISPUTES, &newest).await?;
        let [since] = newest;
        let with_charge = [since, ("expand[]", format!("data.{CHARGE}"))];
        all.extend(self.calls.all(WARNINGS, &with_charge).await?);
        Ok(all.iter().filter_map(read).collect())
    }

    /// Uploads the document, then hands everything in. What was handed in before stays as it is.
    pub(super) async fn hand_in(
        &self,
        reference: &str,
        evidence: &Evidence,
    ) -> Result<Verdict, Outage> {
        let known_before = self.known_dispute(reference).await?;
        match known_before {
            None => return Ok(Err("no such dispute".into())),
            Some(dispute) if dispute.state == DisputeState::UnderReview => return Ok(Ok(dispute)),
            Some(_) => {}
        }
        let key = format!("{reference}:evidence");
        let file = self.calls.upload("dispute_evidence", &evidence.document, &key).await?;
        let file = text(&known(file)?, "/id");
        let shortened = |words: &str| words.chars().take(LONGEST).collect::<String>();
        let form = [
            ("evidence[product_description]", shortened(&evidence.product)),
            ("evidence[customer_name]", shortened(&evidence.customer)),
            ("evidence[uncategorized_text]", shortened(&evidence.statement)),
            ("evidence[uncategorized_file]", file),
            ("submit", "true".into()),
        ];
        self.concluded(&format!("{DISPUTES}/{reference}"), &form).await
    }

    /// One that is lost stays lost.
    pub(super) async fn accept(&self, reference: &str) -> Result<Verdict, Outage> {
        if let Some(dispute) = self.known_dispute(reference).await?
            && dispute.state == DisputeState::Lost
        {
            return Ok(Ok(dispute));
        }
        self.concluded(&format!("{DISPUTES}/{reference}/close"), &[]).await
    }

    async fn concluded(&self, path: &str, form: &[Parameter<'_>]) -> Result<Verdict, Outage> {
        Ok(match self.calls.post(path, form, Terms::default()).await? {
            Ok(object) => read(&object).ok_or_else(|| "the answer is not a dispute".to_owned()),
            Err(refusal) => Err(refusal.message),
        })
    }
}

/// A dispute or an early warning; none if it names no charge, or has a status that is unknown here.
fn read(object: &Value) -> Option<Dispute> {
    let reference = text(object, "/id");
    let charge = text(object, "/payment_intent");
    if charge.is_empty() {
        return None;
    }
    if reference.starts_with(WARNING) {
        let open = object.get("actionable").and_then(Value::as_bool).unwrap_or_default();
        return Some(Dispute {
            reference,
            charge,
            kind: DisputeKind::EarlyWarning,
            state: if open { DisputeState::Warning } else { DisputeState::Withdrawn },
            reason: text(object, "/fraud_type"),
            amount: Cents(number(object, "/charge/amount")),
            currency: text(object, "/charge/currency"),
            fee: Cents::ZERO,
            evidence_due_at: None,
            opened_at: created(object),
        });
    }
    let status = text(object, "/status");
    let (kind, state) = match status.as_str() {
        "warning_needs_response" | "warning_under_review" => {
            (DisputeKind::Inquiry, DisputeState::Warning)
        }
        "warning_closed" => (DisputeKind::Inquiry, DisputeState::Withdrawn),
        "needs_response" => (DisputeKind::Chargeback, DisputeState::NeedsResponse),
        "under_review" => (DisputeKind::Chargeback, DisputeState::UnderReview),
        "won" => (DisputeKind::Chargeback, DisputeState::Won),
        "lost" => (DisputeKind::Chargeback, DisputeState::Lost),
        "prevented" => (DisputeKind::Chargeback, DisputeState::Withdrawn),
        _ => return None,
    };
    let moves = object.get("balance_transactions").and_then(Value::as_array);
    let fee = moves.into_iter().flatten().map(|line| number(line, "/fee")).sum();
    let due = number(object, "/evidence_details/due_by");
    Some(Dispute {
        reference,
        charge,
        kind,
        state,
        reason: text(object, "/reason"),
        amount: Cents(number(object, "/amount")),
        currency: text(object, "/currency"),
        fee: Cents(fee),
        evidence_due_at: (due > 0).then(|| seconds(due)),
        opened_at: created(object),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn dispute(status: &str) -> Option<Dispute> {
        read(&json!({
            "id": "du_1", "payment_intent": "pi_1", "status": status, "reason": "fraudulent",
            "amount": 10_890, "currency": "usd", "created": 1_790_000_000,
            "evidence_details": { "due_by": 1_791_000_000 },
            "balance_transactions": [{ "fee": 1_500 }, { "fee": -1_500 }, { "fee": 1_500 }],
        }))
    }

    #[test]
    fn a_status_says_what_it_is_and_how_far() {
        use DisputeState::{Lost, NeedsResponse, UnderReview, Warning, Withdrawn, Won};
        for (status, kind, state) in [
            ("warning_needs_response", DisputeKind::Inquiry, Warning),
            ("warning_under_review", DisputeKind::Inquiry, Warning),
            ("warning_closed", DisputeKind::Inquiry, Withdrawn),
            ("needs_response", DisputeKind::Chargeback, NeedsResponse),
            ("under_review", DisputeKind::Chargeback, UnderReview),
            ("won", DisputeKind::Chargeback, Won),
            ("lost", DisputeKind::Chargeback, Lost),
            ("prevented", DisputeKind::Chargeback, Withdrawn),
        ] {
            let said = dispute(status).unwrap();
            assert_eq!((said.kind, said.state, said.fee), (kind, state, Cents(1_500)), "{status}");
        }
        assert_eq!(dispute("something_new"), None);
        let charge = json!({ "id": "ch_1", "amount": 500, "currency": "usd" });
        let warning = json!({ "id": "issfr_1", "payment_intent": "pi_1", "charge": charge,
            "fraud_type": "misc", "actionable": true, "created": 1_790_000_000 });
        let said = read(&warning).unwrap();
        assert_eq!((said.kind, said.state), (DisputeKind::EarlyWarning, Warning));
        assert_eq!((said.amount, said.reason.as_str()), (Cents(500), "misc"));
    }
}
