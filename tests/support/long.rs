//! How much the suites do: what every run has time for, or the long versions.

use crate::database::Engine;

/// Whether the long versions run: `tests/run --long`.
pub fn is_long() -> bool {
    std::env::var_os("NIL_LONG").is_some()
}

/// The amount of every run, or the one of the long versions.
pub fn or_long<T>(usual: T, long: T) -> T {
    if is_long() { long } else { usual }
}

/// The amount of every run, on the embedded database or on the server, where the same takes three
/// times as long; or the one of the long versions.
pub fn usual_or_long<T>(engine: Engine, (embedded, served): (T, T), long: T) -> T {
    let usual = match engine {
        Engine::Sqlite => embedded,
        Engine::Postgres => served,
    };
    or_long(usual, long)
}
