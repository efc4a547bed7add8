//! The HTML part of a mail, made from its text: the same words in paragraphs, with links that can
//! be followed. It loads nothing from other servers, and colors and typeface are the reader's own.

use reqwest::Url;

use crate::wording::escaped;

/// What may stand before a link.
const BEFORE: [char; 5] = ['(', '[', '<', '"', '\''];
/// What may stand after a link and is not part of it.
const AFTER: [char; 11] = ['.', ',', ';', ':', '!', '?', ')', ']', '>', '"', '\''];

/// The page for a mail with this subject and text.
pub(super) fn page(subject: &str, text: &str) -> String {
    let title = escaped(subject);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n</head>\n\
         <body style=\"font-family:sans-serif;font-size:100%;line-height:1.5\">\n\
         <main style=\"max-width:40em\">\n"
    );
    for paragraph in paragraphs(text) {
        page.push_str("<p>");
        let lines: Vec<String> = paragraph.iter().map(|line| linked(line)).collect();
        page.push_str(&lines.join("<br>\n"));
        page.push_str("</p>\n");
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// The lines of each paragraph; an empty line ends one.
fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let mut all = Vec::new();
    let mut open = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !line.is_empty() {
            open.push(line);
        } else if !open.is_empty() {
            all.push(std::mem::take(&mut open));
        }
    }
    if !open.is_empty() {
        all.push(open);
    }
    all
}

/// The escaped line, with its web addresses as links.
fn linked(line: &str) -> String {
    let mut into = String::with_capacity(line.len());
    for piece in line.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        let address = word.trim_start_matches(BEFORE).trim_end_matches(AFTER);
        match piece.split_once(address) {
            Some((before, after)) if is_web_address(address) => {
                let (before, address, after) = (escaped(before), escaped(address), escaped(after));
                for part in [&before, "<a href=\"", &address, "\">", &address, "</a>", &after] {
                    into.push_str(part);
                }
            }
            _ => into.push_str(&escaped(piece)),
        }
    }
    into
}

fn is_web_address(word: &str) -> bool {
    let is_web = word.starts_with("https://") || word.starts_with("http://");
    is_web && word.parse::<Url>().is_ok_and(|url| url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_lines_stay_what_they_are() {
        let text = "Hi Jo,\n\n\nfirst line\r\nsecond line\n\nThe team\n";
        let page = page("News", text);
        assert!(page.contains("<html lang=\"en\">"), "{page}");
        assert!(page.contains("<title>News</title>"), "{page}");
        let body = "<p>Hi Jo,</p>\n<p>first line<br>\nsecond line</p>\n<p>The team</p>\n</main>";
        assert!(page.contains(body), "{page}");
    }

    #[test]
    fn web_addresses_are_links_without_the_punctuation_around_them() {
        let becomes = |line: &str, address: &str| {
            let expected = format!("<a href=\"{address}\">{address}</a>");
            assert!(linked(line).contains(&expected), "{}", linked(line));
        };
        becomes("Go on: https://nil.example/a?b=c#d.", "https://nil.example/a?b=c#d");
        becomes("(see http://127.0.0.1:8080/x)", "http://127.0.0.1:8080/x");
        becomes("https://nil.example/a?b=1&c=2", "https://nil.example/a?b=1&amp;c=2");
        assert_eq!(linked("a  b"), "a  b");
        for plain in ["javascript:alert(1)", "https://", "ftp://nil.example/x", "nil.example", "…"]
        {
            assert_eq!(linked(plain), plain);
        }
    }

    #[test]
    fn nobodys_words_become_markup() {
        let hostile = "<script>alert(1)</script> https://x.example/\"onmouseover=\"a&b <img src=x>";
        let page = page("</title><script>", hostile);
        for mark in ["<script", "<img", "\"onmouseover"] {
            assert!(!page.contains(mark), "{page}");
        }
    }
}
