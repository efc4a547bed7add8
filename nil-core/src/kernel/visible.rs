//! Whether anything of a text can be seen.

use unicode_normalization::char::is_combining_mark;

/// Whether a text has a character that is drawn.
pub(super) fn is_visible(text: &str) -> bool {
    text.chars().any(|letter| {
        letter.is_ascii_graphic()
            || !(letter.is_ascii() || is_nothing(letter) || is_combining_mark(letter))
    })
}

/// Whether a character is drawn as nothing: blanks, controls, what only steers the drawing of
/// others (Unicode's `Default_Ignorable_Code_Point`), and letters whose picture is empty.
fn is_nothing(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{2800}')
        || matches!(letter, '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}')
        || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{ffa0}')
        || matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}')
        || matches!(letter, '\u{16fe4}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}')
        || matches!(letter, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
