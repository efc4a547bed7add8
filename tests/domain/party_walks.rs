//! Walks over what people and operators do outside of deals: agents and athletes, orders of
//! services, announcements, suspended accounts and portal users. Every row follows its state
//! machine, and what stands beside it is right.

use chrono::TimeDelta;
use nil_core::accounts::{PortalUserStatus, UserStatus};
use nil_core::agents::RepresentationStatus;
use nil_core::announcements::AnnouncementStatus;
use nil_core::auth::{Permission, Principal};
use nil_core::orders::OrderStatus;
use nil_core::worker;
use nil_tests::walking::{Length, Took, Walk, Watched, enough, newest, walk};
use nil_tests::{Engine, Person, World, both};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// What somebody does. Numbers name one of two agents or athletes, or how many records before the
/// newest one.
#[derive(Clone, Debug)]
enum Step {
    Invite { agent: usize, who: usize },
    Respond { who: usize, back: usize, accept: bool },
    Leave { who: usize, back: usize },
    Part { agent: usize, back: usize },
    Order { who: usize },
    Answer { who: usize, back: usize, with: &'static str },
    Judge { back: usize, with: &'static str },
    Announce { starts: Option<i64>, ends: Option<i64> },
    Move { back: usize, starts: Option<i64> },
    Recall { back: usize },
    Account { who: usize, status: &'static str },
    Register,
    Admit { back: usize, status: &'static str },
    Pass { hours: i64 },
}

struct Parties {
    world: World,
    agents: Vec<Person>,
    athletes: Vec<Person>,
    offers: Vec<Value>,
    brand: Person,
    owner: Principal,
    college: i64,
    registered: usize,
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Parties::WATCHED;

impl Walk for Parties {
    type Step = Step;

    const WATCHED: &'static [Watched] = &[
        Watched::by::<RepresentationStatus>(
            "representation",
            "SELECT id, status FROM representation",
        ),
        Watched::by::<OrderStatus>("order", "SELECT id, status FROM service_order"),
        Watched::by::<AnnouncementStatus>("announcement", "SELECT id, status FROM announcement"),
        Watched::by::<UserStatus>("user", "SELECT id, status FROM app_user"),
        Watched::by::<PortalUserStatus>("portal user", "SELECT id, status FROM portal_user"),
    ];

    const NEVER: &'static [(&'static str, &'static str)] = &[
        (
            "an athlete has one agent at most",
            "SELECT athlete_id FROM representation WHERE status = 'active' AND athlete_id IS NOT NULL \
             GROUP BY athlete_id HAVING COUNT(*) > 1",
        ),
        (
            "an agent has one invitation of an athlete open at most",
            "SELECT MAX(id) FROM representation WHERE status = 'invited' AND athlete_id IS NOT NULL \
             GROUP BY agent_id, athlete_id HAVING COUNT(*) > 1",
        ),
        (
            "what has ended says when",
            "SELECT id FROM representation WHERE (status = 'ended') <> (ended_at IS NOT NULL)",
        ),
        (
            "an accepted order has a contract, and no other one",
            "SELECT id FROM service_order WHERE (status IN ('accepted', 'delivered', 'completed') \
             AND contract_id IS NULL) \
             OR (status IN ('ordered', 'declined', 'expired') AND contract_id IS NOT NULL)",
        ),
        (
            "a contract of an order ends with it",
            "SELECT o.id FROM service_order o JOIN contract c ON c.id = o.contract_id \
             WHERE o.status = 'cancelled' AND c.status NOT IN ('cancelled', 'expired')",
        ),
        (
            "a portal keeps an active owner",
            "SELECT c.id FROM college c WHERE EXISTS (SELECT 1 FROM portal_user p \
             WHERE p.college_id = c.id) AND NOT EXISTS (SELECT 1 FROM portal_user p \
             WHERE p.college_id = c.id AND p.status = 'active' AND p.role = 'owner')",
        ),
        (
            "who is suspended or disabled has no session",
            "SELECT u.id FROM app_user u JOIN session s ON s.audience = 'core' AND s.subject_id = u.id \
             WHERE u.status IN ('suspended', 'deactivated')",
        ),
    ];

    fn steps() -> BoxedStrategy<Step> {
        let two = || 0..2_usize;
        let back = || 0..3_usize;
        let hours = || prop::option::of(-2..30_i64);
        let side = select(&["accept", "accept", "decline", "deliver", "deliver"][..]);
        let judge = select(&["cancel", "return", "complete"][..]);
        let account = select(&["suspended", "active", "active"][..]);
        let portal = select(&["active", "active", "disabled"][..]);
        prop_oneof![
            4 => (two(), two()).prop_map(|(agent, who)| Step::Invite { agent, who }),
            4 => (two(), back(), any::<bool>())
                .prop_map(|(who, back, accept)| Step::Respond { who, back, accept }),
            3 => (two(), back()).prop_map(|(who, back)| Step::Leave { who, back }),
            3 => (two(), back()).prop_map(|(agent, back)| Step::Part { agent, back }),
            3 => two().prop_map(|who| Step::Order { who }),
            6 => (two(), two(), side).prop_map(|(who, back, with)| Step::Answer { who, back, with }),
            3 => (two(), judge).prop_map(|(back, with)| Step::Judge { back, with }),
            2 => (hours(), hours()).prop_map(|(starts, ends)| Step::Announce { starts, ends }),
            2 => (back(), hours()).prop_map(|(back, starts)| Step::Move { back, starts }),
            1 => back().prop_map(|back| Step::Recall { back }),
            2 => (two(), account).prop_map(|(who, status)| Step::Account { who, status }),
            2 => Just(Step::Register),
            3 => (back(), portal).prop_map(|(back, status)| Step::Admit { back, status }),
            3 => (1..40_i64).prop_map(|hours| Step::Pass { hours }),
            // Invitations and orders expire.
            1 => (160..400_i64).prop_map(|hours| Step::Pass { hours }),
        ]
        .boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let world = World::on(engine).await;
        let college = world.college().await;
        let owner = world.portal_user(college, "owner").await.0;
        let brand = world.paying_partner("Ridge Outfitters").await;
        let (mut agents, mut athletes, mut offers) = (Vec::new(), Vec::new(), Vec::new());
        for (agent, athlete) in [("North Agency", "Zoe Okafor"), ("South Agency", "Ida Novak")] {
            agents.push(world.agent(agent).await);
            let athlete = world.athlete_of(athlete, college).await;
            offers.push(world.offer(&athlete, json!({})).await);
            athletes.push(athlete);
        }
        Self { world, agents, athletes, offers, brand, owner, college, registered: 0 }
    }

    fn world(&self) -> &World {
        &self.world
    }

    async fn take(&mut self, step: &Step) -> Took {
        let athlete = |who: usize| &self.athletes[who].principal;
        let (name, who, input) = match *step {
            Step::Invite { agent, who } => (
                "core.agent.invite_athlete",
                &self.agents[agent].principal,
                json!({ "athlete_id": self.athletes[who].id }),
            ),
            Step::Respond { who, back, accept } => (
                "core.athlete.respond_agent_invitation",
                athlete(who),
                json!({ "representation_id": newest(&self.world, "representation", back).await,
                    "accept": accept }),
            ),
            Step::Leave { who, back } => (
                "core.athlete.end_representation",
                athlete(who),
                json!({ "representation_id": newest(&self.world, "representation", back).await }),
            ),
            Step::Part { agent, back } => (
                "core.agent.end_representation",
                &self.agents[agent].principal,
                json!({ "representation_id": newest(&self.world, "representation", back).await }),
            ),
            Step::Order { who } => (
                "core.service_order.place",
                &self.brand.principal,
                json!({ "offer_id": self.offers[who]["id"] }),
            ),
            Step::Answer { who, back, with } => {
                let id = json!({ "id": newest(&self.world, "service_order", back).await });
                let name = match with {
                    "accept" => "core.service_order.accept",
                    "decline" => "core.service_order.decline",
                    _ => "core.service_order.deliver",
                };
                (name, athlete(who), id)
            }
            Step::Judge { back, with } => {
                let mut input = json!({ "id": newest(&self.world, "service_order", back).await });
                let name = match with {
                    "cancel" => "core.service_order.cancel",
                    "complete" => "core.service_order.complete",
                    _ => {
                        input["note"] = json!("Once more.");
                        "core.service_order.return"
                    }
                };
                (name, &self.brand.principal, input)
            }
            Step::Announce { starts, ends } => {
                let input = json!({ "title": "Moving", "body": "<p>We move.</p>",
                    "starts_at": self.hours(starts), "ends_at": self.hours(ends) });
                return self
                    .operator(Permission::Messaging, "admin.announcement.save", input)
                    .await;
            }
            Step::Move { back, starts } => {
                let input = json!({ "id": newest(&self.world, "announcement", back).await,
                    "starts_at": self.hours(starts) });
                return self
                    .operator(Permission::Messaging, "admin.announcement.save", input)
                    .await;
            }
            Step::Recall { back } => {
                let input = json!({ "id": newest(&self.world, "announcement", back).await, "withdraw": true });
                return self
                    .operator(Permission::Messaging, "admin.announcement.save", input)
                    .await;
            }
            Step::Account { who, status } => {
                let input = json!({ "id": self.athletes[who].id, "status": status });
                return self.operator(Permission::Accounts, "admin.athlete.save", input).await;
            }
            Step::Register => {
                self.registered += 1;
                let register = json!({
                    "email": format!("officer{}@lakeshore.example", self.registered),
                    "password": "an officer's passphrase", "name": "Ola Officer",
                    "college_id": self.college, "role": "officer",
                });
                self.world.register_officer(register).await;
                return Took::Passed;
            }
            Step::Admit { back, status } => {
                let input = json!({ "id": newest(&self.world, "portal_user", back).await, "status": status });
                ("compliance.portal_user.change", &self.owner, input)
            }
            Step::Pass { hours } => {
                self.world.pass(TimeDelta::hours(hours));
                worker::round(&self.world.platform).await.unwrap();
                return Took::Passed;
            }
        };
        Took::Call(self.world.call(name, who, input).await)
    }
}

impl Parties {
    async fn operator(&self, permission: Permission, name: &str, input: Value) -> Took {
        Took::Call(self.world.call(name, &self.world.operator(&[permission]), input).await)
    }

    fn hours(&self, hours: Option<i64>) -> Value {
        json!(hours.map(|hours| self.world.platform.now() + TimeDelta::hours(hours)))
    }
}

async fn whatever_the_parties_do_their_records_keep_their_laws(engine: Engine) {
    let met = walk::<Parties>(engine, Length { walks: 8, steps: 160 }).await;
    for (name, least) in
        [("representation", 5), ("order", 6), ("announcement", 5), ("user", 2), ("portal user", 3)]
    {
        enough(engine, &met, name, least);
    }
}
both!(whatever_the_parties_do_their_records_keep_their_laws);
