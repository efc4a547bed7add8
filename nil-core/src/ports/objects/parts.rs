//! Uploads in parts, as a store knows them.

use std::io;

use super::ObjectKey;

/// An object that arrives in parts: the key it will have, and the store's own name for the upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parted {
    /// The key of the object.
    pub key: ObjectKey,
    /// The store's name for the upload. It is known to the server only.
    pub upload: String,
}

/// An address that takes one part by `PUT`, without credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartAddress {
    /// The address.
    pub url: String,
    /// The headers that must be sent along, with their values.
    pub headers: Vec<(String, String)>,
}

/// The error for a part of another length than was announced.
pub(super) fn wrong_length(length: u64) -> io::Error {
    invalid(format!("the part is not of the {length} bytes that were announced"))
}

/// The error for parts that do not make an object.
pub(super) fn invalid(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// The error for an upload that does not exist.
pub(super) fn no_upload() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "there is no such upload")
}
