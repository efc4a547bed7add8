//! Networks of addresses: of the proxies that are trusted, and of receivers of webhooks.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// An address, or all addresses that begin alike: `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Whether it has this address; one of IPv4 that is written as one of IPv6 is the same address.
    #[must_use]
    pub fn has(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        Self(address.to_canonical().into())
    }
}

impl FromStr for Network {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(address.into());
        }
        let network: IpNet = text
            .parse()
            .map_err(|_| "is no address such as 10.0.0.5 and no network such as 10.0.0.0/8")?;
        // All of the addresses that there are: then anybody could claim any address.
        if network.prefix_len() == 0 {
            return Err("is all addresses there are; name those that are meant");
        }
        Ok(Self(network.trunc()))
    }
}

/// Whether a host, by name or address, is the machine that this program runs on.
#[must_use]
pub fn is_this_machine(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_what_begins_alike() {
        let has = |network: &str, address: &str| {
            network.parse::<Network>().unwrap().has(address.parse().unwrap())
        };
        assert!(has("10.0.0.5", "10.0.0.5") && has("10.0.0.5", "::ffff:10.0.0.5"));
        assert!(!has("10.0.0.5", "10.0.0.6"));
        assert!(has("10.1.2.3/8", "10.255.0.1") && !has("10.0.0.0/8", "11.0.0.1"));
        assert!(has("fd00::/8", "fd12::1") && !has("fd00::/8", "10.0.0.1"));
        for wrong in ["", "proxy.example", "10.0.0.0/33", "0.0.0.0/0", "::/0", "10.0.0"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }
}
