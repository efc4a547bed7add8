//! Random choices of walks and laws, from a seed.

use nil_core::kernel::{Random as _, SeededRandom};

/// Draws from a seeded generator.
pub trait Draw {
    /// A number from 0 to before `most`.
    fn below<N>(&self, most: N) -> N
    where
        N: TryFrom<u64>,
        u64: TryFrom<N>;

    /// One of these.
    fn one_of<'a, T>(&self, all: &'a [T]) -> &'a T;
}

impl Draw for SeededRandom {
    fn below<N>(&self, most: N) -> N
    where
        N: TryFrom<u64>,
        u64: TryFrom<N>,
    {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        let most = u64::try_from(most).ok().expect("a limit above zero");
        N::try_from(u64::from_be_bytes(bytes) % most).ok().expect("less than the limit")
    }

    fn one_of<'a, T>(&self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}
