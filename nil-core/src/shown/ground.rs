//! What every operation needs: the platform, its configuration, callers, kernel types.

/// Authentication and authorisation.
pub mod auth {
    #[doc(hidden)]
    pub use nil_ground::auth::*;
    #[doc(inline)]
    pub use nil_ground::auth::{
        Agent, AnyRegistrant, Anyone, Athlete, Caller, Fan, Impersonator, MasterKey, ModelHost,
        Must, NewAgent, NewAthlete, NewFan, NewPartner, Operator, OperatorSession, Partner, Party,
        Payee, Permission, PortalUser, Principal, Role, Scope, Service, Subscriber, User,
        athlete_token::AthleteToken, signing::SignedRequest, stream_ticket::StreamTicket,
    };
}

/// Configuration of the library.
pub mod config {
    #[doc(hidden)]
    pub use nil_ground::config::*;
    #[doc(inline)]
    pub use nil_ground::config::{Config, OperatorSignOn, PolicyEdits, QuietHours};
    #[doc(inline)]
    pub use nil_ground::keys::WebhookSecret;
}

/// Exports: a table is written as CSV, as a spreadsheet or as a file in an archive, a few
/// thousand rows at a time, while it is sent.
pub mod export {
    #[doc(inline)]
    pub use nil_ground::export::ExportFormat;
    #[doc(hidden)]
    pub use nil_ground::export::*;
}

/// Events and changed feeds of users, written in the transaction that causes them.
pub mod feed {
    #[doc(hidden)]
    pub use nil_ground::feed::*;
    #[doc(inline)]
    pub use nil_ground::feed::{Event, FeedKind};
}

/// Basic types used everywhere: ids, money, time, text, secrets, pages, machines.
pub mod kernel {
    #[doc(hidden)]
    pub use nil_ground::kernel::*;
    #[doc(inline)]
    pub use nil_ground::kernel::{
        AffiliateLinkId, AgeSort, AgentId, AllOr, Amount, AnnouncementGroupId, AnnouncementId,
        ApiKeyId, ApplicationId, AssistantMessageId, AthleteId, AuditId, BackupWithholdingId,
        BasisPoints, BulkId, BusinessCategoryId, ByAge, CategoryId, Cents, ClarificationDraftId,
        ClearanceId, Clock, Code6, CollegeId, Combined, CompanyName, ContentItemId,
        ContentUploadId, ContractId, ContractRequestId, ConversationId, ConversionId, Date,
        DealFileCommentId, DealFileId, DeliverableId, DeviceTokenId, DirectUploadId,
        DisclosedJobId, DisputeId, Edit, Email, Extent, FanId, FeatureFlags, FeatureSwitches, Feed,
        FeedPagination, FileId, FilingId, Followed, Following, Hashtag, Identity, ImpersonationId,
        InvoiceId, JobId, LedgerEntryId, LegalTermsId, Limit, Listing, Many, MessageId,
        MilestoneId, Name, NameSort, Network, Next, Nothing, NotificationId, OperatorId, OutboxId,
        PageNumber, Paged, Pagination, Paging, PartnerId, Password, PaymentId, PaymentMethodId,
        PayoutAccountId, PayoutId, PerPage, PersonName, Phone, PlanId, PolicyEditId, PortalUserId,
        ProcessorDifferenceId, PublicationId, Random, RecordsDisclosureId, RecordsRequestId,
        RefundId, RepresentationId, Revision, RosterId, Secret, SeededRandom, ServiceOfferId,
        ServiceOrderId, Sifted, Slug, SportId, SubscriptionChangeId, SubscriptionChargeId,
        SubscriptionId, SubscriptionPeriodId, SubscriptionRefundId, SystemRandom, TaxFormId,
        TaxFormRequestId, TemplateId, Text, Time, Title, Total, TransferId, UpTo, UserId, WebUrl,
        ZeroOr, utc_day,
    };
}

/// Turns events into mails, texts and in-app notifications, following users' preferences.
pub mod notifications {
    #[doc(hidden)]
    pub use nil_ground::notifications::*;
    #[doc(inline)]
    pub use nil_ground::notifications::{
        ClockTime, Device, DevicePlatform, EventSort, ListTemplates, ListUndeliverable,
        Notification, NotificationPreference, NotificationTemplate, OwnQuietHours, Switch,
        TemplateVersion, Trigger, Undeliverable, WhyUndeliverable,
        activity::ActivityToken,
        devices::{ForgetDevice, SaveDevice},
        lifting::OneUndeliverable,
        outbox::{Channel, OutboxRow, list as list_outbox},
        overview::{ListTriggers, SetTrigger},
        preferring::{BesidePreferences, SavePreferences, SetAllSms, WantedPreference},
        reading::{Fetch, Marked, OneNotification, UnreadCount},
        reporting::{MailReport, ReportHeard, SmsReport},
        templating::{
            ChosenTemplate, ListInAppTemplates, PreviewTemplate, SaveEmailTemplate,
            SaveInAppTemplate, SaveSmsTemplate, TemplateChannel, TemplatePreview, TestTemplate,
            ViewVersions,
        },
        unsubscribing::Unsubscribe,
    };
}

/// The parts of every operation: its call, input, context, transaction and answer.
pub mod operation {
    #[doc(hidden)]
    pub use nil_ground::operation::*;
    #[doc(inline)]
    pub use nil_ground::operation::{
        AnswerSchema, Beat, Beside, Cx, Done, Download, EventStream, Facts, Fields, FileBytes,
        Gives, OpenPart, Order, Pieces, RecordOrFile, Redirect, Revised, Streamed,
        audit::AuditEntry, searching::Reach,
    };
}

/// The platform handle: everything that is open while the library runs.
pub mod platform {
    #[doc(inline)]
    pub use nil_ground::platform::Platform;
    #[doc(hidden)]
    pub use nil_ground::platform::*;
}

/// The worker's tasks: a row for each (`task`), when each is due, and how due records are
/// processed (`due`).
pub mod schedule {
    #[doc(hidden)]
    pub use nil_ground::schedule::*;
    #[doc(inline)]
    pub use nil_ground::schedule::{Shutdown, Task};
}

/// The storage layer: the same statements, run on SQLite or on PostgreSQL.
pub mod storage {
    #[doc(hidden)]
    pub use nil_ground::storage::*;
    #[doc(inline)]
    pub use nil_ground::storage::{Location, Pooling, ReplicaAt};
}

/// Words of other programs in plain words.
pub mod wording {
    #[doc(inline)]
    pub use nil_ground::wording::dispute_reason;
}

/// Throttles: a fixed window of one minute per operation and caller.
pub mod throttle {
    #[doc(hidden)]
    pub use nil_ground::throttle::*;
    #[doc(inline)]
    pub use nil_ground::throttle::{Limits, Redis, Throttle};
}
