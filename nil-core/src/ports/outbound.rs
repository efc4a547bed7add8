//! A client for addresses that users of the platform have written: it reaches only the public
//! internet, and networks that the operator names.
//!
//! Names are resolved here for each request, and addresses of private networks, of this machine and
//! of other special uses are left out, so that nobody can make the server ask machines that only it
//! can reach. A page that is read may redirect, by the same rules; what is sent is sent to its
//! address alone. Size and time are limited.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Client, ClientBuilder, Response, StatusCode, Url, redirect};
use tokio::time::{Instant, timeout_at};

use super::traces;
use crate::kernel::Network;

/// The number of redirects followed.
const REDIRECTS: usize = 3;

/// The limits of one request, with its redirects.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest part of an answer that is read, in bytes; the rest is left.
    pub bytes: usize,
    /// The time limit.
    pub time: Duration,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The address that answered, after redirects.
    pub url: Url,
    /// Whether the server says that the body is a page.
    pub is_page: bool,
    /// The beginning of the body.
    pub body: Vec<u8>,
}

/// A client that reaches only the public internet, and networks that the operator names.
#[derive(Debug, Clone)]
pub struct Outbound {
    client: Client,
    limits: Limits,
    /// The only scheme that is asked: `https`, except by tests of this crate.
    scheme: &'static str,
    /// The operator's own networks. There an address that is a number is asked too, over plain
    /// `http` and at any port.
    own: Vec<Network>,
}

impl Outbound {
    /// A client with these limits; otherwise the reason why there is none.
    pub fn new(limits: Limits) -> Result<Self, String> {
        Self::reaching(limits, Vec::new())
    }

    /// A client with these limits that also reaches these networks of the operator's own; otherwise
    /// the reason why there is none.
    pub fn reaching(limits: Limits, own: Vec<Network>) -> Result<Self, String> {
        let resolver = Public(own.clone());
        let client = builder(limits).https_only(own.is_empty()).dns_resolver(resolver).build();
        let client = client.map_err(|error| error.to_string())?;
        Ok(Self { client, limits, scheme: "https", own })
    }

    /// Whether an address is of the form that is asked; otherwise the reason why not. Where a name
    /// leads is looked up for each request.
    pub fn accepts(&self, address: &str) -> Result<(), String> {
        let url = Url::parse(address).map_err(|_| "not a web address".to_owned())?;
        self.check(&url)
    }

    fn check(&self, url: &Url) -> Result<(), String> {
        if is_in(&self.own, url) { Ok(()) } else { is_allowed(url, self.scheme) }
    }

    /// Sends a body to an address, which may not redirect. The error is the reason why there is no
    /// answer, without the address. The answer's status counts even if its body does not end.
    pub async fn post(
        &self,
        address: &str,
        headers: &[(&'static str, String)],
        body: String,
    ) -> Result<Answer, String> {
        let until = Instant::now() + self.limits.time;
        let url = Url::parse(address).map_err(|_| "not a web address".to_owned())?;
        self.check(&url)?;
        let mut request = self.client.post(url.clone()).body(body);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let response = timeout_at(until, traces::send("webhook", request)).await;
        let response = response.map_err(|_| "no answer in time".to_owned())?;
        let mut response = response.map_err(in_words)?;
        let (status, is_page) = (response.status(), is_page(&response));
        let mut body = Vec::new();
        while body.len() < self.limits.bytes {
            let Ok(Ok(Some(chunk))) = timeout_at(until, response.chunk()).await else { break };
            keep(&mut body, &chunk, self.limits.bytes);
        }
        Ok(Answer { status, url, is_page, body })
    }

    /// Gets a page of the public web over `https`, as a reader without an account does. The error
    /// is the reason why there is no answer, without the address.
    pub async fn get(&self, address: &str) -> Result<Answer, String> {
        self.in_time(self.follow(address, REDIRECTS, None)).await
    }

    /// Gets what is at this very address, which may not redirect, with this token if there is one.
    pub async fn get_here(&self, address: &str, bearer: Option<&str>) -> Result<Answer, String> {
        self.in_time(self.follow(address, 0, bearer)).await
    }

    async fn in_time(
        &self,
        asking: impl Future<Output = Result<Answer, String>>,
    ) -> Result<Answer, String> {
        let answer = tokio::time::timeout(self.limits.time, asking).await;
        answer.unwrap_or_else(|_| Err("no answer in time".to_owned()))
    }

    async fn follow(
        &self,
        address: &str,
        redirects: usize,
        bearer: Option<&str>,
    ) -> Result<Answer, String> {
        let mut url = Url::parse(address).map_err(|_| "not a web address".to_owned())?;
        for _ in 0..=redirects {
            self.check(&url)?;
            let mut request = self.client.get(url.clone());
            if let Some(token) = bearer {
                request = request.bearer_auth(token);
            }
            let mut response = request.send().await.map_err(in_words)?;
            let status = response.status();
            let next = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
            if let Some(next) = next.filter(|_| status.is_redirection()) {
                url = url.join(next).map_err(|_| "a redirect to no web address".to_owned())?;
                continue;
            }
            let is_page = is_page(&response);
            let mut body = Vec::new();
            while body.len() < self.limits.bytes {
                let chunk = response.chunk().await;
                let chunk = chunk.map_err(|error| error.without_url().to_string())?;
                let Some(chunk) = chunk else { break };
                keep(&mut body, &chunk, self.limits.bytes);
            }
            return Ok(Answer { status, url, is_page, body });
        }
        Err("too many redirects".to_owned())
    }
}

/// Keeps what there is room for.
fn keep(body: &mut Vec<u8>, chunk: &[u8], most: usize) {
    let room = most.saturating_sub(body.len());
    body.extend_from_slice(chunk.get(..room).unwrap_or(chunk));
}

/// Why a request failed, with the causes that help its reader, without the address.
fn in_words(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(why) = cause {
        words = format!("{words}: {why}");
        cause = why.source();
    }
    words
}

fn builder(limits: Limits) -> ClientBuilder {
    Client::builder()
        // A connection that is kept would lead where the name once led.
        .pool_max_idle_per_host(0)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .connect_timeout(limits.time)
        .user_agent(concat!("nil/", env!("CARGO_PKG_VERSION")))
}

fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    ["text/html", "application/xhtml+xml"].iter().any(|page| kind.eq_ignore_ascii_case(page))
}

/// Only names of hosts, over `https`, at the usual port: a number would not be resolved, and so not
/// be checked.
fn is_allowed(url: &Url, scheme: &str) -> Result<(), String> {
    let is_name = url.domain().is_some();
    let plain = url.username().is_empty() && url.password().is_none() && url.port().is_none();
    if url.scheme() == scheme && is_name && plain {
        return Ok(());
    }
    Err("only ordinary https addresses with a name are asked".to_owned())
}

/// Whether it is an address, not a name, within one of these networks.
fn is_in(own: &[Network], url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let plain = url.username().is_empty() && url.password().is_none();
    let scheme = matches!(url.scheme(), "http" | "https");
    let address: Option<IpAddr> = host.parse().ok();
    plain && scheme && address.is_some_and(|at| own.iter().any(|network| network.has(at)))
}

/// Resolves names to public addresses only, and to those of the operator's own networks.
#[derive(Debug, Clone)]
struct Public(Vec<Network>);

impl Resolve for Public {
    fn resolve(&self, name: Name) -> Resolving {
        let own = self.0.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let reached = |at: &SocketAddr| {
                is_public(at.ip()) || own.iter().any(|network| network.has(at.ip()))
            };
            let public: Vec<SocketAddr> = found.filter(reached).collect();
            if public.is_empty() {
                return Err(io::Error::other("the name has no public address").into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

/// Whether an address belongs to the public internet.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation();
    // This network, carriers' own networks, protocol assignments, relays, measurements, reserved.
    let reserved = a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19))
        || a >= 240;
    !special && !reserved
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    // Only global unicast, without protocol assignments and tunnels, documentation, and relays of
    // the older protocol.
    let special = match first {
        0x2001 => second < 0x0200 || second == 0x0db8,
        0x2002 => true,
        0x3fff => second < 0x1000,
        _ => false,
    };
    first & 0xe000 == 0x2000 && !special
}

/// A client of tests, which reaches a server on this machine under one name.
#[cfg(test)]
pub(super) mod nearby {
    use super::*;

