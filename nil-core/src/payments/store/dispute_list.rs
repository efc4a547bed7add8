//! Disputes as operators list and search them.

use sea_query::{Cond, Expr, ExprTrait as _, JoinType, Query};

use super::dispute::select;
use crate::error::Result;
use crate::kernel::{FollowedPage, Listing, PartnerId, PaymentId, fold};
use crate::payments::browsing::filter::PaymentSort;
use crate::payments::disputes::dispute::{Dispute, DisputeKind, DisputeStatus};
use crate::storage::{Narrow as _, Session, contains, sorted};

/// What the words of a search are looked for in, beside the numbers of the payments.
const TEXTS: [(&str, &str); 3] =
    [("b", "company_name"), ("g", "agency_name"), ("d", "processor_dispute_id")];

/// Which disputes are listed.
pub struct Wanted<'a> {
    pub status: Option<DisputeStatus>,
    pub kind: Option<DisputeKind>,
    pub partner: Option<PartnerId>,
    pub payment: Option<PaymentId>,
    /// Part of the payer's name, of the processor's id or of a payment's number; or the dispute's
    /// own number.
    pub q: Option<&'a str>,
    pub sort: PaymentSort,
}

/// A page of disputes.
pub async fn page(
    session: &mut Session,
    wanted: &Wanted<'_>,
    place: FollowedPage,
) -> Result<Listing<Dispute>> {
    let mut query = select();
    query
        .only(("d", "status"), wanted.status)
        .only(("d", "kind"), wanted.kind)
        .only(("d", "partner_id"), wanted.partner)
        .cond_where(found(wanted.q));
    if let Some(payment) = wanted.payment {
        let charge = Query::select()
            .column("charge_id")
            .from("payment")
            .and_where(Expr::col("id").eq(payment.get()))
            .take();
        query.and_where(Expr::col(("d", "charge_id")).in_subquery(charge));
    }
    let keys = wanted.sort.keys(|name| Expr::col(("d", name)));
    session.follow(sorted(query, keys), place).await
}

/// Disputes that the words name.
fn found(words: Option<&str>) -> Cond {
    let Some(words) = words.filter(|words| !fold(words).trim().is_empty()) else {
        return Cond::all();
    };
    // From the dispute to its payments: there are few of both.
    let numbered = Query::select()
        .expr(Expr::cust("1"))
        .from_as("dispute_share", "s")
        .join_as(
            JoinType::InnerJoin,
            "payment",
            "p",
            Expr::col(("p", "id")).equals(("s", "payment_id")),
        )
        .and_where(Expr::col(("s", "dispute_id")).equals(("d", "id")))
        .cond_where(contains([Expr::col(("p", "number"))], Some(words)))
        .take();
    let found =
        Cond::any().add(contains(TEXTS.map(Expr::col), Some(words))).add(Expr::exists(numbered));
    match words.trim().trim_start_matches('#').parse::<i64>() {
        Ok(id) => found.add(Expr::col(("d", "id")).eq(id)),
        Err(_) => found,
    }
}
