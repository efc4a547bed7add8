//! The language in which a page is tried: English with an accent on each letter and two fifths
//! longer. A text that stays plain is not among the texts, and one that is cut off has no room.

use std::borrow::Cow;

/// The text, longer.
pub(super) fn longer(text: &str) -> Cow<'_, str> {
    let mut longer = String::with_capacity(text.len() * 2);
    // Every letter owes two fifths of one; a word of two letters already gets a third.
    let mut owed = 1;
    for letter in text.chars() {
        let with_accent = accented(letter);
        longer.push(with_accent);
        owed += 2;
        if owed >= 5 && letter.is_alphabetic() {
            longer.push(with_accent);
            owed -= 5;
        }
    }
    Cow::Owned(longer)
}

fn accented(letter: char) -> char {
    const PLAIN: &str = "aeioucnsyzAEIOUCNSYZ";
    const ACCENTED: &str = "åéîöûçñšýžÅÉÎÖÛÇÑŠÝŽ";
    let at = PLAIN.chars().position(|plain| plain == letter);
    at.and_then(|at| ACCENTED.chars().nth(at)).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_is_two_fifths_longer() {
        let text = "What waits for a decision";
        let longer = super::longer(text);
        assert_eq!(longer.chars().count(), text.chars().count() * 7 / 5);
        assert!(longer.starts_with("Whhåt"), "{longer}");
    }
}
