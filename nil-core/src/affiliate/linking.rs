//! Athletes make links and see what they bring; brands and agents see those of their contracts and
//! athletes.

use schemars::JsonSchema;
use serde::Deserialize;

use super::link::AffiliateLink;
use super::store::{self, Draft};
use super::target;
use crate::auth::{Athlete, Party};
use crate::contracts::commission;
use crate::error::{Error, Result, codes};
use crate::kernel::{
    AffiliateLinkId, Edit, JobId, Listing, Paged, PartnerId, Random, Text, WebUrl,
};
use crate::operation::{Cx, Done, Work};

/// How many links a contract can have.
const MOST_LINKS: i64 = 50;
/// What codes are made of: nothing that is read as something else. A power of two, so that each letter
/// is as likely as the others.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
const CODE_LENGTH: usize = 10;

/// A link to make or to change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveLink {
    /// The link to change; a new one where it is left out.
    pub id: Option<AffiliateLinkId>,
    /// The job the athlete is hired for; required for a new link. A link stays with its contract.
    pub job_id: Option<JobId>,
    /// Where it leads: an `https` page of the brand's website, as the brand's profile names it.
    /// Required for a new link.
    pub target_url: Option<WebUrl>,
    /// What the athlete calls it.
    #[serde(default)]
    pub label: Edit<Text<1, 100>>,
    /// Whether it leads anywhere (default true).
    pub active: Option<bool>,
}

/// Which links.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListLinks {
    /// Of the contract for this job only.
    pub job_id: Option<JobId>,
}

/// Makes or changes a link of the caller's. 404 for a link or a contract that is not the athlete's, 409
/// `not_on_commission` where the contract pays no commission, `contract_not_active` before the athlete
/// has confirmed it, `commission_ended` after its end, `link_limit`; 422 for a target outside the
/// brand's website.
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
    let own = own.ok_or(codes::NOT_FOUND)?;
    if input.job_id.is_some_and(|job| job != own.job_id) {
        return Err(Error::invalid("job_id", "a link stays with its contract"));
    }
    let target_url = match &input.target_url {
        Some(target) => Some(on_website(work, own.partner_id, target).await?),
        None => None,
    };
    store::change(work, id, target_url, input.label, input.active, cx.now()).await?;
    work.note(id, "changed");
    Ok(id)
}

/// The target, if it lies on the brand's website.
async fn on_website(work: &mut Work, partner: PartnerId, wanted: &str) -> Result<String> {
    let website = store::website(work, partner).await?;
    let website = website.ok_or_else(|| {
        Error::invalid("target_url", "the brand has not named its website in its profile yet")
    })?;
    target::checked(wanted, &website).map_err(|why| Error::invalid("target_url", why))
}

fn new_code(random: &dyn Random) -> String {
    let mut bytes = [0; CODE_LENGTH];
    random.fill(&mut bytes);
    let letter = |byte: &u8| LETTERS.get(usize::from(byte % 32)).copied();
    bytes.iter().filter_map(letter).map(char::from).collect()
}

/// The athlete's links; the brand's, of all its contracts; an agent's, of the athletes represented now.
/// Newest first, with what they brought.
pub async fn list(cx: Cx<Party>, input: Paged<ListLinks>) -> Result<Listing<AffiliateLink>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    let page = store::page(&mut session, &cx.caller, input.job_id, paging).await?;
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
