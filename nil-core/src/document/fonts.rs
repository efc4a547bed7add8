//! The typefaces that a document can use, and which of them sets a letter.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::thread;

use super::installed::Installed;
use super::letters::{cleaned, is_joiner, is_private};
use super::packed::{family, packed};
use super::typeface::{Typeface, Weight};

/// The fonts of the program, and those of a folder of the installation. Clones share what was read.
#[derive(Clone, Debug, Default)]
pub struct Fonts(Arc<Folder>);

#[derive(Debug, Default)]
struct Folder {
    path: Option<PathBuf>,
    /// Looked through from the start on.
    installed: OnceLock<Installed>,
}

/// A typeface, wherever it comes from.
#[derive(Debug, Clone)]
pub enum Chosen {
    Embedded(&'static Typeface),
    Installed(Arc<Typeface>),
}

impl std::ops::Deref for Chosen {
    type Target = Typeface;

    fn deref(&self) -> &Typeface {
        match self {
            Self::Embedded(typeface) => typeface,
            Self::Installed(typeface) => typeface,
        }
    }
}

impl PartialEq for Chosen {
    fn eq(&self, other: &Self) -> bool {
        let (one, two): (&Typeface, &Typeface) = (self, other);
        std::ptr::eq(one, two)
    }
}

impl Fonts {
    /// The fonts of the program and of this folder, which a thread begins to look through: a hire
    /// asks for letters inside of its transaction, and must not wait for files.
    pub fn with(folder: Option<PathBuf>) -> Self {
        let fonts = Self(Arc::new(Folder { path: folder, installed: OnceLock::new() }));
        if fonts.0.path.is_some() {
            let own = fonts.clone();
            let started = thread::Builder::new().name("fonts".to_owned()).spawn(move || {
                let _ = own.installed();
            });
            if let Err(error) = started {
                tracing::warn!(%error, "the folder of fonts is looked through when it is needed");
            }
        }
        fonts
    }

    fn installed(&self) -> Option<&Installed> {
        let path = self.0.path.as_deref()?;
        Some(self.0.installed.get_or_init(|| Installed::of(path)))
    }

    /// The typeface for a letter. A script for which there is one weight only is set in it.
    pub fn choose(&self, letter: char, weight: Weight) -> Option<Chosen> {
        if is_private(letter) {
            return None;
        }
        let (own, regular) = (family(weight)?, family(Weight::Regular)?);
        // The shaper makes spaces of every width from the common one.
        if letter.is_whitespace() || own.has(letter) {
            return Some(Chosen::Embedded(own));
        }
        if regular.has(letter) {
            return Some(Chosen::Embedded(regular));
        }
        if let Some(typeface) = packed(letter) {
            return Some(Chosen::Embedded(typeface));
        }
        self.installed()?.find(letter).map(Chosen::Installed)
    }

    fn shows(&self, letter: char) -> bool {
        let embedded = || {
            let family = family(Weight::Regular);
            family.is_some_and(|family| family.has(letter)) || packed(letter).is_some()
        };
        letter.is_whitespace()
            || is_joiner(letter)
            || !is_private(letter)
                && (embedded() || self.installed().is_some_and(|fonts| fonts.has(letter)))
    }

    /// The letters of a text that no font has, each once; empty if all of it can be printed.
    pub fn lacking(&self, text: &str) -> String {
        let mut lacking = String::new();
        for letter in cleaned(text).chars() {
            if !letter.is_ascii() && !self.shows(letter) && !lacking.contains(letter) {
                lacking.push(letter);
            }
        }
        lacking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fonts of the program only.
    fn own() -> Fonts {
        Fonts::default()
    }

    #[test]
    fn names_of_many_scripts_can_be_set() {
        for name in [
            "Zoë Łukaszewicz-Þórsdóttir",
            "Дарья Королёва",
            "Ελένη Παπαδοπούλου",
            "Nguyễn Thị Ánh",
            "王小明",
            "陳小春",
            "大谷 翔平",
            "さくら",
            "김민수",
            "محمد علی\u{200c}رضا",
            "דוד בן-גוריון",
            "अर्जुन",
            "สมชาย",
            "সৌরভ",
            "ਗੁਰਪ੍ਰੀਤ",
            "અમિત",
            "முருகன்",
            "రాము",
            "ರವಿ",
            "മോഹൻ",
            "සුනිල්",
            "ສົມສັກ",
            "အောင်",
            "გიორგი",
            "አበበ",
            "ᏣᎳᎩ",
            "ᐃᓄᒃ",
            "សុខា",
            "𐓏𐓘𐓻𐓘𐓻𐓟",
            "Արմեն",
            "ޙަސަން",
            "Kaʻimi O’Neal-Ōtani",
            "🏈🏃",
        ] {
            assert_eq!(own().lacking(name), "", "{name}");
        }
    }

    #[test]
    fn what_no_font_has_is_named_once() {
        assert_eq!(own().lacking("𒀀 a 𒀀\u{e001}\u{200b}é"), "𒀀\u{e001}");
    }

    #[test]
    fn a_folder_adds_what_it_has() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/fonts");
        let fonts = Fonts::with(Some(folder));
        assert_eq!(fonts.lacking("Ж𒀀"), "𒀀");
    }
}
