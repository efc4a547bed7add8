//! The words and the order that lists of operators take.

use schemars::JsonSchema;
use sea_query::Order;
use serde::Serialize;

use super::combined::{Combined, shared};
use super::following::Followed;
use super::text::Text;
use super::vocabulary::vocabulary;

vocabulary! {
    /// The order of records by age.
    AgeSort {
        /// Newest first.
        Newest = "-created_at",
        /// Oldest first.
        Oldest = "created_at",
    }
}

impl AgeSort {
    /// The order of ids, which follow the age.
    #[must_use]
    pub const fn order(self) -> Order {
        match self {
            Self::Newest => Order::Desc,
            Self::Oldest => Order::Asc,
        }
    }
}

vocabulary! {
    /// The order of records with a name.
    NameSort {
        /// Newest first.
        Newest = "-created_at",
        /// Oldest first.
        Oldest = "created_at",
        /// By name, A to Z.
        NameUp = "name",
        /// By name, Z to A.
        NameDown = "-name",
    }
}

/// What is looked for in a list, and its order.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ByAge {
    /// Words of a text that a record shows. The operation says which texts are searched.
    pub q: Option<Text<0, 100>>,
    /// The order (default newest first).
    pub sort: Option<AgeSort>,
}

shared!(ByAge { q, sort });

impl ByAge {
    /// The words.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        self.q.as_deref()
    }

    /// The order of ids, which follow the age.
    #[must_use]
    pub fn order(&self) -> Order {
        self.sort.unwrap_or(AgeSort::Newest).order()
    }
}

/// The input of a list that is searched by words, sorted by age and followed by key: its own fields
/// beside `page`, `per_page`, `after`, `q` and `sort`.
pub type Sifted<I> = Followed<Combined<ByAge, I>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::combined::not_taken;

    #[test]
    fn its_fields_are_taken() {
        assert_eq!(not_taken::<ByAge>(), Vec::<String>::new());
    }
}
