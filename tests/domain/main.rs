//! The operations themselves, in process, on both databases.

mod colleges;
mod ledger;
mod money_records;
mod money_walks;
mod operators;
mod paying;
mod paying_out;
mod people;
mod portal_access;
mod refunding;
mod registration;
mod signing_in;
mod storage;
