//! One type per kind of id, so that a job's id cannot be passed as an athlete's.

/// The id of a record of one kind.
pub trait Identity: Copy {
    /// The name of this kind of record in the audit trail.
    const KIND: &'static str;

    /// The bare number.
    fn number(self) -> i64;

    /// The id, if the number is valid.
    fn numbered(number: i64) -> Option<Self>;
}

/// The key under which an id's schema names the kind of record.
pub const RECORD_OF_ID: &str = "x-record";

macro_rules! ids {
    ($($name:ident = $kind:literal: $what:literal,)+) => {$(
        #[doc = concat!("The id of ", $what, ": an integer, 1 or more.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(i64);

        impl $name {
            /// The id, if the number is valid.
            #[must_use]
            pub const fn new(id: i64) -> Option<Self> {
                if id >= 1 { Some(Self(id)) } else { None }
            }

            /// The bare number.
            #[must_use]
            pub const fn get(self) -> i64 { self.0 }
        }

        impl Identity for $name {
            const KIND: &'static str = $kind;
            fn number(self) -> i64 { self.0 }
            fn numbered(number: i64) -> Option<Self> { Self::new(number) }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> Self { id.0 }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { self.0.fmt(f) }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::new(i64::deserialize(from)?)
                    .ok_or_else(|| serde::de::Error::custom("must be an integer of 1 or more"))
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool { true }
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "integer", "format": "int64", "minimum": 1,
                    "description": concat!("id of ", $what), "examples": [1], RECORD_OF_ID: $kind
                })
            }
        }

        super::column::column!($name(i64), BigInt);
    )+};
}

ids! {
    AffiliateLinkId = "affiliate_link": "an affiliate link",
    AgentId = "agent": "an agent",
    AnnouncementGroupId = "announcement_group": "a target group of announcements",
    AnnouncementId = "announcement": "an announcement",
    ApiKeyId = "api_key": "an API key",
    ApplicationId = "application": "an application (one athlete for one job)",
    AssistantMessageId = "assistant_message": "a question to the assistant or its answer",
    AthleteId = "athlete": "an athlete",
    AuditId = "audit_entry": "an entry of the audit trail",
    BulkId = "bulk": "a bulk payment",
    CalendarFeedId = "calendar_feed": "the address of a calendar",
    BackupWithholdingId = "backup_withholding": "a time in which tax is withheld from payments",
    CategoryId = "job_category": "a category of jobs",
    BusinessCategoryId = "business_category": "a category of businesses",
    ChargeId = "charge": "a charge at the payment processor",
    ClearanceId = "clearance": "a deal's status at the clearinghouse",
    ClarificationDraftId = "clarification_draft": "a clarification draft",
    CollegeId = "college": "a college or university",
    ContentItemId = "content_item": "a folder or a file of the site's content",
    ContentUploadId = "multipart_upload": "an upload in parts",
    ContractId = "contract": "a contract",
    ContractRequestId = "contract_request": "a request about a contract",
    ConversionId = "conversion": "a sale reported for an affiliate link",
    ConversationId = "conversation": "a conversation",
    DealFileCommentId = "deal_file_comment": "a comment on a version of a document",
    DealFileId = "deal_file": "a file in a deal's folder",
    DeliverableId = "deliverable": "a deliverable (one milestone of one hired athlete)",
    DeviceTokenId = "device_token": "a device for push messages",
    DisclosedJobId = "disclosed_job": "a deal made off the platform",
    DisputeId = "dispute": "a dispute of a charge",
    DisputeTermsId = "dispute_terms": "what payees bear of a lost dispute",
    DirectUploadId = "direct_upload": "an announced upload to a deal's folder",
    ExportReportId = "export_report": "a queued export",
    FanId = "fan": "a fan",
    FileId = "file": "an uploaded file",
    FilingId = "athlete_agent_disclosure": "a filing about an athlete agent",
    ImpersonationId = "impersonation": "a session in which an operator acts as an account",
    InvoiceId = "invoice": "an invoice",
    JobId = "job": "a job",
    LegalTermsId = "legal_document": "a version of a legal document",
    LedgerEntryId = "ledger_entry": "a ledger entry",
    MessageId = "message": "a chat message",
    MilestoneId = "milestone": "a milestone of a job",
    NotificationId = "notification": "a notification",
    OperatorId = "operator": "an operator",
    OutboxId = "outbox": "an outbox row",
    PartnerId = "partner": "a brand partner",
    PaymentId = "payment": "a payment",
    PaymentMethodId = "payment_method": "a saved payment method",
    PayoutAccountId = "payout_account": "a payout account",
    PayoutId = "payout": "a payout",
    PolicyEditId = "privacy_policy_edit": "an edit of the privacy policy",
    ProcessorDifferenceId = "processor_difference": "a difference between the processor's statement and our rows",
    PublicationId = "publication": "a post, question, testimonial or page",
    PlanId = "subscription_plan": "a subscription plan",
    PortalUserId = "portal_user": "a compliance portal user",
    UndeliverableId = "undeliverable": "an address that takes no more messages",
    RecordsDisclosureId = "public_records_disclosure": "a file handed out for a request for public records",
    RecordsRequestId = "public_records_request": "a request for public records",
    RefundId = "refund": "a refund",
    RepresentationId = "representation": "a representation (agent and athlete)",
    ServiceOfferId = "service_offer": "a service that an athlete offers",
    ServiceOrderId = "service_order": "an order of a service",
    RosterId = "roster": "a roster",
    SquadMemberId = "squad_member": "a member of a squad list",
    SportId = "sport": "a sport",
    SubscriptionChangeId = "subscription_change": "a change of a subscription's plan",
    SubscriptionChargeId = "subscription_charge": "a charge for a period of a subscription",
    SubscriptionId = "subscription": "a subscription",
    SubscriptionPeriodId = "subscription_period": "a period of a subscription",
    SubscriptionRefundId = "subscription_refund": "a refund of a subscription's charge",
    TaxFormId = "tax_form": "a statement for taxes",
    TaxFormRequestId = "tax_form_request": "a request for a payee's tax form",
    TemplateId = "template": "a template of messages",
    TransferId = "ledger_transfer": "a ledger transfer",
    UserId = "user": "a user of the Core interface",
    WatchedPostId = "watched_post": "a published post that is watched",
    WebhookDeliveryId = "webhook_delivery": "a delivery to an endpoint of webhooks",
    WebhookEndpointId = "webhook_endpoint": "an endpoint of webhooks",
}
