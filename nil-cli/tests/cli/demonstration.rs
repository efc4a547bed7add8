//! The demonstration's figures: each can be checked against the lists, over HTTP and as an officer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::Served;

const LARGE: &str = "compliance@lakeshorestateuniversity.example";
const SMALL: [&str; 2] = [
    "compliance@redwoodcoastuniversity.example",
    "compliance@bluegrasstechnicaluniversity.example",
];
/// The password of the demonstration's accounts.
const PASSWORD: &str = "a walk along the lake";

/// An officer who is logged in.
struct Officer<'a> {
    served: &'a Served,
    token: String,
}

impl<'a> Officer<'a> {
    async fn of(served: &'a Served, email: &str) -> Self {
        let address = format!("{}/api/compliance/login", served.back_office);
        let input = json!({ "email": email, "password": PASSWORD });
        let answer = served.client.post(address).json(&input).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        let token = answer["token"].as_str().unwrap_or_else(|| panic!("{answer:#}"));
        Self { served, token: token.to_owned() }
    }

    async fn get(&self, path: &str) -> Value {
        let address = format!("{}/api/compliance{path}", self.served.back_office);
        let answer = self.served.client.get(address).bearer_auth(&self.token).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        answer.json().await.unwrap()
    }

    /// The record or the rows that an address answers.
    async fn data(&self, path: &str) -> Value {
        let mut answer = self.get(path).await;
        let data = answer.get_mut("data").map(Value::take);
        data.unwrap_or(answer)
    }

    /// Every page of a list.
    async fn all(&self, path: &str) -> Vec<Value> {
        let mut rows = Vec::new();
        let sign = if path.contains('?') { '&' } else { '?' };
        for page in 1.. {
            let answer = self.get(&format!("{path}{sign}page={page}&per_page=100")).await;
            rows.extend(answer["data"].as_array().unwrap().iter().cloned());
            if page >= answer["pagination"]["pages"].as_i64().unwrap() {
                assert_eq!(answer["pagination"]["total"], rows.len(), "{path}");
                return rows;
            }
        }
        rows
    }
}

/// Whether figures count a transaction if no statuses are named.
fn counts(transaction: &Value) -> bool {
    let counted = [
        "succeeded",
        "partially_refunded",
        "refunded",
        "submitted",
        "under_review",
        "info_requested",
        "approved",
    ];
    counted.iter().any(|status| transaction["status"] == *status)
}

fn sum<'a>(rows: impl IntoIterator<Item = &'a Value>, field: &str) -> i64 {
    rows.into_iter().map(|row| row[field].as_i64().unwrap()).sum()
}

/// The rows by a field.
fn grouped<'a>(rows: &[&'a Value], field: &str) -> BTreeMap<String, Vec<&'a Value>> {
    let mut groups: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for row in rows {
        groups.entry(row[field].to_string()).or_default().push(row);
    }
    groups
}

/// Compares every figure under a filter with the list under the same filter.
async fn compare(officer: &Officer<'_>, filter: &str) {
    let list = officer.all(&format!("/transactions{filter}")).await;
    let counted: Vec<&Value> = list.iter().filter(|row| counts(row)).collect();
    assert!(counted.len() > 10, "{filter}: {}", counted.len());
    let summary = officer.data(&format!("/transactions/summary{filter}")).await;
    let totals = &summary["totals"];
    let athletes: BTreeSet<String> =
        counted.iter().map(|row| row["athlete_id"].to_string()).collect();
    assert_eq!(totals["count"], counted.len(), "{filter}");
    assert_eq!(totals["athletes"], athletes.len(), "{filter}");
    let fields = ["gross_cents", "fee_cents", "net_cents", "refunded_cents"];
    for field in fields {
        let of_list = sum(counted.iter().copied(), field);
        assert_eq!(totals[field], of_list, "{filter} {field}");
        assert_eq!(
            sum(summary["by_source"].as_array().unwrap(), field),
            of_list,
            "{filter} {field}"
        );
        assert_eq!(
            sum(summary["by_month"].as_array().unwrap(), field),
            of_list,
            "{filter} {field}"
        );
    }
    for source in summary["by_source"].as_array().unwrap() {
        let of_source = counted.iter().filter(|row| row["source"] == source["source"]);
        assert_eq!(source["gross_cents"], sum(of_source.copied(), "gross_cents"), "{filter}");
    }
    let sign = if filter.is_empty() { '?' } else { '&' };
    for (path, key, own, count) in [
        ("/transactions/top-athletes", "athlete_id", "athlete_id", "count"),
        ("/transactions/top-teams", "sport_id", "sport_id", "count"),
        ("/analytics/top-nil-sport", "sport_id", "sport_id", "activity"),
        ("/analytics/top-nil-payment", "payment_type", "payment_type", "activity"),
        ("/analytics/types-nil", "category_id", "category_id", "activity"),
    ] {
        let most = if path.contains("/top-athletes") || path.contains("/top-teams") {
            format!("{sign}limit=100")
        } else {
            String::new()
        };
        let shown = officer.data(&format!("{path}{filter}{most}")).await;
        let groups = grouped(&counted, key);
        for row in shown.as_array().unwrap() {
            let of_list = groups.get(&row[own].to_string()).cloned().unwrap_or_default();
            assert_eq!(row[count], of_list.len(), "{path}{filter}: {row}");
            let gross = sum(of_list.iter().copied(), "gross_cents");
            assert_eq!(row["gross_cents"], gross, "{path}{filter}: {row}");
        }
        let named = shown.as_array().unwrap().iter().filter(|row| row[count] != 0).count();
        assert_eq!(named, groups.len().min(100), "{path}{filter}");
    }
}

