//! The files of texts, by language.

macro_rules! files {
    ($language:literal: $($name:literal)*) => {
        &[$(include_str!(concat!(
            "../../../assets/console/texts/", $language, "/", $name, ".ftl"
        ))),*]
    };
}

/// Complete: every key is in one of them.
pub(super) const ENGLISH: &[&str] = files!(
    "en":
    "shell" "sign-in" "words" "tables-and-forms" "portal-inbox" "portal-review"
    "portal-clearance" "portal-filing" "portal-figures" "portal-athlete" "portal-more" "lists"
    "operators" "disputes"
);

/// What is missing falls to English. The last two are words of the catalog.
pub(super) const SPANISH: &[&str] = files!(
    "es":
    "shell" "sign-in" "words" "tables-and-forms" "portal-inbox" "portal-review"
    "portal-clearance" "portal-filing" "portal-figures" "portal-athlete" "portal-more" "lists"
    "disputes" "catalog" "catalog-money"
);
