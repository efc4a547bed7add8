//! The content of a disclosure: the stored one merged with the input.

use schemars::JsonSchema;
use serde::Deserialize;

use super::disclosed_job::{Attestation, DisclosedJob, PayerKind};
use crate::error::{Error, Result};
use crate::jobs::Compensation;
use crate::kernel::{
    Amount, AthleteId, CategoryId, Cents, Date, DisclosedJobId, FileId, Many, Text, Title,
};

/// A deal made off the platform, to disclose (without `id`) or to change; fields left out of a
/// change stay as they are.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SaveDisclosedJob {
    /// The disclosed job to change; leave out to disclose a new one.
    pub id: Option<DisclosedJobId>,
    /// The athlete; required of agents, who can prepare drafts for the athletes they represent.
    pub athlete_id: Option<AthleteId>,
    /// The payer (required for a new one).
    pub payer_name: Option<Text<1, 200>>,
    /// The company that owns the payer; amounts are added up over a group of companies.
    pub payer_parent: Option<Text<1, 200>>,
    /// The kind of payer (required for a new one).
    pub payer_kind: Option<PayerKind>,
    /// The deal's title (required for a new one).
    pub title: Option<Title<200>>,
    /// Its category of jobs (required for a new one).
    pub category_id: Option<CategoryId>,
    /// Its total value: cash, benefits and the maximum of contingent pay (required for a new one).
    pub amount_cents: Option<Amount>,
    /// The part of it in goods or services, at fair value (default 0; all of it for `product` and
    /// `service`).
    pub benefits_cents: Option<Cents>,
    /// The contingent part of it, at its maximum (default 0; all of it for `royalty` and
    /// `commission`).
    pub contingent_cents: Option<Cents>,
    /// The kind of compensation (required for a new one).
    pub compensation: Option<Compensation>,
    /// The day of signing or agreement (required for a new one).
    pub signed_on: Option<Date>,
    /// The first day.
    pub starts_on: Option<Date>,
    /// The last day.
    pub ends_on: Option<Date>,
    /// The work done for it (required for a new one).
    pub description: Option<Text<1, 10000>>,
    /// Whether the payer is associated with the institution: exists mainly to support it, is its
    /// owner, officer, agent or large donor, or acts at the request of staff (default false).
    pub associated_entity: Option<bool>,
    /// Whether the institution's marks or facilities are used (default false).
    pub uses_marks: Option<bool>,
    /// The athlete's attestations; all are required to submit it.
    pub attestations: Option<Many<Attestation, 0, 4>>,
    /// Documents of the deal; new files must be the caller's own.
    pub documents: Option<Many<FileId, 0, 20>>,
    /// Whether it stays a draft, which the institution does not see (default false; always true for
    /// agents).
    pub draft: Option<bool>,
}

/// The content of a disclosure to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) payer_name: String,
    pub(super) payer_parent: Option<String>,
    pub(super) payer_kind: PayerKind,
    pub(super) title: String,
    pub(super) category_id: CategoryId,
    pub(super) amount_cents: Cents,
    pub(super) benefits_cents: Cents,
    pub(super) contingent_cents: Cents,
    pub(super) compensation: Compensation,
    pub(super) signed_on: Date,
    pub(super) starts_on: Option<Date>,
    pub(super) ends_on: Option<Date>,
    pub(super) description: String,
    pub(super) associated_entity: bool,
    pub(super) uses_marks: bool,
    pub(super) attestations: Vec<Attestation>,
}

impl Content {
    /// A new disclosure; 422 naming every required field that is missing.
    pub(super) fn new(input: &SaveDisclosedJob) -> Result<Self> {
        let (
            Some(payer_name),
            Some(payer_kind),
            Some(title),
            Some(category_id),
            Some(amount),
            Some(compensation),
            Some(signed_on),
            Some(description),
        ) = (
            input.payer_name.as_deref(),
            input.payer_kind,
            input.title.as_deref(),
            input.category_id,
            input.amount_cents,
            input.compensation,
            input.signed_on,
            input.description.as_deref(),
        )
        else {
            return Err(missing(input));
        };
        let amount = amount.cents();
        let all_if = |yes: bool| if yes { amount } else { Cents::ZERO };
        let in_kind = matches!(compensation, Compensation::Product | Compensation::Service);
        let blank = Self {
            payer_name: payer_name.to_owned(),
            payer_parent: None,
            payer_kind,
            title: title.to_owned(),
            category_id,
            amount_cents: amount,
            benefits_cents: all_if(in_kind),
            contingent_cents: all_if(compensation.is_share_of_sales()),
            compensation,
            signed_on,
            starts_on: None,
            ends_on: None,
            description: description.to_owned(),
            associated_entity: false,
            uses_marks: false,
            attestations: Vec::new(),
        };
        Ok(blank.merged(input))
    }

