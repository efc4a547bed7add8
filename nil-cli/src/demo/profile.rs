//! What the profiles of the demonstration's athletes say: position, number, home town, and a few
//! words that nobody else uses.

use super::people::{drawn, pick};

/// Where athletes come from.
const HOMETOWNS: [(&str, &str); 40] = [
    ("Peoria", "IL"),
    ("Rockford", "IL"),
    ("Naperville", "IL"),
    ("Champaign", "IL"),
    ("Evanston", "IL"),
    ("Fort Wayne", "IN"),
    ("Bloomington", "IN"),
    ("Madison", "WI"),
    ("Green Bay", "WI"),
    ("St. Louis", "MO"),
    ("Columbia", "MO"),
    ("Grand Rapids", "MI"),
    ("Ann Arbor", "MI"),
    ("Dubuque", "IA"),
    ("Des Moines", "IA"),
    ("Minneapolis", "MN"),
    ("Duluth", "MN"),
    ("Omaha", "NE"),
    ("Wichita", "KS"),
    ("Lexington", "KY"),
    ("Louisville", "KY"),
    ("Cincinnati", "OH"),
    ("Toledo", "OH"),
    ("Nashville", "TN"),
    ("Atlanta", "GA"),
    ("Savannah", "GA"),
    ("Tampa", "FL"),
    ("Jacksonville", "FL"),
    ("Houston", "TX"),
    ("El Paso", "TX"),
    ("Plano", "TX"),
    ("Fresno", "CA"),
    ("San Diego", "CA"),
    ("Sacramento", "CA"),
    ("Tucson", "AZ"),
    ("Boulder", "CO"),
    ("Portland", "OR"),
    ("Tacoma", "WA"),
    ("Charlotte", "NC"),
    ("Rochester", "NY"),
];

/// What athletes study. Its length and that of `HABITS` have no common divisor, so that nobody
/// repeats another's words.
const MAJORS: [&str; 23] = [
    "biology",
    "business administration",
    "civil engineering",
    "communications",
    "computer science",
    "criminal justice",
    "early childhood education",
    "economics",
    "English",
    "environmental science",
    "exercise science",
    "finance",
    "graphic design",
    "history",
    "journalism",
    "kinesiology",
    "marketing",
    "mathematics",
    "mechanical engineering",
    "nursing",
    "political science",
    "psychology",
    "sociology",
];

/// What athletes do beside sport.
const HABITS: [&str; 24] = [
    "up before the sun, coffee in hand",
    "cooks for the whole team on Sundays",
    "coaches at a youth camp in the summer",
    "draws comics on the bus to away games",
    "first in the family to go to college",
    "plays the trumpet, badly and with joy",
    "volunteers at the animal shelter in town",
    "bakes bread and gives most of it away",
    "collects vinyl and old match programs",
    "runs the team's film night",
    "restores bicycles from the campus dump",
    "tutors freshmen in the library",
    "photographs every stadium on the road",
    "sings in the gospel choir",
    "grows tomatoes on the balcony",
    "reads two books a month and says which",
    "fishes with two brothers at home",
    "speaks Spanish at home and Polish with Grandma",
    "hosts a podcast about women's and men's sport",
    "knits hats for the children's hospital",
    "plays chess against anyone who asks",
    "never misses a home game of the other teams",
    "learned to swim at the city pool and teaches there now",
    "writes thank-you cards by hand",
];

/// A few words about an athlete; different for each of the first 552.
pub(crate) fn words(number: usize) -> String {
    let major = pick(&MAJORS, number).unwrap_or_default();
    let habit = pick(&HABITS, number).unwrap_or_default();
    let mut habit = habit.chars();
    let first: String = habit.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("Studies {major}. {first}{}.", habit.as_str())
}

/// The city and the state an athlete comes from.
pub(crate) fn hometown(number: usize) -> (&'static str, &'static str) {
    let number = drawn(u64::try_from(number).unwrap_or_default()) % 1_000_000;
    pick(&HOMETOWNS, usize::try_from(number).unwrap_or_default()).unwrap_or_default()
}

/// The position of the athlete with this place in the team, or the event.
pub(crate) fn position(sport: &str, place: usize) -> Option<&'static str> {
    let positions: &[&'static str] = match sport {
        "Women's Basketball" | "Men's Basketball" => {
            &["Point guard", "Small forward", "Center", "Shooting guard", "Power forward"]
        }
        "Women's Soccer" | "Men's Soccer" => &[
            "Forward",
            "Midfielder",
            "Defender",
            "Midfielder",
            "Goalkeeper",
            "Defender",
            "Forward",
            "Defender",
            "Midfielder",
        ],
        "Baseball" | "Softball" => &[
            "Pitcher",
            "Shortstop",
            "Catcher",
            "Outfielder",
            "First base",
            "Pitcher",
            "Third base",
            "Second base",
            "Outfielder",
        ],
        "Women's Volleyball" => {
            &["Outside hitter", "Setter", "Middle blocker", "Libero", "Opposite hitter"]
        }
        "Football" => &[
            "Quarterback",
            "Wide receiver",
            "Linebacker",
            "Running back",
            "Cornerback",
            "Offensive lineman",
            "Defensive end",
            "Safety",
            "Tight end",
            "Defensive tackle",
            "Kicker",
        ],
        "Men's Tennis" | "Women's Tennis" => &["Singles", "Singles and doubles", "Doubles"],
        "Women's Gymnastics" => &["All-around", "Vault", "Uneven bars", "Beam", "Floor"],
        "Men's Wrestling" => {
            &["157 lb", "125 lb", "174 lb", "133 lb", "197 lb", "141 lb", "285 lb"]
        }
        "Women's Swimming and Diving" | "Men's Swimming and Diving" => {
            &["Freestyle", "Backstroke", "Butterfly", "Breaststroke", "Medley", "Diving"]
        }
        "Women's Outdoor Track and Field" | "Men's Outdoor Track and Field" => &[
            "400 m",
            "Long jump",
            "1500 m",
            "Shot put",
            "100 m",
            "High jump",
            "400 m hurdles",
            "Javelin",
            "5000 m",
        ],
        _ => return None,
    };
    pick(positions, place)
}

/// The number on the jersey of the athlete with this place in the team; none in sports without
/// numbers. Nobody of a team of at most forty shares it.
pub(crate) fn jersey(sport: &str, place: usize) -> Option<String> {
    let numbered = [
        "Women's Basketball",
        "Men's Basketball",
        "Women's Soccer",
        "Men's Soccer",
        "Baseball",
        "Softball",
        "Women's Volleyball",
        "Football",
    ];
    let number = (sport.len() + place * 17) % 41 + 1;
    numbered.contains(&sport).then(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn nobody_repeats_another_and_no_team_has_a_number_twice() {
        let words: HashSet<String> = (0..552).map(words).collect();
        assert_eq!(words.len(), 552);
        let numbers: HashSet<_> = (0..25).map(|place| jersey("Football", place)).collect();
        assert_eq!((numbers.len(), jersey("Men's Tennis", 3)), (25, None));
    }
}
