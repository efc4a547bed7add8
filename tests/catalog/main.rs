//! The catalog against the specification, and the documents generated from it.

mod circles;
mod documents;
mod events;
mod facade;
mod fields;
mod filters;
mod forms;
mod grid;
mod layers;
mod specification;
mod tidy;
mod titles;
mod uses;
mod validity;
