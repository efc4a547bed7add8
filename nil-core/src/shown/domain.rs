//! Records of what looks over all domains, and of what runs beside them.

/// Announcements: operators' news to everyone or to an audience, for a limited time.
pub mod announcements {
    #[doc(hidden)]
    pub use nil_domain::announcements::*;
    #[doc(inline)]
    pub use nil_domain::announcements::{
        Announcement, AnnouncementGroup, AnnouncementStatus, Audience, ListGroups,
        PublicAnnouncement,
        admin::{ListAll, SaveAnnouncement, SaveGroup},
    };
}

/// The athletes' assistant: answers questions from the athlete's own records and names its
/// sources.
pub mod assistant {
    #[doc(hidden)]
    pub use nil_domain::assistant::*;
    #[doc(inline)]
    pub use nil_domain::assistant::{
        AssistantMessage, ClarificationDraft, ContractOfDeal, ContractTermsRow, DealRow,
        DeliverableRow, DraftStatus, PaymentRow, PaymentRows, PaymentsOfDeal, Role, Source,
        SourceKind, WalletRow,
        asking::Ask,
        clarifying::SendClarification,
        drafting::{EditDraft, ListDrafts, RemoveDraft, SaveDraft},
        hosting::{HandedToken, LookUp, LookUpTerms, Propose},
        remembering::{History, MarkedRead, Unread},
        waiting::Waiting,
    };
}

/// Calendars of deadlines behind secret addresses.
pub mod calendar {
    #[doc(hidden)]
    pub use nil_domain::calendar::*;
    #[doc(inline)]
    pub use nil_domain::calendar::{CalendarFeed, reading::ReadCalendar};
}

/// The catalog: the one list of all operations.
pub mod catalog {
    #[doc(hidden)]
    pub use nil_domain::catalog::*;
    #[doc(inline)]
    pub use nil_domain::catalog::{
        ActsOn, Catalog, Confirm, Effect, Entry, Feature, FieldGroup, Freshness, Interface, Method,
        Needs, Owned, RECORDS, RecordList, RequiredWhen, Reuse, Section, Stops, Takes, When, Zone,
        catalog, label,
        openapi::{Version, document, excerpt, title},
    };
}

/// Operations for an external scheduler: run one of the worker's tasks now, or one whole round.
pub mod cron {
    #[doc(hidden)]
    pub use nil_domain::cron::*;
    #[doc(inline)]
    pub use nil_domain::cron::{CronTask, RunRound, RunTask, TaskRun};
}

/// The operators' dashboard: what waits for them, and how the last thirty days went.
pub mod dashboard {
    #[doc(hidden)]
    pub use nil_domain::dashboard::*;
    #[doc(inline)]
    pub use nil_domain::dashboard::{
        Backlog, Books, Dashboard, DayFigures, JobsInStatus, Queue, QueueKind,
        audit_log::{EntryFilters, EntryOrder},
    };
}

/// The folder of a deal: documents that its parties share and agree on.
pub mod deal_folder {
    #[doc(hidden)]
    pub use nil_domain::deal_folder::*;
    #[doc(inline)]
    pub use nil_domain::deal_folder::{
        DealFile, DealFileComment, DealFileStatus,
        adding::{AddDealFile, ReplaceDealFile},
        answering::{ApproveFile, RequestEdits, VoidFile},
        browsing::{CommentsOfDocument, DownloadDealFile, ListFolder, OfDocument},
        commenting::CommentOnFile,
        removing::RemoveDealFile,
        uploading::{AnnouncedUpload, CompleteUpload, CreateUpload, ReceiveUpload, ReceivedUpload},
    };
}

/// A person leaves: their account is closed, their personal data erased, and what others need of
/// it kept.
pub mod departures {
    #[doc(hidden)]
    pub use nil_domain::departures::*;
    #[doc(inline)]
    pub use nil_domain::departures::{
        Departure,
        closing::{CloseAccount, CloseOwn},
    };
}

/// What operators see of one account: the record, its history, its money and its newest deals.
pub mod dossiers {
    #[doc(hidden)]
    pub use nil_domain::dossiers::*;
    #[doc(inline)]
    pub use nil_domain::dossiers::{Dossier, ViewAgent, ViewAthlete, ViewPartner};
}

/// Figures for institutions on their athletes' deals: transactions, totals over time, exports,
/// deadlines, and the audit trail of the institution's own users.
pub mod figures {
    #[doc(hidden)]
    pub use nil_domain::figures::*;
    #[doc(inline)]
    pub use nil_domain::figures::{
        AthleteDeadlines, AthleteSort, AthleteTotals, CollegeAthlete, DatePreset, Deadline,
        DeadlineKind, Filter, Filtered, Interval, ListTrail, PublishedBy, PublishedGroup,
        PublishedStatistics, RecordsDisclosure, RecordsRequest, TrailEntry, Transaction,
        TransactionSort, TransactionSource, TransactionStatus,
        analysing::{
            ApplicationPoint, ApplicationSeries, CategoryActivity, CountApplications,
            PaymentTypeActivity, SportActivity,
        },
        athletes::{ExportAthletes, JobDetail, ListAthletes, WhichDeal},
        browsing::ListTransactions,
        comparing::{CompareContract, CompareDisclosedJob},
        deadlines::ListDeadlines,
        exporting::ExportTransactions,
        options::{Choice, DateChoice, ListOptions},
        public_records::{NoteRecordsRequest, WhichRecordsRequest},
        publishing::{ExportStatistics, PublishStatistics},
        statistics::{
            Figures, MonthFigures, PreviousFigures, Rank, RankedAthlete, RankedTeam, SourceFigures,
            Summary,
        },
    };
}

