//! Brands and agents read their invoices.

pub(super) mod invoice;
mod invoice_document;
pub(super) mod invoicing;

use schemars::JsonSchema;
use serde::Deserialize;

use self::invoice::Invoice;
use super::ledger::Owner;
use super::store::invoice as invoices;
use crate::auth::{Agent, Partner};
use crate::error::Result;
use crate::kernel::{Followed, InvoiceId, Listing, Nothing};
use crate::operation::{Cx, Download, typeset};

/// Selects an invoice.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct OneInvoice {
    /// The invoice.
    pub invoice_id: InvoiceId,
}

/// Lists the calling agent's invoices, newest first: subscriptions only. Commissions are paid to
/// agents, not billed, and appear in the wallet's entries.
pub async fn list_of_agent(cx: Cx<Agent>, input: Followed<Nothing>) -> Result<Listing<Invoice>> {
    let owner = Owner::Agent(cx.caller.id);
    list(&cx, owner, input).await
}

/// Lists the calling brand's invoices, newest first (extension).
pub async fn list_of_partner(
    cx: Cx<Partner>,
    input: Followed<Nothing>,
) -> Result<Listing<Invoice>> {
    let owner = Owner::Partner(cx.caller.id);
    list(&cx, owner, input).await
}

/// Downloads one of the calling agent's invoices as a PDF (extension).
pub async fn download_of_agent(cx: Cx<Agent>, input: OneInvoice) -> Result<Download> {
    let owner = Owner::Agent(cx.caller.id);
    download(&cx, owner, input.invoice_id).await
}

/// Downloads one of the calling brand's invoices as a PDF (extension).
pub async fn download_of_partner(cx: Cx<Partner>, input: OneInvoice) -> Result<Download> {
    let owner = Owner::Partner(cx.caller.id);
    download(&cx, owner, input.invoice_id).await
}

async fn list<C>(cx: &Cx<C>, owner: Owner, input: Followed<Nothing>) -> Result<Listing<Invoice>> {
    let (Nothing {}, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let page = invoices::page(&mut session, owner, place).await?;
    let url = &cx.platform().config().public_url;
    Ok(page.map(|invoice| invoice.at(url)))
}

async fn download<C>(cx: &Cx<C>, owner: Owner, id: InvoiceId) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let invoice = invoices::of_owner(&mut work, id, owner).await?;
    work.note(invoice.id, "downloaded");
    work.finish_read().await?;
    let name = format!("{}.pdf", invoice.number);
    let (platform, account) = (cx.platform(), &cx.facts().actor);
    let fonts = platform.fonts();
    typeset(platform, account, name, move || invoice_document::pdf(&fonts, &invoice)).await
}
