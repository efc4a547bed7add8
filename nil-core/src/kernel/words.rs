//! Search text, split into words.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The words of a search. A match must contain all of them; the last one may be the beginning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// The words of a text, or `None` if it has no letters and no digits. All other characters separate words, so a
    /// text cannot contain operators of a query language.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let is_gap = |letter: char| !(letter.is_alphanumeric() || is_combining_mark(letter));
        let words: Vec<String> = text
            .split(is_gap)
            .filter(|word| word.contains(char::is_alphanumeric))
            .map(str::to_owned)
            .collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// The words in the query language of SQLite's FTS5, which ignores case and accents itself.
    #[must_use]
    pub fn for_fts5(&self) -> String {
        let quoted: Vec<String> = self.0.iter().map(|word| format!("\"{word}\"")).collect();
        format!("{}*", quoted.join(" "))
    }

    /// The words in lower case without accents, for text that was folded the same way.
    pub(crate) fn folded(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().map(|word| fold(word))
    }

    /// The words in the query language of PostgreSQL's `to_tsquery`, folded like the searched text (`search_fold` in
    /// the migrations).
    #[must_use]
    pub fn for_tsquery(&self) -> String {
        let folded: Vec<String> = self.folded().collect();
        format!("{}:*", folded.join(" & "))
    }
}

/// A word in lower case without accents.
fn fold(word: &str) -> String {
    let bare = word.nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c));
    bare.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neither_letter_nor_digit_is_a_gap() {
        let words = Words::of(" \"Zoë\" OR NOT(o'Brien)* -12 ").unwrap();
        let quoted = r#""Zoë" "OR" "NOT" "o" "Brien" "12"*"#;
        assert_eq!(words.for_fts5(), quoted);
        assert_eq!(words.for_tsquery(), "zoe & or & not & o & brien & 12:*");
    }

    #[test]
    fn text_without_a_word_asks_for_nothing() {
        for nothing in ["", "  ", "***", "\" ' ; -- ( ) : & | !", "\u{301}", "🏈"] {
            assert_eq!(Words::of(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn accents_are_folded_however_they_are_written() {
        for angstrom in ["Ångström", "A\u{30a}ngstro\u{308}m", "angstrom"] {
            assert_eq!(Words::of(angstrom).unwrap().for_tsquery(), "angstrom:*");
        }
    }
}
