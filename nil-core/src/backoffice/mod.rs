//! What operators run the site with.

pub(crate) mod reference;
pub mod site;