/// Every state that the year should show is there, and the states make up the whole list.
async fn states_make_up_the_lists(officer: &Officer<'_>) {
    for (path, states) in [
        (
            "/clearances",
            &[
                "due",
                "submitted",
                "flagged",
                "cleared",
                "not_cleared",
                "arbitration",
                "not_required",
            ][..],
        ),
        (
            "/disclosed-jobs",
            &["submitted", "under_review", "approved", "rejected", "info_requested", "withdrawn"],
        ),
        (
            "/athlete-agent-disclosures",
            &["draft", "submitted", "acknowledged", "returned", "terminated"],
        ),
    ] {
        let list = officer.all(path).await;
        let rows: Vec<&Value> = list.iter().collect();
        let by_state = grouped(&rows, "status");
        for state in states {
            assert!(by_state.contains_key(&json!(state).to_string()), "{path}: {state}");
        }
        let mut of_states = 0;
        for state in by_state.keys() {
            let state = state.trim_matches('"');
            of_states += officer.all(&format!("{path}?statuses={state}")).await.len();
        }
        assert_eq!(of_states, list.len(), "{path}");
    }
}

fn is_missing(filing: &Value) -> bool {
    filing["notices"]["agent_at"].is_null() || filing["notices"]["athlete_at"].is_null()
}

/// Most filings are complete and acknowledged, few are late; what is open is due in the coming
/// days.
async fn filings_are_in_order(officer: &Officer<'_>) {
    let list = officer.all("/athlete-agent-disclosures").await;
    let of = |status: &str| list.iter().filter(|filing| filing["status"] == status).count();
    assert!(of("acknowledged") * 2 > list.len(), "{} of {}", of("acknowledged"), list.len());
    let late = officer.all("/athlete-agent-disclosures?late=true").await;
    assert_eq!(late.len(), list.iter().filter(|filing| filing["late"] == true).count());
    assert!((1..=3).contains(&late.len()), "{late:#?}");
    for filing in &list {
        let notices = &filing["notices"];
        let due = filing["notice_due_at"].as_str().unwrap();
        let after = |at: &Value| at.as_str().is_some_and(|at| at > due);
        let late = after(&notices["agent_at"]) || after(&notices["athlete_at"]);
        assert_eq!(filing["late"], late, "{filing:#}");
        if is_missing(filing) {
            assert_eq!(filing["status"], "draft", "{filing:#}");
        }
        if filing["status"] == "returned" {
            assert!(filing["decision_note"].is_string(), "{filing:#}");
        }
    }
    assert!(list.iter().any(is_missing));
}

