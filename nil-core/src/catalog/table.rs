//! What the table of operations is written with: a door for each row, and what the rows of a group share.
//!
//! A door is a function for one kind of caller. It takes only operations of that kind's context,
//! `partner(…)` only those of `Cx<Partner>`: an operation behind the wrong door does not compile.

pub use super::row::{Entry, Takes};
use super::row::{Input, row};
use crate::auth::{
    Agent, AnyRegistrant, Anyone, Athlete, Fan, ModelHost, NewAgent, NewAthlete, NewFan,
    NewPartner, OperatorSession, Partner, Party, Payee, Subscriber, User,
};
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
    /// For anybody.
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
    /// For every operator, one who has to replace a one-time password first included.
    operator_session(OperatorSession);
    /// For model hosts, for one athlete each; over HTTP the request has to be signed.
    model_host(ModelHost);
}

/// For portal users, by the role they need at least.
pub mod portal {
    use super::{Answer, Cx, Entry, Input, Result, row};
    use crate::auth::{PortalUser, Role};
    use crate::catalog::Needs;

    doors! {
        /// For everybody in the portal.
        viewer(PortalUser, Needs::Role(Role::Viewer));
        /// For who may see money and export.
        finance(PortalUser, Needs::Role(Role::Finance));
        /// For who files and decides.
        officer(PortalUser, Needs::Role(Role::Officer));
        /// For who manages users and settings.
        owner(PortalUser, Needs::Role(Role::Owner));
    }
}

/// For operators, by the permission they need.
pub mod operator {
    use super::{Answer, Cx, Entry, Input, Result, row};
    use crate::auth::{Operator, Permission};
    use crate::catalog::Needs;

    doors! {
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

/// Groups of rows, one after the other.
pub fn all<const N: usize>(groups: [Vec<Entry>; N]) -> Vec<Entry> {
    groups.into_iter().flatten().collect()
}

/// The same for each row.
pub fn each(rows: Vec<Entry>, set: impl Fn(Entry) -> Entry) -> Vec<Entry> {
    rows.into_iter().map(set).collect()
}

/// They go beyond the specification.
pub fn extensions(rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, Entry::extension)
}

/// Their ids name records of the caller's own.
pub fn owned(rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, Entry::owned)
}

/// They have the throttle class of what is open to everybody.
pub fn public(rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, |row| row.throttled(Throttle::Public))
}
