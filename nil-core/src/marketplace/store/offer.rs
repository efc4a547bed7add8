//! The rows of offers, and finding them.

use sea_query::{Expr, ExprTrait as _, JoinType, LockType, Order, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::{AthleteId, Date, Paging, ServiceOfferId, Time, Words};
use crate::marketplace::offer::Offer;
use crate::marketplace::offering::Content;
use crate::marketplace::searching::{OfferSort, SearchOffers};
use crate::storage::{Among as _, Dialect, FullText, Session, counted, insert, sql, update};

const OFFERS: FullText =
    FullText { table: "service_offer", key: "id", index: "service_offer_text" };

const OWN: [&str; 11] = [
    "id",
    "athlete_id",
    "kind",
    "platform",
    "title",
    "description",
    "price_cents",
    "delivery_days",
    "active",
    "created_at",
    "updated_at",
];

fn own(column: &'static str) -> Expr {
    Expr::col((OFFERS.table, column))
}

fn records() -> SelectStatement {
    let on = Expr::col(("a", "id")).equals((OFFERS.table, "athlete_id"));
    Query::select()
        .columns(OWN.map(|column| (OFFERS.table, column)))
        .expr(Expr::cust(
            "a.display_name AS athlete_name, a.sport_id, a.university_id, 'usd' AS currency",
        ))
        .from(OFFERS.table)
        .join_as(JoinType::InnerJoin, "athlete", "a", on)
        .to_owned()
}

/// The offer of an athlete, held.
pub async fn hold_of(
    session: &mut Session,
    id: ServiceOfferId,
    athlete: AthleteId,
) -> Result<Option<Offer>> {
    let mut query = records();
    query
        .and_where(own("id").eq(id.get()))
        .and_where(own("athlete_id").eq(athlete.get()))
        .lock_with_tables(LockType::Update, [OFFERS.table]);
    session.first(query).await
}

/// The offer, if it can be ordered. It stays as it is until the transaction ends.
pub async fn on_sale(session: &mut Session, id: ServiceOfferId) -> Result<Option<Offer>> {
    let mut query = records();
    query
        .and_where(own("id").eq(id.get()))
        .and_where(own("active").eq(true))
        .lock_with_tables(LockType::Share, [OFFERS.table]);
    session.first(query).await
}

/// How many offers an athlete has. The athlete is held, so that two calls count one after the other.
pub async fn count_held(session: &mut Session, athlete: AthleteId) -> Result<i64> {
    const HELD: &str = "SELECT id FROM athlete WHERE id = $1";
    let held = sql(HELD).locking("SELECT id FROM athlete WHERE id = $1 FOR NO KEY UPDATE");
    let _: AthleteId = session.value(held.bind(athlete)).await?;
    let count = sql("SELECT COUNT(*) FROM service_offer WHERE athlete_id = $1");
    session.value(count.bind(athlete)).await
}

/// Writes a new offer.
pub async fn add(
    session: &mut Session,
    athlete: AthleteId,
    content: &Content,
    now: Time,
) -> Result<Offer> {
    let id: ServiceOfferId = session
        .value(
            insert(OFFERS.table)
                .set("athlete_id", athlete)
                .set("kind", content.kind)
                .set("platform", content.platform)
                .set("title", content.title.clone())
                .set("description", content.description.clone())
                .set("price_cents", content.price)
                .set("delivery_days", content.delivery_days)
                .set("active", content.active)
                .set("created_at", now)
                .set("updated_at", now)
                .returning(&["id"]),
        )
        .await?;
    again(session, id).await
}

/// Writes what a held offer says from now on.
pub async fn rewrite(
    session: &mut Session,
    id: ServiceOfferId,
    content: &Content,
    now: Time,
) -> Result<Offer> {
    session
        .change(
            update(OFFERS.table)
                .set("kind", content.kind)
                .set("platform", content.platform)
                .set("title", content.title.clone())
                .set("description", content.description.clone())
                .set("price_cents", content.price)
                .set("delivery_days", content.delivery_days)
                .set("active", content.active)
                .set("updated_at", now)
                .when("id", id),
        )
        .await?;
    again(session, id).await
}

async fn again(session: &mut Session, id: ServiceOfferId) -> Result<Offer> {
    let mut query = records();
    query.and_where(own("id").eq(id.get()));
    session.one(query).await
}

/// A page of an athlete's own offers, newest first, and how many there are.
pub async fn page_of(
    session: &mut Session,
    athlete: AthleteId,
    paging: Paging,
) -> Result<(Vec<Offer>, i64)> {
    let count = sql("SELECT COUNT(*) FROM service_offer WHERE athlete_id = $1");
    let total = session.value(count.bind(athlete)).await?;
    let mut query = records();
    query
        .and_where(own("athlete_id").eq(athlete.get()))
        .order_by((OFFERS.table, "id"), Order::Desc)
        .limit(paging.limit().unsigned_abs())
        .offset(paging.offset().unsigned_abs());
    Ok((session.all(query).await?, total))
}

/// The statements of one search: the ids of a page, in order, and how many are found. The offer's row
/// alone says whether it is found; triggers see to that.
pub fn statements(
    dialect: Dialect,
    wanted: &SearchOffers,
    of_age: Date,
    paging: Paging,
) -> (SelectStatement, SelectStatement) {
    let words = wanted.q.as_deref().and_then(Words::of);
    let found = || {
        let mut query = Query::select();
        OFFERS.find(&mut query, dialect, words.as_ref());
        query.and_where(own("active").eq(true)).and_where(own("born_on").lte(of_age));
        narrow(&mut query, wanted);
        query
    };
    let (key, order) = match (wanted.sort, &words) {
        (None | Some(OfferSort::Relevance), Some(words)) => {
            (OFFERS.relevance(dialect, words), Order::Desc)
        }
        (None | Some(OfferSort::Relevance | OfferSort::Newest), _) => (own("id"), Order::Desc),
        (Some(OfferSort::PriceUp), _) => (own("price_cents"), Order::Asc),
        (Some(OfferSort::PriceDown), _) => (own("price_cents"), Order::Desc),
    };
    let count = counted(found().expr(Expr::cust("1")).to_owned());
    let page = found()
        .expr(own("id"))
        .order_by_expr(key, order.clone())
        .order_by((OFFERS.table, "id"), order)
        .limit(paging.limit().unsigned_abs())
        .offset(paging.offset().unsigned_abs())
        .to_owned();
    (page, count)
}

/// What the input asks for.
fn narrow(query: &mut SelectStatement, wanted: &SearchOffers) {
    if let Some(athlete) = wanted.athlete_id {
        query.and_where(own("athlete_id").eq(athlete.get()));
    }
    if let Some(kinds) = &wanted.kinds {
        query.and_where(own("kind").among(kinds.iter().map(|kind| kind.as_str())));
    }
    if let Some(ids) = &wanted.sport_ids {
        query.and_where(own("sport_id").among(ids.iter().map(|id| id.get())));
    }
    if let Some(ids) = &wanted.university_ids {
        query.and_where(own("university_id").among(ids.iter().map(|id| id.get())));
    }
    if let Some(least) = wanted.min_price_cents {
        query.and_where(own("price_cents").gte(least.get()));
    }
    if let Some(most) = wanted.max_price_cents {
        query.and_where(own("price_cents").lte(most.get()));
    }
}

/// A page of offers and how many are found (10,000 at most are counted).
pub async fn search(
    session: &mut Session,
    wanted: &SearchOffers,
    of_age: Date,
    paging: Paging,
) -> Result<(Vec<Offer>, i64)> {
    let (page, count) = statements(session.dialect(), wanted, of_age, paging);
    let total = session.value(count).await?;
    let ids: Vec<(ServiceOfferId,)> = session.all(page).await?;
    let mut query = records();
    query.and_where(own("id").among(ids.iter().map(|(id,)| id.get())));
    let mut offers: Vec<Offer> = session.all(query).await?;
    offers.sort_by_key(|offer| ids.iter().position(|(id,)| *id == offer.id));
    Ok((offers, total))
}
