//! Basic types used everywhere: ids, money, time, text, secrets, pages, machines.
//!
//! A value of these types has already been checked: the type enforces its rule, its JSON Schema
//! states the limit, and the same schema produces the field messages of a 422. Inputs are built
//! from these types, so each limit is written down once.
//!
//! - `ids`, `money`, `text`, `name`, `secret`, `time`, `words`: values that check themselves.
//! - `fold` and `company`: one form for texts, and for names of companies, that are compared.
//! - `vocabulary` and `machine`: closed lists of words, and state machines as tables.
//! - `fitting`: texts of others that have no limit, as columns take them.
//! - `feature`: the parts of the platform that a site can switch off.
//! - `page`, `following`, `combined`, `sorting`, `wildcard`, `edit`: inputs and answers of lists
//!   and edits.
//! - `network`: addresses that are trusted together.
//! - `canonical`: JSON with one form for equal values.
//! - `revision`: what tells whether a record is still as somebody has seen it.
//! - `private`: folders and files that only their owner may read.
//! - `wait`: stored ends of waits, and what is believed of them if the clock was set back.
//! - `random` and `time` hold the injected sources of randomness and time.

mod activity;
mod aside;
mod buffer;
mod canonical;
mod column;
pub mod combined;
mod company;
mod edit;
mod feature;
mod fitting;
mod fold;
mod following;
mod ids;
mod interface;
mod machine;
pub mod machine_laws;
mod money;
mod name;
mod network;
mod page;
mod private;
mod random;
mod revision;
mod secret;
mod sorting;
mod text;
mod time;
mod user_kind;
mod visible;
pub mod vocabulary;
mod wait;
mod wildcard;
mod words;

pub use activity::Activity;
pub use aside::aside;
pub use buffer::reserve;
pub use canonical::canonical;
pub use column::{Cell, FromColumn, Unfit};
pub use combined::{Combined, Nothing, Shared};
pub use company::company_key;
pub use company::same_company;
pub use edit::Edit;
pub use feature::{Feature, FeatureFlags, FeatureSwitches};
pub use fitting::{fitting, is_fitting};
pub use fold::{fold, fold_words};
pub use following::{Bookmark, Followed, FollowedPage, Following, KeyValue, Start};
pub use ids::*;
pub use interface::{Interface, Method};
pub use machine::{IllegalTransition, Machine, Move, Moved};
pub use money::{AMOUNT_FORMAT, RATE_FORMAT};
pub use money::{Amount, BasisPoints, Cents, Total, UpTo, even_split, proportion, weighted_split};
pub use name::{CompanyName, Name, PersonName, Title, is_registered};
pub use network::{Network, is_this_machine};
pub use page::bounded;
pub use page::{
    Extent, Feed, FeedPagination, Limit, Listing, Next, PageNumber, Paged, Pagination, Paging,
    PerPage,
};
pub use private::{free_space, private_file, private_folder};
pub use random::{Random, SeededRandom, SystemRandom};
pub use revision::Revision;
pub use secret::{Email, Password, Secret};
pub use sorting::{AgeSort, ByAge, NameSort, Sifted};
pub use text::{Code6, Hashtag, Many, Phone, Slug, Text, WebUrl, pasted};
pub use time::{
    Clock, Date, FixedClock, LAST_ZONE, SystemClock, Time, business_days_after, day_in, end_of_day,
    midnight, start_of_day, utc_day, zone_or_last,
};
pub use time::{LAST_TIME, YEARS, days, is_out_of_range, zone_or_utc};
pub use user_kind::UserKind;
pub use vocabulary::Word;
pub use wait::{Rested, Wait, latest_written, noted_lately};
pub use wildcard::{AllOr, ZeroOr};
pub use words::Sought;
pub use words::Words;
