//! People and companies: users of every kind, how they register and sign in.

mod user;

pub use user::{UserEvent, UserKind, UserStatus};
