//! The dialects of SQL that the engines speak.

/// The SQL dialect of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The embedded engine.
    Sqlite,
    /// The server.
    Postgres,
}

impl Dialect {
    /// The day of a column's instants by UTC, such as `2026-11-24`.
    #[must_use]
    pub fn utc_day(self, column: &str) -> String {
        match self {
            Self::Sqlite => format!("substr({column}, 1, 10)"),
            Self::Postgres => format!("to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')"),
        }
    }

    /// The month of a column's instants by UTC, such as `2026-11`.
    #[must_use]
    pub fn utc_month(self, column: &str) -> String {
        format!("substr({}, 1, 7)", self.utc_day(column))
    }
}
