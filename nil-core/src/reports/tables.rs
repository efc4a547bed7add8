//! The tables of exports, and the filters that apply to each.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::report::ExportKind;
use crate::accounts::agents::listing::AgentAccount;
use crate::accounts::athletes::listing::AthleteAccount;
use crate::accounts::listed::ExportAccounts;
use crate::accounts::listing;
use crate::accounts::partners::listing::PartnerAccount;
use crate::disclosures::ExportedDisclosures;
use crate::error::{Error, Result, Wrong};
use crate::export::{Column, Counter, ExportFormat, Table, dated, send};
use crate::jobs::ExportedJobs;
use crate::kernel::{AthleteId, Combined, ContractId, Date, PartnerId, Text, Time, days};
use crate::operation::Download;
use crate::operation::audit::AuditEntry;
use crate::operation::searching::{self, WantedEntries};
use crate::payments::browsing::exporting::{ExportPayments, Payments};
use crate::payments::browsing::filter::{ExportedPayouts, PaymentFilter};
use crate::platform::Platform;
use crate::storage::Session;

/// Filters of an export. Each kind has its own; one that does not apply is refused.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct ExportFilters {
    /// Only records with this status, except in the audit trail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = ["active"]))]
    pub status: Option<Text<1, 40>>,
    /// Part of a name: of accounts (or of their e-mail) and of payments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<Text<0, 100>>,
    /// The first day, by UTC: of everything but accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub from: Option<Date>,
    /// The last day, by UTC: of everything but accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub to: Option<Date>,
    /// Only this brand's: jobs and payments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub partner_id: Option<PartnerId>,
    /// Only this athlete's: payments, payouts and disclosures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub athlete_id: Option<AthleteId>,
    /// Only under this contract: payments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub contract_id: Option<ContractId>,
    /// Only by this actor, such as `operator:2`: the audit trail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub actor: Option<Text<1, 60>>,
    /// Only of this operation, such as `admin.payment.refund`: the audit trail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub operation: Option<Text<1, 100>>,
    /// Only this action: the audit trail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub action: Option<Text<1, 60>>,
    /// Only about records of this kind: the audit trail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub subject_kind: Option<Text<1, 60>>,
    /// Only about the record with this id: the audit trail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [null]))]
    pub subject_id: Option<i64>,
}

impl ExportKind {
    /// The filters that apply to it.
    const fn filters(self) -> &'static [&'static str] {
        match self {
            Self::Athletes | Self::Partners | Self::Agents => &["status", "q"],
            Self::Jobs => &["status", "partner_id", "from", "to"],
            Self::Payments => {
                &["status", "q", "partner_id", "athlete_id", "contract_id", "from", "to"]
            }
            Self::Payouts | Self::Disclosures => &["status", "athlete_id", "from", "to"],
            Self::Audit => {
                &["actor", "operation", "action", "subject_kind", "subject_id", "from", "to"]
            }
        }
    }
}

/// How a file is made.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) format: ExportFormat,
    pub(super) counter: Counter,
    /// The day in its name.
    pub(super) day: Time,
}

