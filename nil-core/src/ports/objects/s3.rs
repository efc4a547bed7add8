//! A store that speaks the protocol of Amazon S3: a bucket of one's own at a provider or of a
//! server such as `MinIO`.
//!
//! Under the prefix of the settings, `ab/abcdef…` is an object and `aside/…` one without a file.
//! Parts travel straight from the client to the bucket, to addresses that are signed for one part.
//! They do not bind its length (the library signs no `Content-Length`), so whoever joins the parts
//! compares the size of the object with what was announced.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use chrono::TimeDelta;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::multipart::{MultipartStore as _, PartId};
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer as _};
use object_store::{
    ClientOptions, GetOptions, GetRange, ObjectStore as _, ObjectStoreExt as _, RetryConfig,
};
use reqwest::{Method, Url};

use super::parts::{invalid, no_upload, wrong_length};
use super::{Incoming, Later, ObjectKey, Objects, PartAddress, Parted, Pieces};
use crate::kernel::{Secret, Time};

/// How long an object stays set aside.
const ASIDE: TimeDelta = TimeDelta::days(30);
/// The time to reach the server, and the longest silence of it.
const CONNECT: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(30);
/// How long one request is tried again.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where the bucket is, and who may use it.
#[derive(Clone, Debug)]
pub struct S3Settings {
    /// The bucket.
    pub bucket: String,
    /// Its region, such as `eu-central-1`; servers of one's own usually ignore it.
    pub region: String,
    /// The address of the server; by default Amazon's in that region.
    pub endpoint: Option<String>,
    /// What all keys in the bucket begin with, without slashes at its ends; empty for nothing.
    pub prefix: String,
    /// The name of the key.
    pub access_key_id: String,
    /// The key itself.
    pub secret_access_key: Secret,
}

/// Objects in a bucket.
#[derive(Clone, Debug)]
pub struct S3 {
    store: Arc<AmazonS3>,
    prefix: Path,
    described: String,
}

impl S3 {
    /// A store in this bucket, which is not asked before its first use. The reason begins with the
    /// setting that is wrong; it never holds the secret key.
    pub fn new(settings: S3Settings) -> Result<Self, String> {
        let S3Settings { bucket, region, endpoint, prefix, access_key_id, secret_access_key } =
            settings;
        for (name, value) in
            [("bucket", &bucket), ("region", &region), ("access_key_id", &access_key_id)]
        {
            if value.is_empty() || value.contains(|c: char| c.is_whitespace() || c == '/') {
                return Err(format!("{name}: must be one word without slashes"));
            }
        }
        if secret_access_key.expose().is_empty() {
            return Err("secret_access_key: must not be empty".into());
        }
        let prefix = Path::parse(&prefix)
            .map_err(|_| String::from("prefix: must be names with single slashes between them"))?;
        let described = match &endpoint {
            Some(endpoint) => format!("{bucket} at {}", address(endpoint)?),
            None => format!("{bucket} in {region}"),
        };
        let options = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(CONNECT)
            .with_read_timeout(SILENCE);
        let retry =
            RetryConfig { max_retries: 4, retry_timeout: PATIENCE, ..RetryConfig::default() };
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(bucket)
            .with_region(region)
            .with_access_key_id(access_key_id)
            .with_secret_access_key(secret_access_key.expose())
            .with_client_options(options)
            .with_retry(retry);
        if let Some(endpoint) = endpoint {
            let plain = endpoint.starts_with("http:");
            builder = builder.with_allow_http(plain).with_endpoint(endpoint);
        }
        // What the builder refuses is told without its values: one of them is the secret.
        let store = builder.build().map_err(|_| String::from("endpoint: cannot be used"))?;
        Ok(Self { store: Arc::new(store), prefix, described })
    }

    /// The bucket in words, without secrets.
    #[must_use]
    pub fn described(&self) -> &str {
        &self.described
    }

    fn within(&self, folder: &str, key: &ObjectKey) -> Path {
        self.prefix.clone().join(folder).join(key.as_str())
    }

    fn place(&self, key: &ObjectKey) -> Path {
        self.within(key.shelf(), key)
    }

    async fn read(&self, key: &ObjectKey, range: Option<(u64, u64)>) -> io::Result<Option<Pieces>> {
        let range =
            range.map(|(from, length)| GetRange::Bounded(from..from.saturating_add(length)));
        let options = GetOptions { range, ..GetOptions::default() };
        let Some(got) = absent(self.store.get_opts(&self.place(key), options).await)? else {
            return Ok(None);
        };
        // Never locked: it only says that the stream is read from one place at a time.
        let mut pieces = Mutex::new(got.into_stream());
        let pieces = stream::poll_fn(move |cx| {
            let pieces = pieces.get_mut().unwrap_or_else(PoisonError::into_inner);
            pieces.poll_next_unpin(cx)
        });
        Ok(Some(Box::pin(pieces.map(|piece| piece.map(Vec::from).map_err(lost)))))
    }
}

