//! The words that profiles and deals share: the state of an account, and what athletes are asked for by.

use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// The state of an account.
    UserStatus {
        /// Registering.
        Onboarding = "onboarding",
        /// In use.
        Active = "active",
        /// Barred by an operator.
        Suspended = "suspended",
        /// Closed; personal data erased, money records kept.
        Deactivated = "deactivated",
    }
}

vocabulary! {
    /// How far an athlete's studies are.
    ClassYear {
        /// First year.
        Freshman = "freshman",
        /// Second year.
        Sophomore = "sophomore",
        /// Third year.
        Junior = "junior",
        /// Fourth year.
        Senior = "senior",
        /// After a first degree.
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
