//! A search finds the same as a naive filter over all records, for every caller and every filter.

use std::collections::BTreeSet;

use nil_core::auth::Principal;
use nil_core::kernel::SeededRandom;
use nil_tests::{Draw as _, Engine, World, both};
use serde_json::{Map, Value, json};

const NAMES: [&str; 12] = [
    "Zoë",
    "Jordan",
    "O'Brien",
    "Łukasz",
    "Ángel",
    "Anna-Lena",
    "Müller",
    "Jo",
    "Joanna",
    "Smith_Lee",
    "Ñuñez",
    "D'Angelo",
];
const WORDS: [&str; 14] = [
    "surfing",
    "Surf",
    "SAILING",
    "vegan",
    "café",
    "Café-owner",
    "3x",
    "2026",
    "running!",
    "(run)",
    "art/music",
    "muse",
    "naïve",
    "🏈football",
];
const YEARS: [&str; 3] = ["freshman", "junior", "senior"];
const GENDERS: [&str; 3] = ["female", "male", "non_binary"];
const PLATFORMS: [&str; 3] = ["instagram", "tiktok", "youtube"];
const STATES: [&str; 3] = ["IL", "OH", "CA"];

#[derive(Debug)]
struct Athlete {
    id: i64,
    name: String,
    bio: String,
    tags: Vec<&'static str>,
    sport: i64,
    college: i64,
    year: Option<&'static str>,
    gender: Option<&'static str>,
    socials: Vec<(&'static str, i64, i64)>,
    rate: Option<i64>,
    available: bool,
    listed: bool,
    active: bool,
}

impl Athlete {
    fn followers(&self) -> i64 {
        self.socials.iter().map(|(_, followers, _)| followers).sum()
    }

    fn engagement(&self) -> i64 {
        self.socials.iter().map(|(_, _, rate)| *rate).max().unwrap_or(0)
    }

    fn state(&self) -> &'static str {
        STATES[usize::try_from(self.college % 3).unwrap()]
    }

    fn conference(&self) -> String {
        format!("League {}", self.college % 2)
    }

    fn words(&self) -> Vec<String> {
        let tags = self.tags.join(" ");
        let handles: Vec<String> =
            self.socials.iter().map(|(on, ..)| format!("{on}.{}", self.id)).collect();
        let text = [
            &*self.name,
            &*self.bio,
            &*tags,
            &*handles.join(" "),
            &format!("sport{}", self.sport),
            &format!("University of Testing {} UT{}", self.college, self.college),
        ];
        words(&text.join(" "))
    }
}

/// An independent implementation of words and accents, for the letters used here.
fn words(text: &str) -> Vec<String> {
    let folded: String = text
        .to_lowercase()
        .chars()
        .map(|letter| match letter {
            'ë' | 'é' => 'e',
            'á' => 'a',
            'ü' | 'ú' => 'u',
            'ñ' => 'n',
            'ï' => 'i',
            other => other,
        })
        .collect();
    let parts = folded.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| !part.is_empty()).map(Into::into).collect()
}

struct Laws {
    world: World,
    random: SeededRandom,
    all: Vec<Athlete>,
}

impl Laws {
    fn one_of<T: Copy>(&self, all: &[T]) -> T {
        *self.random.one_of(all)
    }

    fn some_of<T: Copy>(&self, all: &[T]) -> Vec<T> {
        all.iter().copied().filter(|_| self.random.below(2) == 0).collect()
    }

    fn maybe<T>(&self, value: T) -> Option<T> {
        (self.random.below(4) > 0).then_some(value)
    }

    fn somebody(&self, id: i64) -> Athlete {
        let name = format!("{} {}", self.one_of(&NAMES), self.one_of(&NAMES));
        let bio: Vec<&str> = (0..self.random.below(5)).map(|_| self.one_of(&WORDS)).collect();
        let socials = self.some_of(&PLATFORMS).into_iter();
        Athlete {
            id,
            name,
            bio: bio.join(" "),
            tags: self.some_of(&["surf", "vegan", "x"]),
            sport: self.random.below(4) + 1,
            college: self.random.below(6) + 1,
            year: self.maybe(self.one_of(&YEARS)),
            gender: self.maybe(self.one_of(&GENDERS)),
            socials: socials
                .map(|on| (on, self.random.below(6) * 1_000, self.random.below(5) * 100))
                .collect(),
            rate: self.maybe(self.random.below(5) * 10_000),
            available: self.random.below(3) > 0,
            listed: self.random.below(5) > 0,
            active: self.random.below(8) > 0,
        }
    }