/// The server of an address, for people.
fn address(endpoint: &str) -> Result<String, String> {
    let url = Url::parse(endpoint).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.filter(|url| url.username().is_empty() && url.password().is_none());
    let host = url.as_ref().and_then(Url::host_str);
    host.map(str::to_owned).ok_or_else(|| {
        String::from("endpoint: must be an address with http:// or https:// and no user in it")
    })
}

/// Turns a missing object into `None`.
fn absent<T>(outcome: object_store::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Ok(found) => Ok(Some(found)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(lost(error)),
    }
}

fn lost(error: object_store::Error) -> io::Error {
    io::Error::other(error)
}

/// The error of an upload. The store tells apart only by their text what is wrong with its parts.
fn refused(error: object_store::Error) -> io::Error {
    if matches!(error, object_store::Error::NotFound { .. }) {
        return no_upload();
    }
    let text = error.to_string();
    let says = |codes: &[&str]| codes.iter().any(|code| text.contains(code));
    if says(&["NoSuchUpload"]) {
        no_upload()
    } else if says(&["InvalidPart", "EntityTooSmall", "MalformedXML"]) {
        invalid(error)
    } else {
        lost(error)
    }
}

impl Objects for S3 {
    fn put<'a>(&'a self, key: &'a ObjectKey, bytes: Bytes) -> Later<'a, ()> {
        Box::pin(async move {
            self.store.put(&self.place(key), bytes.into()).await.map_err(lost)?;
            Ok(())
        })
    }

    fn get<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, Option<Pieces>> {
        Box::pin(self.read(key, None))
    }

    fn get_part<'a>(
        &'a self,
        key: &'a ObjectKey,
        from: u64,
        length: u64,
    ) -> Later<'a, Option<Pieces>> {
        Box::pin(self.read(key, Some((from, length))))
    }

    fn begin<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, String> {
        Box::pin(async move { self.store.create_multipart(&self.place(key)).await.map_err(lost) })
    }

    fn put_part<'a>(
        &'a self,
        of: &'a Parted,
        number: u16,
        length: u64,
        mut bytes: Incoming,
    ) -> Later<'a, String> {
        Box::pin(async move {
            // The protocol wants the length and the checksum in front: the part is in memory, and
            // no more of it than was announced.
            let most = usize::try_from(length).map_err(io::Error::other)?;
            let mut part = BytesMut::new();
            while let Some(piece) = bytes.try_next().await? {
                if piece.len() > most.saturating_sub(part.len()) {
                    return Err(wrong_length(length));
                }
                part.extend_from_slice(&piece);
            }
            if part.len() < most {
                return Err(wrong_length(length));
            }
            let (place, index) = (self.place(&of.key), usize::from(number).saturating_sub(1));
            let part = part.freeze().into();
            let put = self.store.put_part(&place, &of.upload, index, part).await;
            Ok(bare(&put.map_err(refused)?.content_id))
        })
    }

    fn part_address<'a>(
        &'a self,
        of: &'a Parted,
        number: u16,
        good_for: Duration,
    ) -> Later<'a, Option<PartAddress>> {
        Box::pin(async move {
            let query = [("partNumber", number.to_string()), ("uploadId", of.upload.clone())];
            let options = SignedUrlOptions::default().with_query(query);
            let place = self.place(&of.key);
            let url = self.store.signed_url_opts(Method::PUT, &place, good_for, &options).await;
            Ok(Some(PartAddress { url: url.map_err(lost)?.into(), headers: Vec::new() }))
        })
    }

    fn join<'a>(&'a self, of: &'a Parted, tags: &'a [String]) -> Later<'a, ()> {
        Box::pin(async move {
            let parts = tags.iter().map(|tag| PartId { content_id: format!("\"{}\"", bare(tag)) });
            let place = self.place(&of.key);
            let joined = self.store.complete_multipart(&place, &of.upload, parts.collect()).await;
            joined.map(|_| ()).map_err(refused)
        })
    }

    fn abort<'a>(&'a self, of: &'a Parted) -> Later<'a, ()> {
        Box::pin(async move {
            let place = self.place(&of.key);
            let aborted = self.store.abort_multipart(&place, &of.upload).await.map_err(refused);
            match aborted {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                other => other,
            }
        })
    }

    fn remove<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, ()> {
        Box::pin(async move { absent(self.store.delete(&self.place(key)).await).map(|_| ()) })
    }

    fn shelf(&self, number: u8) -> Later<'_, Vec<ObjectKey>> {
        Box::pin(async move {
            let prefix = self.prefix.clone().join(hex::encode([number]));
            let found = self.store.list(Some(&prefix)).map_err(lost);
            let key = |path: Path| path.filename().and_then(ObjectKey::parse);
            found.try_filter_map(|object| async { Ok(key(object.location)) }).try_collect().await
        })
    }

    fn set_aside<'a>(&'a self, key: &'a ObjectKey, _: Time) -> Later<'a, ()> {
        Box::pin(async move {
            let (place, aside) = (self.place(key), self.within("aside", key));
            // The copy is new: its month starts now.
            if absent(self.store.copy(&place, &aside).await)?.is_some() {
                absent(self.store.delete(&place).await)?;
            }
            Ok(())
        })
    }

    fn tidy(&self, now: Time) -> Later<'_, ()> {
        Box::pin(async move {
            let aside = self.prefix.clone().join("aside");
            let found = self.store.list(Some(&aside)).map_err(lost);
            let old =
                found.try_filter(|object| std::future::ready(object.last_modified < now - ASIDE));
            // Parts of uploads that nobody ended are removed by a rule of the bucket's own
            // (docs/operating.md): the protocol has no cheap way to find them.
            old.try_for_each(|object| async move {
                absent(self.store.delete(&object.location).await).map(|_| ())
            })
            .await
        })
    }
}

