//! Lengths and the few styles of the document.

use super::Paper;
use super::typeface::Weight;

/// A length in sixty-fourths of a point: exact, the same on every machine, and finer than any
/// printer.
pub type Length = i32;

/// One point.
pub const POINT: Length = 64;

/// A colour of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Running text.
    Black,
    /// Labels and the footer.
    Grey,
    /// The title, headings and the rule under the title.
    Blue,
    /// Hair lines of tables.
    Pale,
    /// The background of table headings.
    Tint,
}

impl Ink {
    /// Red, green and blue.
    pub const fn rgb(self) -> (u8, u8, u8) {
        match self {
            Self::Black => (0x1a, 0x1a, 0x1a),
            Self::Grey => (0x5a, 0x5f, 0x66),
            Self::Blue => (0x1c, 0x2f, 0x4f),
            Self::Pale => (0xb9, 0xc0, 0xca),
            Self::Tint => (0xee, 0xf1, 0xf5),
        }
    }
}

/// The appearance of a piece of text.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// The typeface's weight.
    pub weight: Weight,
    /// The size of the letters.
    pub size: Length,
    /// The distance from one baseline to the next.
    pub leading: Length,
    /// The colour.
    pub ink: Ink,
}

const fn style(weight: Weight, size: Length, leading: Length, ink: Ink) -> Style {
    Style { weight, size, leading, ink }
}

pub const TITLE: Style = style(Weight::Bold, 21 * POINT, 26 * POINT, Ink::Blue);
pub const SUBTITLE: Style = style(Weight::Regular, 12 * POINT, 16 * POINT, Ink::Black);
pub const LABEL: Style = style(Weight::Regular, 9 * POINT, 12 * POINT, Ink::Grey);
pub const HEADING: Style = style(Weight::Bold, 11 * POINT, 15 * POINT, Ink::Blue);
pub const BODY: Style = style(Weight::Regular, 10 * POINT, 25 * POINT / 2, Ink::Black);
pub const CELL: Style = style(Weight::Regular, 9 * POINT, 11 * POINT, Ink::Black);
pub const STRONG_CELL: Style = style(Weight::Bold, 9 * POINT, 11 * POINT, Ink::Black);
pub const FAINT_CELL: Style = style(Weight::Regular, 8 * POINT, 10 * POINT, Ink::Grey);
pub const COLUMN_HEAD: Style = style(Weight::Bold, 8 * POINT, 10 * POINT, Ink::Blue);
pub const FOOTER: Style = style(Weight::Regular, 7 * POINT, 9 * POINT, Ink::Grey);

/// A sheet and its text area.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// The sheet's width.
    pub sheet_width: Length,
    /// The sheet's height.
    pub sheet_height: Length,
    /// The left edge of the text.
    pub left: Length,
    /// The width of the text.
    pub width: Length,
    /// The upper edge of the text.
    pub top: Length,
    /// The lower edge of the text; the footer is below.
    pub bottom: Length,
}

impl Frame {
    /// The frame of a paper size: an inch at the sides, a little less above and below.
    pub const fn of(paper: Paper) -> Self {
        let (sheet_width, sheet_height) = match paper {
            // 595.276 × 841.89 points.
            Paper::A4 => (38_098, 53_881),
            Paper::Letter => (612 * POINT, 792 * POINT),
        };
        let margin = 72 * POINT;
        Self {
            sheet_width,
            sheet_height,
            left: margin,
            width: sheet_width - 2 * margin,
            top: 60 * POINT,
            bottom: sheet_height - 70 * POINT,
        }
    }

    /// The baseline of the footer.
    pub const fn footer(self) -> Length {
        self.sheet_height - 42 * POINT
    }

    /// The height that text can fill.
    pub const fn height(self) -> Length {
        self.bottom - self.top
    }
}
