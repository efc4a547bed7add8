//! Pages of a host beside the operations, such as the console of `nil-http-poem`: what a page may
//! ask of the site.
//!
//! A page calls operations as the person who is signed in, through [`Visit::perform`], and nothing
//! else of the platform: throttles, permissions, features, idempotency keys and the audit trail are
//! those of the API.
//!
//! What pages await is boxed here. A future that they awaited as it is would be compiled again with
//! them, and so would all that it awaits, down to the database.

use std::net::IpAddr;
use std::time::Instant;

use ::http::request::Parts;
use ::http::{HeaderMap, Method, Response};
use futures::future::BoxFuture;

use super::admission;
use super::arriving::Arriving;
use super::compress::Packed;
use super::door::RequestLog;
use super::form::{self, Sent};
use super::incoming::{self, Limits};
use super::response::{self, Outgoing, log_if_internal};
use super::site::Site;
use crate::auth::{Principal, csrf};
use crate::catalog::{Entry, Interface};
use crate::error::{Error, Result};
use crate::kernel::{Secret, Time};
use crate::metering::{REQUEST_TIME, REQUESTS};
use crate::operation::{Call, Fields, Reply};

/// The pages of a host.
pub trait Pages: Send + Sync {
    /// Whether a page may be at this path, which begins after the site's prefix.
    fn own(&self, site: &Site, path: &str) -> bool;

    /// Where people come in, for the page at `/`: the interface that a site needs for it, its name
    /// and its path.
    fn entrances(&self) -> &[(Interface, &'static str, &'static str)];

    /// The paths of the entrances behind which whoever sends these headers is signed in.
    fn signed_in_at<'v>(
        &'v self,
        desk: Desk<'v>,
        headers: &'v HeaderMap,
    ) -> BoxFuture<'v, Vec<&'static str>>;

    /// The page, or the response to its form.
    fn answer<'v>(&'v self, visit: Visit<'v>) -> BoxFuture<'v, Response<Outgoing>>;
}

/// A request for a page.
pub struct Visit<'a> {
    site: &'a Site,
    parts: &'a Parts,
    own: &'a str,
    body: &'a mut Arriving,
    request_id: &'a str,
    log: &'a mut RequestLog,
}

impl std::fmt::Debug for Visit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visit").field("own", &self.own).finish_non_exhaustive()
    }
}

impl<'a> Visit<'a> {
    pub(super) fn new(
        (site, own, request_id): (&'a Site, &'a str, &'a str),
        parts: &'a Parts,
        body: &'a mut Arriving,
        log: &'a mut RequestLog,
    ) -> Self {
        Self { site, parts, own, body, request_id, log }
    }

    /// What the site is asked through, apart from the body.
    #[must_use]
    pub fn desk(&self) -> Desk<'a> {
        Desk::new(self.site, self.request_id, self.log.address)
    }

    /// The method; `HEAD` is answered as `GET` is.
    #[must_use]
    pub fn method(&self) -> &'a Method {
        &self.parts.method
    }

    /// The path, after the site's prefix.
    #[must_use]
    pub fn path(&self) -> &'a str {
        self.own
    }

    /// The query; empty without one.
    #[must_use]
    pub fn query(&self) -> &'a str {
        self.parts.uri.query().unwrap_or_default()
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &'a HeaderMap {
        &self.parts.headers
    }

    /// Names the page in the log and in the metrics, and who asks for it.
    pub fn note(&mut self, page: &'static str, who: &Principal) {
        self.log.page = Some(page);
        self.log.caller = Some(who.named());
    }

    /// Notes the refusal that the response tells of, and logs a failure of the platform itself.
    pub fn note_refusal(&mut self, error: &Error) {
        self.log.refusal = Some(error.code());
        log_if_internal(error, self.request_id, self.log.operation());
    }

    /// Whether the request comes from a page of this site. Browsers say it (`Sec-Fetch-Site`); one
    /// that does not say it, or a program, is asked for the form's token only.
    #[must_use]
    pub fn is_from_here(&self) -> bool {
        admission::refuse_cross_site(&self.parts.headers).is_ok()
    }

    /// Reads what a form sends: urlencoded, or multipart with at most one file; of somebody who is
    /// not signed in only the former. 413 if it is
    /// larger than forms are; 429 if the site has no memory for it.
    pub fn form<'f>(&'f mut self, who: &'f Principal) -> BoxFuture<'f, Result<Sent>> {
        Box::pin(self.read_form(who))
    }

    async fn read_form(&mut self, who: &Principal) -> Result<Sent> {
        let headers = &self.parts.headers;
        let multipart = incoming::is_multipart(headers);
        if multipart && who.is_anonymous() {
            // Nobody's file is read, since none is kept.
            return Ok(Sent::default());
        }
        let most = self.site.inner().platform.config().body_limit;
        let limits = if multipart { Limits::of_upload() } else { Limits::of_page(most) };
        let mut place = self.site.place(limits, Some(who), self.log.address);
        let mut sent = if multipart {
            incoming::sent(self.body, headers, limits, &mut place).await?
        } else {
            let body = incoming::collect(self.body, headers, limits, &mut place).await?;
            Sent { pairs: form::pairs(&body), ..Sent::default() }
        };
        // Whoever goes on while the client hangs up still has the file.
        match &mut sent.file {
            Some(file) => file.held = Some(place),
            None => sent.held = Some(place),
        }
        Ok(sent)
    }
}

