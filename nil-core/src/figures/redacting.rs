//! Records without what tells who somebody is: pseudonyms, months for instants, rounded amounts, an
//! order of its own, and no group of few athletes.

use std::collections::BTreeMap;

use super::filter::Wanted;
use super::grouping::Groups;
use super::store::export::{self as store, ContractLine, TransactionLine};
use super::transaction::TransactionSource;
use crate::error::Result;
use crate::export::{Column, Counter, Table};
use crate::institutions::company_key;
use crate::kernel::{ContractId, RecordsRequestId, Time};
use crate::platform::Platform;
use crate::storage::Session;

/// What stands for a value that is not told.
const WITHHELD: &str = "withheld";
/// The currency of amounts without a currency column.
const USD: &str = "usd";

/// The pseudonyms of one request: the same in all its files, other ones for other requests. They
/// are keyed, so that nobody can find them out by trying ids or names.
#[derive(Clone)]
pub(super) struct Pseudonyms {
    platform: Platform,
    context: String,
}

impl Pseudonyms {
    pub(super) fn new(platform: &Platform, request: RecordsRequestId) -> Self {
        let context = format!("pseudonyms of public records {request}");
        Self { platform: platform.clone(), context }
    }

    fn of(&self, kind: &str, who: &str) -> String {
        let mark = self.platform.vault().mark(&self.context, &format!("{kind} {who}"));
        format!("{kind}-{}", mark.get(..16).unwrap_or(&mark))
    }

    fn athlete(&self, id: i64) -> String {
        self.of("athlete", &id.to_string())
    }

    /// The pseudonym of a payer. A company in another spelling has the same one.
    fn payer(&self, name: &str) -> String {
        self.of("payer", &company_key(name))
    }

    fn contract(&self, id: i64) -> String {
        self.of("contract", &id.to_string())
    }
}

/// The records of a table in an order that only this request has: from the places of rows, nobody
/// can tell which rows of two requests are the same.
#[derive(Clone, Debug)]
pub(super) struct Shuffled<K>(Vec<K>);

impl<K: Copy + Ord> Shuffled<K> {
    /// Shuffles records, each by its mark.
    fn by(mut records: Vec<K>, mark: impl Fn(&K) -> String) -> Self {
        records.sort_by_cached_key(mark);
        Self(records)
    }

    /// The next records after so many.
    fn part(&self, after: usize, most: u64) -> &[K] {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let until = after.saturating_add(most).min(self.0.len());
        self.0.get(after..until).unwrap_or_default()
    }
}

impl Shuffled<ContractId> {
    pub(super) fn contracts(ids: Vec<ContractId>, pseudonyms: &Pseudonyms) -> Self {
        Self::by(ids, |id| pseudonyms.contract(id.get()))
    }
}

impl Shuffled<(TransactionSource, i64)> {
    pub(super) fn transactions(
        records: Vec<(TransactionSource, i64)>,
        pseudonyms: &Pseudonyms,
    ) -> Self {
        Self::by(records, |(source, id)| pseudonyms.of(source.as_str(), &id.to_string()))
    }
}

/// Transactions without what tells who somebody is.
pub(super) struct Transactions {
    pub(super) wanted: Wanted,
    pub(super) records: Shuffled<(TransactionSource, i64)>,
    pub(super) groups: Groups,
    pub(super) pseudonyms: Pseudonyms,
    pub(super) counter: Counter,
}

/// A row with what is told in place of names.
#[derive(Clone, Debug)]
pub(super) struct Redacted<L> {
    line: L,
    /// The number of records up to this one, with those that are left out.
    place: usize,
    athlete: String,
    payer: String,
    contract: Option<String>,
    sport: String,
    category: String,
    /// The months of its instants.
    months: [Option<String>; 3],
}

fn month(wanted: &Wanted, at: Time) -> String {
    wanted.day(at).format("%Y-%m").to_string()
}

impl Table for Transactions {
    type Row = Redacted<TransactionLine>;
    const SHEET: &'static str = "Transactions";

