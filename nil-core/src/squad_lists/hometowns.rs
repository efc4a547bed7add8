//! Home towns as lists spell them: a city with its state, or with its country.

use crate::kernel::fold;

const UNITED_STATES: &str = "United States";
const CANADA: &str = "Canada";

/// The states of the United States and the provinces of Canada: their codes, their names, and the
/// abbreviations of news agencies, in small letters without points.
const REGIONS: &[(&str, &str, &[&str])] = &[
    ("AL", UNITED_STATES, &["alabama", "ala"]),
    ("AK", UNITED_STATES, &["alaska"]),
    ("AZ", UNITED_STATES, &["arizona", "ariz"]),
    ("AR", UNITED_STATES, &["arkansas", "ark"]),
    ("CA", UNITED_STATES, &["california", "calif", "cal"]),
    ("CO", UNITED_STATES, &["colorado", "colo"]),
    ("CT", UNITED_STATES, &["connecticut", "conn"]),
    ("DE", UNITED_STATES, &["delaware", "del"]),
    ("DC", UNITED_STATES, &["district of columbia", "d c"]),
    ("FL", UNITED_STATES, &["florida", "fla"]),
    ("GA", UNITED_STATES, &["georgia"]),
    ("HI", UNITED_STATES, &["hawaii"]),
    ("ID", UNITED_STATES, &["idaho"]),
    ("IL", UNITED_STATES, &["illinois", "ill"]),
    ("IN", UNITED_STATES, &["indiana", "ind"]),
    ("IA", UNITED_STATES, &["iowa"]),
    ("KS", UNITED_STATES, &["kansas", "kan", "kans"]),
    ("KY", UNITED_STATES, &["kentucky"]),
    ("LA", UNITED_STATES, &["louisiana"]),
    ("ME", UNITED_STATES, &["maine"]),
    ("MD", UNITED_STATES, &["maryland"]),
    ("MA", UNITED_STATES, &["massachusetts", "mass"]),
    ("MI", UNITED_STATES, &["michigan", "mich"]),
    ("MN", UNITED_STATES, &["minnesota", "minn"]),
    ("MS", UNITED_STATES, &["mississippi", "miss"]),
    ("MO", UNITED_STATES, &["missouri"]),
    ("MT", UNITED_STATES, &["montana", "mont"]),
    ("NE", UNITED_STATES, &["nebraska", "neb", "nebr"]),
    ("NV", UNITED_STATES, &["nevada", "nev"]),
    ("NH", UNITED_STATES, &["new hampshire", "n h"]),
    ("NJ", UNITED_STATES, &["new jersey", "n j"]),
    ("NM", UNITED_STATES, &["new mexico", "n m"]),
    ("NY", UNITED_STATES, &["new york", "n y"]),
    ("NC", UNITED_STATES, &["north carolina", "n c"]),
    ("ND", UNITED_STATES, &["north dakota", "n d"]),
    ("OH", UNITED_STATES, &["ohio"]),
    ("OK", UNITED_STATES, &["oklahoma", "okla"]),
    ("OR", UNITED_STATES, &["oregon", "ore"]),
    ("PA", UNITED_STATES, &["pennsylvania", "penn"]),
    ("PR", UNITED_STATES, &["puerto rico", "p r"]),
    ("RI", UNITED_STATES, &["rhode island", "r i"]),
    ("SC", UNITED_STATES, &["south carolina", "s c"]),
    ("SD", UNITED_STATES, &["south dakota", "s d"]),
    ("TN", UNITED_STATES, &["tennessee", "tenn"]),
    ("TX", UNITED_STATES, &["texas", "tex"]),
    ("UT", UNITED_STATES, &["utah"]),
    ("VT", UNITED_STATES, &["vermont"]),
    ("VA", UNITED_STATES, &["virginia"]),
    ("WA", UNITED_STATES, &["washington", "wash"]),
    ("WV", UNITED_STATES, &["west virginia", "w va", "w v"]),
    ("WI", UNITED_STATES, &["wisconsin", "wis", "wisc"]),
    ("WY", UNITED_STATES, &["wyoming", "wyo"]),
    ("AB", CANADA, &["alberta", "alta"]),
    ("BC", CANADA, &["british columbia", "b c"]),
    ("MB", CANADA, &["manitoba", "man"]),
    ("NB", CANADA, &["new brunswick", "n b"]),
    ("NL", CANADA, &["newfoundland and labrador", "newfoundland", "nfld"]),
    ("NS", CANADA, &["nova scotia", "n s"]),
    ("NT", CANADA, &["northwest territories", "n w t"]),
    ("NU", CANADA, &["nunavut"]),
    ("ON", CANADA, &["ontario", "ont"]),
    ("PE", CANADA, &["prince edward island", "p e i", "pei"]),
    ("QC", CANADA, &["quebec", "que"]),
    ("SK", CANADA, &["saskatchewan", "sask"]),
    ("YT", CANADA, &["yukon"]),
];

