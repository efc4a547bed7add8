//! Whether anybody may edit the privacy policy.

use std::str::FromStr;

/// What happens with an edit of the open privacy policy (contract: Authentication).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PolicyEdits {
    /// It is in force at once, as the specification has it.
    #[default]
    Live,
    /// It is held until an operator puts it in force.
    Moderated,
    /// It is taken only with an API key of the scope `internal`.
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
