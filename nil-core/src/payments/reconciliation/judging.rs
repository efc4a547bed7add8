//! What a line of the statement must be, and in what it differs from our rows.

use chrono::TimeDelta;

use super::difference::DifferenceKind;
use crate::kernel::{Cents, Time};
use crate::payments::disputes::dispute::DisputeStatus;
use crate::ports::processor::LineKind;
use crate::storage::{FromRow, Stored};

/// How long our rows may be behind the processor: what it does not tell by itself is asked for.
pub(super) const BEHIND: TimeDelta = TimeDelta::days(1);

/// A line of the statement, and what our rows say about its key.
#[derive(Clone, Debug, FromRow)]
pub struct Entry {
    pub line_id: String,
    pub at: Time,
    pub kind: LineKind,
    pub key: Option<String>,
    pub source: Option<String>,
    pub amount_cents: Cents,
    pub fee_cents: Cents,
    pub currency: String,
    /// Of the lines under this key and of this kind, the one that counts: the one that we keep the
    /// source of, or else the first.
    pub counts: Option<String>,
    /// When a line says that it came back.
    pub back_at: Option<Time>,
    /// The kind of our request; none if there is none under this key.
    pub requested: Option<String>,
    pub our_cents: Option<Cents>,
    pub our_currency: Option<String>,
    /// What our row says of the request.
    pub status: Option<String>,
    /// The processor's reference that our row keeps.
    pub name: Option<String>,
    /// What our ledger says that the processor kept.
    pub our_fee_cents: Cents,
    /// Whether there is a later attempt under another key.
    pub given_up: bool,
    /// What our row says of the dispute that the line is of.
    pub dispute_status: Option<DisputeStatus>,
    pub dispute_cents: Option<Cents>,
    pub our_dispute_fee_cents: Cents,
    /// What the processor has kept by all lines of the dispute.
    pub dispute_fee_cents: Cents,
}

/// A request that has moved money here, and that the statement has no line for.
#[derive(Clone, Debug, FromRow)]
pub struct Missing {
    pub key: String,
    pub kind: String,
    pub since: Time,
    pub amount_cents: Cents,
    pub currency: String,
    pub status: String,
}

/// A difference as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Stored)]
pub struct Finding {
    pub kind: DifferenceKind,
    /// The line's id, or the request's key.
    pub about: String,
    pub key: Option<String>,
    pub line_id: Option<String>,
    pub source: Option<String>,
    pub at: Time,
    pub ours_cents: Option<Cents>,
    pub theirs_cents: Option<Cents>,
    pub currency: String,
    pub detail: String,
}

/// The line that a request makes, and the line that takes it back.
fn lines_of(requested: &str) -> (LineKind, LineKind) {
    match requested {
        "charge" | "subscription_charge" => (LineKind::Charge, LineKind::ChargeFailed),
        "payout" => (LineKind::Payout, LineKind::PayoutReturned),
        _ => (LineKind::Refund, LineKind::RefundFailed),
    }
}

/// What a request does to the balance of the platform.
fn signed(requested: &str, amount: Cents) -> Cents {
    match lines_of(requested).0 {
        LineKind::Charge => amount,
        _ => -amount,
    }
}

/// Whether a request with this status has moved the money.
fn has_moved(status: &str) -> bool {
    matches!(status, "succeeded" | "in_transit" | "paid")
}

/// In what a line differs from our rows, if it does. The first difference hides the others.
pub(super) fn judge(entry: &Entry, now: Time) -> Option<Finding> {
    // The fees and the bank of the platform itself: nothing was requested.
    if matches!(entry.kind, LineKind::Fee | LineKind::OwnPayout) {
        return None;
    }
    if matches!(entry.kind, LineKind::Dispute | LineKind::DisputeReturned) {
        return disputed(entry, now);
    }
    let Some(ours) = Ours::of(entry) else {
        let detail = format!("A {} that was not requested here.", worded(entry.kind.as_str()));
        return Some(entry.differs(DifferenceKind::UnknownHere, None, detail));
    };
    ours.differs(entry, now).map(|(kind, detail)| match kind {
        DifferenceKind::Fee => Finding {
            theirs_cents: Some(entry.fee_cents),
            ..entry.differs(kind, Some(entry.our_fee_cents), detail)
        },
        _ => entry.differs(kind, Some(ours.amount), detail),
    })
}

/// In what a line of a dispute differs from our dispute.
fn disputed(entry: &Entry, now: Time) -> Option<Finding> {
    let is_back = entry.kind == LineKind::DisputeReturned;
    let (Some(status), Some(amount)) = (entry.dispute_status, entry.dispute_cents) else {
        let detail = "A dispute that is not on record.".to_owned();
        return Some(entry.differs(DifferenceKind::UnknownHere, None, detail));
    };
    let amount = if is_back { amount } else { -amount };
    let found = |kind, detail| Some(entry.differs(kind, Some(amount), detail));
    if entry.currency != "usd" {
        let detail = format!("In usd here, in {} there.", entry.currency);
        return found(DifferenceKind::Currency, detail);
    }
    if entry.amount_cents != amount {
        let detail = format!("{amount} here, {} there.", entry.amount_cents);
        return found(DifferenceKind::Amount, detail);
    }
    let late = now - entry.at > BEHIND;
    if late && !is_back && status == DisputeStatus::Warning {
        let detail = "The dispute is only a warning here for more than a day.".to_owned();
        return found(DifferenceKind::OpenHere, detail);
    }
    if late && is_back && !matches!(status, DisputeStatus::Won | DisputeStatus::Withdrawn) {
        let detail = format!(
            "The money is back there, and the dispute is {} here.",
            worded(status.as_str())
        );
        return found(DifferenceKind::UndoneThere, detail);
    }
    // The fee is booked when it is taken, and once more when the dispute is decided.
    let (ours, theirs) = (entry.our_dispute_fee_cents, entry.dispute_fee_cents);
    (late && !is_back && !status.is_open() && ours != theirs).then(|| {
        let detail = format!("The dispute cost {ours} here, {theirs} there.");
        Finding {
            theirs_cents: Some(theirs),
            ..entry.differs(DifferenceKind::Fee, Some(ours), detail)
        }
    })
}

