//! Settings and reference data of the site.
//!
//! Tables: `site`, and the reference data of a new database: sports, states, categories, templates
//! and legal drafts.
//!
//! 1. `reference` fills an empty database when a server starts, and adds templates for new events
//!    to an existing one.
//! 2. [`site`] returns the site's configuration to clients, and its name and URL to other domains.
//! 3. `features` says which features are on.
//! 4. [`settings`] changes it, [`branding`] its logo and its icon, and [`categories`] the lists
//!    that users choose from.

pub mod belonging;
pub mod branding;
pub mod categories;
pub mod features;
pub mod least_amount;
pub mod reference;
pub mod settings;
pub mod site;
