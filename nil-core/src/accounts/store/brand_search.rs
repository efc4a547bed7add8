//! The directory of brands: only those that are listed and active.

use sea_query::{Expr, ExprTrait as _, Order, Query};

use crate::accounts::profiles::brand_search::{BrandDirectory, BrandSort, PublicBrand};
use crate::error::Result;
use crate::kernel::{Listing, Paging, PartnerId, Words};
use crate::storage::{Among as _, Dialect, Found, FullText, Narrow as _, Session};

const BRANDS: FullText = FullText {
    table: "partner_search",
    key: "partner_id",
    index: "partner_text",
    texts: ["name", "about"],
};

/// The query of one directory page: ids, in order.
pub fn found(dialect: Dialect, wanted: &BrandDirectory) -> Found {
    let words = wanted.q.as_deref().and_then(Words::of);
    let own = |column| Expr::col((BRANDS.table, column));
    let categories = wanted.business_category_ids.iter().flatten().copied();
    let states = wanted.states.iter().flatten().map(|state| state.to_uppercase());
    let (key, order) = match (wanted.sort, &words) {
        (None | Some(BrandSort::Relevance), Some(words)) => {
            (BRANDS.relevance(dialect, words), Order::Desc)
        }
        (None | Some(BrandSort::Relevance | BrandSort::Newest), _) => {
            (own("partner_id"), Order::Desc)
        }
        (Some(BrandSort::Oldest), _) => (own("partner_id"), Order::Asc),
        (Some(BrandSort::NameUp), _) => (own("sort_name"), Order::Asc),
        (Some(BrandSort::NameDown), _) => (own("sort_name"), Order::Desc),
    };
    let mut rows = Query::select();
    BRANDS.find(&mut rows, dialect, words.as_ref());
    rows.expr(own("partner_id"))
        .and_where(own("listed").eq(true))
        .only_among((BRANDS.table, "business_category_id"), categories)
        .only_among((BRANDS.table, "state"), states)
        .order_by_expr(key, order.clone())
        .order_by((BRANDS.table, "partner_id"), order);
    Found::by_words(rows)
}

/// A page of brands.
pub async fn page(
    session: &mut Session,
    wanted: &BrandDirectory,
    paging: Paging,
) -> Result<Listing<PublicBrand>> {
    let found = found(session.dialect(), wanted);
    let (ids, place) = session.page::<(PartnerId,)>(found, paging).await?.split();
    let columns = [
        "id",
        "company_name",
        "business_category_id",
        "website",
        "about",
        "logo_url",
        "hq_city",
        "hq_state",
    ];
    let mut brands: Vec<PublicBrand> = session
        .all(
            Query::select()
                .columns(columns)
                .from("partner")
                .and_where(Expr::col("id").among(ids.iter().map(|(id,)| id.get())))
                .take(),
        )
        .await?;
    brands.sort_by_key(|brand| ids.iter().position(|(id,)| *id == brand.id));
    Ok(place.of(brands))
}
