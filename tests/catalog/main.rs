//! The catalog against the specification, and what is read off it.

mod grid;
mod specification;
