//! The catalog against the specification, and what is read off it.

mod documents;
mod grid;
mod layers;
mod specification;
mod tidy;
