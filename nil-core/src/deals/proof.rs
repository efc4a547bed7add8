//! Checks that links proving a publication lead to the right platform. Pure.

use crate::jobs::MediaPlatform;

impl MediaPlatform {
    /// The sites of the platform; none if a publication can be anywhere.
    #[must_use]
    pub const fn sites(self) -> &'static [&'static str] {
        match self {
            Self::Instagram => &["instagram.com", "instagr.am"],
            Self::Tiktok => &["tiktok.com"],
            Self::Youtube => &["youtube.com", "youtu.be"],
            Self::X => &["x.com", "twitter.com"],
            Self::Facebook => &["facebook.com", "fb.com", "fb.watch"],
            Self::Snapchat => &["snapchat.com"],
            Self::Linkedin => &["linkedin.com", "lnkd.in"],
            Self::Twitch => &["twitch.tv"],
            Self::Threads => &["threads.net", "threads.com"],
            Self::Podcast | Self::InPerson | Self::Other => &[],
        }
    }

    /// Whether the address leads to the platform (or the platform is not a single site).
    #[must_use]
    pub fn is_at(self, url: &str) -> bool {
        let sites = self.sites();
        sites.is_empty()
            || host(url).is_some_and(|host| sites.iter().any(|site| is_of(&host, site)))
    }
}

fn is_of(host: &str, site: &str) -> bool {
    host == site || host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'))
}

/// The host of an ordinary web address. Addresses that browsers might parse differently (names
/// before an `@`, backslashes, escapes) have none.
fn host(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let place = rest.split(['/', '?', '#']).next()?;
    let host = match place.split_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => host,
        Some(_) => return None,
        None => place,
    };
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    let fine = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    (!host.is_empty() && host.bytes().all(fine)).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_to_lead_to_the_platform() {
        for (platform, url) in [
            (MediaPlatform::Instagram, "https://www.instagram.com/p/C8x/"),
            (MediaPlatform::Instagram, "http://INSTAGRAM.com"),
            (MediaPlatform::Instagram, "https://instagram.com.:443/p/1?x=https://evil.example"),
            (MediaPlatform::Tiktok, "https://vm.tiktok.com/ZM/"),
            (MediaPlatform::Youtube, "https://youtu.be/abc"),
            (MediaPlatform::X, "https://mobile.twitter.com/a/status/1"),
            (MediaPlatform::Podcast, "https://anything.example/episode"),
            (MediaPlatform::Other, "https://anything.example/"),
            (MediaPlatform::InPerson, "https://anything.example/"),
        ] {
            assert!(platform.is_at(url), "{url}");
        }
    }

    #[test]
    fn what_only_looks_like_the_platform_is_refused() {
        for url in [
            "https://tiktok.com/@me/video/1",
            "https://instagram.com.evil.example/p/1",
            "https://evil.example/instagram.com",
            "https://evil.example?instagram.com",
            "https://notinstagram.com/p/1",
            "https://instagram.com@evil.example/",
            "https://evil.example\\.instagram.com/",
            "https://evil.example%2f.instagram.com/",
            "https://\u{456}nstagram.com/p/1",
            "https://instagram.com:evil/p/1",
            "ftp://instagram.com/p/1",
            "javascript:instagram.com",
            "https:///instagram.com",
            "https://.",
            "",
        ] {
            assert!(!MediaPlatform::Instagram.is_at(url), "{url}");
        }
        assert!(!MediaPlatform::X.is_at("https://netflix.com/"));
    }
}
