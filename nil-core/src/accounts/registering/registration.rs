//! Registration steps: the order for each kind of user, and which are missing.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::UserKind;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{PersonName, Secret, UserId};

vocabulary! {
    /// A registration step, named as in its path. What a step asks for depends on the kind of user.
    Step {
        /// The start.
        Register = "register",
        /// E-mail and password.
        Step2 = "step2",
        /// Company, agency or name.
        Step3 = "step3",
        /// Team, category, network profile or college.
        Step4 = "step4",
        /// Personal data.
        Step5 = "step5",
        /// An agent's code.
        Step7 = "step7",
        /// An athlete's code.
        Step8 = "step8",
        /// A brand's code.
        Step10 = "step10",
    }
}

impl Step {
    /// The steps for a kind of user, in order; the last one finishes the registration.
    #[must_use]
    pub const fn of(kind: UserKind) -> &'static [Self] {
        match kind {
            UserKind::Athlete => {
                &[Self::Register, Self::Step2, Self::Step4, Self::Step5, Self::Step8]
            }
            UserKind::Partner => {
                &[Self::Register, Self::Step2, Self::Step3, Self::Step4, Self::Step10]
            }
            UserKind::Agent => {
                &[Self::Register, Self::Step2, Self::Step3, Self::Step4, Self::Step7]
            }
            UserKind::Fan => &[Self::Register, Self::Step2, Self::Step3, Self::Step4],
        }
    }

    /// The step that finishes the registration of a kind of user.
    #[must_use]
    pub const fn last(kind: UserKind) -> Self {
        match kind {
            UserKind::Athlete => Self::Step8,
            UserKind::Partner => Self::Step10,
            UserKind::Agent => Self::Step7,
            UserKind::Fan => Self::Step4,
        }
    }

    /// Whether this step sends the one-time code to a user of this kind. Fans get a link later.
    #[must_use]
    pub const fn sends_code(self, kind: UserKind) -> bool {
        matches!(
            (kind, self),
            (UserKind::Athlete, Self::Step5) | (UserKind::Partner | UserKind::Agent, Self::Step4)
        )
    }
}

/// The result of a step.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Progress {
    /// The id of the account being made.
    pub id: UserId,
    /// The token for the next steps; valid for 24 hours from the first step.
    pub registration_token: Secret,
    /// The steps done so far.
    pub completed_steps: Vec<Step>,
    /// What is missing: steps by name, and `first_name`, `last_name`, `phone`.
    pub missing_steps: Vec<String>,
}

/// Whether the fields that can come with any step are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub first_name: bool,
    pub last_name: bool,
    pub phone: bool,
}

/// What is missing, in the order in which it is requested.
pub(crate) fn missing(kind: UserKind, done: &[Step], known: Known) -> Vec<String> {
    let mut missing = Vec::new();
    if kind != UserKind::Fan {
        for (name, there) in [
            ("first_name", known.first_name),
            ("last_name", known.last_name),
            ("phone", known.phone),
        ] {
            if !there {
                missing.push(name.to_owned());
            }
        }
    }
    let steps = Step::of(kind).iter().filter(|step| !done.contains(step));
    missing.extend(steps.map(ToString::to_string));
    missing
}

/// A first or last name.
pub(crate) type Name = PersonName<80>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_ends_with_its_last_step() {
        for kind in UserKind::ALL {
            assert_eq!(Step::of(*kind).last(), Some(&Step::last(*kind)));
        }
    }

    #[test]
    fn what_is_missing_is_named_in_order() {
        let known = Known { first_name: true, last_name: true, phone: false };
        let done = [Step::Register, Step::Step4];
        assert_eq!(missing(UserKind::Athlete, &done, known), ["phone", "step2", "step5", "step8"]);
        assert_eq!(missing(UserKind::Fan, &done, known), ["step2", "step3"]);
    }
}
