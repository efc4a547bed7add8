//! The catalog against the specification, and the documents generated from it.

mod acts;
mod beside;
mod circles;
mod columns;
mod documents;
mod events;
mod facade;
mod fields;
mod filters;
mod forms;
mod grid;
mod layers;
mod specification;
mod supply;
mod tidy;
mod titles;
mod uses;
mod validity;
