//! Which list of the Compliance and the Admin interface has the records of a kind. A field whose
//! schema says `x-record` takes the id of a record of that kind.

use crate::kernel::Interface::{self, Admin, Compliance};

/// A list that has records of one kind. A kind can be in several lists, each with some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordList {
    /// The kind of record, as `x-record` names it.
    pub kind: &'static str,
    /// The interface.
    pub interface: Interface,
    /// The operation that lists them. It needs no field but a state (`all`) and an id (`0`).
    pub list: &'static str,
    /// The field of the list's rows that holds the record's id.
    pub id: &'static str,
    /// The field of the list's rows that tells people which record it is.
    pub label: &'static str,
    /// The operation that shows the record with an `id`, if there is one.
    pub shown_by: Option<&'static str>,
}

impl RecordList {
    /// The lists of an interface with records of this kind.
    pub fn of(interface: Interface, kind: &str) -> impl Iterator<Item = &'static Self> {
        RECORDS.iter().filter(move |row| row.interface == interface && row.kind == kind)
    }

    const fn shown_by(mut self, operation: &'static str) -> Self {
        self.shown_by = Some(operation);
        self
    }

    const fn named_by(mut self, id: &'static str) -> Self {
        self.id = id;
        self
    }
}

const fn compliance(kind: &'static str, list: &'static str, label: &'static str) -> RecordList {
    RecordList { kind, interface: Compliance, list, id: "id", label, shown_by: None }
}

const fn admin(kind: &'static str, list: &'static str, label: &'static str) -> RecordList {
    RecordList { kind, interface: Admin, list, id: "id", label, shown_by: None }
}

/// Every such list, by interface and kind.
pub const RECORDS: &[RecordList] = &[
    compliance("athlete", "compliance.athlete.list", "display_name"),
    compliance("athlete_agent_disclosure", "compliance.disclosure.list", "athlete_name")
        .shown_by("compliance.disclosure.detail"),
    compliance("audit_entry", "compliance.audit.list", "operation"),
    compliance("clearance", "compliance.clearance.list", "title")
        .shown_by("compliance.clearance.detail"),
    compliance("college", "compliance.college.list", "name"),
    compliance("disclosed_job", "compliance.disclosed_job.list", "title")
        .shown_by("compliance.disclosed_job.detail"),
    compliance("job_category", "compliance.filter.categories", "label").named_by("value"),
    compliance("portal_user", "compliance.portal_user.list", "name"),
    compliance("public_records_request", "compliance.records_request.list", "requester"),
    compliance("sport", "compliance.filter.sports", "label").named_by("value"),
    compliance("squad_member", "compliance.squad_list.list", "name"),
    compliance("webhook_endpoint", "compliance.webhook.list", "url"),
    admin("agent", "admin.agent.list", "agency_name").shown_by("admin.agent.view"),
    admin("announcement", "admin.announcement.list", "title"),
    admin("announcement_group", "admin.announcement.list_groups", "name"),
    admin("athlete", "admin.athlete.list", "display_name").shown_by("admin.athlete.view"),
    admin("audit_entry", "admin.audit.list", "operation"),
    admin("business_category", "admin.category.list_business", "name"),
    admin("college", "admin.college.list", "name"),
    admin("content_item", "admin.content.browse", "name"),
    admin("conversation", "admin.support.list", "name").shown_by("admin.support.messages"),
    admin("dispute", "admin.dispute.list", "payer_name").shown_by("admin.dispute.view"),
    admin("impersonation", "admin.impersonation.list", "account_name"),
    admin("job", "admin.job.list", "title").shown_by("admin.job.view"),
    admin("job_category", "admin.category.list_job", "name"),
    admin("legal_document", "admin.editorial.list_legal_terms", "title"),
    admin("operator", "admin.operator.list", "name"),
    admin("partner", "admin.partner.list", "company_name").shown_by("admin.partner.view"),
    admin("payment", "admin.payment.list", "number"),
    admin("payout", "admin.payout.list", "created_at"),
    admin("portal_user", "admin.university_admin.list", "name"),
    admin("privacy_policy_edit", "admin.editorial.privacy_policy_edits", "title"),
    admin("processor_difference", "admin.processor_difference.list", "detail")
        .shown_by("admin.processor_difference.view"),
    admin("publication", "admin.editorial.list_blog_posts", "title"),
    admin("publication", "admin.editorial.list_faq", "title"),
    admin("publication", "admin.editorial.list_testimonials", "title"),
    admin("publication", "admin.editorial.list_custom_pages", "title"),
    admin("roster", "admin.roster.list", "title"),
    admin("sport", "admin.category.list_sport", "name"),
    admin("subscription_plan", "admin.subscription_plan.list", "name"),
    admin("tax_form_request", "admin.tax.list_requests", "name"),
    admin("template", "admin.email_template.list", "event"),
    admin("template", "admin.sms_template.list", "event"),
    admin("template", "admin.inapp_template.list", "event"),
    admin("undeliverable", "admin.undeliverable.list", "address"),
    admin("user", "admin.athlete.list", "display_name").named_by("user_id"),
    admin("user", "admin.partner.list", "company_name").named_by("user_id"),
    admin("user", "admin.agent.list", "agency_name").named_by("user_id"),
    admin("user", "admin.support.list", "name").named_by("user_id"),
];
