//! Files, for every operation that takes ids of files, and the folders of deals. All of it goes beyond
//! the specification.

use crate::catalog::refusals::UPLOADING;
use crate::catalog::table::{Entry, Takes, anyone, extensions, owned, party, user};
use crate::content::{picturing, reading, storing};
use crate::deal_folder::uploading::{create, receive};
use crate::deal_folder::{adding, browsing, removing, uploading};
use crate::error::{Code, codes};
use crate::throttle::Throttle;

/// Why the bytes of an upload are not taken.
const RECEIVING: &[Code] = &[
    codes::LINK_INVALID,
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
        user("core.file.download", "GET /files/{id}", reading::download)
            .purpose("download a file")
            .sends("*/*")
            .owned(),
        user("core.file.delete", "DELETE /files/{id}", storing::delete)
            .purpose("delete a file that is part of nothing")
            .says("File deleted")
            .errors(&[codes::FILE_IN_USE])
            .owned(),
        anyone("core.file.open_signed", "GET /files/signed", reading::download_signed)
            .purpose("download a file by its signed address")
            .sends("*/*")
            .errors(&[codes::LINK_INVALID])
            .throttled(Throttle::Public),
        anyone("core.file.picture", "GET /pictures/{token}", picturing::picture)
            .purpose("show the picture of a profile")
            .sends("*/*")
            .throttled(Throttle::Public),
    ])
}

pub(super) fn folder() -> Vec<Entry> {
    extensions(owned(vec![
        party("core.deal_folder.list", "GET /deal-folder/{jobId}/{athleteId}", browsing::list)
            .purpose("list the files of a deal"),
        party("core.deal_folder.add", "POST /deal-folder/files", adding::add)
            .purpose("put a file into a deal's folder")
            .says("File added")
            .errors(UPLOADING)
            .takes(Takes::FileForm),
        party("core.deal_folder.download", "GET /deal-folder/files/{id}", browsing::download)
            .purpose("download a file of a deal")
            .sends("*/*"),
        party("core.deal_folder.remove", "DELETE /deal-folder/files/{id}", removing::remove)
            .purpose("take one's own file out of a deal's folder")
            .says("File removed"),
    ]))
}

pub(super) fn direct_upload() -> Vec<Entry> {
    extensions(vec![
        party("core.deal_folder.create_upload", "POST /deal-folder/direct-upload/create", create)
            .purpose("announce an upload to a deal's folder")
            .says("Upload announced")
            .errors(&[codes::FILE_QUOTA_EXCEEDED])
            .owned(),
        anyone("core.deal_folder.receive_upload", "PUT /deal-folder/direct-upload", receive)
            .purpose("hand over the bytes of an announced upload")
            .says("Upload received")
            .errors(RECEIVING)
            .takes(Takes::Bytes(uploading::takes))
            .throttled(Throttle::Public),
        party(
            "core.deal_folder.complete_upload",
            "POST /deal-folder/direct-upload/complete",
            uploading::complete,
        )
        .purpose("put an upload into a deal's folder")
        .says("File added")
        .errors(&[codes::UPLOAD_EXPIRED, codes::ILLEGAL_TRANSITION])
        .owned(),
    ])
}
