//! Breaking text into lines.

use std::ops::Range;
use std::rc::Rc;

use super::DocumentError;
use super::fonts::Fonts;
use super::shape::{Shaped, shape};
use super::style::{Length, Style};
use super::typeface::{Glyph, UNITS_PER_EM};

/// One line of a text: a range of its glyphs.
#[derive(Debug, Clone)]
pub struct Line {
    pub style: Style,
    pub shaped: Rc<Shaped>,
    pub glyphs: Range<usize>,
    /// The width without the spaces at the end.
    pub width: Length,
}

impl Line {
    /// Whether the line begins at the right.
    pub fn leftwards(&self) -> bool {
        !self.shaped.level.is_multiple_of(2)
    }

    /// How far the spaces at the end of a line from right to left reach out at its left.
    pub fn hanging(&self) -> i32 {
        if !self.leftwards() {
            return 0;
        }
        let glyphs = self.shaped.glyphs.get(self.glyphs.clone()).unwrap_or_default();
        let spaces = glyphs.iter().rev().take_while(|glyph| is_space(&self.shaped.text, glyph));
        spaces.map(|space| space.advance).sum()
    }

    /// The line's glyphs as they stand on the page from left to right, each with its index in the
    /// text (rules L1 and L2 of Unicode's algorithm for both directions).
    pub fn visual(&self) -> Vec<(usize, Glyph)> {
        let all = self.shaped.glyphs.get(self.glyphs.clone()).unwrap_or_default();
        let mut glyphs: Vec<(usize, Glyph)> =
            self.glyphs.clone().zip(all.iter().copied()).collect();
        let spaces = glyphs.iter().rev().take_while(|(_, g)| is_space(&self.shaped.text, g));
        let text = glyphs.len() - spaces.count();
        for (_, space) in glyphs.iter_mut().skip(text) {
            space.level = self.shaped.level;
        }
        let highest = glyphs.iter().map(|(_, glyph)| glyph.level).max().unwrap_or(0);
        for level in (1..=highest).rev() {
            for run in glyphs
                .chunk_by_mut(|(_, one), (_, next)| (one.level >= level) == (next.level >= level))
            {
                if run.first().is_some_and(|(_, glyph)| glyph.level >= level) {
                    run.reverse();
                }
            }
        }
        glyphs
    }
}

/// Breaks a text into lines no wider than `width`; blank paragraphs are left out.
pub fn lines(
    fonts: &Fonts,
    text: &str,
    style: Style,
    width: Length,
) -> Result<Vec<Line>, DocumentError> {
    let measure = Measure { size: style.size };
    let mut lines = Vec::new();
    for paragraph in text.split(is_paragraph_end) {
        if paragraph.trim().is_empty() {
            continue;
        }
        // The trailing space separates the last word from the next paragraph for readers that
        // extract the text.
        let shaped = Rc::new(shape(fonts, &format!("{} ", paragraph.trim()), style.weight)?);
        for glyphs in wrap(&shaped, measure, width) {
            let set = shaped.glyphs.get(glyphs.clone()).unwrap_or_default();
            let width = measure.of(&shaped.text, set);
            lines.push(Line { style, shaped: Rc::clone(&shaped), glyphs, width });
        }
    }
    Ok(lines)
}

