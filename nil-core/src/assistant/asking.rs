//! The athlete asks, the assistant answers.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;

use super::draft::{ClarificationDraft, MOST_PENDING};
use super::message::{AssistantMessage, Role, Source};
use super::rules;
use super::store::draft as drafts;
use super::store::message::{self as messages, NewMessage};
use super::tools::{Proposal, Records, Tools};
use crate::auth::Athlete;
use crate::error::Result;
use crate::kernel::{AthleteId, JobId, Limit, Secret, Text};
use crate::operation::{Cx, Done, Work};
use crate::payments::patiently;
use crate::ports::model::{Question, Speaker};

/// How much of what was said before a model is told.
const EARLIER: i64 = 8;
/// After this time nothing is expected any longer of a question whose server ended meanwhile.
const ANSWERED_WITHIN: TimeDelta = TimeDelta::minutes(10);
/// How many sources an answer names.
const SOURCES: usize = 10;

/// A question.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Ask {
    /// The question.
    pub text: Text<1, 2000>,
    /// The job it is about.
    pub job_id: Option<JobId>,
}

/// An answer on its way into the store.
struct Said {
    text: String,
    sources: Vec<Source>,
    proposal: Option<Proposal>,
    model: String,
}

/// Answers a question from the calling athlete's own records, with the records it rests on; where
/// they do not answer, the reply says so and holds a pending draft to the brand (extension). 404 for
/// a job the athlete has no application for.
///
/// The question is stored first, then the model is asked outside any transaction, then its answer is
/// stored. A model that is out costs nothing but its answer: the rules give theirs.
pub async fn chat(cx: Cx<Athlete>, input: Ask) -> Result<Done<AssistantMessage>> {
    let mut session = cx.read().await?;
    let athlete = cx.caller.id;
    let may_draft = drafts::pending(&mut session, athlete).await? < MOST_PENDING;
    let earlier = earlier(&cx, &mut session, athlete).await?;
    drop(session);
    let records = Records::read(&cx, input.job_id, may_draft).await?;
    let question = Question {
        text: input.text.to_string(),
        today: cx.now().date_naive(),
        job: input.job_id.and_then(|job| {
            let deal = records.deal(job)?;
            Some((job.get(), deal.job.title.clone()))
        }),
        earlier,
        athlete_token: token(&cx).await?,
    };
    let mut work = cx.begin().await?;
    let asked = NewMessage {
        athlete,
        role: Role::Athlete,
        text: &input.text,
        job: input.job_id,
        sources: &[],
        draft: None,
        model: None,
    };
    let asked = messages::add(&mut work, asked, cx.now()).await?;
    work.note(asked.id, "asked");
    work.intent_for(ANSWERED_WITHIN).await?;
    let said = answer(&cx, &question, input.job_id, &records).await;
    patiently(cx.platform(), || async {
        let mut work = cx.begin().await?;
        let reply = keep(&mut work, athlete, input.job_id, &said).await?;
        work.done(reply).await
    })
    .await
}

/// The model's answer, or the rules' where there is no model or it is out.
async fn answer(
    cx: &Cx<Athlete>,
    question: &Question,
    job: Option<JobId>,
    records: &Records,
) -> Said {
    if let Some(model) = cx.platform().model() {
        let tools = Tools::over(records);
        match model.answer(question, &tools).await {
            Ok(text) if !text.trim().is_empty() => {
                let (shown, proposal) = tools.outcome();
                let (text, sources) = cited(&text, &shown);
                return Said { text, sources, proposal, model: model.name().to_owned() };
            }
            Ok(_) => tracing::warn!("the assistant's model said nothing"),
            Err(outage) => tracing::warn!(why = outage.0, "the assistant's model is out"),
        }
    }
    let answer = rules::answer(&question.text, job, records);
    Said {
        text: answer.text,
        sources: answer.sources.into_iter().take(SOURCES).collect(),
        proposal: answer.proposal,
        model: rules::NAME.to_owned(),
    }
}

