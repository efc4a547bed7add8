//! One typeface, in the forms that the shaper and the PDF writer need.

use std::sync::Arc;

use krilla::text::Font;
use rustybuzz::{Direction, Face, UnicodeBuffer};
use unicode_normalization::UnicodeNormalization as _;

/// The weights of the document's font family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Running text.
    Regular,
    /// Titles and headings.
    Bold,
}

/// The units in which all glyphs are measured, whatever the units of their typeface: those of the
/// family.
pub const UNITS_PER_EM: i32 = 2048;

/// The bytes of a typeface.
enum Source {
    /// Part of the program, and read already.
    Embedded(Box<Face<'static>>),
    /// A file of the installation. Reading its tables again is cheap; its bytes are not copied.
    File(Arc<Vec<u8>>, u32),
}

/// A typeface.
pub struct Typeface {
    source: Source,
    /// The font to embed.
    pub font: Font,
    units_per_em: i32,
}

/// A glyph with its measures in [`UNITS_PER_EM`] and its position in the text.
#[derive(Debug, Clone, Copy)]
pub struct Glyph {
    pub id: u32,
    pub advance: i32,
    pub x_offset: i32,
    pub y_offset: i32,
    /// The start of its cluster in the text, in bytes.
    pub start: usize,
    /// The index of its typeface among those of the text.
    pub typeface: usize,
    /// Its level by Unicode's rules for both directions: odd from right to left.
    pub level: u8,
}

impl std::fmt::Debug for Typeface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Typeface")
    }
}

impl Typeface {
    /// A typeface of the program.
    pub fn embedded(data: &'static [u8]) -> Option<Self> {
        let face = Face::from_slice(data, 0)?;
        let units_per_em = face.units_per_em();
        let font = Font::new(data.into(), 0)?;
        Some(Self { source: Source::Embedded(Box::new(face)), font, units_per_em })
    }

    /// A typeface of a file; a file may hold several.
    pub fn of_file(data: Vec<u8>, index: u32) -> Option<Self> {
        let data = Arc::new(data);
        let units_per_em = Face::from_slice(&data, index)?.units_per_em();
        let font = Font::new(Arc::clone(&data).into(), index)?;
        Some(Self { source: Source::File(data, index), font, units_per_em })
    }

    fn with<T>(&self, read: impl FnOnce(&Face<'_>) -> T) -> Option<T> {
        match &self.source {
            Source::Embedded(face) => Some(read(face)),
            Source::File(data, index) => Face::from_slice(data, *index).map(|face| read(&face)),
        }
    }

    /// Whether the typeface can show a letter: with a glyph of its own, or composed of others.
    pub fn has(&self, letter: char) -> bool {
        let shows = |face: &Face<'_>| {
            let drawn = |letter: char| face.glyph_index(letter).is_some();
            drawn(letter) || std::iter::once(letter).nfd().all(drawn)
        };
        self.with(shows).unwrap_or(false)
    }

    /// Shapes text of one direction; the glyphs are in the order of the text, not in that of the
    /// page.
    pub fn shape(&self, text: &str, level: u8) -> Vec<Glyph> {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let leftwards = !level.is_multiple_of(2);
        let direction = if leftwards { Direction::RightToLeft } else { Direction::LeftToRight };
        buffer.set_direction(direction);
        let Some(shaped) = self.with(|face| rustybuzz::shape(face, &[], buffer)) else {
            return Vec::new();
        };
        let positions = shaped.glyph_positions().iter();
        let glyphs = shaped.glyph_infos().iter().zip(positions).map(|(info, position)| Glyph {
            id: info.glyph_id,
            advance: self.scaled(position.x_advance),
            x_offset: self.scaled(position.x_offset),
            y_offset: self.scaled(position.y_offset),
            start: usize::try_from(info.cluster).unwrap_or(usize::MAX),
            typeface: 0,
            level,
        });
        let mut glyphs: Vec<Glyph> = glyphs.collect();
        if leftwards {
            glyphs.reverse();
        }
        glyphs
    }

    fn scaled(&self, units: i32) -> i32 {
        if self.units_per_em == UNITS_PER_EM {
            return units;
        }
        let scaled =
            i64::from(units) * i64::from(UNITS_PER_EM) / i64::from(self.units_per_em.max(1));
        i32::try_from(scaled).unwrap_or(i32::MAX)
    }
}
