//! The site's configuration for clients.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::auth::Anyone;
use crate::error::{Result, codes};
use crate::kernel::{FeatureFlags, RATE_FORMAT, Time};
use crate::operation::Cx;
use crate::storage::{FromRow, Session, sql};

const SPORTS: &str = "SELECT id, name, slug FROM sport WHERE active ORDER BY position, id";
const JOB_CATEGORIES: &str =
    "SELECT id, name, slug FROM job_category WHERE active ORDER BY position, id";
const BUSINESS_CATEGORIES: &str =
    "SELECT id, name, slug FROM business_category WHERE active ORDER BY position, id";

/// An empty input.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub struct ViewSite {}

/// An option in a form.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct FormChoice {
    /// The option's id.
    pub id: i64,
    /// The option's name.
    pub name: String,
    /// The name in URLs and rules.
    pub slug: String,
}

/// The site's configuration, as clients see it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SiteConfig {
    /// The site's name.
    pub name: String,
    /// Its logo.
    pub logo_url: Option<String>,
    /// Its icon in browsers.
    pub favicon_url: Option<String>,
    /// The address for support.
    pub support_email: String,
    /// Which features are on, by name. What began while a feature was on can be finished when it is
    /// off.
    pub feature_flags: FeatureFlags,
    /// The version in force of each legal document, by its kind.
    pub legal_versions: BTreeMap<String, i64>,
    /// The currency of all amounts.
    pub currency: &'static str,
    /// The platform's default fee, in basis points.
    #[schemars(extend("format" = RATE_FORMAT))]
    pub fee_basis_points: i64,
    /// The sports.
    pub sports: Vec<FormChoice>,
    /// The categories of jobs.
    pub job_categories: Vec<FormChoice>,
    /// The categories of businesses.
    pub business_categories: Vec<FormChoice>,
}

/// Returns the site's name, fee, feature flags and lists: what a client needs to build its forms.
pub async fn view(cx: Cx<Anyone>, _: ViewSite) -> Result<SiteConfig> {
    let mut session = cx.read().await?;
    let site = load(&mut session, cx.now()).await?;
    // A server does what it says.
    cx.platform().switches().keep(site.feature_flags, cx.now());
    Ok(site)
}

/// The newest version of a legal document that is in force; `None` if there is none.
pub async fn legal_version(
    session: &mut Session,
    kind: &'static str,
    now: Time,
) -> Result<Option<i64>> {
    session
        .value(
            sql("SELECT MAX(version) FROM legal_document WHERE kind = $1 AND effective_at <= $2")
                .bind(kind)
                .bind(now),
        )
        .await
}

/// The name that a site begins with. It is the program's and nobody's marketplace.
pub(crate) const FIRST_NAME: &str = "nil";
/// The address for support that a site begins with. Nobody reads it.
pub(crate) const FIRST_ADDRESS: &str = "support@example.com";

/// Who runs the site, as documents name it.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Letterhead {
    /// The marketplace's name.
    pub name: String,
    /// The address for questions.
    pub support_email: String,
}

impl Letterhead {
    /// The settings that still have what a site begins with.
    pub fn missing(&self) -> Vec<&'static str> {
        let unset = [
            ("name", self.name.trim().eq_ignore_ascii_case(FIRST_NAME)),
            ("support_email", self.support_email.eq_ignore_ascii_case(FIRST_ADDRESS)),
        ];
        unset.into_iter().filter_map(|(setting, unset)| unset.then_some(setting)).collect()
    }

    /// The identity, if operators have set all of it: documents do not name a site by what it
    /// begins with.
    pub fn known(self) -> Option<Self> {
        self.missing().is_empty().then_some(self)
    }
}

/// The site's name and address for support.
pub async fn letterhead(session: &mut Session) -> Result<Letterhead> {
    session.one(sql("SELECT name, support_email FROM site WHERE id = 1")).await
}

/// The issuer of invoices; 409 `site_unnamed` for a site without a name or an address.
pub async fn issuer(session: &mut Session) -> Result<Letterhead> {
    letterhead(session).await?.known().ok_or_else(|| codes::SITE_UNNAMED.into())
}

async fn load(session: &mut Session, now: Time) -> Result<SiteConfig> {
    #[derive(FromRow)]
    struct Site {
        name: String,
        logo_url: Option<String>,
        favicon_url: Option<String>,
        support_email: String,
        #[row(json)]
        feature_flags: FeatureFlags,
        fee_basis_points: i64,
    }
    let site: Site = session
        .one(sql(
            "SELECT name, logo_url, favicon_url, support_email, feature_flags, fee_basis_points \
             FROM site WHERE id = 1",
        ))
        .await?;
    let legal: Vec<(String, i64)> = session
        .all(
            sql("SELECT kind, MAX(version) FROM legal_document WHERE effective_at <= $1 \
                 GROUP BY kind")
            .bind(now),
        )
        .await?;
    Ok(SiteConfig {
        name: site.name,
        logo_url: site.logo_url,
        favicon_url: site.favicon_url,
        support_email: site.support_email,
        feature_flags: site.feature_flags,
        legal_versions: legal.into_iter().collect(),
        currency: "usd",
        fee_basis_points: site.fee_basis_points,
        sports: session.all(sql(SPORTS)).await?,
        job_categories: session.all(sql(JOB_CATEGORIES)).await?,
        business_categories: session.all(sql(BUSINESS_CATEGORIES)).await?,
    })
}
