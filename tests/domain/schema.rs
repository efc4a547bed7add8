//! The schemas of both databases agree with each other and with the state machines.

use nil_core::accounts::{PortalUserStatus, UserStatus};
use nil_core::agents::RepresentationStatus;
use nil_core::announcements::AnnouncementStatus;
use nil_core::assistant::DraftStatus;
use nil_core::content::FileStatus;
use nil_core::content_library::ContentUploadStatus;
use nil_core::contracts::{ContractStatus, RequestStatus};
use nil_core::deal_folder::{DealFileStatus, UploadStatus};
use nil_core::deals::DeliverableStatus;
use nil_core::disclosures::{ClearanceStatus, DisclosedJobStatus};
use nil_core::filings::FilingStatus;
use nil_core::jobs::{ApplicationStatus, JobStatus};
use nil_core::kernel::Machine;
use nil_core::orders::OrderStatus;
use nil_core::payments::{
    ChangeStatus, ChargeStatus, InvoiceStatus, PaymentStatus, PayoutStatus, RefundStatus,
    SubscriptionStatus,
};
use nil_core::reports::ExportStatus;
use nil_tests::{Engine, World, both};

fn words<M: Machine>() -> Vec<String> {
    M::STATES.iter().map(|state| state.word().to_owned()).collect()
}

#[tokio::test]
async fn sqlite_and_postgres_have_the_same_columns() {
    let sqlite = World::on(Engine::Sqlite).await.columns().await;
    let postgres = World::on(Engine::Postgres).await.columns().await;
    assert!(sqlite.len() > 300, "{}", sqlite.len());
    let only = |these: &[nil_tests::Column], those: &[nil_tests::Column]| -> Vec<_> {
        these.iter().filter(|column| !those.contains(column)).cloned().collect()
    };
    assert_eq!(only(&sqlite, &postgres), [], "on SQLite only");
    assert_eq!(only(&postgres, &sqlite), [], "on PostgreSQL only");
}

async fn tables_take_the_states_of_their_machines(world: World) {
    for (table, mut states) in [
        ("app_user", words::<UserStatus>()),
        ("portal_user", words::<PortalUserStatus>()),
        ("representation", words::<RepresentationStatus>()),
        ("job", words::<JobStatus>()),
        ("application", words::<ApplicationStatus>()),
        ("deliverable", words::<DeliverableStatus>()),
        ("contract", words::<ContractStatus>()),
        ("contract_request", words::<RequestStatus>()),
        ("disclosed_job", words::<DisclosedJobStatus>()),
        ("clearance", words::<ClearanceStatus>()),
        ("athlete_agent_filing", words::<FilingStatus>()),
        ("charge", words::<ChargeStatus>()),
        ("stored_file", words::<FileStatus>()),
        ("payment", words::<PaymentStatus>()),
        ("refund", words::<RefundStatus>()),
        ("payout", words::<PayoutStatus>()),
        ("invoice", words::<InvoiceStatus>()),
        ("subscription", words::<SubscriptionStatus>()),
        ("subscription_charge", words::<ChargeStatus>()),
        ("subscription_change", words::<ChangeStatus>()),
        ("subscription_refund", words::<RefundStatus>()),
        ("service_order", words::<OrderStatus>()),
        ("clarification_draft", words::<DraftStatus>()),
        ("deal_file", words::<DealFileStatus>()),
        ("direct_upload", words::<UploadStatus>()),
        ("multipart_upload", words::<ContentUploadStatus>()),
        ("export_report", words::<ExportStatus>()),
        ("announcement", words::<AnnouncementStatus>()),
    ] {
        let mut taken = world.status_words(table).await;
        taken.sort();
        states.sort();
        assert_eq!(taken, states, "{table}");
    }
}
both!(tables_take_the_states_of_their_machines);

/// A newer version has more events: an older database gets their templates, and keeps its own.
async fn a_database_in_use_gets_the_templates_it_lacks(world: World) {
    world.script("UPDATE template SET body = 'Ours' WHERE event = 'athlete.hired'").await;
    world.script("DELETE FROM template WHERE event = 'institution.digest'").await;
    let again = world.replica().await;
    let count = |of: &'static str| again.id(of);
    let missing = "SELECT COUNT(*) FROM template WHERE event = 'institution.digest'";
    assert_eq!(count(missing).await, 1);
    let kept = "SELECT COUNT(*) FROM template WHERE event = 'athlete.hired' AND body <> 'Ours'";
    assert_eq!(count(kept).await, 0);
}
both!(a_database_in_use_gets_the_templates_it_lacks);
