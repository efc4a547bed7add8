//! Agents in the demonstration's year: whom they represent, the notices of both sides, and the
//! institution's filings.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use chrono::{Days, SecondsFormat, TimeDelta};
use nil_core::kernel::utc_day;
use serde_json::{Value, json};

use super::people::{AGENCIES, pick, slug};
use super::player::{Person, Player};
use super::world::World;
use crate::failure::Failure;

/// What becomes of an agent's invitation, and of the filing about an accepted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// The athlete has not answered yet.
    Unanswered,
    /// The athlete declines.
    Declined,
    /// Both notices come in time, the filing is acknowledged.
    Acknowledged,
    /// The athlete's notice comes late.
    AthleteLate,
    /// The agent's notice comes late.
    AgentLate,
    /// The filing is returned, because it is wrong.
    Rejected,
    /// The filing is returned with a question.
    Asked,
    /// The filing is returned with a question, and the question is answered.
    Answered,
    /// The athlete cancels within fourteen days.
    Cancelled,
    /// The athlete ends it, and takes another agent later.
    Superseded,
    /// The filing waits for a decision.
    Submitted,
    /// The agent's notice is there, the athlete's is due in the coming days.
    AthleteDue,
    /// Both notices are due in the coming days.
    BothDue,
}

/// A contract between an athlete and an agent: the week, the institution, the athlete's number
/// there, the agent, the commission in basis points, and what becomes of it.
type Agreed = (usize, usize, usize, usize, i64, Course);

const AGREED: [Agreed; 21] = [
    (2, 0, 0, 0, 500, Course::Acknowledged),
    (5, 0, 1, 1, 1_000, Course::Acknowledged),
    (9, 0, 2, 2, 750, Course::Superseded),
    (12, 0, 3, 1, 1_000, Course::Declined),
    (14, 0, 4, 1, 1_200, Course::AthleteLate),
    (18, 0, 5, 0, 1_000, Course::Cancelled),
    (21, 0, 6, 0, 800, Course::Acknowledged),
    (26, 0, 2, 1, 1_000, Course::Acknowledged),
    (28, 0, 7, 2, 1_000, Course::Answered),
    (31, 1, 1, 2, 900, Course::Acknowledged),
    (34, 0, 40, 0, 1_000, Course::AgentLate),
    (37, 0, 95, 1, 1_000, Course::Acknowledged),
    (39, 2, 1, 1, 1_500, Course::Acknowledged),
    (42, 0, 130, 2, 750, Course::Acknowledged),
    (46, 0, 160, 0, 1_000, Course::Rejected),
    (48, 0, 190, 1, 500, Course::Asked),
    (49, 0, 5, 2, 900, Course::Acknowledged),
    (51, 0, 220, 1, 1_000, Course::Submitted),
    (52, 0, 250, 0, 1_000, Course::AthleteDue),
    (52, 0, 280, 2, 800, Course::BothDue),
    (52, 0, 3, 0, 900, Course::Unanswered),
];

/// The week after which an agent earns commission: the athlete's right to cancel is over.
const IN_FORCE: usize = 3;
/// The weeks after which a superseded contract ends.
const ENDS: usize = 15;

/// The athletes of an institution, by their numbers, who have had an agent for longer than they may
/// cancel.
pub(crate) fn clients(week: usize, of: usize) -> Vec<usize> {
    let bound = |(since, college, athlete, _, _, course): &Agreed| {
        let lasts = match course {
            Course::Unanswered | Course::Declined | Course::Cancelled => return None,
            Course::Superseded => week < since + ENDS,
            _ => true,
        };
        (*college == of && lasts && week >= since + IN_FORCE).then_some(*athlete)
    };
    AGREED.iter().filter_map(bound).collect()
}

