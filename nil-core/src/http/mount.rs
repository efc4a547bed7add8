//! Where a site's addresses begin in the server that it is part of: at its root, or below a prefix.

use std::sync::{Arc, LazyLock, OnceLock};

use super::compress::Packed;
use crate::catalog::Interface;
use crate::catalog::openapi::{self, Version};
use crate::error::{Error, Result};

/// The most characters of a prefix.
const LONGEST: usize = 200;

/// The part of an address before the site's own, empty or such as `/nil`, with the documents that
/// name it.
#[derive(Debug, Default)]
pub(super) struct Mount {
    prefix: String,
    core: Documents,
    compliance: Documents,
    admin: Documents,
}

/// The OpenAPI documents of an interface, each built on first use: the catalog never changes.
#[derive(Debug, Default)]
struct Documents {
    newest: OnceLock<Packed>,
    v3_0: OnceLock<Packed>,
}

/// Sites at the root share their documents.
static ROOT: LazyLock<Arc<Mount>> = LazyLock::new(Arc::default);

impl Mount {
    pub(super) fn root() -> Arc<Self> {
        ROOT.clone()
    }

    /// 422 for a prefix that is no path: it stands in cookies and pages as it is.
    pub(super) fn at(prefix: &str) -> Result<Arc<Self>> {
        let letter = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
        let segment = |text: &str| !matches!(text, "" | "." | "..") && text.chars().all(letter);
        let named = prefix.strip_prefix('/').is_some_and(|rest| rest.split('/').all(segment));
        if !named || prefix.len() > LONGEST {
            let message =
                "must be a path that begins with / and does not end with it, such as /nil";
            return Err(Error::invalid("prefix", message));
        }
        Ok(Arc::new(Self { prefix: prefix.to_owned(), ..Self::default() }))
    }

    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The site's own part of a path; none if the path is not below the prefix.
    pub(super) fn own<'a>(&self, path: &'a str) -> Option<&'a str> {
        match path.strip_prefix(&*self.prefix)? {
            "" => Some("/"),
            own => own.starts_with('/').then_some(own),
        }
    }

    /// An interface's document. The server address in it is relative to where it was fetched from,
    /// so it holds under any host name.
    pub(super) fn document(&self, interface: Interface, version: Version) -> &Packed {
        let of_interface = match interface {
            Interface::Core => &self.core,
            Interface::Compliance => &self.compliance,
            Interface::Admin => &self.admin,
        };
        let document = match version {
            Version::Newest => &of_interface.newest,
            Version::V3_0 => &of_interface.v3_0,
        };
        document.get_or_init(|| {
            let document = openapi::document(interface, &self.prefix);
            Packed::of(version.of(document).to_string().as_bytes())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_below_the_prefix_is_the_sites() {
        let mount = Mount::at("/sponsors/nil").unwrap();
        assert_eq!(mount.own("/sponsors/nil/api/x"), Some("/api/x"));
        assert_eq!(mount.own("/sponsors/nil"), Some("/"));
        assert_eq!(mount.own("/sponsors/nil/"), Some("/"));
        assert_eq!(mount.own("/sponsors/nile/api"), None);
        assert_eq!(mount.own("/api/x"), None);
        assert_eq!(Mount::root().own("/api/x"), Some("/api/x"));
    }

    #[test]
    fn a_prefix_is_a_plain_path() {
        for no in ["", "/", "nil", "/nil/", "//nil", "/a;b", "/a b", "/../nil", "/<b>", "/é"] {
            assert!(Mount::at(no).is_err(), "{no}");
        }
        assert!(Mount::at(&format!("/{}", "a".repeat(LONGEST))).is_err());
    }
}
