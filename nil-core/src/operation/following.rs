//! The pages of lists that are followed by key, and the sealed text that says where the next one
//! begins.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use super::cx::Cx;
use crate::error::{Error, Result};
use crate::kernel::{Bookmark, Followed, FollowedPage, Next, PerPage, Start};
use crate::keys::Vault;

const REFUSED: &str =
    "is not the `next` of a page of this list, read by you with the same fields and `per_page`";

impl<C> Cx<C> {
    /// The page that the input of a list asks for, and the rest of the input. 422 for an `after`
    /// that did not come from the same operation, caller and input.
    #[doc(hidden)]
    pub fn place<I: Serialize>(&self, input: Followed<I>) -> Result<(I, FollowedPage)> {
        let (own, asked) = input.parts();
        let per_page = asked.per_page.unwrap_or_default();
        let context = self.context_of(&own, per_page)?;
        let vault = self.platform().vault();
        let start = match asked.after {
            None => Start::Page(asked.page.unwrap_or_default()),
            Some(_) if asked.page.is_some() => {
                return Err(Error::invalid("after", "cannot be combined with `page`"));
            }
            Some(next) => Start::After(
                open(vault, &context, &next).ok_or_else(|| Error::invalid("after", REFUSED))?,
            ),
        };
        let platform = self.platform().clone();
        let seal = move |bookmark: &Bookmark| seal(platform.vault(), &context, bookmark);
        Ok((own, FollowedPage::new(start, per_page, seal)))
    }

    /// Everything that must be the same for the next page: a bookmark opens in no other context.
    fn context_of<I: Serialize>(&self, own: &I, per_page: PerPage) -> Result<String> {
        let facts = self.facts();
        let input = serde_json::to_string(own).map_err(Error::internal)?;
        Ok(format!(
            "page of {} for {} as {} by {}: {input}",
            facts.operation,
            facts.actor,
            facts.acting_as.as_deref().unwrap_or("themself"),
            per_page.get(),
        ))
    }
}

fn seal(vault: &Vault, context: &str, bookmark: &Bookmark) -> Result<Next> {
    let plain = serde_json::to_vec(bookmark).map_err(Error::internal)?;
    Next::new(URL_SAFE_NO_PAD.encode(vault.seal(context, &plain)?)).map_err(Error::internal)
}

fn open(vault: &Vault, context: &str, next: &str) -> Option<Bookmark> {
    let sealed = URL_SAFE_NO_PAD.decode(next).ok()?;
    let plain = vault.open(context, &sealed).ok()?;
    serde_json::from_slice(&plain).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KeyValue, SystemRandom};
    use crate::keys::MasterKey;

    #[test]
    fn the_longest_name_fits() {
        let vault = Vault::new(&MasterKey::generate(&SystemRandom)).unwrap();
        let keys = vec![KeyValue::Text("𝕬".repeat(200)), KeyValue::Number(i64::MAX)];
        let bookmark = Bookmark { keys, page: i64::MAX, total: i64::MAX, end: Some(i64::MAX) };
        let next = seal(&vault, "here", &bookmark).unwrap();
        assert_eq!(open(&vault, "here", &next), Some(bookmark));
        assert_eq!(open(&vault, "there", &next), None);
    }
}
