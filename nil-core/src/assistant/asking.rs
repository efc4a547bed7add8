//! Athletes ask, and the assistant answers.

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
use crate::kernel::{AthleteId, JobId, LAST_ZONE, Limit, Secret, Text, day_in};
use crate::operation::{Cx, Done, Work, patiently};
use crate::people;
use crate::ports::model::{Question, Speaker};

/// The number of earlier messages a model is given.
const EARLIER: i64 = 8;
/// A question is given up after this time, if the server that answered it died.
const ANSWERED_WITHIN: TimeDelta = TimeDelta::minutes(10);
/// The maximum number of sources of an answer.
const SOURCES: usize = 10;

/// A question.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Ask {
    /// The question.
    pub text: Text<1, 2000>,
    /// The job it is about.
    pub job_id: Option<JobId>,
}

/// An answer to store.
struct Said {
    text: String,
    sources: Vec<Source>,
    proposal: Option<Proposal>,
    model: String,
}

/// Answers a question from the calling athlete's own records, and names the records used. If the
/// records do not answer it, the reply says so and includes a pending draft of a question to the
/// brand (extension). 404 for a job the athlete has no application for.
///
/// Stores the question first, then asks the model outside any transaction, then stores the answer.
/// If the model fails, the built-in rules answer instead.
pub async fn chat(cx: Cx<Athlete>, input: Ask) -> Result<Done<AssistantMessage>> {
    let mut session = cx.read().await?;
    let athlete = cx.caller.id;
    let may_draft = drafts::pending(&mut session, athlete).await? < MOST_PENDING;
    let earlier = earlier(&cx, &mut session, athlete).await?;
    let zone = people::facts(&mut session, athlete).await?.map(|facts| facts.zone());
    let today = day_in(cx.now(), zone.unwrap_or(LAST_ZONE));
    drop(session);
    let records = Records::read(&cx, input.job_id, may_draft).await?;
    let question = Question {
        text: input.text.to_string(),
        today,
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

/// The model's answer, or the rules' if there is no model or it fails.
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
            Ok(_) => tracing::warn!("the assistant's model returned an empty answer"),
            Err(outage) => tracing::warn!(why = outage.0, "the assistant's model failed"),
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

/// The token for a model that uses the tool gateway.
async fn token(cx: &Cx<Athlete>) -> Result<Option<Secret>> {
    let model = cx.platform().model();
    if model.is_none_or(|model| !model.wants_athlete_token()) {
        return Ok(None);
    }
    let minted = cx.platform().mint_athlete_token(cx.caller.id).await?;
    Ok(Some(minted.token))
}

/// Removes the names of records from a model's text and returns them as its sources. Only records
/// that the model was shown count; if it names none, all of them do.
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
    // Databases cannot store NUL; dropping it is better than refusing the answer.
    (out.trim().replace('\0', ""), named)
}

/// Stores an answer and its proposed draft.
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

/// Stores a proposed question as a pending draft; a duplicate about the same job is not stored
/// again.
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

/// The earlier messages, oldest first; empty if there is no model.
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
