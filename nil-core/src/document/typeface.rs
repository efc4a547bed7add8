//! The embedded typefaces, and shaping of text into their glyphs.

use std::sync::LazyLock;

use krilla::text::Font;
use rustybuzz::{Direction, Face, UnicodeBuffer};

use super::DocumentError;

/// The weights of the document's font family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Running text.
    Regular,
    /// Titles and headings.
    Bold,
}

/// One weight, in the forms that the shaper and the PDF writer need.
pub(crate) struct Typeface {
    face: Face<'static>,
    /// The font to embed.
    pub(crate) font: Font,
    /// The font's units per em.
    pub(crate) units_per_em: u16,
}

/// The family.
pub(crate) struct Family {
    regular: Typeface,
    bold: Typeface,
}

// Reading a font takes longer than laying out a page, and it never changes: it is read once.
static FAMILY: LazyLock<Option<Family>> = LazyLock::new(|| {
    Some(Family {
        regular: read(include_bytes!("../../assets/fonts/LiberationSerif-Regular.ttf"))?,
        bold: read(include_bytes!("../../assets/fonts/LiberationSerif-Bold.ttf"))?,
    })
});

fn read(data: &'static [u8]) -> Option<Typeface> {
    let face = Face::from_slice(data, 0)?;
    let units_per_em = u16::try_from(face.units_per_em()).ok()?;
    Some(Typeface { face, font: Font::new(data.into(), 0)?, units_per_em })
}

/// The embedded family.
pub(crate) fn family() -> Result<&'static Family, DocumentError> {
    FAMILY.as_ref().ok_or(DocumentError::Typeface)
}

/// A glyph with its measures in font units and its position in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyph {
    pub(crate) id: u32,
    pub(crate) advance: i32,
    pub(crate) x_offset: i32,
    pub(crate) y_offset: i32,
    /// The start of its cluster in the text, in bytes.
    pub(crate) start: usize,
}

/// A piece of text and its glyphs, left to right.
#[derive(Debug)]
pub(crate) struct Shaped {
    /// The text as printed: cleaned, with characters missing in the font replaced.
    pub(crate) text: String,
    pub(crate) glyphs: Vec<Glyph>,
}

impl Family {
    /// The typeface of a weight.
    pub(crate) const fn of(&self, weight: Weight) -> &Typeface {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }
}

/// The replacement for characters that cannot be printed, so that a gap is not taken for an empty word. The family has
/// no U+FFFD; an empty box is what readers know from elsewhere.
const REPLACEMENT: char = '□';

impl Typeface {
    /// Shapes one line's worth of text, however long.
    pub(crate) fn shape(&self, text: &str) -> Shaped {
        let text: String = text.chars().filter_map(printable).collect();
        let glyphs = self.glyphs(&text);
        if glyphs.iter().all(|glyph| glyph.id != 0) {
            return Shaped { text, glyphs };
        }
        // Missing glyphs are checked only now: a letter without its own glyph may be composed of several.
        let text: String = text.chars().map(|letter| self.or_replacement(letter)).collect();
        let glyphs = self.glyphs(&text);
        Shaped { text, glyphs }
    }

    fn glyphs(&self, text: &str) -> Vec<Glyph> {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        buffer.set_direction(Direction::LeftToRight);
        let shaped = rustybuzz::shape(&self.face, &[], buffer);
        let positions = shaped.glyph_positions().iter();
        let glyphs = shaped.glyph_infos().iter().zip(positions).map(|(info, position)| Glyph {
            id: info.glyph_id,
            advance: position.x_advance,
            x_offset: position.x_offset,
            y_offset: position.y_offset,
            start: usize::try_from(info.cluster).unwrap_or(usize::MAX),
        });
        glyphs.collect()
    }

    fn or_replacement(&self, letter: char) -> char {
        if self.face.glyph_index(letter).is_some() { letter } else { REPLACEMENT }
    }
}

/// A character before shaping: itself, a replacement, or nothing.
pub(crate) fn printable(letter: char) -> Option<char> {
    match letter {
        '\t' => Some(' '),
        _ if letter.is_control() || is_invisible(letter) => None,
        _ if is_private(letter) || runs_leftwards(letter) => Some(REPLACEMENT),
        _ => Some(letter),
    }
}

/// Removes invisible characters: a signed text must not read differently from how it looks.
const fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Private-use and special characters have no agreed meaning, and PDF/A does not allow them.
const fn is_private(letter: char) -> bool {
    matches!(letter,
        '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}' | '\u{f0000}'..='\u{10ffff}')
}

/// Scripts written from right to left need an order that is not computed here.
const fn runs_leftwards(letter: char) -> bool {
    matches!(letter,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> String {
        family().unwrap().of(Weight::Regular).shape(text).text
    }

    #[test]
    fn european_names_are_set_as_they_are() {
        for name in ["Zoë Łukaszewicz-Þórsdóttir", "Дарья Королёва", "Ελένη Παπαδοπούλου", "Nguyễn"]
        {
            assert_eq!(set(name), name);
        }
    }

    #[test]
    fn every_glyph_exists_after_replacement() {
        for weight in [Weight::Regular, Weight::Bold] {
            let shaped = family().unwrap().of(weight).shape("選手 🏃‍♀️ \u{1F1FA} \u{e001} שלום");
            assert!(shaped.glyphs.iter().all(|glyph| glyph.id != 0), "{shaped:?}");
            assert!(shaped.text.contains(REPLACEMENT));
        }
    }

    #[test]
    fn what_cannot_be_seen_is_not_set() {
        assert_eq!(set("a\u{202e}b\u{200b}c\u{feff}\u{0}d\te"), "abcd e");
    }

    #[test]
    fn a_base_and_its_accent_become_one_cluster() {
        let shaped = family().unwrap().of(Weight::Regular).shape("e\u{301}x");
        let starts: Vec<usize> = shaped.glyphs.iter().map(|glyph| glyph.start).collect();
        assert_eq!(starts.last(), Some(&3));
        assert!(starts.iter().all(|start| [0, 3].contains(start)), "{starts:?}");
    }
}
