//! The institution's athletes and their contracts.

use crate::auth::Permission;
use crate::catalog::table::portal::{finance, viewer};
use crate::catalog::table::{Entry, extensions, owned};
use crate::contracts::downloading;
use crate::deal_folder::browsing;
use crate::deals::watch_history;
use crate::disclosures;
use crate::error::codes;
use crate::figures::athletes;
use crate::files::reading;

pub(super) fn rows() -> Vec<Entry> {
    vec![
        viewer("compliance.athlete.list", "GET /athletes/getAthlete", athletes::list)
            .purpose("list athletes of the institution")
            .title("Athletes")
            .columns(&[
                "display_name",
                "status",
                "sport",
                "class_year",
                "agency",
                "minor",
                "jersey_number",
                "position",
                "flags",
            ])
            .strict()
            .for_impersonators(Permission::Accounts),
        viewer("compliance.athlete.job_detail", "POST /athletes/jobDetail", athletes::job_detail)
            .purpose("job details for an athlete")
            .title("Deal of an athlete")
            .verb("Show")
            .owned(),
        finance("compliance.athlete.export", "GET /athletes/export", athletes::export)
            .purpose("export athlete records")
            .title("Export athletes")
            .strict()
            .for_impersonators(Permission::Finance)
            .audited()
            .sends("*/*"),
        viewer(
            "compliance.contract.download",
            "GET /athletes/{athleteId}/jobs/{jobId}/download-contract",
            downloading::as_compliance,
        )
        .purpose("download executed contract")
        .title("Download a contract")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE, codes::CONTRACT_NOT_ACTIVE])
        .owned(),
        viewer(
            "compliance.contract.download_disclosed",
            "GET /athletes/{athleteId}/disclosed-jobs/{disclosedJobId}/download-contract",
            disclosures::downloading::contract,
        )
        .purpose("download contract of a disclosed job")
        .title("Download the contract of a disclosed deal")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("*/*")
        .errors(&[codes::CONTRACT_INCOMPLETE])
        .owned(),
        viewer(
            "compliance.contract.download_amendments",
            "GET /athletes/{athleteId}/jobs/{jobId}/contract-amendments",
            downloading::amendments_as_compliance,
        )
        .purpose("download the amendments to an executed contract")
        .title("Download the amendments to a contract")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE, codes::NO_AMENDMENTS])
        .owned()
        .extension(),
        viewer(
            "compliance.deliverable.post_checks",
            "GET /deliverables/{deliverableId}/post-checks",
            watch_history::list_for_college,
        )
        .purpose("list the daily checks of the posts of an athlete's deliverable")
        .title("Checks of published posts")
        .columns(&["at", "outcome", "reason", "day", "url"])
        .for_impersonators(Permission::Jobs)
        .owned()
        .extension(),
        viewer("compliance.file.download", "GET /files/{id}", reading::download_as_compliance)
            .purpose("download a file that is part of an athlete's record")
            .title("Download a file of an athlete's record")
            .audited()
            .sends("*/*")
            .owned()
            .extension(),
    ]
}

/// The folders of the athletes' deals, to read.
pub(super) fn folders() -> Vec<Entry> {
    extensions(owned(vec![
        viewer(
            "compliance.deal_folder.list",
            "GET /deal-folder/{jobId}/{athleteId}",
            browsing::list_as_compliance,
        )
        .purpose("list the documents of an athlete's deal")
        .title("Documents of a deal")
        .columns(&[
            "document_id",
            "status",
            "version",
            "added_by",
            "created_at",
            "note",
            "decided_by",
            "decided_at",
        ]),
        viewer(
            "compliance.deal_folder.versions",
            "GET /deal-folder/versions/{documentId}",
            browsing::versions_as_compliance,
        )
        .purpose("list the versions of a document")
        .title("Versions of a document")
        .columns(&[
            "version",
            "status",
            "added_by",
            "created_at",
            "note",
            "decided_by",
            "decided_at",
        ]),
        viewer(
            "compliance.deal_folder.comments",
            "GET /deal-folder/comments/{documentId}",
            browsing::list_comments_as_compliance,
        )
        .purpose("list the comments on a document")
        .title("Comments on a document")
        .columns(&["text", "written_by", "created_at", "version", "document_id"]),
        viewer(
            "compliance.deal_folder.download",
            "GET /deal-folder/files/{id}",
            browsing::download_as_compliance,
        )
        .purpose("download a file of an athlete's deal")
        .title("Download a file of a deal")
        .audited()
        .sends("*/*"),
    ]))
}
