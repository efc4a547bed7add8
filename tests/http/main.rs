//! The servers, over real sockets: the contract on the wire, hostile clients, stopping.

mod access;
mod clarification;
mod files;
mod grid;
mod hostile;
mod parity;
mod protocol;
