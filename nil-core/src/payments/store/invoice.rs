//! The rows of invoices, and the unbilled fees.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};

use super::CHUNK;
use crate::accounts::UserStatus;
use crate::error::{Result, codes};
use crate::kernel::{Cents, FollowedPage, InvoiceId, Listing, Moved, PartnerId, Time, UserId};
use crate::payments::invoices::invoice::{Invoice, InvoiceKind, InvoiceLine, InvoiceStatus};
use crate::payments::ledger::Owner;
use crate::storage::{
    Among as _, FromRow, Key, Selected as _, Series, Session, Stored, advance, first_of, insert,
    sorted, sql,
};

/// Whether all fees of a month have been billed.
pub async fn is_done(session: &mut Session, period: &str) -> Result<bool> {
    session.exists(sql("SELECT period FROM invoiced_period WHERE period = $1").bind(period)).await
}

/// Records that all fees of a month have been billed.
pub async fn note_done(session: &mut Session, period: &str, now: Time) -> Result<()> {
    let row = insert("invoiced_period")
        .set("period", period)
        .set("done_at", now)
        .unless_exists(&["period"]);
    session.run(row).await.map(|_| ())
}

/// The brands with unbilled fees or fee refunds before this instant.
pub async fn unbilled_partners(session: &mut Session, until: Time) -> Result<Vec<PartnerId>> {
    let rows: Vec<(PartnerId,)> = session
        .all(
            sql("SELECT p.partner_id FROM payment p WHERE p.fee_cents > 0 AND p.paid_at < $1 \
                 AND p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                 AND NOT EXISTS (SELECT 1 FROM invoice_line l \
                  WHERE l.payment_id = p.id AND l.refund_id IS NULL) \
                 UNION SELECT p.partner_id FROM refund r JOIN payment p ON p.id = r.payment_id \
                 WHERE r.fee_cents > 0 AND r.updated_at < $1 AND r.status = 'succeeded' \
                 AND NOT EXISTS (SELECT 1 FROM invoice_line l WHERE l.refund_id = r.id) \
                 UNION SELECT p.partner_id FROM refund r JOIN payment p ON p.id = r.payment_id \
                 JOIN invoice_line g ON g.refund_id = r.id AND g.amount_cents < 0 \
                 WHERE r.status = 'failed' AND r.updated_at < $1 AND NOT EXISTS \
                     (SELECT 1 FROM invoice_line l WHERE l.refund_id = r.id AND l.amount_cents > 0) \
                 ORDER BY 1")
            .bind(until),
        )
        .await?;
    Ok(rows.into_iter().map(|(partner,)| partner).collect())
}

/// Locks a brand's row, so that calls bill it and change its cards one at a time.
pub async fn lock_partner(session: &mut Session, partner: PartnerId) -> Result<()> {
    session.lock("partner", partner).await
}

/// A brand's unbilled fees and fee refunds before this instant; oldest first.
pub async fn unbilled(
    session: &mut Session,
    partner: PartnerId,
    until: Time,
) -> Result<Vec<InvoiceLine>> {
    session
        .all(
            sql("SELECT 'Platform fee on payment ' || p.number || ': ' || j.title || ', ' \
                 || a.display_name AS description, p.paid_at AS at, p.id AS payment_id, \
                 CAST(NULL AS BIGINT) AS refund_id, p.fee_cents AS amount_cents \
                 FROM payment p JOIN contract c ON c.id = p.contract_id \
                 JOIN job j ON j.id = c.job_id JOIN athlete a ON a.id = p.athlete_id \
                 WHERE p.partner_id = $1 AND p.fee_cents > 0 AND p.paid_at < $2 \
                 AND p.status IN ('succeeded', 'partially_refunded', 'refunded') \
                 AND NOT EXISTS (SELECT 1 FROM invoice_line l \
                  WHERE l.payment_id = p.id AND l.refund_id IS NULL) \
                 UNION ALL SELECT 'Platform fee given back on payment ' || p.number, \
                 r.updated_at, p.id, r.id, -r.fee_cents \
                 FROM refund r JOIN payment p ON p.id = r.payment_id \
                 WHERE p.partner_id = $1 AND r.fee_cents > 0 AND r.updated_at < $2 \
                 AND r.status = 'succeeded' \
                 AND NOT EXISTS (SELECT 1 FROM invoice_line l WHERE l.refund_id = r.id) \
                 UNION ALL SELECT 'Platform fee on payment ' || p.number || ': its refund failed', \
                 r.updated_at, p.id, r.id, r.fee_cents \
                 FROM refund r JOIN payment p ON p.id = r.payment_id \
                 JOIN invoice_line g ON g.refund_id = r.id AND g.amount_cents < 0 \
                 WHERE p.partner_id = $1 AND r.status = 'failed' AND r.updated_at < $2 \
                 AND NOT EXISTS (SELECT 1 FROM invoice_line l \
                  WHERE l.refund_id = r.id AND l.amount_cents > 0) \
                 ORDER BY 2, 3, 5 DESC, 4")
            .bind(partner)
            .bind(until),
        )
        .await
}

/// The numbers of invoices.
pub const NUMBERS: Series = Series { name: "invoice", prefix: "INV" };

/// A customer's current data.
#[derive(Clone, Debug, FromRow)]
pub struct Customer {
    pub user_id: UserId,
    pub name: String,
    pub contact: String,
    /// The status of the account.
    pub status: UserStatus,
}