/// What happens with a filing or a contract.
#[derive(Clone, Copy, Debug)]
enum Step {
    AgentNotice,
    AthleteNotice,
    Cancel,
    End,
    /// An officer completes the filing and submits it.
    Submit,
    Acknowledge,
    Terminate(&'static str),
    Return(&'static str),
}

const WRONG: &str = "The registration number is not in the state's register. Please correct it.";
const QUESTION: &str = "The papers name two last days of the contract. Which one is right?";
const CANCELLED: &str = "The athlete cancelled within fourteen days.";
const ENDED: &str = "The athlete has ended the contract and has another agent now.";

/// The steps on the first day of a week, so many weeks after the contract.
fn on_the_day(course: Course, age: usize) -> &'static [Step] {
    match (course, age) {
        (Course::AgentLate | Course::BothDue, 0) => &[],
        (Course::AgentLate, 1) | (_, 0) => &[Step::AgentNotice],
        (Course::AthleteLate, 1) => &[Step::AthleteNotice],
        (Course::Cancelled, 1) => &[Step::Cancel],
        (Course::Superseded, ENDS) => &[Step::End],
        _ => &[],
    }
}

/// The steps on the next day.
fn on_the_next_day(course: Course, age: usize) -> &'static [Step] {
    match (course, age) {
        (Course::AthleteLate, 0) => &[],
        (_, 0) => &[Step::AthleteNotice],
        _ => &[],
    }
}

/// What officers do three days later. They wait a week for a notice that is late.
fn in_the_office(course: Course, age: usize) -> &'static [Step] {
    let late = matches!(course, Course::AthleteLate | Course::AgentLate);
    let Some(age) = age.checked_sub(usize::from(late)) else {
        return &[];
    };
    match (course, age) {
        (Course::Answered, 2) | (_, 0) => &[Step::Submit],
        (Course::Rejected, 1) => &[Step::Return(WRONG)],
        (Course::Asked | Course::Answered, 1) => &[Step::Return(QUESTION)],
        (Course::Cancelled, 1) => &[Step::Acknowledge, Step::Terminate(CANCELLED)],
        (Course::Superseded, ENDS) => &[Step::Terminate(ENDED)],
        (Course::Answered, 3) | (_, 1) => &[Step::Acknowledge],
        _ => &[],
    }
}

/// A contract that was made, with the institution's draft of a filing.
#[derive(Debug)]
struct Made {
    agreed: Agreed,
    representation: Value,
    filing: Value,
    athlete: Person,
}

/// The contracts of the year so far.
#[derive(Debug, Default)]
pub(crate) struct Agency {
    made: Vec<Made>,
}

impl Agency {
    /// The first day of a week.
    pub(crate) async fn week(
        &mut self,
        player: &Player,
        world: &World,
        week: usize,
    ) -> Result<(), Failure> {
        for agreed in AGREED.iter().filter(|(since, ..)| *since == week) {
            let made = invite(player, world, *agreed).await?;
            self.made.extend(made);
        }
        self.go_on(player, world, week, on_the_day).await
    }

    /// The day after.
    pub(crate) async fn next_day(
        &self,
        player: &Player,
        world: &World,
        week: usize,
    ) -> Result<(), Failure> {
        self.go_on(player, world, week, on_the_next_day).await
    }

    /// The officers' day of the same week.
    pub(crate) async fn review(
        &self,
        player: &Player,
        world: &World,
        week: usize,
    ) -> Result<(), Failure> {
        self.go_on(player, world, week, in_the_office).await
    }

    async fn go_on(
        &self,
        player: &Player,
        world: &World,
        week: usize,
        steps: fn(Course, usize) -> &'static [Step],
    ) -> Result<(), Failure> {
        for made in &self.made {
            let (since, .., course) = made.agreed;
            let age = week - since;
            for step in steps(course, age) {
                take(player, world, made, (*step, age)).await?;
            }
        }
        Ok(())
    }
}

/// An agent invites an athlete, who answers; returns an accepted contract.
async fn invite(player: &Player, world: &World, agreed: Agreed) -> Result<Option<Made>, Failure> {
    let (_, college, number, agent, commission, course) = agreed;
    let athlete = world.athlete(player, college, number).await?;
    let agent = world.agent(agent)?;
    let message = format!("I have followed your season, {}. Let us talk.", first_name(&athlete));
    let invite = json!({
        "email": athlete.email, "commission_basis_points": commission, "message": message
    });
    let invited = player.call("core.agent.invite_athlete", &agent.principal, invite).await?;
    if course == Course::Unanswered {
        return Ok(None);
    }
    let accepts = course != Course::Declined;
    let answer = json!({ "representation_id": invited["id"], "accept": accepts });
    player.call("core.athlete.respond_agent_invitation", &athlete.principal, answer).await?;
    if !accepts {
        return Ok(None);
    }
    let which = json!({ "representation_id": invited["id"] });
    let notices = player.call("core.agent.filings", &agent.principal, which).await?;
    let filing = notices[0]["id"].clone();
    Ok(Some(Made { agreed, representation: invited["id"].clone(), filing, athlete }))
}

