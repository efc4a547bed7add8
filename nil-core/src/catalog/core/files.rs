//! Files, for every operation that takes file ids, and the folders of deals. All rows are
//! extensions.

use crate::auth::Permission;
use crate::catalog::refusals::UPLOADING;
use crate::catalog::table::{Entry, Takes, anyone, extensions, owned, party, user};
use crate::content::{picturing, reading, storing};
use crate::deal_folder::uploading::{create, receive};
use crate::deal_folder::{adding, answering, browsing, commenting, removing, uploading};
use crate::error::{Code, codes};
use crate::files::reading as read;
use crate::throttle::Throttle;

/// The refusals of an upload's content.
const RECEIVING: &[Code] = &[
    codes::LINK_INVALID,
    codes::DEAL_ENDED,
    codes::ILLEGAL_TRANSITION,
    codes::FILE_QUOTA_EXCEEDED,
    codes::STORAGE_FULL,
];

pub(super) fn files() -> Vec<Entry> {
    extensions(vec![
        user("core.file.upload", "POST /files", storing::upload)
            .purpose("upload a file")
            .says("File uploaded")
            .errors(UPLOADING)
            .takes(Takes::FileForm),
        user("core.file.download", "GET /files/{id}", read::download)
            .purpose("download a file")
            .audited()
            .sends("*/*")
            .owned(),
        user("core.file.delete", "DELETE /files/{id}", storing::delete)
            .purpose("delete an unused file")
            .says("File deleted")
            .errors(&[codes::FILE_IN_USE])
            .owned(),
        anyone("core.file.open_signed", "GET /files/signed", reading::download_signed)
            .purpose("download a file by its signed URL")
            .sends("*/*")
            .errors(&[codes::LINK_INVALID])
            .throttled(Throttle::Public),
        anyone("core.file.picture", "GET /pictures/{token}", picturing::picture)
            .purpose("show the picture of a profile")
            .for_impersonators(Permission::Accounts)
            .sends("*/*")
            .throttled(Throttle::Public),
    ])
}

/// The refusals of a file for a deal's folder.
const ADDING: &[Code] =
    &[codes::FILE_QUOTA_EXCEEDED, codes::MALFORMED_FORM, codes::STORAGE_FULL, codes::DEAL_ENDED];

/// The refusals of a new version.
const REPLACING: &[Code] = &[
    codes::FILE_QUOTA_EXCEEDED,
    codes::MALFORMED_FORM,
    codes::STORAGE_FULL,
    codes::DEAL_ENDED,
    codes::ILLEGAL_TRANSITION,
    codes::TOO_MANY_VERSIONS,
];

/// The refusals of the other side's answer to a version.
const ANSWERING: &[Code] = &[codes::ILLEGAL_TRANSITION, codes::OWN_VERSION, codes::DEAL_ENDED];

pub(super) fn folder() -> Vec<Entry> {
    extensions(owned(vec![
        party("core.deal_folder.list", "GET /deal-folder/{jobId}/{athleteId}", browsing::list)
            .purpose("list the documents of a deal")
            .audited(),
        party("core.deal_folder.add", "POST /deal-folder/files", adding::add)
            .purpose("add a file to a deal's folder")
            .says("File added")
            .errors(ADDING)
            .takes(Takes::FileForm)
            .stops(),
        party("core.deal_folder.download", "GET /deal-folder/files/{id}", browsing::download)
            .purpose("download a file of a deal")
            .audited()
            .sends("*/*"),
        party("core.deal_folder.remove", "DELETE /deal-folder/files/{id}", removing::remove)
            .purpose("remove the caller's own file from a deal's folder")
            .says("File removed")
            .errors(&[codes::DOCUMENT_DISCUSSED, codes::DEAL_ENDED]),
        party(
            "core.deal_folder.versions",
            "GET /deal-folder/versions/{documentId}",
            browsing::versions,
        )
        .purpose("list the versions of a document")
        .audited(),
        party("core.deal_folder.replace", "POST /deal-folder/replace", adding::replace)
            .purpose("add a new version of a document")
            .says("Version added")
            .errors(REPLACING)
            .takes(Takes::FileForm),
        party("core.deal_folder.approve", "POST /deal-folder/approve", answering::approve)
            .purpose("approve the other side's version of a document")
            .says("Document approved")
            .errors(ANSWERING),
        party(
            "core.deal_folder.request_edits",
            "POST /deal-folder/request-edits",
            answering::request_edits,
        )
        .purpose("ask for edits to the other side's version of a document")
        .says("Edits requested")
        .errors(ANSWERING),
        party("core.deal_folder.void", "POST /deal-folder/void", answering::void)
            .purpose("void the caller's own document")
            .says("Document voided")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::OTHERS_VERSION, codes::DEAL_ENDED]),
        party("core.deal_folder.comment", "POST /deal-folder/comment", commenting::comment)
            .purpose("comment on a version of a document")
            .says("Comment added")
            .errors(&[codes::TOO_MANY_COMMENTS, codes::DEAL_ENDED]),
        party(
            "core.deal_folder.comments",
            "GET /deal-folder/comments/{documentId}",
            browsing::list_comments,
        )
        .purpose("list the comments on a document")
        .audited(),
    ]))
}

pub(super) fn direct_upload() -> Vec<Entry> {
    extensions(vec![
        party("core.deal_folder.create_upload", "POST /deal-folder/direct-upload/create", create)
            .purpose("start an upload to a deal's folder")
            .says("Upload started")
            .errors(&[codes::FILE_QUOTA_EXCEEDED, codes::ILLEGAL_TRANSITION, codes::DEAL_ENDED])
            .owned()
            .stops(),
        anyone("core.deal_folder.receive_upload", "PUT /deal-folder/direct-upload", receive)
            .purpose("send the content of a started upload")
            .says("Upload received")
            .errors(RECEIVING)
            .takes(Takes::Bytes(uploading::takes))
            .throttled(Throttle::Public),
        party(
            "core.deal_folder.complete_upload",
            "POST /deal-folder/direct-upload/complete",
            uploading::complete,
        )
        .purpose("add a finished upload to a deal's folder")
        .says("File added")
        .errors(&[
            codes::UPLOAD_EXPIRED,
            codes::ILLEGAL_TRANSITION,
            codes::TOO_MANY_VERSIONS,
            codes::DEAL_ENDED,
        ])
        .owned(),
    ])
}
