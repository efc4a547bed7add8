//! An agent's registration steps: agency and network profile.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::store::steps;
use super::Progress;
use super::progress::{Names, UnderWay};
use super::registration::{Name, Step};
use crate::accounts::Certification;
use crate::auth::NewAgent;
use crate::error::Result;
use crate::kernel::{CompanyName, Many, Phone, WebUrl};
use crate::operation::{Cx, Done};

/// An agent's agency.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Agency {
    /// Its name.
    pub agency_name: CompanyName<160>,
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// An agent's profile on a professional network, and licences.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Network {
    /// The page.
    pub network_profile_url: WebUrl,
    /// Licences and registrations; they replace the current ones.
    pub certifications: Option<Many<Certification, 0, 60>>,
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
}

/// Saves an agent's agency.
pub async fn set_agency(cx: Cx<NewAgent>, input: Agency) -> Result<Done<Progress>> {
    let mut under_way = UnderWay::load(&cx.by(cx.caller.clone().into())).await?;
    let user = cx.caller.user_id;
    steps::set_agency(&mut under_way.work, user, &input.agency_name, cx.now()).await?;
    under_way.learn(Names {
        first_name: input.first_name,
        last_name: input.last_name,
        phone: input.phone,
    });
    under_way.complete(Step::Step3).await
}

/// Saves an agent's profile on a professional network. Sends the one-time code.
pub async fn set_network(cx: Cx<NewAgent>, input: Network) -> Result<Done<Progress>> {
    let mut under_way = UnderWay::load(&cx.by(cx.caller.clone().into())).await?;
    let page = &input.network_profile_url;
    let licences = input.certifications.as_deref();
    let user = cx.caller.user_id;
    steps::set_network(&mut under_way.work, user, page, licences, cx.now()).await?;
    under_way.learn(Names {
        first_name: input.first_name,
        last_name: input.last_name,
        phone: input.phone,
    });
    under_way.complete(Step::Step4).await
}
