//! Limits the number of connections one client may hold open.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Config;
use crate::kernel::Network;
use crate::throttle::address_bucket;

/// The default limit for one client address.
const USUAL: usize = 256;

/// Counts connections by client: an IPv4 address, or the /64 of an IPv6 address.
#[derive(Clone, Debug)]
pub(super) struct ConnectionLimits(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: usize,
    /// Whether this machine counts like any other client: only if a number was configured.
    loopback: bool,
    /// A proxy carries the connections of many clients.
    proxies: Vec<Network>,
    here: Mutex<HashMap<String, usize>>,
}

/// The slot of one connection.
#[derive(Debug)]
pub(super) struct Admitted {
    limits: ConnectionLimits,
    client: Option<String>,
}

impl ConnectionLimits {
    pub(super) fn new(config: &Config) -> Self {
        Self(Arc::new(Inner {
            most: config.connections_per_address.unwrap_or(USUAL),
            loopback: config.connections_per_address.is_some(),
            proxies: config.trusted_proxies.clone(),
            here: Mutex::default(),
        }))
    }

    /// A slot for a connection from this address; none if the client has reached its limit.
    pub(super) fn admit(&self, address: IpAddr) -> Option<Admitted> {
        let inner = &self.0;
        let address = address.to_canonical();
        let exempt = inner.proxies.iter().any(|proxy| proxy.has(address))
            || (address.is_loopback() && !inner.loopback);
        let client = (!exempt).then(|| address_bucket(Some(address)));
        if let Some(client) = &client {
            let mut here = inner.here.lock().unwrap_or_else(PoisonError::into_inner);
            let count = here.entry(client.clone()).or_default();
            if *count >= inner.most.max(1) {
                return None;
            }
            *count += 1;
        }
        Some(Admitted { limits: self.clone(), client })
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let Some(client) = &self.client else { return };
        let here = self.limits.0.here.lock();
        let mut here = here.unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = here.get_mut(client) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                here.remove(client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(most: usize, loopback: bool) -> ConnectionLimits {
        ConnectionLimits(Arc::new(Inner {
            most,
            loopback,
            proxies: vec![IpAddr::from([10, 0, 0, 1]).into()],
            here: Mutex::default(),
        }))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_client_holds_so_many_connections_and_others_theirs() {
        let limits = limits(2, false);
        let client = address("203.0.113.9");
        let held = [limits.admit(client).unwrap(), limits.admit(client).unwrap()];
        assert!(limits.admit(client).is_none());
        assert!(limits.admit(address("::ffff:203.0.113.9")).is_none());
        assert!(limits.admit(address("203.0.113.10")).is_some());
        drop(held);
        assert!(limits.admit(client).is_some());
        assert!(limits.0.here.lock().unwrap().is_empty());
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let limits = limits(1, false);
        let _held = limits.admit(address("2001:db8:0:1::1")).unwrap();
        assert!(limits.admit(address("2001:db8:0:1:ffff::2")).is_none());
        assert!(limits.admit(address("2001:db8:0:2::1")).is_some());
    }

    #[test]
    fn proxies_and_this_machine_are_not_counted() {
        for (loopback, address) in [(false, "10.0.0.1"), (true, "10.0.0.1"), (false, "::1")] {
            let limits = limits(1, loopback);
            let held: Vec<_> = (0..5).map(|_| limits.admit(self::address(address))).collect();
            assert!(held.iter().all(Option::is_some), "{address}");
        }
        let limits = limits(1, true);
        let _held = limits.admit(address("127.0.0.1")).unwrap();
        assert!(limits.admit(address("127.0.0.1")).is_none());
    }
}
