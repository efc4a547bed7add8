//! An institution's identity provider.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::auth::{Audience, Role};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CollegeId, Email, Secret, Text, Time};
use crate::keys::Vault;
use crate::operation::Revisable;
use crate::ports::identity::{Client, Person};
use crate::storage::FromRow;

vocabulary! {
    /// Where a provider leads a browser back to.
    SignOnReturn {
        /// To the page `/sign-on` of the front end.
        FrontEnd = "front_end",
        /// To the server's own pages.
        Pages = "pages",
    }
}

impl SignOnReturn {
    /// The page that a provider leads back to; none without a front end.
    pub(super) fn page(self, config: &Config, audience: Audience) -> Option<String> {
        let officers = audience == Audience::Compliance;
        match self {
            Self::FrontEnd => {
                let path = if officers { "/sign-on" } else { "/operators/sign-on" };
                config.front_end(true).map(|front| format!("{front}{path}"))
            }
            Self::Pages => {
                let path = if officers { "/portal/sign-on" } else { "/console/sign-on" };
                Some(format!("{}{path}", config.server_url(true)))
            }
        }
    }
}

/// A value of the provider's claim, and the role that it gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoleOfValue {
    /// The value, as the claim has it.
    #[schemars(extend("examples" = ["nil-officers"]))]
    pub value: Text<1, 200>,
    /// The role.
    pub role: Role,
}

/// An institution's identity provider.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct SignOnProvider {
    #[row(rename = "id")]
    #[serde(skip)]
    pub(crate) id: i64,
    /// The institution.
    pub college_id: CollegeId,
    /// The provider's address, as it names itself.
    pub issuer: String,
    /// The name of this platform at the provider.
    pub client_id: String,
    /// The claim with what a person is at the institution: its name, or a JSON pointer that begins
    /// with `/`.
    pub role_claim: String,
    /// The role that each value of the claim gives; of several the highest counts, and without one
    /// nobody is let in.
    #[row(json)]
    pub roles: Vec<RoleOfValue>,
    /// Whether officers can sign on through it.
    pub enabled: bool,
    /// Whether officers of the institution can log in with a password as well.
    pub passwords: bool,
    /// When it was named.
    pub created_at: Time,
    /// When this was last changed.
    pub updated_at: Time,
    #[serde(skip)]
    pub(crate) sealed_secret: Vec<u8>,
}

impl Revisable for SignOnProvider {
    fn content(&self) -> Value {
        json!([
            self.issuer,
            self.client_id,
            self.role_claim,
            self.roles,
            self.enabled,
            self.passwords,
            hex::encode(&self.sealed_secret),
        ])
    }
}

impl SignOnProvider {
    /// What the platform is at the provider.
    pub(super) fn client(&self, vault: &Vault) -> Result<Client> {
        let secret = vault.open(&context(self.college_id), &self.sealed_secret)?;
        let secret = String::from_utf8(secret).map_err(Error::internal)?;
        Ok(Client {
            issuer: self.issuer.clone(),
            id: self.client_id.clone(),
            secret: Secret::new(secret),
        })
    }

    /// The role that the provider's word gives a person, if any.
    pub(super) fn role_of(&self, person: &Person) -> Option<Role> {
        let has = person.texts(&self.role_claim);
        let given = self.roles.iter().filter(|row| has.contains(&&*row.value));
        given.map(|row| row.role).max()
    }
}

/// What an institution's secret is sealed with.
pub(super) fn context(college: CollegeId) -> String {
    format!("sign_on_secret:{college}")
}

/// A person's e-mail, if the provider has verified it.
pub(super) fn email_of(person: &Person) -> Option<Email> {
    person.verified_email().and_then(|email| Email::new(email).ok())
}
