//! The rows of colleges; the submodules have those of settings, rules and consents.

pub(super) mod consent;
pub(super) mod rule;
pub(super) mod setting;

use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};
use serde_json::{Value, json};

use super::College;
use super::college::{
    CollegeStatus, ListAllColleges, ListColleges, SaveCollege, WhichCollege, in_order,
};
use crate::error::Result;
use crate::kernel::{CollegeId, FollowedPage, Listing, NameSort, Paging, Slug, Time};
use crate::storage::{
    Among as _, Key, Narrow as _, Selected as _, Session, contains, insert, sorted, sql, update,
};

/// A page of listed colleges by name.
pub(super) async fn listed(
    session: &mut Session,
    wanted: &ListColleges,
    place: FollowedPage,
) -> Result<Listing<College>> {
    let mut rows = Query::select();
    rows.columns(College::COLUMNS.iter().copied())
        .from("college")
        .and_where(Expr::col("listed").eq(true))
        .only("state", wanted.state.as_deref().map(str::to_uppercase))
        .only("conference", wanted.conference.as_deref())
        .only("division", wanted.division)
        .cond_where(contains([Expr::col("name")], wanted.q.as_deref()));
    let keys = ["name", "id"].map(|column| Key::up(Expr::col(column)));
    session.follow(sorted(rows, keys), place).await
}

/// Every college by name; only those with this text, if given.
pub(super) async fn all(session: &mut Session, text: Option<&str>) -> Result<Vec<College>> {
    session.all(by_name(text)).await
}

/// A page of colleges by name, listed or not.
pub(super) async fn page_of_all(
    session: &mut Session,
    wanted: &ListAllColleges,
    paging: Paging,
) -> Result<Listing<College>> {
    let listed = wanted.status.one().map(|status| status == CollegeStatus::Listed);
    let mut rows = with_words(wanted.q.as_deref());
    rows.only("listed", listed).only("id", wanted.id.one()?).in_order(
        wanted.sort.unwrap_or(NameSort::NameUp),
        Expr::col("name"),
        Expr::col("id"),
    );
    session.page(rows, paging).await
}

fn by_name(text: Option<&str>) -> SelectStatement {
    with_words(text).in_order(NameSort::NameUp, Expr::col("name"), Expr::col("id")).take()
}

fn with_words(text: Option<&str>) -> SelectStatement {
    let texts = ["name", "short_name", "slug", "conference"].map(Expr::col);
    let mut rows = Query::select();
    rows.columns(College::COLUMNS.iter().copied())
        .from("college")
        .cond_where(contains(texts, text));
    rows
}

/// The college, its row locked until the transaction ends.
pub(super) async fn lock(session: &mut Session, which: &WhichCollege) -> Result<Option<College>> {
    let mut rows = Query::select();
    rows.columns(College::COLUMNS.iter().copied()).from("college").lock(LockType::NoKeyUpdate);
    match which {
        WhichCollege::Id(id) => rows.and_where(Expr::col("id").eq(id.get())),
        WhichCollege::Slug(slug) => rows.and_where(Expr::col("slug").eq(slug.as_str())),
    };
    session.first(rows).await
}

/// The colleges with these slugs, their rows locked in the order of their ids until the transaction
/// ends.
pub(super) async fn lock_named<'s>(
    session: &mut Session,
    slugs: impl IntoIterator<Item = &'s str>,
) -> Result<Vec<College>> {
    let mut rows = Query::select();
    rows.columns(College::COLUMNS.iter().copied())
        .from("college")
        .and_where(Expr::col("slug").among(slugs))
        .order_by("id", Order::Asc)
        .lock(LockType::NoKeyUpdate);
    session.all(rows).await
}

/// Those of these codes that are codes of states.
pub(super) async fn states_among(
    session: &mut Session,
    codes: impl IntoIterator<Item = String>,
) -> Result<Vec<(String,)>> {
    let mut rows = Query::select();
    rows.column("code").from("state").and_where(Expr::col("code").among(codes));
    session.all(rows).await
}

/// Whether a state with this code exists.
pub(super) async fn state_exists(session: &mut Session, code: &str) -> Result<bool> {
    session.exists(sql("SELECT code FROM state WHERE code = $1").bind(code.to_uppercase())).await
}

/// Creates a college.
pub(super) async fn add(session: &mut Session, input: &SaveCollege, now: Time) -> Result<College> {
    let short_name = input.short_name.as_deref().unwrap_or(&input.name);
    let slug = input.slug.as_deref().map_or_else(|| slug_of(&input.name), str::to_owned);
    session
        .one(
            insert("college")
                .set("name", input.name.to_string())
                .set("short_name", short_name)
                .set("slug", slug)
                .set("conference", input.conference.as_deref().map(str::to_owned))
                .set("division", input.division)
                .set("state", input.state.to_uppercase())
                .set("time_zone", input.time_zone.to_string())
                .set("email_domains", json!(input.email_domains.as_deref().unwrap_or_default()))
                .set("listed", input.listed.unwrap_or(true))
                .set("participation", participation(input).unwrap_or_else(|| json!([])))
                .set("created_at", now)
                .set("updated_at", now)
                .returning(College::COLUMNS),
        )
        .await
}

/// Changes a college; omitted fields keep their values.
pub(super) async fn change(
    session: &mut Session,
    id: CollegeId,
    input: &SaveCollege,
    now: Time,
) -> Result<College> {
    let row = update("college")
        .set("name", input.name.to_string())
        .set("division", input.division)
        .set("state", input.state.to_uppercase())
        .set("time_zone", input.time_zone.to_string())
        .set("updated_at", now)
        .when("id", id)
        .given("conference", input.conference.as_deref())
        .given("short_name", input.short_name.as_deref())
        .given("slug", input.slug.as_deref())
        .given("email_domains", input.email_domains.as_ref().map(|domains| json!(domains)))
        .given("listed", input.listed)
        .given("participation", participation(input));
    session.one(row.returning(College::COLUMNS)).await
}

/// The changes of its participation, the earliest first.
fn participation(input: &SaveCollege) -> Option<Value> {
    Some(json!(in_order(input.participation.as_deref()?)))
}

/// Derives the URL name from a name.
pub(super) fn slug_of(name: &str) -> String {
    Slug::of_name(name, "college").to_string()
}
