//! Which member of a list a row is about.

use std::collections::HashMap;

use super::member::{Known, MemberFacts};
use crate::kernel::{SportId, fold};

/// The places of members by what names them.
#[derive(Debug, Default)]
pub(super) struct Index {
    students: HashMap<(SportId, String), usize>,
    emails: HashMap<(SportId, String), usize>,
    /// Those of the same name in a sport.
    names: HashMap<(SportId, String), Vec<usize>>,
}

impl Index {
    /// Of these members.
    pub(super) fn of<'m>(members: impl IntoIterator<Item = &'m MemberFacts>) -> Self {
        let mut index = Self::default();
        for (place, facts) in members.into_iter().enumerate() {
            let sport = facts.sport_id;
            if let Some(id) = &facts.student_id {
                index.students.entry((sport, id.clone())).or_insert(place);
            }
            if let Some(email) = &facts.email {
                index.emails.entry((sport, email.clone())).or_insert(place);
            }
            index.names.entry((sport, fold(&facts.name))).or_default().push(place);
        }
        index
    }

    /// The place of the member that a row is about: of the same sport, by the student id, else by
    /// the e-mail, else by the name. A name decides only if one member has it, and neither id nor
    /// e-mail speak against it.
    pub(super) fn find(&self, facts: &MemberFacts, members: &[Known]) -> Option<usize> {
        let sport = facts.sport_id;
        let named = |id: &Option<String>, by: &HashMap<(SportId, String), usize>| {
            by.get(&(sport, id.clone()?)).copied()
        };
        let by_id =
            named(&facts.student_id, &self.students).or_else(|| named(&facts.email, &self.emails));
        by_id.or_else(|| {
            let [place] = self.names.get(&(sport, fold(&facts.name)))?.as_slice() else {
                return None;
            };
            let known = &members.get(*place)?.facts;
            let differs = |one: &Option<String>, other: &Option<String>| {
                one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one != other)
            };
            let other = differs(&facts.student_id, &known.student_id)
                || differs(&facts.email, &known.email);
            (!other).then_some(*place)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SquadMemberId;

    fn facts(sport: i64, name: &str, student: Option<&str>, email: Option<&str>) -> MemberFacts {
        MemberFacts {
            sport_id: SportId::new(sport).unwrap(),
            name: name.into(),
            email: email.map(str::to_owned),
            student_id: student.map(str::to_owned),
            class_year: None,
            redshirt: false,
            position: None,
            jersey_number: None,
            height_cm: None,
            hometown_city: None,
            hometown_region: None,
            hometown_country: None,
            enrolled_on: None,
        }
    }

    #[test]
    fn a_row_is_about_the_member_with_its_id_its_mail_or_its_name() {
        let all = [
            facts(1, "Zoe Okafor", Some("1"), Some("zoe@a.example")),
            facts(1, "Sam Lee", None, None),
            facts(1, "Jo Kim", Some("3"), None),
            facts(1, "Jo Kim", Some("4"), None),
            facts(2, "Sam Lee", None, None),
        ];
        let known: Vec<Known> = all
            .iter()
            .zip(1..)
            .map(|(facts, id)| Known { id: SquadMemberId::new(id).unwrap(), facts: facts.clone() })
            .collect();
        let index = Index::of(&all);
        let found = |facts: MemberFacts| index.find(&facts, &known);
        assert_eq!(found(facts(1, "Zoë O.", Some("1"), None)), Some(0));
        assert_eq!(found(facts(1, "Zoë O.", None, Some("zoe@a.example"))), Some(0));
        assert_eq!(found(facts(1, "ZOË OKAFOR", None, None)), Some(0));
        // Another id, and so somebody else of the same name.
        assert_eq!(found(facts(1, "Zoe Okafor", Some("9"), None)), None);
        assert_eq!(found(facts(1, "Sam Lee", Some("2"), None)), Some(1));
        assert_eq!(found(facts(2, "Sam Lee", None, None)), Some(4));
        assert_eq!(found(facts(1, "Jo Kim", None, None)), None, "there are two");
        assert_eq!(found(facts(1, "Jo Kim", Some("4"), None)), Some(3));
    }
}
