//! Brands and agents save cards; the default card is charged.

pub(super) mod forgetting;
pub(super) mod method;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ledger::Owner;
use super::movement::mark::holder;
use super::{PaymentMethod, store};
use crate::auth::{Agent, Partner};
use crate::error::{Error, Result, codes};
use crate::kernel::{Listing, Nothing, Paged, PartnerId, PaymentMethodId, Text, WebUrl};
use crate::operation::{Cx, Done, Work};
use crate::ports::processor::Outage;
use crate::storage::{Session, first_of};

/// A card to save.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AddMethod {
    /// The token that the processor's own form returned to the browser for the card, or that of a
    /// page where the caller has entered it; never a card number. The sandbox accepts `tok_`
    /// followed by the number of a test card, such as `tok_4242424242424242`.
    #[schemars(extend("examples" = ["tok_4242424242424242"]))]
    pub processor_token: Text<1, 255>,
}

/// A card to enter on a page of the processor.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct BeginMethod {
    /// The page to return to from there.
    pub return_url: WebUrl,
}

/// A page of the processor where a card is entered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct BegunMethod {
    /// The token that saves the card once it was entered, for the same caller alone.
    pub processor_token: String,
    /// The page's absolute address. It is for the caller alone, and opens for a day at most.
    pub url: String,
}

/// Selects a saved card.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct OneMethod {
    /// The card.
    pub payment_method_id: PaymentMethodId,
}

/// A caller who can save cards.
trait KeepsCards: Clone {
    /// The owner of the cards.
    fn owner(&self) -> Owner;
}

impl KeepsCards for Partner {
    fn owner(&self) -> Owner {
        Owner::Partner(self.id)
    }
}

impl KeepsCards for Agent {
    fn owner(&self) -> Owner {
        Owner::Agent(self.id)
    }
}

/// Lists an agent's saved cards, oldest first.
pub async fn list_of_agent(cx: Cx<Agent>, input: Paged<Nothing>) -> Result<Listing<PaymentMethod>> {
    list(cx, input).await
}

/// Whether a brand has a card that can be charged.
pub(crate) async fn can_pay(session: &mut Session, partner: PartnerId) -> Result<bool> {
    let owner = Owner::Partner(partner).to_string();
    let card = store::method::default_card(session, &owner).await?;
    Ok(card.is_some())
}

/// Lists a brand's saved cards, oldest first (extension).
pub async fn list_of_partner(
    cx: Cx<Partner>,
    input: Paged<Nothing>,
) -> Result<Listing<PaymentMethod>> {
    list(cx, input).await
}

/// Opens a page of the processor where an agent enters a card, and confirms it if its bank wants
/// that (extension). After the return from there, the token saves the card. 503 if the processor
/// does not answer.
pub async fn begin_for_agent(cx: Cx<Agent>, input: BeginMethod) -> Result<Done<BegunMethod>> {
    begin(cx, &input).await
}

/// Opens a page where a brand enters a card, as for an agent (extension).
pub async fn begin_for_partner(cx: Cx<Partner>, input: BeginMethod) -> Result<Done<BegunMethod>> {
    begin(cx, &input).await
}

/// Saves a card for an agent; the first one becomes the default. Saving the same card again returns
/// the existing one. 422 for a token the processor does not know, or whose page was left without a
/// card.
pub async fn add_for_agent(cx: Cx<Agent>, input: AddMethod) -> Result<Done<PaymentMethod>> {
    add(cx, &input).await
}

/// Saves a card for a brand, as for an agent (extension).
pub async fn add_for_partner(cx: Cx<Partner>, input: AddMethod) -> Result<Done<PaymentMethod>> {
    add(cx, &input).await
}

/// Makes one of an agent's cards the default card.
pub async fn set_default_of_agent(cx: Cx<Agent>, input: OneMethod) -> Result<Done<PaymentMethod>> {
    set_default(cx, input).await
}

/// Makes one of a brand's cards the default card (extension).
pub async fn set_default_of_partner(
    cx: Cx<Partner>,
    input: OneMethod,
) -> Result<Done<PaymentMethod>> {
    set_default(cx, input).await
}

