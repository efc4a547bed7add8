//! The folders of deals. All of it goes beyond the specification.

use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Delete, Get, Post, Put};
use crate::catalog::row::{Entry, anyone, party};
use crate::deal_folder::{adding, browsing, removing, uploading};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    [folder(), direct_upload()].into_iter().flatten().collect()
}

fn folder() -> Vec<Entry> {
    vec![
        party(
            "core.deal_folder.list",
            Get,
            "/deal-folder/{jobId}/{athleteId}",
            "list the files of a deal",
            browsing::list,
        )
        .extension()
        .owned(),
        party(
            "core.deal_folder.add",
            Post,
            "/deal-folder/files",
            "put a file into a deal's folder",
            adding::add,
        )
        .extension()
        .owned()
        .takes_file()
        .says("File added")
        .errors(&[codes::FILE_QUOTA_EXCEEDED, codes::MALFORMED_FORM, codes::STORAGE_FULL]),
        party(
            "core.deal_folder.download",
            Get,
            "/deal-folder/files/{id}",
            "download a file of a deal",
            browsing::download,
        )
        .sends("*/*")
        .extension()
        .owned(),
        party(
            "core.deal_folder.remove",
            Delete,
            "/deal-folder/files/{id}",
            "take one's own file out of a deal's folder",
            removing::remove,
        )
        .extension()
        .owned()
        .says("File removed"),
    ]
}

fn direct_upload() -> Vec<Entry> {
    vec![
        party(
            "core.deal_folder.create_upload",
            Post,
            "/deal-folder/direct-upload/create",
            "announce an upload to a deal's folder",
            uploading::create,
        )
        .extension()
        .owned()
        .says("Upload announced")
        .errors(&[codes::FILE_QUOTA_EXCEEDED]),
        anyone(
            "core.deal_folder.receive_upload",
            Put,
            uploading::PATH,
            "hand over the bytes of an announced upload",
            uploading::receive,
        )
        .extension()
        .takes_bytes(uploading::takes)
        .throttled(Throttle::Public)
        .says("Upload received")
        .errors(&[
            codes::LINK_INVALID,
            codes::ILLEGAL_TRANSITION,
            codes::FILE_QUOTA_EXCEEDED,
            codes::STORAGE_FULL,
        ]),
        party(
            "core.deal_folder.complete_upload",
            Post,
            "/deal-folder/direct-upload/complete",
            "put an upload into a deal's folder",
            uploading::complete,
        )
        .extension()
        .owned()
        .says("File added")
        .errors(&[codes::UPLOAD_EXPIRED, codes::ILLEGAL_TRANSITION]),
    ]
}
