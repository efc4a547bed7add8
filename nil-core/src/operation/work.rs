//! One transaction of one operation, with its audit rows, its messages and, if the call has an
//! idempotency key, the stored answer.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use chrono::TimeDelta;
use futures::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;

use super::answer::{self, Beside, Done};
use super::audit::{self, Note, Subject};
use super::facts::{Facts, SessionCookie};
use super::idempotency;
use crate::error::{Error, Kind, Result};
use crate::feed::{self, FeedKind, Message, Published, Touched};
use crate::kernel::{AthleteId, Feed, Secret, Time, UserId};
use crate::platform::Platform;
use crate::storage::{Dialect, Session, Written};

/// How long a stored answer is kept.
pub const KEPT_FOR: TimeDelta = TimeDelta::hours(24);

/// One transaction. It ends with [`done`](Work::done), [`refused`](Work::refused) or
/// [`intent`](Work::intent); dropping it rolls it back. It derefs to [`Session`], whose `commit`
/// takes it by value and so cannot be called from here.
#[derive(Debug)]
pub struct Work {
    session: Session,
    platform: Platform,
    facts: Arc<Facts>,
    notes: Vec<Note>,
    behalf: Option<Subject>,
    /// Who the caller has proven to be, if they came without a session.
    proven: Option<Subject>,
    messages: Vec<Message>,
    published: Vec<Published>,
    touched: Touched,
}

impl Work {
    #[doc(hidden)]
    pub async fn begin(platform: Platform, facts: Arc<Facts>) -> Result<Self> {
        let session = platform.db().begin().await?;
        Ok(Self {
            session,
            platform,
            facts,
            notes: Vec::new(),
            behalf: None,
            proven: None,
            messages: Vec::new(),
            published: Vec::new(),
            touched: Touched::default(),
        })
    }

    /// Opens a transaction for the platform itself: without a call, or to complete what a call
    /// began. `about` names the record that calls wait for, as their intents did; `done` and
    /// `refused` answer every unanswered key that waits for it.
    pub async fn resume(
        platform: &Platform,
        operation: &'static str,
        about: Option<String>,
    ) -> Result<Self> {
        let mut facts = Facts::new(
            operation,
            platform.now(),
            None,
            platform.new_request_id(),
            "platform".into(),
        );
        if let Some(wording) = platform.wording(operation) {
            facts.wording = wording;
        }
        if about.is_some() {
            facts.mark_claimed(about);
        }
        Self::begin(platform.clone(), Arc::new(facts)).await
    }

    /// The instant of the call.
    #[must_use]
    pub fn now(&self) -> Time {
        self.facts.now
    }

    /// The facts of the call.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The platform: configuration, ports, keys.
    #[must_use]
    pub fn platform(&self) -> &Platform {
        &self.platform
    }

    /// From now on the caller acts for this athlete, and every audit row says so; `None` ends this.
    pub fn act_for(&mut self, athlete: Option<AthleteId>) {
        self.behalf = athlete.map(Into::into);
    }

    /// The caller, who came without a session, has proven to be this account: the audit rows name
    /// it.
    pub fn proven(&mut self, account: impl Into<Subject>) {
        self.proven = Some(account.into());
    }

    /// Adds an audit row: this action on that record.
    pub fn note(&mut self, subject: impl Into<Subject>, action: &'static str) {
        self.note_change(subject, action, None, None);
    }

    /// Adds an audit row with the record before and after.
    pub fn note_change(
        &mut self,
        subject: impl Into<Subject>,
        action: &'static str,
        before: impl Into<Option<Value>>,
        after: impl Into<Option<Value>>,
    ) {
        let whom = self.behalf.map(|whom| format!("{}:{}", whom.kind, whom.id));
        let on_behalf_of = match (self.facts.acting_as.clone(), whom) {
            (Some(account), Some(whom)) => Some(format!("{account}:{whom}")),
            (account, whom) => whom.or(account),
        };
        self.notes.push(Note {
            subject: subject.into(),
            written: None,
            action,
            before: before.into(),
            after: after.into(),
            on_behalf_of,
        });
    }

    /// Adds an audit row on the record of this kind that the same statement writes, and whose id it
    /// finds there (see [`can_be_one_statement`](Self::can_be_one_statement)).
    pub fn note_written(
        &mut self,
        (kind, written): (&'static str, &'static str),
        action: &'static str,
    ) {
        self.note(Subject { kind, id: 0 }, action);
        if let Some(note) = self.notes.last_mut() {
            note.written = Some(written);
        }
    }

