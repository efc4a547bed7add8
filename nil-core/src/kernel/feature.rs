//! The features that a site can do without, each with its switch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::vocabulary;

/// Declares the features with everything they need: the word, the switch in an input, and the state
/// in an answer. The field is named like the word.
macro_rules! features {
    ($($(#[doc = $about:literal])+ $variant:ident $field:ident = $word:literal,)+) => {
        vocabulary! {
            /// A part of the platform that a site can switch off.
            Feature { $($(#[doc = $about])+ $variant = $word,)+ }
        }

        impl Feature {
            /// What the feature is for.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($about),+).trim(),)+ }
            }
        }

        /// Switches to set: true is on. Features that are left out stay as they are.
        #[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
        pub struct FeatureSwitches { $($(#[doc = $about])+ pub $field: Option<bool>,)+ }

        /// The state of each feature: true is on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(default)]
        #[schemars(!default)]
        pub struct FeatureFlags { $($(#[doc = $about])+ pub $field: bool,)+ }

        /// A feature is on until an operator switches it off.
        impl Default for FeatureFlags {
            fn default() -> Self { Self { $($field: true,)+ } }
        }

        impl FeatureFlags {
            /// Whether the feature is on.
            #[must_use]
            pub const fn is_on(self, feature: Feature) -> bool {
                match feature { $(Feature::$variant => self.$field,)+ }
            }

            /// The state of each feature once these switches are set.
            #[must_use]
            pub fn with(self, switches: FeatureSwitches) -> Self {
                Self { $($field: switches.$field.unwrap_or(self.$field),)+ }
            }
        }
    };
}

features! {
    /// New accounts of athletes.
    AthleteRegistration athlete_registration = "athlete_registration",
    /// New accounts of brands.
    PartnerRegistration partner_registration = "partner_registration",
    /// New accounts of agents.
    AgentRegistration agent_registration = "agent_registration",
    /// New accounts of fans.
    FanRegistration fan_registration = "fan_registration",
    /// Registrations for the Compliance portal. Owners can still invite colleagues.
    PortalRegistration portal_registration = "portal_registration",
    /// The directories of athletes and brands for everyone.
    PublicDirectory public_directory = "public_directory",
    /// The pages of single athletes for everyone, and their addresses.
    PublicProfiles public_profiles = "public_profiles",
    /// Published rosters.
    Rosters rosters = "rosters",
    /// Services that athletes offer and brands order.
    Services services = "services",
    /// Deals that pay a commission on sales through affiliate links.
    AffiliateLinks affiliate_links = "affiliate_links",
    /// Plans that brands and agents subscribe to.
    Subscriptions subscriptions = "subscriptions",
    /// The folder of files that the parties of a deal share.
    DealFolder deal_folder = "deal_folder",
    /// The athletes' assistant, and its tools for a model that runs elsewhere.
    Assistant assistant = "assistant",
    /// New endpoints of webhooks. Those that exist still hear of their events.
    Webhooks webhooks = "webhooks",
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn every_feature_has_a_field_named_like_its_word_and_is_on_at_first() {
        let Ok(Value::Object(fields)) = serde_json::to_value(FeatureFlags::default()) else {
            panic!("an object");
        };
        assert_eq!(fields.len(), Feature::ALL.len());
        for feature in Feature::ALL {
            assert_eq!(fields.get(feature.as_str()), Some(&json!(true)), "{feature}");
            let one = json!({ feature.as_str(): false });
            let switches: FeatureSwitches = serde_json::from_value(one).unwrap();
            let flags = FeatureFlags::default().with(switches);
            let off: Vec<_> = Feature::ALL.iter().filter(|other| !flags.is_on(**other)).collect();
            assert_eq!(off, [feature]);
            assert!(feature.about().ends_with('.'), "{feature}");
        }
    }

    #[test]
    fn what_is_stored_may_know_fewer_features_or_others() {
        let stored = json!({ "services": false, "fax": true });
        let flags: FeatureFlags = serde_json::from_value(stored).unwrap();
        assert!(!flags.services && flags.rosters);
    }
}