/// Removes one of an agent's cards; the oldest remaining card becomes the default (extension).
pub async fn remove_of_agent(cx: Cx<Agent>, input: OneMethod) -> Result<Done<PaymentMethod>> {
    remove(cx, input).await
}

/// Removes one of a brand's cards; the oldest remaining card becomes the default (extension).
pub async fn remove_of_partner(cx: Cx<Partner>, input: OneMethod) -> Result<Done<PaymentMethod>> {
    remove(cx, input).await
}

async fn list<C: KeepsCards>(cx: Cx<C>, input: Paged<Nothing>) -> Result<Listing<PaymentMethod>> {
    let (Nothing {}, paging) = input.parts();
    let owner = cx.caller.owner().to_string();
    let mut session = cx.read().await?;
    store::method::page(&mut session, &owner, paging).await
}

async fn begin<C: KeepsCards>(cx: Cx<C>, input: &BeginMethod) -> Result<Done<BegunMethod>> {
    let holder = holder(cx.platform(), cx.caller.owner()).await?;
    let form = cx
        .platform()
        .processor()
        .begin_card(&holder, &input.return_url)
        .await
        .map_err(unavailable)?;
    let work = cx.begin().await?;
    work.done(BegunMethod { processor_token: form.token, url: form.url }).await
}

async fn add<C: KeepsCards>(cx: Cx<C>, input: &AddMethod) -> Result<Done<PaymentMethod>> {
    let holder = holder(cx.platform(), cx.caller.owner()).await?;
    let card = cx
        .platform()
        .processor()
        .save_card(&holder, &input.processor_token)
        .await
        .map_err(unavailable)?
        .ok_or_else(|| Error::invalid("processor_token", "is not known to the processor"))?;
    let now = cx.now();
    let (mut work, owner, kept) = kept(&cx).await?;
    if let Some(same) = kept.iter().find(|kept| kept.is_copy_of(&card)) {
        if same.processor_ref != card.reference {
            store::method::copy(&mut work, &owner, &card, now).await?;
        }
        return work.done(same.clone()).await;
    }
    let method = store::method::add(&mut work, &owner, &card, kept.is_empty(), now).await?;
    work.note(method.id, "saved");
    work.done(method).await
}

async fn set_default<C: KeepsCards>(cx: Cx<C>, input: OneMethod) -> Result<Done<PaymentMethod>> {
    let (mut work, owner, method, _) = own(&cx, input).await?;
    if method.is_default {
        return work.done(method).await;
    }
    store::method::clear_default(&mut work, &owner, cx.now()).await?;
    let method = store::method::set_default(&mut work, method.id, cx.now()).await?;
    work.note(method.id, "made_default");
    work.done(method).await
}

async fn remove<C: KeepsCards>(cx: Cx<C>, input: OneMethod) -> Result<Done<PaymentMethod>> {
    let (mut work, _, method, others) = own(&cx, input).await?;
    let removed = store::method::remove(&mut work, method.id, cx.now()).await?;
    if let (true, Some(next)) = (method.is_default, others.first()) {
        store::method::set_default(&mut work, next.id, cx.now()).await?;
    }
    work.note(removed.id, "removed");
    work.done(removed).await
}

/// The caller and their cards, oldest first; all rows locked.
async fn kept<C: KeepsCards>(cx: &Cx<C>) -> Result<(Work, String, Vec<PaymentMethod>)> {
    let owner = cx.caller.owner();
    let mut work = cx.begin().await?;
    store::method::lock_owner(&mut work, owner).await?;
    let owner = owner.to_string();
    let kept = store::method::locked(&mut work, &owner).await?;
    Ok((work, owner, kept))
}

/// One of the caller's cards, and the others; all rows locked.
async fn own<C: KeepsCards>(
    cx: &Cx<C>,
    input: OneMethod,
) -> Result<(Work, String, PaymentMethod, Vec<PaymentMethod>)> {
    let (work, owner, all) = kept(cx).await?;
    let (chosen, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|method| method.id == input.payment_method_id);
    let method = first_of(chosen)?;
    Ok((work, owner, method, others))
}

/// 503 because the processor did not answer; no money was to move.
pub(super) fn unavailable(outage: Outage) -> Error {
    codes::PROCESSOR_UNAVAILABLE
        .saying("The payment processor is not responding. Please try again shortly.")
        .because(outage.why)
}
