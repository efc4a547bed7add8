//! The interstitial page that shows a link's destination if this server does not vouch for it.

use reqwest::Url;

use crate::wording::escaped;

/// Why a visitor sees the destination instead of being redirected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The brand is not verified: no operator approved a job of it, and it has not paid an athlete.
    Unverified,
    /// The page is not on the website in the brand's profile.
    Elsewhere,
}

impl Doubt {
    fn sentence(self) -> &'static str {
        match self {
            Self::Unverified => "It was chosen by a brand that is not verified yet.",
            Self::Elsewhere => "It is not on the brand's own website.",
        }
    }
}

/// The page: no script, no style, one ordinary link.
pub(super) fn page(address: &str, doubt: Doubt) -> String {
    let url = Url::parse(address).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or(address);
    let (host, address, why) = (escaped(host), escaped(address), doubt.sentence());
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"robots\" content=\"noindex, nofollow\">\n\
         <title>This link leads to {host}</title>\n</head>\n<body>\n\
         <h1>This link leads to {host}</h1>\n\
         <p>The page is outside this platform, which does not know it. {why} Go on only if you expected to \
         get there.</p>\n<p>The whole address: <code>{address}</code></p>\n\
         <p><a href=\"{address}\" rel=\"nofollow noopener noreferrer\">Go on to {host}</a></p>\n\
         </body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_stays_text() {
        let address = "https://a.example/?q=\"><script>alert('1')</script>&x=1";
        let page = page(address, Doubt::Unverified);
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;x=1"));
        assert_eq!(page.matches("<a ").count(), 1);
        assert!(page.contains("<h1>This link leads to a.example</h1>"));
    }
}
