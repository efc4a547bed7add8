//! The identity provider of the platform's operators.

use crate::ports::identity::Client;

/// How operators sign on through an identity provider.
#[derive(Clone, Debug)]
pub struct OperatorSignOn {
    /// The provider, and what the platform is there.
    pub client: Client,
    /// A claim, and the value that it must have or contain for somebody to be let in; without it
    /// whoever has an account here is.
    pub required: Option<(String, String)>,
    /// Whether operators may log in with a password as well.
    pub passwords: bool,
}
