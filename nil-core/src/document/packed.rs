//! The typefaces that are part of the program: Liberation Serif for Latin, Greek, Cyrillic and
//! Hebrew, and a packed font for each of many other scripts (`assets/fonts/pack` makes them).

use std::io::Read as _;
use std::sync::{LazyLock, OnceLock};

use flate2::read::GzDecoder;

use super::typeface::{Typeface, Weight};

/// The family of all running text.
struct Family {
    regular: Typeface,
    bold: Typeface,
}

// Reading a font takes longer than laying out a page, and it never changes: it is read once.
static FAMILY: LazyLock<Option<Family>> = LazyLock::new(|| {
    let read = Typeface::embedded;
    Some(Family {
        regular: read(include_bytes!("../../assets/fonts/LiberationSerif-Regular.ttf"))?,
        bold: read(include_bytes!("../../assets/fonts/LiberationSerif-Bold.ttf"))?,
    })
});

/// The family's typeface of a weight.
pub(super) fn family(weight: Weight) -> Option<&'static Typeface> {
    let family = FAMILY.as_ref()?;
    Some(match weight {
        Weight::Regular => &family.regular,
        Weight::Bold => &family.bold,
    })
}

/// A packed font. It is unpacked when a letter of its blocks is first asked for.
struct Packed {
    /// The first and last characters of the blocks that it is for; it need not have all of them.
    blocks: &'static [(u32, u32)],
    bytes: &'static [u8],
    unpacked: OnceLock<Vec<u8>>,
    typeface: OnceLock<Option<Typeface>>,
}

impl Packed {
    const fn new(bytes: &'static [u8], blocks: &'static [(u32, u32)]) -> Self {
        Self { blocks, bytes, unpacked: OnceLock::new(), typeface: OnceLock::new() }
    }

    fn is_for(&self, code: u32) -> bool {
        self.blocks.iter().any(|(first, last)| (*first..=*last).contains(&code))
    }

    fn typeface(&'static self) -> Option<&'static Typeface> {
        let read = || {
            let unpacked = self.unpacked.get_or_init(|| {
                let mut bytes = Vec::new();
                // A font that does not unpack has no letters, which a test would see.
                let read = GzDecoder::new(self.bytes).read_to_end(&mut bytes);
                read.map_or_else(|_| Vec::new(), |_| bytes)
            });
            Typeface::embedded(unpacked)
        };
        self.typeface.get_or_init(read).as_ref()
    }
}

/// The packed typeface that has a letter.
pub(super) fn packed(letter: char) -> Option<&'static Typeface> {
    let candidates = PACKED.iter().filter(|packed| packed.is_for(u32::from(letter)));
    candidates.filter_map(Packed::typeface).find(|typeface| typeface.has(letter))
}

macro_rules! font {
    ($name:literal, $blocks:expr) => {
        Packed::new(include_bytes!(concat!("../../assets/fonts/noto/", $name, ".gz")), &$blocks)
    };
}

static PACKED: [Packed; 24] = [
    font!("Armenian", [(0x530, 0x58f), (0xfb13, 0xfb17)]),
    font!(
        "Arabic",
        [(0x600, 0x6ff), (0x750, 0x77f), (0x8a0, 0x8ff), (0xfb50, 0xfdff), (0xfe70, 0xfefe)]
    ),
    font!("Thaana", [(0x780, 0x7bf)]),
    font!("Devanagari", [(0x900, 0x97f), (0x1cd0, 0x1cff), (0xa8e0, 0xa8ff)]),
    font!("Bengali", [(0x980, 0x9ff)]),
    font!("Gurmukhi", [(0xa00, 0xa7f)]),
    font!("Gujarati", [(0xa80, 0xaff)]),
    font!("Tamil", [(0xb80, 0xbff)]),
    font!("Telugu", [(0xc00, 0xc7f)]),
    font!("Kannada", [(0xc80, 0xcff)]),
    font!("Malayalam", [(0xd00, 0xd7f)]),
    font!("Sinhala", [(0xd80, 0xdff)]),
    font!("Thai", [(0xe00, 0xe7f)]),
    font!("Lao", [(0xe80, 0xeff)]),
    font!("Myanmar", [(0x1000, 0x109f), (0xa9e0, 0xa9ff), (0xaa60, 0xaa7f)]),
    font!("Georgian", [(0x10a0, 0x10ff), (0x1c90, 0x1cbf), (0x2d00, 0x2d2f)]),
    font!("Ethiopic", [(0x1200, 0x139f), (0x2d80, 0x2ddf), (0xab00, 0xab2f)]),
    font!("Cherokee", [(0x13a0, 0x13ff), (0xab70, 0xabbf)]),
    font!("CanadianAboriginal", [(0x1400, 0x167f), (0x18b0, 0x18ff)]),
    font!("Khmer", [(0x1780, 0x17ff), (0x19e0, 0x19ff)]),
    font!("Osage", [(0x104b0, 0x104ff)]),
    font!("Hangul", [(0x3131, 0x318e), (0xac00, 0xd7a3)]),
    font!("Han", [(0x3000, 0x30ff), (0x3400, 0x9fff), (0xff00, 0xffef)]),
    font!("Emoji", [(0x2000, 0x2bff), (0x3030, 0x303d), (0x3297, 0x3299), (0x1f000, 0x1faff)]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_packed_font_can_be_read_and_is_asked_for_what_it_has() {
        for font in &PACKED {
            let typeface = font.typeface().unwrap();
            for (first, last) in font.blocks {
                let mut letters = (*first..=*last).filter_map(char::from_u32);
                assert!(letters.any(|letter| typeface.has(letter)), "nothing from {first:x}");
            }
        }
    }
}
