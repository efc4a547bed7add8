//! Whether a caption says that it is advertising, the way the FTC and the platforms want it: in plain
//! words or whole tags, near the start, not hidden in a wall of hashtags. Pure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the caption of a submission was found to say. A notice to both sides, never a refusal:
/// platforms have disclosure tools of their own that a caption does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisclosureCheck {
    /// Whether everything that has to stand in the caption does.
    pub passed: bool,
    /// The words taken as the disclosure, and the required hashtags that are there.
    pub found: Vec<String>,
    /// What is missing: `advertising disclosure`, and required hashtags.
    pub missing: Vec<String>,
    /// The finding, as a sentence.
    pub message: String,
}

/// How `missing` names the disclosure.
const DISCLOSURE: &str = "advertising disclosure";
/// What is shown of a caption before somebody asks for more, in characters.
const SHOWN: usize = 125;
/// How many hashtags may stand in a row before the one that discloses.
const TAGS_BEFORE: usize = 3;

/// Tags that count by themselves. A vague `#partner`, `#collab` or `#sp` does not.
const TAGS: &[&str] = &[
    "ad",
    "ads",
    "advert",
    "advertisement",
    "advertising",
    "sponsored",
    "sponsoredpost",
    "sponsoredcontent",
    "paidpartnership",
    "paidpartner",
    "paidad",
    "paidpost",
];
/// Words that count wherever they stand as words.
const PHRASES: &[&str] = &[
    "paid partnership",
    "paid partner",
    "paid ad",
    "paid post",
    "paid promotion",
    "sponsored by",
    "sponsored post",
    "advertisement",
];
/// Words that count as the very first one.
const OPENINGS: &[&str] = &["ad", "advert", "sponsored", "promoted"];
/// What turns the words after it into their opposite.
const DENIALS: &[&str] = &[
    "not", "no", "non", "never", "isn't", "isn’t", "wasn't", "wasn’t", "aint", "ain't", "ain’t",
    "un",
];

/// Words that may stand between a denial and what it denies.
const FILLERS: &[&str] = &["a", "an", "the", "in", "any", "really", "even"];

/// Looks a caption over for the disclosure, if there has to be one, and for the hashtags that the
/// milestone asks for.
#[must_use]
pub fn check_disclosure(
    required: bool,
    hashtags: &[String],
    caption: Option<&str>,
) -> DisclosureCheck {
    let caption = caption.unwrap_or_default().trim().to_lowercase();
    let tags = tags(&caption);
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    let seen = if required { seek(&caption, &tags) } else { Seen::Nothing };
    match &seen {
        Seen::Plain(words) => found.push(words.clone()),
        _ if required => missing.push(DISCLOSURE.to_owned()),
        _ => {}
    }
    for hashtag in hashtags {
        let wanted = hashtag.trim_start_matches(['#', '＃']).to_lowercase();
        let there = tags.iter().any(|tag| tag.word == wanted);
        let list = if there { &mut found } else { &mut missing };
        let tag = format!("#{wanted}");
        if !list.contains(&tag) {
            list.push(tag);
        }
    }
    let message = message(required, caption.is_empty(), &seen, &missing);
    DisclosureCheck { passed: missing.is_empty(), found, missing, message }
}

/// What became of looking for the disclosure.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    /// It stands where it is read: these words.
    Plain(String),
    /// It stands where nobody reads it: these words.
    Hidden(String),
    /// There is none.
    Nothing,
}

fn message(required: bool, blank: bool, seen: &Seen, missing: &[String]) -> String {
    let tags: Vec<&str> = missing.iter().filter(|word| *word != DISCLOSURE).map(|w| &**w).collect();
    let disclosure = match seen {
        Seen::Plain(words) => format!("The caption says “{words}”."),
        Seen::Hidden(words) => format!(
            "The caption says “{words}” where few will read it: it belongs at the start, before any \
             row of hashtags."
        ),
        Seen::Nothing if !required => "No disclosure is required.".to_owned(),
        Seen::Nothing if blank => {
            "There is no caption that could say that this is advertising.".to_owned()
        }
        Seen::Nothing => {
            "The caption does not say that this is advertising, such as by #ad or “paid \
             partnership” at its start."
                .to_owned()
        }
    };
    if tags.is_empty() { disclosure } else { format!("{disclosure} Missing: {}.", tags.join(", ")) }
}