/// A request that should have a line has none.
pub(super) fn missing(request: Missing) -> Finding {
    let (kind, status) = (worded(&request.kind), worded(&request.status));
    Finding {
        kind: DifferenceKind::UnknownThere,
        about: request.key.clone(),
        key: Some(request.key),
        line_id: None,
        source: None,
        at: request.since,
        ours_cents: Some(signed(&request.kind, request.amount_cents)),
        theirs_cents: None,
        currency: request.currency,
        detail: format!("The {kind} is {status} here, and the statement has no line for it."),
    }
}

/// A request that a line belongs to.
struct Ours<'a> {
    requested: &'a str,
    /// What the line should say.
    amount: Cents,
    currency: &'a str,
    status: &'a str,
    /// Whether the line takes something back.
    is_back: bool,
    /// Whether the line is of a kind that the request makes.
    fits: bool,
}

impl<'a> Ours<'a> {
    fn of(entry: &'a Entry) -> Option<Self> {
        // Nothing here keeps what the processor does for other reasons.
        let requested = entry.requested.as_deref().filter(|_| entry.kind != LineKind::Other)?;
        let (there, back) = lines_of(requested);
        let amount = signed(requested, entry.our_cents?);
        let is_back = entry.kind == back;
        Some(Self {
            requested,
            amount: if is_back { -amount } else { amount },
            currency: entry.our_currency.as_deref()?,
            status: entry.status.as_deref().unwrap_or_default(),
            is_back,
            fits: is_back || entry.kind == there,
        })
    }

    fn differs(&self, entry: &Entry, now: Time) -> Option<(DifferenceKind, String)> {
        let there = worded(entry.kind.as_str());
        let here = worded(self.requested);
        if !self.fits {
            return Some((DifferenceKind::Kind, format!("A {here} here, a {there} there.")));
        }
        if entry.counts.as_deref() != Some(&entry.line_id) {
            let detail = format!("Another {there} under the key of one {here}.");
            return Some((DifferenceKind::Twice, detail));
        }
        if entry.currency != self.currency {
            let detail = format!("In {} here, in {} there.", self.currency, entry.currency);
            return Some((DifferenceKind::Currency, detail));
        }
        if entry.amount_cents != self.amount {
            let detail = format!("{} here, {} there.", self.amount, entry.amount_cents);
            return Some((DifferenceKind::Amount, detail));
        }
        let late = now - entry.at > BEHIND;
        let stands = if self.is_back { self.undone(late) } else { self.stands(entry, late) };
        stands.or_else(|| self.kept(entry))
    }

    /// A line that takes something back: by now, it must have failed here.
    fn undone(&self, late: bool) -> Option<(DifferenceKind, String)> {
        (late && has_moved(self.status)).then(|| {
            let (here, status) = (worded(self.requested), worded(self.status));
            let detail = format!("The {here} came back there, and is {status} here.");
            (DifferenceKind::UndoneThere, detail)
        })
    }

    /// A line that moved money: it must have moved here, unless it came back there.
    fn stands(&self, entry: &Entry, late: bool) -> Option<(DifferenceKind, String)> {
        let here = worded(self.requested);
        let came_back = entry.back_at.is_some();
        if entry.given_up {
            let detail = format!("The {here} was given up here for a later attempt.");
            return Some((DifferenceKind::GivenUpHere, detail)).filter(|_| !came_back);
        }
        if self.status == "failed" {
            let detail = format!("The {here} failed here.");
            return Some((DifferenceKind::FailedHere, detail)).filter(|_| !came_back);
        }
        if !has_moved(self.status) {
            let status = worded(self.status);
            let detail = format!("The {here} is {status} here for more than a day.");
            return Some((DifferenceKind::OpenHere, detail)).filter(|_| late);
        }
        None
    }

    /// What is compared once the money has moved here: which charge it is, and what it cost.
    fn kept(&self, entry: &Entry) -> Option<(DifferenceKind, String)> {
        if self.is_back {
            return None;
        }
        if let (LineKind::Charge, Some(name), Some(source)) =
            (entry.kind, &entry.name, &entry.source)
            && name != source
        {
            let detail = format!("The charge is {name} here, {source} there.");
            return Some((DifferenceKind::OtherSource, detail));
        }
        let settled = has_moved(self.status);
        (settled && entry.fee_cents != entry.our_fee_cents).then(|| {
            let (ours, theirs) = (entry.our_fee_cents, entry.fee_cents);
            (DifferenceKind::Fee, format!("It cost {ours} here, {theirs} there."))
        })
    }
}

impl Entry {
    fn differs(&self, kind: DifferenceKind, ours: Option<Cents>, detail: String) -> Finding {
        Finding {
            kind,
            about: self.line_id.clone(),
            key: self.key.clone(),
            line_id: Some(self.line_id.clone()),
            source: self.source.clone(),
            at: self.at,
            ours_cents: ours,
            theirs_cents: Some(self.amount_cents),
            currency: self.currency.clone(),
            detail,
        }
    }
}

/// A word of a vocabulary in a sentence.
fn worded(word: &str) -> String {
    word.replace('_', " ")
}
