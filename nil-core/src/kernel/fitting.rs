//! Texts of others that have no limit, such as names that a payment processor gives.

use std::borrow::Cow;

use aws_lc_rs::digest::{SHA256, digest};

/// The most bytes that columns take of such a text: an index has no room for more.
const MOST: usize = 250;
/// How many hexadecimal digits tell texts with the same beginning apart.
const TOLD_BY: usize = 16;
/// Stands where a text was cut.
const CUT: char = '…';

/// A text of somebody else as a column takes it: without control characters, of which databases
/// refuse some, and at most 250 bytes long. A text that had to be changed ends with a fingerprint
/// of itself: other texts become other ones.
#[must_use]
pub fn fitting(text: &str) -> Cow<'_, str> {
    if is_fitting(text) {
        return Cow::Borrowed(text);
    }
    let mark = hex::encode(digest(&SHA256, text.as_bytes()));
    let mark: String = mark.chars().take(TOLD_BY).collect();
    let room = MOST.saturating_sub(mark.len() + CUT.len_utf8());
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
pub fn is_fitting(text: &str) -> bool {
    text.len() <= MOST && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_stays_as_it_is() {
        for text in ["", "txn_1", &"x".repeat(250)] {
            assert!(is_fitting(text));
            assert_eq!(fitting(text), text);
        }
    }

    #[test]
    fn other_texts_become_other_ones_that_fit() {
        let long = "x".repeat(251);
        let other = format!("{long}y");
        let letters = "ä".repeat(200);
        let texts = [long.as_str(), &other, &letters, "a\0b", "ab\0", "a\nb"];
        for text in texts {
            let short = fitting(text);
            assert!(is_fitting(&short), "{short}");
            assert_ne!(short, text);
            let same = texts.iter().filter(|other| fitting(other) == short).count();
            assert_eq!(same, 1, "{short}");
            // Said again, it is the same.
            assert_eq!(fitting(&short), short);
        }
        assert!(fitting(&long).starts_with("xxx"));
    }
}
