//! Athletes and agents hand in a W-9, brands their details as payers.

use schemars::JsonSchema;
use serde::Serialize;

use super::backup_withholding::BackupWithholding;
use super::form::{TaxClass, TaxDetails, TaxForm};
use super::payee::{self, Earned};
use super::tin::{Tin, TinKind};
use super::year;
use crate::auth::{Partner, Payee};
use crate::error::{Error, Result};
use crate::kernel::{Cents, Nothing};
use crate::operation::{Cx, Done};
use crate::payments::HoldReason;
use crate::payments::ledger::{Book, Owner};
use crate::payments::payouts::payout_settings::owner;
use crate::payments::store::{account, tax_form as store, tax_request};

/// The statement that payees sign.
const OF_PAYEES: Statement = Statement {
    version: "2026-11",
    text: "Under penalties of perjury, I certify that: 1. the number shown is my correct taxpayer \
           identification number; 2. I am not subject to backup withholding, or the tax office has told me \
           that I no longer am; and 3. I am a U.S. citizen or another U.S. person.",
};

/// The statement that brands sign.
const OF_PAYERS: Statement = Statement {
    version: "2026-11",
    text: "I certify that name, address and number are those under which the company files its information \
           returns, and that I may state them for it.",
};

/// What a payee has to do whose form is missing.
const HAND_IN: &str = "Hand in a W-9. If payouts wait for it, they go out once it is here.";

/// What an athlete who needs a visa is told instead.
const OF_FOREIGNERS: &str = "You need a visa. If you count as a U.S. person for taxes, hand in a W-9. Otherwise you would \
                             need the form W-8BEN, which this platform does not take; it files no 1042-S either. \
                             Write to the operators: they settle payouts that wait for it outside the platform.";

struct Statement {
    version: &'static str,
    text: &'static str,
}

/// Where the caller stands with tax forms.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TaxStanding {
    /// The last statement; null if there is none.
    pub form: Option<TaxForm>,
    /// Whether a statement is asked for: the earnings of this year come to the amount that payers
    /// must report, or tax is withheld. Always false for brands.
    pub required: bool,
    /// Whether payouts wait for the statement.
    pub holds_payouts: bool,
    /// Why payouts wait; null if they do not wait for a tax form.
    pub hold_reason: Option<HoldReason>,
    /// What the caller has to do, in words; null if nothing is asked for.
    pub what_to_do: Option<&'static str>,
    /// What was earned this year, an agent's commission and the value of goods included; 0 for
    /// brands.
    pub earned_cents: Cents,
    /// The withholding in force; null if nothing is withheld.
    pub backup_withholding: Option<BackupWithholding>,
    /// The version of the statement to sign.
    pub statement_version: &'static str,
    /// The statement to sign.
    pub statement: &'static str,
}

/// Hands in a W-9 (extension). It replaces the caller's earlier one, which is kept; payouts that
/// wait for it go out with the worker's next round. 422 for a number that cannot be one of its
/// kind, and for a statement that is not the current one or not certified. W-8BEN, the form of
/// foreign persons, is not supported: the statement to sign says that the caller is a U.S. person.
pub async fn submit(cx: Cx<Payee>, input: TaxDetails) -> Result<Done<TaxForm>> {
    let owner = owner(cx.caller);
    save(cx, owner, input, &OF_PAYEES).await
}

/// Returns the caller's tax form, whether one is asked for, and the statement to sign (extension).
pub async fn standing(cx: Cx<Payee>, _: Nothing) -> Result<TaxStanding> {
    let owner = owner(cx.caller);
    let now = cx.now();
    let mut session = cx.read().await?;
    let form = store::current(&mut session, owner).await?;
    let earned = Earned::of(&mut session, owner, year::year_of(now)).await?;
    let hold_reason = payee::hold(&mut session, owner).await?;
    let foreign = match owner {
        Owner::Athlete(athlete) => store::is_foreign(&mut session, athlete).await?,
        _ => false,
    };
    let backup_withholding = store::withholding(&mut session, owner).await?;
    let required = form.is_none()
        && (backup_withholding.is_some() || payee::was_ever_reported(&mut session, owner).await?);
    Ok(TaxStanding {
        required,
        form,
        holds_payouts: hold_reason.is_some(),
        hold_reason,
        what_to_do: required.then_some(if foreign { OF_FOREIGNERS } else { HAND_IN }),
        earned_cents: earned.all,
        backup_withholding,
        statement_version: OF_PAYEES.version,
        statement: OF_PAYEES.text,
    })
}

