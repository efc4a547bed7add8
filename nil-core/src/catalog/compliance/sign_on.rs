//! Sign-on to the portal through an institution's identity provider.

use crate::accounts::sign_on::{configuring, ending, officers, starting};
use crate::catalog::table::portal::owner;
use crate::catalog::table::{Entry, anyone, extensions};
use crate::error::{Code, codes};
use crate::throttle::Throttle;

/// The refusals of a sign-on that has come back.
const SIGNING_ON: &[Code] = &[
    codes::SIGN_ON_FAILED,
    codes::SIGN_ON_REFUSED,
    codes::ACCOUNT_SUSPENDED,
    codes::SIGN_ON_UNAVAILABLE,
];

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        anyone("compliance.sign_on.start", "POST /sign-on/start", starting::start)
            .purpose("begin a sign-on through the institution's identity provider")
            .title("Sign on through your institution")
            .verb("Continue")
            .errors(&[codes::NOT_FOUND, codes::SIGN_ON_UNAVAILABLE])
            .credentials()
            .throttled(Throttle::Login),
        anyone("compliance.sign_on.finish", "POST /sign-on/finish", officers::finish)
            .purpose("end a sign-on; response has a `token` field")
            .title("End a sign-on through your institution")
            .verb("Sign in")
            .errors(SIGNING_ON)
            .bare()
            .credentials()
            .throttled(Throttle::Login),
        anyone("compliance.sign_on.log_out", "POST /sign-on/log-out", ending::log_out)
            .purpose("end the sessions that an identity provider names")
            .title("End the sessions that an identity provider names")
            .verb("End")
            .says("Sessions ended")
            .errors(&[codes::MALFORMED_REQUEST, codes::SIGN_ON_UNAVAILABLE])
            .by_form()
            .throttled(Throttle::Public),
        owner("compliance.sign_on.show", "GET /sign-on", configuring::show)
            .purpose("show the institution's identity provider")
            .title("Sign-on"),
        owner("compliance.sign_on.save", "POST /sign-on", configuring::save)
            .purpose("name or change the institution's identity provider")
            .title("Save the sign-on")
            .verb("Save")
            .says("Sign-on saved")
            .errors(&[codes::SIGN_ON_UNPROVEN, codes::SIGN_ON_NEEDED])
            .strict(),
        owner("compliance.sign_on.remove", "DELETE /sign-on", configuring::remove)
            .purpose("remove the institution's identity provider")
            .title("Remove the sign-on")
            .verb("Remove")
            .confirm(
                "Nobody can sign on through the provider any more, and sessions that it opened end.",
                "Accounts stay, and log in with passwords.",
            )
            .says("Sign-on removed")
            .errors(&[codes::NOT_FOUND, codes::SIGN_ON_NEEDED]),
    ])
}
