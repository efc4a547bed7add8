//! Operators change the site's basic settings, and the sender of its mails.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::auth::{Operator, Permission};
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AMOUNT_FORMAT, BasisPoints, Edit, Email, FeatureFlags, FeatureSwitches, Nothing, RATE_FORMAT,
    Revision, Text, Time,
};
use crate::notifications::outbox::{Message, Recipient};
use crate::notifications::{Event, operators_address};
use crate::operation::{Cx, Done, Revisable, Revised, Subject, Work, without};
use crate::storage::{FromRow, sql, update};

const BASIC: &str = "SELECT name, support_email, logo_url, favicon_url, fee_basis_points, \
    job_approval, feature_flags, subscription_refund_days, hold_payouts_for_tax_form, \
    least_amount_cents, contingent_pay, presume_associated, updated_at FROM site WHERE id = 1";
const SENDER: &str = "SELECT sender_name, sender_email FROM site WHERE id = 1";

vocabulary! {
    /// When pay that depends on sales counts for the clearinghouse.
    ContingentPay {
        /// On the day it is received.
        Received = "received",
        /// With its maximum on the day the contract is signed.
        Maximum = "maximum",
    }
}

/// Changes to the site. Omitted fields keep their values.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SaveBasic {
    /// The site's name, as mails and documents show it.
    pub name: Option<Text<1, 80>>,
    /// The address for support, as mails and documents show it.
    pub support_email: Option<Email>,
    /// The platform's fee where no brand, plan or job has its own. Contracts keep the fee that they
    /// were made with. Only operators with the permission `finance` change it.
    pub fee_basis_points: Option<BasisPoints>,
    /// Whether operators review jobs before they open. Jobs that wait for a review still need one.
    pub job_approval: Option<bool>,
    /// The features to switch on or off. What began while a feature was on can be finished when it
    /// is off.
    pub feature_flags: Option<FeatureSwitches>,
    /// For how many days after its charge an invoice of a subscription can be refunded in full.
    /// Only operators with the permission `finance` change it.
    #[schemars(range(min = 0, max = 366))]
    pub subscription_refund_days: Option<i64>,
    /// Whether payouts wait for a tax form once a year's earnings come to the amount that payers
    /// must report. Only operators with the permission `finance` change it.
    pub hold_payouts_for_tax_form: Option<bool>,
    /// The least cash that a job may pay, in cents: a smaller amount was meant in dollars. 0 or 1
    /// for no limit. Jobs that are public keep what they pay.
    #[schemars(range(min = 0, max = 100_000))]
    #[schemars(extend("format" = AMOUNT_FORMAT))]
    pub least_amount_cents: Option<i64>,
    /// Whether a share of sales counts for the clearinghouse when it is received, or with its
    /// maximum when the contract is signed. After a change the worker adds such deals up again.
    pub contingent_pay: Option<ContingentPay>,
    /// Whether a brand that does not attest in time counts as associated with the institution.
    pub presume_associated: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if the settings have another one.
    pub revision: Option<Revision>,
}

/// The site's basic settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct BasicSettings {
    /// The site's name.
    pub name: String,
    /// The address for support.
    pub support_email: String,
    /// The address of its logo; null if there is none.
    pub logo_url: Option<String>,
    /// The address of its icon in browsers; null if there is none.
    pub favicon_url: Option<String>,
    /// The platform's fee where nothing else is agreed.
    #[schemars(extend("format" = RATE_FORMAT))]
    pub fee_basis_points: i64,
    /// Whether operators review jobs before they open.
    pub job_approval: bool,
    /// Which features are on.
    #[row(json)]
    pub feature_flags: FeatureFlags,
    /// For how many days after its charge an invoice of a subscription can be refunded in full.
    pub subscription_refund_days: i64,
    /// Whether payouts wait for a tax form once a year's earnings come to the amount that payers
    /// must report.
    pub hold_payouts_for_tax_form: bool,
    /// The least cash that a job may pay, in cents.
    #[schemars(extend("format" = AMOUNT_FORMAT))]
    pub least_amount_cents: i64,
    /// Whether a share of sales counts for the clearinghouse when it is received, or with its
    /// maximum when the contract is signed.
    pub contingent_pay: ContingentPay,
    /// Whether a brand that does not attest in time counts as associated with the institution.
    pub presume_associated: bool,
    /// When the site's settings were last changed.
    pub updated_at: Time,
}

/// The site's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SiteSettings {
    /// The basic settings.
    #[serde(flatten)]
    pub basic: Revised<BasicSettings>,
    /// The sender of mails.
    pub email_sender: Revised<MailSender>,
}

/// The row of both.
const SITE: Subject = Subject { kind: "site", id: 1 };

impl Revisable for BasicSettings {
    fn content(&self) -> Value {
        // The sender of mails changes it too.
        without(json!(self), &["updated_at"])
    }
}

impl Revisable for MailSender {
    fn content(&self) -> Value {
        json!(self)
    }
}

/// Returns the site's basic settings and the sender of its mails.
pub async fn show(cx: Cx<Operator>, _: Nothing) -> Result<SiteSettings> {
    let mut session = cx.read().await?;
    let basic: BasicSettings = session.one(sql(BASIC)).await?;
    let sender: MailSender = session.one(sql(SENDER)).await?;
    Ok(SiteSettings { basic: basic.into(), email_sender: sender.into() })
}