    async fn new(engine: Engine, seed: u64, count: i64) -> Self {
        let world = World::on(engine).await;
        let mut laws = Self { world, random: SeededRandom::new(seed), all: Vec::new() };
        laws.all = (1..=count).map(|id| laws.somebody(id)).collect();
        let now = "'2026-11-20T12:00:00+00:00'";
        let mut script = String::new();
        for id in 1..=4 {
            script += &format!("UPDATE sport SET name = 'Sport{id}' WHERE id = {id};");
        }
        for id in 1..=6 {
            let state = STATES[id % 3];
            script += &format!(
                "INSERT INTO college (id, name, short_name, slug, conference, division, state, \
                 time_zone, email_domains, listed, created_at, updated_at) VALUES ({id}, \
                 'University of Testing {id}', 'UT{id}', 'ut-{id}', 'League {}', 'D1', '{state}', \
                 'America/Chicago', '[]'::jsonb, TRUE, {now}, {now});",
                id % 2
            );
        }
        for one in &laws.all {
            let word =
                |word: Option<&str>| word.map_or("NULL".to_owned(), |word| format!("'{word}'"));
            let text = |text: &str| text.replace('\'', "''");
            let (id, status) = (one.id, if one.active { "active" } else { "suspended" });
            script += &format!(
                "INSERT INTO app_user (id, kind, email, password_hash, status, created_at, updated_at) \
                 VALUES ({id}, 'athlete', 'a{id}@example.com', 'none', '{status}', {now}, {now}); \
                 INSERT INTO athlete (id, user_id, display_name, sport_id, university_id, class_year, \
                 gender, bio, tags, min_rate_cents, available, listed, share_slug, created_at, \
                 updated_at) VALUES ({id}, {id}, '{}', {}, {}, {}, {}, '{}', '{}'::jsonb, {}, {}, {}, \
                 's{id}', {now}, {now});",
                text(&one.name),
                one.sport,
                one.college,
                word(one.year),
                word(one.gender),
                text(&one.bio),
                json!(one.tags),
                one.rate.map_or("NULL".into(), |rate| rate.to_string()),
                one.available,
                one.listed,
            );
            for (on, followers, rate) in &one.socials {
                script += &format!(
                    "INSERT INTO athlete_social (athlete_id, platform, handle, followers, \
                     engagement_basis_points, refreshed_at) VALUES ({id}, '{on}', '{on}.{id}', \
                     {followers}, {rate}, {now});",
                );
            }
        }
        laws.world.script(&script).await;
        laws.world.search_rows_are_right().await;
        laws
    }

    /// A random question.
    fn question(&self) -> Map<String, Value> {
        let mut asked = Map::new();
        let mut ask = |name: &str, one_in: u64, value: Value| {
            let empty = value.as_array().is_some_and(Vec::is_empty);
            if self.random.below(one_in) == 0 && !empty {
                asked.insert(name.to_owned(), value);
            }
        };
        ask("q", 2, json!(self.typed()));
        ask("sport_ids", 5, json!(self.some_of(&[1, 2, 3, 4])));
        ask("university_ids", 6, json!(self.some_of(&[1, 2, 3, 4, 5, 6])));
        ask("conferences", 6, json!(self.some_of(&["League 0", "League 1"])));
        ask("genders", 6, json!(self.some_of(&GENDERS)));
        ask("class_years", 6, json!(self.some_of(&YEARS)));
        ask("states", 6, json!(self.some_of(&["il", "OH", "CA"])));
        ask("min_followers", 5, json!(self.random.below(10) * 1_000));
        ask("max_followers", 6, json!(self.random.below(14) * 1_000));
        ask("platforms", 6, json!(self.some_of(&PLATFORMS)));
        ask("max_rate_cents", 6, json!(self.random.below(5) * 10_000));
        ask("is_available", 6, json!(self.random.below(2) == 0));
        ask("tags", 6, json!(self.some_of(&["SURF", "vegan", "none"])));
        let sorts = [
            "relevance",
            "newest",
            "-newest",
            "name",
            "-name",
            "followers",
            "-followers",
            "engagement_rate",
            "-engagement_rate",
        ];
        ask("sort", 2, json!(self.one_of(&sorts)));
        asked
    }

    /// Plausible search text: words of names and texts, one of them cut off.
    fn typed(&self) -> String {
        let mut typed: Vec<String> =
            (0..=self.random.below(2))
                .map(|_| {
                    if self.random.below(2) == 0 {
                        self.one_of(&NAMES)
                    } else {
                        self.one_of(&WORDS)
                    }
                })
                .map(Into::into)
                .collect();
        if let Some(last) = typed.last_mut().filter(|_| self.random.below(2) == 0) {
            *last = last.chars().take(2).collect();
        }
        typed.join(self.one_of(&[" ", "  ", "-", ", "]))
    }