/// What a page asks of the site. Cheap to copy, so that several reads can run at once.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'a> {
    site: &'a Site,
    request_id: &'a str,
    address: Option<IpAddr>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(site: &'a Site, request_id: &'a str, address: Option<IpAddr>) -> Self {
        Self { site, request_id, address }
    }

    pub(super) fn site(&self) -> &'a Site {
        self.site
    }

    /// The prefix of the site's addresses; empty without one.
    #[must_use]
    pub fn prefix(&self) -> &'a str {
        self.site.prefix()
    }

    /// The request's id, as the log and the header `X-Request-Id` have it.
    #[must_use]
    pub fn request_id(&self) -> &'a str {
        self.request_id
    }

    /// Whether people reach the site by https.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.site.inner().platform.config().public_url.starts_with("https:")
    }

    /// Whether users of this interface can sign on through an identity provider: officers by their
    /// institution's, operators by one that the host has configured.
    #[must_use]
    pub fn offers_sign_on(&self, interface: Interface) -> bool {
        let config = self.site.inner().platform.config();
        interface == Interface::Compliance || config.operator_sign_on.is_some()
    }

    /// The platform's clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.site.inner().platform.now()
    }

    /// A new random word, such as an idempotency key.
    #[must_use]
    pub fn new_key(&self) -> String {
        self.site.inner().platform.new_request_id()
    }

    /// Who a session is: a portal user behind the token of a log-in, or an operator behind the
    /// secret of one. Anonymous if the session has ended.
    #[must_use]
    pub fn who<'d>(
        &'d self,
        interface: Interface,
        secret: &'d str,
    ) -> BoxFuture<'d, Result<Principal>> {
        Box::pin(self.found(interface, secret))
    }

    async fn found(&self, interface: Interface, secret: &str) -> Result<Principal> {
        let platform = &self.site.inner().platform;
        let found = match interface {
            Interface::Admin => platform.authenticate_admin(secret).await,
            _ => platform.authenticate_compliance(secret).await,
        };
        match found {
            Ok(Principal::Visitor { .. }) => Ok(Principal::Anonymous),
            Err(error) if admission::is_authentication(&error) => Ok(Principal::Anonymous),
            found => found,
        }
    }

    /// Does one operation as somebody: counts the call, admits the caller, refuses what is off,
    /// runs it. Refuses with what the API refuses with.
    pub fn perform<'d>(
        &'d self,
        entry: &'static Entry,
        who: &'d Principal,
        fields: Fields,
        key: Option<String>,
    ) -> BoxFuture<'d, Result<Reply>> {
        Box::pin(self.counted(entry, who, fields, key))
    }

    async fn counted(
        &self,
        entry: &'static Entry,
        who: &Principal,
        fields: Fields,
        key: Option<String>,
    ) -> Result<Reply> {
        let started = Instant::now();
        let performed = self.performed(entry, who, fields, key).await;
        let status = match &performed {
            Ok(reply) => reply.status,
            Err(error) => error.kind().status(),
        };
        metrics::counter!(REQUESTS, "operation" => entry.name, "status" => status.to_string())
            .increment(1);
        metrics::histogram!(REQUEST_TIME, "operation" => entry.name).record(started.elapsed());
        performed
    }

    async fn performed(
        &self,
        entry: &'static Entry,
        who: &Principal,
        fields: Fields,
        key: Option<String>,
    ) -> Result<Reply> {
        let platform = &self.site.inner().platform;
        let (_, counted) = admission::count(platform, entry, (Some(who), None), self.address).await;
        counted?;
        entry.admit(who)?;
        let call = Call {
            principal: who.clone(),
            fields,
            key,
            strict: entry.is_strict(),
            address: self.address,
            request_id: self.request_id.to_owned(),
        };
        self.site.perform(entry, call).await
    }

    /// A token for the forms of a page, bound to the session. Every page gets a new one, so that
    /// the length of a compressed page says nothing about it.
    #[must_use]
    pub fn form_token(&self, who: &Principal) -> Secret {
        let platform = &self.site.inner().platform;
        let session = who.session().unwrap_or_default();
        csrf::issue(platform.vault(), platform.random(), session)
    }

    /// Whether the token was issued to this session.
    #[must_use]
    pub fn is_form_token(&self, who: &Principal, token: &str) -> bool {
        let platform = &self.site.inner().platform;
        who.session().is_some_and(|session| csrf::holds(platform.vault(), session, token))
    }

    /// A keyed mark of a text: whoever has it learns nothing about the text.
    #[must_use]
    pub fn mark(&self, text: &str) -> String {
        self.site.inner().platform.vault().mark("page", text)
    }

    /// Seals what only this site may read again, as hexadecimal digits.
    pub fn seal(&self, purpose: &str, text: &str) -> Result<String> {
        let sealed = self.site.inner().platform.vault().seal(purpose, text.as_bytes())?;
        Ok(hex::encode(sealed))
    }

    /// Opens what was sealed for the same purpose; none if it is not that.
    #[must_use]
    pub fn open(&self, purpose: &str, sealed: &str) -> Option<String> {
        let sealed = hex::decode(sealed).ok()?;
        let opened = self.site.inner().platform.vault().open(purpose, &sealed).ok()?;
        String::from_utf8(opened).ok()
    }

    /// A reply as the API would send it: for files.
    #[must_use]
    pub fn response(&self, reply: Reply) -> Response<Outgoing> {
        response::of_reply(reply, false, (self.site.prefix(), self.is_secure()))
    }
}

/// A file of a host's pages: it is compressed once, and sent in an encoding that the client
/// accepts.
#[derive(Clone, Debug)]
pub struct PageFile {
    packed: Packed,
    media_type: &'static str,
}

impl PageFile {
    /// Compresses a file.
    #[must_use]
    pub fn new(content: &[u8], media_type: &'static str) -> Self {
        Self { packed: Packed::of(content), media_type }
    }

    /// The file as a response.
    #[must_use]
    pub fn answer(&self, request: &HeaderMap) -> Response<Outgoing> {
        self.packed.answer(self.media_type, request)
    }
}
