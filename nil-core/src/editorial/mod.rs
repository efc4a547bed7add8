//! The site's own content: legal documents, the privacy policy, posts, questions, testimonials and
//! pages.
//!
//! Tables: `legal_document` and `privacy_policy_edit` (only ever added to), `publication`. There
//! are no state machines.
//!
//! 1. [`legal`] adds and reads versions of legal documents.
//! 2. [`privacy`] takes edits of the privacy policy, limits them, and lets operators restore one.
//! 3. [`publishing`]: operators write posts, questions, testimonials and pages; [`reading`] lists
//!    those that are public.
//! 4. [`listing`]: operators list all of them, and the versions of legal documents.
//!
//! All rich text is sanitised here before it is stored. Called by the catalog's operations;
//! announcements use the sanitiser too.

pub mod legal;
mod legal_document;
pub mod listing;
mod policy_edit;
pub mod privacy;
mod publication;
pub mod publishing;
pub mod reading;
mod store;

use std::sync::LazyLock;

use ammonia::Builder;

use crate::error::{Error, Result};
use crate::kernel::aside;

pub use legal_document::{LegalDocument, LegalKind, ListTerms};
pub use policy_edit::PolicyEdit;
pub use privacy::PrivacyPolicy;
pub use publication::{
    ListPublications, Publication, PublicationKind, PublicationStatus, Readership,
};

/// Sanitises rich text: removes everything that could run code or load from elsewhere (model: rich
/// text is sanitised on the way in). Text, lists, tables, headings and links remain.
fn sanitised(text: &str) -> String {
    static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
        let mut builder = Builder::default();
        builder
            .url_schemes(["http", "https", "mailto"].into())
            .rm_tags(["img", "map", "area"])
            // The crate checks the schemes of links and sources, not those of `cite`, which nobody
            // needs.
            .rm_tag_attributes("blockquote", ["cite"])
            .rm_tag_attributes("q", ["cite"])
            .rm_tag_attributes("del", ["cite"])
            .rm_tag_attributes("ins", ["cite"])
            .link_rel(Some("noopener noreferrer nofollow"));
        builder
    });
    CLEANER.clean(text).to_string()
}

/// How many tags a text may begin.
const MOST_TAGS: usize = 10_000;
/// The largest product of the number of tags and of those that format. A reader of HTML repeats
/// formatting that was not ended in every block that follows, so that this is how much a text can
/// grow.
const MOST_REPEATED: usize = 500_000;
/// The tags that format, as the standard lists them.
const FORMATTING: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Whether reading a text costs no more than its length lets expect.
fn is_bounded(text: &str) -> bool {
    let (mut tags, mut formatting) = (0_usize, 0_usize);
    for part in text.split('<').skip(1) {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        let name = part.get(..end).unwrap_or_default();
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            tags += 1;
            formatting += usize::from(FORMATTING.iter().any(|one| name.eq_ignore_ascii_case(one)));
        }
    }
    tags <= MOST_TAGS && tags.saturating_mul(formatting) <= MOST_REPEATED
}

/// How often a text is read until reading changes nothing. Markup that is nested as no page nests
/// it, such as a heading in a table in a heading, takes two or three.
const MOST_READINGS: usize = 8;

/// A sanitised text that is clean as it is: what reading once more would change, a browser would
/// read in another way than this did. None for a text that does not come to rest, or that grows.
fn settled(text: &str) -> Option<String> {
    let mut clean = sanitised(text);
    for _ in 1..MOST_READINGS {
        let again = is_bounded(&clean).then(|| sanitised(&clean))?;
        if again == clean {
            return Some(clean);
        }
        clean = again;
    }
    None
}

/// The sanitised text; 422 if nothing remains, if it has too many tags, or if these are nested so
/// that each reader reads them in another way. Sanitised before a transaction begins, off the
/// threads that serve requests.
pub async fn shown(field: &str, text: &str) -> Result<String> {
    if !is_bounded(text) {
        return Err(Error::invalid(field, "has too many tags"));
    }
    let text = text.to_owned();
    let clean = aside(move || settled(&text)).await?;
    let clean = clean.ok_or_else(|| Error::invalid(field, "has tags that are nested wrongly"))?;
    if clean.trim().is_empty() {
        return Err(Error::invalid(field, "is empty after sanitising"));
    }
    Ok(clean)
}