/// Makes the file of an export. Nothing is read before its bytes are. 422 for filters that are
/// wrong or do not apply.
pub(super) fn file(
    platform: &Platform,
    kind: ExportKind,
    filters: ExportFilters,
    asked: Asked,
) -> Result<Download> {
    all_apply(kind, &filters)?;
    let frame = Frame { platform, kind, asked };
    let accounts = |filters: ExportFilters| {
        Ok::<_, Error>(ExportAccounts { status: word(&filters)?, q: filters.q })
    };
    Ok(match kind {
        ExportKind::Athletes => frame.of(listing::table::<AthleteAccount>(accounts(filters)?)),
        ExportKind::Partners => frame.of(listing::table::<PartnerAccount>(accounts(filters)?)),
        ExportKind::Agents => frame.of(listing::table::<AgentAccount>(accounts(filters)?)),
        ExportKind::Payments => {
            let own = ExportPayments { status: word(&filters)? };
            let ExportFilters { q, from, to, partner_id, athlete_id, contract_id, .. } = filters;
            let shared = PaymentFilter { q, partner_id, athlete_id, contract_id, from, to };
            frame.of(Payments::of(Combined { own, shared }).map_err(within)?)
        }
        ExportKind::Jobs => {
            let (from, until) = span(&filters)?;
            let (status, partner) = (word(&filters)?, filters.partner_id);
            frame.of(ExportedJobs { status, partner, from, until })
        }
        ExportKind::Payouts => {
            let (from, until) = span(&filters)?;
            let (status, athlete) = (word(&filters)?, filters.athlete_id);
            frame.of(ExportedPayouts { status, athlete, from, until })
        }
        ExportKind::Disclosures => {
            let (from, until) = span(&filters)?;
            let (status, athlete) = (word(&filters)?, filters.athlete_id);
            frame.of(ExportedDisclosures { status, athlete, from, until })
        }
        ExportKind::Audit => {
            let (from, until) = span(&filters)?;
            frame.of(Entries(WantedEntries {
                actor: filters.actor.map(Text::into_string),
                operation: filters.operation.map(Text::into_string),
                action: filters.action.map(Text::into_string),
                subject_kind: filters.subject_kind.map(Text::into_string),
                subject_id: filters.subject_id,
                from,
                until,
                ..WantedEntries::default()
            }))
        }
    })
}

struct Frame<'p> {
    platform: &'p Platform,
    kind: ExportKind,
    asked: Asked,
}

impl Frame<'_> {
    fn of<T: Table>(self, table: T) -> Download {
        let Asked { format, counter, day } = self.asked;
        send(self.platform, &dated(self.kind.as_str(), day), format, table, counter)
    }
}

/// 422 for a filter that does not apply to the kind.
fn all_apply(kind: ExportKind, filters: &ExportFilters) -> Result<()> {
    let given = serde_json::to_value(filters).map_err(Error::internal)?;
    let mut wrong = Wrong::default();
    for name in given.as_object().into_iter().flatten().map(|(name, _)| name) {
        if !kind.filters().contains(&name.as_str()) {
            let those = kind.filters().join(", ");
            wrong.add(
                format!("filters.{name}"),
                format!("does not apply to {kind}; these do: {those}"),
            );
        }
    }
    wrong.refuse()
}

/// The status; 422 unless it is one of the kind's.
fn word<S: FromStr<Err = String>>(filters: &ExportFilters) -> Result<Option<S>> {
    let parsed = filters.status.as_ref().map(|word| word.parse()).transpose();
    parsed.map_err(|why| Error::invalid("filters.status", why))
}

fn span(filters: &ExportFilters) -> Result<(Option<Time>, Option<Time>)> {
    days(filters.from, filters.to).map_err(within)
}

/// A refusal of filters, at their place in the input.
fn within(error: Error) -> Error {
    let fields: Vec<(String, String)> = error
        .fields()
        .iter()
        .flat_map(|(field, why)| {
            why.iter().map(move |why| (format!("filters.{field}"), why.clone()))
        })
        .collect();
    if fields.is_empty() { error } else { Error::invalid_fields(fields) }
}

/// The entries of the audit trail.
struct Entries(WantedEntries);

impl Table for Entries {
    type Row = AuditEntry;
    const SHEET: &'static str = "Audit trail";

    const COLUMNS: &'static [Column<AuditEntry>] = &[
        Column("Entry ID", |row| row.id.get().into()),
        Column("Time", |row| row.at.into()),
        Column("Actor", |row| (&row.actor).into()),
        Column("On behalf of", |row| (&row.on_behalf_of).into()),
        Column("Operation", |row| (&row.operation).into()),
        Column("Kind of record", |row| (&row.subject_kind).into()),
        Column("Record ID", |row| row.subject_id.into()),
        Column("Action", |row| (&row.action).into()),
        Column("Before", |row| row.before.as_ref().map(ToString::to_string).into()),
        Column("After", |row| row.after.as_ref().map(ToString::to_string).into()),
        Column("Address", |row| (&row.address).into()),
        Column("Request ID", |row| (&row.request_id).into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&AuditEntry>,
        most: u64,
    ) -> Result<Vec<AuditEntry>> {
        searching::after(session, &self.0, after.map(|last| last.id), most).await
    }
}
