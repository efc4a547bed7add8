//! Derives how a struct is read from a row of the database, and written to one: each column is
//! declared once, as a field.
//!
//! ```ignore
//! #[derive(FromRow, Stored)]
//! struct Job {
//!     id: JobId,                          // the column `id`
//!     #[row(json)]
//!     eligibility: Eligibility,           // JSON
//!     #[row(json(nullable))]
//!     exclusivity: Option<Exclusivity>,   // JSON, or NULL
//!     #[row(rename = "waits_until")]
//!     until: Time,                        // a column of another name
//!     #[row(default)]
//!     sensitive: Option<bool>,            // a column that the statement may leave out
//!     #[row(flatten)]
//!     payee: Payee,                       // columns of the same row; read only
//!     #[row(each)]
//!     milestones: Vec<Milestone>,         // records of another table: read as an empty list
//!     #[row(skip)]
//!     seen: bool,                         // no column: read as its default
//! }
//! ```
//!
//! The code names `crate::storage` and `crate::kernel`; in another package,
//! `#[row(root = nil_core)]` on the struct says where they are.

mod compared;
mod field;
mod from_row;
mod stored;

use proc_macro::TokenStream;
use syn::{DeriveInput, Result};

/// Implements `storage::FromRow`, and `storage::Selected` (the struct's columns) if no field is
/// flattened.
#[proc_macro_derive(FromRow, attributes(row))]
pub fn from_row(input: TokenStream) -> TokenStream {
    derived(input, from_row::derive)
}

/// Implements `storage::Stored`: the columns with their values. With `#[stored(of = Job)]` also
/// `From<&Job>`, which copies the fields of the same names.
#[proc_macro_derive(Stored, attributes(row, stored))]
pub fn stored(input: TokenStream) -> TokenStream {
    derived(input, stored::derive)
}

/// Implements `storage::Compared`: the names of the fields in which two differ.
#[proc_macro_derive(Compared, attributes(row))]
pub fn compared(input: TokenStream) -> TokenStream {
    derived(input, compared::derive)
}

fn derived(
    input: TokenStream,
    derive: fn(&DeriveInput) -> Result<proc_macro2::TokenStream>,
) -> TokenStream {
    match syn::parse(input).and_then(|input| derive(&input)) {
        Ok(code) => code.into(),
        Err(error) => error.into_compile_error().into(),
    }
}
