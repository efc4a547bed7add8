//! Users ask for a takeout, the worker writes it, and they fetch it.

use serde::Serialize;
use serde_json::Value;

use super::area::{Area, Taker};
use super::{areas as own, deal_areas as deals, page, record_areas as records, store};
use crate::accounts::UserKind;
use crate::auth::{Athlete, User};
use crate::backoffice::site::letterhead;
use crate::content::archiving;
use crate::content::reading::send_object;
use crate::contracts::downloading;
use crate::error::{Error, Result, codes};
use crate::export::{Archive, dated};
use crate::kernel::{Nothing, Time, UserId};
use crate::operation::{Cx, Done, Download, Pieces};
use crate::platform::Platform;
use crate::reports::{Takeout, TakeoutFile, takeouts};

/// The number of rows read at once.
const AT_ONCE: i64 = 500;

/// The manifest's header, besides the list of files.
#[derive(Serialize)]
struct About {
    user_id: UserId,
    kind: UserKind,
    made_at: Time,
}

/// Asks for a copy of the caller's data (extension). The worker makes it, one at a time of each
/// account; while one waits or is being made, asking again answers that one. A new one replaces the
/// last file. The caller is told by mail and in the app when it can be fetched, and until when.
/// Recorded in the audit trail.
pub async fn request(cx: Cx<User>, input: Nothing) -> Result<Done<Takeout>> {
    let Nothing {} = input;
    let mut work = cx.begin().await?;
    let takeout = takeouts::queue(&mut work, cx.caller.user_id).await?;
    work.done(takeout).await
}

/// Sends the calling athlete the copy of their data that they asked for (extension): a ZIP file
/// with `index.html`, which opens in a browser without a network, the same data as JSON under
/// `data/` (profile, applications, contracts, deliverables, payments, payouts, ledger, tax forms
/// without the number, disclosures and what the clearinghouse was told, filings about them,
/// messages, notifications, consents, log-ins, the audit trail's entries about them), the contracts
/// under `contracts/`, the uploaded files under `files/`, and `manifest.json` with every file's
/// size and SHA-256. 404 before one was asked for (`POST /takeout`), 409 `not_ready` until it is
/// made, 409 `export_failed` if it was given up, 410 `export_expired` a week after it became ready.
/// Recorded in the audit trail.
pub async fn of_athlete(cx: Cx<Athlete>, input: Nothing) -> Result<Download> {
    let Nothing {} = input;
    send(&cx, cx.caller.user_id).await
}

/// Sends the caller the copy of their data that they asked for (extension), as athletes get it.
pub async fn of_user(cx: Cx<User>, input: Nothing) -> Result<Download> {
    let Nothing {} = input;
    send(&cx, cx.caller.user_id).await
}

async fn send<C>(cx: &Cx<C>, user: UserId) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let file = takeouts::file(&mut work, user).await?;
    work.finish_read().await?;
    send_object(cx.platform(), file).await
}

/// Writes the file of an account's takeout. For the worker.
pub(crate) fn file_of(platform: Platform, user: UserId) -> TakeoutFile {
    Box::pin(async move {
        let mut session = platform.db().read().await?;
        let taker = store::taker(&mut session, user).await?.ok_or(codes::NOT_FOUND)?;
        let site = letterhead(&mut session).await?.name;
        drop(session);
        let now = platform.now();
        let name = format!("{}.zip", dated("my-data", now));
        Ok(Download::growing(name, "application/zip", move |pieces| async move {
            write(&platform, taker, (&site, now), pieces).await
        }))
    })
}

/// The account whose turn it is, as heavy work knows it.
fn account(taker: &Taker) -> String {
    format!("takeout:{}", taker.user_id)
}

async fn write(
    platform: &Platform,
    taker: Taker,
    (site, now): (&str, Time),
    pieces: Pieces,
) -> Result<()> {
    let mut writer =
        Writer { platform, taker, archive: Archive::new(pieces, now), form: Form::Page };
    writer.archive.begin("index.html").await?;
    let whole = writer.text(page::beginning(site, now)).await?
        && every(&mut writer).await?
        && writer.text(page::end().to_owned()).await?;
    writer.form = Form::Json;
    let whole = whole
        && every(&mut writer).await?
        && writer.contracts().await?
        && archiving::pack_files_of(platform, &mut writer.archive, taker.user_id).await?;
    if whole {
        let about = About { user_id: taker.user_id, kind: taker.kind, made_at: now };
        writer.archive.finish(&about).await?;
    }
    Ok(())
}

/// Writes these areas one after the other; false once the reader has left.
macro_rules! in_turn {
    ($writer:ident: $($area:ty),+ $(,)?) => {
        Ok($($writer.area::<$area>().await? &&)+ true)
    };
}

