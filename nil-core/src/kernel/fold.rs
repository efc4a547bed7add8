//! One form for texts that people spell in several ways: without case, accents, and the shapes of
//! quotes.
//!
//! Searches, pick lists, comparisons, slugs and company keys all use it. SQLite calls these
//! functions; PostgreSQL has the same as functions of its own (`fold_text` and `search_fold` in the
//! migrations), and a test compares both.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Whether a letter is an apostrophe, or is typed in place of one.
fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '`' | '´' | '‘' | '’' | '‚' | '‛' | '′' | '‵' | '‹' | '›')
        || matches!(
            letter,
            'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | 'ʾ' | 'ʿ' | 'ˈ' | 'ˊ' | 'ˋ' | '՚' | '׳' | 'Ꞌ' | 'ꞌ' | '＇'
        )
}

/// Whether a letter is a double quote.
fn is_quote(letter: char) -> bool {
    matches!(
        letter,
        '"' | '“' | '”' | '„' | '‟' | '″' | '«' | '»' | 'ʺ' | 'ˮ' | '״' | '〝' | '〞' | '＂'
    )
}

/// Whether a letter is not drawn by itself: an accent, or a mark for the drawing of its neighbours.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}')
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// The plain letters for a small letter that Unicode does not take apart.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' | 'ǽ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ł' | 'ƚ' => "l",
        'ø' | 'ɔ' => "o",
        'đ' | 'ð' | 'ɖ' | 'ɗ' => "d",
        'ı' | 'ɨ' => "i",
        'ħ' => "h",
        'ŧ' | 'ⱦ' => "t",
        'ŋ' | 'ɲ' => "n",
        'ĸ' | 'ƙ' => "k",
        'ƀ' | 'ɓ' => "b",
        'ǥ' | 'ɣ' => "g",
        'ƶ' => "z",
        'ȼ' => "c",
        'ⱥ' => "a",
        'ə' | 'ɛ' | 'ɇ' => "e",
        'ɉ' => "j",
        'ɍ' => "r",
        'ʉ' => "u",
        'ʋ' => "v",
        'ɏ' | 'ƴ' => "y",
        'ς' => "σ",
        _ => return None,
    })
}

/// Small letters without accents. Apostrophes, double quotes, dashes and blanks become those of
/// ASCII.
fn letters(text: &str) -> String {
    decomposed(text).nfc().collect()
}

/// The same, before letters and marks of other scripts are composed.
fn decomposed(text: &str) -> String {
    let mut small = String::with_capacity(text.len());
    // Some apostrophes would be taken apart into a blank and an accent.
    let read = text.chars().map(|letter| if is_apostrophe(letter) { '\'' } else { letter });
    for letter in read.nfkd().filter(|letter| !is_mark(*letter)) {
        match letter {
            _ if is_apostrophe(letter) => small.push('\''),
            _ if is_quote(letter) => small.push('"'),
            '‐' | '‒' | '–' | '—' | '―' | '−' => small.push('-'),
            _ if letter.is_whitespace() => small.push(' '),
            _ => {
                for letter in letter.to_lowercase() {
                    match plain(letter) {
                        Some(plain) => small.push_str(plain),
                        None => small.push(letter),
                    }
                }
            }
        }
    }
    small
}

/// A text as it is compared and searched: small letters without accents, apostrophes and double
/// quotes, with ` and ` for an ampersand.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded: String = if text.is_ascii() {
        let blank = |byte: u8| matches!(byte, b'\t'..=b'\r');
        let kept = text.bytes().filter(|byte| !matches!(byte, b'\'' | b'"' | b'`'));
        kept.map(|byte| if blank(byte) { ' ' } else { char::from(byte.to_ascii_lowercase()) })
            .collect()
    } else {
        let mut folded = decomposed(text);
        folded.retain(|letter| !matches!(letter, '\'' | '"'));
        // What stood around an apostrophe is composed once it is gone.
        folded.nfc().collect()
    };
    if folded.contains('&') {
        folded = folded.replace(" &", "&").replace("& ", "&").replace('&', " and ");
    }
    folded
}

/// The words of a text, folded, with blanks between them: what an index of words is made of. A word
/// with an apostrophe is there as one word and in its parts, so `O'Neal` is found by `oneal`, by
/// `o'neal` and by `neal`.
#[must_use]
pub fn fold_words(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for word in words_of(text) {
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(&word.to_ascii_lowercase());
    }
    all
}

/// The words of a text as [`fold_words`] has them, except for the case of ASCII letters, which a
/// comparison ignores.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pieces_of(text).flat_map(|piece| {
        if !piece.contains('\'') {
            return with_parts(Some(piece), Vec::new());
        }
        let parts: Vec<String> =
            piece.split('\'').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let whole: String = parts.concat().nfc().collect();
        let whole = Some(whole).filter(|whole| !whole.is_empty()).map(Cow::Owned);
        with_parts(whole, if parts.len() > 1 { parts } else { Vec::new() })
    })
}

