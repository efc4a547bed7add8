//! Events on their way to the platform: in order or not, often or never, before the answer of the
//! call that caused them or long after it.

use std::pin::pin;

use futures::future::join_all;
use nil_core::auth::Principal;
use nil_tests::Draw as _;
use nil_tests::ledgered::Event;
use serde_json::json;

use super::Scenario;

/// How often an event is delivered.
const OFTEN: &[u32] = &[0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 10];
/// Events that nothing makes up for: the comparison with the statement names what they were about.
const LOST: [&str; 3] =
    ["refund.failed", "charge.dispute.closed", "charge.dispute.funds_reinstated"];

/// An event on its way.
pub(super) struct Waiting {
    event: Event,
    /// How often it is still delivered.
    times: u32,
    /// After how many ticks.
    after: u32,
}

impl Scenario<'_> {
    /// Delivers an event once, signed; returns whether the platform has taken it.
    async fn deliver(&self, event: &Event) -> bool {
        let here = self.here;
        let input = json!({ "signature": here.ledgered.signature(event), "body": event.body });
        let hook = "core.processor.webhook";
        let answer = here.world.call(hook, &Principal::Anonymous, input).await;
        assert!(matches!(answer.status, 200 | 503), "{event:?}: {}", answer.body);
        answer.status == 200
    }

    /// Waits for a call while its events arrive before its answers.
    pub(super) async fn with_early_events<T>(&self, call: impl Future<Output = T>) -> T {
        self.meet("early");
        let mut early = self.here.ledgered.tells_early();
        let mut call = pin!(call);
        let answer = loop {
            tokio::select! {
                biased;
                answer = &mut call => break answer,
                Some(before) = early.recv() => {
                    for event in &before.events {
                        self.say(format!("early: {} of {}", event.kind, event.about));
                        // One that was refused is not told again: the answer comes now.
                        self.deliver(event).await;
                    }
                    let _ = before.told.send(());
                }
            }
        };
        early.close();
        // The platform did not wait for the answers of these.
        while let Ok(before) = early.try_recv() {
            for event in &before.events {
                self.say(format!("too late: {} of {}", event.kind, event.about));
                self.deliver(event).await;
            }
        }
        answer
    }

    /// Decides about new events when they are delivered, and how often.
    pub(super) fn take_events(&mut self) {
        for event in self.here.ledgered.events() {
            let mut times = OFTEN[self.draw.below(OFTEN.len())];
            let after = [0, 0, 0, 1, 1, 2, 5][self.draw.below(7_usize)];
            // One change makes several events, and one of them would do.
            if self.lost.iter().any(|lost| lost.event.about == event.about) {
                times = 0;
            }
            let mut waiting = Waiting { event, times, after };
            if times == 0 {
                self.meet("never told");
                self.say(format!("never told: {} of {}", waiting.event.kind, waiting.event.about));
                // The platform looks for the rest itself.
                if LOST.contains(&waiting.event.kind.as_str()) {
                    waiting.times = 1;
                    self.lost.push(waiting);
                }
            } else {
                self.waiting.push(waiting);
            }
        }
    }

    /// Delivers the events whose time has come, or all there are, in any order.
    pub(super) async fn deliver_events(&mut self, all: bool) {
        self.take_events();
        let mut due = Vec::new();
        let mut later = Vec::new();
        for mut waiting in std::mem::take(&mut self.waiting) {
            if waiting.after == 0 || all {
                due.push(waiting);
            } else {
                waiting.after -= 1;
                later.push(waiting);
            }
        }
        if due.len() > 1 && self.one_in(2) {
            self.meet("reordered");
            for last in (1..due.len()).rev() {
                due.swap(last, self.draw.below(last + 1));
            }
        }
        for mut waiting in due {
            let Waiting { event, times, .. } = &waiting;
            self.say(format!("told {times} times: {} of {}", event.kind, event.about));
            let taken = if *times == 10 {
                self.meet("ten times");
                // All of them at once.
                let all = join_all((0..*times).map(|_| self.deliver(event))).await;
                all.into_iter().all(|taken| taken)
            } else {
                let mut taken = true;
                for _ in 0..*times {
                    taken &= self.deliver(event).await;
                }
                taken
            };
            if !taken {
                // The processor sends again what was not taken.
                waiting.after = 1 + self.draw.below(3_u32);
                later.push(waiting);
            }
        }
        self.waiting.extend(later);
    }

    /// Whether there is anything left to deliver.
    pub(super) fn has_events(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Delivers what was lost, as the processor does when its staff sends it again.
    pub(super) async fn deliver_lost(&mut self) -> bool {
        let lost = std::mem::take(&mut self.lost);
        for waiting in &lost {
            let Waiting { event, .. } = waiting;
            self.say(format!("sent again: {} of {}", event.kind, event.about));
            assert!(self.deliver(event).await, "nothing is wrong with the processor now");
        }
        !lost.is_empty()
    }
}
