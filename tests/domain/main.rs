//! The operations themselves, in process, on both databases.

mod activity;
mod applying;
mod colleges;
mod deals;
mod delivering;
mod embedding;
mod hiring;
mod ledger;
mod money_records;
mod money_walks;
mod operators;
mod ownership;
mod paying;
mod paying_out;
mod people;
mod portal_access;
mod posting;
mod refunding;
mod registration;
mod requests;
mod schema;
mod signing_in;
mod storage;
mod walks;