/// Changes the site's basic settings. 403 for fees, refunds and payouts without the permission
/// `finance`, 409 `state_changed` if somebody else has changed them meanwhile.
pub async fn save_basic(
    cx: Cx<Operator>,
    input: SaveBasic,
) -> Result<Done<Revised<BasicSettings>>> {
    if input.fee_basis_points.is_some()
        || input.subscription_refund_days.is_some()
        || input.hold_payouts_for_tax_form.is_some()
    {
        let why = "Only operators with the permission `finance` change fees, refunds and payouts.";
        cx.caller.require(Permission::Finance, why)?;
    }
    if input.subscription_refund_days.is_some_and(|days| !(0..=366).contains(&days)) {
        return Err(Error::invalid("subscription_refund_days", "must be from 0 to 366 days"));
    }
    if input.least_amount_cents.is_some_and(|cents| !(0..=100_000).contains(&cents)) {
        let why = "must be from 0 to 100000 cents ($1,000.00)";
        return Err(Error::invalid("least_amount_cents", why));
    }
    let mut work = cx.begin().await?;
    let before = held(&mut work).await?;
    work.as_seen(SITE, &before, input.revision.as_ref()).await?;
    let row = update("site")
        .set("updated_at", cx.now())
        .given("name", input.name.as_deref())
        .given("support_email", input.support_email.clone())
        .given("fee_basis_points", input.fee_basis_points.map(BasisPoints::get))
        .given("job_approval", input.job_approval)
        .given("feature_flags", switched(&before, input.feature_flags))
        .given("subscription_refund_days", input.subscription_refund_days)
        .given("hold_payouts_for_tax_form", input.hold_payouts_for_tax_form)
        .given("least_amount_cents", input.least_amount_cents)
        .given("contingent_pay", input.contingent_pay)
        .given("presume_associated", input.presume_associated)
        .when("id", 1_i64);
    work.change(row).await?;
    let after = held(&mut work).await?;
    work.note_change(SITE, "changed", json!(before), json!(after));
    let done = work.done(after.into()).await?;
    // This server follows at once, the others within two seconds.
    cx.platform().switches().forget();
    Ok(done)
}

/// The state of all features after some were switched; none if none are.
fn switched(before: &BasicSettings, switches: Option<FeatureSwitches>) -> Option<Value> {
    switches.map(|switches| json!(before.feature_flags.with(switches)))
}

/// The sender of mails to set. Omitted fields keep their values; null returns to the configured
/// sender.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveSender {
    /// The sender's name.
    #[serde(default)]
    #[schemars(extend("examples" = ["Northfield deals"]))]
    pub name: Edit<Text<1, 80>>,
    /// The sender's address. The mail server must be allowed to send for its domain.
    #[serde(default)]
    #[schemars(extend("examples" = ["deals@northfield.example"]))]
    pub email: Edit<Email>,
    /// The revision that the caller has seen; 409 `state_changed` if the sender has another one.
    pub revision: Option<Revision>,
}

/// The sender of mails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct MailSender {
    /// The sender's name; null if there is none.
    #[row(rename = "sender_name")]
    pub name: Option<String>,
    /// The sender's address; null for the configured sender.
    #[row(rename = "sender_email")]
    pub email: Option<String>,
}

/// Changes the sender of mails, and sends the caller a mail from the new one. 422 for a name
/// without an address, and for a name that would be read as a part of one; 409 `state_changed` if
/// somebody else has changed it meanwhile.
pub async fn save_sender(cx: Cx<Operator>, input: SaveSender) -> Result<Done<Revised<MailSender>>> {
    if let Edit::Set(name) = &input.name
        && name.contains(|letter: char| letter.is_control() || "<>\"".contains(letter))
    {
        return Err(Error::invalid("name", "must not contain < > or quotation marks"));
    }
    let mut work = cx.begin().await?;
    let before = sender(&mut work).await?;
    work.as_seen(SITE, &before, input.revision.as_ref()).await?;
    let row = update("site")
        .set("updated_at", cx.now())
        .given("sender_name", input.name.change().map(|name| name.as_deref().map(str::to_owned)))
        .given("sender_email", input.email.change())
        .when("id", 1_i64);
    work.change(row).await?;
    let after = sender(&mut work).await?;
    if after.name.is_some() && after.email.is_none() {
        return Err(Error::invalid("email", "is required with a name"));
    }
    work.note_change(SITE, "sender_changed", json!(before), json!(after));
    let own = operators_address(&mut work, cx.caller.id).await?;
    let shown = after.email.clone().unwrap_or_else(|| "the configured sender".to_owned());
    work.send(Message::new(Event::SenderTested, Recipient::Email(own)).with("sender", shown));
    work.done(after.into()).await
}

/// The sender, locked until the transaction ends.
async fn sender(work: &mut Work) -> Result<MailSender> {
    work.one(sql(SENDER).locking("FOR UPDATE")).await
}

/// The settings, locked until the transaction ends.
pub(super) async fn held(work: &mut Work) -> Result<BasicSettings> {
    work.one(sql(BASIC).locking("FOR UPDATE")).await
}
