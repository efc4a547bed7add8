//! Shapes a text: chooses a typeface for every letter, and orders what runs from right to left.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

use super::DocumentError;
use super::fonts::{Chosen, Fonts};
use super::letters::{cleaned, is_joiner};
use super::typeface::{Glyph, Weight};

/// A piece of text and its glyphs, in the order of the text.
#[derive(Debug)]
pub struct Shaped {
    /// The text as printed.
    pub text: String,
    pub glyphs: Vec<Glyph>,
    pub typefaces: Vec<Chosen>,
    /// The level of the paragraph: odd if it runs from right to left.
    pub level: u8,
}

/// A part of the text with one typeface and one direction.
struct Run {
    start: usize,
    end: usize,
    typeface: usize,
    level: u8,
}

/// Shapes one paragraph, however long; refused if no font has one of its letters.
pub fn shape(fonts: &Fonts, text: &str, weight: Weight) -> Result<Shaped, DocumentError> {
    let text = cleaned(text);
    let base = base(&text);
    let mut typefaces: Vec<Chosen> = Vec::new();
    let mut lacking = String::new();
    let mut runs: Vec<Run> = Vec::new();
    let levels = levels(&text, base);
    for (start, letter) in text.char_indices() {
        let before = runs.last().map(|run| run.typeface);
        let Some(typeface) = choose(fonts, letter, weight, before, &mut typefaces) else {
            if !lacking.contains(letter) {
                lacking.push(letter);
            }
            continue;
        };
        let level = levels.get(start).map_or(0, Level::number);
        let end = start + letter.len_utf8();
        match runs.last_mut() {
            Some(run) if run.typeface == typeface && run.level == level => run.end = end,
            _ => runs.push(Run { start, end, typeface, level }),
        }
    }
    if !lacking.is_empty() {
        return Err(DocumentError::lacking(lacking));
    }
    let mut glyphs = Vec::new();
    for run in &runs {
        let part = text.get(run.start..run.end).unwrap_or_default();
        let shaped = typefaces.get(run.typeface).map(|typeface| typeface.shape(part, run.level));
        for glyph in shaped.unwrap_or_default() {
            let start = run.start + glyph.start;
            if glyph.id == 0 {
                let letter = text.get(start..).and_then(|rest| rest.chars().next());
                lacking.extend(letter.filter(|letter| !lacking.contains(*letter)));
            }
            glyphs.push(Glyph { start, typeface: run.typeface, ..glyph });
        }
    }
    if lacking.is_empty() {
        Ok(Shaped { text, glyphs, typefaces, level: base.number() })
    } else {
        Err(DocumentError::lacking(lacking))
    }
}

/// The index of the typeface for a letter. A mark goes with the letter it stands on.
fn choose(
    fonts: &Fonts,
    letter: char,
    weight: Weight,
    before: Option<usize>,
    typefaces: &mut Vec<Chosen>,
) -> Option<usize> {
    let mark = bidi_class(letter) == BidiClass::NSM;
    let goes_along = before
        .and_then(|at| typefaces.get(at))
        .is_some_and(|typeface| is_joiner(letter) || mark && typeface.has(letter));
    if goes_along {
        return before;
    }
    let chosen = fonts.choose(letter, weight)?;
    let known = typefaces.iter().position(|known| *known == chosen);
    Some(known.unwrap_or_else(|| {
        typefaces.push(chosen);
        typefaces.len() - 1
    }))
}

/// The direction of a paragraph: that of most of its letters. The documents are English with names
/// from anywhere, so that the first letter alone must not turn a sentence around.
fn base(text: &str) -> Level {
    let (mut rightwards, mut leftwards) = (0_usize, 0_usize);
    for letter in text.chars().filter(|letter| !letter.is_ascii() || letter.is_ascii_alphabetic()) {
        match bidi_class(letter) {
            BidiClass::L => rightwards += 1,
            BidiClass::R | BidiClass::AL => leftwards += 1,
            _ => {}
        }
    }
    if leftwards > rightwards { Level::rtl() } else { Level::ltr() }
}

/// The level of each byte of the text.
fn levels(text: &str, base: Level) -> Vec<Level> {
    if text.is_ascii() {
        return Vec::new();
    }
    BidiInfo::new(text, Some(base)).levels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Shaped {
        shape(&Fonts::default(), text, Weight::Regular).unwrap()
    }

    #[test]
    fn european_names_are_set_as_they_are() {
        for name in ["Zoë Łukaszewicz-Þórsdóttir", "Дарья Королёва", "Ελένη Παπαδοπούλου", "Nguyễn"]
        {
            let shaped = set(name);
            assert_eq!(shaped.text, name);
            assert_eq!(shaped.typefaces.len(), 1, "{name}");
        }
    }

    #[test]
    fn what_no_font_has_is_refused_and_named() {
        for weight in [Weight::Regular, Weight::Bold] {
            let refused = shape(&Fonts::default(), "Tablet 𒀀, 𒀀 and \u{e001}", weight);
            assert_eq!(refused.unwrap_err(), DocumentError::lacking("𒀀\u{e001}".to_owned()));
        }
    }

    #[test]
    fn a_base_and_its_accent_become_one_cluster() {
        let shaped = set("e\u{301}x");
        let starts: Vec<usize> = shaped.glyphs.iter().map(|glyph| glyph.start).collect();
        assert_eq!(starts.last(), Some(&3));
        assert!(starts.iter().all(|start| [0, 3].contains(start)), "{starts:?}");
    }

    #[test]
    fn glyphs_follow_the_text_in_either_direction() {
        for text in ["Paid to محمد علي in 2026", "שלום, Ridge 12", "अर्जुन and 王小明"]
        {
            let shaped = set(text);
            assert!(shaped.glyphs.is_sorted_by_key(|glyph| glyph.start), "{text}");
            assert!(shaped.glyphs.iter().all(|glyph| glyph.id != 0), "{text}");
        }
    }

    #[test]
    fn a_paragraph_runs_as_most_of_its_letters_do() {
        assert_eq!(set("محمد signs for Ridge").level, 0);
        assert_eq!(set("שלום לכולם, Ridge").level, 1);
        assert_eq!(set("2026").level, 0);
    }
}
