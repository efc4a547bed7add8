//! The amendments of a contract as a separate document: the contract itself stays as signed.

use chrono_tz::Tz;

use super::{DocumentError, Paper, SignedAmendment, schedule};
use crate::contracts::terms::Terms;
use crate::document::flow::{Draft, Flow};
use crate::document::fonts::Fonts;
use crate::document::footer::footers;
use crate::document::structure::Role;
use crate::document::style::{BODY, POINT};
use crate::wording::{day, inline, moment};

/// The layout of the amendments; `hash` is that of the contract's terms, `last` that of the latest
/// amendment.
pub(super) fn amendments(
    fonts: &Fonts,
    terms: &Terms,
    amendments: &[SignedAmendment],
    (hash, last): (&str, &str),
    paper: Paper,
) -> Result<Draft, DocumentError> {
    let mut flow = Flow::new(paper, fonts);
    whole(&mut flow, terms, amendments, hash)?;
    let mut draft = flow.draft;
    let identity = format!("{}  ·  SHA-256 {last}", inline(&terms.number));
    footers(&mut draft, &identity)?;
    Ok(draft)
}

/// All amendments of a contract, from the title to the last act of assent.
pub(super) fn whole(
    flow: &mut Flow,
    terms: &Terms,
    amendments: &[SignedAmendment],
    hash: &str,
) -> Result<(), DocumentError> {
    title(flow, terms)?;
    paragraph(
        flow,
        &format!(
            "The parties agreed to the following after contract {} had been signed. Whatever an \
             amendment does not name stays as it was signed. The SHA-256 digest of the contract’s \
             terms is {hash}.",
            inline(&terms.number)
        ),
    )?;
    paragraph(
        flow,
        "The digest of an amendment is the SHA-256 of a JSON list: the digest of the document that \
         it follows, the kind of the amendment, and the change with its keys in order and without \
         white space. The digests form a chain that begins with the contract’s terms; an amendment \
         that was left out, changed or put elsewhere breaks it.",
    )?;
    let mut before = hash;
    for signed in amendments {
        amendment(flow, signed, before, terms.dates.zone())?;
        before = &signed.amendment.document_sha256;
    }
    Ok(())
}

fn title(flow: &mut Flow, terms: &Terms) -> Result<(), DocumentError> {
    let number = format!("Contract {}", terms.number);
    let parties = format!(
        "{} and {}: {}",
        inline(&terms.brand.company),
        inline(&terms.athlete.legal_name),
        inline(&terms.job.title)
    );
    flow.head(&number, "Amendments to the Agreement", &parties)?;
    flow.gap(6 * POINT);
    Ok(())
}

fn amendment(
    flow: &mut Flow,
    signed: &SignedAmendment,
    before: &str,
    zone: Tz,
) -> Result<(), DocumentError> {
    let amendment = &signed.amendment;
    let change = &amendment.change;
    // The change and its signatures belong on one page.
    flow.need(200 * POINT);
    flow.heading("", &format!("Amendment No. {}", amendment.number))?;
    flow.table(schedule::facts(vec![
        ("Agreed on", moment(amendment.at, zone)),
        ("Deliverable", inline(&change.title)),
        ("Change", format!("It is due on {} instead of {}.", day(change.to), day(change.from))),
        ("SHA-256", amendment.document_sha256.clone()),
        ("Follows", before.to_owned()),
    ]))?;
    flow.top += 6 * POINT;
    paragraph(flow, "These acts of assent to the amendment were recorded electronically.")?;
    flow.table(schedule::recorded(&signed.assents, zone))
}

fn paragraph(flow: &mut Flow, text: &str) -> Result<(), DocumentError> {
    let part = flow.draft.structure.add(Role::Paragraph, None);
    flow.need(2 * BODY.leading);
    flow.text(text, BODY, 0, part)?;
    flow.top += 3 * POINT;
    Ok(())
}