    /// The content of a stored disclosure.
    pub(super) fn of(job: &DisclosedJob) -> Self {
        Self {
            payer_name: job.payer_name.clone(),
            payer_parent: job.payer_parent.clone(),
            payer_kind: job.payer_kind,
            title: job.title.clone(),
            category_id: job.category_id,
            amount_cents: job.amount_cents,
            benefits_cents: job.benefits_cents,
            contingent_cents: job.contingent_cents,
            compensation: job.compensation,
            signed_on: job.signed_on,
            starts_on: job.starts_on,
            ends_on: job.ends_on,
            description: job.description.clone(),
            associated_entity: job.associated_entity,
            uses_marks: job.uses_marks,
            attestations: job.attestations.clone(),
        }
    }

    /// The content with the changes of the input.
    pub(super) fn merged(mut self, input: &SaveDisclosedJob) -> Self {
        let tidy = |text: &str| text.trim().to_owned();
        if let Some(name) = &input.payer_name {
            self.payer_name = tidy(name);
        }
        if let Some(parent) = &input.payer_parent {
            self.payer_parent = Some(tidy(parent));
        }
        if let Some(title) = &input.title {
            self.title = tidy(title);
        }
        if let Some(description) = &input.description {
            self.description = tidy(description);
        }
        if let Some(attestations) = &input.attestations {
            let mut given = attestations.to_vec();
            given.sort_unstable();
            given.dedup();
            self.attestations = given;
        }
        self.payer_kind = input.payer_kind.unwrap_or(self.payer_kind);
        self.category_id = input.category_id.unwrap_or(self.category_id);
        self.amount_cents = input.amount_cents.map_or(self.amount_cents, Amount::cents);
        self.benefits_cents = input.benefits_cents.unwrap_or(self.benefits_cents);
        self.contingent_cents = input.contingent_cents.unwrap_or(self.contingent_cents);
        self.compensation = input.compensation.unwrap_or(self.compensation);
        self.signed_on = input.signed_on.unwrap_or(self.signed_on);
        self.starts_on = input.starts_on.or(self.starts_on);
        self.ends_on = input.ends_on.or(self.ends_on);
        self.associated_entity = input.associated_entity.unwrap_or(self.associated_entity);
        self.uses_marks = input.uses_marks.unwrap_or(self.uses_marks);
        self
    }

    /// The checks that apply even to drafts: 422 by field. `today` is the day at the athlete's
    /// institution.
    pub(super) fn check(&self, today: Date) -> Result<()> {
        for (field, part) in
            [("benefits_cents", self.benefits_cents), ("contingent_cents", self.contingent_cents)]
        {
            if part.get() < 0 || part.get() > 1_000_000_000 {
                return Err(Error::invalid(field, "must be between 0 and 1000000000 cents"));
            }
        }
        let years = |count: i64| chrono::TimeDelta::days(366 * count);
        if self.signed_on < today - years(15) || self.signed_on > today + years(1) {
            let message = "must be within the last fifteen years or the next year";
            return Err(Error::invalid("signed_on", message));
        }
        Ok(())
    }

    /// The name used for adding up amounts.
    pub(super) fn payor(&self) -> &str {
        self.payer_parent.as_deref().unwrap_or(&self.payer_name)
    }
}

fn missing(input: &SaveDisclosedJob) -> Error {
    let given = [
        ("payer_name", input.payer_name.is_some()),
        ("payer_kind", input.payer_kind.is_some()),
        ("title", input.title.is_some()),
        ("category_id", input.category_id.is_some()),
        ("amount_cents", input.amount_cents.is_some()),
        ("compensation", input.compensation.is_some()),
        ("signed_on", input.signed_on.is_some()),
        ("description", input.description.is_some()),
    ];
    let missing = given.into_iter().filter(|(_, given)| !given);
    Error::invalid_fields(missing.map(|(field, _)| (field, "is required")))
}
