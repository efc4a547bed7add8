//! Texts of others that have no limit, such as names that a payment processor gives.

use std::borrow::Cow;

use aws_lc_rs::digest::{SHA256, digest};

/// How many hexadecimal digits tell texts with the same beginning apart.
const TOLD_BY: usize = 16;
/// Stands where a text was cut.
const CUT: char = '…';

/// A text of somebody else as a column takes it: without control characters, of which databases
/// refuse some, and at most this long in bytes, because an index has no room for more. A text that
/// had to be changed ends with a fingerprint of itself: other texts become other ones.
#[must_use]
pub fn fitting(text: &str, most: usize) -> Cow<'_, str> {
    if is_fitting(text, most) {
        return Cow::Borrowed(text);
    }
    let mark = hex::encode(digest(&SHA256, text.as_bytes()));
    let mark: String = mark.chars().take(TOLD_BY).collect();
    let room = most.saturating_sub(mark.len() + CUT.len_utf8());
    let mut kept = String::new();
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        if kept.len() + letter.len_utf8() > room {
            break;
        }
        kept.push(letter);
    }
    kept.push(CUT);
    kept.push_str(&mark);
    Cow::Owned(kept)
}

/// Whether a column takes a text as it is.
#[must_use]
pub fn is_fitting(text: &str, most: usize) -> bool {
    text.len() <= most && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_stays_as_it_is() {
        for text in ["", "txn_1", &"x".repeat(250)] {
            assert!(is_fitting(text, 250));
            assert_eq!(fitting(text, 250), text);
        }
    }

    #[test]
    fn other_texts_become_other_ones_that_fit() {
        let long = "x".repeat(251);
        let other = format!("{long}y");
        let letters = "ä".repeat(200);
        let texts = [long.as_str(), &other, &letters, "a\0b", "ab\0", "a\nb"];
        for text in texts {
            let short = fitting(text, 250);
            assert!(is_fitting(&short, 250), "{short}");
            assert_ne!(short, text);
            let same = texts.iter().filter(|other| fitting(other, 250) == short).count();
            assert_eq!(same, 1, "{short}");
            // Said again, it is the same.
            assert_eq!(fitting(&short, 250), short);
        }
        assert!(fitting(&long, 250).starts_with("xxx"));
    }
}
