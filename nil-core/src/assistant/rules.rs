//! The built-in model: answers from the records if it is sure to have understood the question, and
//! says so if it is not. No network, no guessing.

use std::collections::BTreeSet;

use super::message::Source;
use super::tools::{
    Proposal, Records, contract_source, deal_source, deliverable_source, owed, paid,
    payment_source, wallet_source,
};
use crate::contracts::terms::Terms;
use crate::deals::{Deal, Deliverable, DeliverableStatus};
use crate::jobs::ApplicationStatus;
use crate::kernel::JobId;
use crate::wording;

/// The name of the built-in model.
pub(super) const NAME: &str = "rules";

/// The maximum number of records in an answer.
const LISTED: usize = 10;
/// The longest question to a brand, in characters.
const QUESTION: usize = 1_000;

/// An answer, its sources, and the question it proposes.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) sources: Vec<Source>,
    pub(super) proposal: Option<Proposal>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Topic {
    Due,
    Money,
    Exclusivity,
    Usage,
    Disclosure,
    Deals,
}

/// The words that identify a topic; `…` at the end stands for any ending.
const WORDS: &[(Topic, &[&str])] = &[
    (
        Topic::Due,
        &["due", "deadline…", "overdue", "late", "deliverable…", "submit…", "outstanding"],
    ),
    (
        Topic::Money,
        &[
            "paid",
            "pay",
            "pays",
            "payment…",
            "payout…",
            "owed",
            "owe",
            "owes",
            "earn…",
            "money",
            "wallet",
            "balance",
            "unpaid",
        ],
    ),
    (Topic::Exclusivity, &["exclusiv…", "competitor…", "competing"]),
    (
        Topic::Usage,
        &[
            "usage",
            "license…",
            "licence…",
            "reuse",
            "perpetual",
            "perpetuity",
            "territory",
            "rights",
        ],
    ),
    (Topic::Disclosure, &["disclos…", "hashtag…", "sponsored", "ftc"]),
    (
        Topic::Deals,
        &["deals", "contracts", "hired", "applications", "applied", "status", "offers", "jobs"],
    ),
];

/// Answers a question.
pub(super) fn answer(question: &str, job: Option<JobId>, records: &Records) -> Answer {
    let topics = topics(question);
    let focus = focus(question, job, records);
    let mut answer = Answer::default();
    for topic in topics {
        let part = match topic {
            Topic::Due => Some(due(&focus)),
            Topic::Money => money(&focus, job.is_some(), records),
            Topic::Exclusivity => terms(&focus, exclusivity),
            Topic::Usage => terms(&focus, usage),
            Topic::Disclosure => disclosure(&focus),
            Topic::Deals => Some(overview(&focus)),
        };
        if let Some((lines, sources)) = part {
            answer.text.push_str(&lines.join("\n"));
            answer.text.push('\n');
            let new = |source: &Source| !answer.sources.contains(source);
            let sources: Vec<Source> = sources.into_iter().filter(new).collect();
            answer.sources.extend(sources);
        }
    }
    if answer.text.is_empty() {
        return unknown(question, job, &focus, records);
    }
    answer.text = answer.text.trim_end().to_owned();
    answer
}

fn topics(question: &str) -> BTreeSet<Topic> {
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let says = |wanted: &str| match wanted.strip_suffix('…') {
        Some(stem) => words.iter().any(|word| word.starts_with(stem)),
        None => words.contains(&wanted),
    };
    WORDS
        .iter()
        .filter(|(_, wanted)| wanted.iter().any(|word| says(word)))
        .map(|(topic, _)| *topic)
        .collect()
}

/// The deals the question refers to: the one named by id, those named in words, or all.
fn focus<'a>(question: &str, job: Option<JobId>, records: &'a Records) -> Vec<&'a Deal> {
    if let Some(job) = job {
        return records.deal(job).into_iter().collect();
    }
    let named = named(question, records);
    if named.is_empty() { records.deals.iter().collect() } else { named }
}

