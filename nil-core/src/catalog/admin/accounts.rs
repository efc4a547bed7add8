//! Accounts of every kind.

use crate::accounts::agents::listing::{self as agents, AgentAccount};
use crate::accounts::athletes::listing::{self as athletes, AthleteAccount};
use crate::accounts::athletes::refreshing;
use crate::accounts::listing::list;
use crate::accounts::partners::listing::{self as partners, PartnerAccount};
use crate::accounts::saving::{agent, athlete, partner};
use crate::accounts::sign_on::configuring::allow_passwords;
use crate::accounts::{PortalUserEvent, PortalUserStatus, UserEvent, UserStatus};
use crate::accounts::{portal, suspension};
use crate::agents::admin as representations;
use crate::agents::{RepresentationEvent, RepresentationStatus};
use crate::catalog::columns::PORTAL_USERS;
use crate::catalog::forms::FieldGroup;
use crate::catalog::refusals::MAILING;
use crate::catalog::table::Entry;
use crate::catalog::table::operator::{accounts, reports};
use crate::catalog::two_step::resetting;
use crate::catalog::zones::Zone;
use crate::error::{Code, codes};
use crate::export::XLSX;
use crate::{deals, departures, dossiers, institutions};

/// The refusals of a saved account.
const SAVING: &[Code] = &[codes::EMAIL_TAKEN, codes::ILLEGAL_TRANSITION, codes::TOO_MANY_MAILS];

/// The refusals of a saved account with a profile, whose picture is stored.
const SAVING_A_PROFILE: &[Code] = &[
    codes::EMAIL_TAKEN,
    codes::ILLEGAL_TRANSITION,
    codes::TOO_MANY_MAILS,
    codes::FILE_QUOTA_EXCEEDED,
    codes::STORAGE_FULL,
];

const A_NEW_ATHLETE: &[&str] =
    &["email", "first_name", "last_name", "phone", "sport_id", "university_id", "date_of_birth"];
const A_NEW_PARTNER: &[&str] =
    &["email", "first_name", "last_name", "phone", "company_name", "business_category_id"];
const A_NEW_AGENT: &[&str] =
    &["email", "first_name", "last_name", "phone", "agency_name", "network_profile_url"];

/// The groups of an athlete's account.
const ATHLETE: &[FieldGroup] = &[
    FieldGroup::new("Account", &["email", "first_name", "last_name", "phone", "status"]),
    FieldGroup::new(
        "Person",
        &["display_name", "date_of_birth", "guardian", "gender", "hometown_city", "hometown_state"],
    ),
    FieldGroup::new(
        "School and sport",
        &["university_id", "sport_id", "position", "class_year", "jersey_number"],
    ),
    FieldGroup::new(
        "Profile",
        &[
            "photo_file_id",
            "bio",
            "tags",
            "socials",
            "activities",
            "min_rate_cents",
            "available",
            "listed",
        ],
    ),
];

/// The groups of a brand's account.
const PARTNER: &[FieldGroup] = &[
    FieldGroup::new("Account", &["email", "first_name", "last_name", "phone", "status"]),
    FieldGroup::new(
        "Company",
        &[
            "company_name",
            "business_category_id",
            "website",
            "logo_file_id",
            "about",
            "hq_city",
            "hq_state",
        ],
    ),
    FieldGroup::new("Terms", &["listed", "fee_basis_points"]),
];

/// Who is invited again sets a password.
const INVITING: &[PortalUserEvent] = &[PortalUserEvent::SetPassword, PortalUserEvent::InviteAgain];

/// Whether somebody is of age is decided on the day of their institution.
const BIRTH: &[(&str, Zone)] = &[("date_of_birth", Zone::Institution)];

/// An institution takes part from a day of its own.
const PARTICIPATION: &[(&str, Zone)] = &[("from", Zone::Institution)];