    /// The expected results, ordered where the order does not depend on the database.
    fn expected(&self, asked: &Map<String, Value>) -> Vec<i64> {
        let list = |name: &str| asked.get(name).and_then(Value::as_array);
        let any = |name: &str, is: &dyn Fn(&Value) -> bool| {
            list(name).is_none_or(|all| all.iter().any(is))
        };
        let number = |name: &str| asked.get(name).and_then(Value::as_i64);
        let typed = words(asked.get("q").and_then(Value::as_str).unwrap_or_default());
        let mut found: Vec<&Athlete> = self
            .all
            .iter()
            .filter(|one| {
                let own = one.words();
                let (last, whole) =
                    typed.split_last().map_or((None, &[][..]), |(last, all)| (Some(last), all));
                one.active
                    && one.listed
                    && whole.iter().all(|word| own.contains(word))
                    && last
                        .is_none_or(|last| own.iter().any(|word| word.starts_with(last.as_str())))
                    && any("sport_ids", &|id| *id == one.sport)
                    && any("university_ids", &|id| *id == one.college)
                    && any("conferences", &|name| *name == one.conference())
                    && any("genders", &|gender| gender.as_str() == one.gender)
                    && any("class_years", &|year| year.as_str() == one.year)
                    && any("states", &|state| state.as_str().unwrap().to_uppercase() == one.state())
                    && any("platforms", &|on| one.socials.iter().any(|(own, ..)| on == own))
                    && any("tags", &|tag| {
                        one.tags.contains(&&*tag.as_str().unwrap().to_lowercase())
                    })
                    && number("min_followers").is_none_or(|least| one.followers() >= least)
                    && number("max_followers").is_none_or(|most| one.followers() <= most)
                    && number("max_rate_cents").is_none_or(|most| one.rate.unwrap_or(0) <= most)
                    && asked.get("is_available").is_none_or(|wanted| *wanted == one.available)
            })
            .collect();
        let by = asked.get("sort").and_then(Value::as_str).unwrap_or("newest");
        found.sort_by(|one, two| {
            let order = match by.trim_start_matches('-') {
                "name" => one.name.to_ascii_lowercase().cmp(&two.name.to_ascii_lowercase()),
                "followers" => one.followers().cmp(&two.followers()),
                "engagement_rate" => one.engagement().cmp(&two.engagement()),
                _ => std::cmp::Ordering::Equal,
            };
            let order = order.then(one.id.cmp(&two.id));
            let falling = if by.ends_with("newest") || by == "relevance" {
                !by.starts_with('-')
            } else {
                by.starts_with('-')
            };
            if falling { order.reverse() } else { order }
        });
        found.iter().map(|one| one.id).collect()
    }

    /// All results of a search, page by page.
    async fn found(&self, asked: &Map<String, Value>) -> Vec<i64> {
        let mut ids = Vec::new();
        for page in 1.. {
            let mut input = asked.clone();
            input.insert("per_page".into(), json!(37));
            input.insert("page".into(), json!(page));
            let name = "core.public.athlete_directory";
            let answer = self.world.call(name, &Principal::Anonymous, Value::Object(input)).await;
            let pagination = answer.body["pagination"].clone();
            let items = answer.data();
            let items = items.as_array().expect("a page");
            ids.extend(items.iter().map(|one| one["id"].as_i64().expect("an id")));
            if page >= pagination["pages"].as_i64().expect("pages") {
                assert_eq!(pagination["total"], ids.len(), "{asked:?} {ids:?}");
                break;
            }
        }
        ids
    }

    async fn hold(&self, questions: u32) {
        for _ in 0..questions {
            let asked = self.question();
            let (found, expected) = (self.found(&asked).await, self.expected(&asked));
            // The relevance order depends on the database; the set of results does not.
            let by = asked.get("sort").and_then(Value::as_str);
            let typed = asked.get("q").and_then(Value::as_str).unwrap_or_default();
            if matches!(by, None | Some("relevance")) && !words(typed).is_empty() {
                let set = |ids: &[i64]| ids.iter().copied().collect::<BTreeSet<_>>();
                assert_eq!(set(&found), set(&expected), "{asked:?}");
                assert_eq!(found.len(), expected.len(), "{asked:?}");
            } else {
                assert_eq!(found, expected, "{asked:?}");
            }
        }
    }
}

async fn searches_find_what_a_naive_filter_finds(engine: Engine) {
    for seed in [7, 20_261_120] {
        Laws::new(engine, seed, 150).await.hold(120).await;
    }
}

both!(searches_find_what_a_naive_filter_finds);
