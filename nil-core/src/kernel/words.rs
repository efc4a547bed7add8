//! Search text, split into words.

use super::fold::{asked_words, words_of};

/// The words of a search, folded (see [`fold`](super::fold)). A match must contain all of them; the
/// last one may be the beginning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// The words of a text, or `None` if it has no letters and no digits. All other characters
    /// separate words, so a text cannot contain operators of a query language.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        if !text.contains(char::is_alphanumeric) {
            return None;
        }
        let words: Vec<String> =
            asked_words(text).filter(|word| word.contains(char::is_alphanumeric)).collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// The words in the query language of SQLite's FTS5.
    #[must_use]
    pub fn for_fts5(&self) -> String {
        let quoted: Vec<String> = self.0.iter().map(|word| format!("\"{word}\"")).collect();
        format!("{}*", quoted.join(" "))
    }

    /// The words, for text that was folded the same way.
    pub fn folded(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The words in the query language of PostgreSQL's `to_tsquery`, folded like the searched text
    /// (`search_fold` in the migrations).
    #[must_use]
    pub fn for_tsquery(&self) -> String {
        self.tsquery(" & ")
    }

    /// The words in the query language of PostgreSQL's `to_tsquery`, folded like the searched text,
    /// for text that contains any of them: `ts_rank` then weighs each word by itself, and not how
    /// near the words are to each other.
    #[must_use]
    pub fn any_for_tsquery(&self) -> String {
        self.tsquery(" | ")
    }

    fn tsquery(&self, between: &str) -> String {
        format!("{}:*", self.0.join(between))
    }
}

/// What a word weighs in the first of several texts (a name or a title), and in the others. They
/// are whole numbers, so that a sum does not depend on the order of its parts: what matches equally
/// well weighs the same.
const IN_FIRST: i64 = 10_000_000;
const IN_OTHERS: i64 = 1_000_000;

/// Tells which texts contain all words of a search, by the rules of the full-text indexes, and how
/// well they match. For text that is at hand anyway; an index finds rare words faster.
#[derive(Clone, Debug)]
pub struct Sought(Vec<String>);

impl Sought {
    /// Reads words that were written by [`Words::folded`], with blanks between them.
    pub fn of(folded: &str) -> Self {
        Self(folded.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect())
    }

    /// Whether these texts together contain all words; the last one may be the beginning of a word.
    pub fn is_in(&self, texts: &[&str]) -> bool {
        let mut missing: Vec<&str> = self.0.iter().map(String::as_str).collect();
        let last = missing.pop();
        let mut last_found = last.is_none();
        for word in texts.iter().flat_map(|text| words_of(text)) {
            missing.retain(|wanted| !word.eq_ignore_ascii_case(wanted));
            last_found = last_found || last.is_some_and(|last| begins_with(&word, last));
            if last_found && missing.is_empty() {
                return true;
            }
        }
        last_found && missing.is_empty()
    }

    /// How well these texts match: higher is better. Each word adds the weights of its occurrences,
    /// of which the second counts a quarter, the third a ninth and so on, as in PostgreSQL's
    /// `ts_rank`: a word that is repeated in a description never outweighs one in a title.
    pub fn weight_in(&self, texts: &[&str]) -> i64 {
        let mut seen = vec![0_i64; self.0.len()];
        let mut sum = 0;
        let last = self.0.len().saturating_sub(1);
        for (place, text) in texts.iter().enumerate() {
            let weight = if place == 0 { IN_FIRST } else { IN_OTHERS };
            for word in words_of(text) {
                for (number, (wanted, times)) in self.0.iter().zip(&mut seen).enumerate() {
                    let is_it = if number == last {
                        begins_with(&word, wanted)
                    } else {
                        word.eq_ignore_ascii_case(wanted)
                    };
                    if is_it {
                        *times += 1;
                        sum += weight / (*times * *times);
                    }
                }
            }
        }
        sum
    }
}

fn begins_with(word: &str, beginning: &str) -> bool {
    let head = word.as_bytes().get(..beginning.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(beginning.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neither_letter_nor_digit_is_a_gap() {
        let words = Words::of(" \"Zoë\" OR NOT(o'Brien)* -12 ").unwrap();
        let quoted = r#""zoe" "or" "not" "obrien" "12"*"#;
        assert_eq!(words.for_fts5(), quoted);
        assert_eq!(words.for_tsquery(), "zoe & or & not & obrien & 12:*");
        assert_eq!(words.any_for_tsquery(), "zoe | or | not | obrien | 12:*");
    }

    #[test]
    fn text_without_a_word_asks_for_nothing() {
        for nothing in ["", "  ", "***", "\" ' ; -- ( ) : & | !", "\u{301}", "🏈"] {
            assert_eq!(Words::of(nothing), None, "{nothing}");
        }
    }

    fn sought(q: &str) -> Sought {
        let words = Words::of(q).unwrap();
        let folded: Vec<&str> = words.folded().collect();
        Sought::of(&folded.join(" "))
    }

    #[test]
    fn a_word_in_a_title_outweighs_any_number_in_a_description() {
        let weight = |q: &str, title: &str, text: &str| sought(q).weight_in(&[title, text]);
        let best_first = [
            weight("torch day", "Torch day", "A torch."),
            weight("torch day", "TORCH day", "Carry it."),
            weight("torch day", "Torch", "A day or two."),
            weight("torch day", "Relay", &"torch days ".repeat(500)),
            weight("torch day", "Relay", "A torch for a day."),
        ];
        assert!(best_first.is_sorted_by(|better, worse| better > worse), "{best_first:?}");
        assert_eq!(weight("cafe", "Café", ""), IN_FIRST);
        assert_eq!(weight("CAF", "cafes", ""), IN_FIRST);
        assert_eq!(weight("tor relay", "torch", "relays"), IN_OTHERS, "only the last is cut off");
        assert_eq!(weight("a b", "a a b", ""), weight("a b", "b a a", ""));
    }

    #[test]
    fn a_text_contains_all_words_and_the_beginning_of_the_last_one() {
        let texts = ["Autograph day", "A Café in Zürich looks for SNEAKER-fans."];
        for q in ["cafe", "snea", "Sneaker auto", "fans", "zu", "CAFÉ for autograph d"] {
            assert!(sought(q).is_in(&texts), "{q}");
        }
        for q in ["snea cafe", "graph", "rich", "cafés", "day autograph dayx"] {
            assert!(!sought(q).is_in(&texts), "{q}");
        }
        assert!(sought("day day").is_in(&texts), "a word counts as often as it is asked for");
    }

    #[test]
    fn accents_are_folded_however_they_are_written() {
        for angstrom in ["Ångström", "A\u{30a}ngstro\u{308}m", "angstrom"] {
            assert_eq!(Words::of(angstrom).unwrap().for_tsquery(), "angstrom:*");
        }
    }
}
