//! Owners of an institution's portal set its rules; all users of the portal can read them.

use serde_json::{Map, Value, json};

use super::rule::{Categories, Change, RuleKind, SponsorConflicts};
use super::rule_input::{SaveSettings, changes};
use super::rules::{Rules, latest};
use super::settings::{CollegeSettings, Digest, RuleChange};
use super::store::{rule as rules, setting};
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::{CollegeId, Date, Nothing, SportId, Time, day_in, zone_or_last};
use crate::operation::{Cx, Done, Revised, Work};
use crate::storage::Session;

/// The maximum number of changes shown.
const SHOWN: usize = 200;
/// The fewest athletes that a figure given to the public stands for: the usual number, which is the
/// least.
const SMALLEST_GROUP: i64 = 5;
/// The greatest number that can be set.
const GREATEST_GROUP: i64 = 100;

/// Returns the settings of the caller's institution: the rules in force today, and all changes of
/// them.
pub async fn show(cx: Cx<PortalUser>, _: Nothing) -> Result<Revised<CollegeSettings>> {
    let mut session = cx.read().await?;
    Ok(settings(&mut session, cx.caller.college_id, cx.now()).await?.into())
}

/// Changes the settings of the caller's institution. A rule equal to the institution's own rule on
/// that day is not entered again. 422 for days in the past, unknown categories, sports or time
/// zones, 409 `state_changed` if somebody else has changed them meanwhile.
pub async fn save(
    cx: Cx<PortalUser>,
    input: SaveSettings,
) -> Result<Done<Revised<CollegeSettings>>> {
    let college = cx.caller.college_id;
    let mut work = cx.begin().await?;
    let zone = setting::locked_time_zone(&mut work, college).await?;
    if input.revision.is_some() {
        let held = settings(&mut work, college, cx.now()).await?;
        work.as_seen(college, &held, input.revision.as_ref()).await?;
    }
    let asked = changes(&input, day_in(cx.now(), zone_or_last(Some(&zone))))?;
    for change in &asked {
        check_references(&mut work, change).await?;
    }
    let by = format!("portal_user:{}", cx.caller.id);
    enter_rules(&mut work, college, asked, &by).await?;
    enter_rest(&mut work, college, &input, &zone).await?;
    let now = cx.now();
    let settings = settings(&mut work, college, now).await?;
    work.done(settings.into()).await
}

/// Today at the institution, and the entries that saving this input today would ask for; 422 as
/// when it is saved.
pub async fn proposed(
    session: &mut Session,
    college: CollegeId,
    input: &SaveSettings,
    now: Time,
) -> Result<(Date, Vec<Change>)> {
    let zone = setting::time_zone(session, college).await?;
    let today = day_in(now, zone_or_last(Some(&zone)));
    let asked = changes(input, today)?;
    for change in &asked {
        check_references(session, change).await?;
    }
    Ok((today, asked))
}

async fn enter_rules(
    work: &mut Work,
    college: CollegeId,
    asked: Vec<Change>,
    by: &str,
) -> Result<()> {
    let known = rules::of_college(work, college).await?;
    let known: Vec<Change> = known.into_iter().map(Change::from).collect();
    let (mut before, mut after) = (Map::new(), Map::new());
    let now = work.now();
    for change in asked {
        let held = latest(&known, change.kind, change.effective_on);
        if held.is_some_and(|held| held.value == change.value) {
            continue;
        }
        rules::add(work, college, &change, by, now).await?;
        let name = change.kind.as_str().to_owned();
        before.insert(name.clone(), held.map_or(Value::Null, dated));
        after.insert(name, dated(&change));
    }
    if !after.is_empty() {
        work.note_change(college, "rules_changed", Value::Object(before), Value::Object(after));
    }
    Ok(())
}

fn dated(change: &Change) -> Value {
    json!({ "value": change.value, "effective_on": change.effective_on })
}

