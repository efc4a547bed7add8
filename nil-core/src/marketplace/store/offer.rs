//! The rows of offers, and their search.

use sea_query::{Expr, ExprTrait as _, JoinType, LockType, Order, Query, SelectStatement};

use crate::error::Result;
use crate::kernel::{AthleteId, Date, Listing, Paging, ServiceOfferId, Time, Words};
use crate::marketplace::offer::{Content, OfferSort, SearchOffers};
use crate::orders::Offer;
use crate::storage::{
    Among as _, Dialect, Found, FullText, Narrow as _, Session, insert, ranged, sql, update,
};

const OFFERS: FullText = FullText {
    table: "service_offer",
    key: "id",
    index: "service_offer_text",
    texts: ["title", "description"],
};

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
        .take()
}

/// The offer of an athlete, locked.
pub async fn lock_of(
    session: &mut Session,
    id: ServiceOfferId,
    athlete: AthleteId,
) -> Result<Offer> {
    let mut query = records();
    query
        .and_where(own("id").eq(id.get()))
        .and_where(own("athlete_id").eq(athlete.get()))
        .lock_with_tables(LockType::Update, [OFFERS.table]);
    session.one(query).await
}

/// The offer, if it can be ordered. It cannot change until the transaction ends.
pub async fn on_sale(session: &mut Session, id: ServiceOfferId) -> Result<Offer> {
    let mut query = records();
    query
        .and_where(own("id").eq(id.get()))
        .and_where(own("active").eq(true))
        .lock_with_tables(LockType::Share, [OFFERS.table]);
    session.one(query).await
}

/// The number of offers of an athlete. The athlete is locked, so that concurrent calls count one
/// after the other.
pub async fn count_held(session: &mut Session, athlete: AthleteId) -> Result<i64> {
    session.lock("athlete", athlete).await?;
    let count = sql("SELECT COUNT(*) FROM service_offer WHERE athlete_id = $1");
    session.value(count.bind(athlete)).await
}

/// Adds a new offer.
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

/// Changes the content of a locked offer.
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

/// A page of an athlete's own offers, newest first.
pub async fn page_of(
    session: &mut Session,
    athlete: AthleteId,
    paging: Paging,
) -> Result<Listing<Offer>> {
    let mut rows = records();
    rows.and_where(own("athlete_id").eq(athlete.get())).order_by((OFFERS.table, "id"), Order::Desc);
    session.page(rows, paging).await
}

/// The ids found by a search, in order. The offer's own row contains everything searched; triggers
/// maintain it.
pub fn found(dialect: Dialect, wanted: &SearchOffers, of_age: Date) -> Found {
    let words = wanted.q.as_deref().and_then(Words::of);
    let (key, order) = match (wanted.sort, &words) {
        (None | Some(OfferSort::Relevance), Some(words)) => {
            (OFFERS.relevance(dialect, words), Order::Desc)
        }
        (None | Some(OfferSort::Relevance | OfferSort::Newest), _) => (own("id"), Order::Desc),
        (Some(OfferSort::PriceUp), _) => (own("price_cents"), Order::Asc),
        (Some(OfferSort::PriceDown), _) => (own("price_cents"), Order::Desc),
    };
    let by_price = matches!(wanted.sort, Some(OfferSort::PriceUp | OfferSort::PriceDown));
    let price = ranged(dialect, (OFFERS.table, "price_cents"), by_price);
    let mut rows = Query::select();
    OFFERS.find(&mut rows, dialect, words.as_ref());
    rows.expr(own("id"))
        .and_where(own("active").eq(true))
        .and_where(own("born_on").lte(of_age))
        .only((OFFERS.table, "athlete_id"), wanted.athlete_id)
        .only_among((OFFERS.table, "kind"), wanted.kinds.iter().flatten().copied())
        .only_among((OFFERS.table, "sport_id"), wanted.sport_ids.iter().flatten().copied())
        .only_among(
            (OFFERS.table, "university_id"),
            wanted.university_ids.iter().flatten().copied(),
        )
        .only_within(price, wanted.min_price_cents, wanted.max_price_cents)
        .order_by_expr(key, order.clone())
        .order_by((OFFERS.table, "id"), order);
    Found::by_words(rows)
}

/// A page of the offers found (at most 10,000 are counted).
pub async fn search(
    session: &mut Session,
    wanted: &SearchOffers,
    of_age: Date,
    paging: Paging,
) -> Result<Listing<Offer>> {
    let found = found(session.dialect(), wanted, of_age);
    let (ids, place) = session.page::<(ServiceOfferId,)>(found, paging).await?.split();
    let mut query = records();
    query.and_where(own("id").among(ids.iter().map(|(id,)| id.get())));
    let mut offers: Vec<Offer> = session.all(query).await?;
    offers.sort_by_key(|offer| ids.iter().position(|(id,)| *id == offer.id));
    Ok(place.of(offers))
}