/// Whether a character ends a paragraph, by Unicode's definition.
fn is_paragraph_end(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The width of glyphs at a size.
#[derive(Debug, Clone, Copy)]
struct Measure {
    size: Length,
}

impl Measure {
    fn of(self, text: &str, glyphs: &[Glyph]) -> Length {
        let last = glyphs.iter().rposition(|glyph| !is_space(text, glyph));
        let visible = last.map_or(0, |last| last + 1);
        self.scale(glyphs.iter().take(visible).map(|glyph| i64::from(glyph.advance)).sum())
    }

    fn scale(self, units: i64) -> Length {
        let length = units * i64::from(self.size) / i64::from(UNITS_PER_EM);
        Length::try_from(length).unwrap_or(Length::MAX)
    }
}

fn is_space(text: &str, glyph: &Glyph) -> bool {
    text.get(glyph.start..).is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// Fills each line with as many words as fit, and cuts a word only if it is longer than a line.
fn wrap(shaped: &Shaped, measure: Measure, width: Length) -> Vec<Range<usize>> {
    let may_break = break_opportunities(shaped);
    let mut lines = Vec::new();
    // The starts of the line and of its last word, and the widths up to here and up to that word.
    let (mut first, mut word) = (0, 0);
    let (mut units, mut word_units) = (0_i64, 0_i64);
    for (index, glyph) in shaped.glyphs.iter().enumerate() {
        if may_break.get(index).copied().unwrap_or(false) {
            (word, word_units) = (index, units);
        }
        let advance = i64::from(glyph.advance);
        let visible = !is_space(&shaped.text, glyph);
        while visible && index > first && measure.scale(units + advance) > width {
            let (end, used) = if word > first {
                (word, word_units)
            } else if begins_cluster(&shaped.glyphs, index) {
                (index, units)
            } else {
                break;
            };
            lines.push(first..end);
            (first, word) = (end, end);
            (units, word_units) = (units - used, 0);
        }
        units += advance;
    }
    if first < shaped.glyphs.len() {
        lines.push(first..shaped.glyphs.len());
    }
    lines
}

/// For each glyph, whether a line may begin with it.
fn break_opportunities(shaped: &Shaped) -> Vec<bool> {
    let mut places = unicode_linebreak::linebreaks(&shaped.text).map(|(place, _)| place).peekable();
    let glyphs = shaped.glyphs.iter().enumerate();
    glyphs
        .map(|(index, glyph)| {
            while places.next_if(|place| *place < glyph.start).is_some() {}
            places.peek() == Some(&glyph.start) && begins_cluster(&shaped.glyphs, index)
        })
        .collect()
}

fn begins_cluster(glyphs: &[Glyph], index: usize) -> bool {
    let start = |index: usize| glyphs.get(index).map(|glyph| glyph.start);
    index.checked_sub(1).is_none_or(|before| start(before) != start(index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::style::{BODY, POINT};

    fn broken(text: &str, points: Length) -> Vec<String> {
        let lines = lines(&Fonts::default(), text, BODY, points * POINT).unwrap();
        let texts = lines.iter().map(|line| {
            let glyphs = &line.shaped.glyphs;
            let start = glyphs[line.glyphs.start].start;
            let end = glyphs.get(line.glyphs.end).map_or(line.shaped.text.len(), |g| g.start);
            assert!(line.width <= points * POINT, "{} is too wide", line.width);
            line.shaped.text[start..end].to_owned()
        });
        // The space that separates paragraphs is not relevant for these tests.
        texts.map(|text| text.trim_end().to_owned()).collect()
    }

    #[test]
    fn a_short_text_is_one_line() {
        assert_eq!(broken("To whom it may concern", 400), ["To whom it may concern"]);
        assert!(broken("", 400).is_empty());
    }

    #[test]
    fn words_stay_whole_and_in_order() {
        let text = "The quick brown fox jumps over the lazy dog and more besides";
        let lines = broken(text, 90);
        assert!(lines.len() > 2);
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_word_wider_than_the_line_is_cut() {
        let word = "W".repeat(100);
        let lines = broken(&format!("see {word} there"), 90);
        assert_eq!(lines[0], "see");
        assert!(lines.concat().starts_with(&format!("see{word}")), "{lines:?}");
    }

    #[test]
    fn even_a_line_too_narrow_for_a_letter_ends() {
        let lines = lines(&Fonts::default(), "Wide", BODY, POINT).unwrap();
        assert_eq!(lines.len(), 4);
    }

    /// The letters of a text's only line as they stand on the page; a letter of several glyphs
    /// counts once.
    fn on_the_page(text: &str) -> String {
        let lines = lines(&Fonts::default(), text, BODY, 400 * POINT).unwrap();
        let line = &lines[0];
        let mut starts: Vec<usize> = line.visual().iter().map(|(_, glyph)| glyph.start).collect();
        starts.dedup();
        let letters = starts.iter().map(|start| line.shaped.text[*start..].chars().next().unwrap());
        letters.collect::<String>().trim().to_owned()
    }

    #[test]
    fn what_runs_leftwards_is_turned_and_its_numbers_are_not() {
        assert_eq!(on_the_page("Paid to דוד כהן today"), "Paid to ןהכ דוד today");
        assert_eq!(on_the_page("דוד 12 כהן לוי"), "יול ןהכ 12 דוד");
        assert_eq!(on_the_page("Acme (כהן)"), "Acme (ןהכ)");
        assert_eq!(on_the_page("Zoë and 王小明"), "Zoë and 王小明");
    }

    #[test]
    fn the_space_at_the_end_stays_out_of_the_measure_in_either_direction() {
        let ends = |text| lines(&Fonts::default(), text, BODY, 400 * POINT).unwrap()[0].hanging();
        assert_eq!(ends("Avery"), 0);
        let space = shape(&Fonts::default(), " ", BODY.weight).unwrap().glyphs[0].advance;
        assert!(space > 0);
        assert_eq!((ends("דוד כהן"), ends("محمد")), (space, space));
    }

    #[test]
    fn a_turned_text_breaks_into_lines_in_the_order_of_reading() {
        let text = "דוד בן גוריון נולד בפלונסק ועלה לארץ ישראל בשנת אלף תשע מאות ושש";
        let lines = broken(text, 90);
        assert!(lines.len() > 2);
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn paragraphs_start_lines_and_blank_ones_vanish() {
        assert_eq!(broken("one\n\n  \r\ntwo\u{2028}three", 400), ["one", "two", "three"]);
    }
}
