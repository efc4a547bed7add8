//! The whole content of a job: merged from the stored job and the input, and checked for everything
//! a contract will need.

use super::Activity;
use super::deadline::Deadline;
use super::job::{Eligibility, Exclusivity, Job, Milestone, UsageRights};
use super::job_input::{SaveJob, WantedMilestone, eligibility, tidy, usage_rights};
use super::words::{Compensation, JobKind, MediaKind, MediaPlatform, Visibility};
use crate::error::{Error, Result};
use crate::kernel::{Amount, BasisPoints, CategoryId, Cents, Date, LAST_ZONE, Time, day_in};
use crate::storage::{Compared, Stored};

/// The maximum of an amount, in cents.
const MOST: i64 = 1_000_000_000;

/// A milestone to be stored.
#[derive(Clone, Debug, PartialEq, Eq, Stored)]
#[stored(of = Milestone)]
pub(crate) struct MilestoneContent {
    pub(crate) title: String,
    pub(crate) activity: Activity,
    pub(crate) platform: MediaPlatform,
    pub(crate) media_kind: MediaKind,
    pub(crate) quantity: i64,
    pub(crate) due_on: Date,
    pub(crate) instructions: Option<String>,
    #[row(json)]
    pub(crate) hashtags: Vec<String>,
    pub(crate) disclosure_required: bool,
    pub(crate) amount_cents: Option<Cents>,
}

/// A job to be stored. From a stored job, which must have its milestones.
#[derive(Clone, Debug, PartialEq, Eq, Compared, Stored)]
#[stored(of = Job)]
pub(crate) struct Content {
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) category_id: CategoryId,
    pub(crate) kind: JobKind,
    pub(crate) compensation: Compensation,
    pub(crate) amount_cents: Cents,
    pub(crate) product_description: Option<String>,
    pub(crate) product_value_cents: Option<Cents>,
    pub(crate) commission_basis_points: Option<BasisPoints>,
    pub(crate) slots: i64,
    pub(crate) application_deadline: Option<Time>,
    pub(crate) starts_on: Option<Date>,
    pub(crate) ends_on: Option<Date>,
    #[row(json)]
    pub(crate) eligibility: Eligibility,
    #[row(json)]
    pub(crate) usage_rights: UsageRights,
    #[row(json(nullable))]
    pub(crate) exclusivity: Option<Exclusivity>,
    pub(crate) visibility: Visibility,
    pub(crate) business_purpose: String,
    #[row(each)]
    pub(crate) milestones: Vec<MilestoneContent>,
}

