//! The reasons for keeping columns, and how long.

use super::Fate;

/// Why a column is kept, and for how long.
#[derive(Debug)]
pub struct Keeping {
    /// The reason.
    pub why: &'static str,
    /// The time.
    pub how_long: &'static str,
}

pub(super) const CONTRACT: Fate = Fate::Kept(&Keeping {
    why: "the other party's evidence of what was agreed and done; the legal name is part of the agreement",
    how_long: "not removed automatically; limitation and tax law ask for up to seven years",
});
pub(super) const MONEY: Fate = Fate::Kept(&Keeping {
    why: "books and tax records",
    how_long: "not removed automatically; tax law asks for seven years",
});
pub(super) const DISCLOSURE: Fate = Fate::Kept(&Keeping {
    why: "the institution's record of a disclosure and its clearance",
    how_long: "of a disclosed job: five years after it and the athlete's last deal are over, then removed by the worker; of a \
               contract: as long as the contract",
});
pub(super) const FILING: Fate = Fate::Kept(&Keeping {
    why: "the institution's record under the law on athlete agents",
    how_long: "five years after the contract ended or the filing was deleted, then removed by the worker",
});
pub(super) const FIGURES: Fate = Fate::Kept(&Keeping {
    why: "the institution's figures by sport and gender, which must not change afterwards",
    how_long: "as long as the payments and disclosed jobs they describe",
});
pub(super) const TRAIL: Fate = Fate::Kept(&Keeping {
    why: "shows who did what; it names fields rather than values, and a removed entry would break the chain",
    how_long: "as long as the audit trail",
});
pub(super) const OTHERS: Fate = Fate::Kept(&Keeping {
    why: "the correspondence of the other side, who may need it as evidence; the sender, and the name in notifications, is replaced",
    how_long: "until the other side has left as well; messages with the operators are erased at once",
});
pub(super) const COMPANY: Fate = Fate::Kept(&Keeping {
    why: "the name of a company: athletes and institutions keep records of who paid",
    how_long: "as long as the payments",
});
pub(super) const DEPARTURE: Fate = Fate::Kept(&Keeping {
    why: "shows that the account was closed, by whom and why",
    how_long: "not removed automatically",
});
pub(super) const STAFF: Fate = Fate::Kept(&Keeping {
    why: "people who act for an institution or for the platform, whose accounts are not closed this way",
    how_long: "as long as their account",
});
pub(super) const PASSING: Fate = Fate::Kept(&Keeping {
    why: "messages and answers under way to somebody else",
    how_long: "up to 30 days after it was delivered (see operating.md); rows of the person are erased at once",
});
pub(super) const MINUTES: Fate = Fate::Kept(&Keeping {
    why: "limits attempts and mails to an address",
    how_long: "up to a day (see operating.md)",
});
pub(super) const PUBLISHED: Fate = Fate::Kept(&Keeping {
    why: "texts that operators publish, or notes that staff write; they decide what is in them",
    how_long: "until they remove it",
});
