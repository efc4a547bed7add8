//! Operators refresh the figures of an athlete's accounts on social networks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::Social;
use crate::accounts::edit_note::note_edit;
use crate::accounts::store::parts::Parts;
use crate::accounts::store::{editing, steps};
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::AthleteId;
use crate::kernel::vocabulary::vocabulary;
use crate::operation::{Cx, Done};

/// The highest plausible number of followers.
const MOST_FOLLOWERS: i64 = 10_000_000_000;

/// Selects an athlete.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct RefreshSocials {
    /// The athlete.
    pub athlete_id: AthleteId,
}

vocabulary! {
    /// Where the figures of accounts on social networks come from.
    MetricsSource {
        /// The server has no source of figures: nothing was fetched, the figures are entered by
        /// hand.
        EnteredByHand = "entered_by_hand",
        /// The figures were fetched now.
        Fetched = "fetched",
    }
}

/// An athlete's accounts on social networks after a refresh.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Refreshed {
    /// Where the figures come from.
    pub source: MetricsSource,
    /// The accounts, most followers first. An account that the source does not know keeps its
    /// figures and its `refreshed_at`.
    pub socials: Vec<Social>,
}

/// Fetches the figures of an athlete's accounts on social networks. If the server has no source of
/// figures, nothing is fetched, and the answer says that they are entered by hand. 404 for an
/// unknown athlete, 503 `unavailable` if the source does not answer; then nothing changes.
pub async fn refresh(cx: Cx<Operator>, input: RefreshSocials) -> Result<Done<Refreshed>> {
    let id = input.athlete_id;
    let mut fetched = Vec::new();
    let source = cx.platform().social_metrics().filter(|source| source.has_figures());
    if let Some(source) = source {
        let mut session = cx.read().await?;
        let known = Parts::of(&mut session, &[id]).await?.socials(id)?;
        // Nobody holds a connection while waiting for the source.
        drop(session);
        for social in known {
            let found = source.figures(social.platform.as_str(), &social.handle).await;
            let found = found.map_err(|outage| {
                let why =
                    "The source of social media figures does not answer. Nothing was changed.";
                codes::UNAVAILABLE.saying(why).because(outage.0)
            })?;
            fetched.extend(found.map(|figures| (social, figures)));
        }
    }
    let mut work = cx.begin().await?;
    editing::lock_athlete(&mut work, id).await?;
    let before = Parts::of(&mut work, &[id]).await?.socials(id)?;
    for (social, mut figures) in fetched {
        figures.followers = figures.followers.clamp(0, MOST_FOLLOWERS);
        figures.engagement_rate = figures.engagement_rate.map(|rate| rate.clamp(0, 10_000));
        steps::set_figures(&mut work, id, &social, figures, cx.now()).await?;
    }
    let socials = Parts::of(&mut work, &[id]).await?.socials(id)?;
    let source =
        if source.is_some() { MetricsSource::Fetched } else { MetricsSource::EnteredByHand };
    let was = Refreshed { source, socials: before };
    let is = Refreshed { source, socials };
    if source == MetricsSource::Fetched {
        note_edit(&mut work, id, &was, &is);
    }
    work.done(is).await
}
