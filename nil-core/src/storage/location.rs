//! Addresses of databases.

use std::path::PathBuf;
use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;

/// The address of a database: `sqlite:PATH` or `postgres://…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL connection string.
    Postgres(String),
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Ok(Self::Postgres(text.to_owned()))
        } else if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() {
                return Err("sqlite: needs a path, such as sqlite:nil.db".into());
            }
            Ok(Self::Sqlite(path.into()))
        } else {
            Err(format!("`{text}` is neither sqlite:PATH nor postgres://…"))
        }
    }
}

impl Location {
    /// The engine, by the name that OpenTelemetry has for it.
    #[must_use]
    pub fn system(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "sqlite",
            Self::Postgres(_) => "postgresql",
        }
    }

    /// What it is, for people: without the password that an address may contain.
    #[must_use]
    pub fn described(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("SQLite, {}", path.display()),
            Self::Postgres(url) => match PgConnectOptions::from_str(url) {
                Ok(options) => {
                    let name = options.get_database().unwrap_or_else(|| options.get_username());
                    let socket = options.get_socket().map(|socket| socket.display().to_string());
                    let host = socket.unwrap_or_else(|| match options.get_port() {
                        5432 => options.get_host().to_owned(),
                        port => format!("{}:{port}", options.get_host()),
                    });
                    format!("PostgreSQL, {name} at {host}")
                }
                Err(_) => "PostgreSQL".to_owned(),
            },
        }
    }
}

impl From<Location> for String {
    fn from(location: Location) -> Self {
        match location {
            Location::Sqlite(path) => format!("sqlite:{}", path.display()),
            Location::Postgres(url) => url,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_described_address_has_no_password() {
        let described = |text: &str| text.parse::<Location>().map(|location| location.described());
        let told = described("postgres://ada:secret@db.example:5433/nil");
        assert_eq!(told.unwrap(), "PostgreSQL, nil at db.example:5433");
        let told = described("postgres://ada:secret@db.example:5432/nil");
        assert_eq!(told.unwrap(), "PostgreSQL, nil at db.example");
        let told = described("postgres://ada:secret@localhost/nil?host=/run/postgresql");
        assert_eq!(told.unwrap(), "PostgreSQL, nil at /run/postgresql");
        assert_eq!(described("sqlite:a/b.db").unwrap(), "SQLite, a/b.db");
    }
}