    /// The name under which the server is reached.
    pub(in crate::ports) const NAME: &str = "posts.test";

    #[derive(Debug)]
    struct Nearby(SocketAddr);

    impl Resolve for Nearby {
        fn resolve(&self, name: Name) -> Resolving {
            if name.as_str() != NAME {
                return Public(Vec::new()).resolve(name);
            }
            let addresses: Addrs = Box::new([self.0].into_iter());
            Box::pin(async move { Ok(addresses) })
        }
    }

    /// A client that asks over `http`, and finds the server at [`NAME`]; all other rules hold.
    pub(in crate::ports) fn client(limits: Limits, server: SocketAddr) -> Outbound {
        let client = builder(limits).dns_resolver(Nearby(server)).build().unwrap();
        Outbound { client, limits, scheme: "http", own: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_public() {
        for address in ["93.184.215.14", "8.8.8.8", "2606:4700::1111", "2a00:1450:4001::64"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.8",
            "192.168.1.1",
            "198.18.0.1",
            "203.0.113.7",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2001:db8::1",
            "2002:a00:1::",
            "fc00::1",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn only_ordinary_addresses_are_asked() {
        let allowed = |text: &str| is_allowed(&Url::parse(text).unwrap(), "https").is_ok();
        assert!(allowed("https://www.instagram.com/p/1"));
        for text in [
            "http://www.instagram.com/p/1",
            "https://127.0.0.1/",
            "https://0x7f000001/",
            "https://[::1]/",
            "https://instagram.com:8443/p/1",
            "https://me@instagram.com/p/1",
            "ftp://instagram.com/",
        ] {
            assert!(!allowed(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_asked_only_in_networks_of_the_operator() {
        let limits = Limits { bytes: 10, time: Duration::from_secs(5) };
        let own = vec!["10.1.0.0/16".parse().unwrap(), "fd00::/8".parse().unwrap()];
        let client = Outbound::reaching(limits, own).unwrap();
        for address in ["http://10.1.2.3:8080/hook", "https://10.1.2.3/", "http://[fd00::1]/"] {
            assert!(client.accepts(address).is_ok(), "{address}");
            assert!(Outbound::new(limits).unwrap().accepts(address).is_err(), "{address}");
        }
        for address in
            ["http://10.2.0.1/", "http://me@10.1.2.3/", "ftp://10.1.2.3/", "http://in.example/"]
        {
            assert!(client.accepts(address).is_err(), "{address}");
        }
    }

    #[tokio::test]
    async fn this_machine_is_not_asked() {
        let limits = Limits { bytes: 10, time: Duration::from_secs(5) };
        let client = Outbound::new(limits).unwrap();
        assert!(client.get("https://localhost/").await.is_err());
    }
}