    const COLUMNS: &'static [Column<Self::Row>] = &[
        Column("Source", |row| row.line.source.as_str().into()),
        Column("Month", |row| (&row.months[0]).into()),
        Column("Athlete", |row| (&row.athlete).into()),
        Column("Payer", |row| (&row.payer).into()),
        Column("Contract", |row| (&row.contract).into()),
        Column("Sport", |row| (&row.sport).into()),
        Column("Category", |row| (&row.category).into()),
        Column("Payment type", |row| row.line.payment_type.as_str().into()),
        Column("Gross", |row| row.line.gross_cents.rounded().into()),
        Column("Fee", |row| row.line.fee_cents.rounded().into()),
        Column("Net", |row| row.line.net_cents.rounded().into()),
        Column("Refunded", |row| row.line.refunded_cents.rounded().into()),
        Column("Currency", |row| (&row.line.currency).into()),
        Column("Status", |row| row.line.status.as_str().into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&Self::Row>,
        most: u64,
    ) -> Result<Vec<Self::Row>> {
        let mut after = after.map_or(0, |row| row.place);
        loop {
            let part = self.records.part(after, most);
            let lines = store::transactions_of(session, &self.wanted, part).await?;
            let key = |line: &TransactionLine| (line.source, line.record_id);
            let lines = in_order(part, after, lines, key);
            if !lines.is_empty() || part.is_empty() {
                self.counter.add(lines.len());
                let rows = lines.into_iter().map(|(place, line)| self.redacted(place, line));
                return Ok(rows.collect());
            }
            after = after.saturating_add(part.len());
        }
    }
}

impl Transactions {
    fn redacted(&self, place: usize, line: TransactionLine) -> Redacted<TransactionLine> {
        let (sport, category) =
            self.groups.told(line.athlete_id, line.sport.clone(), line.category.clone());
        Redacted {
            place,
            athlete: self.pseudonyms.athlete(line.athlete_id.get()),
            payer: self.pseudonyms.payer(&line.payer),
            contract: line.contract_id.map(|id| self.pseudonyms.contract(id.get())),
            months: [Some(month(&self.wanted, line.occurred_at)), None, None],
            sport: or_withheld(sport),
            category: or_withheld(category),
            line,
        }
    }
}

fn or_withheld(told: Option<String>) -> String {
    told.unwrap_or_else(|| WITHHELD.to_owned())
}

/// The lines of these records in the records' order, each with its place among all.
fn in_order<K: Ord + Copy, L>(
    records: &[K],
    before: usize,
    lines: Vec<L>,
    key: impl Fn(&L) -> K,
) -> Vec<(usize, L)> {
    let mut lines: BTreeMap<K, L> = lines.into_iter().map(|line| (key(&line), line)).collect();
    let places = (before.saturating_add(1)..).zip(records);
    places.filter_map(|(place, record)| Some((place, lines.remove(record)?))).collect()
}

/// Contracts without what tells who somebody is.
pub(super) struct Contracts {
    pub(super) wanted: Wanted,
    pub(super) records: Shuffled<ContractId>,
    pub(super) groups: Groups,
    pub(super) pseudonyms: Pseudonyms,
    pub(super) counter: Counter,
}

impl Table for Contracts {
    type Row = Redacted<ContractLine>;
    const SHEET: &'static str = "Contracts";

    const COLUMNS: &'static [Column<Self::Row>] = &[
        Column("Contract", |row| (&row.contract).into()),
        Column("Athlete", |row| (&row.athlete).into()),
        Column("Payer", |row| (&row.payer).into()),
        Column("Sport", |row| (&row.sport).into()),
        Column("Category", |row| (&row.category).into()),
        Column("Agreed amount", |row| row.line.agreed_amount_cents.rounded().into()),
        Column("Currency", |_| USD.into()),
        Column("Status", |row| row.line.status.as_str().into()),
        Column("Generated in", |row| (&row.months[0]).into()),
        Column("Executed in", |row| (&row.months[1]).into()),
        Column("Ended in", |row| (&row.months[2]).into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&Self::Row>,
        most: u64,
    ) -> Result<Vec<Self::Row>> {
        let mut after = after.map_or(0, |row| row.place);
        loop {
            let part = self.records.part(after, most);
            let lines = store::contracts_of(session, &self.wanted, part).await?;
            let lines = in_order(part, after, lines, |line: &ContractLine| line.id);
            if !lines.is_empty() || part.is_empty() {
                self.counter.add(lines.len());
                let rows = lines.into_iter().map(|(place, line)| self.redacted(place, line));
                return Ok(rows.collect());
            }
            after = after.saturating_add(part.len());
        }
    }
}

impl Contracts {
    fn redacted(&self, place: usize, line: ContractLine) -> Redacted<ContractLine> {
        let (sport, category) =
            self.groups.told(line.athlete_id, line.sport.clone(), line.category.clone());
        let ended = line.completed_at.or(line.cancelled_at);
        let instants = [Some(line.generated_at), line.executed_at, ended];
        Redacted {
            place,
            athlete: self.pseudonyms.athlete(line.athlete_id.get()),
            payer: self.pseudonyms.payer(&line.payer),
            contract: Some(self.pseudonyms.contract(line.id.get())),
            months: instants.map(|at| at.map(|at| month(&self.wanted, at))),
            sport: or_withheld(sport),
            category: or_withheld(category),
            line,
        }
    }
}
