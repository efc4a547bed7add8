//! The sections of the interfaces, which are the tags of the OpenAPI documents. The Core interface
//! is divided as the specification divides it; Compliance and Admin stand there in one table each.

/// A section of an interface: some operations that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name; for the specification's sections as it stands there.
    pub name: &'static str,
    /// What its operations are for.
    pub about: &'static str,
}

const fn section(name: &'static str, about: &'static str) -> Section {
    Section { name, about }
}

/// The section of a row that has none yet. A test ensures that every row is put into another one.
pub(super) const UNSORTED: Section = section("", "");

pub(super) const AUTHENTICATION: Section = section(
    "Authentication",
    "Log-in and log-out, the caller's own record, and passwords that were forgotten.",
);
pub(super) const REGISTRATION: Section = section(
    "Registration",
    "New accounts of athletes, brands, agents and fans, step by step. The first step answers a registration token that \
     the later ones carry; the last step answers a log-in.",
);
pub(super) const TUTORIAL: Section =
    section("Onboarding tutorial", "The first steps of a new user, and which of them are done.");
pub(super) const ATHLETES: Section = section(
    "Athletes",
    "The directory of athletes, their profiles, and what they do in a deal: confirm it, decline it, deliver, and ask \
     for more time.",
);
pub(super) const PARTNERS: Section = section(
    "Partners",
    "What brands do: see their jobs and applicants, hire, review deliverables, report on them, and keep their cards.",
);
pub(super) const AGENTS: Section = section(
    "Agents",
    "What agents do for the athletes they represent: invite them, apply for them, follow their contracts, and pay \
     their own bills.",
);
pub(super) const JOBS: Section = section(
    "Jobs and deals",
    "Jobs from posting to hiring, deliverables, contracts, deals under way, and deals that were made off the platform.",
);
pub(super) const PAYMENTS: Section = section(
    "Payments",
    "Payments of brands to athletes, payout accounts, wallets, and both sides' history. Amounts are whole cents.",
);
pub(super) const SUBSCRIPTIONS: Section = section(
    "Subscriptions",
    "Plans that change the platform's fee, and the caller's subscription to one.",
);
pub(super) const CHAT: Section = section(
    "Chat and notifications",
    "Conversations, in-app notifications and their preferences, and the live stream of both.",
);
pub(super) const DEVICES: Section =
    section("Device tokens", "The devices on which a user wants push messages.");
pub(super) const ASSISTANT: Section = section(
    "AI assistant",
    "The athlete's assistant: the conversation with it, its waitlist, and drafts of questions to a brand, which are \
     sent only when the athlete says so.",
);
pub(super) const PUBLIC: Section = section(
    "Public endpoints",
    "What everyone can read without credentials: directories, colleges, the site's settings and its texts.",
);
pub(super) const ROSTERS: Section =
    section("Rosters", "Lists of athletes that operators publish under an address of their own.");
pub(super) const FILES: Section =
    section("Files", "Uploads, which other operations then name by their id, and downloads.");
pub(super) const DEAL_FOLDER: Section = section(
    "Deal folder",
    "The files that the parties of a deal share. Large ones are uploaded in three steps: create, send the bytes, \
     complete.",
);
pub(super) const INTERNAL: Section =
    section("Internal and cron", "The background tasks on demand, for schedulers with an API key.");
pub(super) const TOOLS: Section = section(
    "AI tool gateway",
    "The assistant's tools for a model that runs elsewhere. Each call is for one athlete; requests and answers are \
     signed.",
);
pub(super) const AFFILIATE: Section = section(
    "Affiliate links",
    "Links of deals that pay a commission, the visits they bring, and the sales that are reported for them.",
);
pub(super) const MARKETPLACE: Section = section(
    "Services marketplace",
    "Services that athletes offer at a fixed price, and brands' orders of them.",
);

pub(super) const PORTAL_AUTHENTICATION: Section =
    section("Authentication", "Log-in and log-out, registration for the portal, and passwords.");
