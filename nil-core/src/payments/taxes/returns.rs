//! A year's information returns: what each brand paid each payee, with the boxes of the forms, and
//! what was filed.

use std::collections::{BTreeMap, BTreeSet};

use super::form::{TaxClass, TaxForm};
use super::return_form::ReturnForm;
use super::tin::Tin;
use super::year::{self, Lines};
use crate::error::{Result, codes};
use crate::kernel::{Cents, PartnerId, TaxFormId, Time};
use crate::keys::Vault;
use crate::payments::ledger::Owner;
use crate::payments::store::tax_filed::{self, Filed, NewReturn};
use crate::payments::store::tax_return as store;
use crate::storage::Session;

/// A payer or a recipient on a return, with the full taxpayer number.
#[derive(Clone, Debug)]
pub(in crate::payments) struct Payee {
    pub(in crate::payments) form: TaxForm,
    pub(in crate::payments) tin: Tin,
}

impl Payee {
    /// Whether the return names a person, not a business.
    pub(in crate::payments) fn is_person(&self) -> bool {
        self.form.classification == TaxClass::Individual && self.form.business_name.is_none()
    }

    /// Whether a return says the same about the party with another statement: the number and the
    /// names.
    fn is_named_as(&self, other: &Self) -> bool {
        let names = |of: &Self| {
            let form = &of.form;
            (form.first_name.clone(), form.last_name.clone(), form.business_name.clone())
        };
        self.tin.digits() == other.tin.digits() && names(self) == names(other)
    }

    /// The lines for the names of a business: a sole proprietor's own name stands first.
    pub(in crate::payments) fn business_lines(&self) -> (String, Option<String>) {
        business_lines(&self.form)
    }
}

/// The length of a line for the name of a business.
const NAME_LINE: usize = 75;

fn business_lines(form: &TaxForm) -> (String, Option<String>) {
    let business = form.business_name.clone();
    if form.classification != TaxClass::Individual {
        return (business.unwrap_or_default(), None);
    }
    let [first, last] =
        [&form.first_name, &form.last_name].map(|name| name.as_deref().unwrap_or_default());
    (format!("{first} {last}"), business)
}

/// Whether a name is longer than the line for it: a sole proprietor's two names together may be.
fn name_is_too_long(form: &TaxForm) -> bool {
    form.business_name.is_some() && business_lines(form).0.chars().count() > NAME_LINE
}

/// A return of one payer for one recipient.
#[derive(Clone, Debug)]
pub(in crate::payments) struct Return {
    pub(in crate::payments) year: i64,
    pub(in crate::payments) form: ReturnForm,
    pub(in crate::payments) partner_id: PartnerId,
    pub(in crate::payments) company_name: String,
    pub(in crate::payments) payee: Owner,
    pub(in crate::payments) payee_name: String,
    pub(in crate::payments) amount: Cents,
    pub(in crate::payments) withheld: Cents,
    /// The parties, if it can be filed; otherwise why not.
    pub(in crate::payments) parties: Parties,
}

/// The payer and the recipient of a return, or why it cannot be filed.
pub(in crate::payments) type Parties = Result<Box<(Payee, Payee)>, Vec<&'static str>>;

/// What is known of the return of one payer for one recipient on one form.
#[derive(Clone, Debug)]
pub(in crate::payments) struct Standing {
    /// As it is reckoned now.
    now: Return,
    /// Whether the payer must file it: the amount comes to the year's, or tax was withheld.
    due: bool,
    /// The versions that were filed, the first one first.
    filed: Vec<(i64, Return)>,
}

impl Standing {
    /// The return as it would be filed, if nothing of the year was filed yet.
    pub(super) fn draft(&self) -> Option<Return> {
        (self.due && self.now.parties.is_ok()).then(|| self.now.clone())
    }

    /// The return that was filed first.
    pub(super) fn original(&self) -> Option<Return> {
        self.filed.first().map(|(_, filed)| filed.clone())
    }

    /// The corrected return that was filed last.
    pub(super) fn corrected(&self) -> Option<Return> {
        self.filed.last().filter(|(version, _)| *version > 1).map(|(_, filed)| filed.clone())
    }

    /// Whether what was filed last says something else than what is reckoned now.
    fn differs(&self) -> bool {
        self.filed.last().is_some_and(|(_, filed)| {
            (filed.amount, filed.withheld) != (self.now.amount, self.now.withheld)
                || matches!((&filed.parties, &self.now.parties), (Ok(then), Ok(now)) if
                    !(then.0.is_named_as(&now.0) && then.1.is_named_as(&now.1)))
        })
    }

