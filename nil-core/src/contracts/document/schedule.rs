//! The tables of the document.

use chrono_tz::Tz;

use super::{Assent, Side};
use crate::contracts::terms::{CompensationKind, MilestoneTerms, Terms};
use crate::document::style::{CELL, FAINT_CELL, STRONG_CELL};
use crate::document::table::{Cell, Column, Table, cell};
use crate::wording::{
    days, inline, label, listing, moment, money, optional_day, percent, short_day, state, words,
};

fn plain(text: impl Into<String>) -> Cell {
    cell(text, CELL)
}

fn strong(text: impl Into<String>) -> Cell {
    cell(text, STRONG_CELL)
}

/// The parties, and their representatives.
pub(super) fn parties(terms: &Terms) -> Table<'static> {
    const COLUMNS: [Column; 3] =
        [Column::left("Role", 72), Column::left("Name", 170), Column::left("Particulars", 0)];
    let (brand, athlete) = (&terms.brand, &terms.athlete);
    let row = |role: &str, name: &str, about: String| vec![strong(role), plain(name), plain(about)];
    let seat = [brand.hq_city.as_deref().map(inline), brand.hq_state.as_deref().map(state)];
    let seat = seat.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let mut about_brand = vec![(format!("Acting through {}", inline(&brand.contact)), CELL)];
    if !seat.is_empty() {
        about_brand.insert(0, (format!("Headquarters: {seat}"), CELL));
    }
    let home = athlete.hometown_state.as_deref().map(state);
    let home = match (athlete.hometown_city.as_deref().map(inline), home) {
        (Some(city), Some(state)) => format!("\nHometown: {city}, {state}"),
        (Some(city), None) => format!("\nHometown: {city}"),
        (None, Some(state)) => format!("\nHome state: {state}"),
        (None, None) => String::new(),
    };
    let sport = format!("{}{home}", inline(&athlete.sport));
    let mut rows = vec![
        vec![strong("Brand"), plain(inline(&brand.company)), about_brand],
        row("Athlete", &inline(&athlete.legal_name), sport),
    ];
    if let Some(guardian) = athlete.guardian.as_ref().filter(|_| athlete.minor) {
        let consent = format!("Consented on {}", moment(guardian.consented_at, terms.dates.zone()));
        rows.push(row("Guardian", &inline(&guardian.name), consent));
    }
    if let Some(agent) = &terms.agent {
        let about = format!(
            "{}\nCommission: {} of the Athlete’s pay",
            inline(&agent.agency),
            percent(agent.commission_basis_points)
        );
        rows.push(row("Agent", &inline(&agent.name), about));
    }
    let place = athlete.institution_state.as_deref().map(state);
    let place = place.map_or_else(String::new, |place| format!("\n{place}"));
    let about = format!("The Athlete’s institution; not a party{place}");
    rows.push(row("Institution", &inline(&athlete.institution), about));
    if let Some(marketplace) = &terms.marketplace {
        let about = format!("Not a party\n{}", inline(&marketplace.support_email));
        rows.push(row("Marketplace", &inline(&marketplace.name), about));
    }
    Table { columns: &COLUMNS, headed: true, rows }
}

/// The deal at a glance.
pub(super) fn engagement(terms: &Terms) -> Table<'static> {
    const COLUMNS: [Column; 2] = [Column::left("", 120), Column::left("", 0)];
    let usage = &terms.usage;
    let time = match usage.days {
        Some(count) if !usage.perpetual => days(count),
        _ => "perpetual".to_owned(),
    };
    let media = listing(usage.media.iter().map(|code| words(code)));
    let dates = &terms.dates;
    let term =
        format!("{} to {}", optional_day(dates.effective_on), optional_day(dates.term_ends_on));
    let exclusivity = terms.exclusivity.as_ref().map_or_else(
        || "None".to_owned(),
        |exclusivity| format!("{}, {}", inline(&exclusivity.category), days(exclusivity.days)),
    );
    let rows = [
        (
            "Category and kind",
            format!("{}; {}", inline(&terms.job.category), words(&terms.job.kind)),
        ),
        ("Business purpose", inline(&terms.job.business_purpose)),
        ("Signed by the Brand", optional_day(Some(dates.signed_on))),
        ("Term", term),
        ("Use", format!("{media}; {}; {time}", inline(&usage.territory))),
        ("Exclusivity", exclusivity),
    ];
    let rows = rows.into_iter().map(|(name, value)| vec![strong(name), plain(value)]).collect();
    Table { columns: &COLUMNS, headed: false, rows }
}

/// The schedule of deliverables.
pub(super) fn deliverables(terms: &Terms) -> Table<'static> {
    const COLUMNS: [Column; 7] = [
        Column::left("No.", 34),
        Column::left("Deliverable", 0),
        Column::left("Platform and format", 92),
        Column::right("Qty", 28),
        Column::left("Due", 64),
        Column::left("Live for", 52),
        Column::right("Amount", 66),
    ];
    let currency = &inline(&terms.compensation.currency);
    let numbered = terms.milestones.iter().zip(1..);
    let mut rows: Vec<Vec<Cell>> = numbered
        .map(|(milestone, number)| {
            vec![
                plain(format!("{number}")),
                described(milestone),
                placed(milestone),
                plain(milestone.quantity.to_string()),
                plain(short_day(milestone.due_on)),
                plain(milestone.live_days.map_or_else(|| "—".to_owned(), days)),
                plain(money(currency, milestone.amount_cents)),
            ]
        })
        .collect();
    let cash = strong("Agreed cash");
    let sum = strong(money(currency, terms.compensation.agreed_amount_cents));
    let none = Cell::new;
    rows.push(vec![strong("Total"), cash, none(), none(), none(), none(), sum]);
    Table { columns: &COLUMNS, headed: true, rows }
}

