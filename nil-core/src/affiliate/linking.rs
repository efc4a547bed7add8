//! Athletes create links and see their results; brands and agents see those of their contracts and
//! athletes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::link::AffiliateLink;
use super::store::{self, Draft};
use super::target;
use crate::auth::{Athlete, Party};
use crate::contracts::commission;
use crate::error::{Error, Result, codes};
use crate::kernel::{
    AffiliateLinkId, Edit, Followed, JobId, Listing, PartnerId, Random, Text, WebUrl,
};
use crate::operation::{Cx, Done, Work};

/// The maximum number of links per contract.
const MOST_LINKS: i64 = 50;
/// The alphabet of codes: no easily confused characters. Its size is a power of two, so that every
/// letter is equally likely.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const CODE_LENGTH: usize = 10;

/// A link to create (without `id`) or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveLink {
    /// The link to change; omit it to create one.
    pub id: Option<AffiliateLinkId>,
    /// The job the athlete is hired for; required for a new link. The contract of a link cannot be
    /// changed.
    pub job_id: Option<JobId>,
    /// The destination: an `https` page of the website in the brand's profile. Required for a new
    /// link.
    pub target_url: Option<WebUrl>,
    /// The athlete's name for it.
    #[serde(default)]
    pub label: Edit<Text<1, 100>>,
    /// Whether it redirects (default true).
    pub active: Option<bool>,
}

/// Filters for links.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListLinks {
    /// Only links of the contract for this job.
    pub job_id: Option<JobId>,
}

/// Creates or changes a link of the caller. 404 for a link or a contract that is not the athlete's,
/// 409 `not_on_commission` if the contract pays no commission, `contract_not_active` before the
/// athlete has confirmed it, `commission_ended` after its end, `link_limit`; 422 for a target
/// outside the brand's website.
pub async fn save(cx: Cx<Athlete>, input: SaveLink) -> Result<Done<AffiliateLink>> {
    let mut work = cx.begin().await?;
    let id = match input.id {
        Some(id) => change(&mut work, &cx, id, input).await?,
        None => add(&mut work, &cx, input).await?,
    };
    let link = store::find(&mut work, id).await?;
    work.done(link.reached_at(&cx.platform().config().public_url)).await
}

async fn add(work: &mut Work, cx: &Cx<Athlete>, input: SaveLink) -> Result<AffiliateLinkId> {
    let required = |field| Error::invalid(field, "is required for a new link");
    let job = input.job_id.ok_or_else(|| required("job_id"))?;
    let target = input.target_url.ok_or_else(|| required("target_url"))?;
    let contract = commission::of_deal(work, job, cx.caller.id).await?;
    contract.check_open(work).await?;
    let target_url = on_website(work, contract.partner_id, &target).await?;
    if store::count(work, contract.id).await? >= MOST_LINKS {
        return Err(codes::LINK_LIMIT.into());
    }
    let draft = Draft {
        code: new_code(cx.platform().random()),
        contract_id: contract.id,
        target_url,
        label: input.label.value().map(|label| label.to_string()),
        active: input.active.unwrap_or(true),
        rate: contract.rate,
        most: contract.most,
        royalty: false,
    };
    let id = store::add(work, draft, cx.now()).await?;
    work.note(id, "created");
    Ok(id)
}

async fn change(
    work: &mut Work,
    cx: &Cx<Athlete>,
    id: AffiliateLinkId,
    input: SaveLink,
) -> Result<AffiliateLinkId> {
    let own = store::of_athlete(work, id, cx.caller.id).await?;
    if input.job_id.is_some_and(|job| job != own.job_id) {
        return Err(Error::invalid("job_id", "the contract of a link cannot be changed"));
    }
    let target_url = match &input.target_url {
        Some(target) => Some(on_website(work, own.partner_id, target).await?),
        None => None,
    };
    store::change(work, id, target_url, input.label, input.active, cx.now()).await?;
    work.note(id, "changed");
    Ok(id)
}

/// The target, if it is on the brand's website.
async fn on_website(work: &mut Work, partner: PartnerId, wanted: &str) -> Result<String> {
    let website = store::website(work, partner).await?;
    let website = website.ok_or_else(|| {
        Error::invalid("target_url", "the brand has not named its website in its profile yet")
    })?;
    target::checked(wanted, &website).map_err(|why| Error::invalid("target_url", why))
}

pub(super) fn new_code(random: &dyn Random) -> String {
    let mut bytes = [0; CODE_LENGTH];
    random.fill(&mut bytes);
    let letter = |byte: &u8| LETTERS.get(usize::from(byte % 32)).copied();
    bytes.iter().filter_map(letter).map(char::from).collect()
}

/// Lists links with their results, newest first: the athlete's own; those of the brand's contracts;
/// those of the athletes an agent currently represents.
pub async fn list(cx: Cx<Party>, input: Followed<ListLinks>) -> Result<Listing<AffiliateLink>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let page = store::page(&mut session, &cx.caller, input.job_id, place).await?;
    let public_url = &cx.platform().config().public_url;
    Ok(page.map(|link| link.reached_at(public_url)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SeededRandom;

    #[test]
    fn codes_are_ten_plain_letters_and_differ() {
        let random = SeededRandom::new(7);
        let (one, other) = (new_code(&random), new_code(&random));
        assert_eq!(one.len(), CODE_LENGTH);
        assert_ne!(one, other);
        assert!(one.bytes().all(|letter| LETTERS.contains(&letter)));
    }
}
