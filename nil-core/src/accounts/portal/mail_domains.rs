//! The mail domains of an institution's members.

use serde_json::Value;

use crate::kernel::Email;

/// Whether an e-mail belongs to one of these domains or their subdomains; none if there are no
/// domains.
pub fn includes(domains: &Value, email: &Email) -> Option<bool> {
    let domains = domains.as_array().filter(|domains| !domains.is_empty())?;
    let host = host_of(email);
    Some(domains.iter().any(|domain| {
        let domain = domain.as_str().unwrap_or_default().trim().to_lowercase();
        let domain = domain.trim_start_matches(['@', '.']);
        let below = host.strip_suffix(domain);
        !domain.is_empty() && below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    }))
}

/// The mail domain of an address and those above it, in small letters.
pub fn all_of(email: &Email) -> Vec<String> {
    let host = host_of(email);
    let mut rest = Some(host.as_str());
    let mut domains = Vec::new();
    while let Some(domain) = rest.filter(|domain| !domain.is_empty()) {
        domains.push(domain.to_owned());
        rest = domain.split_once('.').map(|(_, above)| above);
    }
    domains
}

fn host_of(email: &Email) -> String {
    email.rsplit_once('@').map_or("", |(_, host)| host).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(text: &str) -> Email {
        Email::new(text).unwrap()
    }

    #[test]
    fn an_address_is_of_a_domain_or_below_it() {
        let domains = serde_json::json!(["Lakeshore.example", "@bayou.example"]);
        for good in ["a@lakeshore.example", "a@sport.LAKESHORE.example", "b@bayou.example"] {
            assert_eq!(includes(&domains, &email(good)), Some(true), "{good}");
        }
        for wrong in ["a@notlakeshore.example", "a@lakeshore.example.org"] {
            assert_eq!(includes(&domains, &email(wrong)), Some(false), "{wrong}");
        }
        assert_eq!(includes(&serde_json::json!([]), &email("a@anywhere.example")), None);
        assert_eq!(includes(&serde_json::json!(["@"]), &email("a@x.example")), Some(false));
    }

    #[test]
    fn the_domains_of_an_address_are_its_own_and_those_above() {
        let domains = ["sport.lakeshore.example", "lakeshore.example", "example"];
        assert_eq!(all_of(&email("a@Sport.Lakeshore.example")), domains);
    }
}