    /// Whether the call can be a single statement: on PostgreSQL, where each statement is a round
    /// trip, if no answer is stored. It then writes only what waits for the commit
    /// (`storage::later`), and ends with [`done_with`](Self::done_with).
    #[must_use]
    pub fn can_be_one_statement(&self) -> bool {
        self.dialect() == Dialect::Postgres
            && self.facts.key.is_none()
            && self.facts.about().is_none()
    }

    /// Sends a message after the commit.
    pub fn send(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Tells an event to the endpoints of webhooks of those whom it concerns, after the commit.
    pub fn publish(&mut self, event: Published) {
        self.published.push(event);
    }

    /// Records that this transaction changes one of a user's feeds: its token changes, and live
    /// streams that follow the feed read it again after the commit. A message to a user touches the
    /// feed of its event automatically.
    pub fn touch(&mut self, user: UserId, activity: FeedKind) {
        self.touched.add(user, activity);
    }

    /// Touches these users' feeds now, which locks them until the end of the transaction. Call it
    /// before adding rows that live streams follow by id: the rows of one user's feed then become
    /// visible in the order of their ids, and no stream skips one.
    pub async fn touch_now(&mut self, users: &[UserId], activity: FeedKind) -> Result<()> {
        self.touch_first(users, activity).await?;
        Box::pin(self.session.write_now()).await
    }

    /// Touches these users' feeds before anything else that the same statement writes (see
    /// [`can_be_one_statement`](Self::can_be_one_statement)).
    pub async fn touch_first(&mut self, users: &[UserId], activity: FeedKind) -> Result<()> {
        for user in users {
            self.touched.add(*user, activity);
        }
        let now = self.facts.now;
        self.change_feeds(now).await
    }

    async fn change_feeds(&mut self, now: Time) -> Result<()> {
        let (hub, random) = (self.platform.live(), self.platform.random());
        self.touched.write(&mut self.session, hub, random, now).await
    }

    /// Makes a user's live streams check again although no feed changes, because a session has
    /// ended.
    pub fn wake(&mut self, user: UserId) {
        self.touched.wake(user);
    }

    /// Gives the browser a new session.
    pub fn start_session(&mut self, secret: Secret) {
        self.facts.set_cookie(SessionCookie::Set(secret));
    }

    /// Removes the browser's session.
    pub fn end_session(&mut self) {
        self.facts.set_cookie(SessionCookie::Clear);
    }

    /// Commits effects, audit rows, messages and the stored answer together. The answer is
    /// serialised once, so the stored bytes are the sent ones.
    pub async fn done<T: Serialize>(mut self, value: T) -> Result<Done<T>> {
        let body = answer::envelope(&self.facts, &value)?;
        self.keep(200, &body).await?;
        self.finish().await?;
        Ok(Done { value, body })
    }

    /// Commits the audit rows of a read, before its answer leaves (see `Cx::begin_audited_read`).
    pub async fn finish_read(self) -> Result<()> {
        self.finish().await
    }

    /// Commits effects, audit rows and messages together, and only then makes the answer, of what
    /// the database has given. No answer is stored.
    pub async fn done_with<T: Serialize>(
        self,
        value: impl FnOnce() -> Result<T>,
    ) -> Result<Done<T>> {
        debug_assert!(self.can_be_one_statement(), "an answer would have to be stored");
        let facts = self.facts.clone();
        self.finish().await?;
        let value = value()?;
        let body = answer::envelope(&facts, &value)?;
        Ok(Done { value, body })
    }

    /// The answer of [`done`](Work::done) for a part of a feed whose reading changes data.
    pub async fn done_feed<T, B>(mut self, feed: Feed<T, B>) -> Result<Done<Feed<T, B>>>
    where
        T: Serialize,
        B: Serialize,
    {
        let body = answer::feed(&self.facts, &feed)?;
        self.keep(200, &body).await?;
        self.finish().await?;
        Ok(Done { value: feed, body })
    }

    /// The answer of [`done`](Work::done) with additional fields.
    pub async fn done_beside<T, B>(mut self, value: Beside<T, B>) -> Result<Done<Beside<T, B>>>
    where
        T: Serialize,
        B: Serialize,
    {
        let body = answer::beside(&self.facts, &value)?;
        self.keep(200, &body).await?;
        self.finish().await?;
        Ok(Done { value, body })
    }

    /// Commits a refusal that has effects: a failed payment, a counted attempt. With a key, 402 and
    /// 409 are stored, so that the same call gets the same refusal again; other refusals are not
    /// (contract: `Idempotency-Key`), unless the key was claimed and must be answered.
    pub async fn refused(mut self, error: Error) -> Result<Error> {
        if matches!(error.kind(), Kind::Declined | Kind::Conflict) || self.facts.claimed() {
            let body = error.to_json(&self.facts.request_id).to_string().into_bytes();
            self.keep(error.kind().status(), &body).await?;
        }
        self.finish().await?;
        Ok(error)
    }

    /// Commits the intent of an external action, and claims the key without an answer. The
    /// operation then ends through a second `Work`. If this process dies, the operation that ends
    /// the record `about` (such as `payout:7`) answers the key, see [`resume`](Work::resume).
    pub async fn intent(self, about: String) -> Result<()> {
        self.claim(KEPT_FOR, Some(about)).await
    }

    /// Commits the intent of an external action, and claims the key without an answer, if no other
    /// operation ends what this process leaves open: a key without an answer expires after this
    /// time, and the call can then be repeated.
    pub async fn intent_for(self, time: TimeDelta) -> Result<()> {
        self.claim(time, None).await
    }

    async fn claim(mut self, time: TimeDelta, about: Option<String>) -> Result<()> {
        if let Some(key) = self.facts.key.clone() {
            let until = self.facts.now + time;
            let about = about.as_deref();
            idempotency::claim(&mut self.session, &key, &self.facts, until, about).await?;
        }
        let facts = self.facts.clone();
        self.finish().await?;
        facts.mark_claimed(about);
        Ok(())
    }

    async fn keep(&mut self, status: u16, body: &[u8]) -> Result<()> {
        let (key, about) = (self.facts.key.clone(), self.facts.about());
        if key.is_none() && about.is_none() {
            return Ok(());
        }
        let kept = idempotency::Kept { body, cookie: self.facts.cookie() };
        let sealed = kept.seal(self.platform.vault())?;
        let until = self.facts.now + KEPT_FOR;
        let session = &mut self.session;
        if !self.facts.claimed() {
            if let Some(key) = key {
                idempotency::store(session, &key, &self.facts, until, status, &sealed).await?;
            }
            return Ok(());
        }
        if let Some(key) = key
            && !idempotency::answer(session, &key, until, status, &sealed).await?
        {
            self.facts.mark_overtaken();
        }
        match about {
            Some(about) => idempotency::answer_all(session, about, until, status, &sealed).await,
            None => Ok(()),
        }
    }

    /// Boxed: each way to end a transaction would hold it.
    fn finish(self) -> BoxFuture<'static, Result<()>> {
        Box::pin(self.finished())
    }

