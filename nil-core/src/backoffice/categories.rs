//! Operators see and keep the lists that users choose from: sports, categories of jobs and of
//! businesses.
//!
//! A slug is for good, because rules and addresses name the entry by it. Nothing is deleted: an
//! entry that is not active cannot be chosen any more and stays where it was chosen.

use schemars::JsonSchema;
use sea_query::{Expr, ExprTrait as _, LockType, Order, Query, SelectStatement};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::auth::Operator;
use crate::error::{Result, Wrong, codes};
use crate::kernel::combined::shared;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    BusinessCategoryId, CategoryId, Combined, Identity, Listing, Nothing, Paged, Revision, Slug,
    SportId, Text,
};
use crate::operation::{Cx, Done, Revisable, Revised, Subject, Work};
use crate::storage::{FromRow, Narrow as _, contains, insert, update};

/// An entry of a list to create (without `id`) or to change. Omitted fields keep their values.
#[derive(Clone, Debug, JsonSchema)]
pub struct SaveEntry<Id> {
    /// The entry to change; omit it to create one.
    pub id: Option<Id>,
    /// Its name (required for a new entry).
    pub name: Option<Text<1, 80>>,
    /// The name in addresses and rules (default: made from the name); cannot be changed later.
    pub slug: Option<Slug>,
    /// Whether it can be chosen (default true). Records that have it keep it.
    pub active: Option<bool>,
    /// Its place in the list, from 1 (default: the last). Entries of one place stand in the order
    /// of their ids.
    #[schemars(range(min = 1, max = 10_000))]
    pub position: Option<i64>,
    /// The revision that the caller has seen; 409 `state_changed` if the entry has another one.
    pub revision: Option<Revision>,
}

impl<Id> Default for SaveEntry<Id> {
    fn default() -> Self {
        Self { id: None, name: None, slug: None, active: None, position: None, revision: None }
    }
}

shared!(SaveEntry<Id> { id, name, slug, active, position, revision });

/// What a category has beside the fields of every entry.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct Sensitivity {
    /// Whether institutions often restrict it, such as gambling or alcohol (default false).
    pub sensitive: Option<bool>,
}

/// A sport to create or to change.
pub type SaveSport = Combined<SaveEntry<SportId>, Nothing>;
/// A category of jobs to create or to change.
pub type SaveJobCategory = Combined<SaveEntry<CategoryId>, Sensitivity>;
/// A category of businesses to create or to change.
pub type SaveBusinessCategory = Combined<SaveEntry<BusinessCategoryId>, Sensitivity>;

/// An entry of a list that users choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct ListEntry {
    /// The entry's id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// The name in addresses and rules.
    pub slug: String,
    /// Whether institutions often restrict it; null for a sport.
    #[row(default)]
    pub sensitive: Option<bool>,
    /// Whether it can be chosen.
    pub active: bool,
    /// Its place in the list.
    pub position: i64,
}

impl Revisable for ListEntry {
    fn content(&self) -> Value {
        json!(self)
    }
}

vocabulary! {
    /// The order of the entries of a list that users choose from.
    EntrySort {
        /// As users see them.
        PositionUp = "position",
        /// The last one first.
        PositionDown = "-position",
        /// By name, A to Z.
        NameUp = "name",
        /// By name, Z to A.
        NameDown = "-name",
    }
}

/// The entries to list.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ListEntries {
    /// Only entries that can be chosen, or only those that cannot.
    pub active: Option<bool>,
    /// Part of the name or of the slug.
    pub q: Option<Text<0, 100>>,
    /// The order (default as users see them).
    pub sort: Option<EntrySort>,
}

/// Lists the sports, also those that cannot be chosen.
pub async fn list_sport(
    cx: Cx<Operator>,
    input: Paged<ListEntries>,
) -> Result<Listing<Revised<ListEntry>>> {
    list::<SportId>(&cx, input).await
}

/// Lists the categories of jobs, also those that cannot be chosen.
pub async fn list_job(
    cx: Cx<Operator>,
    input: Paged<ListEntries>,
) -> Result<Listing<Revised<ListEntry>>> {
    list::<CategoryId>(&cx, input).await
}

/// Lists the categories of businesses, also those that cannot be chosen.
pub async fn list_business(
    cx: Cx<Operator>,
    input: Paged<ListEntries>,
) -> Result<Listing<Revised<ListEntry>>> {
    list::<BusinessCategoryId>(&cx, input).await
}

/// Creates or changes a sport. 404 for an unknown id, 409 `duplicate` for a slug that is taken.
pub async fn save_sport(cx: Cx<Operator>, input: SaveSport) -> Result<Done<Revised<ListEntry>>> {
    save(cx, input.shared, None).await
}

/// Creates or changes a category of jobs. 404 for an unknown id, 409 `duplicate` for a slug that is
/// taken.
pub async fn save_job(
    cx: Cx<Operator>,
    input: SaveJobCategory,
) -> Result<Done<Revised<ListEntry>>> {
    save(cx, input.shared, input.own.sensitive).await
}

