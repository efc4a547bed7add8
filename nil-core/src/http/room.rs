//! Memory for bodies. It is taken as bytes arrive, so that nobody holds what they only announced, and
//! each caller has a share of it, so that nobody holds it all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::{Error, Result, codes};

/// When to try again after there was no room.
const RETRY_AFTER: u64 = 5;

/// Some bytes of memory for the bodies of all requests.
#[derive(Debug)]
pub(super) struct Room {
    all: Arc<Semaphore>,
    share: usize,
    patience: Duration,
    /// What each caller who holds some has left of their share.
    shares: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl Room {
    /// Room for `bytes`, of which a caller may hold `share` and for which a body waits `patience`.
    pub(super) fn new(bytes: usize, share: usize, patience: Duration) -> Self {
        let bytes = bytes.min(Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(bytes)),
            share: share.min(bytes),
            patience,
            shares: Mutex::default(),
        }
    }

    /// A place for a body of this caller, empty at first.
    pub(super) fn place(self: &Arc<Self>, caller: String) -> Place {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let share = shares
            .entry(caller.clone())
            .or_insert_with(|| Arc::new(Semaphore::new(self.share)))
            .clone();
        drop(shares);
        Place {
            room: self.clone(),
            caller,
            share,
            held: None,
        }
    }
}

/// What one body takes of the room. Dropping it gives everything back.
#[derive(Debug)]
pub(super) struct Place {
    room: Arc<Room>,
    caller: String,
    share: Arc<Semaphore>,
    /// Of the caller's share, and of the room.
    held: Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)>,
}

impl Place {
    /// Takes room for so many bytes more. Waits while there is none; 503 when that takes too long.
    pub(super) async fn take(&mut self, bytes: usize) -> Result<()> {
        // More than a share is never there; what is allowed so much may hold it alone.
        let bytes = bytes.min(self.room.share.saturating_sub(self.bytes()));
        let bytes = u32::try_from(bytes).map_err(Error::internal)?;
        let taken = timeout(self.room.patience, async {
            let of_share = self.share.clone().acquire_many_owned(bytes).await?;
            let of_all = self.room.all.clone().acquire_many_owned(bytes).await?;
            Ok::<_, tokio::sync::AcquireError>((of_share, of_all))
        });
        let Ok(Ok((of_share, of_all))) = taken.await else {
            let full = codes::UNAVAILABLE.saying("Too much is being sent. Please try again.");
            return Err(full.retry_after(RETRY_AFTER));
        };
        match &mut self.held {
            Some((share, all)) => {
                share.merge(of_share);
                all.merge(of_all);
            }
            None => self.held = Some((of_share, of_all)),
        }
        Ok(())
    }

    /// How many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.held
            .as_ref()
            .map_or(0, |(share, _)| share.num_permits())
    }

    /// Gives back what it holds beyond so many bytes.
    pub(super) fn shrink_to(&mut self, bytes: usize) {
        let beyond = self.bytes().saturating_sub(bytes);
        if let Some((share, all)) = &mut self.held {
            drop(share.split(beyond));
            drop(all.split(beyond));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.held = None;
        let shares = self.room.shares.lock();
        let mut shares = shares.unwrap_or_else(PoisonError::into_inner);
        // Ours and the map's: nobody else of this caller is here, and nobody comes while we look.
        if Arc::strong_count(&self.share) == 2 {
            shares.remove(&self.caller);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(bytes: usize, share: usize) -> Arc<Room> {
        Arc::new(Room::new(bytes, share, Duration::from_millis(20)))
    }

    #[tokio::test]
    async fn a_caller_fills_a_share_and_no_more() {
        let room = room(100, 40);
        let mut greedy = room.place("athlete:1".into());
        greedy.take(30).await.unwrap();
        let mut second = room.place("athlete:1".into());
        let full = second.take(11).await.unwrap_err();
        assert!(full.is(codes::UNAVAILABLE));
        assert_eq!(full.seconds_to_wait(), Some(RETRY_AFTER));
        second.take(10).await.unwrap();
        let mut other = room.place("athlete:2".into());
        other.take(40).await.unwrap();
        drop(greedy);
        second.take(30).await.unwrap();
        assert_eq!(second.bytes(), 40);
    }

    #[tokio::test]
    async fn what_is_given_back_is_there_for_the_next() {
        let room = room(40, 40);
        let mut first = room.place("athlete:1".into());
        first.take(40).await.unwrap();
        let mut second = room.place("athlete:2".into());
        assert!(second.take(1).await.is_err());
        first.shrink_to(10);
        second.take(30).await.unwrap();
        drop((first, second));
        assert_eq!(room.all.available_permits(), 40);
        assert!(room.shares.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_body_waits_for_room() {
        let room = Arc::new(Room::new(40, 40, Duration::from_mins(1)));
        let mut first = room.place("athlete:1".into());
        first.take(40).await.unwrap();
        let mut second = room.place("athlete:2".into());
        let (taken, ()) = tokio::join!(second.take(1), async { drop(first) });
        taken.unwrap();
    }
}
