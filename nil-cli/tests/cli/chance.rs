//! Random moments for killing a server, repeatable with the same seed.

use nil_core::kernel::{Random as _, SystemRandom};

pub(crate) struct Chance(u64);

impl Chance {
    /// Uses `NIL_TEST_SEED`, or a new seed, which it prints.
    pub(crate) fn of_the_seed() -> Self {
        let given = std::env::var("NIL_TEST_SEED").ok();
        let seed = given.and_then(|text| text.parse().ok()).unwrap_or_else(|| {
            let mut bytes = [0; 4];
            SystemRandom.fill(&mut bytes);
            u64::from(u32::from_le_bytes(bytes))
        });
        println!("NIL_TEST_SEED={seed}");
        Self(seed)
    }

    /// A number from 0 to less than this.
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}
