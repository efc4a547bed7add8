//! The route table of all frontends: static segments win over parameters; 404 and 405 are
//! distinguished.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use ::http::Method;
use matchit::Router;

use crate::catalog::{self, Entry, Interface, catalog};
use crate::error::{Error, Result, codes};

/// The longest part of an unknown address that is logged. No name of ours is longer, but a token
/// that somebody has put there is.
const NAME: usize = 40;

/// An address without the parts that may be tokens: nobody knows what an unknown one holds.
fn without_long(path: &str) -> Cow<'_, str> {
    if path.split('/').all(|part| part.len() <= NAME) {
        return path.into();
    }
    let parts = path.split('/').map(|part| if part.len() > NAME { "…" } else { part });
    parts.collect::<Vec<_>>().join("/").into()
}

/// The operation at a path and method.
#[derive(Debug)]
pub(super) struct Route {
    pub entry: &'static Entry,
    /// Read from the schema of the input when the first request comes: few routes have parameters
    /// in their path.
    ids: OnceLock<Vec<String>>,
}

impl Route {
    /// Whether this path parameter is an id: other values in its place are an address without a
    /// record.
    pub(super) fn is_id(&self, parameter: &str) -> bool {
        self.ids.get_or_init(|| id_parameters(self.entry)).iter().any(|id| id == parameter)
    }
}

#[derive(Debug, Default)]
struct Methods(Vec<(catalog::Method, Route)>);

/// The match for a path.
pub(super) struct Found<'a> {
    pub route: &'a Route,
    /// Path parameters by the name of their field.
    pub parameters: Vec<(String, &'a str)>,
}

/// All operations of a site's interfaces.
#[derive(Debug)]
pub(super) struct Routes {
    router: Router<Methods>,
    /// What addresses begin with that go on with a secret.
    secret_behind: Vec<String>,
}

impl Routes {
    pub(super) fn new(interfaces: &[Interface]) -> Result<Self> {
        let mut by_path: HashMap<String, Methods> = HashMap::new();
        let mut secret_behind = Vec::new();
        for interface in interfaces {
            for entry in catalog().of(*interface) {
                let path = format!("{}{}", interface.base(), entry.path_by_fields());
                if entry.opened_by.is_some() {
                    secret_behind.extend(path.split_once('{').map(|(begin, _)| begin.to_owned()));
                }
                let route = Route { entry, ids: OnceLock::new() };
                by_path.entry(path).or_default().0.push((entry.method, route));
            }
        }
        let mut router = Router::new();
        for (path, methods) in by_path {
            router.insert(path, methods).map_err(Error::internal)?;
        }
        Ok(Self { router, secret_behind })
    }

    /// A whole path without the secret in it, for logs; `own` is the site's part of it. Also of
    /// methods that the address does not take, and with something behind the secret.
    pub(super) fn without_secret<'p>(&self, path: &'p str, own: &str) -> Cow<'p, str> {
        let rest = self.secret_behind.iter().find_map(|begin| own.strip_prefix(begin.as_str()));
        match rest.and_then(|rest| path.strip_suffix(rest)) {
            Some(begin) => format!("{begin}…").into(),
            None if self.router.at(own).is_err() => without_long(path),
            None => path.into(),
        }
    }

    /// Returns the operation at a path, or 404 or 405. HEAD is GET, except on the GETs that change
    /// data.
    pub(super) fn find<'a>(&'a self, method: &Method, path: &'a str) -> Result<Found<'a>> {
        let path = match path.strip_suffix('/') {
            Some(shorter) if !shorter.is_empty() => shorter,
            _ => path,
        };
        let matched = self.router.at(path).map_err(|_| Error::from(codes::ROUTE_NOT_FOUND))?;
        let wanted = match *method {
            Method::GET | Method::HEAD => catalog::Method::Get,
            Method::POST => catalog::Method::Post,
            Method::PUT => catalog::Method::Put,
            Method::DELETE => catalog::Method::Delete,
            _ => return Err(matched.value.refuse(method)),
        };
        let route = matched
            .value
            .0
            .iter()
            .find(|(offered, route)| {
                *offered == wanted && !(*method == Method::HEAD && route.entry.writes_by_get())
            })
            .map(|(_, route)| route)
            .ok_or_else(|| matched.value.refuse(method))?;
        let parameters = matched.params.iter().map(|(name, value)| (name.to_owned(), value));
        Ok(Found { route, parameters: parameters.collect() })
    }

    /// The methods a path accepts, for `Allow`; none if the path is unknown.
    pub(super) fn methods(&self, path: &str) -> Option<String> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let matched = self.router.at(path).ok()?;
        let mut methods = matched.value.names();
        methods.push("OPTIONS");
        Some(methods.join(", "))
    }
}

impl Methods {
    fn names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.0.iter().map(|(method, _)| method.as_str()).collect();
        let reads = |(method, route): &(catalog::Method, Route)| {
            *method == catalog::Method::Get && !route.entry.writes_by_get()
        };
        if self.0.iter().any(reads) {
            names.push("HEAD");
        }
        names
    }

    fn refuse(&self, method: &Method) -> Error {
        let offered = self.names().join(" and ");
        codes::METHOD_NOT_ALLOWED.saying(format!("This address takes {offered}, not {method}."))
    }
}

fn id_parameters(entry: &Entry) -> Vec<String> {
    let names: Vec<_> = entry.path_fields().into_iter().map(|(_, name)| name).collect();
    if names.is_empty() {
        return names;
    }
    let mut generator = schemars::SchemaGenerator::default();
    let schema = (entry.input)(&mut generator);
    let kind = |name: &str| schema.as_value().pointer(&format!("/properties/{name}/type"));
    names.into_iter().filter(|name| kind(name).is_some_and(|kind| kind == "integer")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_paths_are_left_out() {
        let routes = Routes::new(&Interface::ALL).unwrap();
        let own = "/api/calendar/5f0c.ics";
        let logged = |path, own| routes.without_secret(path, own).into_owned();
        assert_eq!(logged(own, own), "/api/calendar/…");
        assert_eq!(logged("/nil/api/calendar/5f0c.ics", own), "/nil/api/calendar/…");
        let own = "/api/compliance/calendar/5f0c.ics/events";
        assert_eq!(logged(own, own), "/api/compliance/calendar/…");
        assert_eq!(logged("/api/calendar-feed", "/api/calendar-feed"), "/api/calendar-feed");
        // An address that is none of ours.
        let token = "5636d3b876f103ea83269d4d1a19b5bf7413208e1d1809a5";
        let unknown = format!("/api/reset-passwort/{token}/go");
        assert_eq!(logged(&unknown, &unknown), "/api/reset-passwort/…/go");
    }

    #[test]
    fn every_route_of_the_catalog_fits_in_one_table() {
        let routes = Routes::new(&Interface::ALL).unwrap();
        let missing = routes.find(&Method::GET, "/api/nothing-here").map(|_| ()).unwrap_err();
        assert!(missing.is(codes::ROUTE_NOT_FOUND));
        let wrong = routes.find(&Method::GET, "/api/listColleges").map(|_| ()).unwrap_err();
        assert!(wrong.is(codes::METHOD_NOT_ALLOWED));
        assert!(routes.find(&Method::POST, "/api/listColleges/").is_ok());
    }
}
