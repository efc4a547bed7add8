//! Jobs and their contracts.

use crate::catalog::columns::APPLICATIONS;
use crate::catalog::forms::{FieldGroup, RequiredWhen};
use crate::catalog::table::Entry;
use crate::catalog::table::operator::{finance, jobs};
use crate::catalog::zones::Zone;
use crate::contracts::{ContractEvent, ContractStatus};
use crate::deals::admin::{decide_pending, update_fee};
use crate::deals::reviewing::resolve_review;
use crate::deals::{admin, ending};
use crate::error::{Code, codes};
use crate::jobs::posting;
use crate::jobs::{ApplicationEvent, ApplicationStatus, JobEvent, JobStatus};
use crate::kernel::Feature;

/// The refusals of a manual review's resolution.
const REVIEWING: &[Code] =
    &[codes::NO_PENDING_REQUEST, codes::CONTRACT_NOT_ACTIVE, codes::ILLEGAL_TRANSITION];

/// What becomes of a job that waits.
const DECIDING: &[JobEvent] = &[JobEvent::Approve, JobEvent::AskChanges, JobEvent::Refuse];

/// What happens to whoever is removed: an applicant, an invited or a hired athlete.
const REMOVING: &[ApplicationEvent] =
    &[ApplicationEvent::Reject, ApplicationEvent::Expire, ApplicationEvent::Cancel];

/// Athletes are told of these days, and rules of institutions hold on them.
const DAYS: &[(&str, Zone)] = &[
    ("starts_on", Zone::Institution),
    ("ends_on", Zone::Institution),
    ("due_on", Zone::Institution),
];

const A_JOB: &[&str] = &[
    "partner_id",
    "title",
    "description",
    "category_id",
    "compensation",
    "slots",
    "business_purpose",
    "milestones",
];

/// The groups of a job.
const JOB: &[FieldGroup] = &[
    FieldGroup::new(
        "Job",
        &["partner_id", "title", "description", "category_id", "kind", "business_purpose"],
    ),
    FieldGroup::new(
        "Pay",
        &[
            "compensation",
            "amount_cents",
            "product_description",
            "product_value_cents",
            "commission_basis_points",
        ],
    ),
    FieldGroup::new("Work", &["milestones", "starts_on", "ends_on", "usage_rights", "exclusivity"]),
    FieldGroup::new("Athletes", &["slots", "eligibility"]),
    FieldGroup::new("Posting", &["visibility", "application_deadline", "draft"]),
];

/// What each kind of compensation consists of.
const PAY: &[RequiredWhen] = &[
    RequiredWhen::new("amount_cents", "compensation", &["cash", "mixed"]),
    RequiredWhen::new("product_description", "compensation", &["product", "service", "mixed"]),
    RequiredWhen::new(
        "product_value_cents",
        "compensation",
        &["product", "service", "mixed", "royalty", "commission"],
    ),
    RequiredWhen::new("commission_basis_points", "compensation", &["royalty", "commission"]),
];

pub(super) fn rows() -> Vec<Entry> {
    vec![
        jobs("admin.job.list", "GET /job/{status}/{id}", admin::list)
            .purpose("list jobs by status")
            .title("Jobs")
            .columns(&[
                "title",
                "status",
                "compensation",
                "amount_cents",
                "ends_on",
                "hired",
                "slots",
                "applicants",
                "application_deadline",
                "created_at",
            ]),
        jobs("admin.job.save", "POST /job/save", posting::save_for_brand)
            .purpose("create or update a job")
            .groups(JOB)
            .required_when(PAY)
            .title("Save a job")
            .zones(DAYS)
            .acts_on("job", "id")
            .until_over::<JobStatus>()
            .verb("Save")
            .says("Job saved")
            .errors(&[codes::JOB_HAS_HIRES, codes::JOB_NOT_OPEN])
            .part_of(Feature::AffiliateLinks)
            .stops_with("compensation", "commission")
            .new_needs(A_JOB),
        jobs("admin.job.view", "GET /job/view/{id}", admin::view)
            .purpose("job details")
            .title("Job"),
        jobs("admin.job.applicants", "POST /job/jobApplicantPagination/{id}", admin::applicants)
            .purpose("paginate applicants")
            .title("Applicants for a job")
            .columns(APPLICATIONS),
        jobs("admin.job.hired", "POST /job/jobApplicantHiredPagination/{id}", admin::hired)
            .purpose("paginate hired applicants")
            .title("Athletes hired for a job")
            .columns(APPLICATIONS),
        jobs("admin.job.remove_athlete", "POST /job/remove-athlete", admin::remove_athlete)
            .purpose("remove an athlete from a job")
            .title("Remove an athlete from a job")
            .acts_on("application", "application_id")
            .when::<ApplicationStatus>(REMOVING)
            .verb("Remove")
            .confirm(
                "The athlete's contract for the job is cancelled, the application is rejected, \
                 or the invitation lapses. The athlete sees your reason.",
                "Approved work remains payable, and the others keep their places.",
            )
            .says("Athlete removed")
            .errors(&[codes::ILLEGAL_TRANSITION]),
        jobs("admin.job.cancel_contract", "POST /job/cancel-contract", ending::cancel)
            .purpose("cancel a job contract")
            .title("Cancel a contract")
            .acts_on("contract", "contract_id")
            .when::<ContractStatus>(&[ContractEvent::Cancel])
            .verb("Cancel the contract")
            .confirm(
                "The contract ends at once. Both sides see your reason. This cannot be undone.",
                "Approved work remains payable, and payments stay as they are.",
            )
            .says("Contract cancelled")
            .errors(&[codes::ILLEGAL_TRANSITION]),
        finance("admin.job.update_fee", "POST /job/update-partner-fee/{job_id}", update_fee)
            .purpose("update or waive the partner fee")
            .title("Change or waive a job's fee")
            .acts_on("job", "job_id")
            .verb("Save")
            .says("Fee updated"),
        jobs("admin.job.decide_pending", "POST /job/updateJobStatusFromPending", decide_pending)
            .purpose("move a job out of pending")
            .title("Decide on a pending job")
            .acts_on("job", "job_id")
            .when::<JobStatus>(DECIDING)
            .verb("Decide")
            .says("Job decided")
            .errors(&[codes::ILLEGAL_TRANSITION]),
        jobs("admin.job.resolve_manual_review", "POST /job/resolve-manual-review", resolve_review)
            .purpose("resolve a manual review")
            .title("Resolve a manual review")
            .acts_on("job", "job_id")
            .verb("Resolve")
            .says("Review resolved")
            .errors(REVIEWING)
            .extension(),
    ]
}