/// Converts sanitised rich text to plain text for mails and notifications: one line per block, cut
/// after `most` characters with an ellipsis.
pub fn plain(clean: &str, most: usize) -> String {
    static WORDS: LazyLock<Builder<'static>> = LazyLock::new(Builder::empty);
    let mut text = clean.to_owned();
    for block in ["br", "hr", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre"] {
        for tag in [format!("<{block}>"), format!("</{block}>")] {
            text = text.replace(&tag, &format!("\n{tag}"));
        }
    }
    let mut text = WORDS.clean(&text).to_string();
    // The entities that occur in text; the ampersand last, so that it creates no new ones.
    for (entity, letter) in [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&")] {
        text = text.replace(entity, letter);
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    if text.chars().count() <= most {
        return text;
    }
    let cut: String = text.chars().take(most).collect();
    let end = cut.rfind(char::is_whitespace).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or(&cut).trim_end())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{is_bounded, plain, sanitised, settled};

    #[test]
    fn no_text_grows_beyond_what_its_length_lets_expect() {
        let formats =
            |n: usize| (0..n).map(|n| ["<b a=", &n.to_string(), ">"].concat()).collect::<String>();
        let within = |text: String| text.chars().take(100_000).collect::<String>();
        for (text, bounded) in [
            (formats(4_000) + &"<p>".repeat(15_000), false),
            (formats(2_000) + &"<p>".repeat(2_000), false),
            (formats(600) + &"<li>".repeat(600), false),
            (formats(120) + &"<p>".repeat(3_900), true),
            ("<div>".repeat(9_900), true),
            ("<table>".repeat(9_900), true),
            ("<p>Words, and more words.</p>".repeat(3_000), true),
            ("<p><b>1.</b> Words, and more words.</p>".repeat(350), true),
            ("</b>".repeat(24_000), true),
        ] {
            let text = within(text);
            assert_eq!(is_bounded(&text), bounded, "{text:.40}");
            if bounded {
                let begun = Instant::now();
                let clean = sanitised(&text);
                assert!(
                    begun.elapsed() < Duration::from_secs(20),
                    "{text:.40}: {:?}",
                    begun.elapsed()
                );
                assert!(clean.len() < 60_000_000, "{text:.40}: {}", clean.len());
            }
        }
    }

    #[test]
    fn a_text_is_read_until_reading_changes_nothing() {
        let nested = "<h1><table><h1>";
        let clean = settled(nested).expect("it comes to rest");
        assert_ne!(clean, sanitised(nested), "once is not enough");
        assert_eq!(sanitised(&clean), clean);
        assert_eq!(settled("<p>Fine</p>").as_deref(), Some("<p>Fine</p>"));
        // What the first reading lets grow is not read again.
        let grows = (0..60).map(|n| ["<b a=", &n.to_string(), ">"].concat()).collect::<String>();
        let grows = ["<p>", &grows, &"<p>x".repeat(400)].concat();
        assert!(is_bounded(&grows));
        assert_eq!(settled(&grows), None);
    }

    #[test]
    fn rich_text_in_plain_words_says_the_same() {
        let text = "<h2>Taxes</h2>\n<p>Pay &amp; <b>file</b>.<br>Now&nbsp;&lt;!&gt;</p>\
            <ul><li>One</li><li>Two &amp;lt;</li></ul>";
        let words = "Taxes\nPay & file.\nNow <!>\nOne\nTwo &lt;";
        assert_eq!(plain(&sanitised(text), 200), words);
        assert_eq!(plain("One two three", 200), "One two three");
        assert_eq!(plain("One two three", 9), "One two…");
        assert_eq!(plain("Ünbroken", 3), "Ünb…");
        assert_eq!(plain("<script>alert(1)</script>", 200), "");
    }

    #[test]
    fn nothing_that_runs_or_reaches_out_stays() {
        for hostile in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "<a href='javascript:alert(1)'>x</a>",
            "<a href='JaVaScRiPt&colon;alert(1)'>x</a>",
            "<svg><script>alert(1)</script></svg>",
            "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
            "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
            "<p style='background:url(https://elsewhere.example)' onclick=alert(1)>x</p>",
            "<form action=https://elsewhere.example><input name=password></form>",
            "<blockquote cite='javascript:alert(1)'>x</blockquote><q cite='javascript:1'>x</q>",
            "<del cite='javascript:alert(1)'>x</del><ins cite='javascript:alert(1)'>x</ins>",
            "<base href=https://elsewhere.example><link rel=stylesheet href=x>",
            "<<script>script>alert(1)<</script>/script>",
        ] {
            let clean = sanitised(hostile);
            for word in ["<script", "onerror=", "onclick=", "javascript:", "<img", "<iframe"] {
                assert!(!clean.to_lowercase().contains(word), "{hostile} became {clean}");
            }
            assert!(!clean.contains("style=") && !clean.contains("<form"), "{clean}");
            assert_eq!(sanitised(&clean), clean, "cleaning what is clean changes it");
        }
        let fine = "<h2>What we hold</h2>\n<p>Names &amp; <b>numbers</b></p>";
        assert_eq!(sanitised(fine), fine);
    }
}