/// Accounts of athletes.
pub(super) fn of_athletes() -> Vec<Entry> {
    vec![
        accounts("admin.athlete.list", "GET /athletes/{status}/{id}", list::<AthleteAccount>)
            .purpose("list athletes by status")
            .title("Athletes")
            .columns(&[
                "display_name",
                "status",
                "university",
                "sport",
                "class_year",
                "email",
                "available",
                "listed",
                "email_verified_at",
                "created_at",
            ]),
        accounts("admin.athlete.save", "POST /athletes/save", athlete::save)
            .purpose("create or update an athlete")
            .groups(ATHLETE)
            .title("Save an athlete")
            .zones(BIRTH)
            .acts_on("athlete", "id")
            .when::<UserStatus>(&[UserEvent::Suspend, UserEvent::Restore])
            .verb("Save")
            .says("Saved")
            .errors(SAVING_A_PROFILE)
            .new_needs(A_NEW_ATHLETE),
        accounts("admin.athlete.view", "GET /athletes/view/{id}", dossiers::athlete)
            .purpose("athlete details")
            .title("Athlete")
            .audited(),
        accounts(
            "admin.athlete.send_verification",
            "GET /athletes/send-email/{id}",
            suspension::send_verification,
        )
        .purpose("send verification email")
        .title("Send an athlete the verification mail")
        .acts_on("athlete", "id")
        .in_states(&[UserStatus::Active])
        .verb("Send")
        .says("Verification sent")
        .errors(MAILING),
        accounts(
            "admin.athlete.jobs",
            "GET /athletes/view-jobs/{id}/{status}",
            deals::admin::of_athlete,
        )
        .purpose("athlete's jobs by status")
        .title("Jobs of an athlete")
        .columns(&[
            "job_id",
            "status",
            "action_needed",
            "proposed_amount_cents",
            "created_at",
            "source",
            "pitch",
        ]),
        reports("admin.athlete.export_xlsx", "GET /athletes-export", athletes::export_xlsx)
            .purpose("export to spreadsheet")
            .title("Export athletes as a spreadsheet")
            .strict()
            .audited()
            .sends(XLSX),
        reports("admin.athlete.export_csv", "GET /athletes-export-csv", athletes::export_csv)
            .purpose("export to CSV")
            .title("Export athletes as CSV")
            .strict()
            .audited()
            .sends("text/csv; charset=utf-8"),
        accounts(
            "admin.athlete.refresh_social",
            "POST /refresh-socialMedia-data-athlete",
            refreshing::refresh,
        )
        .purpose("refresh social media metrics")
        .title("Refresh an athlete's social figures")
        .acts_on("athlete", "athlete_id")
        .verb("Refresh")
        .says("Done")
        .errors(&[codes::UNAVAILABLE]),
    ]
}

/// Accounts of brands.
pub(super) fn of_partners() -> Vec<Entry> {
    vec![
        accounts("admin.partner.list", "GET /partner/{status}/{id}", list::<PartnerAccount>)
            .purpose("list partners by status")
            .title("Brands")
            .columns(&[
                "company_name",
                "status",
                "business_category",
                "jobs",
                "email",
                "hq_city",
                "hq_state",
                "listed",
                "created_at",
            ]),
        accounts("admin.partner.save", "POST /partner/save", partner::save)
            .purpose("create or update a partner")
            .groups(PARTNER)
            .title("Save a brand")
            .acts_on("partner", "id")
            .when::<UserStatus>(&[UserEvent::Suspend, UserEvent::Restore])
            .verb("Save")
            .says("Saved")
            .errors(SAVING_A_PROFILE)
            .new_needs(A_NEW_PARTNER),
        accounts("admin.partner.view", "GET /partner/view/{id}", dossiers::partner)
            .purpose("partner details")
            .title("Brand"),
        accounts(
            "admin.partner.associate_university",
            "POST /partner/associate-university",
            partner::associate,
        )
        .purpose("associate partner with a university")
        .title("Associate a brand with a university")
        .acts_on("partner", "partner_id")
        .verb("Associate")
        .says("University associated"),
        accounts(
            "admin.partner.unassociate_university",
            "POST /partner/unassociate-university-partner",
            partner::unassociate,
        )
        .purpose("remove the association")
        .title("End a brand's association with a university")
        .acts_on("partner", "partner_id")
        .verb("End the association")
        .says("Association removed"),
        reports("admin.partner.export_xlsx", "GET /partner-export", partners::export_xlsx)
            .purpose("export to spreadsheet")
            .title("Export brands as a spreadsheet")
            .strict()
            .audited()
            .sends(XLSX),
    ]
}

/// Accounts of agents.
pub(super) fn of_agents() -> Vec<Entry> {
    vec![
        accounts("admin.agent.list", "GET /agent/{status}/{id}", list::<AgentAccount>)
            .purpose("list agents by status")
            .title("Agents")
            .columns(&[
                "agency_name",
                "status",
                "first_name",
                "last_name",
                "email",
                "athletes",
                "phone",
                "email_verified_at",
                "created_at",
            ]),
        accounts("admin.agent.save", "POST /agent/save", agent::save)
            .purpose("create or update an agent")
            .title("Save an agent")
            .acts_on("agent", "id")
            .when::<UserStatus>(&[UserEvent::Suspend, UserEvent::Restore])
            .verb("Save")
            .says("Saved")
            .errors(SAVING)
            .new_needs(A_NEW_AGENT),
        accounts("admin.agent.view", "GET /agent/view/{id}", dossiers::agent)
            .purpose("agent details")
            .title("Agent"),
        accounts(
            "admin.agent.unlink_athlete",
            "GET /agent/unlink-athlete-agent/{id}",
            representations::unlink,
        )
        .purpose("unlink athlete from agent")
        .title("End a representation")
        .acts_on("representation", "id")
        .when::<RepresentationStatus>(&[RepresentationEvent::End])
        .verb("End the representation")
        .confirm(
            "The agent can no longer act for the athlete. Both are told, and a minor's \
                 guardian too.",
            "Agent and commission remain on the contracts that exist. To go on, the agent \
                 invites the athlete again.",
        )
        .says("Representation ended")
        .errors(&[codes::ILLEGAL_TRANSITION]),
        accounts("admin.agent.athletes", "GET /agent/athlete/{id}", representations::athletes)
            .purpose("athletes linked to an agent")
            .title("Athletes of an agent")
            .columns(&[
                "email",
                "status",
                "commission_basis_points",
                "invited_at",
                "accepted_at",
                "ended_at",
                "expires_at",
                "end_reason",
            ]),
        reports("admin.agent.export_xlsx", "GET /agent/export/agent/list", agents::export_xlsx)
            .purpose("export to spreadsheet")
            .title("Export agents as a spreadsheet")
            .strict()
            .audited()
            .sends(XLSX),
    ]
}