    /// What is not filed, with the reason: it cannot be, or it waits to be.
    pub(super) fn open(&self, year_is_filed: bool) -> Option<Return> {
        let missing = self.now.parties.as_ref().err().cloned();
        let why = match (self.filed.is_empty(), self.due, self.differs()) {
            (true, true, _) => {
                let waits = year_is_filed.then(|| vec!["not_filed_yet"]);
                missing.or(waits).unwrap_or_default()
            }
            (false, _, true) => {
                let missing = missing.unwrap_or_default();
                std::iter::once("correction_due").chain(missing).collect()
            }
            _ => Vec::new(),
        };
        (!why.is_empty()).then(|| Return { parties: Err(why), ..self.now.clone() })
    }

    /// The version to file now, if there is one: the return that is due, or a corrected one.
    pub(super) fn to_file(&self) -> Option<NewReturn> {
        let wanted = if self.filed.is_empty() { self.due } else { self.differs() };
        let parties = self.now.parties.as_ref().ok().filter(|_| wanted)?;
        Some(NewReturn {
            partner: self.now.partner_id,
            payee: self.now.payee,
            version: self.filed.last().map_or(0, |(version, _)| *version) + 1,
            amount: self.now.amount,
            withheld: self.now.withheld,
            payer_form: parties.0.form.id,
            recipient_form: parties.1.form.id,
        })
    }
}

/// The returns on a form of the payers after `last`, a hundred payers at most, and the last of
/// these; `None` after the last one.
pub(in crate::payments) async fn of_payers_after(
    session: &mut Session,
    vault: &Vault,
    year: i64,
    form: ReturnForm,
    last: Option<PartnerId>,
) -> Result<Option<(PartnerId, Vec<Standing>)>> {
    let payers = store::payers(session, last).await?;
    let Some(last) = payers.last().map(|payer| payer.id) else {
        return Ok(None);
    };
    let ids: Vec<PartnerId> = payers.iter().map(|payer| payer.id).collect();
    let names: BTreeMap<PartnerId, String> =
        payers.iter().map(|payer| (payer.id, payer.company_name.clone())).collect();
    let rows = tax_filed::of(session, &ids, (year, form)).await?;
    let mut filed: BTreeMap<(PartnerId, Owner), Vec<&Filed>> = BTreeMap::new();
    for one in &rows {
        filed.entry((one.partner_id, one.payee()?)).or_default().push(one);
    }
    let mut found: BTreeMap<(PartnerId, Owner), (String, Cents, Cents, bool)> = BTreeMap::new();
    for (key, versions) in &filed {
        let name = versions.first().map(|one| one.payee_name.clone()).unwrap_or_default();
        found.insert(*key, (name, Cents::ZERO, Cents::ZERO, false));
    }
    for (span, payers) in by_span(year, &payers)? {
        for row in store::paid(session, &payers, form, span).await? {
            let key = (row.partner_id, row.payee()?);
            let sums = (row.payee_name, row.amount_cents, row.withheld_cents, row.is_foreign);
            found.insert(key, sums);
        }
    }
    let line = Lines::of(session, year).await?.on(form);
    let is_due = |amount: Cents, withheld: Cents| amount >= line || withheld.is_positive();
    found.retain(|key, (_, amount, withheld, _)| {
        is_due(*amount, *withheld) || filed.contains_key(key)
    });
    let owners: BTreeSet<Owner> =
        found.keys().flat_map(|(payer, payee)| [Owner::Partner(*payer), *payee]).collect();
    let forms = store::forms(session, owners).await?;
    let then = rows.iter().flat_map(Filed::form_ids).map(TaxFormId::get).collect();
    let then = store::forms_by_id(session, then).await?;
    let mut all = Vec::new();
    for (key, (payee_name, amount, withheld, is_foreign)) in found {
        let (partner_id, payee) = key;
        let made = |amount, withheld, parties| Return {
            year,
            form,
            partner_id,
            company_name: names.get(&partner_id).cloned().unwrap_or_default(),
            payee,
            payee_name: payee_name.clone(),
            amount,
            withheld,
            parties,
        };
        let parties = parties(vault, &forms, key, (withheld, is_foreign))?;
        let mut versions = Vec::new();
        for one in filed.get(&key).into_iter().flatten() {
            let [by, to] = one.form_ids().map(|id| then.get(&id.get()));
            let (by, to) = by.zip(to).ok_or(codes::INTERNAL)?;
            let parties = Box::new((opened(vault, by)?, opened(vault, to)?));
            let filed = made(one.amount_cents, one.withheld_cents, Ok(parties));
            versions.push((one.version, filed));
        }
        let due = is_due(amount, withheld);
        all.push(Standing { now: made(amount, withheld, parties), due, filed: versions });
    }
    Ok(Some((last, all)))
}