fn with_parts(
    whole: Option<Cow<'_, str>>,
    parts: Vec<String>,
) -> impl Iterator<Item = Cow<'_, str>> {
    whole.into_iter().chain(parts.into_iter().map(Cow::Owned))
}

/// The words of a search, folded: one with an apostrophe is one word.
pub(super) fn asked_words(text: &str) -> impl Iterator<Item = String> {
    let words = pieces_of(text).map(|piece| {
        let letters = piece.chars().filter(|letter| *letter != '\'');
        letters.nfc().collect::<String>().to_ascii_lowercase()
    });
    words.filter(|word| !word.is_empty())
}

/// The words of a text, folded but for the case of ASCII letters and the apostrophes in them; `and`
/// for an ampersand.
fn pieces_of(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.split(['&', '＆', '﹠']).enumerate().flat_map(|(number, part)| {
        let and = (number > 0).then_some(Cow::Borrowed("and"));
        let words = part.split(is_gap).filter(|word| !word.is_empty());
        let folded = words.map(|word| {
            if word.is_ascii() && !word.contains('`') {
                Cow::Borrowed(word)
            } else {
                Cow::Owned(letters(word))
            }
        });
        // Nothing is left of an accent by itself.
        and.into_iter().chain(folded.filter(|word| !word.is_empty()))
    })
}

/// Whether a letter separates words.
fn is_gap(letter: char) -> bool {
    match u8::try_from(letter) {
        Ok(byte) if byte.is_ascii() => {
            !(byte.is_ascii_alphanumeric() || matches!(byte, b'\'' | b'`'))
        }
        _ => {
            is_quote(letter)
                || !(letter.is_alphanumeric()
                    || is_combining_mark(letter)
                    || is_apostrophe(letter)
                    || is_mark(letter))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_one_name_are_one() {
        for (one, other) in [
            ("Łukasz Żółć", "lukasz zolc"),
            ("Örn Þórsson", "orn thorsson"),
            ("ÉCOLE", "E\u{301}cole"),
            ("Đorđe Søren Ærø", "dorde soren aero"),
            ("Straße", "STRASSE"),
            ("Işık İnan", "isik inan"),
            ("Hawaiʻi", "Hawai'i"),
            ("Hawaiʻi", "hawaii"),
            ("Mānoa", "Manoa"),
            ("St. John’s", "St. John's"),
            ("St. John´s", "st. johns"),
            ("AT&T", "at and t"),
            ("A & B", "A and B"),
            ("Smith–Jones", "smith-jones"),
            ("Ｆｕｌｌ＇ｓ", "fulls"),
            ("Zo\u{ad}e\u{200d}", "zoe"),
            ("ΝΊΚΟΣ", "Νικος"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} and {other}");
        }
        assert_ne!(fold("Juan Alvarez"), fold("Juana Lvarez"));
        assert_eq!(fold("김민수 が"), "김민수 が", "what is no accent of a letter stays");
    }

    #[test]
    fn a_word_with_an_apostrophe_is_whole_and_in_parts() {
        assert_eq!(fold_words("Shaquille O’Neal"), "shaquille oneal o neal");
        assert_eq!(fold_words("D'Andre's"), "dandres d andre s");
        assert_eq!(fold_words("'quoted' rock`n`roll"), "quoted rocknroll rock n roll");
        assert_eq!(fold_words("Ka\u{2bb}imi & Co."), "kaimi ka imi and co");
        assert_eq!(fold_words("“Bob”bie ' \u{301}"), "bob bie");
    }

    #[test]
    fn every_letter_that_is_folded_is_its_own_fold() {
        let again = |letter: &char| {
            let folded = fold(&letter.to_string());
            fold(&folded) != folded
        };
        assert_eq!(('\0'..=char::MAX).filter(again).collect::<String>(), "");
    }

    #[test]
    fn what_stands_around_an_apostrophe_is_composed() {
        let words = |text| asked_words(text).collect::<Vec<_>>();
        for (one, other) in [("\u{1e026}'\u{a3c}", "\u{1e026}\u{a3c}"), ("ᄀ'ᅡ", "가")] {
            assert_eq!(fold(one), fold(other));
            assert_eq!(fold(&fold(one)), fold(one));
            assert_eq!(words(one), words(other));
            assert_eq!(fold_words(one).split(' ').next(), fold_words(other).split(' ').next());
        }
    }

    proptest! {
        #[test]
        fn what_is_folded_is_its_own_fold(text in "\\PC{0,40}") {
            let folded = fold(&text);
            prop_assert_eq!(fold(&folded), folded);
        }
    }
}
