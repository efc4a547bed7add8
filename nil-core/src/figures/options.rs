//! The possible values of the filters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::period::DatePreset;
use super::store;
use crate::accounts::Gender;
use crate::auth::{Anyone, PortalUser, Role};
use crate::error::Result;
use crate::kernel::{CategoryId, Date, SportId, day_in};
use crate::operation::Cx;

/// An empty input.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ListOptions {}

/// A value for a filter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "{T}Choice")]
#[non_exhaustive]
pub struct Choice<T> {
    /// The value to send.
    pub value: T,
    /// The label for users.
    pub label: String,
}

/// A named period.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DateChoice {
    /// The value to send as `preset`.
    pub value: DatePreset,
    /// The label for users.
    pub label: String,
    /// The first day it covers today, in the institution's time zone; null if unlimited.
    pub from: Option<Date>,
    /// The last day; null if unlimited.
    pub to: Option<Date>,
}

/// Lists the named periods.
pub async fn dates(cx: Cx<PortalUser>, _: ListOptions) -> Result<Vec<DateChoice>> {
    let mut session = cx.read().await?;
    let zone = store::zone(&mut session, cx.caller.college_id).await?;
    let today = day_in(cx.now(), zone);
    let choices = DatePreset::ALL.iter().map(|preset| {
        let (from, to) = preset.days(today);
        DateChoice { value: *preset, label: preset.label().into(), from, to }
    });
    Ok(choices.collect())
}

/// Lists the active sports; callers limited to certain sports see only those.
pub async fn sports(cx: Cx<PortalUser>, _: ListOptions) -> Result<Vec<Choice<SportId>>> {
    let mut session = cx.read().await?;
    let own = &cx.caller.sports;
    let sports = store::sports(&mut session).await?.into_iter();
    let shown = sports.filter(|sport| own.is_empty() || own.contains(&sport.id));
    let choices = shown.map(|sport| Choice { value: sport.id, label: sport.name });
    Ok(choices.collect())
}

/// Lists the categories of jobs, also those that cannot be chosen any more: earlier deals have
/// them.
pub async fn categories(cx: Cx<PortalUser>, _: ListOptions) -> Result<Vec<Choice<CategoryId>>> {
    let mut session = cx.read().await?;
    let categories = store::categories(&mut session).await?.into_iter();
    let choices = categories.map(|one| Choice { value: one.id, label: one.name });
    Ok(choices.collect())
}

/// Lists the genders.
pub async fn genders(_: Cx<PortalUser>, _: ListOptions) -> Result<Vec<Choice<Gender>>> {
    let choices = Gender::ALL.iter().map(|gender| Choice {
        value: *gender,
        label: match gender {
            Gender::Female => "Female",
            Gender::Male => "Male",
            Gender::NonBinary => "Non-binary",
        }
        .into(),
    });
    Ok(choices.collect())
}

/// Lists the roles of portal users; each includes the rights of the ones before it.
pub async fn roles(_: Cx<Anyone>, _: ListOptions) -> Result<Vec<Choice<Role>>> {
    let choices = Role::ALL.iter().map(|role| Choice {
        value: *role,
        label: match role {
            Role::Viewer => "Viewer",
            Role::Finance => "Finance",
            Role::Officer => "Compliance officer",
            Role::Owner => "Owner",
        }
        .into(),
    });
    Ok(choices.collect())
}
