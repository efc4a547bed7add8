//! What the filters can be set to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::period::DatePreset;
use super::store;
use crate::accounts::Gender;
use crate::auth::{Anyone, PortalUser, Role};
use crate::error::Result;
use crate::kernel::{Date, SportId};
use crate::operation::Cx;

/// Nothing to choose.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct ListOptions {}

/// Something to choose.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Choice<T> {
    /// What is sent.
    pub value: T,
    /// What people call it.
    pub label: String,
}

/// A period to choose.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DateChoice {
    /// What is sent as `preset`.
    pub value: DatePreset,
    /// What people call it.
    pub label: String,
    /// Its first day, where the institution is, if it was chosen now; null where it has none.
    pub from: Option<Date>,
    /// Its last day.
    pub to: Option<Date>,
}

/// The periods that have a name.
pub async fn dates(cx: Cx<PortalUser>, _: ListOptions) -> Result<Vec<DateChoice>> {
    let mut session = cx.read().await?;
    let zone = store::zone(&mut session, cx.caller.college_id).await?;
    let today = cx.now().with_timezone(&zone).date_naive();
    let choices = DatePreset::ALL.iter().map(|preset| {
        let (from, to) = preset.days(today);
        DateChoice { value: *preset, label: preset.label().into(), from, to }
    });
    Ok(choices.collect())
}

/// The sports in use; to a caller who is limited to certain sports, those.
pub async fn sports(cx: Cx<PortalUser>, _: ListOptions) -> Result<Vec<Choice<SportId>>> {
    let mut session = cx.read().await?;
    let own = &cx.caller.sports;
    let sports = store::sports(&mut session).await?.into_iter();
    let shown = sports.filter(|sport| own.is_empty() || own.contains(&sport.id));
    let choices = shown.map(|sport| Choice { value: sport.id, label: sport.name });
    Ok(choices.collect())
}

/// The genders.
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

/// The roles of a portal user, each with what the ones before it may do.
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
