//! The operations themselves, in process, on both databases.

mod colleges;
mod registration;
mod storage;
