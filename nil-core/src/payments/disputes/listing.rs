//! Operators list disputes and look at one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::booking;
use super::dispute::{Dispute, DisputeKind, DisputeShare, DisputeStatus, DisputedDeal};
use super::responding::OneDispute;
use crate::auth::Operator;
use crate::error::{Result, codes};
use crate::kernel::{AllOr, BasisPoints, Cents, Followed, Listing, PartnerId, PaymentId, Text};
use crate::operation::Cx;
use crate::payments::browsing::filter::PaymentSort;
use crate::payments::store::{dispute as store, dispute_list, disputed_deal, refund};
use crate::storage::Session;

/// Selects disputes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListDisputes {
    /// `all`, or a dispute's status.
    pub status: AllOr<DisputeStatus>,
    /// Only this kind.
    pub kind: Option<DisputeKind>,
    /// Only disputes of this brand's charges.
    pub partner_id: Option<PartnerId>,
    /// Only disputes of this payment's charge.
    pub payment_id: Option<PaymentId>,
    /// Part of the name of the brand or of the agency, of the processor's id, or of a payment's
    /// number; or the dispute's own number.
    pub q: Option<Text<0, 100>>,
    /// The order (default newest first).
    pub sort: Option<PaymentSort>,
}

/// A dispute with its division over payments.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct DisputeInFull {
    /// The dispute.
    #[serde(flatten)]
    pub dispute: Dispute,
    /// Its parts, one for each payment of the charge; none for a subscription.
    pub shares: Vec<DisputeShare>,
    /// What these payments were for, in the same order.
    pub deals: Vec<DisputedDeal>,
    /// What payees give back in all if it is lost; of a lost one, what they gave back.
    pub payees_bear_cents: Cents,
}

/// Lists disputes, early warnings among them, newest first (extension). 422 for an unknown status.
pub async fn list(cx: Cx<Operator>, input: Followed<ListDisputes>) -> Result<Listing<Dispute>> {
    let (input, place) = cx.place(input)?;
    let wanted = dispute_list::Wanted {
        status: input.status.one(),
        kind: input.kind,
        partner: input.partner_id,
        payment: input.payment_id,
        q: input.q.as_deref(),
        sort: input.sort.unwrap_or(PaymentSort::Newest),
    };
    let mut session = cx.read().await?;
    dispute_list::page(&mut session, &wanted, place).await
}

/// Shows a dispute, and how it is divided over the payments of its charge (extension). 404 for an
/// unknown one.
pub async fn view(cx: Cx<Operator>, input: OneDispute) -> Result<DisputeInFull> {
    let mut session = cx.read().await?;
    let dispute = store::find(&mut session, input.id).await?.ok_or(codes::NOT_FOUND)?;
    let shares = store::shares(&mut session, dispute.id).await?;
    let mut deals = disputed_deal::of(&mut session, dispute.id).await?;
    if dispute.status.is_open() && !store::all_terms(&mut session).await?.is_empty() {
        foresee(&mut session, &shares, &mut deals).await?;
    }
    let payees_bear_cents = deals.iter().map(|deal| deal.payees_bear_cents).sum();
    Ok(DisputeInFull { dispute, shares, deals, payees_bear_cents })
}

/// Works out what payees give back of each payment if its dispute is lost.
async fn foresee(
    session: &mut Session,
    shares: &[DisputeShare],
    deals: &mut [DisputedDeal],
) -> Result<()> {
    // The payments of a charge were paid at once.
    let Some(paid_at) = deals.iter().find_map(|deal| deal.paid_at) else { return Ok(()) };
    let rate = store::borne_at(session, paid_at).await?;
    if rate == BasisPoints::default() {
        return Ok(());
    }
    for (share, deal) in shares.iter().zip(deals) {
        let before = refund::so_far(session, deal.payment_id).await?;
        deal.payees_bear_cents = booking::borne(rate, share, deal.paid_cents - before.all.amount);
    }
    Ok(())
}
