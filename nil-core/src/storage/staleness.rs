//! How old the data of a replica are, and who must not read them: whoever has written since. Pure;
//! `replica` asks the servers.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// The most positions that are kept. One comes each second, so a longer bound than this many
/// seconds is of no use.
const POSITIONS: usize = 4_000;

/// The most accounts whose last write is kept.
const WRITERS: usize = 10_000;

/// What a process knows of its replica.
#[derive(Debug)]
pub(super) struct Staleness {
    /// How old the data may be.
    bound: Duration,
    /// When the primary was at which position of its log, the oldest first.
    positions: VecDeque<(Instant, i64)>,
    /// What was committed before this instant is in the replica.
    as_of: Option<Instant>,
    /// Whether the replica answered last time.
    answers: bool,
    /// When an account last wrote.
    writes: HashMap<String, Instant>,
    /// Nobody reads data from before this instant: writes were forgotten then.
    floor: Option<Instant>,
}

impl Staleness {
    pub(super) fn new(bound: Duration) -> Self {
        Self {
            bound,
            positions: VecDeque::new(),
            as_of: None,
            answers: false,
            writes: HashMap::new(),
            floor: None,
        }
    }

    /// The primary was at this position after the instant: all that was committed before lies
    /// before the position.
    pub(super) fn primary_was_at(&mut self, instant: Instant, position: i64) {
        match self.positions.back_mut() {
            Some((last, same)) if *same == position => *last = instant,
            _ => self.positions.push_back((instant, position)),
        }
        if self.positions.len() > POSITIONS {
            self.positions.pop_front();
        }
    }

    /// The replica has replayed the log up to this position.
    pub(super) fn replayed(&mut self, position: i64) {
        while self.positions.get(1).is_some_and(|(_, next)| *next <= position) {
            self.positions.pop_front();
        }
        let first = self.positions.front().filter(|(_, first)| *first <= position);
        // None: it is behind everything that is known, as one that was rebuilt can be.
        self.as_of = first.map(|(instant, _)| *instant);
        self.answers = true;
    }

    /// The replica does not answer, or is none.
    pub(super) fn failed(&mut self) {
        self.answers = false;
    }

    /// The account has committed something before this instant.
    pub(super) fn wrote(&mut self, account: &str, now: Instant) {
        if self.writes.len() >= WRITERS && !self.writes.contains_key(account) {
            // An older write than the bound refuses nothing that the bound does not.
            let bound = self.bound;
            self.writes.retain(|_, at| now.duration_since(*at) <= bound);
            if self.writes.len() >= WRITERS {
                self.writes.clear();
                self.floor = Some(now);
            }
        }
        self.writes.insert(account.to_owned(), now);
    }

    /// The age of the replica's data, whether they may be read or not.
    pub(super) fn age(&self, now: Instant) -> Option<Duration> {
        self.as_of.map(|as_of| now.duration_since(as_of))
    }

    /// The age of the replica's data if a call of these accounts may read them.
    pub(super) fn readable(&self, accounts: &[&str], now: Instant) -> Option<Duration> {
        let as_of = self.as_of.filter(|_| self.answers)?;
        let writes = accounts.iter().filter_map(|account| self.writes.get(*account));
        let seen = writes.chain(&self.floor).all(|written| as_of >= *written);
        self.age(now).filter(|age| seen && *age <= self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: Duration = Duration::from_secs(10);

    fn second(begun: Instant, number: u64) -> Instant {
        begun + Duration::from_secs(number)
    }

    #[test]
    fn an_age_counts_from_the_newest_position_that_was_replayed() {
        let begun = Instant::now();
        let mut known = Staleness::new(BOUND);
        for (number, position) in [(0, 100), (1, 200), (2, 300), (3, 300)] {
            known.primary_was_at(second(begun, number), position);
        }
        assert_eq!(known.readable(&[], second(begun, 3)), None, "nothing was asked");
        known.replayed(50);
        assert_eq!(known.readable(&[], second(begun, 3)), None, "older than all that is known");
        known.replayed(250);
        assert_eq!(known.readable(&[], second(begun, 3)), Some(Duration::from_secs(2)));
        known.replayed(300);
        assert_eq!(known.readable(&[], second(begun, 3)), Some(Duration::ZERO), "an idle primary");
        assert_eq!(known.readable(&[], second(begun, 13)), Some(BOUND));
        assert_eq!(known.readable(&[], second(begun, 14)), None, "beyond the bound");
        assert_eq!(known.age(second(begun, 14)), Some(Duration::from_secs(11)));
    }

    #[test]
    fn one_that_failed_is_left_alone_until_it_answers() {
        let begun = Instant::now();
        let mut known = Staleness::new(BOUND);
        known.primary_was_at(begun, 100);
        known.replayed(100);
        known.failed();
        assert_eq!(known.readable(&[], begun), None);
        known.replayed(100);
        assert_eq!(known.readable(&[], begun), Some(Duration::ZERO));
        known.replayed(99);
        assert_eq!(known.readable(&[], begun), None, "rebuilt from an older state");
    }

    #[test]
    fn who_has_written_reads_no_older_data() {
        let begun = Instant::now();
        let mut known = Staleness::new(BOUND);
        known.primary_was_at(begun, 100);
        known.replayed(100);
        known.wrote("partner:7", second(begun, 1));
        let readable = |known: &Staleness, who| known.readable(&[who], second(begun, 2)).is_some();
        assert!(!readable(&known, "partner:7"));
        assert!(readable(&known, "partner:8"));
        known.primary_was_at(second(begun, 2), 200);
        known.replayed(200);
        assert!(readable(&known, "partner:7"));
    }

    #[test]
    fn writers_are_bounded_and_none_of_them_reads_what_is_older() {
        let begun = Instant::now();
        let mut known = Staleness::new(BOUND);
        known.primary_was_at(begun, 100);
        known.replayed(100);
        for number in 0..=WRITERS {
            known.wrote(&format!("partner:{number}"), second(begun, 1));
        }
        assert!(known.writes.len() <= WRITERS);
        assert_eq!(known.readable(&["partner:1"], second(begun, 2)), None);
        let mut known = Staleness::new(BOUND);
        for number in 0..WRITERS {
            known.wrote(&format!("partner:{number}"), begun);
        }
        known.wrote("athlete:1", second(begun, 11));
        assert_eq!((known.writes.len(), known.floor), (1, None), "older than the bound");
    }
}