/// A tag without the quotes it has in headers.
fn bare(tag: &str) -> String {
    tag.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = fn(&mut S3Settings);

    fn settings() -> S3Settings {
        S3Settings {
            bucket: "files".into(),
            region: "eu-central-1".into(),
            endpoint: None,
            prefix: "nil/live".into(),
            access_key_id: "AKIDEXAMPLE".into(),
            secret_access_key: Secret::new("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
        }
    }

    #[test]
    fn wrong_settings_are_named() {
        let told = |change: fn(&mut S3Settings)| {
            let mut settings = settings();
            change(&mut settings);
            S3::new(settings).map(|s3| s3.described)
        };
        assert_eq!(told(|_| ()).unwrap(), "files in eu-central-1");
        let own = told(|s| s.endpoint = Some("http://127.0.0.1:9000".into()));
        assert_eq!(own.unwrap(), "files at 127.0.0.1");
        let wrong: [(Change, &str); 9] = [
            (|s| s.bucket = String::new(), "bucket"),
            (|s| s.bucket = "a/b".into(), "bucket"),
            (|s| s.region = " ".into(), "region"),
            (|s| s.access_key_id = String::new(), "access_key_id"),
            (|s| s.secret_access_key = Secret::new(""), "secret_access_key"),
            (|s| s.endpoint = Some("files.example".into()), "endpoint"),
            (|s| s.endpoint = Some("ftp://files.example".into()), "endpoint"),
            (|s| s.endpoint = Some("https://me:secret@files.example".into()), "endpoint"),
            (|s| s.prefix = "a//b".into(), "prefix"),
        ];
        for (change, name) in wrong {
            let why = told(change).unwrap_err();
            assert!(why.starts_with(&format!("{name}: ")) && !why.contains("secret@"), "{why}");
        }
    }

    #[test]
    fn nothing_shows_the_secret() {
        let s3 = S3::new(settings()).unwrap();
        assert!(!format!("{:?}", settings()).contains("wJalr"));
        assert!(!format!("{s3:?}").contains("wJalr"), "{s3:?}");
    }

    #[tokio::test]
    async fn an_address_is_for_one_part_of_one_upload() {
        let s3 = S3::new(settings()).unwrap();
        let key = ObjectKey::parse("0123456789abcdef0123456789abcdef").unwrap();
        let of = Parted { key, upload: "up/1".into() };
        let sign = async |number| {
            let hour = Duration::from_hours(1);
            s3.part_address(&of, number, hour).await.unwrap().unwrap().url
        };
        let url = Url::parse(&sign(3).await).unwrap();
        let query = |url: &Url, name: &str| {
            let found = url.query_pairs().find(|(given, _)| given == name);
            found.map(|(_, value)| value.into_owned()).unwrap_or_default()
        };
        assert!(url.path().ends_with("/nil/live/01/0123456789abcdef0123456789abcdef"), "{url}");
        assert_eq!(
            (query(&url, "partNumber"), query(&url, "uploadId")),
            ("3".into(), "up/1".into())
        );
        assert_eq!(query(&url, "X-Amz-Expires"), "3600");
        assert_eq!(query(&url, "X-Amz-SignedHeaders"), "host");
        let other = Url::parse(&sign(4).await).unwrap();
        assert_ne!(query(&url, "X-Amz-Signature"), query(&other, "X-Amz-Signature"));
    }
}
