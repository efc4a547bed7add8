//! Pages of lists, and feeds that continue from an id.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::MapAccess;

use super::Text;
use super::combined::{Combined, Shared};

/// Declares a whole number with limits and a default, for inputs.
#[macro_export]
macro_rules! bounded {
    ($(#[$meta:meta])* $name:ident: $min:literal ..= $max:literal, default $default:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(i64);

        impl $name {
            /// The number, if it is within the limits.
            #[must_use]
            pub fn new(number: i64) -> Option<Self> {
                ($min..=$max).contains(&number).then_some(Self(number))
            }

            /// The bare number.
            #[must_use]
            pub const fn get(self) -> i64 { self.0 }
        }

        impl Default for $name {
            fn default() -> Self { Self($default) }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::new(<i64 as serde::Deserialize>::deserialize(from)?).ok_or_else(|| {
                    serde::de::Error::custom(concat!("must be between ", $min, " and ", $max))
                })
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool { true }
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "integer", "minimum": $min, "maximum": $max, "default": $default,
                    "examples": [$default]
                })
            }
        }
    };
}

pub use bounded;

bounded!(
    /// The number of a page, starting at 1.
    PageNumber: 1 ..= 1_000_000, default 1
);
bounded!(
    /// The number of records on a page.
    PerPage: 1 ..= 100, default 20
);
bounded!(
    /// The number of records of a feed.
    Limit: 1 ..= 200, default 50
);

impl PerPage {
    /// The maximum size of a page.
    pub const MOST: Self = Self(100);
}

/// The requested page.
#[derive(Clone, Copy, Debug, Default, JsonSchema)]
pub struct Paging {
    /// The page, starting at 1.
    #[schemars(with = "Option<PageNumber>")]
    pub page: PageNumber,
    /// Records per page.
    #[schemars(with = "Option<PerPage>")]
    pub per_page: PerPage,
}

impl Paging {
    /// Built from an input's two optional fields.
    #[must_use]
    pub fn new(page: Option<PageNumber>, per_page: Option<PerPage>) -> Self {
        Self { page: page.unwrap_or_default(), per_page: per_page.unwrap_or_default() }
    }

    /// The first page, with this many records.
    #[must_use]
    pub fn first(per_page: PerPage) -> Self {
        Self { page: PageNumber::default(), per_page }
    }

    /// The number of records to skip.
    #[must_use]
    pub fn offset(self) -> i64 {
        (self.page.get() - 1) * self.per_page.get()
    }

    /// The number of records to read.
    #[must_use]
    pub fn limit(self) -> i64 {
        self.per_page.get()
    }

    /// The pagination of the answer, for a list of `total` records.
    #[must_use]
    pub fn of(self, total: i64) -> Pagination {
        let per_page = self.per_page.get();
        Pagination {
            page: self.page.get(),
            per_page,
            total,
            pages: total.saturating_add(per_page - 1) / per_page,
            next: None,
        }
    }
}

/// The position of a page in its list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pagination {
    /// This page, from 1.
    pub page: i64,
    /// Records per page.
    pub per_page: i64,
    /// Records in the whole list.
    pub total: i64,
    /// Pages in the whole list.
    pub pages: i64,
    /// What continues a list that is followed by key after this page; none on its last page, and in
    /// other lists. In JSON it stands beside `pagination`.
    #[serde(skip)]
    #[schemars(skip)]
    pub next: Option<Next>,
}

impl Pagination {
    /// The page with these records.
    #[must_use]
    pub fn of<T>(self, items: Vec<T>) -> Listing<T> {
        Listing { items, pagination: self, beside: () }
    }
}

/// A page of records; in JSON `data` with `pagination` beside it, and the fields of `beside`
/// (totals, counts).
#[derive(Clone, Debug)]
pub struct Listing<T, B = ()> {
    /// The records, in order.
    pub items: Vec<T>,
    /// The position of the page.
    pub pagination: Pagination,
    /// Fields next to `pagination`: a struct of totals or counts, or nothing.
    pub beside: B,
}

impl<T> Listing<T> {
    /// A page out of `total` records.
    #[must_use]
    pub fn new(items: Vec<T>, paging: Paging, total: i64) -> Self {
        Self { items, pagination: paging.of(total), beside: () }
    }

