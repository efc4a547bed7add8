//! Athletes: profiles, their work, requests about their deals.

use crate::accounts::athletes::editing;
use crate::accounts::profiles::{self, searching};
use crate::accounts::registering::consenting;
use crate::agents::{browsing, ending};
use crate::auth::Permission;
use crate::catalog::table::{Entry, athlete, extensions, owned, party, user};
use crate::contracts::downloading;
use crate::deals::delivering::outstanding;
use crate::deals::{confirming, delivering, requesting, reviewing};
use crate::disclosures::enrolling;
use crate::error::{Code, codes};
use crate::filings::{cancelling, noticing, responding};
use crate::institutions::visa;
use crate::jobs::applying;
use crate::throttle::Throttle;

/// The refusals of moving a due date.
const POSTPONING: &[Code] =
    &[codes::NOT_HIRED, codes::REQUEST_PENDING, codes::EXTENSION_LIMIT, codes::ILLEGAL_TRANSITION];

/// The refusals of accepting an invitation to a job.
const JOINING: &[Code] = &[
    codes::JOB_CLOSED,
    codes::NOT_ELIGIBLE,
    codes::ATHLETE_NOT_READY,
    codes::ATHLETE_UNAVAILABLE,
    codes::REJECTED_BEFORE,
    codes::CATEGORY_PROHIBITED,
    codes::SPONSOR_CONFLICT,
    codes::BLACKOUT,
    codes::VISA_STATUS,
    codes::ILLEGAL_TRANSITION,
];

/// The refusals of answering an agent's invitation.
const ANSWERING: &[Code] =
    &[codes::ALREADY_REPRESENTED, codes::AGENT_UNAVAILABLE, codes::ILLEGAL_TRANSITION];

pub(super) fn profiles() -> Vec<Entry> {
    vec![
        user("core.athlete.search", "POST /searchAthleteV2", searching::search)
            .may_be_behind()
            .purpose("search and filter the athlete directory")
            .for_impersonators(Permission::Accounts),
        user("core.athlete.detail", "POST /getAthleteDetail", profiles::athlete_detail)
            .purpose("full athlete profile")
            .for_impersonators(Permission::Accounts)
            .audited(),
        athlete("core.athlete.edit", "POST /editAthleteWebsite", editing::edit_athlete)
            .purpose("update the athlete's profile")
            .says("Profile saved")
            .for_impersonators(Permission::Accounts)
            .errors(&[codes::ILLEGAL_TRANSITION, codes::FILE_QUOTA_EXCEEDED, codes::STORAGE_FULL])
            .owned(),
    ]
}

