//! The servers, over real sockets: the contract on the wire, hostile clients, stopping.

mod access;
mod agents_law;
mod ai_tools;
mod bad_input;
mod bodies;
mod clarification;
mod clearing;
mod content;
mod csrf;
mod embedding;
mod erased;
mod features;
mod files;
mod grid;
mod hostile;
mod impersonating;
mod links;
mod live;
mod origins;
mod pages;
mod parity;
mod payouts;
mod plan_changes;
mod protocol;
mod statements;
mod visits;
