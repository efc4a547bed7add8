//! What all figures are narrowed by.

use chrono_tz::Tz;

use super::period;
use super::store;
use super::transaction::{TransactionSource, TransactionStatus};
use crate::accounts::Gender;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::institutions::DealFlag;
use crate::kernel::{
    AthleteId, CategoryId, Cents, CollegeId, Date, Many, SportId, Time, start_of_day,
};
use crate::operation::Cx;
use crate::storage::Session;

/// Declares an input with the fields that everything here is narrowed by beside its own. A macro because
/// an input's fields stand side by side and take text from queries, which `serde(flatten)` undoes.
macro_rules! filtered {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            /// The first day, in the institution's time zone.
            pub from: Option<crate::kernel::Date>,
            /// The last day, in the institution's time zone.
            pub to: Option<crate::kernel::Date>,
            /// A period that has a name, in place of `from` and `to`.
            pub preset: Option<crate::figures::DatePreset>,
            /// Only athletes of these sports.
            pub sport_ids: Option<crate::kernel::Many<crate::kernel::SportId, 0, 100>>,
            /// Only athletes of these genders.
            pub genders: Option<crate::kernel::Many<crate::accounts::Gender, 0, 3>>,
            /// Only these athletes.
            pub athlete_ids: Option<crate::kernel::Many<crate::kernel::AthleteId, 0, 500>>,
            /// Only jobs of these categories.
            pub category_ids: Option<crate::kernel::Many<crate::kernel::CategoryId, 0, 100>>,
            /// Only deals made there.
            pub sources: Option<crate::kernel::Many<crate::figures::TransactionSource, 0, 2>>,
            /// Only what is in these states. Where none are given, lists show every state, and
            /// figures count money: payments that succeeded, refunded or not, and disclosed jobs that
            /// were neither rejected nor taken back.
            pub statuses: Option<crate::kernel::Many<crate::figures::TransactionStatus, 0, 12>>,
            /// Only what carries one of these flags.
            pub flags: Option<crate::kernel::Many<crate::institutions::DealFlag, 0, 6>>,
            /// The least gross amount, in cents.
            pub min_cents: Option<crate::kernel::Cents>,
            /// The greatest gross amount, in cents.
            pub max_cents: Option<crate::kernel::Cents>,
        }

        impl $name {
            /// What it is narrowed by.
            pub(super) fn filter(&self) -> crate::figures::Filter {
                crate::figures::Filter {
                    from: self.from,
                    to: self.to,
                    preset: self.preset,
                    sport_ids: self.sport_ids.clone(),
                    genders: self.genders.clone(),
                    athlete_ids: self.athlete_ids.clone(),
                    category_ids: self.category_ids.clone(),
                    sources: self.sources.clone(),
                    statuses: self.statuses.clone(),
                    flags: self.flags.clone(),
                    min_cents: self.min_cents,
                    max_cents: self.max_cents,
                }
            }
        }
    };
}

pub(super) use filtered;

filtered! {
    /// What figures are about.
    Filter {}
}

/// A filter as it is meant: by whom, for which institution, at which time.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) college: CollegeId,
    /// The sports the caller is limited to; none means all.
    pub(super) limited_to: Vec<SportId>,
    pub(super) zone: Tz,
    pub(super) now: Time,
    pub(super) from: Option<Date>,
    pub(super) to: Option<Date>,
    pub(super) sports: Vec<SportId>,
    pub(super) genders: Vec<Gender>,
    pub(super) athletes: Vec<AthleteId>,
    pub(super) categories: Vec<CategoryId>,
    pub(super) sources: Vec<TransactionSource>,
    pub(super) statuses: Vec<TransactionStatus>,
    pub(super) flags: Vec<DealFlag>,
    pub(super) least: Option<Cents>,
    pub(super) most: Option<Cents>,
}

impl Wanted {
    /// What the caller's filter means. 422 for a period that ends before it begins, or that is given
    /// twice.
    pub(super) async fn of(
        cx: &Cx<PortalUser>,
        session: &mut Session,
        filter: Filter,
    ) -> Result<Self> {
        let zone = store::zone(session, cx.caller.college_id).await?;
        let now = cx.now();
        let (from, to) = match filter.preset {
            Some(_) if filter.from.or(filter.to).is_some() => {
                return Err(Error::invalid("preset", "cannot stand beside `from` or `to`"));
            }
            Some(preset) => preset.days(now.with_timezone(&zone).date_naive()),
            None => (filter.from, filter.to),
        };
        if from.zip(to).is_some_and(|(from, to)| to < from) {
            return Err(Error::invalid("to", "must not be before `from`"));
        }
        Ok(Self {
            college: cx.caller.college_id,
            limited_to: cx.caller.sports.clone(),
            zone,
            now,
            from,
            to,
            sports: some(filter.sport_ids),
            genders: some(filter.genders),
            athletes: some(filter.athlete_ids),
            categories: some(filter.category_ids),
            sources: some(filter.sources),
            statuses: some(filter.statuses),
            flags: some(filter.flags),
            least: filter.min_cents,
            most: filter.max_cents,
        })
    }

    /// The first instant that counts.
    pub(super) fn since(&self) -> Option<Time> {
        self.from.map(|day| start_of_day(day, self.zone))
    }

    /// The first instant that counts no longer.
    pub(super) fn until(&self) -> Option<Time> {
        self.to.map(|day| period::after(day, self.zone))
    }

    /// The day it is at the institution.
    pub(super) fn today(&self) -> Date {
        self.day(self.now)
    }

    /// The day an instant falls on at the institution.
    pub(super) fn day(&self, at: Time) -> Date {
        at.with_timezone(&self.zone).date_naive()
    }

    /// The same for another period.
    pub(super) fn within(&self, (from, to): (Date, Date)) -> Self {
        Self { from: Some(from), to: Some(to), ..self.clone() }
    }

    /// Whether it asks for transactions of a certain kind, beside a time and certain athletes.
    pub(super) fn asks_for_kinds(&self) -> bool {
        !(self.categories.is_empty()
            && self.sources.is_empty()
            && self.statuses.is_empty()
            && self.flags.is_empty()
            && self.least.is_none()
            && self.most.is_none())
    }
}

fn some<T, const MIN: usize, const MAX: usize>(many: Option<Many<T, MIN, MAX>>) -> Vec<T> {
    many.map_or_else(Vec::new, Many::into_vec)
}
