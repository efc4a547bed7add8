//! The kinds of users of the Core interface.

use super::vocabulary::vocabulary;

vocabulary! {
    /// What kind of user an account is.
    UserKind {
        /// A college athlete.
        Athlete = "athlete",
        /// A brand.
        Partner = "partner",
        /// An athlete's agent.
        Agent = "agent",
        /// A fan.
        Fan = "fan",
    }
}