async fn every(writer: &mut Writer<'_>) -> Result<bool> {
    let first: Result<bool> = in_turn!(writer: own::Account);
    let profile: Result<bool> = match writer.taker.kind {
        UserKind::Athlete => athletes(writer).await,
        UserKind::Partner => in_turn!(writer: own::PartnerProfile, deals::Jobs,
            records::Milestones, deals::PartnerContracts, records::PartnerAmendments,
            deals::PartnerPayments, records::PartnerRefunds, records::PartnerDisputes, records::PartnerWebhooks, deals::PartnerOrders, deals::Cards,
            deals::Invoices, records::InvoiceLines, records::PartnerSubscriptionRefunds,
            records::TaxForms, deals::Ledger),
        UserKind::Agent => {
            in_turn!(writer: own::AgentProfile, deals::AgentAthletes, deals::Payouts,
            records::PayoutAccounts, records::TaxForms, records::TaxFormRequests, records::Withholding, deals::Ledger,
            deals::Cards, deals::Invoices, records::InvoiceLines,
            records::AgentSubscriptionRefunds, records::AgentDisputes)
        }
        UserKind::Fan => in_turn!(writer: own::FanProfile, own::Follows),
    };
    if !first? || !profile? {
        return Ok(false);
    }
    in_turn!(writer: own::Messages, own::Notifications, own::Preferences, records::QuietHours,
        own::Files, own::Folder, records::Comments, records::FirstSteps, own::Devices,
        own::Sessions, records::Impersonations, own::AccountTrail)
}

async fn athletes(writer: &mut Writer<'_>) -> Result<bool> {
    let profile: Result<bool> = in_turn!(writer: own::AthleteProfile, own::Socials,
        records::Activities, records::Rosters, deals::Applications, deals::AthleteContracts,
        records::AthleteAmendments, deals::Consents, deals::Requests, deals::Deliverables,
        records::Posts, records::PostChecks, records::Links, records::Sales);
    let money: Result<bool> = in_turn!(writer: deals::AthletePayments, records::AthleteRefunds, records::AthleteDisputes,
        deals::Payouts, records::PayoutAccounts, records::TaxForms, records::TaxFormRequests, records::Withholding,
        deals::Ledger, deals::Offers, deals::AthleteOrders);
    if !profile? || !money? {
        return Ok(false);
    }
    in_turn!(writer: deals::AthleteAgents, deals::Enrolments, deals::Disclosures,
        deals::Clearances, records::Packets, records::ClearanceSteps, deals::Filings, deals::JobConsents,
        deals::Assistant, deals::Drafts, own::AthleteTrail)
}

/// The form in which areas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Into the page.
    Page,
    /// Each into a file of its own.
    Json,
}

struct Writer<'p> {
    platform: &'p Platform,
    taker: Taker,
    archive: Archive,
    form: Form,
}

impl Writer<'_> {
    /// Writes an area; returns whether the reader is still there.
    async fn area<A: Area>(&mut self) -> Result<bool> {
        let mut text = match self.form {
            Form::Page => page::heading::<A>(),
            Form::Json => {
                self.archive.begin(&format!("data/{}.json", A::NAME)).await?;
                "[".to_owned()
            }
        };
        let (mut behind, mut first) = (0, true);
        loop {
            let mut session = self.platform.db().read().await?;
            let lines = store::rows::<A>(&mut session, self.taker, behind, AT_ONCE).await?;
            drop(session);
            for line in &lines {
                if self.form == Form::Page {
                    text.push_str(&page::row(line));
                    continue;
                }
                text.push_str(if first { "\n" } else { ",\n" });
                first = false;
                text.push_str(&object(A::COLUMNS.iter().map(|(name, _)| *name), &line.values)?);
            }
            let Some(last) = lines.last() else { break };
            behind = last.id;
            if !self.text(std::mem::take(&mut text)).await? {
                return Ok(false);
            }
        }
        text.push_str(if self.form == Form::Page { page::foot() } else { "\n]\n" });
        self.text(text).await
    }

    async fn text(&mut self, text: String) -> Result<bool> {
        self.archive.write(text.into_bytes()).await
    }

    /// Writes the documents of all contracts; returns whether the reader is still there.
    async fn contracts(&mut self) -> Result<bool> {
        let account = account(&self.taker);
        let mut behind = 0;
        loop {
            let mut session = self.platform.db().read().await?;
            let contracts = store::contracts(&mut session, self.taker, behind).await?;
            drop(session);
            for (id, number) in &contracts {
                let (ending, paper) = downloading::paper(self.platform, &account, *id).await?;
                self.archive.begin(&format!("contracts/{number}.{ending}")).await?;
                if !self.archive.write(paper).await? {
                    return Ok(false);
                }
            }
            let Some((last, _)) = contracts.last() else { return Ok(true) };
            behind = last.get();
        }
    }
}

/// A JSON object with its fields in this order.
fn object(names: impl Iterator<Item = &'static str>, values: &[Value]) -> Result<String> {
    let mut text = String::from("{");
    for (name, value) in names.zip(values) {
        if text.len() > 1 {
            text.push(',');
        }
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        text.push_str(&serde_json::to_string(value).map_err(Error::internal)?);
    }
    text.push('}');
    Ok(text)
}
