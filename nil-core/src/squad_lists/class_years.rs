//! Years of study as lists spell them.

use super::sheet::plain;
use crate::accounts::ClassYear;

/// The spellings of each year, in small letters and digits alone.
const YEARS: &[(ClassYear, &[&str])] = &[
    (
        ClassYear::Freshman,
        &[
            "f",
            "fr",
            "frs",
            "frsh",
            "fresh",
            "freshman",
            "freshmen",
            "frosh",
            "fy",
            "firstyear",
            "first",
            "1",
            "1st",
            "1styr",
            "1styear",
            "year1",
            "yr1",
            "tfr",
            "truefr",
            "truefreshman",
        ],
    ),
    (
        ClassYear::Sophomore,
        &[
            "so",
            "sop",
            "soph",
            "sophmore",
            "sophomore",
            "secondyear",
            "second",
            "2",
            "2nd",
            "2ndyr",
            "2ndyear",
            "year2",
            "yr2",
        ],
    ),
    (
        ClassYear::Junior,
        &[
            "j",
            "jr",
            "jun",
            "junior",
            "thirdyear",
            "third",
            "3",
            "3rd",
            "3rdyr",
            "3rdyear",
            "year3",
            "yr3",
        ],
    ),
    (
        ClassYear::Senior,
        &[
            "sr",
            "sen",
            "senior",
            "fourthyear",
            "fourth",
            "4",
            "4th",
            "4thyr",
            "4thyear",
            "year4",
            "yr4",
            "5",
            "5th",
            "5thyr",
            "5thyear",
            "fifth",
            "fifthyear",
            "5thyearsr",
            "5thyearsenior",
            "fifthyearsenior",
            "5thsr",
            "5y",
            "5yr",
            "year5",
            "yr5",
            "supersenior",
            "srplus",
            "sr5",
        ],
    ),
    (
        ClassYear::Graduate,
        &[
            "g",
            "gr",
            "gs",
            "grad",
            "graduate",
            "gradstudent",
            "graduatestudent",
            "gradst",
            "gradtransfer",
            "graduatetransfer",
            "gt",
            "pg",
            "postgrad",
            "postgraduate",
            "masters",
            "6",
            "6th",
            "6thyr",
            "6thyear",
            "sixth",
            "sixthyear",
            "7th",
            "7thyear",
        ],
    ),
];

/// What a redshirt's year begins or ends with.
const REDSHIRT: [&str; 5] = ["redshirt", "rdshirt", "rsh", "rs", "r"];

/// The year of study that a text means, and whether it says that of a redshirt; none if it is no
/// spelling of a year.
pub(super) fn class_year(text: &str) -> Option<(ClassYear, bool)> {
    let starred = text.trim().starts_with('*') || text.trim().ends_with('*');
    let text = text.replace('+', " plus");
    let plain = plain(&text);
    if let Some(year) = named(&plain) {
        return Some((year, starred));
    }
    // The longest first: `redshirt` is not `r` with something behind it.
    let begun = REDSHIRT.iter().find_map(|begin| named(plain.strip_prefix(begin)?));
    let ended = REDSHIRT.iter().find_map(|end| named(plain.strip_suffix(end)?));
    begun.or(ended).map(|year| (year, true))
}

fn named(plain: &str) -> Option<ClassYear> {
    YEARS.iter().find(|(_, spellings)| spellings.contains(&plain)).map(|(year, _)| *year)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spellings as rosters have them, with the redshirts behind a bar.
    const SEEN: &[(ClassYear, &str, &str)] = &[
        (
            ClassYear::Freshman,
            "Fr.;FR;Fr;fr;Freshman;FRESHMAN;Fresh.;Frosh;First Year;First-Year;1st;1st Yr.;1;Fy.;\
             True Fr.;True Freshman",
            "R-Fr.;RS Fr.;RS-FR;RFr.;r-Fr;Redshirt Freshman;Red-Shirt Freshman;RsFr.;Fr.*;*Fr.;Fr. (RS)",
        ),
        (
            ClassYear::Sophomore,
            "So.;SO;Soph.;Soph;Sophomore;sophomore;Sophmore;2nd;2nd Year;Second Year;2",
            "R-So.;RS So.;RS-SO;R-Soph.;RS Soph;Redshirt Sophomore;Redshirt-Sophomore;RSo.;So.*",
        ),
        (
            ClassYear::Junior,
            "Jr.;JR;Jr;Junior;JUNIOR;Jun.;3rd;3rd Yr;Third Year;3",
            "R-Jr.;RS-Jr;RS Jr.;RJr.;Redshirt Junior;Red Shirt Jr.;Jr. (Redshirt);*Jr.",
        ),
        (
            ClassYear::Senior,
            "Sr.;SR;Sr;Senior;senior;Sen.;4th;4th Yr.;4;5th;5th Yr.;5th-Year;Fifth Year;5;Sr+;Sr.+;\
             Super Senior;Fifth-Year Senior;5th Year Senior",
            "R-Sr.;RS Sr.;RS-SR;RSr.;Redshirt Senior;Redshirt Sr.;RS 5th;R-5th;Sr.*",
        ),
        (
            ClassYear::Graduate,
            "Gr.;GR;Grad;Grad.;Graduate;Graduate Student;Grad Student;GS;Gs.;G;6th;6th Year;\
             Grad Transfer;Post-Grad;Masters;Sixth Year",
            "RS Gr.;R-Gr.;RS-Grad;Redshirt Graduate;R-6th",
        ),
    ];

    #[test]
    fn years_are_read_as_rosters_spell_them() {
        let mut number = 0;
        for (year, plain, redshirt) in SEEN {
            for (list, is_redshirt) in [(plain, false), (redshirt, true)] {
                for text in list.split(';').map(str::trim) {
                    assert_eq!(class_year(text), Some((*year, is_redshirt)), "{text}");
                    number += 1;
                }
            }
        }
        assert!(number > 100, "{number}");
    }

    #[test]
    fn other_texts_are_no_years() {
        for text in ["", "R", "RS", "Redshirt", "Jr./So.", "2026", "HS", "N/A", "-", "Coach", "8th"]
        {
            assert_eq!(class_year(text), None, "{text}");
        }
    }

    #[test]
    fn a_spelling_means_one_year() {
        let mut all: Vec<&str> = YEARS.iter().flat_map(|(_, texts)| *texts).copied().collect();
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), number);
        assert!(number > 80, "{number}");
    }
}