pub(super) fn deals() -> Vec<Entry> {
    owned(vec![
        party("core.deliverable.outstanding", "POST /athleteDeliverablesV3", outstanding)
            .purpose("list outstanding deliverables for a deal")
            .for_impersonators(Permission::Accounts)
            .audited(),
        party("core.deliverable.overdue", "POST /athleteOverDueDeliverables", delivering::overdue)
            .purpose("list overdue deliverables")
            .for_impersonators(Permission::Accounts)
            .audited(),
        athlete(
            "core.contract.download_as_athlete",
            "GET /athlete/jobs/{jobId}/download-contract",
            downloading::as_athlete,
        )
        .purpose("download a job contract PDF")
        .for_impersonators(Permission::Jobs)
        .audited()
        .sends("application/pdf")
        .errors(&[codes::CONTRACT_INCOMPLETE]),
        athlete(
            "core.contract.confirm_availability",
            "POST /athlete/confirm-the-availability",
            confirming::confirm_availability,
        )
        .purpose("confirm availability for a hired job")
        .says("Availability confirmed")
        .errors(&[codes::NOT_HIRED, codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.contract.not_available",
            "POST /athlete/not-available-for-deal",
            requesting::not_available,
        )
        .purpose("decline a hired job, initiates contract cancellation")
        .says("Cancellation requested")
        .errors(&[codes::NOT_HIRED, codes::REQUEST_PENDING, codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.contract.request_new_due_date",
            "POST /athlete/request-new-due-date-for-deal",
            requesting::request_new_due_date,
        )
        .purpose("request a deadline extension on a deliverable")
        .says("New due date requested")
        .errors(POSTPONING),
    ])
}

pub(super) fn beyond() -> Vec<Entry> {
    extensions(vec![
        athlete("core.athlete.ask_guardian", "POST /athlete/ask-guardian", consenting::ask_again)
            .purpose("ask the guardian for consent again")
            .says("The guardian has been asked")
            .errors(&[codes::NOT_FOUND, codes::ILLEGAL_TRANSITION, codes::TOO_MANY_MAILS])
            .throttled(Throttle::Recovery),
        athlete(
            "core.contract.withdraw_request",
            "POST /athlete/withdraw-contract-request",
            requesting::withdraw,
        )
        .purpose("withdraw a pending contract request")
        .says("Request withdrawn")
        .errors(&[codes::NOT_HIRED, codes::NO_PENDING_REQUEST])
        .owned(),
        athlete(
            "core.job.request_manual_review_of_deal",
            "POST /athlete/request-manual-review",
            reviewing::ask_review_of_deal,
        )
        .purpose("escalate a deal with an unresponsive brand for manual platform review")
        .says("Review requested")
        .errors(&[codes::REQUEST_PENDING])
        .owned(),
        athlete(
            "core.application.respond_invitation",
            "POST /athlete/respond-invitation",
            applying::respond_invitation,
        )
        .purpose("accept or decline an invitation to a job")
        .says("Invitation answered")
        .errors(JOINING)
        .owned(),
        athlete(
            "core.athlete.respond_agent_invitation",
            "POST /athlete/respond-agent-invitation",
            responding::respond,
        )
        .purpose("accept or decline an agent's invitation")
        .says("Invitation answered")
        .errors(ANSWERING)
        .owned(),
        athlete(
            "core.athlete.end_representation",
            "POST /athlete/end-representation",
            ending::as_athlete,
        )
        .purpose("end the representation by an agent")
        .says("Representation ended")
        .errors(&[codes::ILLEGAL_TRANSITION])
        .owned(),
        athlete(
            "core.athlete.cancel_agent_contract",
            "POST /athlete/cancel-agent-contract",
            cancelling::cancel,
        )
        .purpose("cancel the contract with an agent within the time to cancel")
        .says("Contract cancelled")
        .errors(&[codes::ILLEGAL_TRANSITION, codes::CANCELLATION_OVER])
        .owned(),
        athlete(
            "core.athlete.agent_notice",
            "POST /athlete/agent-notice",
            noticing::give_as_athlete,
        )
        .purpose("give the institution notice of the contract with an agent")
        .says("Notice given")
        .errors(&[codes::ILLEGAL_TRANSITION])
        .owned(),
        athlete(
            "core.athlete.agent_filings",
            "GET /athlete/agent-filings",
            noticing::list_of_athlete,
        )
        .purpose(
            "list contracts with agents that an institution must hear of, with their deadlines",
        )
        .for_impersonators(Permission::Accounts)
        .owned(),
        athlete("core.athlete.representations", "GET /athlete/representations", browsing::agents)
            .purpose("list current and former agents, and agents' invitations")
            .for_impersonators(Permission::Accounts),
        athlete("core.athlete.set_visa_status", "POST /athlete/visa-status", visa::set)
            .purpose("set the athlete's visa status")
            .says("Visa status saved"),
        athlete("core.athlete.enrolment", "GET /athlete/enrolment", enrolling::show)
            .purpose("show when the athlete enrolled and where they came from"),
        athlete("core.athlete.set_enrolment", "POST /athlete/enrolment", enrolling::set)
            .purpose("set when the athlete enrolled and where they came from")
            .says("Enrolment saved")
            .errors(&[codes::ATHLETE_NOT_READY]),
    ])
}
