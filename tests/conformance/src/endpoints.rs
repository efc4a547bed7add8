//! The endpoints that the specification names, in its order.

use std::sync::LazyLock;

/// One of the three interfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// What athletes, brands, agents and fans use.
    Core,
    /// What institutions use.
    Compliance,
    /// What operators use.
    Admin,
}

/// One row of `endpoints.tsv`.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// The interface it belongs to.
    pub interface: Interface,
    /// `GET`, `POST`, `PUT` or `DELETE`.
    pub method: &'static str,
    /// The path below the interface's base, with `{names}`.
    pub path: &'static str,
    /// The name of the operation, by which tables and reports refer to the row.
    pub operation: &'static str,
    /// Who may call.
    pub caller: &'static str,
    /// The class of its limit.
    pub class: &'static str,
}

static ALL: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
    include_str!("../../endpoints.tsv").lines().skip(1).filter_map(read).collect()
});

/// All endpoints, in the specification's order.
#[must_use]
pub fn all() -> &'static [Endpoint] {
    &ALL
}

/// The endpoint of an operation.
#[must_use]
pub fn named(operation: &str) -> Option<&'static Endpoint> {
    ALL.iter().find(|endpoint| endpoint.operation == operation)
}

fn read(line: &'static str) -> Option<Endpoint> {
    let mut cells = line.split('\t');
    let interface = match cells.next()? {
        "core" => Interface::Core,
        "compliance" => Interface::Compliance,
        _ => Interface::Admin,
    };
    Some(Endpoint {
        interface,
        method: cells.next()?,
        path: cells.next()?,
        operation: cells.next()?,
        caller: cells.next()?,
        class: cells.next()?,
    })
}

impl Endpoint {
    /// Whether it needs no credentials.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.caller == "anyone"
    }

    /// Whether its fields stand in a body.
    #[must_use]
    pub fn has_body(&self) -> bool {
        matches!(self.method, "POST" | "PUT")
    }

    /// The names in its path.
    pub fn path_names(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('{').skip(1).filter_map(|rest| rest.split('}').next())
    }

    /// The section of the specification that names it.
    #[must_use]
    pub fn section(&self) -> &'static str {
        match self.interface {
            Interface::Core => "specification 4.1",
            Interface::Compliance => "specification 4.2",
            Interface::Admin => "specification 4.3",
        }
    }
}
