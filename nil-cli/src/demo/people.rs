//! The invented people of the demonstration: brands, agencies, and the athletes of three
//! institutions in full teams.

use std::collections::HashSet;

use chrono::{Days, NaiveDate};
use nil_core::accounts::{ClassYear, Gender};
use nil_core::seed::teams::Member;

use super::profile;

/// Brands: company, contact, category of business, about the company.
pub(crate) const BRANDS: [(&str, &str, i64, &str); 10] = [
    (
        "Northfield Outdoor",
        "Alex Moreau",
        24,
        "Jackets and caps for people who go out in the rain.",
    ),
    ("Maple Street Coffee", "Priya Venkat", 1, "Seven coffee shops, all of them near a campus."),
    ("Ironwood Fitness", "Tom Hartley", 6, "Gyms without mirrors."),
    ("Brightside Dental", "Grace Ellingsen", 8, "Dentists who open at seven."),
    ("Halyard Sportswear", "Omar Said", 4, "Training clothes, sewn in the Midwest."),
    ("Parkway Motors", "Lena Brandt", 15, "A family business with three lots."),
    ("Copperleaf Books", "Ruth Tessema", 22, "New and used books, and a reading room."),
    ("Sunroom Studio", "Mateo Quiroga", 6, "Yoga and stretching for beginners."),
    ("Tideline Foods", "Leila Navarro", 2, "Bowls and snacks for a day on the move."),
    ("Juniper Bank", "Isaac Holloway", 10, "Accounts without fees for students."),
];

