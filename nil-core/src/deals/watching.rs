//! The worker looks once a day whether the posts of approved work are still up and still disclose
//! the advertising, for as long as the contract says.
//!
//! A server claims a post before it asks the source, outside any transaction, and writes what was
//! found; a claim that is not followed by a finding ends by itself. Each post has one row for each
//! day, whatever number of servers look. A source that does not answer is asked again, less and
//! less often; until it answers, the post counts as unchecked.

use chrono::{Days, TimeDelta};
use chrono_tz::Tz;
use futures::StreamExt as _;

use super::deliverable::Deliverable;
use super::store::watch::{self as store, Deal, Due, NewPost};
use super::watch::{Finding, PostOutcome};
use crate::auth::Service;
use crate::contracts::Contract;
use crate::contracts::terms::Terms;
use crate::error::{Error, Result};
use crate::feed::{Concerned, Published};
use crate::kernel::{DeliverableId, Time, day_in, end_of_day, midnight, utc_day};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work};
use crate::people::officers;
use crate::platform::Platform;
use crate::schedule::due::Failed;
use crate::wording;

/// The number of posts looked at in one run, and at the same time.
const AT_ONCE: i64 = 100;
const SIDE_BY_SIDE: usize = 8;
/// How long a server may take for a post that it has claimed.
const CLAIM: TimeDelta = TimeDelta::minutes(15);
/// The pause after a source did not answer; each further time doubles it.
const FIRST_PAUSE: TimeDelta = TimeDelta::hours(1);

/// Begins the watch over the posts of work that was approved now.
pub(super) async fn begin(
    work: &mut Work,
    contract: &Contract,
    deliverable: &Deliverable,
    zone: Tz,
) -> Result<()> {
    if !deliverable.platform.publishes() || deliverable.post_urls.is_empty() {
        return Ok(());
    }
    let terms: Terms = serde_json::from_value(contract.terms.clone()).map_err(Error::internal)?;
    let position = store::position(work, deliverable.milestone_id).await?;
    let place = usize::try_from(position - 1).ok();
    let milestone = place.and_then(|place| terms.milestones.get(place));
    let Some(days) = milestone.and_then(|milestone| milestone.live_days) else {
        return Ok(());
    };
    let now = work.now();
    let published = day_in(deliverable.submitted_at.unwrap_or(now), zone);
    let days = Days::new(u64::try_from(days).unwrap_or_default());
    let last = published.checked_add_days(days).unwrap_or(published);
    let live_until = end_of_day(last, zone);
    if live_until < now {
        return Ok(());
    }
    let before = Finding::before(work.platform().social_metrics().is_some());
    for url in &deliverable.post_urls {
        let post = NewPost { deliverable: deliverable.id, url, live_until, finding: &before };
        store::add(work, post, now).await?;
    }
    Ok(())
}

/// Looks at the posts that are due, a hundred in one run. Returns the number of posts looked at.
/// For the worker; any number of workers may run it concurrently.
pub async fn watch_posts(platform: &Platform) -> Result<usize> {
    let mut session = platform.db().read().await?;
    let due = store::due(&mut session, platform.now(), AT_ONCE).await?;
    drop(session);
    let looks = futures::stream::iter(due).map(|post| async move {
        let id = post.id;
        (id, look(platform, post).await)
    });
    let mut looks = std::pin::pin!(looks.buffer_unordered(SIDE_BY_SIDE));
    let (mut done, mut failed) = (0, Failed::default());
    while let Some((id, looked)) = looks.next().await {
        match looked {
            Ok(looked) => done += usize::from(looked),
            Err(error) => failed.note("watched post", id, error)?,
        }
    }
    failed.or(done)
}

/// Looks at one post, unless another server does.
async fn look(platform: &Platform, post: Due) -> Result<bool> {
    let now = platform.now();
    let mut session = platform.db().begin().await?;
    let is_over = post.live_until < now;
    let until = (!is_over).then_some(now + CLAIM);
    let claimed = store::claim(&mut session, &post, until, now).await?;
    session.commit().await?;
    if !claimed || is_over {
        return Ok(false);
    }
    let finding = match platform.social_metrics() {
        Some(source) => {
            let answer = source.post(post.platform.as_str(), &post.url).await;
            if let Err(outage) = &answer {
                tracing::warn!(why = outage.0, "the source that looks at posts did not answer");
            }
            Finding::of(answer, post.disclosure_required)
        }
        None => Finding::before(false),
    };
    let ours = Service::ourselves();
    Ok(platform.call(ours, record, (post, finding)).await?.into_inner())
}