    /// The records, and their position in the list.
    #[must_use]
    pub fn split(self) -> (Vec<T>, Pagination) {
        (self.items, self.pagination)
    }

    /// The page with each record converted.
    #[must_use]
    pub fn map<U>(self, make: impl FnMut(T) -> U) -> Listing<U> {
        let items = self.items.into_iter().map(make).collect();
        Listing { items, pagination: self.pagination, beside: () }
    }

    /// The page with each record converted, or the error of the first conversion that fails.
    pub fn try_map<U, E>(self, make: impl FnMut(T) -> Result<U, E>) -> Result<Listing<U>, E> {
        let items = self.items.into_iter().map(make).collect::<Result<_, E>>()?;
        Ok(Listing { items, pagination: self.pagination, beside: () })
    }

    /// The page with additional fields next to `pagination`.
    #[must_use]
    pub fn with<B>(self, beside: B) -> Listing<T, B> {
        Listing { items: self.items, pagination: self.pagination, beside }
    }
}

/// How far a search was counted; beside `pagination`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Extent {
    /// Whether `total` is the number of all records found. Otherwise there are at least as many:
    /// without `exact_total`, counting stops at most 100 records behind the page, with it at
    /// 10,000.
    pub total_is_exact: bool,
}

/// The position in a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FeedPagination {
    /// The maximum number of records in this answer.
    pub limit: i64,
    /// The `before_id` for the next older records; null at the oldest end of the feed.
    pub next_before_id: Option<i64>,
}

/// Some records of a feed, newest first; in JSON `data` with `pagination` beside it, and the fields
/// of `beside`.
#[derive(Clone, Debug)]
pub struct Feed<T, B = ()> {
    /// The records, newest first.
    pub items: Vec<T>,
    /// How to continue.
    pub pagination: FeedPagination,
    /// Fields next to `pagination`: a struct of totals or counts, or nothing.
    pub beside: B,
}

impl<T> Feed<T> {
    /// Takes up to one record more than `limit`: the extra record is dropped and shows that the
    /// feed continues.
    #[must_use]
    pub fn new(mut items: Vec<T>, limit: Limit, id: impl Fn(&T) -> i64) -> Self {
        let most = usize::try_from(limit.get()).unwrap_or(usize::MAX);
        let more = items.len() > most;
        items.truncate(most);
        let next_before_id = items.last().filter(|_| more).map(id);
        Self {
            items,
            pagination: FeedPagination { limit: limit.get(), next_before_id },
            beside: (),
        }
    }

    /// The part of the feed with each record converted.
    #[must_use]
    pub fn map<U>(self, make: impl FnMut(T) -> U) -> Feed<U> {
        let items = self.items.into_iter().map(make).collect();
        Feed { items, pagination: self.pagination, beside: () }
    }

    /// The part of the feed with additional fields next to `pagination`.
    #[must_use]
    pub fn with<B>(self, beside: B) -> Feed<T, B> {
        Feed { items: self.items, pagination: self.pagination, beside }
    }
}

impl Limit {
    /// The number of rows to query: one more than wanted, to detect whether the feed continues.
    #[must_use]
    pub const fn and_one(self) -> i64 {
        self.0 + 1
    }
}

/// The input of a list: its own fields beside `page` and `per_page`.
pub type Paged<I> = Combined<Paging, I>;

/// The text that continues a list. The longest name, in four-byte letters, leaves half of it.
pub type Next = Text<1, 2000>;

impl Shared for Paging {
    const FIELDS: &'static [&'static str] = &["page", "per_page"];

    fn take<'de, M: MapAccess<'de>>(&mut self, key: &str, from: &mut M) -> Result<bool, M::Error> {
        match key {
            "page" => self.page = from.next_value::<Option<_>>()?.unwrap_or_default(),
            "per_page" => self.per_page = from.next_value::<Option<_>>()?.unwrap_or_default(),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_goes_on_only_where_there_is_more() {
        let limit = Limit::new(2).unwrap();
        let of = |items: &[i64]| Feed::new(items.to_vec(), limit, |id| *id);
        let feed = of(&[9, 8, 7]);
        assert_eq!((feed.items, feed.pagination.next_before_id), (vec![9, 8], Some(8)));
        assert_eq!(of(&[9, 8]).pagination.next_before_id, None);
        assert_eq!(of(&[]).pagination.next_before_id, None);
    }
}
