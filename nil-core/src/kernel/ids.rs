//! One type per kind of id, so that a job's id cannot be handed where an athlete's is wanted.

macro_rules! ids {
    ($($name:ident: $what:literal,)+) => {$(
        #[doc = concat!("The id of ", $what, ": an integer, 1 or more.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(i64);

        impl $name {
            /// The id, if it can be one.
            #[must_use]
            pub const fn new(id: i64) -> Option<Self> {
                if id >= 1 { Some(Self(id)) } else { None }
            }

            /// The bare number.
            #[must_use]
            pub const fn get(self) -> i64 { self.0 }
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
                    "description": concat!("id of ", $what), "examples": [1]
                })
            }
        }

        super::column::column!($name(i64), BigInt);
    )+};
}

ids! {
    AffiliateLinkId: "an affiliate link",
    AgentId: "an agent",
    AnnouncementGroupId: "a group that announcements are for",
    AnnouncementId: "an announcement",
    ApiKeyId: "an API key",
    ApplicationId: "an application (one athlete for one job)",
    AssistantMessageId: "a question to the assistant, or an answer",
    AthleteId: "an athlete",
    AuditId: "an entry of the audit trail",
    BulkId: "a bulk payment",
    CategoryId: "a category of jobs",
    BusinessCategoryId: "a category of businesses",
    ChargeId: "a charge at the payment processor",
    ClearanceId: "a deal's standing with the clearinghouse",
    ClarificationDraftId: "a clarification draft",
    CollegeId: "a college or university",
    ContractId: "a contract",
    ContractRequestId: "a request about a contract",
    ConversionId: "a sale that an affiliate link brought about",
    ConversationId: "a conversation",
    DealFileId: "a file in a deal's folder",
    DeliverableId: "a deliverable (one milestone of one hired athlete)",
    DeviceTokenId: "a device that push messages go to",
    DisclosedJobId: "a deal made off the platform",
    DirectUploadId: "an upload to a deal's folder that was announced",
    FanId: "a fan",
    FileId: "an uploaded file",
    FilingId: "a filing about an athlete agent",
    InvoiceId: "an invoice",
    JobId: "a job",
    LegalTermsId: "a version of a legal document",
    LedgerEntryId: "a ledger entry",
    MessageId: "a chat message",
    MilestoneId: "a milestone of a job",
    NotificationId: "a notification",
    OperatorId: "an operator",
    OutboxId: "an outbox row",
    PartnerId: "a brand partner",
    PaymentId: "a payment",
    PaymentMethodId: "a saved payment method",
    PayoutAccountId: "a payout account",
    PayoutId: "a payout",
    PolicyEditId: "an edit of the privacy policy",
    PublicationId: "a post, question, testimonial or page",
    PlanId: "a subscription plan",
    PortalUserId: "a compliance portal user",
    RefundId: "a refund",
    RepresentationId: "a representation (agent and athlete)",
    ServiceOfferId: "a service that an athlete offers",
    ServiceOrderId: "an order of a service",
    RosterId: "a roster",
    SportId: "a sport",
    SubscriptionChargeId: "a charge for a period of a subscription",
    SubscriptionId: "a subscription",
    SubscriptionPeriodId: "a period of a subscription",
    TransferId: "a ledger transfer",
    UserId: "a user of the Core interface",
}
