//! Checks whether a caption discloses advertising as the FTC and the platforms require: in plain
//! words or whole hashtags, near the start, not hidden among many hashtags. Pure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The result of checking the caption of a submission. It is shown to both sides and refuses
/// nothing: platforms have disclosure tools of their own that a caption does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DisclosureCheck {
    /// Whether the caption contains everything required.
    pub passed: bool,
    /// The words recognised as the disclosure, and the required hashtags found.
    pub found: Vec<String>,
    /// What is missing: `advertising disclosure`, and required hashtags.
    pub missing: Vec<String>,
    /// The result in a sentence.
    pub message: String,
}

/// The name of the disclosure in `missing`.
const DISCLOSURE: &str = "advertising disclosure";
/// The number of characters of a caption that are visible before expanding it.
const SHOWN: usize = 125;
/// The maximum number of hashtags in a row before the disclosing one.
const TAGS_BEFORE: usize = 3;

/// Hashtags that count by themselves. A vague `#partner`, `#collab` or `#sp` does not.
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
/// Phrases that count anywhere as whole words.
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
/// Words that count as the very first word.
const OPENINGS: &[&str] = &["ad", "advert", "sponsored", "promoted"];
/// Words that negate the words after them.
const DENIALS: &[&str] = &[
    "not", "no", "non", "never", "isn't", "isn’t", "wasn't", "wasn’t", "aint", "ain't", "ain’t",
    "un",
];

/// Words allowed between a negation and the phrase it negates.
const FILLERS: &[&str] = &["a", "an", "the", "in", "any", "really", "even"];

/// Checks a caption for the disclosure, if one is required, and for the milestone's hashtags.
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

/// The result of searching for the disclosure.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    /// It is in a visible place: these words.
    Plain(String),
    /// It is in a place where few readers see it: these words.
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
            "There is no caption, so the advertising is not disclosed.".to_owned()
        }
        Seen::Nothing => {
            "The caption does not disclose the advertising, for example by #ad or “paid \
             partnership” at its start."
                .to_owned()
        }
    };
    if tags.is_empty() { disclosure } else { format!("{disclosure} Missing: {}.", tags.join(", ")) }
}

/// A hashtag of a caption.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tag {
    /// Without its sign, in lower case.
    word: String,
    /// The number of characters before it.
    at: usize,
    /// The number of hashtags in a row before it.
    before: usize,
    /// Whether it is part of something longer, as in `#ad-free`.
    open: bool,
}

/// The hashtags of a lower-case caption.
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
        // A sign within a word, as in `a#b`, starts no hashtag.
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

/// Whether this letter continues a word. Invisible marks and joiners belong to the word, so a word
/// with one in it is a different word.
fn goes_on(letter: char) -> bool {
    letter.is_alphanumeric()
        || matches!(letter, '_' | '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200d}')
        || matches!(letter, '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

/// The best-placed disclosure in a lower-case caption.
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

/// A disclosing word at the very start: `Ad: …`, `Sponsored | …`.
fn opening(caption: &str) -> Option<String> {
    let start = caption.trim_start_matches(|c: char| !goes_on(c) && !matches!(c, '#' | '＃' | '@'));
    let word: String = start.chars().take_while(|letter| goes_on(*letter)).collect();
    let after = start.get(word.len()..).unwrap_or_default().trim_start_matches(' ');
    let set_off =
        after.is_empty() || after.starts_with([':', '|', '-', '–', '—', ']', ')', '.', '\n']);
    // `ad-free` and `ad hoc` mean something else.
    let joined = start.get(word.len()..).is_some_and(|rest| {
        let mut rest = rest.chars();
        rest.next() == Some('-') && rest.next().is_some_and(goes_on)
    });
    (OPENINGS.contains(&word.as_str()) && set_off && !joined).then_some(word)
}

/// The positions, in characters, where the phrase occurs as whole words and is not negated.
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

/// Whether the text before negates the words after it, apart from filler words.
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
