//! What a packet repeats of a contract of the platform.

use super::clearance::Clearance;
use super::clearance_packet::{ClearancePacket, Contract, PacketPayer};
use super::content::Content;
use super::disclosed_job::PayerKind;
use crate::contracts::terms::CompensationKind;
use crate::jobs::Compensation;
use crate::kernel::Cents;

/// A contract in the terms of a disclosure. Its term begins when both sides have agreed, not with
/// the hire, and ends no earlier than its last deliverable.
pub(super) fn of_contract(contract: &Contract, clearance: &Clearance) -> Content {
    let terms = &contract.terms;
    let goods = Cents(terms.compensation.product_value_cents.unwrap_or_default());
    let compensation = match terms.compensation.kind {
        // Goods beside the cash are part of the pay, also if the brand calls it cash.
        CompensationKind::Cash if goods.is_positive() => Compensation::Mixed,
        CompensationKind::Cash => Compensation::Cash,
        CompensationKind::Product => Compensation::Product,
        CompensationKind::Service => Compensation::Service,
        CompensationKind::Mixed => Compensation::Mixed,
        CompensationKind::Royalty => Compensation::Royalty,
        CompensationKind::Commission => Compensation::Commission,
    };
    let share = compensation.is_share_of_sales();
    let signed_on = clearance.signed_on;
    let starts_on = terms.dates.effective_on.map(|first| first.max(signed_on));
    let last_due = contract.due_on.iter().copied().max();
    let ends_on = terms.dates.term_ends_on.max(last_due);
    Content {
        payer_name: terms.brand.company.clone(),
        payer_parent: None,
        payer_kind: PayerKind::Business,
        title: terms.job.title.clone(),
        category_id: contract.category_id,
        amount_cents: clearance.amount_cents,
        benefits_cents: if share { Cents::ZERO } else { goods },
        contingent_cents: if share { goods } else { Cents::ZERO },
        compensation,
        signed_on,
        starts_on,
        ends_on,
        description: terms.job.description.clone(),
        associated_entity: false,
        uses_marks: terms.marks_consent,
        attestations: Vec::new(),
    }
}

pub(super) fn with_terms(packet: ClearancePacket, contract: &Contract) -> ClearancePacket {
    let terms = contract.terms.clone();
    let mut deliverables = terms.milestones;
    if deliverables.len() == contract.due_on.len() {
        for (deliverable, due_on) in deliverables.iter_mut().zip(&contract.due_on) {
            deliverable.due_on = *due_on;
        }
    }
    let payer = PacketPayer {
        hq_city: terms.brand.hq_city,
        hq_state: terms.brand.hq_state,
        ..packet.payer
    };
    ClearancePacket {
        athlete_name: terms.athlete.legal_name,
        institution: terms.athlete.institution,
        hometown_city: terms.athlete.hometown_city,
        hometown_state: terms.athlete.hometown_state,
        sport: Some(terms.athlete.sport),
        payer,
        agent: terms.agent,
        contract_number: Some(contract.number.clone()),
        document_sha256: Some(contract.document_sha256.clone()),
        activity: Some(terms.job.category),
        benefits: terms.compensation.product_description,
        schedule: Some(terms.compensation.schedule),
        condition: Some(terms.compensation.condition),
        deliverables,
        usage_rights: Some(terms.usage),
        licensed_attributes: terms.licensed_attributes,
        exclusivity: terms.exclusivity,
        ..packet
    }
}
