//! A year's information returns: what each brand paid each athlete, with the boxes of the forms.

use std::collections::BTreeMap;

use super::form::{TaxClass, TaxForm};
use super::tin::Tin;
use crate::error::Result;
use crate::kernel::{AthleteId, Cents, PartnerId, Time, weighted_split};
use crate::keys::Vault;
use crate::payments::store::tax_return::{self as store, Paid};
use crate::payments::tax;
use crate::storage::Session;

/// A form of the tax office.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::payments) enum ReturnForm {
    /// Payments for services, in box 1 of the form 1099-NEC.
    Services,
    /// Royalties, in box 2 of the form 1099-MISC.
    Royalties,
}

impl ReturnForm {
    /// Its name, as in the table of thresholds.
    pub(in crate::payments) fn name(self) -> &'static str {
        match self {
            Self::Services => tax::SERVICES,
            Self::Royalties => tax::ROYALTIES,
        }
    }

    /// What was paid of this kind.
    fn part(self, paid: &Paid) -> Cents {
        match self {
            Self::Services => paid.services_cents,
            Self::Royalties => paid.royalty_cents,
        }
    }
}

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
    pub(in crate::payments) athlete_id: AthleteId,
    pub(in crate::payments) athlete_name: String,
    pub(in crate::payments) amount: Cents,
    pub(in crate::payments) withheld: Cents,
    /// The parties, if it can be filed; otherwise why not.
    pub(in crate::payments) parties: Parties,
}

/// The payer and the recipient of a return, or why it cannot be filed.
pub(in crate::payments) type Parties = Result<Box<(Payee, Payee)>, Vec<&'static str>>;

/// The returns of the payers after `last`, a hundred payers at most, and the last of these; `None` after the last one. A
/// return is due if the amount comes to the year's threshold, or if tax was withheld.
pub(in crate::payments) async fn of_payers_after(
    session: &mut Session,
    vault: &Vault,
    year: i64,
    form: ReturnForm,
    last: Option<PartnerId>,
) -> Result<Option<(PartnerId, Vec<Return>)>> {
    let payers = store::payers(session, last).await?;
    let (Some(first), Some(last)) = (payers.first().copied(), payers.last().copied()) else {
        return Ok(None);
    };
    let span = tax::span_of(year)?;
    let threshold = tax::rule(year, form.name())?.threshold_cents;
    let paid = store::paid(session, (first, last), span).await?;
    let withheld = Withheld::of(session, &paid, span).await?;
    let due: Vec<(Paid, Cents)> = paid
        .into_iter()
        .map(|paid| {
            let withheld = withheld.share(&paid, form);
            (paid, withheld)
        })
        .filter(|(paid, withheld)| {
            let amount = form.part(paid);
            amount.is_positive() && (amount >= threshold || withheld.is_positive())
        })
        .collect();
    let forms = store::forms(session, due.iter().map(|(paid, _)| paid)).await?;
    let mut returns = Vec::new();
    for (paid, withheld) in due {
        let amount = form.part(&paid);
        let parties = parties(vault, &forms, &paid, withheld)?;
        returns.push(Return {
            year,
            form,
            partner_id: paid.partner_id,
            company_name: paid.company_name,
            athlete_id: paid.athlete_id,
            athlete_name: paid.athlete_name,
            amount,
            withheld,
            parties,
        });
    }
    Ok(Some((last, returns)))
}

/// Both parties of a return, or why it cannot be filed.
fn parties(
    vault: &Vault,
    forms: &BTreeMap<String, store::Sealed>,
    paid: &Paid,
    withheld: Cents,
) -> Result<Parties> {
    let payer = forms.get(&format!("partner:{}", paid.partner_id));
    let recipient = forms.get(&format!("athlete:{}", paid.athlete_id));
    let mut missing = Vec::new();
    match payer {
        None => missing.push("payer_details_missing"),
        Some(form) if name_is_too_long(&form.form) => missing.push("payer_name_too_long"),
        Some(_) => {}
    }
    match recipient {
        None if paid.is_foreign => missing.push("recipient_foreign"),
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
    let open = |sealed: &store::Sealed| -> Result<Payee> {
        let of = (sealed.form.owner.as_str(), sealed.form.version);
        let tin = Tin::open(vault, of, &sealed.tin_sealed)?;
        Ok(Payee { form: sealed.form.clone(), tin })
    };
    Ok(Ok(Box::new((open(payer)?, open(recipient)?))))
}

/// What was withheld from athletes in a year, shared among their payers and the forms. It is withheld from wallets, in
/// which the money of all payers is: each bears it in proportion to what it paid.
struct Withheld(BTreeMap<(AthleteId, PartnerId), [Cents; 2]>);

impl Withheld {
    async fn of(session: &mut Session, paid: &[Paid], span: (Time, Time)) -> Result<Self> {
        let mut shares = BTreeMap::new();
        for (athlete, withheld) in store::withheld(session, paid, span).await? {
            let all = store::paid_to(session, athlete, span).await?;
            let weights: Vec<Cents> = all
                .iter()
                .flat_map(|(_, services, royalties)| [*services, *royalties])
                .map(|weight| weight.max(Cents::ZERO))
                .collect();
            let split = weighted_split(withheld, &weights);
            for ((payer, ..), pair) in all.iter().zip(split.chunks(2)) {
                if let [services, royalties] = pair {
                    shares.insert((athlete, *payer), [*services, *royalties]);
                }
            }
        }
        Ok(Self(shares))
    }

    fn share(&self, paid: &Paid, form: ReturnForm) -> Cents {
        let shares = self.0.get(&(paid.athlete_id, paid.partner_id)).copied().unwrap_or_default();
        let [services, royalties] = shares;
        match form {
            ReturnForm::Services => services,
            ReturnForm::Royalties => royalties,
        }
    }
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