/// Creates or changes a category of businesses. 404 for an unknown id, 409 `duplicate` for a slug
/// that is taken.
pub async fn save_business(
    cx: Cx<Operator>,
    input: SaveBusinessCategory,
) -> Result<Done<Revised<ListEntry>>> {
    save(cx, input.shared, input.own.sensitive).await
}

/// The id of an entry. Its kind is the name of its table.
trait EntryId: Identity {
    /// Whether the table says which entries institutions often restrict.
    const RATED: bool;
}

impl EntryId for SportId {
    const RATED: bool = false;
}

impl EntryId for CategoryId {
    const RATED: bool = true;
}

impl EntryId for BusinessCategoryId {
    const RATED: bool = true;
}

async fn list<Id: EntryId>(
    cx: &Cx<Operator>,
    input: Paged<ListEntries>,
) -> Result<Listing<Revised<ListEntry>>> {
    let (input, paging) = input.parts();
    let (by, order) = match input.sort.unwrap_or(EntrySort::PositionUp) {
        EntrySort::PositionUp => ("position", Order::Asc),
        EntrySort::PositionDown => ("position", Order::Desc),
        EntrySort::NameUp => ("name", Order::Asc),
        EntrySort::NameDown => ("name", Order::Desc),
    };
    let mut rows = entries::<Id>();
    rows.only("active", input.active)
        .cond_where(contains(["name", "slug"].map(Expr::col), input.q.as_deref()))
        .order_by(by, order.clone())
        .order_by("id", order);
    let mut session = cx.read().await?;
    let page: Listing<ListEntry> = session.page(rows, paging).await?;
    Ok(page.map(Revised::from))
}

async fn save<Id: EntryId>(
    cx: Cx<Operator>,
    input: SaveEntry<Id>,
    sensitive: Option<bool>,
) -> Result<Done<Revised<ListEntry>>> {
    let mut work = cx.begin().await?;
    let before = match input.id {
        None => None,
        Some(id) => {
            let held = held::<Id>(&mut work, id.number()).await?;
            work.as_seen(id, &held, input.revision.as_ref()).await?;
            Some(held)
        }
    };
    let mut wrong = Wrong::default();
    wrong.needs("name", before.is_some() || input.name.is_some());
    if input.position.is_some_and(|position| !(1..=10_000).contains(&position)) {
        wrong.add("position", "must be between 1 and 10000");
    }
    let slug = input.slug.as_deref();
    if before.as_ref().is_some_and(|before| slug.is_some_and(|slug| slug != before.slug)) {
        wrong.add("slug", "cannot be changed: rules and addresses name the entry by it");
    }
    wrong.refuse()?;
    let (id, action) = match &before {
        None => (add(&mut work, &input, sensitive).await?, "created"),
        Some(before) => {
            let row = update(Id::KIND)
                .given("name", input.name.as_deref())
                .given("sensitive", sensitive)
                .set("active", input.active.unwrap_or(before.active))
                .set("position", input.position.unwrap_or(before.position))
                .when("id", before.id);
            work.change(row).await?;
            (before.id, "changed")
        }
    };
    let saved = held::<Id>(&mut work, id).await?;
    let subject = Subject { kind: Id::KIND, id };
    work.note_change(subject, action, before.map(|before| json!(before)), json!(saved));
    work.done(saved.into()).await
}

fn entries<Id: EntryId>() -> SelectStatement {
    Query::select()
        .columns(["id", "name", "slug", "active", "position"])
        .columns(Id::RATED.then_some("sensitive"))
        .from(Id::KIND)
        .take()
}

/// The entry, its row locked until the transaction ends.
async fn held<Id: EntryId>(work: &mut Work, id: i64) -> Result<ListEntry> {
    let mut row = entries::<Id>();
    row.and_where(Expr::col("id").eq(id)).lock(LockType::NoKeyUpdate);
    work.one(row).await
}

async fn add<Id: EntryId>(
    work: &mut Work,
    input: &SaveEntry<Id>,
    sensitive: Option<bool>,
) -> Result<i64> {
    let name = input.name.as_deref().unwrap_or_default();
    let slug = input.slug.clone().unwrap_or_else(|| Slug::of_name(name, "entry"));
    let position = if let Some(position) = input.position {
        position
    } else {
        // A few dozen rows.
        let last = Query::select().expr(Expr::col("position").max()).from(Id::KIND).take();
        work.value::<Option<i64>>(last).await?.unwrap_or_default() + 1
    };
    let mut row = insert(Id::KIND)
        .set("name", name)
        .set("slug", slug.to_string())
        .set("active", input.active.unwrap_or(true))
        .set("position", position);
    if Id::RATED {
        row = row.set("sensitive", sensitive.unwrap_or(false));
    }
    let added: Result<(i64,)> = work.one(row.returning(&["id"])).await;
    let (id,) =
        added.map_err(|error| error.reworded(codes::DUPLICATE, "Another entry has this slug."))?;
    Ok(id)
}
