//! The threads that compute password hashes: a fixed number, each with its own block of memory. An
//! allocator asked for 19 MiB a hundred times a second does not return the memory.
//!
//! Log-ins go before new passwords, because most users wait for a log-in; every fourth turn is for
//! a new password, so that neither waits forever. Requests that cannot be served soon are refused
//! at once.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::oneshot;

use super::presence::Presence;
use crate::error::{Error, Result, codes};

pub(super) const MEMORY_KIB: u32 = 19 * 1024;
pub(super) const PASSES: u32 = 2;
pub(super) const LANES: u32 = 1;

/// The number of log-ins that may wait for each thread: about three seconds of work.
const LOG_INS: usize = 128;
/// The number of new passwords that may wait for each thread.
const NEW_PASSWORDS: usize = 32;
/// At least one of this many turns is for a new password.
const TURNS: u32 = 4;
/// The `Retry-After` seconds.
const LATER: u64 = 5;

pub(super) type Hash = [u8; 32];

/// The purpose of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    /// To compare a password with the stored hash.
    LogIn,
    /// To store a new password.
    NewPassword,
}

/// One requested hash.
#[derive(Debug)]
pub(super) struct Job {
    password: String,
    salt: Vec<u8>,
    caller: Presence,
    answer: oneshot::Sender<Result<Hash>>,
}

impl Job {
    /// Whether its caller has gone away.
    fn is_forsaken(&self) -> bool {
        self.caller.is_gone() || self.answer.is_closed()
    }
}

/// The waiting jobs, with their limits.
#[derive(Debug)]
struct Queue {
    log_ins: VecDeque<Job>,
    new_passwords: VecDeque<Job>,
    most: [usize; 2],
    /// The number of log-ins served since the last new password.
    turn: u32,
    threads: usize,
    idle: usize,
    over: bool,
}

impl Queue {
    fn new(threads: usize) -> Self {
        Self {
            log_ins: VecDeque::new(),
            new_passwords: VecDeque::new(),
            most: [LOG_INS, NEW_PASSWORDS].map(|most| most.saturating_mul(threads)),
            turn: 0,
            threads: 0,
            idle: 0,
            over: false,
        }
    }

    /// Adds a job at the end of its line; refuses it if the line is full of jobs with waiting
    /// callers.
    fn push(&mut self, what: For, job: Job) -> Result<()> {
        let [log_ins, new_passwords] = self.most;
        let (line, most) = match what {
            For::LogIn => (&mut self.log_ins, log_ins),
            For::NewPassword => (&mut self.new_passwords, new_passwords),
        };
        if line.len() >= most {
            line.retain(|job| !job.is_forsaken());
        }
        if line.len() >= most {
            let busy = "Too many log-ins at the moment. Please try again shortly.";
            return Err(codes::UNAVAILABLE.saying(busy).retry_after(LATER));
        }
        line.push_back(job);
        Ok(())
    }

    fn waiting(&self) -> usize {
        self.log_ins.len() + self.new_passwords.len()
    }

    /// The next job whose caller still waits.
    fn next(&mut self) -> Option<Job> {
        loop {
            let patient = self.turn + 1 >= TURNS || self.log_ins.is_empty();
            let job = if patient && !self.new_passwords.is_empty() {
                self.turn = 0;
                self.new_passwords.pop_front()
            } else {
                self.turn = self.turn.saturating_add(1);
                self.log_ins.pop_front()
            }?;
            if !job.is_forsaken() {
                return Some(job);
            }
        }
    }
}

/// The queue with its threads, which are started when needed and end with it.
#[derive(Debug)]
pub(super) struct Hashing {
    shared: Arc<Shared>,
    at_once: usize,
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hashing {
    pub(super) fn new(at_once: usize) -> Self {
        let at_once = at_once.max(1);
        let queue = Mutex::new(Queue::new(at_once));
        let news = Condvar::new();
        Self { shared: Arc::new(Shared { queue, news }), at_once }
    }

    /// The hash of a password with a salt, when it is its turn. 503 `unavailable` if too many jobs
    /// wait. A caller who goes away while waiting costs nothing.
    pub(super) async fn derive(
        &self,
        what: For,
        password: String,
        salt: Vec<u8>,
        caller: Presence,
    ) -> Result<Hash> {
        let (answer, hash) = oneshot::channel();
        let job = Job { password, salt, caller, answer };
        self.take(what, job)?;
        let gone = || codes::UNAVAILABLE.saying("The request was cancelled.");
        hash.await.map_err(|_| gone())?
    }

    fn take(&self, what: For, job: Job) -> Result<()> {
        let mut queue = self.shared.queue();
        queue.push(what, job)?;
        let wanted = queue.waiting() > queue.idle && queue.threads < self.at_once;
        if wanted {
            queue.threads += 1;
        }
        drop(queue);
        self.shared.news.notify_one();
        if wanted {
            self.start()?;
        }
        Ok(())
    }

    fn start(&self) -> Result<()> {
        let place = Place(Arc::clone(&self.shared));
        let thread = std::thread::Builder::new().name("passwords".into());
        let Err(error) = thread.spawn(move || place.work()) else {
            return Ok(());
        };
        tracing::warn!(%error, "a password thread cannot start");
        // The running threads will process it.
        if self.shared.queue().threads > 0 {
            return Ok(());
        }
        Err(Error::internal(error))
    }
}

impl Drop for Hashing {
    fn drop(&mut self) {
        self.shared.queue().over = true;
        self.shared.news.notify_all();
    }
}

/// A thread's place in the limited number of threads.
struct Place(Arc<Shared>);

impl Drop for Place {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.threads = queue.threads.saturating_sub(1);
    }
}

