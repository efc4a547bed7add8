//! Deals made off the platform, and the clearinghouse's decisions about these and the platform's
//! own contracts.
//!
//! An athlete discloses a deal (`disclosing`, with `content` and the checks of `packet`); an agent
//! can prepare a draft. `findings` holds it against the institution's rules. Officers review it
//! (`deciding`) and see why it is marked (`explaining`, [`AppliedRule`]); owners see what other
//! rules would have done (`previewing`). `due` computes both deadlines. `threshold` adds up an
//! athlete's deals with one group of payors (`payor`) and decides which must be submitted to the
//! clearinghouse (`reportable`); executed contracts enter it too, and payouts ask it whether they
//! are held. `downloading` serves the contract of a disclosed job or a `summary`, and packets
//! (`packet_document`).
//!
//! A deal that must be submitted to the clearinghouse has a packet ([`ClearancePacket`]), which
//! `prefilling` opens in the transaction that makes it due. The athlete, their agent and the
//! officers see it (`showing`), complete it and answer the questions of `association`; the athlete
//! submits it (`preparing`), after the checks of `packet`. Officers record the clearinghouse's
//! decisions (`clearing`). `telling` says who is told what, `reminding` reminds of both deadlines.
//! `purging` (worker) removes disclosed jobs five years after everything about them is over.
//!
//! Athletes state how they came to their institution (`enrolling`): the clocks of earlier deals
//! depend on it (`entrance`).
//!
//! The brand of a contract that has become due is asked whether it is associated with the
//! institution (`attesting`), reminded once, and shown with its answer in the packet.
//!
//! `weighing_again` (worker) adds deals up again after a change of the institution or of the site.
//!
//! Tables: `athlete_entry`, `athlete_to_weigh`, `disclosed_job`, `clearance`, `clearance_packet`,
//! `clearance_answer`, `clearance_step`, `payor_attestation`. State machines:
//! [`DisclosedJobStatus`], [`ClearanceStatus`].

mod applied_rule;
mod association;
mod attestation;
pub mod attesting;
pub mod browsing;
mod clearance;
mod clearance_packet;
pub mod clearing;
mod content;
mod contract_packet;
pub mod deciding;
mod disclosed_job;
pub mod disclosing;
pub mod downloading;
mod due;
pub mod enrolling;
mod entrance;
mod explaining;
mod exported_disclosure;
mod exporting;
mod findings;
mod packet;
mod packet_document;
mod packet_sources;
mod payor;
mod prefilling;
pub mod preparing;
pub mod previewing;
mod purging;
mod reminding;
mod reportable;
mod rule_effect;
pub mod sharing;
pub mod showing;
mod store;
mod summary;
mod telling;
pub(crate) mod threshold;
mod weighing_again;

pub use applied_rule::{AppliedRule, ReachedThreshold, SummedDeal};
pub use association::{AssociationFact, AssociationQuestion, GivenAnswer, GivenAnswers};
pub use attestation::{AskedOfPayor, AttestationRequest, PayorAttestation};
pub use clearance::{Clearance, ClearanceEvent, ClearanceStatus, ClearanceWord, Clearinghouse};
pub use clearance_packet::{
    ClearanceDetail, ClearancePacket, ClearanceStep, PacketPayer, PacketProblem,
};
pub use content::SaveDisclosedJob;
pub use disclosed_job::{
    Attestation, DisclosedJob, DisclosedJobDetail, DisclosedJobEvent, DisclosedJobNames,
    DisclosedJobStatus, ListForCollege, NamedDisclosedJob, PayerKind,
};
pub use entrance::{Enrolment, EntryKind, SetEnrolment};
pub use exported_disclosure::{ExportedDisclosure, ExportedDisclosures};
pub use purging::purge;
pub use reminding::{remind, remind_due_soon, remind_overdue};
pub use rule_effect::{
    ChangedDeal, DealTally, FlagEffect, RuleEffect, RuleVerdict, SettingsPreview,
};
pub use weighing_again::weigh_again;