fn named<'a>(question: &str, records: &'a Records) -> Vec<&'a Deal> {
    let lower = question.to_lowercase();
    let says = |name: &str| name.chars().count() >= 3 && lower.contains(&name.to_lowercase());
    let all = records.deals.iter();
    all.filter(|deal| says(&deal.job.title) || says(&deal.partner.company_name)).collect()
}

/// Lines of text, and the records they are based on.
type Said = (Vec<String>, Vec<Source>);
type Part = Option<Said>;

fn due(focus: &[&Deal]) -> Said {
    let open = |d: &&Deliverable| {
        !matches!(d.status, DeliverableStatus::Approved | DeliverableStatus::Void)
    };
    let mut all: Vec<(&Deal, &Deliverable)> = focus
        .iter()
        .flat_map(|deal| deal.deliverables.iter().filter(open).map(|d| (*deal, d)))
        .collect();
    all.sort_by_key(|(_, d)| (d.due_on, d.id));
    let lines: Vec<String> = all
        .iter()
        .take(LISTED)
        .map(|(deal, d)| {
            let state = match d.status {
                DeliverableStatus::Submitted => "submitted, waiting for the brand",
                DeliverableStatus::Denied => "returned, to be submitted again",
                _ if d.overdue => "overdue",
                _ => "to be submitted",
            };
            format!(
                "“{}” for {} (“{}”) is due on {}: {state}.",
                d.title,
                deal.partner.company_name,
                deal.job.title,
                wording::day(d.due_on)
            )
        })
        .collect();
    if lines.is_empty() {
        let sources = focus.iter().take(LISTED).map(|deal| deal_source(deal));
        return (vec!["Nothing is due.".into()], sources.collect());
    }
    let sources = all.iter().take(LISTED).map(|(_, d)| deliverable_source(d));
    (lines, sources.collect())
}

fn money(focus: &[&Deal], one: bool, records: &Records) -> Part {
    let contracted = focus.iter().filter(|deal| deal.contract.is_some());
    let mut lines = Vec::new();
    let mut sources = Vec::new();
    for deal in contracted.take(LISTED) {
        let Some(contract) = &deal.contract else {
            continue;
        };
        lines.push(format!(
            "{} (“{}”): {} of {} paid, {} owed for approved work.",
            deal.partner.company_name,
            deal.job.title,
            paid(deal),
            contract.agreed_amount_cents,
            owed(deal),
        ));
        sources.extend(contract_source(deal));
        sources.extend(deal.payments.iter().map(payment_source));
    }
    if one && lines.is_empty() {
        return None;
    }
    let wallet = &records.wallet;
    lines.push(format!(
        "Your wallet holds {}; {} is on its way to your bank, {} has arrived there.",
        wallet.balance_cents, wallet.under_way_cents, wallet.paid_out_cents
    ));
    sources.push(wallet_source(records.athlete));
    Some((lines, sources))
}

/// The contracts' answers; `None` without a contract.
fn terms(focus: &[&Deal], say: fn(&Terms) -> String) -> Part {
    let mut lines = Vec::new();
    let mut sources = Vec::new();
    for deal in focus {
        let Some(contract) = &deal.contract else {
            continue;
        };
        let Ok(terms) = serde_json::from_value::<Terms>(contract.terms.clone()) else {
            continue;
        };
        lines.push(format!(
            "Contract {} with {}: {}",
            contract.number,
            deal.partner.company_name,
            say(&terms)
        ));
        sources.extend(contract_source(deal));
        if lines.len() == LISTED {
            break;
        }
    }
    (!lines.is_empty()).then_some((lines, sources))
}

fn exclusivity(terms: &Terms) -> String {
    match &terms.exclusivity {
        Some(exclusive) => format!(
            "you keep “{}” free of the brand's competitors for {} from {}.",
            exclusive.category,
            wording::days(exclusive.days),
            wording::optional_day(terms.dates.effective_on)
        ),
        None => "there is no exclusivity.".into(),
    }
}

