//! Agents and their athletes for the suites, made through the real operations.

use serde_json::{Value, json};

use crate::people::Person;
use crate::world::{Answer, World};

impl World {
    /// The agent invites an athlete by e-mail, listed or not, for a share in basis points; returns
    /// the representation's id.
    pub async fn invite(&self, agent: &Person, athlete: &Person, share: i64) -> i64 {
        let invite = json!({ "email": athlete.email, "commission_basis_points": share });
        let invited = self.call("core.agent.invite_athlete", &agent.principal, invite).await.data();
        assert_eq!(invited["status"], "invited");
        invited["id"].as_i64().expect("an id")
    }

    /// The athlete answers an agent's invitation.
    pub async fn answer_agent(&self, athlete: &Person, id: i64, accept: bool) -> Answer {
        let answer = json!({ "representation_id": id, "accept": accept });
        let respond = "core.athlete.respond_agent_invitation";
        self.call(respond, &athlete.principal, answer).await
    }

    /// The agent invites, the athlete accepts; returns the representation's id.
    pub async fn represent(&self, agent: &Person, athlete: &Person, share: i64) -> i64 {
        let id = self.invite(agent, athlete, share).await;
        let active = self.answer_agent(athlete, id, true).await.data();
        assert_eq!(active["status"], "active");
        id
    }

    /// Whether the athlete has an agent.
    pub async fn is_represented(&self, athlete: &Person) -> bool {
        let active = json!({ "statuses": ["active"] });
        let list = "core.athlete.representations";
        let found = self.call(list, &athlete.principal, active).await.data();
        found != json!([])
    }

    /// The agent accepts the terms in force.
    pub async fn accept_terms(&self, agent: &Person) -> Value {
        let accept = json!({ "terms_version": 1 });
        let operation = "core.agent.accept_contract";
        self.call(operation, &agent.principal, accept).await.data()
    }
}
