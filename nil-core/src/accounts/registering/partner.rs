//! A brand's registration steps: company and category.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::store::registration::{self as store, Choice};
use super::super::store::steps;
use super::Progress;
use super::progress::{Names, UnderWay};
use super::registration::{Name, Step};
use crate::auth::NewPartner;
use crate::error::{Error, Result};
use crate::kernel::{BusinessCategoryId, CompanyName, Phone, WebUrl};
use crate::operation::{Cx, Done};

/// A brand's company.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Company {
    /// Its name.
    pub company_name: CompanyName<160>,
    /// Its web site.
    pub website: Option<WebUrl>,
    /// First name of the person who registers it.
    pub first_name: Option<Name>,
    /// Last name of the person who registers it.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// A brand's line of business.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Category {
    /// The category of its business.
    pub business_category_id: BusinessCategoryId,
    /// First name of the person who registers it.
    pub first_name: Option<Name>,
    /// Last name of the person who registers it.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// Saves a brand's company.
pub async fn set_company(cx: Cx<NewPartner>, input: Company) -> Result<Done<Progress>> {
    let mut under_way = UnderWay::load(&cx.by(cx.caller.clone().into())).await?;
    let website = input.website.as_ref();
    let user = cx.caller.user_id;
    steps::set_company(&mut under_way.work, user, &input.company_name, website, cx.now()).await?;
    under_way.learn(Names {
        first_name: input.first_name,
        last_name: input.last_name,
        phone: input.phone,
    });
    under_way.complete(Step::Step3).await
}

/// Saves a brand's business category. Sends the one-time code.
pub async fn set_category(cx: Cx<NewPartner>, input: Category) -> Result<Done<Progress>> {
    let mut under_way = UnderWay::load(&cx.by(cx.caller.clone().into())).await?;
    let work = &mut under_way.work;
    let category = input.business_category_id;
    if !store::can_be_chosen(work, Choice::BusinessCategory(category)).await? {
        return Err(Error::invalid("business_category_id", "is not a known business category"));
    }
    steps::set_category(work, cx.caller.user_id, category, cx.now()).await?;
    under_way.learn(Names {
        first_name: input.first_name,
        last_name: input.last_name,
        phone: input.phone,
    });
    under_way.complete(Step::Step4).await
}
