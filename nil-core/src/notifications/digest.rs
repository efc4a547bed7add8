//! How often institutions want to hear.

use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// How often an institution hears of what happened.
    Digest {
        /// At once.
        Instant = "instant",
        /// Once a day.
        Daily = "daily",
        /// Once a week.
        Weekly = "weekly",
    }
}