/// Saves the settings other than rules.
async fn enter_rest(
    work: &mut Work,
    college: CollegeId,
    input: &SaveSettings,
    zone: &str,
) -> Result<()> {
    let now = work.now();
    let known = setting::find(work, college).await?;
    let before = json!({
        "time_zone": zone, "digest": known.as_ref().map(|row| row.digest),
        "contact_email": known.as_ref().and_then(|row| row.contact_email.clone()),
        "logo_url": known.as_ref().and_then(|row| row.logo_url.clone()),
        "smallest_group": known.as_ref().map_or(SMALLEST_GROUP, |row| row.smallest_group),
    });
    let mut row = known.unwrap_or(setting::SettingRow {
        digest: Digest::Instant,
        contact_email: None,
        logo_url: None,
        smallest_group: SMALLEST_GROUP,
        created_at: now,
        updated_at: now,
    });
    row.digest = input.digest.unwrap_or(row.digest);
    if let Some(email) = &input.contact_email {
        row.contact_email = Some(email.to_string());
    }
    if let Some(url) = &input.logo_url {
        row.logo_url = Some(url.to_string());
    }
    if let Some(least) = input.smallest_group {
        if !(SMALLEST_GROUP..=GREATEST_GROUP).contains(&least) {
            let range = format!("must be between {SMALLEST_GROUP} and {GREATEST_GROUP}");
            return Err(Error::invalid("smallest_group", range));
        }
        row.smallest_group = least;
    }
    row.updated_at = now;
    setting::save(work, college, &row).await?;
    let wanted = input.time_zone.as_deref().map_or(zone, str::trim);
    if wanted != zone {
        if wanted.parse::<chrono_tz::Tz>().is_err() {
            return Err(Error::invalid("time_zone", "must be an IANA time zone"));
        }
        setting::set_time_zone(work, college, wanted, now).await?;
    }
    let after = json!({
        "time_zone": wanted, "digest": row.digest, "contact_email": row.contact_email,
        "logo_url": row.logo_url, "smallest_group": row.smallest_group,
    });
    if before != after {
        work.note_change(college, "settings_changed", before, after);
    }
    Ok(())
}

/// 422 for unknown categories and sports, because a rule with one would never apply.
async fn check_references(session: &mut Session, change: &Change) -> Result<()> {
    let kind = change.kind;
    let value = change.value.clone();
    let (slugs, sports): (Vec<String>, Vec<SportId>) = match kind {
        RuleKind::ProhibitedCategories | RuleKind::RestrictedCategories => {
            let rule: Categories = serde_json::from_value(value).map_err(Error::internal)?;
            (rule.categories, Vec::new())
        }
        RuleKind::SponsorConflicts => {
            let rule: SponsorConflicts = serde_json::from_value(value).map_err(Error::internal)?;
            let sports = rule.sponsors.iter().flat_map(|s| s.sport_ids.clone());
            let sports = sports.collect();
            let slugs = rule.sponsors.into_iter().map(|s| s.category).collect();
            (slugs, sports)
        }
        RuleKind::Blackouts => {
            let rule: super::rule::Blackouts =
                serde_json::from_value(value).map_err(Error::internal)?;
            let sports = rule.windows.into_iter().flat_map(|w| w.sport_ids);
            (Vec::new(), sports.collect())
        }
        _ => return Ok(()),
    };
    let slugs: Vec<&str> = slugs.iter().map(String::as_str).collect();
    let unknown = rules::unknown_categories(session, &slugs).await?;
    if !unknown.is_empty() {
        let message = format!("unknown categories: {}", unknown.join(", "));
        return Err(Error::invalid(kind.as_str(), message));
    }
    let unknown = rules::unknown_sports(session, &sports).await?;
    if !unknown.is_empty() {
        let unknown: Vec<String> = unknown.iter().map(ToString::to_string).collect();
        let message = format!("unknown sports: {}", unknown.join(", "));
        return Err(Error::invalid(kind.as_str(), message));
    }
    Ok(())
}

async fn settings(session: &mut Session, college: CollegeId, now: Time) -> Result<CollegeSettings> {
    let (college_name, time_zone) = setting::name_and_zone(session, college).await?;
    let row = setting::find(session, college).await?;
    let said = rules::of_college(session, college).await?;
    let own: Vec<Change> = said.iter().cloned().map(Change::from).collect();
    let rules = Rules::in_force(&own, day_in(now, zone_or_last(Some(&time_zone))))?;
    let changes = said.into_iter().rev().take(SHOWN).map(|row| RuleChange {
        rule: row.rule,
        effective_on: row.effective_on,
        value: row.value,
        set_by: row.set_by,
        created_at: row.created_at,
    });
    Ok(CollegeSettings {
        id: college,
        college_id: college,
        college_name,
        time_zone,
        digest: row.as_ref().map_or(Digest::Instant, |row| row.digest),
        contact_email: row.as_ref().and_then(|row| row.contact_email.clone()),
        logo_url: row.as_ref().and_then(|row| row.logo_url.clone()),
        smallest_group: row.as_ref().map_or(SMALLEST_GROUP, |row| row.smallest_group),
        deadline: rules.deadline,
        threshold: rules.threshold,
        approval: rules.approval,
        hold_payouts: rules.hold_payouts,
        prohibited_categories: rules.prohibited_categories,
        restricted_categories: rules.restricted_categories,
        sponsor_conflicts: rules.sponsor_conflicts,
        marks: rules.marks,
        blackouts: rules.blackouts,
        f1: rules.f1,
        agent_notice: rules.agent_notice,
        automatic_flags: rules.automatic_flags,
        changes: changes.collect(),
        created_at: row.as_ref().map(|row| row.created_at),
        updated_at: row.as_ref().map(|row| row.updated_at),
    })
}
