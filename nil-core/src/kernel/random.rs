//! Randomness, injected so that a test or a demonstration can be replayed.

use std::sync::atomic::{AtomicU64, Ordering};

use aws_lc_rs::digest::{SHA256, digest};

/// A source of unpredictable bytes.
pub trait Random: Send + Sync + 'static {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);

    /// An unpredictable number.
    fn draw(&self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_be_bytes(bytes)
    }
}

/// The operating system's generator.
#[derive(Debug, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    #[expect(
        clippy::expect_used,
        clippy::disallowed_methods,
        reason = "only this place calls it; a machine without randomness must stop"
    )]
    fn fill(&self, bytes: &mut [u8]) {
        aws_lc_rs::rand::fill(bytes).expect("the operating system gives random bytes");
    }
}

/// A generator that gives the same bytes for the same seed. For tests, `nil seed` and `nil demo`
/// only.
#[derive(Debug)]
pub struct SeededRandom {
    seed: u64,
    drawn: AtomicU64,
}

impl SeededRandom {
    /// A source that starts from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: AtomicU64::new(0) }
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for block in bytes.chunks_mut(32) {
            let drawn = self.drawn.fetch_add(1, Ordering::Relaxed);
            let input = [self.seed.to_be_bytes(), drawn.to_be_bytes()].concat();
            for (to, from) in block.iter_mut().zip(digest(&SHA256, &input).as_ref()) {
                *to = *from;
            }
        }
    }
}