impl Content {
    /// A job of which nothing more is known.
    pub(crate) fn blank(category_id: CategoryId, compensation: Compensation) -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            category_id,
            kind: JobKind::OneTime,
            compensation,
            amount_cents: Cents::ZERO,
            product_description: None,
            product_value_cents: None,
            commission_basis_points: None,
            slots: 1,
            application_deadline: None,
            starts_on: None,
            ends_on: None,
            eligibility: Eligibility::default(),
            usage_rights: UsageRights::default(),
            exclusivity: None,
            visibility: Visibility::Public,
            business_purpose: String::new(),
            milestones: Vec::new(),
        }
    }

    /// A new job; 422 naming every required field that is missing.
    pub(super) fn new(input: &SaveJob) -> Result<Self> {
        let missing = [
            ("title", input.title.is_none()),
            ("description", input.description.is_none()),
            ("category_id", input.category_id.is_none()),
            ("compensation", input.compensation.is_none()),
            ("slots", input.slots.is_none()),
            ("business_purpose", input.business_purpose.is_none()),
            ("milestones", input.milestones.is_none()),
        ];
        let missing = missing.iter().filter(|(_, is)| *is);
        let problems: Vec<_> = missing.map(|(field, _)| problem(*field, "is required")).collect();
        refuse(problems)?;
        let (Some(category_id), Some(compensation)) = (input.category_id, input.compensation)
        else {
            return Err(Error::invalid("category_id", "is required"));
        };
        Ok(Self::blank(category_id, compensation).merged(input))
    }

    /// The content with the changes of the input; fields left out stay as they are.
    pub(super) fn merged(mut self, input: &SaveJob) -> Self {
        fn put<T>(into: &mut T, from: Option<T>) {
            if let Some(value) = from {
                *into = value;
            }
        }
        put(&mut self.title, input.title.as_deref().map(tidy));
        put(&mut self.description, input.description.as_deref().map(tidy));
        put(&mut self.category_id, input.category_id);
        put(&mut self.kind, input.kind);
        put(&mut self.compensation, input.compensation);
        put(&mut self.amount_cents, input.amount_cents);
        let product = input.product_description.as_deref().map(tidy);
        put(&mut self.product_description, product.map(Some));
        let value = input.product_value_cents.map(Amount::cents);
        put(&mut self.product_value_cents, value.map(Some));
        put(&mut self.commission_basis_points, input.commission_basis_points.map(Some));
        put(&mut self.slots, input.slots);
        let deadline = input.application_deadline.map(Deadline::at);
        put(&mut self.application_deadline, deadline.map(Some));
        put(&mut self.starts_on, input.starts_on.map(Some));
        put(&mut self.ends_on, input.ends_on.map(Some));
        put(&mut self.visibility, input.visibility);
        put(&mut self.business_purpose, input.business_purpose.as_deref().map(tidy));
        if let Some(wanted) = &input.eligibility {
            self.eligibility = eligibility(wanted);
        }
        if let Some(wanted) = &input.usage_rights {
            self.usage_rights = usage_rights(wanted);
        }
        if let Some(wanted) = &input.exclusivity {
            self.exclusivity =
                Some(Exclusivity { category_id: wanted.category_id, days: wanted.days });
        }
        if let Some(wanted) = &input.milestones {
            self.milestones = wanted.iter().map(MilestoneContent::wanted).collect();
        }
        self
    }

    /// 422 naming everything that prevents a complete contract.
    pub(super) fn check(&self, now: Time) -> Result<()> {
        let mut problems = Vec::new();
        self.check_pay(&mut problems);
        self.check_dates(now, &mut problems);
        self.check_rights(&mut problems);
        self.check_slots(&mut problems);
        self.check_deadline(now, &mut problems);
        self.check_last_day(&mut problems);
        if self.eligibility.min_followers.is_some_and(|least| least < 0) {
            problems.push(problem("eligibility.min_followers", "must not be negative"));
        }
        for (at, milestone) in self.milestones.iter().enumerate() {
            if !(1..=100).contains(&milestone.quantity) {
                let field = format!("milestones.{at}.quantity");
                problems.push(problem(field, "must be between 1 and 100"));
            }
        }
        refuse(problems)
    }

    /// 422 if the new number of places or deadline is invalid; all other fields are unchanged.
    pub(super) fn check_additions(&self, before: &Self, now: Time) -> Result<()> {
        let mut problems = Vec::new();
        self.check_slots(&mut problems);
        if self.application_deadline != before.application_deadline {
            self.check_deadline(now, &mut problems);
            self.check_last_day(&mut problems);
        }
        refuse(problems)
    }

    /// 422 if work cannot be moved to these days; everything else about it is unchanged.
    pub(super) fn check_moved(&self, before: &Self, now: Time) -> Result<()> {
        let mut problems = Vec::new();
        self.check_dates(now, &mut problems);
        self.check_last_day(&mut problems);
        refuse(problems)?;
        self.check_additions(before, now)
    }

    fn check_slots(&self, problems: &mut Vec<Problem>) {
        if !(1..=10_000).contains(&self.slots) {
            problems.push(problem("slots", "must be between 1 and 10000"));
        }
    }

    fn check_deadline(&self, now: Time, problems: &mut Vec<Problem>) {
        if self.application_deadline.is_some_and(|until| until <= now) {
            problems.push(problem("application_deadline", "must be in the future"));
        }
    }

    fn check_last_day(&self, problems: &mut Vec<Problem>) {
        let last = self.milestones.iter().map(|milestone| milestone.due_on).max();
        if let (Some(until), Some(last)) = (self.application_deadline, last)
            && day_in(until, LAST_ZONE) > last
        {
            let why = format!("must not be after the last due date ({last})");
            problems.push(problem("application_deadline", why));
        }
    }

    fn check_pay(&self, problems: &mut Vec<Problem>) {
        let (pay, cash) = (self.compensation, self.amount_cents);
        if !(0..=MOST).contains(&cash.get()) {
            problems.push(problem(
                "amount_cents",
                format!("must be from 0 to {MOST} cents ({})", Cents(MOST)),
            ));
        } else if pay.needs_cash() && !cash.is_positive() {
            let why = format!("is required if the compensation is {pay}");
            problems.push(problem("amount_cents", why));
        } else if cash.is_positive() && !pay.needs_cash() && !pay.is_share_of_sales() {
            let why = format!("must be left out if the compensation is {pay}; use mixed");
            problems.push(problem("amount_cents", why));
        }
        if (pay.needs_goods() || pay.is_share_of_sales()) && self.product_value_cents.is_none() {
            let why = format!("is required if the compensation is {pay}");
            problems.push(problem("product_value_cents", why));
        }
        if pay.needs_goods() && self.product_description.is_none() {
            let why = format!("is required if the compensation is {pay}");
            problems.push(problem("product_description", why));
        }
        let rate = self.commission_basis_points.map_or(0, BasisPoints::get);
        if pay.is_share_of_sales() && rate == 0 {
            let why = format!("is required if the compensation is {pay}");
            problems.push(problem("commission_basis_points", why));
        }
        let given: Vec<Cents> = self.milestones.iter().filter_map(|m| m.amount_cents).collect();
        if given.iter().any(|amount| !(0..=MOST).contains(&amount.get())) {
            problems.push(problem("milestones", "amounts must not be negative"));
        } else if !given.is_empty() && given.len() != self.milestones.len() {
            let why = "set an amount for every milestone or for none";
            problems.push(problem("milestones", why));
        } else if !given.is_empty() && given.iter().copied().sum::<Cents>() != cash {
            let why = "the milestones' amounts must add up to amount_cents";
            problems.push(problem("milestones", why));
        }
    }

    fn check_dates(&self, now: Time, problems: &mut Vec<Problem>) {
        let today = day_in(now, LAST_ZONE);
        if let (Some(first), Some(last)) = (self.starts_on, self.ends_on)
            && last < first
        {
            problems.push(problem("ends_on", "must not be before starts_on"));
        }
        for (at, due) in self.milestones.iter().map(|m| m.due_on).enumerate() {
            let field = || format!("milestones.{at}.due_on");
            if due < today {
                problems.push(problem(field(), "must not be in the past"));
            } else if self.starts_on.is_some_and(|first| due < first) {
                problems.push(problem(field(), "must not be before starts_on"));
            } else if self.ends_on.is_some_and(|last| due > last) {
                problems.push(problem(field(), "must not be after ends_on"));
            }
        }
    }

    fn check_rights(&self, problems: &mut Vec<Problem>) {
        let rights = &self.usage_rights;
        match rights.days {
            Some(_) if rights.perpetual => {
                problems.push(problem("usage_rights.days", "must be left out when perpetual"));
            }
            Some(days) if !(1..=3_650).contains(&days) => {
                problems.push(problem("usage_rights.days", "must be between 1 and 3650"));
            }
            _ => {}
        }
        if self.exclusivity.is_some_and(|e| !(1..=3_650).contains(&e.days)) {
            problems.push(problem("exclusivity.days", "must be between 1 and 3650"));
        }
    }
}

impl MilestoneContent {
    fn wanted(wanted: &WantedMilestone) -> Self {
        Self {
            title: tidy(&wanted.title),
            activity: wanted.activity.unwrap_or(Activity::SocialPost),
            platform: wanted.platform,
            media_kind: wanted.media_kind,
            quantity: wanted.quantity.unwrap_or(1),
            due_on: wanted.due_on,
            instructions: wanted.instructions.as_deref().map(tidy).filter(|t| !t.is_empty()),
            hashtags: wanted
                .hashtags
                .iter()
                .flat_map(|tags| tags.iter().map(|tag| tag.to_string()))
                .collect(),
            disclosure_required: wanted.disclosure_required.unwrap_or(true),
            amount_cents: wanted.amount_cents,
        }
    }
}

type Problem = (String, String);

fn problem(field: impl Into<String>, why: impl Into<String>) -> Problem {
    (field.into(), why.into())
}

fn refuse(problems: Vec<Problem>) -> Result<()> {
    let mut problems = problems.into_iter();
    let Some((field, why)) = problems.next() else {
        return Ok(());
    };
    Err(problems.fold(Error::invalid(field, why), |error, (field, why)| error.at(field, why)))
}
