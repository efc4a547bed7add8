//! Comparison of company names, which occur in many spellings.

use unicode_normalization::UnicodeNormalization as _;

use super::fold::fold;

/// Legal forms and other words that do not identify a company.
const LEGAL_FORMS: &[&str] = &[
    "co",
    "company",
    "corp",
    "corporation",
    "inc",
    "incorporated",
    "limited",
    "llc",
    "llp",
    "lp",
    "ltd",
    "plc",
];

/// Normalizes a company's name for comparison: folded letters and digits, words separated by one
/// blank, without `the` at its start and without the legal form at the end.
#[must_use]
pub fn company_key(name: &str) -> String {
    let folded = fold(name);
    // What stood around a full stop is composed once it is gone.
    let folded: String = folded.chars().filter(|letter| *letter != '.').nfc().collect();
    let mut words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    while words.len() > 1 && words.last().is_some_and(|last| LEGAL_FORMS.contains(last)) {
        words.pop();
    }
    while words.len() > 1 && words.first() == Some(&"the") {
        words.remove(0);
    }
    if words.is_empty() {
        // A name of punctuation only is still a name.
        return folded.trim().to_owned();
    }
    words.join(" ")
}

/// Whether two names refer to the same company.
#[must_use]
pub fn same_company(one: &str, other: &str) -> bool {
    company_key(one) == company_key(other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_company_has_one_key() {
        for name in [
            "Ridge Outfitters",
            "RIDGE OUTFITTERS, INC.",
            "The Ridge-Outfitters Co. LLC",
            " ridge   outfitters ",
        ] {
            assert_eq!(company_key(name), "ridge outfitters", "{name}");
        }
        assert!(same_company("Dick’s Sporting Goods", "Dicks Sporting Goods Inc"));
        assert!(!same_company("Ridge Outfitters", "Ridge Insurance"));
        for (one, other) in [
            ("AT&T", "AT and T Inc."),
            ("Nestlé", "NESTLE"),
            ("José’s", "Jose's"),
            ("Ørsted", "Orsted"),
        ] {
            assert!(same_company(one, other), "{one} and {other}");
        }
        assert_eq!(company_key("Inc."), "inc");
        assert_eq!(company_key("!!"), "!!");
    }

    #[test]
    fn what_stands_around_a_full_stop_is_composed() {
        for (one, other) in
            [("\u{1e08f}.\u{c55}", "\u{1e08f}\u{c55}"), ("ᄀ.ᅡ", "가"), ("The The Shop", "the shop")]
        {
            assert_eq!(company_key(one), company_key(other));
            assert_eq!(company_key(&company_key(one)), company_key(one));
        }
    }

    proptest! {
        #[test]
        fn a_key_is_its_own_key(name in "\\PC{0,40}") {
            let key = company_key(&name);
            prop_assert_eq!(company_key(&key), key);
        }

        #[test]
        fn a_key_of_usual_words_is_its_own_key(
            parts in proptest::collection::vec(
                prop::sample::select(vec![
                    "the", "The ", " inc", "Co.", "&", ".", "'", " ", "-", "AT", "é", "ltd", "\u{1e08f}",
                    "\u{c55}", "ᄀ", "ᅡ", "!",
                ]),
                0..12,
            )
        ) {
            let key = company_key(&parts.concat());
            prop_assert_eq!(company_key(&key), key);
        }
    }
}