/// The token of a model that looks things up through the tool gateway.
async fn token(cx: &Cx<Athlete>) -> Result<Option<Secret>> {
    let model = cx.platform().model();
    if model.is_none_or(|model| !model.wants_athlete_token()) {
        return Ok(None);
    }
    let minted = cx.platform().mint_athlete_token(cx.caller.id).await?;
    Ok(Some(minted.token))
}

/// Takes the names of records out of a model's text: those are its sources. A record that it was not
/// shown is none; where it names none, everything it was shown is.
fn cited(text: &str, shown: &[Source]) -> (String, Vec<Source>) {
    let mut out = String::with_capacity(text.len());
    let mut named: Vec<Source> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let inside = after.split_once(']');
        let found = inside.and_then(|(name, after)| {
            let of = |source: &&Source| format!("{}:{}", source.kind, source.id) == name.trim();
            shown.iter().find(of).map(|source| (source, after))
        });
        if let Some((source, after)) = found {
            out.push_str(before.trim_end_matches(' '));
            if !named.contains(source) {
                named.push(source.clone());
            }
            rest = after;
        } else {
            out.push_str(before);
            out.push('[');
            rest = after;
        }
    }
    out.push_str(rest);
    if named.is_empty() {
        named = shown.to_vec();
    }
    named.truncate(SOURCES);
    // A store takes no NUL; no character of an answer is worth a refusal.
    (out.trim().replace('\0', ""), named)
}

/// Stores an answer, and the draft it proposes.
async fn keep(
    work: &mut Work,
    athlete: AthleteId,
    job: Option<JobId>,
    said: &Said,
) -> Result<AssistantMessage> {
    let draft = match &said.proposal {
        Some(proposal) => propose(work, athlete, proposal).await?,
        None => None,
    };
    let new = NewMessage {
        athlete,
        role: Role::Assistant,
        text: &said.text,
        job,
        sources: &said.sources,
        draft: draft.as_ref().map(|draft| draft.id),
        model: Some(&said.model),
    };
    let now = work.now();
    let mut reply = messages::add(work, new, now).await?;
    work.note(reply.id, "answered");
    reply.draft = draft;
    Ok(reply)
}

/// Keeps a proposed question as a pending draft; the same question about the same job is kept once.
pub(super) async fn propose(
    work: &mut Work,
    athlete: AthleteId,
    proposal: &Proposal,
) -> Result<Option<ClarificationDraft>> {
    let (job, text) = (proposal.job, proposal.text.as_str());
    if let Some(same) = drafts::same(work, athlete, job, text).await? {
        return Ok(Some(same));
    }
    let Some(brand) = drafts::brand_of(work, athlete, job).await? else {
        return Ok(None);
    };
    let now = work.now();
    let draft = drafts::add(work, athlete, job, brand, text, now).await?;
    work.note(draft.id, "proposed");
    Ok(Some(draft))
}

/// What was said before, oldest first; nothing where there is no model to be told.
async fn earlier(
    cx: &Cx<Athlete>,
    session: &mut crate::storage::Session,
    athlete: AthleteId,
) -> Result<Vec<(Speaker, String)>> {
    if cx.platform().model().is_none() {
        return Ok(Vec::new());
    }
    let limit = Limit::new(EARLIER).unwrap_or_default();
    let found = messages::feed(session, athlete, None, limit).await?;
    let speaker = |role| match role {
        Role::Athlete => Speaker::Athlete,
        Role::Assistant => Speaker::Assistant,
    };
    let said = found.items.into_iter().rev();
    Ok(said.map(|m| (speaker(m.role), m.text)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::message::SourceKind;
    use super::*;

    #[test]
    fn only_records_that_were_shown_are_sources() {
        let source =
            |id: i64| Source { kind: SourceKind::Deliverable, id, title: format!("Reel {id}") };
        let shown = [source(5), source(6)];
        let (text, sources) = cited("Due Monday [deliverable:5]. See [1] and [deal:9].", &shown);
        assert_eq!(text, "Due Monday. See [1] and [deal:9].");
        assert_eq!(sources, [source(5)]);
        let (text, sources) = cited("Nothing is due [", &shown);
        assert_eq!((text.as_str(), sources.len()), ("Nothing is due [", 2));
    }
}