/// The customer behind an owner; athletes are never billed.
pub async fn customer(session: &mut Session, owner: Owner) -> Result<Customer> {
    let (text, id) = match owner {
        Owner::Partner(id) => (
            "SELECT p.user_id, p.company_name AS name, \
             COALESCE(p.hq_city || ', ' || p.hq_state, p.hq_city, p.hq_state, '') AS contact, \
             u.status FROM partner p JOIN app_user u ON u.id = p.user_id WHERE p.id = $1",
            id.get(),
        ),
        Owner::Agent(id) => (
            "SELECT a.user_id, a.agency_name AS name, COALESCE(u.email, '') AS contact, u.status \
             FROM agent a JOIN app_user u ON u.id = a.user_id WHERE a.id = $1",
            id.get(),
        ),
        Owner::Athlete(_) => return Err(codes::NOT_FOUND.into()),
    };
    session.one(sql(text).bind(id)).await
}

/// An invoice to insert.
#[derive(Debug, Stored)]
pub struct NewInvoice {
    pub number: String,
    #[row(skip)]
    pub owner: Owner,
    pub kind: InvoiceKind,
    pub period: String,
    /// The transition from `open` to apply at once; none if payment is due.
    #[row(skip)]
    pub moved: Option<Moved<InvoiceStatus>>,
    pub issuer_name: String,
    pub issuer_contact: String,
    pub customer_name: String,
    pub customer_contact: String,
    #[row(skip)]
    pub lines: Vec<InvoiceLine>,
}

/// Writes an invoice with its lines.
pub async fn add(session: &mut Session, new: NewInvoice, now: Time) -> Result<Invoice> {
    let status = new.moved.map_or(InvoiceStatus::Open, |moved| moved.to());
    let total: Cents = new.lines.iter().map(|line| line.amount_cents).sum();
    let mut invoice: Invoice = session
        .one(
            insert("invoice")
                .with(new.columns())
                .set("owner", new.owner.to_string())
                .set("status", status)
                .set("total_cents", total)
                .set("currency", "usd")
                .set("issued_at", now)
                .set("paid_at", (status == InvoiceStatus::Paid).then_some(now))
                .set("created_at", now)
                .set("updated_at", now)
                .returning(Invoice::COLUMNS),
        )
        .await?;
    let numbered: Vec<(i64, &InvoiceLine)> = (1..).zip(&new.lines).collect();
    for chunk in numbered.chunks(CHUNK) {
        let mut rows = insert("invoice_line");
        for (position, line) in chunk {
            rows = rows
                .set("invoice_id", invoice.id)
                .set("position", *position)
                .set("description", line.description.clone())
                .set("at", line.at)
                .set("payment_id", line.payment_id)
                .set("refund_id", line.refund_id)
                .set("amount_cents", line.amount_cents)
                .row();
        }
        session.run(rows).await?;
    }
    invoice.lines = new.lines;
    Ok(invoice)
}

/// Changes an invoice's status; 409 if it changed in the meantime.
pub async fn change(
    session: &mut Session,
    id: InvoiceId,
    moved: Moved<InvoiceStatus>,
    now: Time,
) -> Result<()> {
    let paid_at = (moved.to() == InvoiceStatus::Paid).then_some(now);
    session.change(advance("invoice", id, moved, now).set("paid_at", paid_at)).await
}

/// Whether there is an invoice with this id, and it is a subscription's.
pub async fn is_of_subscription(session: &mut Session, id: InvoiceId) -> Result<bool> {
    let invoice = sql("SELECT id FROM invoice WHERE id = $1 AND kind = $2");
    session.exists(invoice.bind(id).bind(InvoiceKind::Subscription)).await
}

/// An invoice's number.
pub async fn number(session: &mut Session, id: InvoiceId) -> Result<String> {
    session.value(sql("SELECT number FROM invoice WHERE id = $1").bind(id)).await
}

fn of(owner: Owner) -> SelectStatement {
    Query::select()
        .columns(Invoice::COLUMNS.iter().copied())
        .from("invoice")
        .and_where(Expr::col("owner").eq(owner.to_string()))
        .take()
}

/// A page of an owner's invoices, newest first.
pub async fn page(
    session: &mut Session,
    owner: Owner,
    place: FollowedPage,
) -> Result<Listing<Invoice>> {
    let rows = sorted(of(owner), [Key::down(Expr::col("id"))]);
    let (found, place) = session.follow(rows, place).await?.split();
    Ok(place.of(with_lines(session, found).await?))
}

/// One of an owner's invoices; other owners' invoices are not found.
pub async fn of_owner(session: &mut Session, id: InvoiceId, owner: Owner) -> Result<Invoice> {
    let row = of(owner).and_where(Expr::col("id").eq(id.get())).take();
    let invoice: Invoice = session.one(row).await?;
    first_of(with_lines(session, vec![invoice]).await?)
}

async fn with_lines(session: &mut Session, mut invoices: Vec<Invoice>) -> Result<Vec<Invoice>> {
    #[derive(FromRow)]
    struct Row {
        invoice_id: InvoiceId,
        #[row(flatten)]
        line: InvoiceLine,
    }
    if invoices.is_empty() {
        return Ok(invoices);
    }
    let mut query = Query::select();
    query
        .expr(Expr::cust("invoice_id, description, at, payment_id, refund_id, amount_cents"))
        .from("invoice_line")
        .and_where(Expr::col("invoice_id").among(invoices.iter().map(|i| i.id.get())))
        .order_by("invoice_id", Order::Asc)
        .order_by("position", Order::Asc);
    let rows: Vec<Row> = session.all(query).await?;
    for row in rows {
        let invoice = invoices.iter_mut().find(|i| i.id == row.invoice_id);
        if let Some(invoice) = invoice {
            invoice.lines.push(row.line);
        }
    }
    Ok(invoices)
}
