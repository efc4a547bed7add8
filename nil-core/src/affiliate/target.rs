//! The destinations allowed for links: only the brand's own website. Otherwise any party of a
//! contract could make this server vouch for any page.

use reqwest::Url;

use crate::kernel::is_registered;

/// Top-level names that are not public.
const PRIVATE: &[&str] = &["local", "localhost", "internal", "lan", "home", "corp", "intranet"];

/// The normalized target, if it is a page of the brand's website; otherwise the reason why not.
pub(super) fn checked(target: &str, website: &str) -> Result<String, String> {
    let url = Url::parse(target).map_err(|_| "must be a web address".to_owned())?;
    if url.scheme() != "https" {
        return Err("must start with https://".into());
    }
    if !url.username().is_empty() || url.password().is_some() || url.port().is_some() {
        return Err("must not contain a user or a port".into());
    }
    let host = public_host(&url).ok_or("must be on a public host")?;
    let site = Url::parse(website).ok();
    let site = site.as_ref().and_then(public_host);
    let site = site.ok_or("the brand's website is not a public address")?;
    let site = site.strip_prefix("www.").unwrap_or(site);
    // Anyone can have a site below a public suffix.
    if !is_registered(site) {
        return Err(format!(
            "the brand's website, {site}, is an ending that many sites share; its profile must name its \
             own site"
        ));
    }
    let below = host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'));
    if host != site && !below {
        return Err(format!("must be on the brand's website, {site}"));
    }
    Ok(url.into())
}

/// The host, if it is a public DNS name: no IP address, nothing local.
fn public_host(url: &Url) -> Option<&str> {
    let host = url.domain()?;
    let (_, ending) = host.rsplit_once('.')?;
    (!PRIVATE.contains(&ending) && !ending.is_empty()).then_some(host)
}

/// The target with the link's code, by which the shop attributes a sale.
pub(super) fn with_code(target: &str, code: &str) -> Option<String> {
    let mut url = Url::parse(target).ok()?;
    url.query_pairs_mut().append_pair("nil_code", code);
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_brands_website_pass() {
        let site = "http://www.cedar.example/about";
        for good in [
            "https://cedar.example/vests?size=m#top",
            "https://www.cedar.example/",
            "https://Shop.Cedar.example",
        ] {
            assert!(checked(good, site).is_ok(), "{good}");
        }
        for wrong in [
            "http://cedar.example/",
            "https://evil.example/",
            "https://evilcedar.example/",
            "https://cedar.example.evil.test/",
            "https://cedar.example@evil.example/",
            "https://user:secret@cedar.example/",
            "https://cedar.example:8443/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://localhost/",
            "javascript:alert(1)",
            "//cedar.example/",
            "https:\\\\evil.example\\cedar.example",
        ] {
            assert!(checked(wrong, site).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_website_that_is_no_public_name_opens_nothing() {
        for site in ["https://10.0.0.7/", "https://intranet.local/", "https://localhost/", ""] {
            assert!(checked("https://10.0.0.7/", site).is_err(), "{site}");
            assert!(checked("https://intranet.local/", site).is_err(), "{site}");
        }
    }

    #[test]
    fn an_ending_that_many_sites_share_is_nobodys_website() {
        for (site, target) in [
            ("https://co.uk", "https://evil.co.uk/"),
            ("https://www.co.uk/", "https://evil.co.uk/"),
            ("https://github.io", "https://evil.github.io/"),
            ("https://myshopify.com/", "https://evil.myshopify.com/"),
            ("https://co.uk./", "https://evil.co.uk./"),
            ("https://s3.amazonaws.com/", "https://evil.s3.amazonaws.com/"),
            ("https://foo.ck/", "https://evil.foo.ck/"),
        ] {
            assert!(checked(target, site).is_err(), "{site}");
        }
        for (site, target) in [
            ("https://cedar.co.uk", "https://shop.cedar.co.uk/a"),
            ("https://cedar.github.io/about", "https://cedar.github.io/vests"),
            ("https://cedar.myshopify.com", "https://cedar.myshopify.com/"),
        ] {
            assert!(checked(target, site).is_ok(), "{site}");
        }
        assert!(checked("https://evil.github.io/", "https://cedar.github.io/").is_err());
    }

    #[test]
    fn the_code_goes_into_the_query() {
        let with = |target| with_code(target, "abc").unwrap();
        assert_eq!(with("https://a.example/p"), "https://a.example/p?nil_code=abc");
        assert_eq!(with("https://a.example/p?q=1#top"), "https://a.example/p?q=1&nil_code=abc#top");
    }
}
