//! Vocabularies of profiles and deals: the status of an account, year of study, gender.

use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// The status of an account.
    UserStatus {
        /// Registering.
        Onboarding = "onboarding",
        /// In use.
        Active = "active",
        /// Suspended by an operator.
        Suspended = "suspended",
        /// Closed; personal data erased, money records kept.
        Deactivated = "deactivated",
    }
}

vocabulary! {
    /// An athlete's year of study.
    ClassYear {
        /// First year.
        Freshman = "freshman",
        /// Second year.
        Sophomore = "sophomore",
        /// Third year.
        Junior = "junior",
        /// Fourth year.
        Senior = "senior",
        /// Graduate student.
        Graduate = "graduate",
    }
}

vocabulary! {
    /// A gender, as brands may ask for it and institutions report it.
    Gender {
        /// Female.
        Female = "female",
        /// Male.
        Male = "male",
        /// Neither, or both.
        NonBinary = "non_binary",
    }
}
