//! The checks before an operation runs, in the contract's order, and the reading of the request
//! between them.

use std::net::IpAddr;

use ::http::HeaderMap;
use ::http::request::Parts;

use super::arriving::Arriving;
use super::body_memory::Place;
use super::incoming::Limits;
use super::signed::Countersign;
use super::{admission, form, incoming, signed};
use crate::auth::Principal;
use crate::catalog::{Entry, Interface, Method, Takes};
use crate::error::{Error, Result, codes};
use crate::operation::{BESIDE, Fields};
use crate::platform::Platform;
use crate::throttle::Window;

/// What is wrong about a password beside a body.
const NOT_IN_ADDRESS: &str = "must stand in the body: addresses are logged";

/// The details of a request for its log line.
#[derive(Default)]
pub(super) struct RequestLog {
    pub(super) entry: Option<&'static Entry>,
    /// The page of the host that answers, if one does.
    pub(super) page: Option<&'static str>,
    pub(super) window: Option<Window>,
    /// Who calls: kind and id.
    pub(super) caller: Option<String>,
    pub(super) address: Option<IpAddr>,
    /// The code of the refusal, if it is one.
    pub(super) refusal: Option<&'static str>,
    /// How to sign the answer if both sides sign; set as soon as the key is known.
    pub(super) countersign: Option<Countersign>,
}

impl RequestLog {
    pub(super) fn operation(&self) -> Option<&'static str> {
        self.page.or(self.entry.map(|entry| entry.name))
    }
}

/// The checks before an operation runs.
pub(super) struct Door<'a> {
    pub(super) platform: &'a Platform,
    pub(super) entry: &'static Entry,
    pub(super) headers: &'a HeaderMap,
    pub(super) query: &'a str,
    pub(super) address: Option<IpAddr>,
    /// The secret in the path that opens the row, if one does.
    pub(super) opener: Option<&'a str>,
    pub(super) log: &'a mut RequestLog,
}

impl Door<'_> {
    /// Answers 429 by address, 401, or 429 by caller.
    pub(super) async fn authenticate(&mut self, fields: Option<&mut Fields>) -> Result<Principal> {
        let (platform, entry) = (self.platform, self.entry);
        let found = if entry.is_signed() {
            self.model_host().await
        } else {
            admission::authenticate(platform, entry, self.headers, self.query, fields).await
        };
        let known = match &found {
            Ok(principal) => {
                self.log.caller = Some(principal.named());
                Some(principal)
            }
            Err(error) if admission::is_authentication(error) => None,
            // The database is unavailable: the request is not counted.
            Err(_) => return found,
        };
        let (window, counted) =
            admission::count(platform, entry, (known, self.opener), self.address).await;
        self.log.window = window;
        counted.and(found)
    }

    /// The model host behind an API key and an athlete's token. Every answer to a valid key is
    /// signed.
    async fn model_host(&mut self) -> Result<Principal> {
        let key = admission::api_key(self.headers)?;
        let service = self.platform.authenticate_service(key).await?;
        self.log.countersign = Some(Countersign::new(self.platform, key, self.headers));
        let token = admission::text(self.headers, signed::ATHLETE_TOKEN);
        self.platform.authenticate_model_host(service, token).await
    }

    /// The checks that need no body: cross-site requests, and the wrong kind of caller (in Admin
    /// only after the CSRF token, which may be in the body).
    pub(super) fn admit_before_reading(&self, principal: &Principal) -> Result<()> {
        if self.entry.writes_by_get() {
            admission::refuse_cross_site(self.headers)?;
        }
        if self.entry.interface == Interface::Admin && self.entry.method.has_body() {
            return Ok(());
        }
        self.entry.admit(principal)
    }

    /// 403 `feature_off` before the body is read, for operations of which every call stops. A call
    /// with a key may already have its answer, which only the dispatcher finds.
    pub(super) async fn check_feature(&self) -> Result<()> {
        if self.entry.writes() && self.headers.contains_key("idempotency-key") {
            return Ok(());
        }
        self.entry.check_feature(self.platform, None).await
    }

    pub(super) fn admit(&self, principal: &Principal, fields: &mut Fields) -> Result<()> {
        let changes = self.entry.method != Method::Get && !self.entry.is_signed_address();
        if self.entry.interface == Interface::Admin && changes {
            admission::check_csrf(self.platform, principal, self.headers, fields)?;
        }
        for name in BESIDE {
            fields.remove(name);
        }
        self.entry.admit(principal)
    }

    pub(super) async fn read(
        &self,
        body: &mut Arriving,
        query: &str,
        limits: Limits,
        place: &mut Place,
    ) -> Result<Fields> {
        let (entry, headers) = (self.entry, self.headers);
        if !entry.method.has_body() {
            return form::urlencoded(entry.shape(), query.as_bytes());
        }
        let fields = match entry.takes {
            Takes::Bytes(_) => {
                return incoming::with_bytes(entry, query, body, headers, limits, place).await;
            }
            // The body follows when the call is admitted.
            Takes::Stream(_) => return form::urlencoded(entry.shape(), query.as_bytes()),
            Takes::FileForm => incoming::with_file(entry, body, headers, limits, place).await,
            Takes::Raw(signer) => {
                let bytes = incoming::collect(body, headers, limits, place).await?;
                return Ok(incoming::raw(self.platform, signer, (headers, query), &bytes));
            }
            Takes::Fields | Takes::FieldsOrForm | Takes::StrictFields | Takes::FilesInJson => {
                let bytes = incoming::collect(body, headers, limits, place).await?;
                incoming::fields(entry, headers, bytes, limits, place).await
            }
        };
        let mut fields = fields?;
        if !query.is_empty() {
            // A password or a session's token belongs in the body or a header.
            let mut beside = form::urlencoded(entry.shape(), query.as_bytes())?;
            let told = entry.shape().passwords().iter().filter(|name| beside.has(name));
            let told: Vec<_> = told.map(|name| (name.clone(), NOT_IN_ADDRESS)).collect();
            if !told.is_empty() {
                return Err(Error::invalid_fields(told));
            }
            for name in BESIDE {
                beside.remove(name);
            }
            fields.complete(beside);
        }
        Ok(fields)
    }

    /// Reads the fields of a signed request, whose signature covers the body as received. 401
    /// without a valid signature.
    pub(super) async fn read_signed(
        &self,
        principal: &Principal,
        parts: &Parts,
        body: &mut Arriving,
        limits: Limits,
        place: &mut Place,
    ) -> Result<Fields> {
        let bytes = incoming::collect(body, self.headers, limits, place).await?;
        let countersign = self.log.countersign.as_ref();
        let countersign = countersign.ok_or_else(|| Error::from(codes::UNAUTHENTICATED))?;
        countersign.check(self.platform, principal, parts, &bytes).await?;
        incoming::fields(self.entry, self.headers, bytes, limits, place).await
    }
}
