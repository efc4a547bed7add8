//! How a scenario ends: nothing is wrong any more, disputes are decided, and everything gets its
//! outcome by events and by the worker's own looks.

use chrono::TimeDelta;
use nil_core::kernel::Time;
use nil_core::payments;
use nil_core::storage::sql;
use nil_tests::Draw as _;

use super::Scenario;

/// The most rounds until everything has an outcome.
const ROUNDS: usize = 40;

impl Scenario<'_> {
    pub(super) async fn settle(&mut self) {
        let here = self.here;
        self.ways.reserve = 0;
        here.ledgered.behaves(self.ways);
        here.ledgered.next(&[]);
        here.ledgered.next_reads(&[]);
        here.accounts().for_each(|account| here.ledgered.onboard(account));
        self.say("everything works again");
        if self.asks {
            // What was not confirmed by now never is.
            here.world.pass(TimeDelta::hours(23));
        }
        self.rest().await;
        self.decide();
        let swept = payments::sweep_payouts(&here.world.platform).await.expect("a round");
        self.say(format!("{swept:?}"));
        // A payout that came back is looked for every third day at least.
        for _ in 0..3 {
            here.world.pass(TimeDelta::hours(30));
            self.rest().await;
        }
    }

    /// Banks decide what is still open.
    fn decide(&mut self) {
        let mut all = self.about("du");
        all.extend(self.about("issfr"));
        for (id, dispute) in all {
            match dispute["status"].as_str().unwrap() {
                "warning" | "warning_needs_response" => self.turn(&id, "warning_closed"),
                "needs_response" | "under_review" => {
                    self.turn(&id, ["won", "lost"][self.draw.below(2_usize)]);
                }
                _ => {}
            }
        }
    }

    /// Goes on until there is nothing to deliver and nothing to ask about.
    async fn rest(&mut self) {
        let here = self.here;
        for _ in 0..ROUNDS {
            here.world.pass(TimeDelta::seconds(11));
            self.deliver_events(true).await;
            self.reconcile().await;
            self.take_events();
            let mut session = here.world.platform.db().read().await.unwrap();
            let open = "SELECT MAX(next_look_at) FROM movement WHERE next_look_at IS NOT NULL";
            let next: Option<Time> = session.value(sql(open)).await.unwrap();
            drop(session);
            match next {
                Some(next) => {
                    let wait = (next - here.world.platform.now()).max(TimeDelta::zero());
                    here.world.pass(wait);
                }
                None if self.has_events() => {}
                None => return,
            }
        }
        panic!("something is still open after {ROUNDS} rounds");
    }
}
