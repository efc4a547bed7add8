//! All error codes. A code is part of the interface: it is never renamed or reused.

use super::Kind;

/// A stable code with its kind and its default sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The code in answers.
    pub name: &'static str,
    /// The family, which decides the HTTP status.
    pub kind: Kind,
    /// The default sentence.
    pub sentence: &'static str,
}

macro_rules! codes {
    ($($constant:ident = $kind:ident $name:literal $sentence:literal;)+) => {
        $(
            #[doc = concat!("`", $name, "`: ", $sentence)]
            pub const $constant: Code =
                Code { name: $name, kind: Kind::$kind, sentence: $sentence };
        )+

        /// All codes, in the order of this file.
        pub const ALL: &[Code] = &[$($constant,)+];
    };
}

codes! {
    // Any operation.
    MALFORMED_JSON = Malformed "malformed_json" "The body is not valid JSON.";
    MALFORMED_FORM = Malformed "malformed_form" "The form could not be read.";
    MALFORMED_REQUEST = Malformed "malformed_request" "The request's head is not valid HTTP.";
    UNAUTHENTICATED = Unauthenticated "unauthenticated" "Please log in.";
    FORBIDDEN = Forbidden "forbidden" "You are not allowed to do this.";
    FEATURE_OFF = Forbidden "feature_off" "This part of the site is switched off.";
    CROSS_SITE = Forbidden "cross_site_request" "This address may not be opened from another site.";
    NOT_FOUND = NotFound "not_found" "There is no such record.";
    ROUTE_NOT_FOUND = NotFound "route_not_found" "There is nothing at this address.";
    METHOD_NOT_ALLOWED = MethodNotAllowed "method_not_allowed" "This address does not support this method.";
    ILLEGAL_TRANSITION = Conflict "illegal_transition" "The record's state does not allow this.";
    STATE_CHANGED = Conflict "state_changed" "This record was changed at the same time. Reload it and try again.";
    DUPLICATE = Conflict "duplicate" "Such a record already exists.";
    IDEMPOTENCY_KEY_REUSED = Conflict "idempotency_key_reused" "This Idempotency-Key was already used with a different request.";
    IDEMPOTENCY_IN_PROGRESS = Conflict "idempotency_in_progress" "The first request with this Idempotency-Key is still running.";
    BODY_TOO_LARGE = TooLarge "body_too_large" "The body is larger than allowed.";
    UNSUPPORTED_MEDIA_TYPE = UnsupportedMedia "unsupported_media_type" "This content type is not accepted here.";
    VALIDATION_FAILED = Invalid "validation_failed" "Some fields are invalid.";
    UNKNOWN_FIELD = Invalid "unknown_field" "The request contains unknown fields.";
    THROTTLED = Throttled "throttled" "Too many requests. Please wait.";
    TOO_MANY_STREAMS = Throttled "too_many_streams" "You have too many live streams open. Close one first.";
    INTERNAL = Internal "internal_error" "Something went wrong on our side.";
    UNAVAILABLE = Unavailable "unavailable" "The service is not ready. Please try again shortly.";
    STORAGE_FULL = Unavailable "storage_full" "The storage is full. Nothing was changed.";
    AGAIN = Again "try_again" "Please try again.";

    // Accounts and access.
    WRONG_CREDENTIALS = Unauthenticated "wrong_credentials" "E-mail or password is wrong.";
    REGISTRATION_INCOMPLETE = Forbidden "registration_incomplete" "Finish your registration first.";
    ACCOUNT_SUSPENDED = Forbidden "account_suspended" "This account is suspended.";
    ACCOUNT_NOT_SETTLED = Conflict "account_not_settled" "The account cannot be closed yet: something is still under way.";
    ONE_TIME_PASSWORD_USED = Forbidden "one_time_password_used" "This one-time password has already been used. Ask the server's administrator for another: nil operator reset-password EMAIL.";
    PASSWORD_CHANGE_REQUIRED = Forbidden "password_change_required" "Set your own password first (POST /admin/change-password): you logged in with a one-time password.";
    TOTP_REQUIRED = Unauthenticated "totp_required" "Two-step log-in is on: send the code of your authenticator app, or a recovery code, as `totp`.";
    TOTP_INVALID = Unauthenticated "totp_invalid" "The code is wrong, out of date or already used.";
    TOTP_BLOCKED = Forbidden "totp_blocked" "Too many wrong codes. Use a recovery code, or ask somebody who may do so to reset your second step.";
    TOTP_SETUP_REQUIRED = Forbidden "totp_setup_required" "This platform requires two-step log-in. Set it up first (POST /admin/totp/start).";
    TOTP_ON = Conflict "totp_on" "Two-step log-in is already on. Turn it off first.";
    TOTP_NOT_ON = Conflict "totp_not_on" "Two-step log-in is not on.";
    TOTP_NOT_STARTED = Conflict "totp_not_started" "Get a secret first (POST /totp/start).";
    TOTP_COMPULSORY = Conflict "totp_compulsory" "This platform requires two-step log-in; it cannot be turned off.";
    SIGN_ON_FAILED = Unauthenticated "sign_on_failed" "The sign-on did not succeed. Begin it again.";
    SIGN_ON_REFUSED = Forbidden "sign_on_refused" "You have signed on, but this gives you no access here.";
    SIGN_ON_REQUIRED = Forbidden "sign_on_required" "Passwords are switched off here. Sign on through your organization.";
    SIGN_ON_UNPROVEN = Conflict "sign_on_unproven" "Sign on through the provider first, and switch passwords off in that session.";
    SIGN_ON_NEEDED = Conflict "sign_on_needed" "Passwords are switched off. Switch them on first.";
    SIGN_ON_UNAVAILABLE = Unavailable "sign_on_unavailable" "The identity provider does not answer. Try again later.";
    IMPERSONATION_READS_ONLY = Forbidden "impersonation_reads_only" "You act as somebody else. Your permissions do not allow this in their name.";
    APPROVAL_PENDING = Forbidden "approval_pending" "This account is waiting for approval.";
    CSRF_INVALID = Forbidden "csrf_invalid" "The CSRF token is missing or stale; get one from /updateCsrfToken.";
    ATHLETE_TOKEN_INVALID = Unauthenticated "athlete_token_invalid" "The athlete's token is missing, wrong or expired. Get a new one.";
    REQUEST_STALE = Unauthenticated "request_stale" "The request's timestamp is missing, or differs from the server's time by more than five minutes.";
    REQUEST_REPLAYED = Unauthenticated "request_replayed" "A request with this nonce was received before.";
    EMAIL_TAKEN = Conflict "email_taken" "This e-mail already belongs to an account.";
    LAST_OWNER = Conflict "last_owner" "The portal must keep an active owner. Make another user an owner first.";
    LAST_OPERATOR = Conflict "last_operator" "The platform must keep an active operator with all permissions. Create another one first.";
    OTP_INVALID = Invalid "otp_invalid" "The code is wrong or has expired.";
    OTP_EXHAUSTED = Invalid "otp_exhausted" "Too many wrong codes. Ask for a new one.";
    OTP_BLOCKED = Throttled "otp_blocked" "Too many wrong codes. This registration accepts no more codes; start a new one after it has lapsed.";
    TOO_MANY_MAILS = Throttled "too_many_mails" "Too many mails were sent to this address. Please wait.";
    TOKEN_INVALID = Invalid "token_invalid" "The token is wrong, used or expired.";
    REGISTRATION_STEPS_MISSING = Invalid "registration_steps_missing" "Some steps are still missing.";

    // Agents.
    TERMS_NOT_ACCEPTED = Conflict "terms_not_accepted" "Accept the current terms for agents first.";
    ALREADY_INVITED = Conflict "already_invited" "An invitation has not been answered yet.";
    ALREADY_REPRESENTED = Conflict "already_represented" "The athlete already has an agent; that representation must end first.";
    INVITATION_LIMIT = Conflict "invitation_limit" "Too many invitations. Please wait.";
    CANCELLATION_OVER = Conflict "cancellation_over" "The time to cancel this contract with an agent is over.";
    AGENT_UNAVAILABLE = Conflict "agent_unavailable" "The agent's account is no longer in use.";

    // Jobs and applications.
    JOB_NOT_OPEN = Conflict "job_not_open" "This job is not open.";
    JOB_CLOSED = Conflict "job_closed" "This job no longer accepts applications.";
    JOB_FULL = Conflict "job_full" "All places of this job are filled.";
    DUE_DATE_PASSED = Conflict "due_date_passed" "A due date of this job has passed: move it first.";
    JOB_HAS_CONTRACTS = Conflict "job_has_contracts" "The job still has contracts under way.";
    JOB_HAS_HIRES = Conflict "job_has_hires" "Athletes were hired on these terms; only additions are possible.";
    ALREADY_APPLIED = Conflict "already_applied" "An application for this job already exists.";
    REJECTED_BEFORE = Conflict "rejected_before" "The brand has already declined this athlete for the job.";
    NOT_ELIGIBLE = Conflict "not_eligible" "The athlete does not meet the job's conditions.";
    ATHLETE_NOT_READY = Conflict "athlete_not_ready" "The athlete's profile is not ready for a deal.";
    ATHLETE_UNAVAILABLE = Conflict "athlete_unavailable" "The athlete's account is not active or not available.";
    GUARDIAN_CONSENT_MISSING = Conflict "guardian_consent_missing" "A guardian must consent first.";
    EXCLUSIVITY_CONFLICT = Conflict "exclusivity_conflict" "Another contract of the athlete excludes this one.";
    INSTITUTION_RULE = Conflict "institution_rule" "A rule of the athlete's institution forbids this.";
    CATEGORY_PROHIBITED = Conflict "category_prohibited" "The athlete's institution prohibits deals of this category.";
    CATEGORY_RESTRICTED = Conflict "category_restricted" "The athlete's institution must consent to deals of this category.";
    SPONSOR_CONFLICT = Conflict "sponsor_conflict" "The deal conflicts with a sponsor of the athlete's institution.";
    BLACKOUT = Conflict "blackout" "The athlete's institution does not allow such work on these days.";
    VISA_STATUS = Conflict "visa_status" "The athlete's institution allows no deals under the athlete's visa.";
    NO_PENDING_REQUEST = NotFound "no_pending_request" "There is no pending request.";
    NOT_HIRED = Conflict "not_hired" "The athlete is not hired for this job.";

    // Contracts and deliverables.
    SITE_UNNAMED = Conflict "site_unnamed" "This site issues no invoices yet. An operator must first set its name and its support address in the basic settings.";
    CONTRACT_INCOMPLETE = Conflict "contract_incomplete" "The contract cannot be written: something is missing.";
    CONTRACT_NOT_ACTIVE = Conflict "contract_not_active" "The contract is not active.";
    REQUEST_PENDING = Conflict "request_pending" "Such a request is already pending.";
    EXTENSION_LIMIT = Conflict "extension_limit" "A due date can be moved at most twice.";
    NOT_ON_COMMISSION = Conflict "not_on_commission" "This contract pays no commission on sales.";
    COMMISSION_ENDED = Conflict "commission_ended" "The contract has ended; sales no longer earn commission.";
    LINK_LIMIT = Conflict "link_limit" "This contract has the maximum number of links. Change one of them instead.";
    NO_AMENDMENTS = NotFound "no_amendments" "This contract has not been amended.";
    DEAL_ENDED = Conflict "deal_ended" "The deal has ended; its folder can only be read.";
    OWN_VERSION = Conflict "own_version" "Your side added this version; the other side decides on it.";
    OTHERS_VERSION = Conflict "others_version" "The other side added this version; ask for edits instead.";
    DOCUMENT_DISCUSSED = Conflict "document_discussed" "This document was answered, replaced or commented on; it stays in the folder. Void it instead.";
    TOO_MANY_VERSIONS = Conflict "too_many_versions" "The document has the maximum number of versions. Add it as a new one.";
    TOO_MANY_COMMENTS = Conflict "too_many_comments" "The document has the maximum number of comments.";
    ATHLETE_REQUIRED = Invalid "athlete_required" "Several athletes are under contract; name one of them.";

    // Services.
    ORDER_PENDING = Conflict "order_pending" "The athlete has not answered your order of this service yet.";
    PRICE_CHANGED = Conflict "price_changed" "The price differs from the one you were shown. Check the offer again.";
    TOO_MANY_OFFERS = Conflict "too_many_offers" "The athlete has the maximum number of offers. Change one of them instead.";

    // Chat.
    RECIPIENT_UNAVAILABLE = Conflict "recipient_unavailable" "This account does not accept messages.";
    CONVERSATION_CLOSED = Conflict "conversation_closed" "You can read this conversation but no longer write in it.";
    TOO_MANY_PINS = Conflict "too_many_pins" "This conversation has the maximum number of pinned messages. Unpin one first.";
    TOO_MANY_DRAFTS = Conflict "too_many_drafts" "There are too many unsent drafts. Send or delete one first.";

    // Files.
    FILE_IN_USE = Conflict "file_in_use" "The file is part of a record and cannot be deleted.";
    FILE_QUOTA_EXCEEDED = Conflict "file_quota_exceeded" "Your file storage is full. Delete some files first.";
    NO_FILE = Conflict "no_file" "This submission consists of links only; there is no file to download.";
    USAGE_RIGHTS_EXPIRED = Conflict "usage_rights_expired" "The right to use this content has expired.";
    UPLOAD_EXPIRED = Conflict "upload_expired" "This upload was not completed in time. Begin a new one.";
    RANGE_NOT_SATISFIABLE = Range "range_not_satisfiable" "The file ends before the requested range.";
    UPLOAD_ENDED = Conflict "upload_ended" "This upload was aborted. Begin a new one.";
    TOO_MANY_UPLOADS = Conflict "too_many_uploads" "Too many uploads are open. Complete or abort one of them first.";
    FOLDER_DELETED = Conflict "folder_deleted" "The folder it belongs to is deleted. Restore that one first, or name another folder.";
    NO_PREVIEW = Conflict "no_preview" "A file of this type has no preview. Download it instead.";
    TOO_MANY_WEBHOOKS = Conflict "too_many_webhooks" "There are as many endpoints of webhooks as there can be. Change or remove one of them.";
    WEBHOOK_FULL = Conflict "webhook_full" "A thousand deliveries wait for this endpoint. Wait until some have arrived.";
    WEBHOOK_OFF = Conflict "webhook_off" "This endpoint is switched off. Switch it on first.";
    TOO_MANY_EXPORTS = Conflict "too_many_exports" "Too many exports are waiting. Wait until one of them is ready.";
    NOT_READY = Conflict "not_ready" "The export is not ready yet.";
    EXPORT_FAILED = Conflict "export_failed" "The export could not be made. Request it again.";
    EXPORT_EXPIRED = Gone "export_expired" "The file of this export was deleted. Request it again.";
    LINK_INVALID = NotFound "link_invalid" "This link is wrong or has expired. Ask for a new one.";

    // Money.
    CARD_DECLINED = Declined "card_declined" "The card was declined.";
    NO_PAYMENT_METHOD = Conflict "no_payment_method" "There is no saved card.";
    NOTHING_OWED = Conflict "nothing_owed" "Nothing is owed for this.";
    AMOUNT_EXCEEDS_OWED = Invalid "amount_exceeds_owed" "The amount is more than what is owed.";
    TOTAL_CHANGED = Conflict "total_changed" "The total differs from the one you were shown. Check the summary again.";
    LINE_NOT_PAYABLE = Invalid "line_not_payable" "A line of the payment cannot be paid.";
    PAYMENT_IN_PROGRESS = Conflict "payment_in_progress" "A payment for this is being processed.";
    PAYOUT_IN_PROGRESS = Conflict "payout_in_progress" "A payout of this money is under way.";
    ALREADY_PAID_OUT = Conflict "already_paid_out" "This money has already been paid out.";
    NOT_REFUNDABLE = Conflict "not_refundable" "This payment has nothing left to refund.";
    CHARGE_DISPUTED = Conflict "charge_disputed" "The cardholder's bank has taken this charge back.";
    DISPUTE_REFUSED = Conflict "dispute_refused" "The processor does not take this answer to the dispute.";
    REFUND_EXCEEDS_PAYMENT = Invalid "refund_exceeds_payment" "The refund is more than what is left of the payment.";
    NOTHING_TO_PAY_OUT = Conflict "nothing_to_pay_out" "The wallet is empty.";
    ALREADY_SUBSCRIBED = Conflict "already_subscribed" "There is already a subscription; it must end first.";
    NOT_SUBSCRIBED = Conflict "not_subscribed" "There is no subscription.";
    SAME_PLAN = Conflict "same_plan" "The subscription already has this plan.";
    REFUND_PERIOD_OVER = Conflict "refund_period_over" "The time in which this can be refunded is over.";
    YEAR_FILED = Conflict "year_filed" "Returns of this year or a later one were filed. Their amounts to report no longer change.";
    SIGNATURE_INVALID = Unauthenticated "signature_invalid" "The signature does not match.";
    PROCESSOR_UNAVAILABLE = Unavailable "processor_unavailable" "The payment processor does not answer. Nothing was charged.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_snake_case() {
        let mut names: Vec<_> = ALL.iter().map(|code| code.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        for name in names {
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{name}");
        }
    }

    #[test]
    fn sentences_are_sentences() {
        for code in ALL {
            assert!(code.sentence.ends_with('.'), "{}", code.name);
        }
    }
}
