//! Records of people and organizations, and of what they have and read.

/// Accounts of athletes, brands, agents and fans (Core), officers (Compliance) and operators
/// (Admin).
pub mod accounts {
    #[doc(hidden)]
    pub use nil_domain::accounts::*;
    #[doc(inline)]
    pub use nil_domain::accounts::{
        Account, AccountRecord, AgentCard, AgentProfile, AssociatedUniversity, Association,
        AthleteActivity, AthleteProfile, Certification, EditAgent, EditPartner, EndSessions,
        EndedSessions, FanProfile, FollowedAthlete, LogIn, MemberKind, OwnSession, PartnerProfile,
        PayoutState, PortalAccount, PortalLogIn, PortalRegistration, PortalSession,
        PortalUserStatus, Profile, Progress, Readiness, Social, SocialNetwork, Step, UserKind,
        WhichAthlete,
        agents::editing::AcceptTerms,
        athletes::{
            athlete_edit::{EditAthlete, SocialAccount, WantedActivity},
            refreshing::{MetricsSource, RefreshSocials, Refreshed},
            statistics::{CategoryCount, Statistics},
        },
        listed::{Beside, ExportAccounts, ListAccounts, Listed},
        listing::List,
        operators::{
            create as create_operator,
            impersonating::{
                ActingOperator, ImpersonationMinutes, StartImpersonation, StartedImpersonation,
                WhichImpersonation,
            },
            impersonation::{Impersonation, ImpersonationPurpose, ListImpersonations},
            operator::{ListOperators, ListedOperator, OneTime, OperatorAccount, WhichOperator},
            passwords::ChangeOperatorPassword,
            saving::{SaveOperator, SavedOperator},
            signing_in::{CsrfToken, OperatorLogIn},
        },
        portal::{
            admin::{InviteColleague, SavePortalUser, WhichPortalUser},
            passwords::ChangePortalPassword,
            registering::RegisterPortalUser,
            signing_in::NewPortalPassword,
            team::{ChangeTeamMember, ListTeam},
        },
        profiles::{
            AthleteDetail, Contact,
            athlete_search::{AthleteSort, SearchAthletes},
            brand_search::{BrandDirectory, BrandSort, PublicBrand},
            directory::{PublicAthlete, PublicProfile, SearchPublic, ShareUrl, Shared},
            tutorial::{CompleteStep, DoneBy, Tutorial, TutorialItem},
            tutorial_step::TutorialStep,
        },
        registering::{
            Credentials, ResendCode, Start, Verify,
            agent::{Agency, Network},
            athlete_steps::{Guardian, Person, Team},
            consenting::{Consent, GuardianConsent},
            fan::{FanCollege, FullName},
            partner::{Category, Company},
        },
        saving::{
            agent::SaveAgent,
            athlete::{Origins, SaveAthlete},
            holder::{GivenStatus, Holder},
            partner::{SavePartner, Terms},
        },
        sign_on::{
            configuring::{SaveSignOn, SignOn, WhichSignOn},
            ending::ProviderLogOut,
            finishing::FinishSignOn,
            provider::{RoleOfValue, SignOnProvider, SignOnReturn},
            starting::{SignOnStart, StartOperatorSignOn, StartSignOn},
        },
        signing_in::{
            LogInInput, Me,
            recovering::{Availability, ByEmail, LinkToken, NewPassword},
        },
        suspension::AthleteById,
        two_step::{
            BothSteps, ConfirmTotp, NewRecoveryCodes, StartTotp, TotpSecret, TwoStepLogInInput,
        },
    };
}

/// Settings and reference data of the site.
pub mod backoffice {
    #[doc(hidden)]
    pub use nil_domain::backoffice::*;
    #[doc(inline)]
    pub use nil_domain::backoffice::{
        branding::{SiteImage, UploadSiteImage},
        categories::{
            EntrySort, ListEntries, ListEntry, SaveBusinessCategory, SaveEntry, SaveJobCategory,
            SaveSport, Sensitivity,
        },
        settings::{BasicSettings, ContingentPay, MailSender, SaveBasic, SaveSender, SiteSettings},
        site::{FormChoice, SiteConfig, ViewSite},
    };
}

