//! The screens of the operators' console.

pub(super) mod today;
