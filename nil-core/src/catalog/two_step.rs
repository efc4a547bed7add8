//! What the rows of two-step log-in say in the Compliance and in the Admin interface.

use super::table::Entry;
use crate::error::codes;
use crate::throttle::Throttle;

/// What all rows about one's own second step have.
fn own(entry: Entry) -> Entry {
    entry.credentials().throttled(Throttle::Login).extension()
}

/// A secret for an authenticator app.
pub(super) fn starting(entry: Entry) -> Entry {
    own(entry)
        .purpose("make a secret for the caller's authenticator app")
        .title("Connect an authenticator app")
        .verb("Make a secret")
        .errors(&[codes::TOTP_ON])
}

/// The first code.
pub(super) fn confirming(entry: Entry) -> Entry {
    own(entry)
        .purpose("turn the caller's two-step log-in on")
        .title("Turn two-step log-in on")
        .verb("Turn on")
        .says("Two-step log-in is on")
        .errors(&[codes::TOTP_INVALID, codes::TOTP_ON, codes::TOTP_NOT_STARTED])
}

/// New recovery codes.
pub(super) fn replacing_codes(entry: Entry) -> Entry {
    own(entry)
        .purpose("replace the caller's recovery codes")
        .title("Replace your recovery codes")
        .verb("Replace")
        .says("Earlier recovery codes are void")
        .errors(&[codes::TOTP_INVALID, codes::TOTP_BLOCKED, codes::TOTP_NOT_ON])
}

/// One step again.
pub(super) fn turning_off(entry: Entry) -> Entry {
    own(entry)
        .purpose("turn the caller's two-step log-in off")
        .title("Turn two-step log-in off")
        .verb("Turn off")
        .confirm(
            "Your password alone signs you in from now on, and your recovery codes are void.",
            "You can turn two-step log-in on again, with a new secret.",
        )
        .says("Two-step log-in is off")
        .errors(&[codes::TOTP_INVALID, codes::TOTP_BLOCKED, codes::TOTP_NOT_ON])
}

/// A portal user's lost app.
pub(super) fn resetting(entry: Entry) -> Entry {
    entry
        .verb("Reset")
        .confirm(
            "Two-step log-in is off for this person, the recovery codes are void, and all \
             sessions of theirs end at once.",
            "The password stays. Do this only for somebody who has proven to you who they are.",
        )
        .says("Two-step log-in is off")
        .errors(&[codes::TOTP_NOT_ON])
        .extension()
}