/// An agency: its name, its agent, the state and number of the agent's registration, the form of
/// the business, the postal address.
pub(crate) type Agency =
    (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// Agencies and their agents.
pub(crate) const AGENCIES: [Agency; 3] = [
    (
        "Summit Athlete Partners",
        "Renee Castellanos",
        "IL",
        "AA-10437",
        "llc",
        "210 Lake Street, Chicago, IL 60606",
    ),
    (
        "Lane & Mensah Agency",
        "Jonas Mensah",
        "IL",
        "AA-10982",
        "partnership",
        "48 Court Avenue, Springfield, IL 62701",
    ),
    (
        "Bright Field Management",
        "Noor Yamada",
        "CA",
        "AAR-22715",
        "corporation",
        "900 Harbor Drive, San Diego, CA 92101",
    ),
];

/// Portal users: the number of the institution, name, local part of the e-mail, role, and the
/// sports that their access is limited to. The first of each institution is its owner.
pub(crate) type PortalUser =
    (usize, &'static str, &'static str, &'static str, &'static [&'static str]);

/// The portal users of the institutions with athletes.
pub(crate) const OFFICERS: [PortalUser; 7] = [
    (0, "Dana Whitfield", "compliance", "owner", &[]),
    (0, "Marcus Oyelaran", "marcus.oyelaran", "officer", &[]),
    (0, "Beth Salazar", "beth.salazar", "finance", &[]),
    (0, "Ken Ishikawa", "ken.ishikawa", "viewer", &["Women's Basketball", "Men's Basketball"]),
    (1, "Carla Mendes", "compliance", "owner", &[]),
    (1, "Tim Aldridge", "tim.aldridge", "officer", &["Softball", "Baseball"]),
    (2, "Howard Pruitt", "compliance", "owner", &[]),
];

/// Fans: name, number of the institution.
pub(crate) const FANS: [(&str, usize); 2] = [("Riley Chandra", 0), ("Paula Grant", 0)];

/// Athletes who register: name, gender, sport, followers, number of the institution.
pub(crate) const REGISTERED: [(&str, &str, &str, i64, usize); 16] = [
    ("Jordan Rivera", "female", "Women's Basketball", 18_400, 0),
    ("Malik Johnson", "male", "Men's Basketball", 52_000, 0),
    ("Sofia Almeida", "female", "Women's Soccer", 7_300, 0),
    ("Tyler Brooks", "male", "Baseball", 3_900, 0),
    ("Amara Okoye", "female", "Women's Volleyball", 96_500, 0),
    ("Ethan Novak", "male", "Men's Tennis", 12_100, 0),
    ("Camille Dubois", "female", "Women's Gymnastics", 23_800, 0),
    ("Diego Herrera", "male", "Men's Soccer", 41_200, 0),
    ("Hannah Schultz", "female", "Softball", 5_600, 1),
    ("Kenji Tanaka", "male", "Baseball", 15_700, 1),
    ("Zoe Papadakis", "female", "Women's Soccer", 33_000, 1),
    ("Marcus Bell", "male", "Men's Soccer", 8_800, 1),
    ("Ingrid Larsen", "female", "Women's Soccer", 11_400, 2),
    ("Andre Thompson", "male", "Men's Basketball", 68_900, 2),
    ("Nadia Petrova", "female", "Women's Soccer", 19_900, 2),
    ("Caleb Wright", "male", "Men's Basketball", 2_700, 2),
];

/// The teams of the large institution: as many of women as of men.
const TEAMS: [(&str, Gender); 16] = [
    ("Women's Basketball", Gender::Female),
    ("Men's Basketball", Gender::Male),
    ("Women's Soccer", Gender::Female),
    ("Baseball", Gender::Male),
    ("Women's Volleyball", Gender::Female),
    ("Men's Tennis", Gender::Male),
    ("Women's Gymnastics", Gender::Female),
    ("Men's Soccer", Gender::Male),
    ("Softball", Gender::Female),
    ("Football", Gender::Male),
    ("Women's Tennis", Gender::Female),
    ("Men's Wrestling", Gender::Male),
    ("Women's Swimming and Diving", Gender::Female),
    ("Men's Swimming and Diving", Gender::Male),
    ("Women's Outdoor Track and Field", Gender::Female),
    ("Men's Outdoor Track and Field", Gender::Male),
];

/// The teams of each institution, and how many athletes each has.
const INSTITUTIONS: [(&[(&str, Gender)], usize); 3] = [
    (&TEAMS, 25),
    (
        &[
            ("Softball", Gender::Female),
            ("Baseball", Gender::Male),
            ("Women's Soccer", Gender::Female),
            ("Men's Soccer", Gender::Male),
        ],
        10,
    ),
    (&[("Women's Soccer", Gender::Female), ("Men's Basketball", Gender::Male)], 10),
];

const YEARS: [ClassYear; 5] = [
    ClassYear::Freshman,
    ClassYear::Sophomore,
    ClassYear::Junior,
    ClassYear::Senior,
    ClassYear::Graduate,
];

const WOMEN: [&str; 36] = [
    "Ana", "Maya", "Imani", "Talia", "Grace", "Leila", "Priya", "Noor", "Ruth", "Elena", "Aisha",
    "Mei", "Sade", "Lucia", "Freya", "Keiko", "Dalia", "Naomi", "Carmen", "Tessa", "Yara",
    "Bianca", "Hana", "Olivia", "Zara", "Ines", "Kiara", "Paloma", "Ava", "Linh", "Marisol",
    "Esther", "Nia", "Greta", "Amina", "June",
];

const MEN: [&str; 36] = [
    "Mateo", "Jonas", "Owen", "Rafael", "Felix", "Isaac", "Tomas", "Omar", "Darius", "Kofi",
    "Luca", "Hiro", "Samir", "Andres", "Elias", "Terrell", "Nico", "Dev", "Gabriel", "Jalen",
    "Anton", "Bao", "Cyrus", "Emeka", "Theo", "Ravi", "Marco", "Isaiah", "Sven", "Javier",
    "Malcolm", "Yusuf", "Noah", "Pablo", "Trey", "Wes",
];

const LAST: [&str; 44] = [
    "Reyes",
    "Castillo",
    "Mensah",
    "Kowalski",
    "Yamada",
    "Osei",
    "Duarte",
    "Weaver",
    "Sandoval",
    "Abebe",
    "Nair",
    "Haddad",
    "Lindqvist",
    "Moreau",
    "Becker",
    "Fischer",
    "Adeyemi",
    "Park",
    "Nguyen",
    "Whitaker",
    "Soto",
    "Ivanov",
    "Ochoa",
    "Fontaine",
    "Hughes",
    "Kaya",
    "Delgado",
    "Mbeki",
    "Olsen",
    "Rahman",
    "Vargas",
    "Chen",
    "Boateng",
    "Marsh",
    "Silva",
    "Ferrari",
    "Tran",
    "Coleman",
    "Begum",
    "Nakamura",
    "Ellison",
    "Quispe",
    "Roth",
    "Farah",
];

/// A number that looks random and is the same for the same number.
pub(crate) const fn drawn(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// One of these, by a number.
pub(crate) fn pick<T: Copy>(from: &[T], number: usize) -> Option<T> {
    from.get(number.checked_rem(from.len())?).copied()
}

/// The local part of an address, or a handle.
pub(crate) fn slug(name: &str) -> String {
    name.to_lowercase().split(|c: char| !c.is_ascii_alphanumeric()).collect::<Vec<_>>().join("")
}

/// The day on which somebody of this class year was born, so that nobody is a minor.
pub(crate) fn born(year: usize, number: u64, today: NaiveDate) -> NaiveDate {
    let years = 19 + u64::try_from(year).unwrap_or_default();
    let days = years * 366 + drawn(number) % 300;
    today.checked_sub_days(Days::new(days)).unwrap_or(today)
}

/// The members of all teams that nobody of `REGISTERED` fills: every class year is as large as the
/// others.
pub(crate) fn members(colleges: &[i64], today: NaiveDate) -> Vec<Member> {
    let mut taken: HashSet<String> = REGISTERED.iter().map(|(name, ..)| slug(name)).collect();
    let mut members = Vec::new();
    let mut number = 0_u64;
    for (index, ((teams, size), college)) in INSTITUTIONS.iter().zip(colleges).enumerate() {
        for (sport, gender) in *teams {
            let registered =
                REGISTERED.iter().filter(|(.., of, _, at)| of == sport && *at == index);
            for place in registered.count()..*size {
                let (first_name, last_name) = name(*gender, &mut number, &mut taken);
                let year = place % YEARS.len();
                let who = REGISTERED.len() + members.len();
                members.push(Member {
                    first_name,
                    last_name,
                    email: format!(
                        "{}@students.example",
                        slug(&format!("{first_name}{last_name}"))
                    ),
                    college: *college,
                    sport,
                    class_year: pick(&YEARS, year).unwrap_or(ClassYear::Freshman),
                    gender: *gender,
                    born: born(year, number, today),
                    position: profile::position(sport, place),
                    jersey_number: profile::jersey(sport, place),
                    hometown: profile::hometown(who),
                    bio: profile::words(who),
                    followers: followers(number),
                });
            }
        }
    }
    members
}

fn drawn_from<T: Copy>(from: &[T], number: u64) -> Option<T> {
    pick(from, usize::try_from(drawn(number) % 1_000_000).unwrap_or_default())
}

/// Few athletes have many followers.
fn followers(number: u64) -> i64 {
    let base = drawn(number + 3) % 6_000 + 300;
    let factor = match drawn(number + 4) % 20 {
        0 => 15,
        1..=4 => 4,
        _ => 1,
    };
    i64::try_from(base * factor).unwrap_or_default()
}

/// A name that nobody else has.
fn name(
    gender: Gender,
    number: &mut u64,
    taken: &mut HashSet<String>,
) -> (&'static str, &'static str) {
    let first = if gender == Gender::Female { &WOMEN } else { &MEN };
    loop {
        *number += 1;
        let name = (
            drawn_from(first, *number * 2).unwrap_or_default(),
            drawn_from(&LAST, *number * 2 + 1).unwrap_or_default(),
        );
        if taken.insert(slug(&format!("{}{}", name.0, name.1))) {
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_teams_are_full_and_nobody_shares_a_name() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 24).unwrap();
        let members = members(&[1, 2, 3], today);
        let at = |college| members.iter().filter(|one| one.college == college).count();
        let registered = |index| REGISTERED.iter().filter(|(.., at)| *at == index).count();
        assert_eq!((at(1) + registered(0), at(2) + registered(1)), (400, 40));
        assert_eq!(at(3) + registered(2), 20);
        let mails: HashSet<&str> = members.iter().map(|one| one.email.as_str()).collect();
        assert_eq!(mails.len(), members.len());
        let women = members.iter().filter(|one| one.college == 1 && one.gender == Gender::Female);
        assert_eq!(women.count(), 200 - 4);
        for one in &members {
            assert!(one.born < NaiveDate::from_ymd_opt(2008, 11, 24).unwrap(), "{one:?}");
        }
    }
}
