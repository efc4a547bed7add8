//! The first steps of new users.

use crate::kernel::vocabulary::vocabulary;

vocabulary! {
    /// A step of the tutorial.
    TutorialStep {
        /// Look around.
        TakeTour = "take_tour",
        /// Fill in one's own profile.
        CompleteProfile = "complete_profile",
        /// Add an account on a social network (athletes).
        AddSocialAccount = "add_social_account",
        /// Choose activities to do for brands (athletes).
        ChooseActivities = "choose_activities",
        /// State when and from where one enrolled at one's institution (athletes).
        StateEnrolment = "state_enrolment",
        /// Open a payout account (athletes and agents).
        SetUpPayouts = "set_up_payouts",
        /// Apply for a job (athletes).
        ApplyToFirstJob = "apply_to_first_job",
        /// Save a card (brands).
        SaveCard = "save_card",
        /// Post a job (brands).
        PostFirstJob = "post_first_job",
        /// Hire an athlete (brands).
        HireFirstAthlete = "hire_first_athlete",
        /// Accept the terms for agents (agents).
        AcceptTerms = "accept_terms",
        /// Invite an athlete (agents).
        InviteFirstAthlete = "invite_first_athlete",
        /// Follow an athlete (fans).
        FollowFirstAthlete = "follow_first_athlete",
    }
}
