//! The clauses with the same wording in every contract.

use crate::contracts::clause::Clause;

/// The paragraphs of a clause that depends on no term; none for any other.
pub(super) fn paragraphs(clause: Clause) -> Vec<String> {
    let texts: &[&str] = match clause {
        Clause::NotAnInducement => &INDUCEMENT,
        Clause::NoInstitutionConflict => &CONFLICT,
        Clause::AdvertisingDisclosure => &ADVERTISING,
        Clause::AthleteApproval => &APPROVAL,
        Clause::Termination => &TERMINATION,
        Clause::Clearinghouse => &CLEARINGHOUSE,
        Clause::InstitutionDisclosure => &DISCLOSURE,
        Clause::IndependentContractor => &CONTRACTOR,
        Clause::ContentOwnership => &OWNERSHIP,
        Clause::Amendments => &AMENDMENTS,
        Clause::ElectronicSignatures => &SIGNATURES,
        _ => &[],
    };
    texts.iter().map(|text| (*text).to_owned()).collect()
}

const INDUCEMENT: [&str; 2] = [
    "This Agreement is not offered or accepted as an inducement to enroll at, remain at or transfer \
     to any institution. It does not depend on where the Athlete enrolls or plays.",
    "Nobody acting for the Institution or its athletics program has negotiated this Agreement \
     for the Brand or promised it to the Athlete. The Brand states that it was not asked to make \
     it by a coach or another member of the Institution’s staff.",
];

const CONFLICT: [&str; 2] = [
    "To the Athlete’s knowledge this Agreement does not conflict with a contract of the \
     Institution or of the Athlete’s team. No Deliverable is due, and no product need be worn or \
     shown, during practice, competition, team travel or another official team activity.",
    "If the Institution gives notice of a conflict, the parties adapt the affected Deliverable \
     within ten days. If they cannot, that Deliverable falls away without any breach, and what has \
     been approved by then is paid.",
];

const ADVERTISING: [&str; 3] = [
    "Each Deliverable that the schedule marks for disclosure states clearly and conspicuously that \
     it is advertising, as the Guides of the Federal Trade Commission on endorsements and \
     testimonials (16 C.F.R. Part 255) require. The words “#ad” or “Paid partnership with” the \
     Brand stand at the beginning of the caption, where they are seen without a further tap; in a \
     video they are also spoken or shown in the picture.",
    "A platform’s own label for paid partnerships is used in addition where there is one. The \
     disclosure stays in place as long as the post does.",
    "The Athlete gives only honest opinions and claims no experience with a product that the \
     Athlete has not had. The Brand answers for the truth of the product claims it supplies.",
];

const APPROVAL: [&str; 2] = [
    "The Brand does not publish, advertise with or alter a Deliverable or any other content that \
     shows the Licensed Attributes before the Athlete has approved that use. To submit a \
     Deliverable is to approve its use as this Agreement describes it; every other use needs a \
     separate approval in writing.",
    "The Athlete may withdraw an approval for a use that has become false, degrading or contrary to \
     the Institution’s rules. The Brand then ends that use within three business days.",
];

const TERMINATION: [&str; 4] = [
    "If a party breaches this Agreement, the other may give notice that describes the breach. If \
     the breach has not been cured within ten days after the notice, the other party may terminate \
     this Agreement with immediate effect.",
    "The parties may also agree to cancel this Agreement through the Marketplace. It lapses, and \
     nobody owes anything, if the Athlete does not confirm it in the time that the Marketplace \
     allows for that.",
    "Either party may terminate at once if the law, or a rule of the Institution or of the \
     association that governs the sport, forbids its performance.",
    "Deliverables approved before the end are paid and may be used as agreed. Where the Brand’s \
     breach ended this Agreement, its rights of use end too.",
];

const CLEARINGHOUSE: [&str; 3] = [
    "Where this Agreement has to be reported to the clearinghouse for agreements of \
     student-athletes, the Athlete reports it within the time allowed, and the Brand supplies \
     promptly and truthfully what is asked about its ownership, its ties to the Institution, its \
     business purpose and the range of compensation.",
    "If this Agreement is flagged, the parties work together in good faith to revise it. If it is \
     finally not cleared, it ends when the parties learn of it, and no further Deliverable is due.",
    "Work that was done before that end is paid for at the amounts of the schedule, so far as the \
     law permits. The Brand may then use that work no further.",
];

const DISCLOSURE: [&str; 2] = [
    "Both parties consent that this Agreement, its amendments and its payments are disclosed to \
     the Institution, to the clearinghouse and to authorities that are entitled to them by law, \
     through the Marketplace or otherwise. No duty of confidence stands in the way.",
    "The Athlete remains responsible for disclosures that the law or the Institution asks of the \
     Athlete in person.",
];

const CONTRACTOR: [&str; 2] = [
    "The Athlete acts as an independent contractor. This Agreement makes the Athlete an employee, \
     partner or agent neither of the Brand nor of the Institution or the Marketplace, and entitles \
     the Athlete to none of their benefits.",
    "The Athlete provides a correct tax form (Form W-9 or the applicable Form W-8) before the \
     first payout and is responsible for the taxes on the compensation, whether cash or not. \
     Information returns are filed as the law requires.",
];

const OWNERSHIP: [&str; 2] = [
    "The Athlete owns the content that the Athlete creates and the copyright in it; no Deliverable \
     is a work made for hire. The Brand owns its trademarks, its products and the materials it \
     supplies, and allows the Athlete to use them for the Deliverables.",
    "The Athlete warrants that the Deliverables do not infringe the rights of others. The Brand \
     gives the same warranty for the materials it supplies.",
];

const AMENDMENTS: [&str; 2] = [
    "These terms are the whole agreement of the parties on their subject. They were fixed when \
     the Brand signed and are not changed afterwards; in particular, later changes to a listing or \
     a profile on the Marketplace do not affect them.",
    "An extension or other change takes effect only as a numbered amendment that both parties \
     accept through the Marketplace. Neither party may assign this Agreement without the other’s \
     consent in writing.",
];

const SIGNATURES: [&str; 3] = [
    "The parties consent to conduct this transaction by electronic means. The Brand’s act of \
     hiring and the Athlete’s act of confirming on the Marketplace are their electronic signatures \
     and bind them as signatures by hand would.",
    "For each act of assent the Marketplace records who assented, when, from which network \
     address, and to which terms, identified by the SHA-256 digest printed on every page.",
    "Each party may keep, print and ask for a copy at any time, and may withdraw the consent to \
     electronic records for the future by notice. Withdrawal does not affect what was signed \
     before.",
];
