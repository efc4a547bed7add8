//! A Redis in which servers count together. It is told names that say nothing about callers.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, ConnectionAddr, IntoConnectionInfo as _, Script, TlsCertificates};
use tokio::time::timeout;

use crate::kernel::Secret;

/// How long a connection may take to be made.
const CONNECT_WITHIN: Duration = Duration::from_millis(250);
/// How long an answer may take.
const ANSWER_WITHIN: Duration = Duration::from_millis(100);
/// How long a request waits for all of it.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often it is greeted before it counts as down.
const GREETINGS: usize = 5;
/// The longest pause before a connection is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// Counts requests under keys, in the minute by the clock of the Redis. Arguments: the minute in
/// which the counts that follow are known; for each key, the count known so far and the requests to
/// add. A Redis that has forgotten, such as one that was started anew, goes on from what is known.
/// Answers the seconds of its clock and the count of each key. A key lasts until its minute is
/// over.
const COUNT: &str = "
local now = tonumber(redis.call('TIME')[1])
local minute = math.floor(now / 60)
local told = {now}
for i, key in ipairs(KEYS) do
  local known, more = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local count = redis.call('INCRBY', key, more)
  if tonumber(ARGV[1]) == minute and count < known + more then
    count = redis.call('INCRBY', key, known + more - count)
  end
  if redis.call('PTTL', key) < 0 then
    redis.call('PEXPIREAT', key, (minute + 1) * 60000 - 1)
  end
  told[i + 1] = count
end
return told";

/// What stands before each key, beside those of other programs.
const PREFIX: &str = "nil:throttle:";

/// The address of a Redis, which may hold a password.
#[derive(Clone)]
pub struct Redis {
    client: Client,
    /// Its host and port.
    described: String,
}

impl Redis {
    /// From `redis://…` or, with TLS, `rediss://…`. Does not connect. The reason of a refusal never
    /// holds the address.
    pub fn at(address: &Secret) -> Result<Self, String> {
        let text = address.expose();
        if !text.starts_with("redis://") && !text.starts_with("rediss://") {
            return Err("must begin with redis:// or rediss://".into());
        }
        let wrong = |_| "is no address such as redis://:password@redis.example:6379/0".to_owned();
        let info = text.into_connection_info().map_err(wrong)?;
        // A request is one small packet, which must not wait for the answer to another.
        let tcp = info.tcp_settings().clone().set_nodelay(true);
        let info = info.set_tcp_settings(tcp);
        let described = match info.addr() {
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
                format!("{host}:{port}")
            }
            _ => "a socket".to_owned(),
        };
        Ok(Self { client: Client::open(info).map_err(wrong)?, described })
    }

    /// The same, whose certificate is from one of these authorities (PEM) and not from a public
    /// one. The reason of a refusal says why they cannot be used.
    pub fn trusting(self, authorities: Vec<u8>) -> Result<Self, String> {
        let info = self.client.get_connection_info().clone();
        if !matches!(info.addr(), ConnectionAddr::TcpTls { .. }) {
            return Err("is used only with rediss://".into());
        }
        let certificates = TlsCertificates { client_tls: None, root_cert: Some(authorities) };
        let client = Client::build_with_tls(info, certificates);
        let client = client.map_err(|error| format!("cannot be used: {error}"))?;
        Ok(Self { client, described: self.described })
    }

    /// Asks it for the time; the reason why it does not answer.
    pub async fn greet(&self) -> Result<(), String> {
        let store = Store::new(self.clone());
        let mut answer = store.count(0, &[]).await;
        // Nobody waits for it as requests do: a connection with TLS may take longer.
        for _ in 1..GREETINGS {
            if answer.is_ok() {
                break;
            }
            answer = store.count(0, &[]).await;
        }
        answer.map(|_| ())
    }

    /// What it is, for people: without the password.
    #[must_use]
    pub fn described(&self) -> &str {
        &self.described
    }
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.described)
    }
}

/// The counts in a Redis.
pub(super) struct Store {
    redis: Redis,
    /// The one connection, made when it is first asked, and again when it is lost.
    connection: Mutex<Option<ConnectionManager>>,
    script: Script,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.redis.fmt(f)
    }
}

/// The requests to add under a name.
pub(super) struct Counted {
    pub(super) name: String,
    /// The count that is known.
    pub(super) known: u32,
    /// The requests to add.
    pub(super) more: u32,
}

/// What the Redis answered.
#[derive(Debug)]
pub(super) struct Told {
    /// The seconds of its clock since 1970.
    pub(super) seconds: i64,
    /// The count of each name, in the order in which they were asked.
    pub(super) counts: Vec<u32>,
}

impl Store {
    pub(super) fn new(redis: Redis) -> Self {
        Self { redis, connection: Mutex::default(), script: Script::new(COUNT) }
    }

    pub(super) fn described(&self) -> &str {
        &self.redis.described
    }

    /// Counts, in one round trip; `minute` is that in which the counts are known.
    pub(super) async fn count(&self, minute: i64, all: &[Counted]) -> Result<Told, String> {
        let mut call = self.script.prepare_invoke();
        call.arg(minute);
        for Counted { name, known, more } in all {
            call.key(format!("{PREFIX}{name}")).arg(known).arg(more);
        }
        let mut connection = self.connection()?;
        let asked = timeout(PATIENCE, call.invoke_async(&mut connection)).await;
        let told: Vec<i64> = match asked {
            Ok(told) => told.map_err(|error| error.to_string())?,
            Err(_) => return Err("it does not answer".to_owned()),
        };
        let unusual = || "its answer is not what was asked for".to_owned();
        let (seconds, counts) = told.split_first().ok_or_else(unusual)?;
        if counts.len() != all.len() {
            return Err(unusual());
        }
        let counts = counts.iter().map(|count| u32::try_from(*count).unwrap_or(u32::MAX));
        Ok(Told { seconds: *seconds, counts: counts.collect() })
    }

    /// A handle of the connection.
    fn connection(&self) -> Result<ConnectionManager, String> {
        let mut kept = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connection) = &*kept {
            return Ok(connection.clone());
        }
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(CONNECT_WITHIN))
            .set_response_timeout(Some(ANSWER_WITHIN))
            .set_number_of_retries(1)
            .set_max_delay(PAUSE);
        let made = ConnectionManager::new_lazy_with_config(self.redis.client.clone(), config);
        let made = made.map_err(|error| error.to_string())?;
        Ok(kept.insert(made).clone())
    }

    /// Gives the connection up, so that the next request makes another: the manager keeps one whose
    /// peer refused the password or went away without a word.
    pub(super) fn give_up(&self) {
        *self.connection.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_described_without_its_password() {
        for (text, described) in [
            ("redis://:secret@redis.example", "redis.example:6379"),
            ("rediss://ada:secret@redis.example:6380/2", "redis.example:6380"),
        ] {
            let redis = Redis::at(&Secret::new(text)).unwrap();
            assert_eq!(redis.described(), described);
            assert_eq!(format!("{redis:?}"), described);
        }
        for text in ["unix:///run/redis", "redis.example", "redis://:secret@", "http://x", ""] {
            let why = Redis::at(&Secret::new(text)).unwrap_err();
            assert!(!why.contains("secret"), "{why}");
        }
    }
}