async fn take(
    player: &Player,
    world: &World,
    made: &Made,
    (step, age): (Step, usize),
) -> Result<(), Failure> {
    let (_, college, _, agent, ..) = made.agreed;
    let which = json!({ "representation_id": made.representation });
    let athlete = &made.athlete.principal;
    let decision = |decision: &str, note: &str| json!({ "id": made.filing, "decision": decision, "note": note });
    let (name, who, input) = match step {
        Step::AgentNotice => ("core.agent.notice", &world.agent(agent)?.principal, which),
        Step::AthleteNotice => ("core.athlete.agent_notice", athlete, which),
        Step::Cancel => ("core.athlete.cancel_agent_contract", athlete, which),
        Step::End => ("core.athlete.end_representation", athlete, which),
        Step::Submit => {
            let input = completed(player, made, age);
            ("compliance.disclosure.update", &world.reviewer(college)?.principal, input)
        }
        Step::Acknowledge => {
            let input = decision("acknowledge", "Received and complete.");
            ("compliance.disclosure.update", &world.owner(college)?.principal, input)
        }
        Step::Terminate(note) => {
            let input = decision("terminate", note);
            ("compliance.disclosure.update", &world.owner(college)?.principal, input)
        }
        Step::Return(note) => {
            let input = decision("return", note);
            ("compliance.disclosure.update", &world.owner(college)?.principal, input)
        }
    };
    player.call(name, who, input).await?;
    Ok(())
}

/// What an officer adds to the draft that the platform has made: the contract's papers say it.
fn completed(player: &Player, made: &Made, age: usize) -> Value {
    let (.., agent, _, course) = made.agreed;
    let (.., form, address) = pick(&AGENCIES, agent).unwrap_or_default();
    let signed = player.platform.now() - TimeDelta::days(3) - TimeDelta::weeks(weeks(age));
    let day = utc_day(signed);
    // The answer to a question corrects the day.
    let days = if course == Course::Answered && age == 0 { 330 } else { 364 };
    let until = day.checked_add_days(Days::new(days)).unwrap_or(day);
    let from = day.checked_sub_days(Days::new(400)).unwrap_or(day);
    json!({
        "id": made.filing, "kind": "both",
        "agent": { "form": form, "addresses": [address] },
        "registration": { "from": from.to_string() },
        "contract": { "until": until.to_string() },
        "warning_notice_present": true,
        "acknowledgement_signed_at": seconds(signed),
        "submit": true
    })
}

fn weeks(number: usize) -> i64 {
    i64::try_from(number).unwrap_or_default()
}

pub(crate) fn seconds(at: nil_core::kernel::Time) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn first_name(person: &Person) -> &str {
    person.name.split(' ').next().unwrap_or_default()
}

/// The page of an agent on a professional network.
pub(crate) fn page(name: &str) -> String {
    format!("https://network.example/{}", slug(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_contracts_are_told_in_time_and_commission_begins_when_the_right_to_cancel_is_over() {
        let of = |wanted: &[Course]| {
            AGREED.iter().filter(|(.., course)| wanted.contains(course)).count()
        };
        assert!(of(&[Course::Acknowledged, Course::Answered]) > AGREED.len() / 2 - 2);
        assert!(of(&[Course::AthleteLate, Course::AgentLate]) <= 3);
        assert_eq!((clients(4, 0), clients(5, 0)), (vec![], vec![0]));
        // One agent after the other; the contract that was cancelled never counts.
        assert_eq!(clients(25, 0), [0, 1, 4, 6]);
        assert!(clients(29, 0).contains(&2) && !clients(48, 0).contains(&5));
        assert_eq!(clients(52, 2), [1]);
    }
}