/// Saves the calling brand's details as a payer: who it is on information returns (extension). It
/// replaces the earlier ones, which are kept. 422 without a phone number, for a number that cannot
/// be one of its kind, and for a statement that is not the current one or not certified.
pub async fn save_payer(cx: Cx<Partner>, input: TaxDetails) -> Result<Done<TaxForm>> {
    if input.phone.is_none() {
        return Err(Error::invalid("phone", "is required"));
    }
    let owner = Owner::Partner(cx.caller.id);
    save(cx, owner, input, &OF_PAYERS).await
}

/// Returns the calling brand's details as a payer, and the statement to sign (extension).
pub async fn payer(cx: Cx<Partner>, _: Nothing) -> Result<TaxStanding> {
    let mut session = cx.read().await?;
    let form = store::current(&mut session, Owner::Partner(cx.caller.id)).await?;
    Ok(TaxStanding {
        form,
        required: false,
        holds_payouts: false,
        hold_reason: None,
        what_to_do: None,
        earned_cents: Cents::ZERO,
        backup_withholding: None,
        statement_version: OF_PAYERS.version,
        statement: OF_PAYERS.text,
    })
}

async fn save<C>(
    cx: Cx<C>,
    owner: Owner,
    input: TaxDetails,
    statement: &Statement,
) -> Result<Done<TaxForm>> {
    check(&input, statement)?;
    let tin = input.tin.of(input.tin_kind)?;
    check_without(&tin, &input)?;
    let mut work = cx.begin().await?;
    if !store::is_state(&mut work, &input.state).await? {
        return Err(Error::invalid("state", "must be the code of a state, such as IL"));
    }
    let now = cx.now();
    let name = owner.to_string();
    if !matches!(owner, Owner::Partner(_)) {
        // The wallet's lock: nobody is asked for a form meanwhile.
        Book::of_payouts(&mut work, owner).await?;
        tax_request::answer(&mut work, owner, now).await?;
    }
    let version = store::replace(&mut work, owner, now).await? + 1;
    let sealed = tin.seal(cx.platform().vault(), (&name, version))?;
    let new = store::NewForm {
        owner: name.clone(),
        version,
        details: &input,
        sealed,
        last4: tin.last4(),
        certified_from: cx.facts().address.map(|address| address.to_string()),
    };
    let form = store::add(&mut work, new, now).await?;
    // A wallet that waited for the form is due again.
    account::wake(&mut work, name, now).await?;
    work.note(form.id, "handed_in");
    work.done(form).await
}

/// The number is sealed, so it must not stand in a field that is not.
fn check_without(tin: &Tin, input: &TaxDetails) -> Result<()> {
    let fields = [
        ("first_name", input.first_name.as_deref()),
        ("last_name", input.last_name.as_deref()),
        ("business_name", input.business_name.as_deref()),
        ("street", Some(&*input.street)),
        ("street2", input.street2.as_deref()),
        ("city", Some(&*input.city)),
        ("postal_code", Some(&*input.postal_code)),
        ("phone", input.phone.as_deref()),
        ("signature", Some(&*input.signature)),
    ];
    let has = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.contains(tin.digits())
    };
    let wrong: Vec<_> = fields
        .into_iter()
        .filter(|(_, text)| text.is_some_and(has))
        .map(|(field, _)| (field, "must not contain the taxpayer number"))
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(Error::invalid_fields(wrong)) }
}

fn check(input: &TaxDetails, statement: &Statement) -> Result<()> {
    let mut wrong = Vec::new();
    if input.classification == TaxClass::Individual {
        for (field, name) in [("first_name", &input.first_name), ("last_name", &input.last_name)] {
            if name.is_none() {
                wrong.push((field, "is required for an individual"));
            }
        }
    } else {
        if input.business_name.is_none() {
            wrong.push(("business_name", "is required for a company"));
        }
        if input.tin_kind != TinKind::Ein {
            wrong.push(("tin_kind", "must be `ein` for a company"));
        }
    }
    let digits = input.postal_code.replace('-', "");
    if !matches!(digits.len(), 5 | 9) || !digits.bytes().all(|sign| sign.is_ascii_digit()) {
        wrong.push(("postal_code", "must be five or nine digits"));
    }
    if &*input.statement_version != statement.version {
        wrong.push(("statement_version", "is not the current version"));
    }
    if !input.certified {
        wrong.push(("certified", "must be true"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::invalid_fields(wrong)) }
}
