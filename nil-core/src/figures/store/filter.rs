//! The only place that turns a filter into SQL.

use sea_query::{
    Cond, Condition, Expr, ExprTrait as _, Func, IntoIden as _, IntoTableRef as _, IntoValueTuple,
    JoinType, Query, SelectStatement, TableRef,
};

use crate::figures::filter::Wanted;
use crate::figures::period::Step;
use crate::institutions::DealFlag;
use crate::kernel::Time;
use crate::storage::{Among as _, contains, whose};

/// A column of `college_transaction`.
pub fn own(column: &'static str) -> Expr {
    Expr::col(("t", column))
}

/// The sum of a column; 0 for no rows.
pub fn sum(column: &'static str) -> Expr {
    sum_of(own(column))
}

/// The sum of an expression; 0 for no rows.
pub fn sum_of(what: Expr) -> Expr {
    let sum = Expr::from(Func::sum(what));
    Expr::from(Func::coalesce([sum, Expr::val(0_i64)])).cast_as("BIGINT")
}

/// Whether a transaction is late at `now`.
pub fn late(now: Time) -> Expr {
    let late = own("late_from").is_not_null().and(own("late_from").lt(now));
    Expr::case(late, Expr::val(true)).finally(Expr::val(false)).into()
}

/// The transactions for lists: in every status, unless some are requested.
pub fn listed(wanted: &Wanted) -> SelectStatement {
    let mut query = Query::select();
    query.from_as("college_transaction", "t");
    query.cond_where(transactions(wanted));
    if let Some(since) = wanted.since() {
        query.and_where(own("occurred_at").gte(since));
    }
    if let Some(until) = wanted.until() {
        query.and_where(own("occurred_at").lt(until));
    }
    query
}

/// The transactions for figures: those that are money, unless statuses are requested.
pub fn counted(wanted: &Wanted) -> SelectStatement {
    let mut query = listed(wanted);
    if wanted.statuses.is_empty() {
        query.and_where(own("counted"));
    }
    query
}

/// The transactions for figures, joined to their steps: `step.column1` is the step's index in the
/// series. They are those that are money, unless statuses are requested.
pub fn counted_in(wanted: &Wanted, steps: &[Step]) -> SelectStatement {
    let mut query = Query::select();
    query
        .from(all_steps(steps))
        .cross_join("college_transaction".into_table_ref().alias("t"))
        .cond_where(transactions(wanted));
    if wanted.statuses.is_empty() {
        query.and_where(own("counted"));
    }
    in_step(&mut query, own("occurred_at"));
    query
}

/// The steps of a series, as the table `step`.
pub fn all_steps(steps: &[Step]) -> TableRef {
    let steps = (0_i64..).zip(steps).map(|(place, step)| (place, step.from, step.until));
    TableRef::ValuesList(steps.map(IntoValueTuple::into_value_tuple).collect(), "step".into_iden())
}

/// Limits rows to the period of their step.
pub fn in_step(query: &mut SelectStatement, at: Expr) {
    query
        .and_where(at.clone().gte(Expr::col(("step", "column2"))))
        .and_where(at.lt(Expr::col(("step", "column3"))));
}

/// All conditions except the time.
fn transactions(wanted: &Wanted) -> Condition {
    let mut all = persons(wanted, "t", "athlete_id")
        .add(whose(("t", "college_id"), few_athletes(wanted)).eq(wanted.college.get()))
        .add_option(among(own("category_id"), &wanted.categories))
        .add_option(among(own("source"), &wanted.sources))
        .add_option(among(own("status"), &wanted.statuses));
    if let Some(least) = wanted.least {
        all = all.add(own("gross_cents").gte(least.get()));
    }
    if let Some(most) = wanted.most {
        all = all.add(own("gross_cents").lte(most.get()));
    }
    if wanted.words.is_some() {
        all = all.add(named(wanted.words.as_deref()));
    }
    if !wanted.flags.is_empty() {
        let flags = wanted.flags.iter().map(|flag| match flag {
            DealFlag::Late => own("late_from").lt(wanted.now),
            DealFlag::OverThreshold => own("over_threshold"),
            DealFlag::ProhibitedCategory => own("prohibited_category"),
            DealFlag::ConflictSponsor => own("conflict_sponsor"),
            DealFlag::AssociatedEntity => own("associated_entity"),
            DealFlag::Minor => own("minor"),
        });
        all = all.add(flags.fold(Cond::any(), Condition::add));
    }
    all
}

/// Whether the number, the athlete's or the payer's name contains these words.
fn named(words: Option<&str>) -> Condition {
    let athletes = Query::select()
        .expr(Expr::val(1))
        .from_as("athlete", "na")
        .and_where(Expr::cust("na.id = t.athlete_id"))
        .cond_where(contains([Expr::cust("na.display_name")], words))
        .take();
    let payments = Query::select()
        .expr(Expr::val(1))
        .from_as("payment", "np")
        .join_as(JoinType::InnerJoin, "partner", "nb", Expr::cust("nb.id = np.partner_id"))
        .and_where(Expr::cust("np.id = t.record_id AND t.source = 'platform'"))
        .cond_where(contains(["np.number", "nb.company_name"].map(Expr::cust), words))
        .take();
    let disclosed = Query::select()
        .expr(Expr::val(1))
        .from_as("disclosed_job", "nd")
        .and_where(Expr::cust("nd.id = t.record_id AND t.source = 'disclosed'"))
        .cond_where(contains(["'DISCLOSED-' || nd.id", "nd.payer_name"].map(Expr::cust), words))
        .take();
    [athletes, payments, disclosed]
        .into_iter()
        .fold(Cond::any(), |any, found| any.add(Expr::exists(found)))
}

/// Limits athletes to the filter and to the sports the caller is limited to: in a table with the
/// columns `sport_id` and `gender`, and the athlete's id in `id`.
pub fn persons(wanted: &Wanted, table: &'static str, id: &'static str) -> Condition {
    let column = |column: &'static str| Expr::col((table, column));
    let sport = whose((table, "sport_id"), few_athletes(wanted));
    Cond::all()
        .add_option(among(sport.clone(), &wanted.limited_to))
        .add_option(among(sport, &wanted.sports))
        .add_option(among(column("gender"), &wanted.genders))
        .add_option(among(column(id), &wanted.athletes))
}

/// Whether athletes are named: rows are found by them, not by their institution or sport.
fn few_athletes(wanted: &Wanted) -> bool {
    !wanted.athletes.is_empty()
}

/// Limits a column to these values; empty means all.
fn among<T: Copy + Into<sea_query::Value>>(column: Expr, values: &[T]) -> Option<Expr> {
    (!values.is_empty()).then(|| column.among(values.iter().map(|value| (*value).into())))
}
