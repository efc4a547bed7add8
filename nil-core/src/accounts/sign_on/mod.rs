//! Sign-on of officers and operators through an identity provider that speaks OpenID Connect
//! (decision 81).
//!
//! Tables: `sign_on_provider`, one for an institution; the operators' is a setting of the host.
//! `sign_on_start`, sign-ons that a browser has begun; `sign_on_identity`, whom a provider knows
//! under which name; `sign_on_log_out`, messages of providers that were obeyed.
//!
//! 1. [`configuring`]: an institution's owners name its provider, and switch passwords off.
//! 2. [`starting`]: a browser is led to the provider.
//! 3. [`officers`] and [`operators`]: the code that comes back opens a session.
//! 4. [`ending`]: a provider ends sessions.

pub mod configuring;
pub mod ending;
pub mod finishing;
pub mod officers;
pub mod operators;
pub mod provider;
pub mod starting;
