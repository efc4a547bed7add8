//! Pages of lists that are also followed by key: each page says after which row the next one
//! begins.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combined::{Combined, shared};
use super::page::Next;
use super::{Date, PageNumber, Paging, PerPage, Time};
use crate::error::{Error, Result};

/// The requested page.
#[derive(Clone, Debug, Default, JsonSchema)]
pub struct Following {
    /// The page, starting at 1.
    pub page: Option<PageNumber>,
    /// Records per page.
    pub per_page: Option<PerPage>,
    /// Instead of `page`: the `next` of the page before, with all other fields as they were. Such a
    /// page costs the same however far the list goes, and shows no row twice that was there all the
    /// time.
    #[schemars(extend("examples" = [null]))]
    pub after: Option<Next>,
}

shared!(Following { page, per_page, after });

/// The input of a list that is followed by key: its own fields beside `page`, `per_page` and
/// `after`.
pub type Followed<I> = Combined<Following, I>;

/// A value that a list is sorted by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyValue {
    /// None.
    #[serde(rename = "0")]
    Nothing,
    /// A whole number; on SQLite also a truth value.
    #[serde(rename = "n")]
    Number(i64),
    /// A truth value.
    #[serde(rename = "b")]
    Truth(bool),
    /// A text; on SQLite also an instant or a day.
    #[serde(rename = "s")]
    Text(String),
    /// An instant.
    #[serde(rename = "t")]
    Time(Time),
    /// A day.
    #[serde(rename = "d")]
    Date(Date),
}

/// The last row of a page, and what the pages of a list tell about the list. Its words are short,
/// because it stands in addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// What the row is sorted by, the last value of which is unique together with those before it.
    #[serde(rename = "k", alias = "keys")]
    pub keys: Vec<KeyValue>,
    /// The number of the page.
    #[serde(rename = "p", alias = "page")]
    pub page: i64,
    /// The records in the whole list, as they were counted with the page that was read by its
    /// number.
    #[serde(rename = "t", alias = "total")]
    pub total: i64,
    /// The id before which the list ended then, if it grows while it is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<i64>,
}

/// Where a page begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// After the pages before it.
    Page(PageNumber),
    /// After a row.
    After(Bookmark),
}

/// Makes the text of a bookmark.
type Seal = dyn Fn(&Bookmark) -> Result<Next> + Send + Sync;

/// The requested page of a list that is followed by key.
#[derive(Clone)]
pub struct FollowedPage {
    /// Where it begins.
    pub start: Start,
    /// Records per page.
    pub per_page: PerPage,
    /// The id before which the list ends, for its next pages.
    pub(crate) end: Option<i64>,
    seal: Arc<Seal>,
}

impl FollowedPage {
    /// A page, and how the text is made that continues after it.
    pub fn new(
        start: Start,
        per_page: PerPage,
        seal: impl Fn(&Bookmark) -> Result<Next> + Send + Sync + 'static,
    ) -> Self {
        Self { start, per_page, end: None, seal: Arc::new(seal) }
    }

    /// The page of a list that grows while it is read. All pages after this one end before the
    /// same id.
    #[must_use]
    pub fn ending(self, end: i64) -> Self {
        Self { end: Some(end), ..self }
    }

    /// The id before which the list ended when the page was read that this one follows.
    #[must_use]
    pub const fn ended(&self) -> Option<i64> {
        match &self.start {
            Start::Page(_) => None,
            Start::After(bookmark) => bookmark.end,
        }
    }

    /// The page by its number, for rows in an order that cannot be followed; no page of theirs has
    /// a `next`.
    pub fn numbered(&self) -> Result<Paging> {
        match self.start {
            Start::Page(page) => Ok(Paging { page, per_page: self.per_page }),
            Start::After(_) => Err(Error::invalid("after", "does not continue this order")),
        }
    }

    /// The text that continues the list after a row.
    pub fn next(&self, bookmark: &Bookmark) -> Result<Next> {
        (self.seal)(bookmark)
    }
}

impl fmt::Debug for FollowedPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, per_page, end, seal: _ } = self;
        f.debug_struct("FollowedPage")
            .field("start", start)
            .field("per_page", per_page)
            .field("end", end)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::combined::not_taken;

    #[test]
    fn its_fields_are_taken() {
        assert_eq!(not_taken::<Following>(), Vec::<String>::new());
    }
}
