//! The operations themselves, in process, on both databases.

mod colleges;
mod embedding;
mod ledger;
mod money_records;
mod money_walks;
mod operators;
mod ownership;
mod paying;
mod paying_out;
mod people;
mod portal_access;
mod refunding;
mod registration;
mod schema;
mod signing_in;
mod storage;
