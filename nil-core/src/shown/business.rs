//! Records of jobs, deals, contracts, orders and money.

/// Affiliate links: an athlete on commission shares a link to the brand's shop, the shop reports
/// the sales, and the brand owes the commission on them.
pub mod affiliate {
    #[doc(hidden)]
    pub use nil_domain::affiliate::*;
    #[doc(inline)]
    pub use nil_domain::affiliate::{
        AffiliateLink, Conversion,
        converting::{ListSales, ReportSale},
        linking::{ListLinks, SaveLink},
        redirect::Follow,
        royalty::ReportRoyalty,
    };
}

/// Agents and the athletes they represent.
pub mod agents {
    #[doc(hidden)]
    pub use nil_domain::agents::*;
    #[doc(inline)]
    pub use nil_domain::agents::{
        EndReason, Representation, RepresentationStatus,
        acting::{ApplicationResults, ApplyAthletes},
        admin::{ListOfAgent, Unlink},
        answering::RespondAgent,
        browsing::{ListAgents, ListAthletes, Represented, Representing},
        ending::{EndOne, EndOwn},
        inviting::InviteAthlete,
    };
}

/// The range of compensation: what comparable deals paid, in quartiles that give no single deal
/// away.
pub mod compensation {
    #[doc(hidden)]
    pub use nil_domain::compensation::*;
    #[doc(inline)]
    pub use nil_domain::compensation::{
        Comparison, CompensationRange, Criterion, FollowerBand, Quartiles, SizeBand, Standing,
        asking::{CompareForAthlete, CompareForBrand},
    };
}

/// Contracts: the terms agreed at hire, and the records of what happens to them.
pub mod contracts {
    #[doc(hidden)]
    pub use nil_domain::contracts::*;
    #[doc(inline)]
    pub use nil_domain::contracts::{
        Amendment, AmendmentKind, Contract, ContractRequest, ContractStatus, DueDateChange,
        RequestKind, RequestStatus,
        downloading::{
            AmendmentsOfAthleteAndJob, AmendmentsOfJob, OfAthleteAndJob, OfJob,
            OfJobAndMaybeAthlete,
        },
        listing::ListContracts,
        terms::{AgentParty, ExclusivityTerms, MarketplaceTerms, MilestoneTerms, UsageTerms},
    };
}

/// Deals: the course of an application from hire to completion.
pub mod deals {
    #[doc(hidden)]
    pub use nil_domain::deals::*;
    #[doc(inline)]
    pub use nil_domain::deals::{
        Deal, DealPayment, Deliverable, DeliverableStatus, DisclosureCheck, PostCheck, PostOutcome,
        ReportRow, ReportTotals, WatchedPost,
        admin::{
            DealsOfAthlete, DecideJob, JobDecision, JobView, ListJobs, PageOfApplicants,
            RemoveAthlete, UpdateFee, ViewJob,
        },
        browsing::{DealsCount, ListDeals},
        confirming::ConfirmAvailability,
        delivering::{ChangeStatus, Decision, Deny, ListOutstanding, ListOverdue, Submit},
        ending::CancelContract,
        hiring::{ClickId, Hire, HireBulk, Hired, HiredBulk},
        reporting::{ReportBeside, WhichDeliverables},
        requesting::{
            AcceptRequest, DismissRequest, Dismissed, NotAvailable, RequestNewDueDate,
            WithdrawRequest,
        },
        reviewing::{AskReview, AskReviewOfDeal, ResolveReview},
        watch_history::ListPostChecks,
    };
}

/// Deals made off the platform, and the clearinghouse's decisions about these and the platform's
/// own contracts.
pub mod disclosures {
    #[doc(hidden)]
    pub use nil_domain::disclosures::*;
    #[doc(inline)]
    pub use nil_domain::disclosures::{
        AppliedRule, AskedOfPayor, AssociationFact, AssociationQuestion, Attestation,
        AttestationRequest, ChangedDeal, Clearance, ClearanceDetail, ClearancePacket,
        ClearanceStatus, ClearanceStep, ClearanceWord, Clearinghouse, DealTally, DisclosedJob,
        DisclosedJobDetail, DisclosedJobNames, DisclosedJobStatus, Enrolment, EntryKind,
        FlagEffect, GivenAnswer, GivenAnswers, ListForCollege, NamedDisclosedJob, PacketPayer,
        PacketProblem, PayerKind, PayorAttestation, ReachedThreshold, RuleEffect, RuleVerdict,
        SaveDisclosedJob, SetEnrolment, SettingsPreview, SummedDeal,
        attesting::{Attest, ListAttestations},
        browsing::{ListClearances, ListOwn, ShowDisclosedJob},
        clearing::RecordClearance,
        deciding::{DecideDisclosedJob, DisclosedJobDecision},
        disclosing::WithdrawDisclosedJob,
        downloading::{DownloadPacket, OfAthleteAndDisclosedJob},
        enrolling::EnrolmentState,
        preparing::{AnswerAssociation, SavePacket, SubmitPacket},
        showing::{ListOwnClearances, ShowClearance},
    };
}

