//! Sanitises file names for saving: no path, no control characters, and an ending that fits the
//! content.

use super::file::MediaType;

/// The maximum length of a name, in characters.
const LONGEST: usize = 120;
/// Names that Windows treats as devices, with any ending.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// The stored name of a file, made from the given one.
#[must_use]
pub fn safe_name(given: &str, kind: MediaType) -> String {
    let kept = kept(given);
    let kept = trimmed(&kept);
    let (stem, ending) = match kept.rsplit_once('.') {
        Some((stem, ending)) if fits(kind, ending) => (stem, ending.to_lowercase()),
        _ => (kept, usual(kind).to_owned()),
    };
    let room = LONGEST.saturating_sub(ending.len() + 1);
    match safe_stem(stem, room).as_str() {
        "" => format!("file.{ending}"),
        stem => format!("{stem}.{ending}"),
    }
}

/// The stored name of a folder, made from the given one; none if nothing of it can be kept.
#[must_use]
pub fn safe_folder_name(given: &str) -> Option<String> {
    Some(safe_stem(&kept(given), LONGEST)).filter(|name| !name.is_empty())
}

/// The letters of the last part of a path that are allowed in a name.
fn kept(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    last.chars().filter_map(letter).collect()
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c == '.' || c.is_whitespace())
}

/// At most `room` letters, none of them a dot or a blank at either end, and not the name of a
/// device.
fn safe_stem(stem: &str, room: usize) -> String {
    let stem: String = trimmed(stem).chars().take(room).collect();
    let stem = trimmed(&stem);
    let device = stem.split('.').next().unwrap_or_default();
    if is_device(device) {
        // One letter less fits with the mark.
        let fitting: String = stem.chars().take(room.saturating_sub(1)).collect();
        format!("_{fitting}")
    } else {
        stem.to_owned()
    }
}

fn fits(kind: MediaType, ending: &str) -> bool {
    let ending = ending.to_lowercase();
    kind.endings().contains(&ending.as_str())
}

fn usual(kind: MediaType) -> &'static str {
    kind.endings().first().copied().unwrap_or("bin")
}

/// The letter, if allowed in a name: not invisible, not reversing the text direction, and not
/// special to a file system.
fn letter(c: char) -> Option<char> {
    match c {
        '<' | '>' | ':' | '"' | '|' | '?' | '*' => Some('_'),
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e0fff}' => None,
        _ if c.is_control() => None,
        _ => Some(c),
    }
}

fn is_device(word: &str) -> bool {
    let word = word.trim().to_lowercase();
    let port = word.strip_prefix("com").or_else(|| word.strip_prefix("lpt"));
    let numbered = port.is_some_and(|rest| rest.chars().count() == 1 && rest != "_");
    DEVICES.contains(&word.as_str()) || numbered
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_ordinary_name_stays() {
        for name in ["reel 1.mp4", "Proof of posting (final).mp4", "Zoë – Łódź.mp4", "試合.mp4"]
        {
            assert_eq!(safe_name(name, MediaType::Mp4), name);
        }
        assert_eq!(safe_name("IMG_1.JPG", MediaType::Jpeg), "IMG_1.jpg");
        assert_eq!(safe_name("scan.jpeg", MediaType::Jpeg), "scan.jpeg");
    }

    #[test]
    fn the_ending_fits_the_content() {
        assert_eq!(safe_name("page.html", MediaType::Jpeg), "page.html.jpg");
        assert_eq!(safe_name("run.jpg.exe", MediaType::Jpeg), "run.jpg.exe.jpg");
        assert_eq!(safe_name("results", MediaType::Csv), "results.csv");
        assert_eq!(safe_name("results.txt", MediaType::Csv), "results.txt.csv");
        assert_eq!(safe_name("v1.2", MediaType::Pdf), "v1.2.pdf");
    }

    #[test]
    fn hostile_names_are_harmless() {
        for (given, kept) in [
            ("../../etc/passwd", "passwd.png"),
            ("/etc/passwd", "passwd.png"),
            ("..\\..\\windows\\win.ini", "win.ini.png"),
            ("C:\\boot.png", "boot.png"),
            ("C:boot.png", "C_boot.png"),
            ("....//....//x.png", "x.png"),
            ("a/b/../c.png", "c.png"),
            ("", "file.png"),
            (".", "file.png"),
            ("..", "file.png"),
            ("...png", "png.png"),
            (".png", "png.png"),
            ("   ", "file.png"),
            ("x.png/", "file.png"),
            ("x.png\\", "file.png"),
            (".htaccess", "htaccess.png"),
            ("x.png.", "x.png"),
            ("x.png ", "x.png"),
            ("a\0b.png", "ab.png"),
            ("a\r\nSet-Cookie: x=1.png", "aSet-Cookie_ x=1.png"),
            ("a\u{202e}gnp.exe", "agnp.exe.png"),
            ("a\u{200b}\u{feff}.png", "a.png"),
            ("con", "_con.png"),
            ("CON.png", "_CON.png"),
            ("nul.tar.png", "_nul.tar.png"),
            ("com1.png", "_com1.png"),
            ("LPT9.png", "_LPT9.png"),
            ("LPT¹.png", "_LPT¹.png"),
            ("common.png", "common.png"),
            ("a<b>|c?.png", "a_b__c_.png"),
            ("$(rm -rf).png", "$(rm -rf).png"),
            ("%2e%2e%2fx.png", "%2e%2e%2fx.png"),
            ("x.png::$DATA", "x.png__$DATA.png"),
            ("~/.ssh/id", "id.png"),
        ] {
            assert_eq!(safe_name(given, MediaType::Png), kept, "{given:?}");
        }
        let long = safe_name(&"x".repeat(5_000), MediaType::Png);
        assert_eq!(long.chars().count(), LONGEST);
    }

    #[test]
    fn a_folders_name_leads_nowhere() {
        for (given, kept) in [
            ("Press kit 2026", "Press kit 2026"),
            ("../../etc", "etc"),
            ("a/b", "b"),
            ("C:\\Users", "Users"),
            (".git", "git"),
            ("con", "_con"),
            ("nul.d", "_nul.d"),
            ("v1.2 ", "v1.2"),
        ] {
            assert_eq!(safe_folder_name(given).as_deref(), Some(kept), "{given:?}");
        }
        for nothing in ["", ".", "..", "  ", "a/", "\u{202e}", "..\\"] {
            assert_eq!(safe_folder_name(nothing), None, "{nothing:?}");
        }
        let long = safe_folder_name(&"x".repeat(5_000)).unwrap();
        assert_eq!(long.chars().count(), LONGEST);
    }

    proptest! {
        #[test]
        fn no_folder_leads_anywhere(given in any::<String>()) {
            if let Some(name) = safe_folder_name(&given) {
                prop_assert!(!name.is_empty() && name.chars().count() <= LONGEST);
                prop_assert!(!name.starts_with('.') && !name.ends_with(['.', ' ']));
                prop_assert!(!name.contains(['/', '\\', ':']) && !name.contains(char::is_control));
                prop_assert_eq!(safe_folder_name(&name), Some(name));
            }
        }

        #[test]
        fn no_name_leads_anywhere(given in any::<String>()) {
            let name = safe_name(&given, MediaType::Pdf);
            prop_assert!(name.strip_suffix(".pdf").is_some() && name.chars().count() <= LONGEST);
            prop_assert!(!name.starts_with('.') && name.len() > 4);
            prop_assert!(!name.contains(['/', '\\', ':']) && !name.contains(char::is_control));
            prop_assert_eq!(safe_name(&name, MediaType::Pdf), name);
        }
    }
}
