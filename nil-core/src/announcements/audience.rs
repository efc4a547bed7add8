//! The audience of an announcement.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::MemberKind;
use crate::kernel::{CollegeId, SportId};

/// The audience of an announcement. Every list that is not empty must match; three empty lists mean
/// everyone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Audience {
    /// Users of one of these kinds.
    pub kinds: Vec<MemberKind>,
    /// Users of one of these universities: an athlete's or a fan's own, those a brand is associated
    /// with, a portal user's institution. Agents have none.
    pub university_ids: Vec<CollegeId>,
    /// Athletes of one of these sports; other users have none.
    pub sport_ids: Vec<SportId>,
}

/// The facts about a user that audiences need.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) kind: MemberKind,
    pub(super) universities: Vec<CollegeId>,
    pub(super) sport: Option<SportId>,
}

impl Audience {
    /// Whether it is everyone, with or without an account.
    #[must_use]
    pub fn is_everybody(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it includes users of this kind.
    pub(super) fn has_kind(&self, kind: MemberKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Whether a user belongs to it. The queries in `store` that find recipients must agree with
    /// this.
    pub(super) fn includes(&self, member: &Member) -> bool {
        let university = |id: &CollegeId| member.universities.contains(id);
        let sport = |id: &SportId| member.sport == Some(*id);
        self.has_kind(member.kind)
            && (self.university_ids.is_empty() || self.university_ids.iter().any(university))
            && (self.sport_ids.is_empty() || self.sport_ids.iter().any(sport))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_has_to_be_met() {
        let college = |id| CollegeId::new(id).unwrap();
        let sport = |id| SportId::new(id).unwrap();
        let athlete = Member {
            kind: MemberKind::Athlete,
            universities: vec![college(1)],
            sport: Some(sport(3)),
        };
        let agent = Member { kind: MemberKind::Agent, universities: Vec::new(), sport: None };
        let everybody = Audience::default();
        assert!(everybody.is_everybody());
        assert!(everybody.includes(&athlete) && everybody.includes(&agent));
        let mut some =
            Audience { university_ids: vec![college(2), college(1)], ..Audience::default() };
        assert!(some.includes(&athlete) && !some.includes(&agent));
        some.sport_ids = vec![sport(4)];
        assert!(!some.includes(&athlete));
        some.sport_ids.push(sport(3));
        assert!(some.includes(&athlete));
        some.kinds = vec![MemberKind::Fan];
        assert!(!some.includes(&athlete) && !some.is_everybody());
    }
}
