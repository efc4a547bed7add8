//! Registration, step by step, of all four kinds of user.

use crate::accounts::following;
use crate::accounts::profiles;
use crate::accounts::registering;
use crate::auth::throttle::Throttle;
use crate::catalog::Method::Post;
use crate::catalog::row::{
    Entry, anyone, fan, new_agent, new_athlete, new_fan, new_partner, registrant,
};
use crate::error::codes;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        anyone(
            "core.registration.athlete_start",
            Post,
            "/athlete/register",
            "create athlete account",
            registering::start_athlete,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Registration started"),
        new_athlete(
            "core.registration.athlete_credentials",
            Post,
            "/athlete/update-registration-step2",
            "set email and password",
            registering::athlete_credentials,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[
            codes::EMAIL_TAKEN,
            codes::ILLEGAL_TRANSITION,
            codes::OTP_BLOCKED,
            codes::TOO_MANY_MAILS,
        ]),
        new_athlete(
            "core.registration.athlete_team",
            Post,
            "/athlete/update-registration-step4",
            "set sport and university",
            registering::athlete::set_team,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::OTP_BLOCKED, codes::TOO_MANY_MAILS]),
        new_athlete(
            "core.registration.athlete_person",
            Post,
            "/athlete/update-registration-step5",
            "set personal information",
            registering::athlete::set_person,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::OTP_BLOCKED, codes::TOO_MANY_MAILS]),
        new_athlete(
            "core.registration.athlete_verify",
            Post,
            "/athlete/update-registration-step8",
            "complete OTP verification",
            registering::verify_athlete,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Welcome")
        .errors(&[
            codes::OTP_INVALID,
            codes::OTP_EXHAUSTED,
            codes::OTP_BLOCKED,
            codes::REGISTRATION_STEPS_MISSING,
            codes::ILLEGAL_TRANSITION,
        ]),
        anyone(
            "core.registration.partner_start",
            Post,
            "/partner/register",
            "create brand partner account",
            registering::start_partner,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Registration started"),
        new_partner(
            "core.registration.partner_credentials",
            Post,
            "/partner/update-registration-step2",
            "set email and password",
            registering::partner_credentials,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[
            codes::EMAIL_TAKEN,
            codes::ILLEGAL_TRANSITION,
            codes::OTP_BLOCKED,
            codes::TOO_MANY_MAILS,
        ]),
        new_partner(
            "core.registration.partner_company",
            Post,
            "/partner/update-registration-step3",
            "set company name",
            registering::partner::set_company,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::OTP_BLOCKED, codes::TOO_MANY_MAILS]),
        new_partner(
            "core.registration.partner_category",
            Post,
            "/partner/update-registration-step4",
            "set business category",
            registering::partner::set_category,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::OTP_BLOCKED, codes::TOO_MANY_MAILS]),
        new_partner(
            "core.registration.partner_verify",
            Post,
            "/partner/update-registration-step10",
            "complete OTP verification",
            registering::verify_partner,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Welcome")
        .errors(&[
            codes::OTP_INVALID,
            codes::OTP_EXHAUSTED,
            codes::OTP_BLOCKED,
            codes::REGISTRATION_STEPS_MISSING,
            codes::ILLEGAL_TRANSITION,
        ]),
        anyone(
            "core.registration.agent_start",
            Post,
            "/agent/register-new",
            "create agent account",
            registering::start_agent,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Registration started"),
        new_agent(
            "core.registration.agent_credentials",
            Post,
            "/agent/update-registration-step2",
            "set email and password",
            registering::agent_credentials,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[
            codes::EMAIL_TAKEN,
            codes::ILLEGAL_TRANSITION,
            codes::OTP_BLOCKED,
            codes::TOO_MANY_MAILS,
        ]),
        new_agent(
            "core.registration.agent_agency",
            Post,
            "/agent/update-registration-step3",
            "set agency name",
            registering::agent::set_agency,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::OTP_BLOCKED, codes::TOO_MANY_MAILS]),
        new_agent(
            "core.registration.agent_profile",
            Post,
            "/agent/update-registration-step4",
            "set professional-network profile",
            registering::agent::set_network,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::OTP_BLOCKED, codes::TOO_MANY_MAILS]),
        new_agent(
            "core.registration.agent_verify",
            Post,
            "/agent/update-registration-step7",
            "complete OTP verification",
            registering::verify_agent,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Welcome")
        .errors(&[
            codes::OTP_INVALID,
            codes::OTP_EXHAUSTED,
            codes::OTP_BLOCKED,
            codes::REGISTRATION_STEPS_MISSING,
            codes::ILLEGAL_TRANSITION,
        ]),
        anyone(
            "core.registration.fan_start",
            Post,
            "/fan/register",
            "create fan account",
            registering::start_fan,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Registration started"),
        new_fan(
            "core.registration.fan_credentials",
            Post,
            "/fan/update-registration-step2",
            "set email and password",
            registering::fan_credentials,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION]),
        new_fan(
            "core.registration.fan_name",
            Post,
            "/fan/update-registration-step3",
            "set name",
            registering::fan::set_name,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        new_fan(
            "core.registration.fan_university",
            Post,
            "/fan/update-registration-step4",
            "set university",
            registering::fan::set_college,
        )
        .credentials()
        .throttled(Throttle::Registration)
        .says("Welcome")
        .errors(&[codes::REGISTRATION_STEPS_MISSING, codes::ILLEGAL_TRANSITION]),
        fan(
            "core.fan.me",
            Post,
            "/fan/me",
            "return the authenticated fan's profile",
            profiles::fan_me,
        ),
        registrant(
            "core.registration.resend_code",
            Post,
            "/resend-otp",
            "mail a new one-time code",
            registering::resend_code,
        )
        .extension()
        .throttled(Throttle::Registration)
        .says("A new code is on its way")
        .errors(&[
            codes::REGISTRATION_STEPS_MISSING,
            codes::ILLEGAL_TRANSITION,
            codes::OTP_BLOCKED,
            codes::TOO_MANY_MAILS,
        ]),
        anyone(
            "core.registration.guardian_consent",
            Post,
            "/guardian-consent",
            "take a guardian's consent by the mailed link",
            registering::consenting::decide,
        )
        .extension()
        .throttled(Throttle::Registration)
        .says("Thank you")
        .errors(&[codes::TOKEN_INVALID]),
        fan(
            "core.fan.follow_athlete",
            Post,
            "/fan/follow-athlete",
            "follow an athlete",
            following::follow,
        )
        .extension(),
        fan(
            "core.fan.unfollow_athlete",
            Post,
            "/fan/unfollow-athlete",
            "follow an athlete no longer",
            following::unfollow,
        )
        .extension(),
    ]
}