/// A home town.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hometown {
    pub(super) city: Option<String>,
    pub(super) region: Option<String>,
    pub(super) country: Option<String>,
}

/// The home town that a text means. What stands behind it in parentheses or after a stroke is the
/// school. A name that is no state, province or country known here stays as it is written.
pub(super) fn hometown(text: &str) -> Hometown {
    let town = text.split(['(', '/', '|']).next().unwrap_or_default().trim();
    let mut parts: Vec<&str> =
        town.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    // The United States and Canada may be named behind the state.
    let named = parts.last().and_then(|last| north_america(last)).filter(|_| parts.len() > 2);
    if named.is_some() {
        parts.pop();
    }
    let own = |text: &str| Some(text.to_owned());
    match parts.as_slice() {
        [] => Hometown::default(),
        [city] => Hometown { city: own(city), region: None, country: None },
        [city, last] => match (region(last), named) {
            (Some((code, country)), _) => {
                Hometown { city: own(city), region: own(code), country: own(country) }
            }
            (None, Some(country)) => {
                Hometown { city: own(city), region: own(last), country: own(country) }
            }
            (None, None) => {
                let country = north_america(last).unwrap_or(last);
                Hometown { city: own(city), region: None, country: own(country) }
            }
        },
        [city, between @ .., country] => {
            Hometown { city: own(city), region: Some(between.join(", ")), country: own(country) }
        }
    }
}

fn north_america(text: &str) -> Option<&'static str> {
    match &*plain(text) {
        "united states" | "united states of america" | "usa" | "us" | "u s a" | "u s" => {
            Some(UNITED_STATES)
        }
        "canada" | "can" => Some(CANADA),
        _ => None,
    }
}

/// A state or province, with its country.
fn region(text: &str) -> Option<(&'static str, &'static str)> {
    let plain = plain(text);
    let found = REGIONS
        .iter()
        .find(|(code, _, names)| plain.eq_ignore_ascii_case(code) || names.contains(&&*plain));
    found.map(|(code, country, _)| (*code, *country))
}

/// In small letters, without points and accents.
fn plain(text: &str) -> String {
    fold(&text.replace('.', " ")).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_towns_are_read_as_rosters_spell_them() {
        for (text, city, region, country) in [
            ("Chicago, Ill.", "Chicago", "IL", UNITED_STATES),
            ("Chicago, IL", "Chicago", "IL", UNITED_STATES),
            ("Ann Arbor, Mich. (Pioneer)", "Ann Arbor", "MI", UNITED_STATES),
            ("Trenton, N.J. / Lawrenceville", "Trenton", "NJ", UNITED_STATES),
            ("Wheeling, W. Va.", "Wheeling", "WV", UNITED_STATES),
            ("Austin, Texas, USA", "Austin", "TX", UNITED_STATES),
            ("Toronto, Ont.", "Toronto", "ON", CANADA),
            ("Toronto, Ontario, Canada", "Toronto", "ON", CANADA),
            ("Montréal, Québec", "Montréal", "QC", CANADA),
            ("Lagos, Nigeria", "Lagos", "", "Nigeria"),
            ("Vancouver, Canada", "Vancouver", "", CANADA),
            ("Sydney, New South Wales, Australia", "Sydney", "New South Wales", "Australia"),
            ("Springfield, Somewhere, U.S.A.", "Springfield", "Somewhere", UNITED_STATES),
            ("Paris", "Paris", "", ""),
            ("", "", "", ""),
        ] {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let expected =
                Hometown { city: some(city), region: some(region), country: some(country) };
            assert_eq!(hometown(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_means_one_region() {
        let mut all: Vec<String> = REGIONS
            .iter()
            .flat_map(|(code, _, names)| {
                names.iter().map(|name| (*name).to_owned()).chain([code.to_lowercase()])
            })
            .collect();
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number);
    }
}