/// Writes what was found, and tells what has changed since both sides were told last.
async fn record(cx: Cx<Service>, (due, finding): (Due, Finding)) -> Result<Done<bool>> {
    let mut work = cx.begin().await?;
    let now = cx.now();
    let Some(held) = store::lock(&mut work, due.id).await? else {
        return work.done(false).await;
    };
    store::add_check(&mut work, due.id, utc_day(now), &finding, now).await?;
    let misses = if finding.again { held.misses + 1 } else { 0 };
    let next = if finding.again { now + pause(held.misses) } else { tomorrow(due.id.get(), now) };
    let next = Some(next).filter(|next| *next <= held.live_until);
    let known = finding.outcome != PostOutcome::Unchecked;
    let told = if known { finding.outcome } else { held.told };
    store::set_finding(&mut work, due.id, &finding, (told, next, misses), now).await?;
    if told != held.told {
        tell(&mut work, due.deliverable_id, (&due.url, held.live_until), told).await?;
    }
    work.done(true).await
}

/// The pause after so many looks in a row without an answer: an hour, two, four, eight.
fn pause(misses: i64) -> TimeDelta {
    let doublings = u32::try_from(misses.clamp(0, 3)).unwrap_or_default();
    FIRST_PAUSE * 2_i32.pow(doublings)
}

/// The post's own time of the next day, by UTC: posts are spread over the day.
fn tomorrow(id: i64, now: Time) -> Time {
    let day = utc_day(now);
    let next = midnight(day.checked_add_days(Days::new(1)).unwrap_or(day));
    next + TimeDelta::seconds(id.wrapping_mul(7_919).rem_euclid(86_400))
}

/// Tells both sides what has changed, and the institution what is out of place.
async fn tell(
    work: &mut Work,
    id: DeliverableId,
    post: (&str, Time),
    told: PostOutcome,
) -> Result<()> {
    let (event, finding) = match told {
        PostOutcome::Gone => (Event::PostGone, Some("is not up any more")),
        PostOutcome::Undisclosed => {
            (Event::PostUndisclosed, Some("does not disclose the advertising any more"))
        }
        PostOutcome::Live => (Event::PostRestored, None),
        PostOutcome::Unchecked => return Ok(()),
    };
    work.note(id, event.as_str());
    let deal = store::deal(work, id).await?;
    let brand = Concerned::BrandOf(deal.partner_user_id);
    work.publish(publishes((event, brand), id, &deal, told));
    for user in [deal.partner_user_id, deal.athlete_user_id] {
        let told = message((event, Recipient::User(user)), (id, &deal), post);
        work.send(told);
    }
    let (Some(finding), Some(college)) = (finding, deal.college_id) else {
        return Ok(());
    };
    let institution = Concerned::Institution(college);
    work.publish(publishes((Event::PostOutOfPlace, institution), id, &deal, told));
    for officer in officers(work, college, deal.sport_id).await? {
        let to = (Event::PostOutOfPlace, Recipient::Portal(officer));
        let told = message(to, (id, &deal), post)
            .with("athlete_name", deal.athlete_name.clone())
            .with("company_name", deal.company_name.clone())
            .with("finding", finding);
        work.send(told);
    }
    Ok(())
}

fn publishes(
    (event, concerned): (Event, Concerned),
    id: DeliverableId,
    deal: &Deal,
    told: PostOutcome,
) -> Published {
    Published::new(event, concerned).with(id).with(deal.job_id).saying("outcome", told.as_str())
}

fn message(
    (event, to): (Event, Recipient),
    (id, deal): (DeliverableId, &Deal),
    (url, live_until): (&str, Time),
) -> Message {
    Message::new(event, to)
        .with("deliverable_title", deal.title.clone())
        .with("job_title", deal.job_title.clone())
        .with("live_until", wording::day(day_in(live_until, deal.zone())))
        .with("post_url", url)
        .with("job_id", deal.job_id.get())
        .with("deliverable_id", id.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_post_has_its_own_time_of_the_next_day() {
        let late: Time = "2026-11-20T23:59:59Z".parse().unwrap();
        for id in [1, 7, 1_000_000_007] {
            let next = tomorrow(id, late);
            assert_eq!(utc_day(next).to_string(), "2026-11-21");
            assert_eq!(utc_day(tomorrow(id, next)).to_string(), "2026-11-22");
        }
        assert_ne!(tomorrow(1, late), tomorrow(2, late));
    }

    #[test]
    fn pauses_grow_to_a_limit() {
        let hours = [0, 1, 2, 3, 4, 90].map(|misses| pause(misses).num_hours());
        assert_eq!(hours, [1, 2, 4, 8, 8, 8]);
    }
}
