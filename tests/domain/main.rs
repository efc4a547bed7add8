//! The operations themselves, in process, on both databases.

mod applying;
mod colleges;
mod deals;
mod delivering;
mod hiring;
mod operators;
mod people;
mod portal_access;
mod posting;
mod registration;
mod requests;
mod signing_in;
mod storage;
mod walks;
