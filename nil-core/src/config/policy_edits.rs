//! How edits of the open privacy policy are treated.

use std::str::FromStr;

/// How edits of the open privacy policy are treated (contract: Authentication).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyEdits {
    /// In force at once, as the specification says.
    Live,
    /// Held until an operator puts them in force.
    Moderated,
    /// Accepted only with an API key with the scope `internal`.
    Closed,
}

impl FromStr for PolicyEdits {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "live" => Ok(Self::Live),
            "moderated" => Ok(Self::Moderated),
            "closed" => Ok(Self::Closed),
            _ => Err("must be live, moderated or closed".into()),
        }
    }
}
