//! The processor's statement beside our own rows, line by line.
//!
//! A comparison takes three steps. It copies the lines of a span, page by page, outside any
//! transaction (`reading`). On one snapshot of the database it judges each line by what our rows
//! say about its key, and looks for requests that moved money here and have no line (`judging`,
//! `comparing`). What differs is written down as a record with an age; a record that a later
//! comparison of the same days no longer finds is gone.
//!
//! The snapshot is taken after the statement was read. A request's key is committed before the
//! request is sent, so no line can be unknown here only because it came first. Lines are read from
//! some time before the span, since clocks differ, to a month after it, since what comes back comes
//! later. A request is missed only when it is older than all of its attempts can be.

pub mod comparing;
pub(super) mod difference;
pub(super) mod judging;
mod reading;
pub mod settling;

pub use comparing::{Compared, Comparison, compare, compare_due, open_differences};
pub use difference::{
    DifferenceEvent, DifferenceKind, DifferenceRecord, DifferenceRecordKind, DifferenceStatus,
    ListDifferences, ProcessorDifference,
};
