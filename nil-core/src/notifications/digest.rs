//! How often institutions get notifications.

use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// How often an institution gets notifications.
    Digest {
        /// At once.
        Instant = "instant",
        /// Once a day.
        Daily = "daily",
        /// Once a week.
        Weekly = "weekly",
    }
}