/// Files: uploaded, checked by content, stored as objects, and attached to records.
pub mod content {
    #[doc(hidden)]
    pub use nil_domain::content::*;
    #[doc(inline)]
    pub use nil_domain::content::{
        FileContent, FileStatus, Link, MediaType, StoredFile,
        picturing::OpenPicture,
        reading::OpenSigned,
        storing::{DeleteFile, Upload},
        sweeping::SweptFiles,
    };
}

/// The site's content: folders and files that operators keep, with every version of a file.
pub mod content_library {
    #[doc(hidden)]
    pub use nil_domain::content_library::*;
    #[doc(inline)]
    pub use nil_domain::content_library::{
        ContentFile, ContentItem, ContentKind, ContentSort, ContentVersion, PathPart,
        arranging::{DeleteContent, DeletedContent, MoveContent, RestoreContent},
        browsing::{BrowseContent, ContentPath, ListVersions},
        saving::SaveContent,
        sending::{OpenPreview, SendContent},
        uploading::{
            AbortContentUpload, CompleteContentUpload, CreateContentUpload, CreatedContentUpload,
            ReceivePart, ReceivedPart, SignPart, SignedPart, UploadedPart,
        },
    };
}

/// The site's own content: legal documents, the privacy policy, posts, questions, testimonials
/// and pages.
pub mod editorial {
    #[doc(hidden)]
    pub use nil_domain::editorial::*;
    #[doc(inline)]
    pub use nil_domain::editorial::{
        LegalDocument, LegalKind, ListPublications, ListTerms, PolicyEdit, PrivacyPolicy,
        Publication, PublicationKind, PublicationStatus, Readership,
        legal::{ReadTerms, SaveTerms},
        privacy::{EditPolicy, RestorePolicy},
        publishing::{SaveFaq, SavePage, SavePost, SaveTestimonial},
        reading::{ListFor, Named},
    };
}

/// Colleges, the rules they set for deals, and the checks of deals against those rules.
pub mod institutions {
    #[doc(hidden)]
    pub use nil_domain::institutions::*;
    #[doc(inline)]
    pub use nil_domain::institutions::{
        AgentNotice, Approval, ApprovalRequirement, AutomaticFlags, Blackout, Blackouts, Breach,
        Categories, College, CollegeSettings, CollegeStatus, Dated, DeadlineUnit, DealFlag, Digest,
        DisclosureDeadline, Division, F1, F1Policy, HoldPayouts, JobConsent, ListAllColleges,
        ListColleges, Marks, MarksPolicy, Participation, RuleChange, RuleKind, SaveCollege,
        SaveSettings, SchoolRefusal, Sponsor, SponsorConflicts, Threshold, ThresholdScope, Visa,
        VisaStatus, WantedApproval, WantedBlackout, WantedBlackouts, WantedCategories,
        WantedDeadline, WantedF1, WantedFlags, WantedHold, WantedMarks, WantedNotice,
        WantedSponsor, WantedSponsors, WantedThreshold, consenting::ConsentToJob, visa::SetVisa,
    };
}

/// Chat: conversations of two users about a job or in general, and each user's conversation with
/// the operators.
pub mod messaging {
    #[doc(hidden)]
    pub use nil_domain::messaging::*;
    #[doc(inline)]
    pub use nil_domain::messaging::{
        ChatMessage, Conversation, ConversationKind, Correspondent, ListSupport, Sender,
        SenderKind, SupportConversation, SupportSort,
        broadcasting::{MassSent, NotSentTo, SendMass, SentTo},
        chatting::{Pin, SendMessage, Start},
        reading::ReadMessages,
        supporting::{ReadSupport, Reply},
    };
}
