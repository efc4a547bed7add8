//! The servers, over real sockets: the contract on the wire, hostile clients, stopping.

mod hostile;
mod protocol;
