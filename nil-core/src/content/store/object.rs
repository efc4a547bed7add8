//! Records that name objects, of whichever module.

use crate::error::Result;
use crate::storage::{Session, sql};

const WRITTEN: &str = "SELECT record, object_key FROM written_object \
    WHERE object_key >= $1 AND object_key < $2 ORDER BY object_key";

/// The records on a shelf that say that their object is there, with its key.
pub async fn written_on(session: &mut Session, shelf: u8) -> Result<Vec<(String, String)>> {
    // Keys are hexadecimal, and `g` follows `f` in every collation.
    let from = format!("{shelf:02x}");
    let until = format!("{from}g");
    session.all(sql(WRITTEN).bind(from).bind(until)).await
}
