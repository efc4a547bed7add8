//! Everybody looks at published rosters: in them only listed athletes in use, with public fields.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::managing::RosterSort;
use super::roster::{PublicRoster, RosterStatus};
use super::store::{self, Wanted};
use crate::accounts::directory::{self, PublicAthlete};
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::{CollegeId, Listing, Paged, RosterId, Slug, Text};
use crate::operation::Cx;
use crate::storage::Session;

/// Which rosters.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct BrowseRosters {
    /// Part of the title or of the name in addresses.
    pub q: Option<Text<0, 100>>,
    /// Only this college's.
    pub college_id: Option<CollegeId>,
}

/// Which roster: one of the two.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RosterDetail {
    /// Its id.
    pub roster_id: Option<RosterId>,
    /// Its name in addresses.
    pub slug: Option<Slug>,
}

/// Which roster.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NamedRoster {
    /// Its name in addresses.
    pub slug: Text<1, 120>,
}

/// A published roster with its athletes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ShownRoster {
    /// The roster.
    #[serde(flatten)]
    pub roster: PublicRoster,
    /// The athletes in their order; who is not listed or not in use is left out.
    pub athletes: Vec<PublicAthlete>,
}

/// Published rosters, newest first.
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

/// A published roster, by id or by name. 404 while it is kept back, 422 without either.
pub async fn detail(cx: Cx<Anyone>, input: RosterDetail) -> Result<ShownRoster> {
    let mut session = cx.read().await?;
    let id = match (input.roster_id, input.slug) {
        (Some(id), None) => Some(id),
        (None, Some(slug)) => store::by_slug(&mut session, &slug).await?,
        _ => {
            return Err(Error::invalid("roster_id", "or slug has to be given, one of them"));
        }
    };
    shown(&cx, &mut session, id).await
}

/// A published roster, at its address. 404 while it is kept back.
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
