//! The public pages of published rosters: only listed active athletes, with public fields.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::roster::{PublicRoster, RosterSort, RosterStatus};
use super::store::{self, Wanted};
use crate::accounts::profiles::directory::{self, PublicAthlete};
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::{CollegeId, Listing, Paged, RosterId, Slug, Text};
use crate::operation::Cx;
use crate::storage::Session;

/// Filters for rosters.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct BrowseRosters {
    /// Part of the title or of the URL name.
    pub q: Option<Text<0, 100>>,
    /// Only this college's rosters.
    pub college_id: Option<CollegeId>,
}

/// Selects a roster by one of the two.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RosterDetail {
    /// The roster's id.
    pub roster_id: Option<RosterId>,
    /// The roster's URL name.
    #[schemars(extend("examples" = [null]))]
    pub slug: Option<Slug>,
}

/// Selects a roster.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NamedRoster {
    /// The roster's URL name.
    pub slug: Text<1, 120>,
}

/// A published roster with its athletes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ShownRoster {
    /// The roster.
    #[serde(flatten)]
    pub roster: PublicRoster,
    /// The athletes in their order; unlisted and inactive ones are left out.
    pub athletes: Vec<PublicAthlete>,
}

/// Lists published rosters, newest first.
pub async fn list(cx: Cx<Anyone>, input: Paged<BrowseRosters>) -> Result<Listing<PublicRoster>> {
    let (input, paging) = input.parts();
    let wanted = Wanted {
        id: None,
        status: Some(RosterStatus::Published),
        college: input.college_id,
        q: input.q.as_deref(),
    };
    let mut session = cx.read().await?;
    let page = store::page(&mut session, &wanted, RosterSort::Newest, paging).await?;
    page.try_map(|row| row.for_everybody(cx.platform()).ok_or_else(|| Error::internal("a draft")))
}

/// Returns a published roster by id or URL name. 404 if it is not published, 422 without either.
pub async fn detail(cx: Cx<Anyone>, input: RosterDetail) -> Result<ShownRoster> {
    let mut session = cx.read().await?;
    let id = match (input.roster_id, input.slug) {
        (Some(id), None) => Some(id),
        (None, Some(slug)) => store::by_slug(&mut session, &slug).await?,
        _ => {
            return Err(Error::invalid("roster_id", "or slug is required"));
        }
    };
    shown(&cx, &mut session, id).await
}

/// Returns a published roster by its URL name. 404 if it is not published.
pub async fn named(cx: Cx<Anyone>, input: NamedRoster) -> Result<ShownRoster> {
    let mut session = cx.read().await?;
    let id = store::by_slug(&mut session, &input.slug).await?;
    shown(&cx, &mut session, id).await
}

async fn shown(
    cx: &Cx<Anyone>,
    session: &mut Session,
    id: Option<RosterId>,
) -> Result<ShownRoster> {
    let id = id.ok_or(codes::NOT_FOUND)?;
    let roster =
        store::one(session, id).await?.for_everybody(cx.platform()).ok_or(codes::NOT_FOUND)?;
    let places = store::places(session, id).await?;
    let ids: Vec<_> = places.into_iter().map(|(athlete, _)| athlete).collect();
    let athletes = directory::listed_athletes(session, &ids, cx.now()).await?;
    Ok(ShownRoster { roster, athletes })
}