pub(super) const TRANSACTIONS: Section = section(
    "Transactions",
    "Payments to the institution's athletes, on the platform and disclosed: the list, totals, rankings and the export.",
);
pub(super) const PORTAL_ATHLETES: Section =
    section("Athletes", "The institution's athletes, their jobs, contracts and files.");
pub(super) const ANALYTICS: Section =
    section("Analytics", "Activity and earnings by sport, kind of payment, category and time.");
pub(super) const FILTERS: Section =
    section("Filters", "The values that the filters of lists and figures can take.");
pub(super) const INSTITUTION: Section = section(
    "Institution",
    "The institution's settings and rules, its consent to jobs, and the users of its portal.",
);
pub(super) const FILINGS: Section = section(
    "Athlete-agent disclosures",
    "Filings about athletes' agents, with their documents, versions and deadlines.",
);
pub(super) const PREFERENCES: Section = section(
    "Notification preferences",
    "Which events of the platform are mailed to the portal user.",
);
pub(super) const DISCLOSED: Section = section(
    "Disclosed deals and clearances",
    "Deals that athletes made off the platform, and what the clearing house decided about them.",
);
pub(super) const OVERSIGHT: Section = section(
    "Oversight",
    "The institution's own audit trail, the deadlines that are due, and the officers' inbox.",
);

pub(super) const PUBLICATIONS: Section = section(
    "Statistics and public records",
    "What an institution gives to the public: statistics in which no athlete can be recognised, and requests for public \
     records with the redacted files that were handed out.",
);

pub(super) const SQUAD_LISTS: Section = section(
    "Squad lists",
    "The institution's own lists of the athletes of its teams, imported from the files that its systems export.",
);
pub(super) const CALENDAR: Section = section(
    "Calendar",
    "Deadlines in the caller's own calendar program, which reads them at a secret address.",
);
pub(super) const WEBHOOKS: Section = section(
    "Webhooks",
    "Addresses where a program of the caller's own hears of events, signed by the Standard Webhooks specification, and \
     what was sent there.",
);

pub(super) const OPERATORS: Section = section(
    "Authentication",
    "The CSRF token, log-in and log-out of operators, their own passwords, and the operators themselves.",
);
pub(super) const SITE: Section = section(
    "Site",
    "The site's own settings, and the lists of sports and categories that users choose from.",
);
pub(super) const ACCOUNTS: Section =
    section("Accounts", "Athletes, partners and agents as the operators see them.");
pub(super) const JOB_ADMINISTRATION: Section = section(
    "Jobs",
    "Jobs in every state, their applicants, their contracts and the fee that is taken.",
);
pub(super) const MONEY: Section =
    section("Payments and payouts", "Payments, payouts, refunds, and the history of wallets.");
pub(super) const SUPPORT: Section =
    section("Support", "Conversations in which users ask the platform for help.");
pub(super) const UNIVERSITIES: Section = section(
    "Universities",
    "Colleges, and the people who administer them in the Compliance portal.",
);
pub(super) const PLANS: Section =
    section("Brand subscriptions", "The plans that brands and agents can subscribe to.");
pub(super) const TEMPLATES: Section = section(
    "Messages and templates",
    "What is sent for which event, on which channel, and in which words.",
);
pub(super) const ANNOUNCEMENTS: Section = section(
    "Announcements",
    "Messages to an audience for a period of time, and groups of users as audiences.",
);
pub(super) const CONTENT: Section = section(
    "Content",
    "The site's folders and files, with every version of a file. Large files are uploaded in parts: create, sign and \
     send each part, complete.",
);
pub(super) const EXPORTS: Section = section(
    "Exports",
    "Files of whole tables, made in the background: request one, and download it by its code when it is ready.",
);
pub(super) const EDITORIAL: Section = section(
    "Editorial content",
    "The site's own texts: posts, questions, legal terms, testimonials, pages, and the history of the privacy policy.",
);