fn described(milestone: &MilestoneTerms) -> Cell {
    let mut cell = vec![(inline(&milestone.title), STRONG_CELL)];
    if let Some(instructions) = &milestone.instructions {
        cell.push((instructions.clone(), CELL));
    }
    let tags =
        milestone.hashtags.iter().map(|tag| format!("#{}", inline(tag.trim_start_matches('#'))));
    let tags: Vec<String> = tags.collect();
    if !tags.is_empty() {
        cell.push((tags.join(" "), FAINT_CELL));
    }
    if milestone.disclosure_required {
        cell.push(("To be disclosed as advertising".to_owned(), FAINT_CELL));
    }
    cell
}

fn placed(milestone: &MilestoneTerms) -> Cell {
    vec![
        (format!("{}, {}", label(&milestone.platform), words(&milestone.media_kind)), CELL),
        (label(&milestone.activity), FAINT_CELL),
    ]
}

/// The compensation at a glance.
pub(super) fn compensation(terms: &Terms) -> Table<'static> {
    const COLUMNS: [Column; 2] = [Column::left("Compensation", 0), Column::right("Amount", 130)];
    let pay = &terms.compensation;
    let currency = inline(&pay.currency);
    let mut rows = Vec::new();
    let mut add = |name: String, value: String| rows.push(vec![plain(name), plain(value)]);
    let cash = pay.agreed_amount_cents;
    if cash != 0 || pay.kind == CompensationKind::Cash {
        add("Cash for the Deliverables".to_owned(), money(&currency, cash));
    }
    let other = pay.product_value_cents.filter(|_| pay.kind != CompensationKind::Cash);
    let rate = percent(pay.commission_basis_points.unwrap_or_default());
    let name = match pay.kind {
        CompensationKind::Royalty => format!("Royalty of {rate}, at most"),
        CompensationKind::Commission => format!("Commission of {rate}, at most"),
        _ => "Products and services, fair value".to_owned(),
    };
    if let Some(value) = other {
        add(name, money(&currency, value));
    }
    if let Some(agent) = &terms.agent {
        let share = percent(agent.commission_basis_points);
        add("The Agent’s commission, from the Athlete’s share".to_owned(), share);
    }
    let fee = percent(terms.fee_basis_points);
    add("The Marketplace’s fee, paid by the Brand in addition".to_owned(), fee);
    let total = money(&currency, cash.saturating_add(other.unwrap_or_default()));
    rows.push(vec![strong("Total value to the Athlete"), strong(total)]);
    Table { columns: &COLUMNS, headed: true, rows }
}

/// A table of names and values.
pub(super) fn facts(rows: Vec<(&'static str, String)>) -> Table<'static> {
    const COLUMNS: [Column; 2] = [Column::left("", 90), Column::left("", 0)];
    Table::facts(&COLUMNS, rows)
}

const SIDES: [(Side, &str); 3] =
    [(Side::Brand, "Brand"), (Side::Athlete, "Athlete"), (Side::Guardian, "Guardian")];

/// The assents with time and address; a side that has not assented is shown as awaited.
pub(super) fn assents(terms: &Terms, assents: &[Assent]) -> Table<'static> {
    let mut rows = Vec::new();
    for (side, name) in SIDES {
        let before = rows.len();
        rows.extend(of_side(assents, (side, name), terms.dates.zone()));
        let expected = side != Side::Guardian || terms.athlete.minor;
        if rows.len() == before && expected {
            rows.push(vec![strong(name), plain("Awaited"), plain("—"), plain("—")]);
        }
    }
    assent_table(rows)
}

/// The assents with time and address.
pub(super) fn recorded(assents: &[Assent], zone: Tz) -> Table<'static> {
    let rows = SIDES.into_iter().flat_map(|side| of_side(assents, side, zone));
    assent_table(rows.collect())
}

fn of_side<'a>(
    assents: &'a [Assent],
    (side, name): (Side, &'a str),
    zone: Tz,
) -> impl Iterator<Item = Vec<Cell>> + 'a {
    let own = assents.iter().filter(move |assent| assent.side == side);
    own.map(move |assent| {
        let (who, from) = (inline(&assent.name), inline(&assent.address));
        vec![strong(name), plain(who), plain(moment(assent.at, zone)), plain(from)]
    })
}

fn assent_table(rows: Vec<Vec<Cell>>) -> Table<'static> {
    const COLUMNS: [Column; 4] = [
        Column::left("For", 62),
        Column::left("Name", 0),
        Column::left("Date and time", 130),
        Column::left("Network address", 120),
    ];
    Table { columns: &COLUMNS, headed: true, rows }
}
