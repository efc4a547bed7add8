//! Which characters of a text are printed at all.

/// The text as it is printed: without what cannot be seen, which would let a signed text read
/// differently from how it looks.
pub fn cleaned(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            // Few fonts have the space of Ogham, which is no space to shapers.
            '\t' | '\u{1680}' => clean.push(' '),
            // Between letters of some scripts these two decide which form a letter takes, as in
            // Persian or Sinhala.
            '\u{200c}' | '\u{200d}' if clean.chars().next_back().is_some_and(joins) => {
                clean.push(letter);
            }
            _ if letter.is_control() || is_invisible(letter) => {}
            _ => clean.push(letter),
        }
    }
    clean
}

/// Whether a character has no form of its own: it goes with the character before it.
pub const fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

/// Whether a letter belongs to a script in which letters join or stack.
fn joins(letter: char) -> bool {
    let code = u32::from(letter);
    (0x600..0x1100).contains(&code) || (0x1780..0x1900).contains(&code)
}

/// Whether a character is laid out but leaves no trace: a mark of direction or a selector of a
/// form.
const fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Private-use and special characters have no agreed meaning, and PDF/A does not allow them.
pub const fn is_private(letter: char) -> bool {
    matches!(letter,
        '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}' | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_not_set() {
        assert_eq!(cleaned("a\u{202e}b\u{200b}c\u{feff}\u{0}d\te\u{200d}f"), "abcd ef");
    }

    #[test]
    fn a_joiner_stays_where_it_decides_a_form() {
        for text in ["علی\u{200c}رضا", "ක්\u{200d}රි"] {
            assert_eq!(cleaned(text), text);
        }
    }
}