/// Accounts of any kind.
pub(super) fn of_any_kind() -> Vec<Entry> {
    vec![
        accounts("admin.user.close", "POST /users/close", departures::closing::close_account)
            .purpose("close an account and erase its personal data")
            .title("Close an account")
            .acts_on("user", "user_id")
            .when::<UserStatus>(&[UserEvent::Deactivate])
            .verb("Close and erase")
            .confirm(
                "Personal data is erased: name, e-mail, phone, birth date and pictures. All \
                 sessions end. This cannot be undone.",
                "Contracts, payments and the audit trail stay, and a company keeps its name in \
                 them. While money or contracts are under way, nothing happens.",
            )
            .says("Account closed")
            .errors(&[codes::ILLEGAL_TRANSITION, codes::ACCOUNT_NOT_SETTLED])
            .extension(),
    ]
}

/// University admins (the portal users of institutions) and colleges.
pub(super) fn universities() -> Vec<Entry> {
    vec![
        accounts(
            "admin.university_admin.list",
            "GET /university-admin/{status}/{id}",
            portal::admin::list,
        )
        .purpose("list university admins")
        .title("University admins")
        .columns(PORTAL_USERS),
        accounts("admin.university_admin.save", "POST /university-admin/save", portal::admin::save)
            .purpose("create or update")
            .title("Save a university admin")
            .acts_on("portal_user", "id")
            .verb("Save")
            .says("Saved")
            .errors(SAVING),
        accounts(
            "admin.university_admin.send_verification",
            "GET /university-admin/send-email/{id}",
            portal::admin::send_invitation,
        )
        .purpose("send verification email")
        .title("Send a university admin the invitation")
        .acts_on("portal_user", "id")
        .when::<PortalUserStatus>(INVITING)
        .verb("Send")
        .says("Invitation sent")
        .errors(MAILING),
        accounts(
            "admin.university_admin.approve",
            "POST /portal-user/approve",
            portal::admin::approve,
        )
        .purpose("approve a registration for the compliance portal")
        .title("Approve a registration for the portal")
        .acts_on("portal_user", "id")
        .when::<PortalUserStatus>(&[PortalUserEvent::Approve])
        .verb("Approve")
        .says("Approved")
        .errors(&[codes::ILLEGAL_TRANSITION])
        .extension(),
        resetting(accounts(
            "admin.university_admin.reset_two_step",
            "POST /portal-user/reset-two-step",
            portal::admin::reset_two_step,
        ))
        .purpose("turn a portal user's two-step log-in off, for a lost authenticator app")
        .title("Reset the second step of a university admin")
        .acts_on("portal_user", "id"),
        accounts("admin.college.list", "GET /college/{status}/{id}", institutions::admin::page)
            .purpose("list colleges, also those that users cannot select")
            .title("Universities")
            .columns(&[
                "name",
                "state",
                "division",
                "conference",
                "listed",
                "time_zone",
                "short_name",
            ])
            .extension(),
        accounts(
            "admin.college.allow_passwords",
            "POST /college/{collegeId}/allow-passwords",
            allow_passwords,
        )
        .purpose("switch the passwords of an institution's officers on again")
        .title("Switch on the passwords of officers")
        .acts_on("college", "college_id")
        .verb("Switch on")
        .confirm(
            "Officers of the institution can log in with passwords as well as through its provider.",
            "Its owners can switch passwords off again.",
        )
        .says("Passwords switched on")
        .errors(&[codes::NOT_FOUND])
        .extension(),
        accounts("admin.college.save", "POST /college/save", institutions::admin::save)
            .purpose("create or update a college")
            .title("Save a university")
            .zones(PARTICIPATION)
            .acts_on("college", "id")
            .verb("Save")
            .says("College saved")
            .errors(&[codes::DUPLICATE])
            .extension(),
    ]
}