/// Jobs and applications.
pub mod jobs {
    #[doc(hidden)]
    pub use nil_domain::jobs::*;
    #[doc(inline)]
    pub use nil_domain::jobs::{
        Activity, Application, ApplicationSource, ApplicationStatus, AthleteCard, Attribution,
        CloseReason, Compensation, Deadline, Eligibility, Exclusivity, Job, JobKind, JobSort,
        JobStatus, ManualReview, MediaKind, MediaPlatform, Milestone, PartnerCard, ReviewStatus,
        SaveJob, SearchJobs, UsageMedia, UsageRights, UsualReason, Visibility, WantedAthletes,
        WantedExclusivity, WantedMilestone, WantedRights,
        applying::{Applied, Apply, Respond, Withdraw},
        browsing::{Applicant, GetJob, JobFound, JobPosted, JobSeen, ListApplicants, ListPosted},
        closing::OwnJob,
        inviting::{InvitationResults, Invite, Refused, Reject},
        posting::{ForBrand, JobSaved, SaveBrandsJob},
    };
}

/// The marketplace: services that athletes offer at their own price, and brands' orders of them.
pub mod marketplace {
    #[doc(hidden)]
    pub use nil_domain::marketplace::*;
    #[doc(inline)]
    pub use nil_domain::marketplace::{
        OfferSort, SaveOffer, SearchOffers,
        answering::{AcceptOrder, DeclineOrder},
        completing::CompleteOrder,
        handing_over::{DeliverOrder, ReturnOrder},
        listing::ListOrders,
        ordering::{PlaceOrder, TakeBack},
    };
}

/// Offers and orders of athletes' services: the records, and how an order follows its contract.
pub mod orders {
    #[doc(hidden)]
    pub use nil_domain::orders::*;
    #[doc(inline)]
    pub use nil_domain::orders::{Offer, Order, OrderStatus, ServiceKind};
}

/// Money: cards, payments, payouts, refunds, invoices, subscriptions, and the double-entry ledger
/// under them.
pub mod payments {
    #[doc(hidden)]
    pub use nil_domain::payments::*;
    #[doc(inline)]
    pub use nil_domain::payments::{
        AccountKind, AccountStatus, Billed, BulkPayment, ChangeStatus, Compared, Comparison,
        CompletedOrder, DifferenceStatus, Dispute, DisputeKind, DisputeShare, DisputeStatus,
        DisputeTerms, DisputedDeal, HeldCommission, HoldReason, Invoice, InvoiceKind, InvoiceLine,
        InvoiceStatus, ListedPayout, Payment, PaymentKind, PaymentMethod, PaymentStatus, Payout,
        PayoutAccount, PayoutPreference, PayoutStatus, ProcessorDifference, Reconciled, Refund,
        RefundFee, RefundStatus, Retried, Subscription, SubscriptionPlan, SubscriptionStatus,
        Swept, WantedPayment,
        browsing::{
            admin::{ListPayments, ListPayouts, WalletHistory},
            exporting::{ExportPayments, ExportedPayments},
            filter::{PaymentFilter, PaymentSort},
            history::{Balances, History, PaymentTotals, TotalCents, Wallet},
            revenue::ListRevenue,
            revenue_line::{Revenue, RevenueBy, RevenueSort, RevenueSums, RevenueTotals},
        },
        charges::confirming::{Confirm, Confirmation, GiveUp},
        charges::paying::{Pay, PayBulk, Preview, Summary, SummaryLine},
        disputes::{
            listing::{DisputeInFull, ListDisputes},
            responding::{AnswerDispute, OneDispute},
            terms::SaveDisputeTerms,
        },
        invoices::OneInvoice,
        ledger::{LedgerEntry, Reason},
        methods::{AddMethod, BeginMethod, BegunMethod, OneMethod},
        movement::deciding::{DecideRequest, DecidedOutcome, DecidedRequest},
        movement::request::ProcessorRequest,
        payouts::{
            cancelling::Cancel,
            paying_out::{Retry, Trigger},
            payout_settings::{OpenAccount, OpenedAccount, Prefer},
        },
        reconciliation::{
            DifferenceKind, DifferenceRecord, DifferenceRecordKind, ListDifferences,
            settling::{OneDifference, SettleDifference},
        },
        refunds::{
            previewing::{PreviewRefund, RefundLine, RefundPreview},
            refunding::RefundPayment,
        },
        subscriptions::{
            BillingInterval, ChangeEffect, PlanAudience, PlanChange, PlanInUse, PlanSort,
            SubscriptionEndReason, SubscriptionRefund, SubscriptionRefundRule,
            changing::{ChangeLine, ChangePlan, ChangePreview, ChangedPlan, PreviewChange},
            confirming::{ConfirmCharge, ConfirmedSubscription},
            planning::{ListPlans, OfferedPlans, PlanState, SavePlan, SetPlanStatus},
            refunding::RefundSubscription,
            subscribing::Subscribe,
        },
        taxes::{
            BackupWithholding, ListTaxRequests, ReturnForm, TaxClass, TaxDetails, TaxForm,
            TaxFormRequest, TaxRequestStatus, TaxThreshold, TinKind, TypedTin, WithholdingNotice,
            filing::{FileReturns, FiledYear},
            handing_in::TaxStanding,
            returning::ExportReturns,
            summary::{FormSum, PayerSum, TaxSummary, TaxYear},
            thresholds::SaveThreshold,
            withholding::SetWithholding,
        },
        webhook::{Heard, Webhook},
    };
}