    async fn finished(mut self) -> Result<()> {
        for message in &self.messages {
            if let Some((user, activity)) = message.touches() {
                self.touched.add(user, activity);
            }
        }
        let (vault, config) = (self.platform.vault(), self.platform.config());
        let proven = self.proven.take().map(|account| format!("{}:{}", account.kind, account.id));
        let by = audit::By {
            actor: proven.as_deref().unwrap_or(&self.facts.actor),
            host_user: config.host_user.as_deref(),
        };
        audit::write(&mut self.session, &self.facts, by, &self.notes).await?;
        let session = &mut self.session;
        let wake = feed::write(session, vault, self.facts.now, &self.messages).await?;
        let random = self.platform.random();
        let heard = feed::publish(session, random, self.facts.now, &self.published).await?;
        // Last, to lock the feeds as briefly as possible.
        let now = self.facts.now;
        self.change_feeds(now).await?;
        let facts = self.facts.clone();
        self.session.commit().await?;
        facts.mark_committed();
        facts.accounts().chain(proven.as_deref()).for_each(|who| self.platform.db().wrote(who));
        self.touched.tell(self.platform.live());
        if any_of(&wake) {
            self.platform.wake_worker();
        }
        if any_of(&heard) {
            self.platform.wake_webhooks();
        }
        Ok(())
    }
}

/// Whether rows were written.
fn any_of(written: &[Written]) -> bool {
    written.iter().any(|written| written.get() > 0)
}

impl Deref for Work {
    type Target = Session;
    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Work {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}
