//! Athlete agents' disclosure filings.

use crate::auth::Permission;
use crate::catalog::forms::{FieldGroup, RequiredWhen};
use crate::catalog::table::portal::{officer, viewer};
use crate::catalog::table::{Entry, Takes};
use crate::error::{Code, codes};
use crate::filings::browsing::detail;
use crate::filings::changing::{delete, update};
use crate::filings::submitting::submit;
use crate::filings::{FilingEvent, FilingStatus};
use crate::filings::{browsing, downloading};

/// The refusals of a change of a filing.
const UPDATING: &[Code] =
    &[codes::ILLEGAL_TRANSITION, codes::STATE_CHANGED, codes::FILE_QUOTA_EXCEEDED];

/// The groups of a filing that is submitted.
const A_FILING: &[FieldGroup] = &[
    FieldGroup::new("Filing", &["athlete_id", "agent_id", "kind"]),
    FieldGroup::new("Agent", &["agent", "registration", "other_states"]),
    FieldGroup::new("Contract", &["contract", "warning_notice_present"]),
    FieldGroup::new(
        "Signatures and notices",
        &["acknowledgement_signed_at", "guardian_signed_at", "notices"],
    ),
    FieldGroup::new("Documents", &["documents", "submit"]),
];

/// The groups of a filing that is changed or decided.
const A_CHANGE: &[FieldGroup] = &[
    FieldGroup::new("Filing", &["version", "agent_id", "kind"]),
    FieldGroup::new("Agent", &["agent", "registration", "other_states"]),
    FieldGroup::new("Contract", &["contract", "warning_notice_present"]),
    FieldGroup::new(
        "Signatures and notices",
        &["acknowledgement_signed_at", "guardian_signed_at", "notices"],
    ),
    FieldGroup::new("Documents", &["documents", "submit"]),
    FieldGroup::new("Decision", &["decision", "note"]),
];

/// Who gets a filing back learns why.
const A_REASON: &[RequiredWhen] = &[RequiredWhen::new("note", "decision", &["return"])];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        viewer("compliance.disclosure.list", "GET /athlete-agent-disclosures", browsing::list)
            .purpose("list disclosure filings")
            .title("Agent filings")
            .columns(&[
                "athlete_name",
                "status",
                "kind",
                "submitted_at",
                "notice_due_at",
                "late",
                "signed_on",
                "decided_at",
            ])
            .for_impersonators(Permission::Accounts)
            .audited(),
        officer("compliance.disclosure.submit", "POST /athlete-agent-disclosures", submit)
            .purpose("submit a disclosure for an athlete")
            .groups(A_FILING)
            .title("File a disclosure for an athlete")
            .acts_on("athlete", "athlete_id")
            .verb("File")
            .says("Disclosure saved")
            .errors(&[codes::FILE_QUOTA_EXCEEDED])
            .owned()
            .takes(Takes::FilesInJson),
        viewer("compliance.disclosure.detail", "GET /athlete-agent-disclosures/{id}", detail)
            .purpose("read one disclosure")
            .title("Agent filing")
            .for_impersonators(Permission::Accounts)
            .audited()
            .owned(),
        officer("compliance.disclosure.update", "PUT /athlete-agent-disclosures/{id}", update)
            .purpose("update a disclosure")
            .groups(A_CHANGE)
            .required_when(A_REASON)
            .title("Change or decide an agent filing")
            .acts_on("athlete_agent_disclosure", "id")
            .until_over::<FilingStatus>()
            .verb("Save")
            .says("Disclosure updated")
            .errors(UPDATING)
            .owned()
            .takes(Takes::FilesInJson),
        officer("compliance.disclosure.delete", "DELETE /athlete-agent-disclosures/{id}", delete)
            .purpose("delete a disclosure")
            .title("Delete an agent filing")
            .acts_on("athlete_agent_disclosure", "id")
            .when::<FilingStatus>(&[FilingEvent::Delete])
            .verb("Delete")
            .confirm(
                "The filing leaves the lists. It cannot be brought back.",
                "Its record is kept, with all versions. A filing that was acknowledged cannot be \
                 deleted.",
            )
            .says("Disclosure deleted")
            .errors(&[codes::ILLEGAL_TRANSITION])
            .owned(),
        viewer(
            "compliance.disclosure.download_documents",
            "GET /athlete-agent-disclosures/{id}/download-documents",
            downloading::documents,
        )
        .purpose("download supporting documents")
        .title("Download the documents of an agent filing")
        .audited()
        .sends("application/zip")
        .owned(),
    ]
}