/// The deadlines are the open duties of the lists.
async fn deadlines_are_those_of_the_lists(officer: &Officer<'_>) {
    let mut shown: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    let (mut late, mut due) = (0, 0);
    let athletes = officer.all("/deadlines").await;
    for athlete in &athletes {
        late += athlete["late"].as_i64().unwrap();
        due += athlete["due"].as_i64().unwrap();
        for item in athlete["items"].as_array().unwrap() {
            let kind = item["kind"].as_str().unwrap().to_owned();
            shown.entry(kind).or_default().insert(item["id"].as_i64().unwrap());
        }
    }
    let of = |kind: &str| shown.get(kind).cloned().unwrap_or_default();
    let ids = |rows: &[Value]| -> BTreeSet<i64> {
        rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    let filings = officer.all("/athlete-agent-disclosures").await;
    let open = |filing: &Value| is_missing(filing) && filing["status"] != "terminated";
    let filings: Vec<Value> = filings.into_iter().filter(open).collect();
    assert_eq!(of("agent_notice"), ids(&filings));
    let jobs = officer.all("/disclosed-jobs").await;
    let open = |job: &Value| match job["status"].as_str().unwrap() {
        "info_requested" | "rejected" => true,
        "submitted" | "under_review" => job["late"] == true,
        _ => false,
    };
    let jobs: Vec<Value> = jobs.into_iter().filter(open).collect();
    assert_eq!(of("disclosed_job"), ids(&jobs));
    let clearances = officer.all("/clearances?statuses=due").await;
    assert_eq!(of("clearance"), ids(&clearances));
    let all: usize = shown.values().map(BTreeSet::len).sum();
    assert_eq!(usize::try_from(late + due).unwrap(), all);
    assert!(late < due, "{late} late, {due} due");
}

/// What went to the clearinghouse says how the payer is associated with the institution.
async fn packets_are_complete(officer: &Officer<'_>) {
    for state in ["submitted", "flagged", "not_cleared"] {
        for clearance in officer.all(&format!("/clearances?statuses={state}")).await {
            let detail = officer.data(&format!("/clearances/{}", clearance["id"])).await;
            let facts = detail["packet"]["association"].as_array().unwrap();
            let answered = facts.iter().filter(|fact| fact["answer"].is_boolean()).count();
            assert_eq!((answered, facts.len()), (6, 6), "{detail:#}");
            assert!(detail["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
        }
    }
}

/// What is between gross and net is the agents' commission: the operators' list of payments says
/// the same.
async fn commission_goes_to_the_agents(served: &Served, transactions: &[Value]) {
    let (_, _, cookie) = served.visit_as_operator("operator@nil.example", PASSWORD).await;
    let mut payments = Vec::new();
    for page in 1.. {
        let path = format!("/admin/payment-records/all/0?page={page}&per_page=100");
        let (status, body) = served.get_as_operator(&path, &cookie).await;
        assert_eq!(status, 200);
        let answer: Value = serde_json::from_slice(&body).unwrap();
        payments.extend(answer["data"].as_array().unwrap().iter().cloned());
        if page >= answer["pagination"]["pages"].as_i64().unwrap() {
            break;
        }
    }
    let of_platform: Vec<&Value> =
        transactions.iter().filter(|row| row["source"] == "platform").collect();
    assert_eq!(of_platform.len(), payments.len());
    let (gross, net, fee) = (
        sum(of_platform.iter().copied(), "gross_cents"),
        sum(of_platform.iter().copied(), "net_cents"),
        sum(of_platform.iter().copied(), "fee_cents"),
    );
    let commission = sum(&payments, "agent_commission_cents");
    assert!(commission > 50_000 && fee > commission, "{commission} {fee}");
    assert_eq!(gross - net, commission);
    assert_eq!((gross, fee), (sum(&payments, "amount_cents"), sum(&payments, "fee_cents")));
    for email in ["summitathletepartners", "lanemensahagency", "brightfieldmanagement"] {
        let token = served.log_in(&format!("agent@{email}.example"), PASSWORD).await;
        let address = format!("{}/api/wallet", served.core);
        let wallet = served.client.get(address).bearer_auth(token).send().await.unwrap();
        let wallet: Value = wallet.json().await.unwrap();
        let wallet = &wallet["data"];
        let held = ["balance_cents", "under_way_cents", "paid_out_cents"]
            .iter()
            .map(|field| wallet[field].as_i64().unwrap());
        assert!(held.sum::<i64>() > 0, "{email}: {wallet:#}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_figure_of_the_demonstration_is_the_sum_of_a_list() {
    let nil = Nil::demonstrated().with("NIL_THROTTLE", "off");
    let mut served = Served::start(&nil, &[]);
    let officer = Officer::of(&served, LARGE).await;
    for filter in ["", "?sources=disclosed", "?sources=platform", "?genders=female"] {
        compare(&officer, filter).await;
    }
    let athletes = officer.all("/athletes/getAthlete").await;
    assert_eq!(athletes.len(), 400);
    let transactions = officer.all("/transactions").await;
    let counted: Vec<&Value> = transactions.iter().filter(|row| counts(row)).collect();
    let by_athlete = grouped(&counted, "athlete_id");
    for athlete in &athletes {
        let of_list = by_athlete.get(&athlete["id"].to_string()).cloned().unwrap_or_default();
        assert_eq!(athlete["totals"]["count"], of_list.len(), "{athlete}");
        let gross = sum(of_list, "gross_cents");
        assert_eq!(athlete["totals"]["gross_cents"], gross, "{athlete}");
    }
    states_make_up_the_lists(&officer).await;
    filings_are_in_order(&officer).await;
    deadlines_are_those_of_the_lists(&officer).await;
    packets_are_complete(&officer).await;
    // Nobody sees another institution.
    let mut paid: Vec<Value> = transactions.clone();
    let own: BTreeSet<String> = athletes.iter().map(|row| row["id"].to_string()).collect();
    assert_eq!(own.len(), 400);
    for email in SMALL {
        let other = Officer::of(&served, email).await;
        compare(&other, "").await;
        let theirs = other.all("/athletes/getAthlete").await;
        assert!(theirs.iter().all(|row| !own.contains(&row["id"].to_string())), "{email}");
        let transactions = other.all("/transactions").await;
        assert!(transactions.iter().all(|row| !own.contains(&row["athlete_id"].to_string())));
        paid.extend(transactions);
    }
    commission_goes_to_the_agents(&served, &paid).await;
    served.process.terminate();
    assert!(served.process.ended().success(), "{}", served.log());
    nil.run(&["verify"]).good();
}
