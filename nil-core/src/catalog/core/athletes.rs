//! Athletes: profiles, their work, requests about their deals.

use crate::accounts::editing;
use crate::accounts::profiles;
use crate::accounts::registering;
use crate::accounts::searching;
use crate::agents::{answering, browsing, ending};
use crate::auth::throttle::Throttle;
use crate::catalog::Method::{Get, Post};
use crate::catalog::row::{Entry, athlete, party, user};
use crate::contracts::confirming;
use crate::contracts::downloading;
use crate::contracts::requesting;
use crate::error::codes;
use crate::institutions::visa;
use crate::jobs::applying;
use crate::jobs::delivering;
use crate::jobs::reviewing;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        user(
            "core.athlete.search",
            Post,
            "/searchAthleteV2",
            "search and filter the athlete directory",
            searching::search,
        ),
        user(
            "core.athlete.detail",
            Post,
            "/getAthleteDetail",
            "full athlete profile",
            profiles::athlete_detail,
        ),
        athlete(
            "core.athlete.edit",
            Post,
            "/editAthleteWebsite",
            "update the athlete's profile",
            editing::edit_athlete,
        )
        .owned()
        .says("Profile saved")
        .errors(&[codes::ILLEGAL_TRANSITION]),
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
        .owned()
        .sends("application/pdf"),
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
        .errors(&[codes::NOT_HIRED, codes::REQUEST_PENDING, codes::ILLEGAL_TRANSITION]),
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
        .errors(&[codes::NOT_FOUND, codes::ILLEGAL_TRANSITION, codes::TOO_MANY_MAILS]),
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
            reviewing::ask_review_of_deal,
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
            codes::CATEGORY_PROHIBITED,
            codes::SPONSOR_CONFLICT,
            codes::BLACKOUT,
            codes::VISA_STATUS,
            codes::ILLEGAL_TRANSITION,
        ]),
        athlete(
            "core.athlete.respond_agent_invitation",
            Post,
            "/athlete/respond-agent-invitation",
            "accept or decline an agent's invitation",
            answering::respond,
        )
        .extension()
        .owned()
        .says("Invitation answered")
        .errors(&[
            codes::ALREADY_REPRESENTED,
            codes::AGENT_UNAVAILABLE,
            codes::ILLEGAL_TRANSITION,
        ]),
        athlete(
            "core.athlete.end_representation",
            Post,
            "/athlete/end-representation",
            "end the representation by an agent",
            ending::as_athlete,
        )
        .extension()
        .owned()
        .says("Representation ended")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        athlete(
            "core.athlete.representations",
            Get,
            "/athlete/representations",
            "list agents who represent, represented or invited the athlete",
            browsing::agents,
        )
        .extension(),
        athlete(
            "core.athlete.set_visa_status",
            Post,
            "/athlete/visa-status",
            "say which visa the athlete studies with",
            visa::set,
        )
        .extension()
        .says("Visa status saved"),
    ]
}
