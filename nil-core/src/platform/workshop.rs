//! Heavy work: typesetting documents, drawing pictures. It runs on a fixed number of threads, and
//! whoever asks for it takes turns: an account that asks for a hundred documents makes another wait
//! for one of them, not for all.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::error::{Error, Result, codes};

/// How many pieces of work one account may have waiting.
const SHARE: usize = 8;

/// How many pieces of work may wait in all.
const MOST: usize = 128;

/// The `Retry-After` seconds.
const LATER: u64 = 5;

/// How nice the threads are: what answers requests gets nine tenths of a processor that both want.
/// Linux has this per thread; elsewhere it would be the whole process's.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// The places where heavy work is done. Clones share them.
#[derive(Clone, Debug)]
pub struct Workshop(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    free: usize,
    /// The accounts whose work waits, in the order of their turns.
    turns: VecDeque<String>,
    /// What waits of each of them.
    waiting: HashMap<String, VecDeque<oneshot::Sender<Bench>>>,
}

/// A place in the workshop. Dropping it gives it to whoever has the next turn.
#[derive(Debug)]
pub struct Bench(Option<Workshop>);

impl Default for Workshop {
    /// A workshop with a place for every second processor, so that the others answer requests
    /// meanwhile.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self::with_places((processors / 2).max(1))
    }
}

impl Workshop {
    fn with_places(free: usize) -> Self {
        Self(Arc::new(Mutex::new(Queue { free, ..Queue::default() })))
    }

    /// Waits for a place. 503 with `Retry-After` if the account, or all accounts together, have too
    /// much waiting.
    pub async fn place(&self, account: &str) -> Result<Bench> {
        let place = match self.queue().take_or_wait(account)? {
            Place::Free => return Ok(Bench(Some(self.clone()))),
            Place::Later(place) => place,
        };
        place.await.map_err(Error::internal)
    }

    /// Waits for a place and does the work there, on a thread that may take its time.
    pub async fn run<T: Send + 'static>(
        &self,
        account: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        self.place(account).await?.run(work).await
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a place to the next who still waits, or keeps it free.
    fn hand_on(&self) {
        loop {
            let Some(next) = self.queue().next() else { return };
            // Whoever has gone away does not take it: it is handed on.
            let Err(mut bench) = next.send(Bench(Some(self.clone()))) else { return };
            bench.0 = None;
        }
    }
}

impl Bench {
    /// Does the work here, on a thread that lets others go first. The place is taken until the work
    /// ends, also if nobody waits for it any more.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let (done, made) = oneshot::channel();
        let working = move || {
            let place = self;
            let made = nicely(work);
            drop(place);
            // Nobody may wait for it any more.
            done.send(made).ok();
        };
        // A thread of its own: one of the runtime's would stay nice afterwards, whatever it does
        // next.
        let thread = thread::Builder::new().name("nil-workshop".to_owned());
        thread.spawn(working).map_err(Error::internal)?;
        made.await.map_err(Error::internal)
    }
}

/// Does the work with this thread at a low priority.
fn nicely<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "heavy work has the priority of everything else");
    }
    work()
}

impl Drop for Bench {
    fn drop(&mut self) {
        if let Some(workshop) = self.0.take() {
            workshop.hand_on();
        }
    }
}

/// A place that is free, or one that comes later.
enum Place {
    Free,
    Later(oneshot::Receiver<Bench>),
}

impl Queue {
    fn take_or_wait(&mut self, account: &str) -> Result<Place> {
        if self.free > 0 {
            self.free -= 1;
            return Ok(Place::Free);
        }
        self.forget_the_gone();
        let all: usize = self.waiting.values().map(VecDeque::len).sum();
        let own = self.waiting.get(account).map_or(0, VecDeque::len);
        if own >= SHARE || all >= MOST {
            let busy = "The server is busy with documents and pictures. Please try again shortly.";
            return Err(codes::UNAVAILABLE.saying(busy).retry_after(LATER));
        }
        if own == 0 {
            self.turns.push_back(account.to_owned());
        }
        let (ready, place) = oneshot::channel();
        self.waiting.entry(account.to_owned()).or_default().push_back(ready);
        Ok(Place::Later(place))
    }

