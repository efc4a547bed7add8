//! The SQL functions that SQLite gets from this program. Statements and triggers call them;
//! PostgreSQL has its own of the same names, made by migrations.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, Result};

use crate::kernel::{Sought, fold, fold_words};

/// Adds the functions to a connection. Without them nothing that is searched for can be written.
pub fn add_functions(connection: &Connection) -> Result<()> {
    let pure = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("contains_words", 3, pure, contains_words)?;
    connection.create_scalar_function("weight_of_words", 3, pure, weight_of_words)?;
    connection.create_scalar_function("fold_text", 1, pure, |call| of_text(call, fold))?;
    connection.create_scalar_function("fold_words", 1, pure, |call| of_text(call, fold_words))
}

/// `contains_words(folded, text, text)`: whether the two texts together contain the words of a
/// search.
fn contains_words(call: &Context<'_>) -> Result<bool> {
    in_texts(call, Sought::is_in)
}

/// `weight_of_words(folded, text, text)`: how well the two texts match the words of a search.
fn weight_of_words(call: &Context<'_>) -> Result<i64> {
    in_texts(call, Sought::weight_in)
}

fn in_texts<T>(call: &Context<'_>, look: impl FnOnce(&Sought, &[&str]) -> T) -> Result<T> {
    let sought = call.get_or_create_aux(0, |words| words.as_str().map(Sought::of))?;
    let text = |place| call.get_raw(place).as_str_or_null().map(Option::unwrap_or_default);
    Ok(look(&sought, &[text(1)?, text(2)?]))
}

/// A function of one text; null for null.
fn of_text(call: &Context<'_>, make: fn(&str) -> String) -> Result<Option<String>> {
    Ok(call.get_raw(0).as_str_or_null()?.map(make))
}
