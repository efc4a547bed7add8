//! How much the suites do: what every run has time for, or the long versions.

/// Whether the long versions run: `tests/run --long`.
pub fn is_long() -> bool {
    std::env::var_os("NIL_LONG").is_some()
}

/// The amount of every run, or the one of the long versions.
pub fn or_long<T>(usual: T, long: T) -> T {
    if is_long() { long } else { usual }
}