/// The instants at which a year begins and ends, and payers for whom it does so.
type OfSpan = ((Time, Time), Vec<PartnerId>);

/// Payers by the time span that the year is for them.
fn by_span(year: i64, payers: &[store::Payer]) -> Result<Vec<OfSpan>> {
    year::check(year)?;
    let mut all: BTreeMap<(Time, Time), Vec<PartnerId>> = BTreeMap::new();
    for payer in payers {
        let span =
            year::span(year, year::zone_of(payer.state.as_deref())).ok_or(codes::INTERNAL)?;
        all.entry(span).or_default().push(payer.id);
    }
    Ok(all.into_iter().collect())
}

/// Both parties of a return, or why it cannot be filed.
fn parties(
    vault: &Vault,
    forms: &BTreeMap<Owner, store::Sealed>,
    (partner, to): (PartnerId, Owner),
    (withheld, is_foreign): (Cents, bool),
) -> Result<Parties> {
    let payer = forms.get(&Owner::Partner(partner));
    let recipient = forms.get(&to);
    let mut missing = Vec::new();
    match payer {
        None => missing.push("payer_details_missing"),
        Some(form) if name_is_too_long(&form.form) => missing.push("payer_name_too_long"),
        Some(_) => {}
    }
    match recipient {
        None if is_foreign => missing.push("recipient_foreign"),
        None => missing.push("recipient_form_missing"),
        Some(form) if form.form.classification.is_corporation() && !withheld.is_positive() => {
            missing.push("recipient_is_corporation");
        }
        Some(form) if name_is_too_long(&form.form) => missing.push("recipient_name_too_long"),
        Some(_) => {}
    }
    let (true, Some(payer), Some(recipient)) = (missing.is_empty(), payer, recipient) else {
        return Ok(Err(missing));
    };
    Ok(Ok(Box::new((opened(vault, payer)?, opened(vault, recipient)?))))
}

/// A statement with its number.
fn opened(vault: &Vault, sealed: &store::Sealed) -> Result<Payee> {
    let of = (sealed.form.owner.as_str(), sealed.form.version);
    let tin = Tin::open(vault, of, &sealed.tin_sealed)?;
    Ok(Payee { form: sealed.form.clone(), tin })
}

/// A party of a return, for the tests of this folder.
#[cfg(test)]
pub(super) fn a_payee(
    classification: TaxClass,
    tin_kind: super::tin::TinKind,
    digits: &str,
) -> Payee {
    let is_person = classification == TaxClass::Individual;
    let form = TaxForm {
        id: crate::kernel::TaxFormId::new(1).unwrap(),
        owner: "athlete:3".into(),
        version: 1,
        classification,
        first_name: is_person.then(|| "Jordan".into()),
        last_name: is_person.then(|| "Lake".into()),
        business_name: (!is_person).then(|| "Cedar Coffee LLC".into()),
        street: "1 Market Square".into(),
        street2: None,
        city: "San Juan".into(),
        state: "PR".into(),
        postal_code: "00901-1234".into(),
        phone: Some("+13125550123".into()),
        tin_kind,
        tin_last4: digits[5..].into(),
        statement_version: "2026-11".into(),
        signature: "Jordan Lake".into(),
        certified_at: "2026-11-20T12:00:00Z".parse().unwrap(),
    };
    Payee { form, tin: Tin::of_digits(digits) }
}

#[cfg(test)]
mod tests {
    use super::super::tin::TinKind;
    use super::*;

    #[test]
    fn names_stand_on_the_lines_that_they_fit_on() {
        let mut payee = a_payee(TaxClass::Individual, TinKind::Ssn, "219099999");
        assert!(payee.is_person());
        payee.form.business_name = Some("Lake Lessons".into());
        assert!(!payee.is_person());
        let lines = ("Jordan Lake".to_owned(), Some("Lake Lessons".to_owned()));
        assert_eq!(payee.business_lines(), lines);
        payee.form.first_name = Some("J".repeat(40));
        payee.form.last_name = Some("L".repeat(34));
        assert!(!name_is_too_long(&payee.form));
        payee.form.last_name = Some("L".repeat(35));
        assert!(name_is_too_long(&payee.form), "76 letters with the blank");
        let company = a_payee(TaxClass::CCorporation, TinKind::Ein, "123456789");
        assert_eq!(company.business_lines(), ("Cedar Coffee LLC".to_owned(), None));
    }
}
