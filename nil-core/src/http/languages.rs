//! The language that a browser asks for (`Accept-Language`, RFC 9110).

/// The most ranges of a header that are read.
const RANGES: usize = 16;

/// The language that a browser likes best of those there are: `meant` says which one a range of the
/// header, such as `es-MX` or `*`, means. Of two with the same weight, the first one counts.
pub fn preferred<L>(header: &str, meant: impl Fn(&str) -> Option<L>) -> Option<L> {
    let ranges = header.split(',').take(RANGES).filter_map(|range| {
        let (range, weight) = range.split_once(';').unwrap_or((range, ""));
        Some((meant(range.trim())?, thousandths(weight)?))
    });
    let mut best: Option<(L, u16)> = None;
    for (language, weight) in ranges.filter(|(_, weight)| *weight > 0) {
        if best.as_ref().is_none_or(|(_, least)| weight > *least) {
            best = Some((language, weight));
        }
    }
    best.map(|(language, _)| language)
}

/// A weight such as `q=0.8`, in thousandths; none if it is not one.
fn thousandths(text: &str) -> Option<u16> {
    let text = text.trim();
    if text.is_empty() {
        return Some(1_000);
    }
    let (whole, part) = text.strip_prefix("q=")?.split_once('.').unwrap_or((text.get(2..)?, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if part.len() > 3 || whole.len() != 1 || !is_number(part) {
        return None;
    }
    let all = whole.parse::<u16>().ok()? * 1_000 + format!("{part:0<3}").parse::<u16>().ok()?;
    (all <= 1_000).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_language_that_it_likes_best() {
        let meant = |range: &str| match range.split('-').next() {
            Some("en" | "*") => Some("en"),
            Some("es") => Some("es"),
            _ => None,
        };
        for (header, language) in [
            ("es", Some("es")),
            ("es-MX,es;q=0.9,en;q=0.8", Some("es")),
            ("en-US,en;q=0.9,es;q=0.8", Some("en")),
            ("de, es;q=0.5, en;q=0.75", Some("en")),
            ("de;q=1.0, fr", None),
            ("es;q=0, en;q=0.001", Some("en")),
            ("es;q=2, en;q=x", None),
            ("*", Some("en")),
            ("", None),
        ] {
            assert_eq!(preferred(header, meant), language, "{header}");
        }
        let far = format!("{}es", "de,".repeat(RANGES));
        assert_eq!(preferred(&far, meant), None, "a long header is not read to its end");
    }
}
