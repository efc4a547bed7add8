//! The directory of brands: listed ones in use only.

use sea_query::{Expr, ExprTrait as _, Order, Query, SelectStatement};

use crate::accounts::directory::{BrandDirectory, BrandSort, PublicBrand};
use crate::error::Result;
use crate::kernel::{Paging, PartnerId, Words};
use crate::storage::{Among as _, Dialect, FullText, Session, counted};

const BRANDS: FullText =
    FullText { table: "partner_search", key: "partner_id", index: "partner_text" };

/// The statements of one look: the ids of a page, in order, and how many there are.
pub fn statements(
    dialect: Dialect,
    wanted: &BrandDirectory,
    paging: Paging,
) -> (SelectStatement, SelectStatement) {
    let words = wanted.q.as_deref().and_then(Words::of);
    let own = |column| Expr::col((BRANDS.table, column));
    let found = || {
        let mut query = Query::select();
        BRANDS.find(&mut query, dialect, words.as_ref());
        query.and_where(own("listed").eq(true));
        if let Some(ids) = &wanted.business_category_ids {
            query.and_where(own("business_category_id").among(ids.iter().map(|id| id.get())));
        }
        if let Some(states) = &wanted.states {
            query.and_where(own("state").among(states.iter().map(|s| s.to_uppercase())));
        }
        query
    };
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
    let count = counted(found().expr(Expr::cust("1")).to_owned());
    let page = found()
        .expr(own("partner_id"))
        .order_by_expr(key, order.clone())
        .order_by((BRANDS.table, "partner_id"), order)
        .limit(paging.limit().unsigned_abs())
        .offset(paging.offset().unsigned_abs())
        .to_owned();
    (page, count)
}

/// A page of brands and how many there are (10,000 at most are counted).
pub async fn search(
    session: &mut Session,
    wanted: &BrandDirectory,
    paging: Paging,
) -> Result<(Vec<PublicBrand>, i64)> {
    let (page, count) = statements(session.dialect(), wanted, paging);
    let total = session.value(count).await?;
    let ids: Vec<(PartnerId,)> = session.all(page).await?;
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
                .to_owned(),
        )
        .await?;
    brands.sort_by_key(|brand| ids.iter().position(|(id,)| *id == brand.id));
    Ok((brands, total))
}
