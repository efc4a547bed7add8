//! The servers, over real sockets: the contract on the wire, hostile clients, stopping.

mod access;
mod ai_tools;
mod bad_input;
mod bodies;
mod clarification;
mod content;
mod csrf;
mod erased;
mod files;
mod grid;
mod hostile;
mod links;
mod live;
mod pages;
mod parity;
mod protocol;
mod statements;
mod visits;
