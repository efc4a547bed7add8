//! Records without what tells who somebody is: pseudonyms, months for instants, and no group of few athletes.

use std::collections::{BTreeMap, BTreeSet};

use super::filter::Wanted;
use super::store::export::{self as store, ContractLine, TransactionLine};
use super::store::public_record::Member;
use crate::error::Result;
use crate::export::{Column, Counter, Table};
use crate::institutions::company_key;
use crate::kernel::{RecordsRequestId, Time};
use crate::platform::Platform;
use crate::storage::Session;

/// What stands for a value that is not told.
const WITHHELD: &str = "withheld";
/// The currency of amounts without a currency column.
const USD: &str = "usd";

/// The pseudonyms of one request: the same in all its files, other ones for other requests. They are keyed, so that
/// nobody can find them out by trying ids or names.
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

    /// The same company in another spelling has the same pseudonym.
    fn payer(&self, name: &str) -> String {
        self.of("payer", &company_key(name))
    }

    fn contract(&self, id: i64) -> String {
        self.of("contract", &id.to_string())
    }
}

/// The sports, and the pairs of a sport and a category, that stand for enough athletes.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    sports: BTreeSet<Option<String>>,
    pairs: BTreeSet<(Option<String>, String)>,
}

impl Groups {
    pub(super) fn of(members: Vec<Member>, least: i64) -> Self {
        let mut sports: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        let mut pairs: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for Member { athlete_id, sport, category } in members {
            sports.entry(sport.clone()).or_default().insert(athlete_id);
            pairs.entry((sport, category)).or_default().insert(athlete_id);
        }
        let least = usize::try_from(least).unwrap_or(usize::MAX);
        sports.retain(|_, athletes| athletes.len() >= least);
        pairs.retain(|_, athletes| athletes.len() >= least);
        Self { sports: sports.into_keys().collect(), pairs: pairs.into_keys().collect() }
    }

    /// The sport and the category, as far as they can be told.
    fn told(&self, sport: Option<String>, category: String) -> (String, String) {
        let name = |sport: Option<String>| sport.unwrap_or_else(|| "none".to_owned());
        let pair = (sport, category);
        if self.pairs.contains(&pair) {
            return (name(pair.0), pair.1);
        }
        let sport = if self.sports.contains(&pair.0) { name(pair.0) } else { WITHHELD.to_owned() };
        (sport, WITHHELD.to_owned())
    }
}

/// Transactions without what tells who somebody is.
pub(super) struct Transactions {
    pub(super) wanted: Wanted,
    pub(super) groups: Groups,
    pub(super) pseudonyms: Pseudonyms,
    pub(super) counter: Counter,
}

/// A row with what is told in place of names.
#[derive(Clone, Debug)]
pub(super) struct Redacted<L> {
    line: L,
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

    const COLUMNS: &'static [Column<Self::Row>] = &[
        Column("Source", |row| row.line.source.as_str().into()),
        Column("Month", |row| (&row.months[0]).into()),
        Column("Athlete", |row| (&row.athlete).into()),
        Column("Payer", |row| (&row.payer).into()),
        Column("Contract", |row| (&row.contract).into()),
        Column("Sport", |row| (&row.sport).into()),
        Column("Category", |row| (&row.category).into()),
        Column("Payment type", |row| row.line.payment_type.as_str().into()),
        Column("Gross", |row| row.line.gross_cents.into()),
        Column("Fee", |row| row.line.fee_cents.into()),
        Column("Net", |row| row.line.net_cents.into()),
        Column("Refunded", |row| row.line.refunded_cents.into()),
        Column("Currency", |row| (&row.line.currency).into()),
        Column("Status", |row| row.line.status.as_str().into()),
    ];

    async fn next(
        &self,
        session: &mut Session,
        after: Option<&Self::Row>,
        most: u64,
    ) -> Result<Vec<Self::Row>> {
        let last = after.map(|row| &row.line);
        let lines = store::transactions(session, &self.wanted, last, most).await?;
        self.counter.add(lines.len());
        let redacted = lines.into_iter().map(|line| {
            let (sport, category) = self.groups.told(line.sport.clone(), line.category.clone());
            Redacted {
                athlete: self.pseudonyms.athlete(line.athlete_id.get()),
                payer: self.pseudonyms.payer(&line.payer),
                contract: line.contract_id.map(|id| self.pseudonyms.contract(id.get())),
                months: [Some(month(&self.wanted, line.occurred_at)), None, None],
                sport,
                category,
                line,
            }
        });
        Ok(redacted.collect())
    }
}

/// Contracts without what tells who somebody is.
pub(super) struct Contracts {
    pub(super) wanted: Wanted,
    pub(super) groups: Groups,
    pub(super) pseudonyms: Pseudonyms,
    pub(super) counter: Counter,
}

impl Table for Contracts {
    type Row = Redacted<ContractLine>;

    const COLUMNS: &'static [Column<Self::Row>] = &[
        Column("Contract", |row| (&row.contract).into()),
        Column("Athlete", |row| (&row.athlete).into()),
        Column("Payer", |row| (&row.payer).into()),
        Column("Sport", |row| (&row.sport).into()),
        Column("Category", |row| (&row.category).into()),
        Column("Agreed amount", |row| row.line.agreed_amount_cents.into()),
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
        let last = after.map(|row| row.line.id);
        let lines = store::contracts(session, &self.wanted, last, most).await?;
        self.counter.add(lines.len());
        let redacted = lines.into_iter().map(|line| {
            let (sport, category) = self.groups.told(line.sport.clone(), line.category.clone());
            let ended = line.completed_at.or(line.cancelled_at);
            let instants = [Some(line.generated_at), line.executed_at, ended];
            Redacted {
                athlete: self.pseudonyms.athlete(line.athlete_id.get()),
                payer: self.pseudonyms.payer(&line.payer),
                contract: Some(self.pseudonyms.contract(line.id.get())),
                months: instants.map(|at| at.map(|at| month(&self.wanted, at))),
                sport,
                category,
                line,
            }
        });
        Ok(redacted.collect())
    }
}
