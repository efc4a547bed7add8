//! Rows that are part of a feature, and which of their calls stop while it is off: those that begin
//! something. What is under way can be finished.

use super::row::Entry;
use super::stops::Stops;
use super::table::each;
use crate::backoffice::features;
use crate::error::{Error, Result, codes};
use crate::kernel::Feature;
use crate::operation::Fields;
use crate::platform::Platform;

/// The optional properties of a row that concern its feature.
impl Entry {
    /// Says that it is part of a feature.
    pub(super) const fn part_of(mut self, feature: Feature) -> Self {
        self.feature = Some(feature);
        self
    }

    /// Says that every call stops while its feature is off.
    pub(super) const fn stops(mut self) -> Self {
        self.stops = Stops::All;
        self
    }

    /// Says that calls without an `id` stop while its feature is off.
    pub(super) const fn stops_new(mut self) -> Self {
        self.stops = Stops::New;
        self
    }

    /// Says that calls in which the field has this value stop while its feature is off.
    pub(super) const fn stops_with(mut self, field: &'static str, value: &'static str) -> Self {
        self.stops = Stops::With(field, value);
        self
    }

    /// What becomes of its calls while its feature is off, as a sentence for its callers; none if
    /// it is part of none.
    #[must_use]
    pub fn while_off(&self) -> Option<String> {
        let feature = self.feature?;
        Some(match self.stops {
            Stops::Nothing => format!("Works while the feature `{feature}` is off."),
            Stops::All => format!("Refused while the feature `{feature}` is off."),
            Stops::New => format!("Refused without `id` while the feature `{feature}` is off."),
            Stops::With(field, value) => {
                format!("Refused with `{field}` `{value}` while the feature `{feature}` is off.")
            }
        })
    }
}

/// Says that rows are part of a feature.
pub(super) fn part_of(feature: Feature, rows: Vec<Entry>) -> Vec<Entry> {
    each(rows, |row| row.part_of(feature))
}

impl Entry {
    /// 403 `feature_off` if the switch of the operation's feature stops this call. Before the body
    /// is read, `fields` are not known yet, and only operations are refused of which every call
    /// stops.
    pub async fn check_feature(&self, platform: &Platform, fields: Option<&Fields>) -> Result<()> {
        let Some(feature) = self.feature else { return Ok(()) };
        let stops = match fields {
            Some(fields) => self.stops.stops(fields),
            None => self.stops == Stops::All,
        };
        if !stops || features::current(platform).await?.is_on(feature) {
            return Ok(());
        }
        Err(off(feature))
    }
}

fn off(feature: Feature) -> Error {
    codes::FEATURE_OFF.saying(format!("The feature `{feature}` is switched off on this site."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;

    #[test]
    fn every_feature_stops_something_and_nothing_stops_without_a_feature() {
        for feature in Feature::ALL {
            let own = catalog().iter().filter(|entry| entry.feature == Some(*feature));
            let stopped = own.filter(|entry| entry.stops != Stops::Nothing).count();
            assert!(stopped > 0, "{feature} stops nothing");
        }
        for entry in catalog().iter() {
            let part = entry.feature.is_some() || entry.stops == Stops::Nothing;
            assert!(part, "{} is part of no feature", entry.name);
        }
    }

    #[test]
    fn what_a_row_stops_with_is_a_field_that_its_input_has() {
        for entry in catalog().iter() {
            let field = match entry.stops {
                Stops::New => "id",
                Stops::With(field, _) => field,
                _ => continue,
            };
            let mut generator = schemars::SchemaGenerator::default();
            let schema = (entry.input)(&mut generator).to_value();
            assert!(schema["properties"][field].is_object(), "{}: {field}", entry.name);
        }
    }
}
