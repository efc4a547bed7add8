//! What the site says of itself: legal documents, the privacy policy, posts, questions, pages.

pub mod legal;
pub mod privacy;
pub mod publishing;
pub mod reading;
mod store;

use std::sync::LazyLock;

use ammonia::Builder;

pub use legal::{LegalDocument, LegalKind};
pub use privacy::{PolicyEdits, PrivacyPolicy};

/// Rich text with everything taken out that could run or leave the page (model: rich text is
/// sanitised on the way in). What may stay: text, lists, tables, headings, links.
fn sanitised(text: &str) -> String {
    static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
        let mut builder = Builder::default();
        builder
            .url_schemes(["http", "https", "mailto"].into())
            .rm_tags(["img", "map", "area"])
            .link_rel(Some("noopener noreferrer nofollow"));
        builder
    });
    CLEANER.clean(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::sanitised;

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
            "<base href=https://elsewhere.example><link rel=stylesheet href=x>",
            "<<script>script>alert(1)<</script>/script>",
        ] {
            let clean = sanitised(hostile);
            for word in [
                "<script",
                "onerror=",
                "onclick=",
                "javascript:",
                "<img",
                "<iframe",
            ] {
                assert!(
                    !clean.to_lowercase().contains(word),
                    "{hostile} became {clean}"
                );
            }
            assert!(
                !clean.contains("style=") && !clean.contains("<form"),
                "{clean}"
            );
            assert_eq!(
                sanitised(&clean),
                clean,
                "cleaning what is clean changes it"
            );
        }
        let fine = "<h2>What we hold</h2>\n<p>Names &amp; <b>numbers</b></p>";
        assert_eq!(sanitised(fine), fine);
    }
}
