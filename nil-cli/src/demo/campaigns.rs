//! What the brands of the demonstration ask athletes for.

use super::people::pick;

/// What a brand asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Campaign {
    pub(crate) title: &'static str,
    /// The category of jobs.
    pub(crate) category: i64,
    /// The pay in cents.
    pub(crate) amount: i64,
    /// The form of the post.
    pub(crate) kind: &'static str,
    pub(crate) description: &'static str,
    /// What an athlete writes to apply.
    pub(crate) pitch: &'static str,
    /// The post's words.
    pub(crate) caption: &'static str,
}

const fn campaign(
    (title, category, amount, kind): (&'static str, i64, i64, &'static str),
    description: &'static str,
    pitch: &'static str,
    caption: &'static str,
) -> Campaign {
    Campaign { title, category, amount, kind, description, pitch, caption }
}

/// Two campaigns of each brand, in the order of the brands.
const CAMPAIGNS: [[Campaign; 2]; 10] = [
    [
        campaign(
            ("Autumn jacket launch", 3, 125_000, "reel"),
            "A reel outdoors in our new jacket. Show the hood and the pockets in your own words.",
            "I run outdoors every morning, whatever the weather.",
            "Rain? What rain? Out early in my Northfield jacket #ad",
        ),
        campaign(
            ("Season opener posts", 1, 80_000, "post"),
            "A photo from the day of your first home game, with our cap.",
            "My followers are at every home game.",
            "First home game of the season, ready #ad",
        ),
    ],
    [
        campaign(
            ("Morning coffee story", 2, 25_000, "story"),
            "A story of your first coffee before practice, in one of our shops or from our mug.",
            "Your shop is between my dorm and the gym.",
            "Before practice comes coffee #ad",
        ),
        campaign(
            ("Study break with us", 1, 32_000, "post"),
            "A photo of you and a friend on a study break at our tables.",
            "I study at your corner table anyway.",
            "Finals week headquarters #ad",
        ),
    ],
    [
        campaign(
            ("Gym session reel", 3, 60_000, "reel"),
            "A reel of a real session on our floor: no script, three exercises, your music.",
            "I lift at your place twice a week in the off-season.",
            "Three exercises I never skip #ad",
        ),
        campaign(
            ("New year, new routine", 1, 42_000, "post"),
            "A photo and a few sentences about a habit that you keep, for our members.",
            "I can write about sleep: it changed my season.",
            "The habit that changed my season #ad",
        ),
    ],
    [
        campaign(
            ("Smile campaign", 1, 45_000, "post"),
            "A photo of your biggest smile after a game. No promises about treatments, please.",
            "I am the one who smiles in every team photo.",
            "Win or lose #ad",
        ),
        campaign(
            ("Mouthguard reminder", 2, 22_000, "story"),
            "A story that shows how you look after your mouthguard.",
            "I have worn one since I was nine.",
            "Wash it. Every. Time. #ad",
        ),
    ],
    [
        campaign(
            ("Warm-up line photos", 1, 95_000, "post"),
            "Three photos in the new warm-up line, on campus and without your team's marks.",
            "Warm-ups are half of my wardrobe.",
            "Soft enough for the bus, too #ad",
        ),
        campaign(
            ("Shoe fitting reel", 3, 70_000, "reel"),
            "A reel of a fitting in our store: how you choose a shoe, and why.",
            "Wide feet, strong opinions.",
            "How I choose my shoes #ad",
        ),
    ],
    [
        campaign(
            ("Test drive weekend", 3, 150_000, "reel"),
            "A reel of a day trip with the car we lend you. Belts on, phone away.",
            "My hometown is two hours away, and I would love to show it.",
            "Home and back on one charge #ad",
        ),
        campaign(
            ("Road trip playlist", 2, 38_000, "story"),
            "A story with five songs for the drive to an away game.",
            "I choose the music on our bus.",
            "Five songs for the road #ad",
        ),
    ],
    [
        campaign(
            ("What I read this month", 1, 30_000, "post"),
            "A photo of two books and a sentence about each. Yours to choose.",
            "I read on every flight, and I finish what I start.",
            "Two books, one long flight #ad",
        ),
        campaign(
            ("A book for your younger self", 3, 48_000, "reel"),
            "A reel about a book that you would give to yourself at twelve.",
            "I know exactly which book that is.",
            "This one, at twelve #ad",
        ),
    ],
    [
        campaign(
            ("Rest day class", 3, 55_000, "reel"),
            "A reel of a stretching class on your rest day, beginners welcome.",
            "I cannot touch my toes yet. That may be funny.",
            "Rest day is for stretching #ad",
        ),
        campaign(
            ("Ten minutes a day", 2, 27_000, "story"),
            "A story a day for a week: ten minutes on the mat.",
            "Ten minutes I have, every evening.",
            "Day one of seven #ad",
        ),
    ],
    [
        campaign(
            ("Lunch on campus", 22, 18_000, "story"),
            "A story of a lunch with our bowls, on a bench of your choice.",
            "I eat on that bench every day.",
            "Lunch with a view #ad",
        ),
        campaign(
            ("Game day snacks", 1, 36_000, "post"),
            "A photo of your bag on game day, with what you eat and when.",
            "My bag is famous in the locker room.",
            "What is in the bag #ad",
        ),
    ],
    [
        campaign(
            ("First paycheck talk", 3, 65_000, "reel"),
            "A reel about what you did with the first money you earned. Honest, not clever.",
            "I still have half of it.",
            "What I did with my first paycheck #ad",
        ),
        campaign(
            ("Three tips for saving", 1, 52_000, "post"),
            "A photo and three sentences about saving as a student.",
            "I keep a spreadsheet. It is called “No”.",
            "Three rules that work for me #ad",
        ),
    ],
];

/// What the brand of this number asks for in its deal of this number.
pub(crate) fn of(number: usize) -> Campaign {
    let of_brand = pick(&CAMPAIGNS, number).unwrap_or_default();
    pick(&of_brand, number / CAMPAIGNS.len()).unwrap_or_default()
}