/// A hashtag of a caption.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tag {
    /// Without its sign, in small letters.
    word: String,
    /// How many characters stand before it.
    at: usize,
    /// How many hashtags stand in a row before it.
    before: usize,
    /// Whether it is part of something longer, as in `#ad-free`.
    open: bool,
}

/// The hashtags of a caption in small letters.
fn tags(caption: &str) -> Vec<Tag> {
    let letters: Vec<char> = caption.chars().collect();
    let (mut found, mut row, mut at) = (Vec::new(), 0, 0);
    while let Some(letter) = letters.get(at) {
        if !matches!(letter, '#' | '＃') {
            if !letter.is_whitespace() {
                row = 0;
            }
            at += 1;
            continue;
        }
        let rest = letters.get(at + 1..).unwrap_or_default();
        let word: String = rest.iter().take_while(|letter| goes_on(**letter)).collect();
        let length = word.chars().count();
        let after = rest.get(length..).unwrap_or_default();
        // A sign within a word, as in `a#b`, begins no tag.
        let inside = at.checked_sub(1).and_then(|before| letters.get(before));
        let glued = inside.is_some_and(|c| c.is_alphanumeric() || *c == '_') && row == 0;
        if length > 0 && !glued {
            let open = matches!(after, ['-' | '\'' | '’', next, ..] if goes_on(*next));
            found.push(Tag { word, at, before: row, open });
            row += 1;
        }
        at += length + 1;
    }
    found
}

/// Whether a word goes on with this letter. Marks and joiners that cannot be seen belong to the word,
/// so that a word with one in it is another word.
fn goes_on(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '_' | '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200d}')
        || matches!(letter, '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

/// The disclosure that stands best in a caption in small letters.
fn seek(caption: &str, tags: &[Tag]) -> Seen {
    let tag = |tag: &Tag| {
        let counts = TAGS.contains(&tag.word.as_str()) && !tag.open;
        let plain = tag.at < SHOWN && tag.before <= TAGS_BEFORE;
        counts.then(|| (plain, format!("#{}", tag.word)))
    };
    let opening = opening(caption).map(|word| (true, word));
    let phrases = PHRASES
        .iter()
        .flat_map(|phrase| stand_in(caption, phrase).map(|at| (at < SHOWN, (*phrase).to_owned())));
    let mut hidden = Seen::Nothing;
    for (plain, words) in opening.into_iter().chain(phrases).chain(tags.iter().filter_map(tag)) {
        if plain {
            return Seen::Plain(words);
        }
        hidden = Seen::Hidden(words);
    }
    hidden
}

/// A word that discloses as the very first one: `Ad: …`, `Sponsored | …`.
fn opening(caption: &str) -> Option<String> {
    let start = caption.trim_start_matches(|c: char| !goes_on(c) && !matches!(c, '#' | '＃' | '@'));
    let word: String = start.chars().take_while(|letter| goes_on(*letter)).collect();
    let after = start.get(word.len()..).unwrap_or_default().trim_start_matches(' ');
    let set_off =
        after.is_empty() || after.starts_with([':', '|', '-', '–', '—', ']', ')', '.', '\n']);
    // `ad-free` and `ad hoc` say something else.
    let joined = start.get(word.len()..).is_some_and(|rest| {
        let mut rest = rest.chars();
        rest.next() == Some('-') && rest.next().is_some_and(goes_on)
    });
    (OPENINGS.contains(&word.as_str()) && set_off && !joined).then_some(word)
}

/// Where the phrase stands as words of its own and is not denied, in characters.
fn stand_in<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(phrase).filter_map(move |(at, found)| {
        let before = text.get(..at)?;
        let after = text.get(at + found.len()..)?;
        let tagged = |letter: char| goes_on(letter) || matches!(letter, '#' | '＃');
        let whole = !before.chars().next_back().is_some_and(tagged)
            && !after.chars().next().is_some_and(goes_on);
        (whole && !denied(before)).then(|| before.chars().count())
    })
}

/// Whether what comes next is denied by the word before it, but for words that say little.
fn denied(before: &str) -> bool {
    let sentence = before.rsplit(['.', '!', '?', '\n']).next().unwrap_or_default();
    let word = |c: char| !(c.is_alphanumeric() || c == '\'' || c == '’');
    let mut words =
        sentence.rsplit(word).filter(|word| !word.is_empty() && !FILLERS.contains(word));
    words.next().is_some_and(|word| DENIALS.contains(&word))
}

#[cfg(test)]
#[path = "disclosure_tests.rs"]
mod tests;