/// Files as users read them: by the file's own id (`reading`), and as a brand's content library
/// (`library`).
pub mod files {
    #[doc(hidden)]
    pub use nil_domain::files::*;
    #[doc(inline)]
    pub use nil_domain::files::{
        library::{Asset, AssetCount, AssetRights, DownloadAsset, ListAssets, Overview},
        reading::OpenFile,
    };
}

/// Athlete agents' disclosure filings: an institution's records of athletes' contracts with
/// agents.
pub mod filings {
    #[doc(hidden)]
    pub use nil_domain::filings::*;
    #[doc(inline)]
    pub use nil_domain::filings::{
        AgencyContract, AgencyNotice, AgentForm, AgentOfRecord, Evidence, Filing, FilingAction,
        FilingDocument, FilingKind, FilingSort, FilingStatus, FilingVersion, ListFilings,
        ListNotices, NewDocument, Notices, Particulars, Registration, WantedAgent, WantedContract,
        WantedNotices, WantedRegistration,
        browsing::ShowFiling,
        cancelling::CancelAgent,
        changing::{ChangeFiling, DeleteFiling},
        deciding::FilingDecision,
        noticing::{GiveNotice, GiveOwnNotice},
        submitting::SubmitFiling,
    };
}

/// The officers' inbox: what is late at an institution, what waits for its decision, and what is
/// due soon.
pub mod inbox {
    #[doc(hidden)]
    pub use nil_domain::inbox::*;
    #[doc(inline)]
    pub use nil_domain::inbox::{
        AssignedTo, GroupCounts, HandledItem, HandledItems, InboxBeside, InboxCounts, InboxGroup,
        InboxItem, InboxRef, InboxRefs, InboxRefusal, KindCounts,
        handling::{AssignItems, RemindItems, SnoozeItems},
        listing::ListInbox,
    };
}

/// The live stream of a user's feeds: `GET /events`.
pub mod live {
    #[doc(inline)]
    pub use nil_domain::live::stream::Follow;
    #[doc(hidden)]
    pub use nil_domain::live::*;
}

/// Opens the platform.
pub mod opening {
    #[doc(hidden)]
    pub use nil_domain::opening::*;
    #[doc(inline)]
    pub use nil_domain::opening::{open, open_unmigrated};
}

/// Queued exports: an operator asks for a file, the worker makes it, and the operator downloads
/// it by its code.
pub mod reports {
    #[doc(hidden)]
    pub use nil_domain::reports::*;
    #[doc(inline)]
    pub use nil_domain::reports::{
        ExportCounts, ExportFilters, ExportKind, ExportReport, ExportStatus, ListExports,
        OwnExport, Takeout, making::ProcessedExports, requesting::RequestExport,
        sending::DownloadExport,
    };
}

/// Rosters: public, ordered lists of athletes, each with its own URL, such as a team or a
/// collective.
pub mod rosters {
    #[doc(hidden)]
    pub use nil_domain::rosters::*;
    #[doc(inline)]
    pub use nil_domain::rosters::{
        NamedOwner, PublicRoster, Roster, RosterAthlete, RosterOwnerKind, RosterSort, RosterStatus,
        admin::{
            AddAthletes, CheckUrl, ListRosters, RemoveAthletes, SaveRoster, SetPublished,
            UrlChecked,
        },
        browsing::{BrowseRosters, NamedRoster, RosterDetail, ShownRoster},
    };
}

/// Squad lists: institutions' own lists of the athletes of their teams.
pub mod squad_lists {
    #[doc(hidden)]
    pub use nil_domain::squad_lists::*;
    #[doc(inline)]
    pub use nil_domain::squad_lists::{
        ImportedRow, ListSquad, MemberFacts, MissingMember, RowOutcome, SquadCounts, SquadImport,
        SquadMember, browsing::WhichMember, importing::ImportSquadList,
    };
}

/// Webhooks: endpoints of brands and institutions, and what was sent to them.
pub mod webhooks {
    #[doc(hidden)]
    pub use nil_domain::webhooks::*;
    #[doc(inline)]
    pub use nil_domain::webhooks::{
        DeliveryStatus, DisabledWhy, WebhookDelivery, WebhookEndpoint,
        browsing::ListDeliveries,
        replaying::WhichDelivery,
        saving::{SaveWebhook, WhichWebhook},
    };
}

/// The worker: runs all background tasks.
pub mod worker {
    #[doc(hidden)]
    pub use nil_domain::worker::*;
    #[doc(inline)]
    pub use nil_domain::worker::{Round, round, run};
}