fn usage(terms: &Terms) -> String {
    let usage = &terms.usage;
    let time = match usage.days {
        Some(days) if !usage.perpetual => {
            format!("for {} after first publication", wording::days(days))
        }
        _ => "without end".to_owned(),
    };
    let yes = |may: bool| if may { "yes" } else { "no" };
    format!(
        "the brand may use the content in {} ({}) {time}. Advertising through your own account: {}; \
         editing into new works: {}; licensing on: {}.",
        usage.media.join(", ").replace('_', " "),
        usage.territory,
        yes(usage.allow_listing),
        yes(usage.derivative_works),
        yes(usage.sublicensable)
    )
}

fn disclosure(focus: &[&Deal]) -> Part {
    let mut lines = Vec::new();
    let mut sources = Vec::new();
    let all = focus
        .iter()
        .flat_map(|deal| deal.deliverables.iter().map(move |d| (deal, d)))
        .filter(|(_, d)| d.status != DeliverableStatus::Void);
    for (deal, d) in all.take(LISTED) {
        let mark = if d.disclosure_required {
            "has to be marked as advertising"
        } else {
            "needs no mark as advertising"
        };
        let tags = match d.hashtags.as_slice() {
            [] => String::new(),
            tags => format!(", with {}", tags.join(" ")),
        };
        let (title, brand) = (&d.title, &deal.partner.company_name);
        lines.push(format!("“{title}” for {brand} {mark}{tags}."));
        sources.push(deliverable_source(d));
    }
    (!lines.is_empty()).then_some((lines, sources))
}

fn overview(focus: &[&Deal]) -> Said {
    if focus.is_empty() {
        return (vec!["You have no deals yet.".into()], Vec::new());
    }
    let line = |deal: &&Deal| {
        let status = deal.application.status.as_str().replace('_', " ");
        let brand = &deal.partner.company_name;
        format!("“{}” by {brand}: {status}.", deal.job.title)
    };
    let shown = focus.iter().take(LISTED);
    let lines = shown.clone().map(line).collect();
    (lines, shown.map(|deal| deal_source(deal)).collect())
}

/// The records do not answer: proposes a question to the brand, if only one deal can be meant.
fn unknown(question: &str, job: Option<JobId>, focus: &[&Deal], records: &Records) -> Answer {
    let under_way = |deal: &&&Deal| ApplicationStatus::UNDER_WAY.contains(&deal.application.status);
    let meant = if let [one] = focus {
        Some(*one)
    } else {
        let mut candidates = focus.iter().filter(under_way);
        candidates.next().filter(|_| candidates.next().is_none()).copied()
    };
    let Some(deal) = meant else {
        let which = "I cannot find that in your records. Tell me which deal it is about, and I \
                     draft a question to the brand.";
        return Answer { text: which.into(), ..Answer::default() };
    };
    let (brand, title) = (&deal.partner.company_name, &deal.job.title);
    if !records.may_draft {
        return Answer {
            text: "I cannot find that in your records, and you keep as many drafts as I can hold. \
                   Send or delete one, then ask me again."
                .into(),
            ..Answer::default()
        };
    }
    let asked = format!("Hi {brand}, a question about “{title}”: {}", question.trim());
    Answer {
        text: format!(
            "I cannot find that in your records. I have drafted a question to {brand}; look it over \
             and send it if you like."
        ),
        sources: if job.is_some() { vec![deal_source(deal)] } else { Vec::new() },
        proposal: Some(Proposal { job: deal.job.id, text: asked.chars().take(QUESTION).collect() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_understood_by_their_words() {
        for (question, expected) in [
            ("When is my reel due?", &[Topic::Due][..]),
            ("How much am I OWED?", &[Topic::Money]),
            ("Is there exclusivity, and when do I get paid?", &[Topic::Money, Topic::Exclusivity]),
            ("Which hashtags do I need?", &[Topic::Disclosure]),
            ("May they license my photo?", &[Topic::Usage]),
            ("What are my deals?", &[Topic::Deals]),
            ("Can I wear my team jersey in the deal video?", &[]),
            ("Is the duelist a paymaster?", &[]),
            ("", &[]),
        ] {
            let found: Vec<Topic> = topics(question).into_iter().collect();
            assert_eq!(found, expected, "{question}");
        }
    }
}
