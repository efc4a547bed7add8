//! Clocks: words first, then a bar of how much of the time is used.

use chrono::TimeDelta;
use maud::{Markup, html};
use nil_core::kernel::Time;
use serde_json::Value;

use crate::console::call::Page;
use crate::console::part::Part as _;
use crate::console::texts::{self, key, say, tell};
use crate::console::words;

/// A time that runs from one instant to another.
struct Clock<'c> {
    /// The key of its name.
    title: &'c str,
    from: Time,
    until: Time,
    /// When what it waits for came; none while it waits.
    met: Option<Time>,
    /// The key of what is said when it ends without anything that it waits for.
    over: &'c str,
    is_late_after: bool,
}

fn percent(used: TimeDelta, all: TimeDelta) -> i64 {
    let (used, all) = (used.num_minutes().max(0), all.num_minutes().max(1));
    (used.saturating_mul(100) / all).min(100)
}

impl Clock<'_> {
    fn show(&self, page: &Page<'_>) -> Markup {
        let (now, zone) = (page.desk.now(), page.person.zone);
        let at = self.met.unwrap_or(now);
        let used = percent(at - self.from, self.until - self.from);
        let left = self.until - now;
        let is_over = at > self.until;
        let (class, words) = match (self.met, is_over) {
            (Some(_), false) => ("good", say!("clock-in-time")),
            (Some(_), true) => ("bad", say!("clock-late")),
            (None, true) if self.is_late_after => ("bad", texts::plain(self.over)),
            (None, true) => ("dim", texts::plain(self.over)),
            (None, false) if self.is_late_after && left < TimeDelta::days(1) => {
                ("warn", say!("clock-left", span = words::span(left)))
            }
            (None, false) => ("", say!("clock-left", span = words::span(left))),
        };
        let bar = match class {
            "bad" => "late",
            "warn" => "soon",
            _ => "",
        };
        let title = texts::plain(self.title);
        html! {
            div.clock {
                b { span { (title) } span class=(class) { (words) } }
                progress class=(bar) max="100" value=(used) aria-label=(title) { (words) }
                small.dim {
                    @match self.met {
                        Some(met) => (tell!(
                            "clock-given",
                            at = words::short_moment(met, zone),
                            until = words::short_moment(self.until, zone),
                        )),
                        None => (tell!("clock-ends", at = words::short_moment(self.until, zone))),
                    }
                }
            }
        }
    }
}

/// The clocks of a filing: both notices, and the athlete's right to cancel.
pub(super) fn of_filing(page: &Page<'_>, filing: &Value) -> Markup {
    let Some(signed) = filing.part("contract").moment("signed_at") else {
        return html! { p.dim { (say!("clock-none")) } };
    };
    let notices = filing.part("notices");
    let due = filing.moment("notice_due_at");
    let sides = [(key!("clock-agent"), "agent_at"), (key!("clock-athlete"), "athlete_at")];
    let cancelled = filing.part("contract").part("cancelled_at");
    html! {
        @if let Some(due) = due {
            @for (title, name) in sides {
                (Clock {
                    title,
                    from: signed,
                    until: due,
                    met: notices.moment(name),
                    over: key!("clock-late"),
                    is_late_after: true,
                }.show(page))
            }
        }
        @match (cancelled.as_str().and_then(|at| at.parse::<Time>().ok()),
            filing.moment("cancellation_ends_at")) {
            (Some(at), _) => p { (tell!("clock-cancelled", at = words::short_moment(at, page.person.zone))) },
            (None, Some(ends)) => {
                (Clock {
                    title: key!("clock-may-cancel"),
                    from: signed,
                    until: ends,
                    met: None,
                    over: key!("clock-over"),
                    is_late_after: false,
                }.show(page))
            }
            (None, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_full_when_its_time_is_used() {
        let hours = TimeDelta::hours;
        assert_eq!(percent(hours(24), hours(72)), 33);
        assert_eq!(percent(hours(-1), hours(72)), 0);
        assert_eq!(percent(hours(100), hours(72)), 100);
        assert_eq!(percent(hours(1), hours(0)), 100);
    }
}
