//! The three interfaces and the methods of HTTP.

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// Reads. Seven of the specification's GETs also change data; their catalog rows say so.
    Get,
    /// Writes; in Core also reads, as the specification defines them.
    Post,
    /// Replaces.
    Put,
    /// Deletes.
    Delete,
}

impl Method {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Get, Self::Post, Self::Put, Self::Delete];

    /// `GET`, `POST`, …
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }

    /// The method with this word.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == word)
    }

    /// Whether the input is a body instead of a query string.
    #[must_use]
    pub const fn has_body(self) -> bool {
        matches!(self, Self::Post | Self::Put)
    }
}

/// One of the three interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Interface {
    /// Athletes, brands, agents, fans: `/api`.
    Core,
    /// University compliance officers: `/api/compliance`.
    Compliance,
    /// Operators: `/admin`.
    Admin,
}

impl Interface {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Core, Self::Compliance, Self::Admin];

    /// Its name in operation names and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Compliance => "compliance",
            Self::Admin => "admin",
        }
    }

    /// The base path of its operations.
    #[must_use]
    pub const fn base(self) -> &'static str {
        match self {
            Self::Core => "/api",
            Self::Compliance => "/api/compliance",
            Self::Admin => "/admin",
        }
    }

    /// The interface with this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|interface| interface.as_str() == word)
    }
}