impl Place {
    fn work(self) {
        let mut memory = Vec::new();
        while let Some(job) = self.wait() {
            let hash = hash(&job.password, &job.salt, &mut memory);
            // If the caller has gone away, the answer is dropped.
            let _ = job.answer.send(hash);
        }
    }

    /// The next job; none when the queue ends.
    fn wait(&self) -> Option<Job> {
        let mut queue = self.0.queue();
        loop {
            if queue.over {
                return None;
            }
            if let Some(job) = queue.next() {
                return Some(job);
            }
            queue.idle += 1;
            queue = self.0.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.idle = queue.idle.saturating_sub(1);
        }
    }
}

fn hash(password: &str, salt: &[u8], memory: &mut Vec<Block>) -> Result<Hash> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(32));
    let params = params.map_err(|error| Error::internal(error.to_string()))?;
    // Once per thread; the first pass overwrites any old contents.
    memory.resize(params.block_count(), Block::default());
    let mut hash = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into_with_memory(password.as_bytes(), salt, &mut hash, memory.as_mut_slice())
        .map_err(|error| Error::internal(error.to_string()))?;
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Waiting = oneshot::Receiver<Result<Hash>>;

    fn job(name: &str) -> (Job, Waiting) {
        let (answer, waiting) = oneshot::channel();
        let job = Job {
            password: name.to_owned(),
            salt: vec![0; 16],
            caller: Presence::default(),
            answer,
        };
        (job, waiting)
    }

    fn pushed(queue: &mut Queue, what: For, name: &str) -> Result<Waiting> {
        let (job, waiting) = job(name);
        queue.push(what, job).map(|()| waiting)
    }

    fn order(queue: &mut Queue) -> String {
        std::iter::from_fn(|| queue.next().map(|job| job.password)).collect()
    }

    #[test]
    fn log_ins_go_first_and_new_passwords_are_not_forgotten() {
        let mut queue = Queue::new(1);
        let mut waiting = Vec::new();
        for _ in 0..4 {
            waiting.push(pushed(&mut queue, For::NewPassword, "n").unwrap());
        }
        for _ in 0..8 {
            waiting.push(pushed(&mut queue, For::LogIn, "l").unwrap());
        }
        assert_eq!(order(&mut queue), "lllnlllnllnn");
    }

    #[test]
    fn each_line_is_bounded_and_says_when_to_come_back() {
        let mut queue = Queue::new(2);
        let mut waiting = Vec::new();
        for _ in 0..2 * NEW_PASSWORDS {
            waiting.push(pushed(&mut queue, For::NewPassword, "n").unwrap());
        }
        let refused = pushed(&mut queue, For::NewPassword, "n").unwrap_err();
        assert!(refused.is(codes::UNAVAILABLE));
        assert_eq!(refused.seconds_to_wait(), Some(LATER));
        // Log-ins have their own line.
        for _ in 0..2 * LOG_INS {
            waiting.push(pushed(&mut queue, For::LogIn, "l").unwrap());
        }
        assert!(pushed(&mut queue, For::LogIn, "l").is_err());
        // Jobs without a waiting caller take up no place.
        drop(waiting);
        let _waiting = pushed(&mut queue, For::LogIn, "here").unwrap();
        assert_eq!(order(&mut queue), "here");
    }

    #[test]
    fn who_hangs_up_while_they_wait_costs_no_hash() {
        let mut queue = Queue::new(1);
        let first = pushed(&mut queue, For::LogIn, "a").unwrap();
        let _second = pushed(&mut queue, For::LogIn, "b").unwrap();
        drop(first);
        // The operation continues in its own task; its caller is gone.
        let (here, presence) = Presence::new();
        let (mut called, _third) = job("c");
        called.caller = presence;
        queue.push(For::LogIn, called).unwrap();
        drop(here);
        assert_eq!(order(&mut queue), "b");
    }

    #[tokio::test]
    async fn threads_are_started_as_needed_and_their_memory_is_used_again() {
        let hashing = Hashing::new(2);
        let derive = |password: &str| {
            let (password, salt) = (password.to_owned(), vec![7; 16]);
            hashing.derive(For::LogIn, password, salt, Presence::default())
        };
        assert_eq!(hashing.shared.queue().threads, 0);
        let alone = derive("a").await.unwrap();
        assert_eq!(hashing.shared.queue().threads, 1);
        let many = futures::future::join_all(["b", "a", "b", "a", "b", "a"].map(derive)).await;
        assert_eq!(hashing.shared.queue().threads, 2);
        let many: Vec<_> = many.into_iter().map(Result::unwrap).collect();
        assert!(many[1] == alone && many[3] == alone && many[5] == alone);
        assert!(many[0] == many[2] && many[0] != alone);
        // The same as with unused memory.
        assert_eq!(hash("a", &[7; 16], &mut Vec::new()).unwrap(), alone);
    }
}
