//! Files, for every operation that takes ids of files. All of it goes beyond the specification.

use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Delete, Get, Post};
use crate::catalog::row::{Entry, anyone, user};
use crate::content::{picturing, reading, storing};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        user("core.file.upload", Post, "/files", "upload a file", storing::upload)
            .extension()
            .takes_file()
            .says("File uploaded")
            .errors(&[codes::FILE_QUOTA_EXCEEDED, codes::MALFORMED_FORM, codes::STORAGE_FULL]),
        user("core.file.download", Get, "/files/{id}", "download a file", reading::download)
            .sends("*/*")
            .extension()
            .owned(),
        user(
            "core.file.delete",
            Delete,
            "/files/{id}",
            "delete a file that is part of nothing",
            storing::delete,
        )
        .extension()
        .owned()
        .says("File deleted")
        .errors(&[codes::FILE_IN_USE]),
        anyone(
            "core.file.open_signed",
            Get,
            "/files/signed",
            "download a file by its signed address",
            reading::download_signed,
        )
        .sends("*/*")
        .extension()
        .throttled(Throttle::Public)
        .errors(&[codes::LINK_INVALID]),
        anyone(
            "core.file.picture",
            Get,
            "/pictures/{token}",
            "show the picture of a profile",
            picturing::picture,
        )
        .sends("*/*")
        .extension()
        .throttled(Throttle::Public),
    ]
}
