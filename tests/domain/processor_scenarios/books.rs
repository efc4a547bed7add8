//! The processor's books beside ours.

use chrono::{Days, TimeDelta};
use nil_core::kernel::Date;
use nil_core::payments;
use nil_core::storage::sql;
use serde_json::Value;

use super::{Scenario, Site};

/// Our accounts of the world outside: what cards have paid, what banks have, what the processor
/// has kept, and what banks have taken for disputes.
const OURS: &str = "SELECT \
     CAST(COALESCE(SUM(CASE WHEN name LIKE '%:card' THEN balance_cents END), 0) AS BIGINT), \
     CAST(COALESCE(SUM(CASE WHEN name LIKE '%:bank' THEN balance_cents END), 0) AS BIGINT), \
     CAST(COALESCE(SUM(CASE WHEN name = 'processor:costs' THEN balance_cents END), 0) \
     AS BIGINT), \
     CAST(COALESCE(SUM(CASE WHEN name = 'processor:disputed' THEN balance_cents END), 0) \
     AS BIGINT) FROM ledger_account";

/// What has no outcome here.
const OPEN: &str = "SELECT (SELECT COUNT(*) FROM movement WHERE next_look_at IS NOT NULL) \
    + (SELECT COUNT(*) FROM charge WHERE status NOT IN ('succeeded', 'failed')) \
    + (SELECT COUNT(*) FROM subscription_charge WHERE status NOT IN ('succeeded', 'failed')) \
    + (SELECT COUNT(*) FROM subscription_refund WHERE status NOT IN ('succeeded', 'failed')) \
    + (SELECT COUNT(*) FROM refund WHERE status NOT IN ('succeeded', 'failed')) \
    + (SELECT COUNT(*) FROM payout WHERE status NOT IN ('paid', 'failed', 'on_hold')) \
    + (SELECT COUNT(*) FROM dispute WHERE status IN ('warning', 'needs_response', 'under_review'))";

type Accounts = (i64, i64, i64, i64);

impl Site {
    async fn ours(&self) -> Accounts {
        let mut session = self.world.platform.db().read().await.unwrap();
        session.one(sql(OURS)).await.unwrap()
    }

    /// The same of the processor's objects.
    fn theirs(&self) -> Accounts {
        let sum = |prefix: &str, name: &str, counts: &dyn Fn(&Value) -> bool| -> i64 {
            let all = self.ledgered.all(prefix).into_iter().filter(|object| counts(object));
            all.filter_map(|object| object[name].as_i64()).sum()
        };
        let is = |status: &'static str| move |object: &Value| object["status"] == status;
        let taken = |object: &Value| {
            object["status"] == "needs_response" || object["status"] == "under_review"
        };
        let charged = sum("pi", "amount", &is("succeeded"));
        let back = sum("re", "amount", &is("succeeded")) + sum("du", "amount", &is("lost"));
        (
            back - charged,
            sum("po", "amount", &is("paid")),
            sum("txn", "fee", &|_| true),
            sum("du", "amount", &taken),
        )
    }
}

impl Scenario<'_> {
    /// What is true at the end of every scenario.
    pub(super) async fn compare(&mut self, first_day: Date) {
        let here = self.here;
        let mut session = here.world.platform.db().read().await.unwrap();
        let open: i64 = session.value(sql(OPEN)).await.unwrap();
        assert_eq!(open, 0, "everything has an outcome");
        let (status, paid, due) = if self.subscribes {
            let status = "SELECT status FROM subscription_charge WHERE id = $1";
            let paid = "SELECT COUNT(*) FROM subscription_charge c \
                JOIN subscription_period p ON p.id = c.period_id \
                JOIN invoice i ON i.id = p.invoice_id WHERE c.id = $1 AND i.status = 'paid'";
            (status, paid, 1)
        } else {
            let status = "SELECT status FROM charge WHERE id = $1";
            let paid = "SELECT COUNT(*) FROM payment WHERE charge_id = $1 AND status <> 'failed'";
            (status, paid, self.payments.len())
        };
        let status: String = session.value(sql(status).bind(self.charge)).await.unwrap();
        let paid: i64 = session.value(sql(paid).bind(self.charge)).await.unwrap();
        drop(session);
        let key = format!(":{}:{}:", self.kind(), self.charge);
        let made = here.ledgered.moved("pi").into_iter().filter(|(made, _)| made.contains(&key));
        match made.count() {
            0 => {
                self.meet("declined");
                assert_eq!((status.as_str(), paid), ("failed", 0));
            }
            1 => {
                self.meet(if self.subscribes { "subscribed" } else { "charged" });
                let paid = usize::try_from(paid).unwrap();
                assert_eq!((status.as_str(), paid), ("succeeded", due));
            }
            more => panic!("{more} charges were made"),
        }
        for account in here.accounts() {
            assert_eq!(here.ledgered.held_by(account), 0, "{account} has kept money");
        }
        let (mut ours, theirs) = (here.ours().await, here.theirs());
        let found = self.differences(first_day).await;
        assert_eq!(ours == theirs, found.is_empty(), "{ours:?} here, {theirs:?} there: {found:?}");
        if !found.is_empty() {
            self.meet("named by the comparison");
            // A dispute that was decided anew may have given its fee back, too.
            assert!(found.iter().any(|kind| kind == "undone_there"), "{found:?}");
            assert!(found.iter().all(|kind| kind == "undone_there" || kind == "fee"), "{found:?}");
            assert!(self.deliver_lost().await, "nothing was lost: {found:?}");
            ours = here.ours().await;
            assert_eq!(self.differences(first_day).await, [""; 0], "what was lost is there");
        }
        assert_eq!(ours, theirs, "cards, banks, the processor's costs, and what is disputed");
    }

    /// The differences from the statement, by kind, of the days of this scenario.
    async fn differences(&self, first_day: Date) -> Vec<String> {
        let here = self.here;
        here.world.pass(TimeDelta::hours(26));
        let yesterday = first_day.checked_sub_days(Days::new(1));
        let all = payments::compare(&here.world.platform, yesterday, Some(here.today())).await;
        let all = all.unwrap();
        self.say(format!("compared: {} lines, {} differ", all.lines, all.open));
        all.oldest.iter().map(|found| found.kind.to_string()).collect()
    }
}
