//! Several couriers as one.

use std::sync::Arc;

use super::{Channel, Courier, Later, Letter, Outcome};

/// Several couriers as one: a message goes to the first that carries its channel.
pub struct Couriers(Vec<Arc<dyn Courier>>);

impl Couriers {
    /// These couriers, the preferred one first.
    #[must_use]
    pub fn new(couriers: Vec<Arc<dyn Courier>>) -> Self {
        Self(couriers)
    }

    fn of(&self, channel: Channel) -> Option<&Arc<dyn Courier>> {
        self.0.iter().find(|courier| courier.carries(channel))
    }
}

impl Courier for Couriers {
    fn carries(&self, channel: Channel) -> bool {
        self.of(channel).is_some()
    }

    fn hand_over<'a>(&'a self, letter: &'a Letter) -> Later<'a> {
        match self.of(letter.channel) {
            Some(courier) => courier.hand_over(letter),
            None => Box::pin(async { Outcome::TryAgain("no courier carries it".into()) }),
        }
    }
}

impl std::fmt::Debug for Couriers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Couriers").field(&self.0.len()).finish()
    }
}
