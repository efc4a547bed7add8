//! The style sheet, the script and the picture of the pages. Each stands under an address with its
//! print, so that browsers may keep it for ever.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;

use nil_core::http::{Outgoing, PageFile};
use poem::http::header::CACHE_CONTROL;
use poem::http::{HeaderMap, HeaderValue};

/// Where the files are, below the site's prefix.
pub(super) const BASE: &str = "/console/files/";

/// A file and its address.
#[derive(Debug)]
pub(super) struct File {
    /// Below [`BASE`].
    name: String,
    file: PageFile,
}

macro_rules! file {
    ($name:literal, $kind:literal) => {
        File::new($name, include_bytes!(concat!("../../assets/console/", $name)), $kind)
    };
}

pub(super) static STYLE: LazyLock<File> =
    LazyLock::new(|| file!("console.css", "text/css; charset=utf-8"));
pub(super) static SCRIPT: LazyLock<File> =
    LazyLock::new(|| file!("console.js", "text/javascript; charset=utf-8"));
pub(super) static PICTURE: LazyLock<File> = LazyLock::new(|| file!("icon.svg", "image/svg+xml"));

impl File {
    fn new(name: &str, content: &[u8], kind: &'static str) -> Self {
        let mut print = DefaultHasher::new();
        content.hash(&mut print);
        Self { name: format!("{:016x}/{name}", print.finish()), file: PageFile::new(content, kind) }
    }

    /// Its address.
    pub(super) fn at(&self, prefix: &str) -> String {
        format!("{prefix}{BASE}{}", self.name)
    }
}

/// The file of this name below [`BASE`]. One of another version is not there.
pub(super) fn find(name: &str, request: &HeaderMap) -> Option<hyper::Response<Outgoing>> {
    let found = [&STYLE, &SCRIPT, &PICTURE].into_iter().find(|file| file.name == name)?;
    let mut response = found.file.answer(request);
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    response.headers_mut().insert(CACHE_CONTROL, forever);
    Some(response)
}
