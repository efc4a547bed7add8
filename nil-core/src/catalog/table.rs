//! The functions that rows are written with: a door for each row, and properties shared by groups
//! of rows.
//!
//! A door is a function for one kind of caller. It accepts only operations with that kind's
//! context, such as `partner(…)` those with `Cx<Partner>`: an operation behind the wrong door does
//! not compile.

pub use super::row::{Entry, Takes};
use super::typed::{Input, row};
use crate::auth::{
    Agent, AnyRegistrant, Anyone, Athlete, Fan, ModelHost, NewAgent, NewAthlete, NewFan,
    NewPartner, OperatorSession, Partner, Party, Payee, Subscriber, User,
};
use crate::catalog::section::{Section, UNSORTED};
use crate::error::Result;
use crate::operation::{Answer, Cx};
use crate::throttle::Throttle;

/// Declares doors. Each takes the operation's name, its method and path, and the function.
macro_rules! doors {
    ($($(#[$meta:meta])* $door:ident($caller:ty $(, $needs:expr)?);)+) => {$(
        $(#[$meta])*
        pub fn $door<I, O, F, Fut>(name: &'static str, at: &'static str, operation: F) -> Entry
        where
            I: Input,
            O: Answer,
            F: Fn(Cx<$caller>, I) -> Fut + Copy + Send + Sync + 'static,
            Fut: Future<Output = Result<O>> + Send + 'static,
        {
            row::<$caller, I, O, F, Fut>(name, at, operation)$(.needing($needs))?
        }
    )+};
}

doors! {
    /// For everyone.
    anyone(Anyone);
    /// For any user of the Core interface.
    user(User);
    /// For athletes.
    athlete(Athlete);
    /// For brand partners.
    partner(Partner);
    /// For agents.
    agent(Agent);
    /// For fans.
    fan(Fan);
    /// For athletes, partners and agents.
    party(Party);
    /// For athletes and agents.
    payee(Payee);
    /// For partners and agents.
    subscriber(Subscriber);
    /// For an athlete's registration.
    new_athlete(NewAthlete);
    /// For a brand's registration.
    new_partner(NewPartner);
    /// For an agent's registration.
    new_agent(NewAgent);
    /// For a fan's registration.
    new_fan(NewFan);
    /// For a registration of any kind.
    registrant(AnyRegistrant);
    /// For every operator, also with a one-time password that must be replaced.
    operator_session(OperatorSession);
    /// For model hosts, each call for one athlete; over HTTP the request must be signed.
    model_host(ModelHost);
}

/// For portal users, by their minimum role.
pub mod portal {
    use super::{Answer, Cx, Entry, Input, Result, row};
    use crate::auth::{PortalUser, Role};
    use crate::catalog::Needs;

    doors! {
        /// For all portal users.
        viewer(PortalUser, Needs::Role(Role::Viewer));
        /// For users who may see money and export.
        finance(PortalUser, Needs::Role(Role::Finance));
        /// For users who file and decide.
        officer(PortalUser, Needs::Role(Role::Officer));
        /// For users who manage users and settings.
        owner(PortalUser, Needs::Role(Role::Owner));
    }
}

/// For operators, by the permission they need.
pub mod operator {
    use super::{Answer, Cx, Entry, Input, Result, row};
    use crate::auth::{Operator, Permission};
    use crate::catalog::Needs;

    doors! {
        /// For operators with any permissions.
        any(Operator);
        /// For operators with all permissions.
        chief(Operator, Needs::Permission(Permission::All));
        /// Accounts of every kind.
        accounts(Operator, Needs::Permission(Permission::Accounts));
        /// Jobs and contracts.
        jobs(Operator, Needs::Permission(Permission::Jobs));
        /// Payments, payouts, refunds, fees.
        finance(Operator, Needs::Permission(Permission::Finance));
        /// Files, rosters, editorial content.
        content(Operator, Needs::Permission(Permission::Content));
        /// Notifications, templates, announcements.
        messaging(Operator, Needs::Permission(Permission::Messaging));
        /// The site's settings and lists.
        site(Operator, Needs::Permission(Permission::Site));
        /// Exports and reports.
        reports(Operator, Needs::Permission(Permission::Reports));
    }
}

/// For services, by the scope of their API key.
pub mod service {
    use super::{Answer, Cx, Entry, Input, Result, row};
    use crate::auth::{Scope, Service};
    use crate::catalog::Needs;

    doors! {
        /// Internal and cron endpoints.
        internal(Service, Needs::Scope(Scope::Internal));
        /// Affiliate conversions.
        affiliate(Service, Needs::Scope(Scope::Affiliate));
    }
}

/// Concatenates groups of rows.
pub fn all<const N: usize>(groups: [Vec<Entry>; N]) -> Vec<Entry> {
    groups.into_iter().flatten().collect()
}

/// Applies a setting to each row.
pub fn each(rows: Vec<Entry>, set: impl Fn(Entry) -> Entry) -> Vec<Entry> {
    rows.into_iter().map(set).collect()
}

/// Puts rows into a section, apart from those that are already in another one.
pub fn section(section: &'static Section, rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, |row| if row.section == &UNSORTED { row.under(section) } else { row })
}

/// Marks rows as extensions of the specification.
pub fn extensions(rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, Entry::extension)
}

/// Declares that the rows' ids name the caller's own records.
pub fn owned(rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, Entry::owned)
}

/// Sets the throttle class of operations open to everyone.
pub fn public(rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, |row| row.throttled(Throttle::Public))
}
