//! The operations themselves, in process, on both databases.

mod colleges;
mod operators;
mod people;
mod portal_access;
mod registration;
mod signing_in;
mod storage;
