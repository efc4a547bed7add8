//! The catalog against the specification, and the documents generated from it.

mod documents;
mod events;
mod facade;
mod filters;
mod grid;
mod layers;
mod specification;
mod tidy;
mod validity;