    /// The first of the account whose turn it is; the account's next one waits for another turn. If
    /// nobody waits, the place is free.
    fn next(&mut self) -> Option<oneshot::Sender<Bench>> {
        while let Some(account) = self.turns.pop_front() {
            let own = self.waiting.get_mut(&account);
            let first = own.and_then(VecDeque::pop_front);
            match self.waiting.get(&account) {
                Some(rest) if !rest.is_empty() => self.turns.push_back(account),
                _ => drop(self.waiting.remove(&account)),
            }
            if first.is_some() {
                return first;
            }
        }
        self.free += 1;
        None
    }

    /// Who has gone away does not count.
    fn forget_the_gone(&mut self) {
        self.waiting.retain(|_, own| {
            own.retain(|place| !place.is_closed());
            !own.is_empty()
        });
        let waiting = &self.waiting;
        self.turns.retain(|account| waiting.contains_key(account));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// What is done in a workshop with one place, in its order, when these accounts ask one after
    /// the other.
    async fn order(accounts: &[&'static str]) -> Vec<&'static str> {
        let workshop = Workshop::with_places(1);
        let first = workshop.place("somebody").await.unwrap();
        let (tell, told) = mpsc::channel();
        let asked: Vec<_> = accounts
            .iter()
            .map(|account| {
                let Ok(Place::Later(place)) = workshop.queue().take_or_wait(account) else {
                    panic!("the place is taken")
                };
                let (tell, account) = (tell.clone(), *account);
                tokio::spawn(async move {
                    place.await.unwrap().run(move || tell.send(account).unwrap()).await.unwrap();
                })
            })
            .collect();
        drop(first);
        for done in asked {
            done.await.unwrap();
        }
        assert_eq!(workshop.queue().free, 1);
        told.try_iter().collect()
    }

    #[tokio::test]
    async fn accounts_take_turns() {
        let order = order(&["a", "a", "a", "a", "b", "c", "b"]).await;
        assert_eq!(order, ["a", "b", "c", "a", "b", "a", "a"]);
    }

    #[tokio::test]
    async fn an_account_has_a_share_and_all_have_a_limit() {
        let workshop = Workshop::with_places(1);
        let bench = workshop.place("first").await.unwrap();
        let ask = |account: &str| workshop.queue().take_or_wait(account);
        let mut places: Vec<_> = (0..SHARE).map(|_| ask("greedy").unwrap()).collect();
        let refused = ask("greedy").err().unwrap();
        assert!(refused.is(codes::UNAVAILABLE) && refused.seconds_to_wait() == Some(LATER));
        for number in SHARE..MOST {
            places.push(ask(&format!("other:{number}")).unwrap());
        }
        assert!(ask("one more").is_err());
        // Those who have gone away make room, and are passed over.
        places.truncate(1);
        let last = workshop.place("one more");
        drop(bench);
        drop(places);
        drop(last.await.unwrap());
        assert_eq!(workshop.queue().free, 1);
        assert!(workshop.queue().waiting.is_empty() && workshop.queue().turns.is_empty());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn heavy_work_lets_others_go_first() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        let there = Workshop::with_places(1).run("somebody", priority).await.unwrap();
        assert!(there >= NICE.max(before), "{there}");
        assert_eq!(priority(), before);
        assert_eq!(tokio::task::spawn_blocking(priority).await.unwrap(), before);
    }

    #[tokio::test]
    async fn work_that_panics_gives_its_place_back() {
        let workshop = Workshop::with_places(1);
        let failed = workshop.run("somebody", || panic!("a picture of nothing")).await;
        assert!(failed.is_err());
        assert_eq!(workshop.run("next", || 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_place_is_taken_until_the_work_has_ended() {
        let workshop = Workshop::with_places(1);
        let (go, wait) = mpsc::channel::<()>();
        let (begun, has_begun) = oneshot::channel();
        let bench = workshop.place("gone").await.unwrap();
        let caller = tokio::spawn(bench.run(move || {
            begun.send(()).unwrap();
            wait.recv().unwrap();
        }));
        has_begun.await.unwrap();
        caller.abort();
        assert_eq!(workshop.queue().free, 0, "the thread still works");
        go.send(()).unwrap();
        assert_eq!(workshop.run("next", || 7).await.unwrap(), 7);
    }
}
