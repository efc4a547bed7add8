//! Athlete agents' disclosure filings.

use crate::auth::Role;
use crate::catalog::Method::{Delete, Get, Post, Put};
use crate::catalog::row::{Entry, portal};
use crate::error::codes;
use crate::filings::{browsing, changing, downloading, submitting};

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        portal(
            Role::Viewer,
            "compliance.disclosure.list",
            Get,
            "/athlete-agent-disclosures",
            "list disclosure filings",
            browsing::list,
        ),
        portal(
            Role::Officer,
            "compliance.disclosure.submit",
            Post,
            "/athlete-agent-disclosures",
            "submit a disclosure for an athlete",
            submitting::submit,
        )
        .owned()
        .carries_files()
        .says("Disclosure saved")
        .errors(&[codes::FILE_QUOTA_EXCEEDED]),
        portal(
            Role::Viewer,
            "compliance.disclosure.detail",
            Get,
            "/athlete-agent-disclosures/{id}",
            "read one disclosure",
            browsing::detail,
        )
        .owned(),
        portal(
            Role::Officer,
            "compliance.disclosure.update",
            Put,
            "/athlete-agent-disclosures/{id}",
            "update a disclosure",
            changing::update,
        )
        .owned()
        .carries_files()
        .says("Disclosure updated")
        .errors(&[
            codes::ILLEGAL_TRANSITION,
            codes::STATE_CHANGED,
            codes::FILE_QUOTA_EXCEEDED,
        ]),
        portal(
            Role::Officer,
            "compliance.disclosure.delete",
            Delete,
            "/athlete-agent-disclosures/{id}",
            "delete a disclosure",
            changing::delete,
        )
        .owned()
        .says("Disclosure deleted")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        portal(
            Role::Viewer,
            "compliance.disclosure.download_documents",
            Get,
            "/athlete-agent-disclosures/{id}/download-documents",
            "download supporting documents",
            downloading::documents,
        )
        .owned()
        .sends("application/zip"),
    ]
}
