//! The usual reasons for which operators do not open a job.

use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// A usual reason for not opening a job.
    UsualReason {
        /// The work is unclear.
        UnclearWork = "unclear_work",
        /// The compensation is unclear.
        UnclearCompensation = "unclear_compensation",
        /// The compensation is out of proportion to the work.
        UnfairValue = "unfair_value",
        /// Posts are not to be disclosed as advertisements.
        NoDisclosure = "no_disclosure",
        /// The pay depends on enrollment or on results in the sport.
        PayForPlay = "pay_for_play",
        /// The category does not fit.
        WrongCategory = "wrong_category",
        /// It uses an institution's marks or facilities without permission.
        InstitutionalMarks = "institutional_marks",
        /// The rights to the content go too far.
        RightsTooBroad = "rights_too_broad",
        /// It leads athletes away from the platform.
        OutsideContact = "outside_contact",
    }
}

impl UsualReason {
    /// What the brand reads: what is wrong, and what to change.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::UnclearWork => "Say exactly what the athlete is to do, where and by when.",
            Self::UnclearCompensation => {
                "Say what the product or service is worth and how the athlete receives it."
            }
            Self::UnfairValue => {
                "The compensation is out of proportion to the work, which institutions and the clearinghouse question."
            }
            Self::NoDisclosure => {
                "Paid posts must be disclosed as advertisements; remove what asks athletes not to."
            }
            Self::PayForPlay => {
                "Pay cannot depend on enrollment, on staying at an institution, or on results in the sport."
            }
            Self::WrongCategory => {
                "The category does not fit what you promote; choose another one."
            }
            Self::InstitutionalMarks => {
                "Remove the institution's marks, uniforms and facilities, or attach its permission."
            }
            Self::RightsTooBroad => {
                "The rights to the content go further than the campaign needs; limit their time and use."
            }
            Self::OutsideContact => {
                "Remove contact details and requests to make the deal outside of the platform."
            }
        }
    }
}
