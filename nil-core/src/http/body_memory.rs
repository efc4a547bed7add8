//! Memory for bodies. It is taken as bytes arrive, so a body that was only announced holds none,
//! and each caller has a share, so no caller can hold all of it. Everything that a body may take is
//! reserved from the share before reading: bodies of one caller wait for each other, and none stops
//! half-way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::{Error, Result, codes};

/// The `Retry-After` seconds when there was no memory.
const RETRY_AFTER: u64 = 5;

/// A limited number of bytes for the bodies of all requests.
#[derive(Debug)]
pub(super) struct BodyMemory {
    all: Arc<Semaphore>,
    share: usize,
    patience: Duration,
    /// The rest of the share of each caller who holds some.
    shares: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl BodyMemory {
    /// A memory of `bytes`, of which a caller may hold `share`, and in which a body waits for
    /// `patience`.
    pub(super) fn new(bytes: usize, share: usize, patience: Duration) -> Self {
        let bytes = bytes.min(Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(bytes)),
            share: share.min(bytes),
            patience,
            shares: Mutex::default(),
        }
    }

    /// A place for a body of this caller, without memory at first.
    pub(super) fn place(self: &Arc<Self>, caller: String) -> Place {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let share = shares
            .entry(caller.clone())
            .or_insert_with(|| Arc::new(Semaphore::new(self.share)))
            .clone();
        drop(shares);
        Place { memory: self.clone(), caller, share, reserved: None, held: None }
    }
}

/// The memory held by one body. Dropping it releases everything.
#[derive(Debug)]
pub(super) struct Place {
    memory: Arc<BodyMemory>,
    caller: String,
    share: Arc<Semaphore>,
    /// Reserved from the caller's share.
    reserved: Option<OwnedSemaphorePermit>,
    /// Taken from the memory.
    held: Option<OwnedSemaphorePermit>,
}

impl Place {
    /// Reserves bytes of the caller's share before a body is read. Waits for the caller's other
    /// bodies; 503 if that takes too long.
    pub(super) async fn reserve(&mut self, bytes: usize) -> Result<()> {
        // There is never more than a share; a larger body gets the whole share.
        let bytes = bytes.min(self.memory.share);
        self.reserved = Some(acquired(&self.share, bytes, self.memory.patience).await?);
        Ok(())
    }

    /// Takes memory from the reserved bytes. Waits while there is none; 503 if that takes too long.
    pub(super) async fn take(&mut self, bytes: usize) -> Result<()> {
        let bytes = bytes.min(permits(self.reserved.as_ref()).saturating_sub(self.bytes()));
        let taken = acquired(&self.memory.all, bytes, self.memory.patience).await?;
        match &mut self.held {
            Some(held) => held.merge(taken),
            None => self.held = Some(taken),
        }
        Ok(())
    }

    /// The number of bytes it holds.
    fn bytes(&self) -> usize {
        permits(self.held.as_ref())
    }

    /// Releases bytes held and reserved beyond this many.
    pub(super) fn shrink_to(&mut self, bytes: usize) {
        for permit in [&mut self.held, &mut self.reserved].into_iter().flatten() {
            let beyond = permit.num_permits().saturating_sub(bytes);
            drop(permit.split(beyond));
        }
    }
}

fn permits(permit: Option<&OwnedSemaphorePermit>) -> usize {
    permit.map_or(0, OwnedSemaphorePermit::num_permits)
}

async fn acquired(
    of: &Arc<Semaphore>,
    bytes: usize,
    patience: Duration,
) -> Result<OwnedSemaphorePermit> {
    let bytes = u32::try_from(bytes).map_err(Error::internal)?;
    let Ok(Ok(permit)) = timeout(patience, of.clone().acquire_many_owned(bytes)).await else {
        let full = codes::UNAVAILABLE.saying("The server is overloaded. Please try again.");
        return Err(full.retry_after(RETRY_AFTER));
    };
    Ok(permit)
}

impl Drop for Place {
    fn drop(&mut self) {
        self.held = None;
        self.reserved = None;
        let shares = self.memory.shares.lock();
        let mut shares = shares.unwrap_or_else(PoisonError::into_inner);
        // Two references, this one and the map's: no other body of this caller exists, and the lock
        // prevents new ones.
        if Arc::strong_count(&self.share) == 2 {
            shares.remove(&self.caller);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: usize, share: usize) -> Arc<BodyMemory> {
        Arc::new(BodyMemory::new(bytes, share, Duration::from_millis(20)))
    }

    async fn taken(place: &mut Place, bytes: usize) -> Result<()> {
        place.reserve(bytes).await?;
        place.take(bytes).await
    }

    #[tokio::test]
    async fn a_caller_fills_a_share_and_no_more() {
        let memory = memory(100, 40);
        let mut greedy = memory.place("athlete:1".into());
        greedy.reserve(30).await.unwrap();
        let mut second = memory.place("athlete:1".into());
        let full = taken(&mut second, 11).await.unwrap_err();
        assert!(full.is(codes::UNAVAILABLE));
        assert_eq!(full.seconds_to_wait(), Some(RETRY_AFTER));
        let mut other = memory.place("athlete:2".into());
        taken(&mut other, 40).await.unwrap();
        drop(greedy);
        taken(&mut second, 1_000).await.unwrap();
        assert_eq!(second.bytes(), 40, "what is more than a share has it alone");
    }

    #[tokio::test]
    async fn what_is_only_announced_takes_nothing_from_others() {
        let memory = memory(40, 30);
        let mut slow = memory.place("athlete:1".into());
        slow.reserve(30).await.unwrap();
        let mut quick = memory.place("athlete:2".into());
        taken(&mut quick, 30).await.unwrap();
        slow.take(10).await.unwrap();
        assert!(slow.take(1).await.is_err(), "the memory is full");
    }

    #[tokio::test]
    async fn what_is_given_back_is_there_for_the_next() {
        let memory = memory(40, 40);
        let mut first = memory.place("athlete:1".into());
        taken(&mut first, 40).await.unwrap();
        let mut second = memory.place("athlete:2".into());
        second.reserve(30).await.unwrap();
        assert!(second.take(1).await.is_err());
        first.shrink_to(10);
        second.take(30).await.unwrap();
        let mut again = memory.place("athlete:1".into());
        again.reserve(30).await.unwrap();
        drop((first, second, again));
        assert_eq!(memory.all.available_permits(), 40);
        assert!(memory.shares.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_body_waits_for_room() {
        let memory = Arc::new(BodyMemory::new(40, 40, Duration::from_mins(1)));
        let mut first = memory.place("athlete:1".into());
        taken(&mut first, 40).await.unwrap();
        let mut second = memory.place("athlete:2".into());
        let (taken, ()) = tokio::join!(taken(&mut second, 1), async { drop(first) });
        taken.unwrap();
    }
}
