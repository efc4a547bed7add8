//! The fonts of the installation: those of a folder, for letters that the embedded ones lack.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustybuzz::ttf_parser::cmap;

use super::typeface::Typeface;

/// How deep folders are searched, and how many files are looked at.
const DEEPEST: usize = 8;
const MOST: usize = 5_000;
/// The largest table of letters that is read, in bytes; those of the largest fonts take half a
/// megabyte.
const LARGEST: u32 = 4 * 1024 * 1024;

/// The fonts of a folder, with their letters. A font itself is read when one of its letters is
/// printed.
#[derive(Debug)]
pub(super) struct Installed(Vec<Candidate>);

/// A font of a file.
#[derive(Debug)]
struct Candidate {
    path: PathBuf,
    /// Its place in a file of several.
    index: u32,
    /// The letters that it has, as first and last of unbroken runs in order.
    runs: Vec<(u32, u32)>,
    read: OnceLock<Option<Arc<Typeface>>>,
}

impl Installed {
    /// The fonts of a folder and the folders in it. What cannot be read is not there.
    pub(super) fn of(folder: &Path) -> Self {
        let mut files = Vec::new();
        collect(folder, 0, &mut files);
        files.sort_by_cached_key(|path| (rank(path), path.clone()));
        Self(files.iter().flat_map(|path| candidates(path).unwrap_or_default()).collect())
    }

    /// Whether a font has a letter.
    pub(super) fn has(&self, letter: char) -> bool {
        self.0.iter().any(|candidate| candidate.has(letter))
    }

    /// The first readable font that has a letter.
    pub(super) fn find(&self, letter: char) -> Option<Arc<Typeface>> {
        let having = self.0.iter().filter(|candidate| candidate.has(letter));
        having.filter_map(Candidate::typeface).find(|typeface| typeface.has(letter))
    }
}

impl Candidate {
    fn has(&self, letter: char) -> bool {
        let code = u32::from(letter);
        let after = self.runs.partition_point(|(first, _)| *first <= code);
        let run = after.checked_sub(1).and_then(|at| self.runs.get(at));
        run.is_some_and(|(_, last)| code <= *last)
    }

    fn typeface(&self) -> Option<Arc<Typeface>> {
        let read = || Typeface::of_file(fs::read(&self.path).ok()?, self.index).map(Arc::new);
        self.read.get_or_init(read).clone()
    }
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            if depth < DEEPEST {
                collect(&path, depth + 1, files);
            }
        } else if files.len() < MOST && is_font(&path) {
            files.push(path);
        }
    }
}

fn is_font(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["ttf", "otf", "ttc", "otc"].iter().any(|font| ending.eq_ignore_ascii_case(font))
}

/// Upright fonts of regular weight come first, and among them those with serifs, as the rest of the
/// document has.
fn rank(path: &Path) -> u8 {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let odd = has(&["bold", "italic", "oblique", "black", "light", "thin", "medium", "mono"]);
    u8::from(odd) * 2 + u8::from(!has(&["serif", "ming", "song", "batang"]))
}

/// The fonts of a file that have outlines and may be embedded.
fn candidates(path: &Path) -> Option<Vec<Candidate>> {
    let mut file = File::open(path).ok()?;
    let offsets = offsets(&mut file)?;
    let fonts = offsets.into_iter().zip(0..).filter_map(|(offset, index)| {
        let runs = letters(&mut file, offset)?;
        Some(Candidate { path: path.to_owned(), index, runs, read: OnceLock::new() })
    });
    Some(fonts.collect())
}

/// Where the fonts of a file begin.
fn offsets(file: &mut File) -> Option<Vec<u32>> {
    let head = bytes(file, 0, 12)?;
    if head.get(..4)? != b"ttcf" {
        return Some(vec![0]);
    }
    let count = number(&head, 8)?.min(64);
    let list = bytes(file, 12, count * 4)?;
    Some(list.chunks_exact(4).filter_map(|four| number(four, 0)).collect())
}

/// The letters of the font that begins at `offset`.
fn letters(file: &mut File, offset: u32) -> Option<Vec<(u32, u32)>> {
    let head = bytes(file, offset, 12)?;
    let count = number(&head, 4)? >> 16;
    let directory = bytes(file, offset.checked_add(12)?, count * 16)?;
    let table = |name: &[u8; 4]| {
        let entry = directory.chunks_exact(16).find(|entry| entry.starts_with(name))?;
        Some((number(entry, 8)?, number(entry, 12)?))
    };
    table(b"glyf").or_else(|| table(b"CFF "))?;
    if let Some((at, _)) = table(b"OS/2") {
        // The second half of these four bytes says how the font may be used: 2 is no embedding.
        let used = number(&bytes(file, at.checked_add(6)?, 4)?, 0)?;
        if used & 0xf == 2 {
            return None;
        }
    }
    let (at, length) = table(b"cmap")?;
    let data = bytes(file, at, length)?;
    let subtables = cmap::Table::parse(&data)?.subtables;
    let mut runs = Vec::new();
    for subtable in subtables.into_iter().filter(cmap::Subtable::is_unicode) {
        subtable.codepoints(|code| add(&mut runs, code..=code));
    }
    runs.sort_unstable();
    let mut joined = Vec::new();
    for (first, last) in runs {
        add(&mut joined, first..=last);
    }
    Some(joined)
}

/// Adds letters to runs: to the last one if they go on with it. A table names its letters in order,
/// so that a font of thousands has few runs before they are sorted.
fn add(runs: &mut Vec<(u32, u32)>, letters: RangeInclusive<u32>) {
    let (first, last) = letters.into_inner();
    match runs.last_mut() {
        Some(run) if (run.0..=run.1.saturating_add(1)).contains(&first) => run.1 = last.max(run.1),
        _ => runs.push((first, last)),
    }
}

fn bytes(file: &mut File, at: u32, length: u32) -> Option<Vec<u8>> {
    if length > LARGEST {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    file.seek(SeekFrom::Start(u64::from(at))).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// The number in four bytes.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assets() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/fonts")
    }

    #[test]
    fn a_folder_lends_its_letters_and_nothing_else() {
        let fonts = Installed::of(&assets());
        assert!(fonts.has('é') && fonts.has('Ж'));
        assert!(!fonts.has('王') && fonts.find('王').is_none());
        assert!(fonts.find('Ж').is_some());
    }

    #[test]
    fn runs_are_unbroken_whatever_the_order_of_the_letters() {
        let mut runs = Vec::new();
        for code in [5, 6, 7, 6, 9, 1, 2, 8] {
            add(&mut runs, code..=code);
        }
        assert_eq!(runs, [(5, 7), (9, 9), (1, 2), (8, 8)]);
    }

    #[test]
    fn a_folder_that_is_not_there_and_a_file_that_is_no_font_are_passed_over() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(!Installed::of(&scratch.path().join("nowhere")).has('a'));
        fs::write(scratch.path().join("short.ttf"), b"ttcf").unwrap();
        fs::write(scratch.path().join("wild.otf"), [0xff; 400]).unwrap();
        let whole = fs::read(assets().join("LiberationSerif-Regular.ttf")).unwrap();
        fs::write(scratch.path().join("cut.ttf"), &whole[..3_000]).unwrap();
        assert!(!Installed::of(scratch.path()).has('a'));
        fs::write(scratch.path().join("whole.TTF"), whole).unwrap();
        assert!(Installed::of(scratch.path()).has('a'));
    }
}
