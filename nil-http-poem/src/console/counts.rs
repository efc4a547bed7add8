//! The numbers of what waits, beside the places of the navigation where it is worked on. They are
//! kept for a moment; a page whose numbers cannot be read is shown without them.

use nil_core::catalog::Interface;
use serde_json::{Map, Value, json};

use super::call::{Page, one};
use super::part::Part as _;

/// What waits at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    /// So much is late.
    Late(i64),
    /// So much waits, and nothing is late.
    Open(i64),
}

impl Waiting {
    fn of(late: i64, open: i64) -> Option<Self> {
        match (late, open) {
            (1.., _) => Some(Self::Late(late)),
            (_, 1..) => Some(Self::Open(open)),
            _ => None,
        }
    }
}

/// The operation that counts what waits at a side, and what it is asked.
fn source(page: &Page<'_>) -> (&'static str, Map<String, Value>) {
    match page.side.interface {
        Interface::Compliance => ("inbox.list", one("per_page", 1)),
        _ => ("dashboard.view", Map::new()),
    }
}

/// Takes the numbers from the answer of a page that has read all that waits.
pub(super) fn note(page: &Page<'_>, answer: &Value) {
    page.keep(source(page).0, json!({ "counts": answer.part("counts") }));
}

/// Reads the numbers, unless they were read a moment ago or the page itself reads them.
pub(super) async fn refresh(page: &Page<'_>) {
    let (operation, input) = source(page);
    let reads = page.path.is_empty() && page.query.0.is_empty();
    if !reads && page.allowed(operation).is_some() && page.known(operation).is_none() {
        // A refusal is kept too, so that the next page does not ask for another one.
        if page.read_kept(operation, input).await.is_err() {
            page.keep(operation, Value::Null);
        }
    }
}

/// What waits at a place of the navigation, as far as it is known.
pub(super) fn at(page: &Page<'_>, path: &str) -> Option<Waiting> {
    let answer = page.known(source(page).0)?;
    match page.side.interface {
        Interface::Compliance => at_portal(&answer, path),
        _ => at_console(&answer, path),
    }
}

fn at_portal(answer: &Value, path: &str) -> Option<Waiting> {
    let groups = answer.part("counts").part("groups");
    path.is_empty().then(|| Waiting::of(groups.number("late"), groups.number("waiting")))?
}

fn at_console(answer: &Value, path: &str) -> Option<Waiting> {
    let queues = answer.part("data").list("queues");
    let sum = |kinds: &[&str]| {
        let of = |queue: &&Value| kinds.contains(&queue.text("kind"));
        queues.iter().filter(of).map(|queue| queue.number("count")).sum()
    };
    match path {
        "/jobs" => Waiting::of(0, sum(&["jobs_pending"])),
        "/payouts" => {
            Waiting::of(0, sum(&["payouts_failed", "payouts_on_hold", "payouts_unconfirmed"]))
        }
        "/disputes" => Waiting::of(0, sum(&["disputes_to_answer"])),
        "/differences" => Waiting::of(0, sum(&["processor_differences"])),
        "/requests" => Waiting::of(
            0,
            sum(&["charges_unanswered", "payouts_unconfirmed", "refunds_unconfirmed"]),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_late_comes_before_what_waits() {
        let answer = |late: i64, waiting: i64| {
            json!({
                "counts": { "groups": { "late": late, "waiting": waiting, "due": 5 } },
            })
        };
        assert_eq!(at_portal(&answer(2, 9), ""), Some(Waiting::Late(2)));
        assert_eq!(at_portal(&answer(0, 9), ""), Some(Waiting::Open(9)));
        assert_eq!(at_portal(&answer(0, 0), ""), None);
        assert_eq!(at_portal(&answer(2, 9), "/deals"), None);
        let queue = |kind: &str, count: i64| json!({ "kind": kind, "count": count });
        let queues = [
            queue("jobs_pending", 3),
            queue("manual_reviews", 4),
            queue("payouts_on_hold", 1),
            queue("payouts_failed", 2),
            queue("disputes_to_answer", 5),
            queue("processor_differences", 6),
            queue("charges_unanswered", 7),
            queue("refunds_unconfirmed", 8),
        ];
        let board = json!({ "data": { "queues": queues } });
        assert_eq!(at_console(&board, "/jobs"), Some(Waiting::Open(3)));
        assert_eq!(at_console(&board, "/payouts"), Some(Waiting::Open(3)));
        assert_eq!(at_console(&board, "/disputes"), Some(Waiting::Open(5)));
        assert_eq!(at_console(&board, "/differences"), Some(Waiting::Open(6)));
        assert_eq!(at_console(&board, "/requests"), Some(Waiting::Open(15)));
        assert_eq!(at_console(&board, "/payments"), None);
        assert_eq!(at_console(&Value::Null, "/jobs"), None);
    }
}
