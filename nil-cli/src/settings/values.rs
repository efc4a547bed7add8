//! Single values: from the environment, else from the file, within their limits. What makes no
//! sense is refused by name.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use nil_core::kernel::{Network, Secret};
use reqwest::Url;

use crate::failure::Failure;

/// An environment variable; an empty one counts as unset.
pub(crate) fn env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A secret: itself, or the first line of a file. The variable, and the one with `_FILE` at its
/// end, come before both settings of `nil.toml`. The reason names the setting, and never holds the
/// secret.
pub(crate) fn secret(
    variable: &str,
    name: &str,
    (own, file): (Option<String>, Option<PathBuf>),
) -> Result<Option<Secret>, String> {
    let from_env = env(variable);
    let file_from_env = env(&format!("{variable}_FILE")).map(PathBuf::from);
    let own = from_env.or_else(|| own.filter(|_| file_from_env.is_none()));
    if let Some(secret) = own {
        return Ok(Some(Secret::new(secret)));
    }
    let Some(path) = file_from_env.or(file) else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(&path);
    let text = text.map_err(|error| format!("{name}_file: {}: {error}", path.display()))?;
    match text.lines().next().filter(|line| !line.is_empty()) {
        Some(secret) => Ok(Some(Secret::new(secret))),
        None => Err(format!("{name}_file: {} holds no {}", path.display(), name.replace('_', " "))),
    }
}

/// The value of a variable, else the one from the file.
pub(crate) fn parsed<T: FromStr>(name: &str, from_file: Option<T>) -> Result<Option<T>, Failure> {
    match env(name) {
        None => Ok(from_file),
        Some(text) => match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(Failure::Usage(format!("{name}: `{text}` is not a valid value"))),
        },
    }
}

/// The number from the variable (`NIL_` and the name in capitals), else the one from the file.
/// Refuses one outside the limits, by the name it has in the file.
pub(super) fn within<T>(
    name: &str,
    from_file: Option<T>,
    limits: RangeInclusive<T>,
) -> Result<Option<T>, Failure>
where
    T: FromStr + PartialOrd + Display,
{
    let found = parsed(&format!("NIL_{}", name.to_uppercase()), from_file)?;
    match found {
        Some(value) if !limits.contains(&value) => Err(Failure::Usage(format!(
            "{name}: {value} makes no sense; it must be from {} to {}",
            limits.start(),
            limits.end()
        ))),
        found => Ok(found),
    }
}

/// An address that browsers open: `https://nil.example`, without a `/` at its end.
pub(crate) fn web_address(name: &str, text: &str) -> Result<String, Failure> {
    let wrong =
        || Failure::Usage(format!("{name}: `{text}` is no address such as https://nil.example"));
    let url = Url::parse(text).map_err(|_| wrong())?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    if plain { Ok(text.trim_end_matches('/').to_owned()) } else { Err(wrong()) }
}

/// An origin as browsers send it: `https://app.example`.
pub(super) fn origin(name: &str, text: &str) -> Result<String, Failure> {
    let text = text.trim();
    let same = Url::parse(text).is_ok_and(|url| url.origin().ascii_serialization() == text);
    if same {
        return Ok(text.to_owned());
    }
    Err(Failure::Usage(format!("{name}: `{text}` is no origin such as https://app.example")))
}

/// The values of a list: in the variable they are separated by commas.
pub(super) fn listed(name: &str, from_file: Option<Vec<String>>) -> Vec<String> {
    match env(name) {
        Some(text) => text.split(',').map(str::to_owned).collect(),
        None => from_file.unwrap_or_default(),
    }
}

/// Addresses and networks, such as `10.0.0.5` and `10.0.0.0/8`.
pub(super) fn networks(
    name: &str,
    from_file: Option<Vec<String>>,
) -> Result<Vec<Network>, Failure> {
    let read = |text: &String| {
        let network = text.trim().parse();
        network.map_err(|why| Failure::Usage(format!("{name}: `{text}` {why}")))
    };
    listed(&format!("NIL_{}", name.to_uppercase()), from_file).iter().map(read).collect()
}
