//! Registration steps for all four kinds of user.

use crate::accounts::fans::follows;
use crate::accounts::registering::fan::set_name;
use crate::accounts::registering::{consenting, start_agent, start_athlete, start_partner};
use crate::accounts::{profiles, registering};
use crate::auth::Permission;
use crate::catalog::section::ATHLETES;
use crate::catalog::table::{
    Entry, anyone, each, fan, new_agent, new_athlete, new_fan, new_partner, registrant,
};
use crate::error::{Code, codes};
use crate::throttle::Throttle;

/// The refusals of an e-mail and password.
const CREDENTIALS: &[Code] =
    &[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION, codes::OTP_BLOCKED, codes::TOO_MANY_MAILS];

/// The refusals of a step.
const STEP: &[Code] = &[codes::ILLEGAL_TRANSITION, codes::OTP_BLOCKED, codes::TOO_MANY_MAILS];

/// The refusals of the last step.
const VERIFYING: &[Code] = &[
    codes::OTP_INVALID,
    codes::OTP_EXHAUSTED,
    codes::OTP_BLOCKED,
    codes::REGISTRATION_STEPS_MISSING,
    codes::ILLEGAL_TRANSITION,
];

/// The refusals of a new code.
const RESENDING: &[Code] = &[
    codes::REGISTRATION_STEPS_MISSING,
    codes::ILLEGAL_TRANSITION,
    codes::OTP_BLOCKED,
    codes::TOO_MANY_MAILS,
];

/// What all steps have in common.
fn registration(rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, |row| row.credentials().throttled(Throttle::Registration))
}

pub(super) fn athletes() -> Vec<Entry> {
    registration(vec![
        anyone("core.registration.athlete_start", "POST /athlete/register", start_athlete)
            .purpose("create athlete account")
            .says("Registration started")
            .stops(),
        new_athlete(
            "core.registration.athlete_credentials",
            "POST /athlete/update-registration-step2",
            registering::athlete_credentials,
        )
        .purpose("set email and password")
        .says("Saved")
        .errors(CREDENTIALS),
        new_athlete(
            "core.registration.athlete_team",
            "POST /athlete/update-registration-step4",
            registering::athlete::set_team,
        )
        .purpose("set sport and university")
        .says("Saved")
        .errors(STEP),
        new_athlete(
            "core.registration.athlete_person",
            "POST /athlete/update-registration-step5",
            registering::athlete::set_person,
        )
        .purpose("set personal information")
        .says("Saved")
        .errors(STEP),
        new_athlete(
            "core.registration.athlete_verify",
            "POST /athlete/update-registration-step8",
            registering::verify_athlete,
        )
        .purpose("complete OTP verification")
        .says("Welcome")
        .errors(VERIFYING),
    ])
}

pub(super) fn partners() -> Vec<Entry> {
    registration(vec![
        anyone("core.registration.partner_start", "POST /partner/register", start_partner)
            .purpose("create brand partner account")
            .says("Registration started")
            .stops(),
        new_partner(
            "core.registration.partner_credentials",
            "POST /partner/update-registration-step2",
            registering::partner_credentials,
        )
        .purpose("set email and password")
        .says("Saved")
        .errors(CREDENTIALS),
        new_partner(
            "core.registration.partner_company",
            "POST /partner/update-registration-step3",
            registering::partner::set_company,
        )
        .purpose("set company name")
        .says("Saved")
        .errors(STEP),
        new_partner(
            "core.registration.partner_category",
            "POST /partner/update-registration-step4",
            registering::partner::set_category,
        )
        .purpose("set business category")
        .says("Saved")
        .errors(STEP),
        new_partner(
            "core.registration.partner_verify",
            "POST /partner/update-registration-step10",
            registering::verify_partner,
        )
        .purpose("complete OTP verification")
        .says("Welcome")
        .errors(VERIFYING),
    ])
}

pub(super) fn agents() -> Vec<Entry> {
    registration(vec![
        anyone("core.registration.agent_start", "POST /agent/register-new", start_agent)
            .purpose("create agent account")
            .says("Registration started")
            .stops(),
        new_agent(
            "core.registration.agent_credentials",
            "POST /agent/update-registration-step2",
            registering::agent_credentials,
        )
        .purpose("set email and password")
        .says("Saved")
        .errors(CREDENTIALS),
        new_agent(
            "core.registration.agent_agency",
            "POST /agent/update-registration-step3",
            registering::agent::set_agency,
        )
        .purpose("set agency name")
        .says("Saved")
        .errors(STEP),
        new_agent(
            "core.registration.agent_profile",
            "POST /agent/update-registration-step4",
            registering::agent::set_network,
        )
        .purpose("set professional-network profile")
        .says("Saved")
        .errors(STEP),
        new_agent(
            "core.registration.agent_verify",
            "POST /agent/update-registration-step7",
            registering::verify_agent,
        )
        .purpose("complete OTP verification")
        .says("Welcome")
        .errors(VERIFYING),
    ])
}

pub(super) fn fans() -> Vec<Entry> {
    registration(vec![
        anyone("core.registration.fan_start", "POST /fan/register", registering::start_fan)
            .purpose("create fan account")
            .says("Registration started")
            .stops(),
        new_fan(
            "core.registration.fan_credentials",
            "POST /fan/update-registration-step2",
            registering::fan_credentials,
        )
        .purpose("set email and password")
        .says("Saved")
        .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION]),
        new_fan("core.registration.fan_name", "POST /fan/update-registration-step3", set_name)
            .purpose("set name")
            .says("Saved")
            .errors(&[codes::ILLEGAL_TRANSITION]),
        new_fan(
            "core.registration.fan_university",
            "POST /fan/update-registration-step4",
            registering::fan::set_college,
        )
        .purpose("set university")
        .says("Welcome")
        .errors(&[codes::REGISTRATION_STEPS_MISSING, codes::ILLEGAL_TRANSITION]),
    ])
}

pub(super) fn others() -> Vec<Entry> {
    vec![
        fan("core.fan.me", "POST /fan/me", profiles::fan_me)
            .purpose("return the authenticated fan's profile")
            .for_impersonators(Permission::Accounts),
        registrant("core.registration.resend_code", "POST /resend-otp", registering::resend_code)
            .purpose("mail a new one-time code")
            .says("A new code is on its way")
            .errors(RESENDING)
            .throttled(Throttle::Registration)
            .extension(),
        anyone("core.registration.guardian_consent", "POST /guardian-consent", consenting::decide)
            .purpose("record a guardian's decision with a mailed token")
            .says("Thank you")
            .errors(&[codes::TOKEN_INVALID])
            .throttled(Throttle::Registration)
            .extension(),
        fan("core.fan.follow_athlete", "POST /fan/follow-athlete", follows::follow)
            .purpose("follow an athlete")
            .under(&ATHLETES)
            .extension(),
        fan("core.fan.unfollow_athlete", "POST /fan/unfollow-athlete", follows::unfollow)
            .purpose("unfollow an athlete")
            .under(&ATHLETES)
            .extension(),
    ]
}
