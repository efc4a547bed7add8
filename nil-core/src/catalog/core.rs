//! The Core interface: `/api`. Rows stand in the order and wording of the specification's tables.

use super::row::Method::{Get, Post};
use super::row::{
    Entry, agent, anyone, athlete, fan, new_agent, new_athlete, new_fan, new_partner, partner,
    party, registrant, user,
};
use crate::accounts::{following, profiles, recovering, registering, signing_in};
use crate::auth::throttle::Throttle;
use crate::contracts::{confirming, downloading, requesting};
use crate::error::{Code, codes};
use crate::jobs::{
    applying, browsing, closing, deals, delivering, hiring, inviting, managing, posting,
};
use crate::{backoffice, institutions};

/// Every row, group by group.
pub(super) fn entries() -> Vec<Entry> {
    [
        authentication(),
        athlete_registration(),
        partner_registration(),
        agent_registration(),
        fan_registration(),
        registration_links(),
        athletes(),
        athlete_deals(),
        athlete_answers(),
        partner_jobs(),
        partner_hiring(),
        partner_deals(),
        partners(),
        agents(),
        agent_contracts(),
        jobs_and_applications(),
        work_and_deals(),
        job_endings(),
        public(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Authentication.
fn authentication() -> Vec<Entry> {
    vec![
        anyone(
            "core.auth.log_in",
            Post,
            "/login",
            "log in, receive a JWT",
            signing_in::log_in,
        )
        .bare()
        .throttled(Throttle::Login)
        .errors(&[
            codes::WRONG_CREDENTIALS,
            codes::REGISTRATION_INCOMPLETE,
            codes::ACCOUNT_SUSPENDED,
        ]),
        user(
            "core.auth.log_out",
            Post,
            "/logout",
            "invalidate the current token",
            signing_in::log_out,
        )
        .says("Logged out"),
        user(
            "core.auth.me",
            Post,
            "/me",
            "return the authenticated user's record",
            signing_in::me,
        ),
        anyone(
            "core.auth.forget_password",
            Post,
            "/forget-password",
            "request a password reset email",
            recovering::forget_password,
        )
        .throttled(Throttle::Recovery)
        .says("If the account exists, a link is on its way"),
        anyone(
            "core.auth.confirm_password_reset",
            Post,
            "/forget-password-confirm",
            "confirm a reset with the token",
            recovering::confirm_password_reset,
        )
        .throttled(Throttle::Recovery)
        .says("Password changed")
        .errors(&[codes::TOKEN_INVALID]),
        anyone(
            "core.auth.check_email",
            Post,
            "/check-email-exist",
            "check that an email is not already taken (call before registration)",
            recovering::check_email,
        )
        .throttled(Throttle::Registration),
        anyone(
            "core.auth.verify_email",
            Post,
            "/verify-email",
            "verify an e-mail by the mailed link",
            recovering::verify_email,
        )
        .extension()
        .throttled(Throttle::Recovery)
        .says("E-mail verified")
        .errors(&[codes::TOKEN_INVALID]),
    ]
}

/// Registration of athletes.
fn athlete_registration() -> Vec<Entry> {
    vec![
        anyone(
            "core.registration.athlete_start",
            Post,
            "/athlete/register",
            "create athlete account",
            registering::start_athlete,
        )
        .throttled(Throttle::Registration)
        .says("Registration started"),
        new_athlete(
            "core.registration.athlete_credentials",
            Post,
            "/athlete/update-registration-step2",
            "set email and password",
            registering::athlete_credentials,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION]),
        new_athlete(
            "core.registration.athlete_team",
            Post,
            "/athlete/update-registration-step4",
            "set sport and university",
            registering::athlete::set_team,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        new_athlete(
            "core.registration.athlete_person",
            Post,
            "/athlete/update-registration-step5",
            "set personal information",
            registering::athlete::set_person,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        new_athlete(
            "core.registration.athlete_verify",
            Post,
            "/athlete/update-registration-step8",
            "complete OTP verification",
            registering::verify_athlete,
        )
        .throttled(Throttle::Registration)
        .says("Welcome")
        .errors(&[
            codes::OTP_INVALID,
            codes::OTP_EXHAUSTED,
            codes::REGISTRATION_STEPS_MISSING,
            codes::ILLEGAL_TRANSITION,
        ]),
    ]
}

/// Registration of brands.
fn partner_registration() -> Vec<Entry> {
    vec![
        anyone(
            "core.registration.partner_start",
            Post,
            "/partner/register",
            "create brand partner account",
            registering::start_partner,
        )
        .throttled(Throttle::Registration)
        .says("Registration started"),
        new_partner(
            "core.registration.partner_credentials",
            Post,
            "/partner/update-registration-step2",
            "set email and password",
            registering::partner_credentials,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION]),
        new_partner(
            "core.registration.partner_company",
            Post,
            "/partner/update-registration-step3",
            "set company name",
            registering::partner::set_company,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        new_partner(
            "core.registration.partner_category",
            Post,
            "/partner/update-registration-step4",
            "set business category",
            registering::partner::set_category,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        new_partner(
            "core.registration.partner_verify",
            Post,
            "/partner/update-registration-step10",
            "complete OTP verification",
            registering::verify_partner,
        )
        .throttled(Throttle::Registration)
        .says("Welcome")
        .errors(&[
            codes::OTP_INVALID,
            codes::OTP_EXHAUSTED,
            codes::REGISTRATION_STEPS_MISSING,
            codes::ILLEGAL_TRANSITION,
        ]),
    ]
}

/// Registration of agents.
fn agent_registration() -> Vec<Entry> {
    vec![
        anyone(
            "core.registration.agent_start",
            Post,
            "/agent/register-new",
            "create agent account",
            registering::start_agent,
        )
        .throttled(Throttle::Registration)
        .says("Registration started"),
        new_agent(
            "core.registration.agent_credentials",
            Post,
            "/agent/update-registration-step2",
            "set email and password",
            registering::agent_credentials,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION]),
        new_agent(
            "core.registration.agent_agency",
            Post,
            "/agent/update-registration-step3",
            "set agency name",
            registering::agent::set_agency,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        new_agent(
            "core.registration.agent_profile",
            Post,
            "/agent/update-registration-step4",
            "set professional-network profile",
            registering::agent::set_network,
        )
        .throttled(Throttle::Registration)
        .says("Saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        new_agent(
            "core.registration.agent_verify",
            Post,
            "/agent/update-registration-step7",
            "complete OTP verification",
            registering::verify_agent,
        )
        .throttled(Throttle::Registration)
        .says("Welcome")
        .errors(&[
            codes::OTP_INVALID,
            codes::OTP_EXHAUSTED,
            codes::REGISTRATION_STEPS_MISSING,
            codes::ILLEGAL_TRANSITION,
        ]),
    ]
}

/// Registration of fans, and their own endpoint, which the specification lists with it.
fn fan_registration() -> Vec<Entry> {
    vec![
        anyone(
            "core.registration.fan_start",
            Post,
            "/fan/register",
            "create fan account",
            registering::start_fan,
        )
        .throttled(Throttle::Registration)
        .says("Registration started"),
        new_fan(
            "core.registration.fan_credentials",
            Post,
            "/fan/update-registration-step2",
            "set email and password",
            registering::fan_credentials,
        )
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
    ]
}

/// Extensions of registration and of fans.
fn registration_links() -> Vec<Entry> {
    vec![
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
        .errors(&[codes::REGISTRATION_STEPS_MISSING, codes::ILLEGAL_TRANSITION]),
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

/// Athletes.
fn athletes() -> Vec<Entry> {
    vec![
        user(
            "core.athlete.detail",
            Post,
            "/getAthleteDetail",
            "full athlete profile",
            profiles::athlete_detail,
        ),
        athlete(
            "core.athlete.ask_guardian",
            Post,
            "/athlete/ask-guardian",
            "ask the guardian for consent again",
            registering::consenting::ask_again,
        )
        .extension()
        .throttled(Throttle::Recovery)
        .says("The guardian has been asked")
        .errors(&[codes::ILLEGAL_TRANSITION]),
    ]
}

/// Partners.
fn partners() -> Vec<Entry> {
    vec![
        partner(
            "core.partner.me",
            Get,
            "/partner/me",
            "brand profile",
            profiles::partner_me,
        )
        .extension(),
    ]
}

/// Agents.
fn agents() -> Vec<Entry> {
    vec![agent(
        "core.agent.me",
        Get,
        "/agent/me",
        "agent profile",
        profiles::agent_me,
    )]
}

/// Why somebody cannot be hired.
const HIRING: &[Code] = &[
    codes::ILLEGAL_TRANSITION,
    codes::JOB_NOT_OPEN,
    codes::JOB_FULL,
    codes::ATHLETE_UNAVAILABLE,
    codes::NOT_ELIGIBLE,
    codes::ATHLETE_NOT_READY,
    codes::GUARDIAN_CONSENT_MISSING,
    codes::EXCLUSIVITY_CONFLICT,
    codes::CONTRACT_INCOMPLETE,
];

/// Athletes: work and requests in their deals.
fn athlete_deals() -> Vec<Entry> {
    vec![
        party(
            "core.deliverable.outstanding",
            Post,
            "/athleteDeliverablesV3",
            "list outstanding deliverables for a deal",
            delivering::outstanding,
        )
        .owned(),
        party(
            "core.deliverable.overdue",
            Post,
            "/athleteOverDueDeliverables",
            "list overdue deliverables",
            delivering::overdue,
        )
        .owned(),
        athlete(
            "core.contract.download_as_athlete",
            Get,
            "/athlete/jobs/{jobId}/download-contract",
            "download a job contract PDF",
            downloading::as_athlete,
        )
        .owned(),
        athlete(
            "core.contract.confirm_availability",
            Post,
            "/athlete/confirm-the-availability",
            "confirm availability for a hired job",
            confirming::confirm_availability,
        )
        .owned()
        .says("Availability confirmed")
        .errors(&[codes::NOT_HIRED, codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.contract.not_available",
            Post,
            "/athlete/not-available-for-deal",
            "decline a hired job, initiates contract cancellation",
            requesting::not_available,
        )
        .owned()
        .says("Cancellation requested")
        .errors(&[
            codes::NOT_HIRED,
            codes::REQUEST_PENDING,
            codes::ILLEGAL_TRANSITION,
        ]),
        athlete(
            "core.contract.request_new_due_date",
            Post,
            "/athlete/request-new-due-date-for-deal",
            "request a deadline extension on a deliverable",
            requesting::request_new_due_date,
        )
        .owned()
        .says("New due date requested")
        .errors(&[
            codes::NOT_HIRED,
            codes::REQUEST_PENDING,
            codes::EXTENSION_LIMIT,
            codes::ILLEGAL_TRANSITION,
        ]),
    ]
}

/// Athletes: what else they can do about a deal (extensions).
fn athlete_answers() -> Vec<Entry> {
    vec![
        athlete(
            "core.contract.withdraw_request",
            Post,
            "/athlete/withdraw-contract-request",
            "withdraw a pending contract request",
            requesting::withdraw,
        )
        .extension()
        .owned()
        .says("Request withdrawn")
        .errors(&[codes::NOT_HIRED, codes::NO_PENDING_REQUEST]),
        athlete(
            "core.job.request_manual_review_of_deal",
            Post,
            "/athlete/request-manual-review",
            "escalate a deal with a silent brand for manual platform review",
            managing::ask_review_of_deal,
        )
        .extension()
        .owned()
        .says("Review requested")
        .errors(&[codes::REQUEST_PENDING]),
        athlete(
            "core.application.respond_invitation",
            Post,
            "/athlete/respond-invitation",
            "accept or decline an invitation to a job",
            applying::respond_invitation,
        )
        .extension()
        .owned()
        .says("Invitation answered")
        .errors(&[
            codes::JOB_CLOSED,
            codes::NOT_ELIGIBLE,
            codes::ATHLETE_NOT_READY,
            codes::ATHLETE_UNAVAILABLE,
            codes::REJECTED_BEFORE,
            codes::ILLEGAL_TRANSITION,
        ]),
    ]
}

/// Partners: their jobs and who applies.
fn partner_jobs() -> Vec<Entry> {
    vec![
        partner(
            "core.job.posted",
            Post,
            "/partnerJobs",
            "list jobs posted by the partner",
            browsing::posted,
        ),
        partner(
            "core.application.list",
            Post,
            "/partnerGetJobApplicants",
            "list applicants of a job",
            browsing::applicants,
        )
        .owned(),
    ]
}

/// Partners: hiring several at once.
fn partner_hiring() -> Vec<Entry> {
    vec![
        partner(
            "core.application.hire_bulk",
            Post,
            "/partner/bulk-hiring",
            "hire several athletes for a job",
            hiring::hire_bulk,
        )
        .owned()
        .says("Athletes hired")
        .errors(HIRING),
    ]
}

/// Partners: decisions in their deals.
fn partner_deals() -> Vec<Entry> {
    vec![
        partner(
            "core.deliverable.deny",
            Post,
            "/partner/deny-athlete-deliverable/{milestonesAthleteRel}",
            "reject a submitted deliverable",
            delivering::deny,
        )
        .owned()
        .says("Deliverable denied")
        .errors(&[codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION]),
        partner(
            "core.job.request_manual_review",
            Post,
            "/partner/request-manual-review",
            "escalate a job or deal for manual platform review",
            managing::ask_review,
        )
        .owned()
        .says("Review requested")
        .errors(&[codes::REQUEST_PENDING]),
        partner(
            "core.contract.dismiss_request",
            Post,
            "/partner/dismiss-contract-request",
            "dismiss a pending contract request",
            requesting::dismiss,
        )
        .owned()
        .says("Contract request dismissed")
        .errors(&[codes::NO_PENDING_REQUEST]),
        partner(
            "core.contract.accept_request",
            Post,
            "/partner/accept-contract-request",
            "accept a pending contract request",
            requesting::accept,
        )
        .extension()
        .owned()
        .says("Contract request accepted")
        .errors(&[codes::NO_PENDING_REQUEST]),
    ]
}

/// Agents: the contracts of their athletes.
fn agent_contracts() -> Vec<Entry> {
    vec![
        agent(
            "core.contract.download_as_agent",
            Get,
            "/agent/athlete/{athleteId}/job/{jobId}/download-contract",
            "download a contract PDF",
            downloading::as_agent,
        )
        .owned(),
    ]
}

/// Jobs and deals, up to the hire.
fn jobs_and_applications() -> Vec<Entry> {
    vec![
        partner(
            "core.job.save",
            Post,
            "/add-job",
            "create or edit a job",
            posting::save,
        )
        .owned()
        .says("Job saved")
        .errors(&[codes::JOB_HAS_HIRES, codes::JOB_NOT_OPEN]),
        user(
            "core.job.search",
            Post,
            "/searchJobV2",
            "search and filter jobs",
            browsing::search,
        ),
        user(
            "core.job.detail",
            Post,
            "/getSelectedJob",
            "details of one job",
            browsing::detail,
        ),
        athlete(
            "core.application.apply",
            Post,
            "/applyJob",
            "apply to a job as an athlete",
            applying::apply,
        )
        .says("Application sent")
        .errors(&[
            codes::ALREADY_APPLIED,
            codes::JOB_CLOSED,
            codes::REJECTED_BEFORE,
            codes::NOT_ELIGIBLE,
            codes::ATHLETE_NOT_READY,
            codes::ATHLETE_UNAVAILABLE,
        ]),
        partner(
            "core.application.invite_bulk",
            Post,
            "/inviteAthleteJobBulk",
            "bulk invite athletes",
            inviting::invite_bulk,
        )
        .owned()
        .says("Athletes invited")
        .errors(&[codes::JOB_NOT_OPEN]),
        partner(
            "core.application.hire",
            Post,
            "/athleteHire",
            "hire an athlete (applicant to hired, generates the contract)",
            hiring::hire,
        )
        .owned()
        .says("Athlete hired")
        .errors(HIRING),
        partner(
            "core.application.reject",
            Post,
            "/rejectAthletefromJob",
            "reject an applicant",
            inviting::reject,
        )
        .owned()
        .says("Applicant rejected")
        .errors(&[codes::ILLEGAL_TRANSITION]),
    ]
}

/// Jobs and deals, after the hire.
fn work_and_deals() -> Vec<Entry> {
    vec![
        partner(
            "core.deliverable.change_status",
            Post,
            "/jobStatusChange",
            "update the status of a deliverable",
            delivering::change_status,
        )
        .owned()
        .says("Deliverable updated")
        .errors(&[codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.deliverable.submit",
            Post,
            "/submitMediaPost",
            "submit a media post as a deliverable",
            delivering::submit,
        )
        .owned()
        .says("Deliverable submitted")
        .errors(&[codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION]),
        party(
            "core.contract.download",
            Get,
            "/jobs/{jobId}/download-contract",
            "download the job contract PDF",
            downloading::as_party,
        )
        .owned()
        .errors(&[codes::ATHLETE_REQUIRED]),
        party(
            "core.deal.list",
            Post,
            "/myDealsV2",
            "list active deals of the authenticated user",
            deals::list,
        )
        .owned(),
        party(
            "core.deal.count",
            Post,
            "/myDealsCount",
            "status counts of deals",
            deals::count,
        ),
    ]
}

/// Jobs and deals: stepping back, closing, calling off (extensions).
fn job_endings() -> Vec<Entry> {
    vec![
        athlete(
            "core.application.withdraw",
            Post,
            "/withdrawApplication",
            "withdraw an application",
            applying::withdraw,
        )
        .extension()
        .owned()
        .says("Application withdrawn")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        partner(
            "core.job.close",
            Post,
            "/job/close",
            "close a job to applications",
            closing::close,
        )
        .extension()
        .owned()
        .says("Job closed")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        partner(
            "core.job.reopen",
            Post,
            "/job/reopen",
            "open a closed job again",
            closing::reopen,
        )
        .extension()
        .owned()
        .says("Job reopened")
        .errors(&[
            codes::ILLEGAL_TRANSITION,
            codes::JOB_FULL,
            codes::JOB_CLOSED,
        ]),
        partner(
            "core.job.cancel",
            Post,
            "/job/cancel",
            "call a job off",
            closing::cancel,
        )
        .extension()
        .owned()
        .says("Job cancelled")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::JOB_HAS_CONTRACTS]),
    ]
}

/// No authentication.
fn public() -> Vec<Entry> {
    vec![
        anyone(
            "core.public.site_config",
            Get,
            "/site_config",
            "site configuration",
            backoffice::site::view,
        )
        .throttled(Throttle::Public),
        anyone(
            "core.public.colleges",
            Post,
            "/listColleges",
            "list colleges and universities",
            institutions::browsing::list,
        )
        .throttled(Throttle::Public),
    ]
}
