//! Text with limits counted in characters, and lists with limits counted in items.

use std::borrow::Cow;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::fold::fold;
use super::visible::is_visible;

/// Text of `MIN` to `MAX` characters (Unicode scalar values, not bytes), without NUL. If `MIN` is 1
/// or more, text in which nothing can be seen is refused: white space, control characters, and
/// letters that are drawn as nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Text<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    /// The text if it is within the limits, otherwise the reason why not.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        if text.contains('\0') {
            return Err("must not contain the NUL character".into());
        }
        let length = text.chars().count();
        if length > MAX {
            return Err(format!("must be at most {MAX} characters long (has {length})"));
        }
        if length < MIN || (MIN > 0 && !is_visible(&text)) {
            return Err(match MIN {
                _ if length >= MIN => "must not be blank".into(),
                1 => "must not be blank".into(),
                _ => format!("must be at least {MIN} characters long"),
            });
        }
        Ok(Self(text))
    }

    /// The text itself.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MIN: usize, const MAX: usize> Deref for Text<MIN, MAX> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de, const MIN: usize, const MAX: usize> Deserialize<'de> for Text<MIN, MAX> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

impl<const MIN: usize, const MAX: usize> JsonSchema for Text<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Text{MIN}To{MAX}").into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "string", "maxLength": MAX });
        at_least("minLength", MIN, &mut schema);
        schema
    }
}

/// Names a least length; that nothing is shorter than 0 goes without saying.
fn at_least(key: &str, least: usize, schema: &mut Schema) {
    if least > 0 {
        schema.insert(key.to_owned(), least.into());
    }
}

impl<const MIN: usize, const MAX: usize> From<Text<MIN, MAX>> for sea_query::Value {
    fn from(text: Text<MIN, MAX>) -> Self {
        text.0.into()
    }
}

impl<const MIN: usize, const MAX: usize> sea_query::Nullable for Text<MIN, MAX> {
    fn null() -> sea_query::Value {
        sea_query::Value::String(None)
    }
}

/// A list of `MIN` to `MAX` items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Many<T, const MIN: usize, const MAX: usize>(Vec<T>);

impl<T, const MIN: usize, const MAX: usize> Many<T, MIN, MAX> {
    /// The list if it is within the limits, otherwise the reason why not.
    pub fn new(items: Vec<T>) -> Result<Self, String> {
        if items.len() < MIN {
            return Err(format!("must have at least {MIN} item(s)"));
        }
        if items.len() > MAX {
            return Err(format!("must have at most {MAX} items (has {})", items.len()));
        }
        Ok(Self(items))
    }

    /// The items.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }

    /// The items of an optional list; empty if there is no list.
    #[must_use]
    pub fn or_none(list: Option<Self>) -> Vec<T> {
        list.map_or_else(Vec::new, Self::into_vec)
    }
}

impl<'a, T, const MIN: usize, const MAX: usize> IntoIterator for &'a Many<T, MIN, MAX> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T, const MIN: usize, const MAX: usize> Deref for Many<T, MIN, MAX> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const MIN: usize, const MAX: usize> Deserialize<'de>
    for Many<T, MIN, MAX>
{
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

impl<T: JsonSchema, const MIN: usize, const MAX: usize> JsonSchema for Many<T, MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("Many{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<T>();
        let mut schema = json_schema!({ "type": "array", "items": items, "maxItems": MAX });
        at_least("minItems", MIN, &mut schema);
        schema
    }
}

/// Declares a text type with a form that is checked by a function and described by a pattern.
macro_rules! formed_text {
    ($(#[$meta:meta])* $name:ident, $pattern:literal, $max:literal, $example:literal, $wrong:literal,
     $form:expr) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text if it has the form, otherwise the reason why not.
            pub fn new(text: &str) -> Result<Self, String> {
                let form: fn(&str) -> Option<String> = $form;
                if text.chars().count() > $max { return Err($wrong.into()); }
                form(text.trim()).map(Self).ok_or_else(|| $wrong.into())
            }
        }

        impl Deref for $name {
            type Target = str;
            fn deref(&self) -> &str { &self.0 }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                Self::new(&String::deserialize(from)?).map_err(serde::de::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool { true }
            fn schema_name() -> Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string", "pattern": $pattern, "maxLength": $max,
                    "examples": [$example]
                })
            }
        }

        impl From<$name> for sea_query::Value {
            fn from(text: $name) -> Self { text.0.into() }
        }

        impl sea_query::Nullable for $name {
            fn null() -> sea_query::Value { sea_query::Value::String(None) }
        }
    };
}

formed_text!(
    /// A phone number in E.164 form: `+`, country code, digits. Spaces, dashes, dots, brackets and
    /// a `(0)` are removed; ten digits without a country code are a number of North America, whose
    /// area codes and exchanges begin with 2 to 9.
    Phone,
    r"^[+]?[0-9 ().-]{7,24}$",
    24,
    "+12175550123",
    "must be a phone number such as +12175550123; one outside North America begins with + and its country code",
    |text| {
        let kept: String = text.replace("(0)", "").chars().filter(|c| !" ().-".contains(*c)).collect();
        let digits = kept.strip_prefix('+').unwrap_or(&kept);
        let numeric = digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.len() {
            _ if !numeric => None,
            10 if !kept.starts_with('+') => Some(digits).filter(|digits| is_north_american(digits)),
            8..=15 => match digits.strip_prefix('1') {
                Some(own) => Some(own).filter(|own| is_north_american(own)),
                None if digits.starts_with('0') => None,
                None => return Some(format!("+{digits}")),
            },
            _ => None,
        }
        .map(|own| format!("+1{own}"))
    }
);

/// Whether these are the ten digits of a number in North America: neither the area code nor the
/// exchange begins with 0 or 1.
fn is_north_american(digits: &str) -> bool {
    let begins =
        |at: usize| digits.as_bytes().get(at).is_some_and(|digit| (b'2'..=b'9').contains(digit));
    digits.len() == 10 && begins(0) && begins(3)
}

formed_text!(
    /// A one-time code: six digits. Blanks and dashes between them are removed.
    Code6,
    r"^\s*[0-9]{3}[\s-]?[0-9]{3}\s*$",
    24,
    "482913",
    "must be six digits",
    |text| {
        let code = pasted(text);
        (code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit())).then_some(code)
    }
);

/// A code without what comes along when it is copied: blanks, dashes, and characters that cannot be
/// seen; full-width digits become those of ASCII.
#[must_use]
pub fn pasted(code: &str) -> String {
    fold(code).chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect()
}

formed_text!(
    /// The part of an address that names a thing: lower-case letters, digits and single dashes.
    Slug,
    r"^[a-z0-9]+(-[a-z0-9]+)*$",
    80,
    "lakeshore-state",
    "must be lower-case letters, digits and single dashes",
    |text| {
        let fine = text.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        });
        fine.then(|| text.to_owned())
    }
);

impl Slug {
    /// A slug made from a name, or `fallback` if no character of the name is allowed in a slug.
    #[must_use]
    pub fn of_name(name: &str, fallback: &str) -> Self {
        let mut slug = String::new();
        for letter in fold(name).chars().take(80) {
            if letter.is_ascii_alphanumeric() {
                slug.push(letter);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let slug = slug.trim_end_matches('-');
        Self(if slug.is_empty() { fallback } else { slug }.to_owned())
    }
}

formed_text!(
    /// A hashtag, with or without its `#`; stored with it.
    Hashtag,
    r"^#?[^\s#]{1,60}$",
    61,
    "#ad",
    "must be one hashtag without spaces",
    |text| {
        let tag = text.strip_prefix('#').unwrap_or(text);
        let fine = (1..=60).contains(&tag.chars().count())
            && is_visible(tag)
            && !tag.contains(|c: char| c.is_whitespace() || c.is_control() || c == '#');
        fine.then(|| format!("#{tag}"))
    }
);

formed_text!(
    /// An `http` or `https` address with a host name.
    WebUrl,
    r"^https?://[^\s/]+\.[^\s]+$",
    2048,
    "https://www.instagram.com/p/C8xYz/",
    "must be a web address such as https://example.com/page",
    |text| {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let fine = host.contains('.')
            && !host.starts_with('.')
            && !host.contains('@')
            && !text.contains(|c: char| c.is_whitespace() || c.is_control());
        fine.then(|| text.to_owned())
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_not_bytes() {
        let emoji = "🏈".repeat(1_000);
        assert!(Text::<1, 1_000>::new(emoji.clone()).is_ok());
        assert!(Text::<1, 1_000>::new(format!("{emoji}x")).is_err());
    }

    #[test]
    fn blank_and_nul_are_refused() {
        assert!(Text::<1, 10>::new(" \t").is_err());
        assert!(Text::<0, 10>::new("a\0b").is_err());
        assert!(Text::<0, 10>::new("").is_ok());
    }

    #[test]
    fn a_text_that_nobody_can_see_is_refused() {
        for nothing in [
            "\u{2060}",
            "\u{3164}",
            "\u{2800}",
            "\u{ad}",
            "\u{200d}",
            "\u{e0041}",
            "\u{ffa0}\u{180e}",
            " \u{200b}\t",
            "\u{301}",
            "\u{fe0f}",
            "\u{202e}",
            "\u{85}",
            "\u{115f}\u{17b4}",
            "\u{1d159}",
        ] {
            assert_eq!(
                Text::<1, 10>::new(nothing).unwrap_err(),
                "must not be blank",
                "{nothing:?}"
            );
            assert!(Hashtag::new(&format!("#{nothing}")).is_err(), "{nothing:?}");
            assert!(Text::<0, 10>::new(nothing).is_ok(), "{nothing:?}");
        }
        assert!(Text::<2, 10>::new("\u{2060}\u{2060}\u{2060}").is_err());
        for seen in
            ["a", "é", "e\u{301}", "王", "👩\u{200d}🎓", "❤\u{fe0f}", "अ", "-", "؟", "\u{ad}x"]
        {
            assert!(Text::<1, 10>::new(seen).is_ok(), "{seen:?}");
        }
    }

    #[test]
    fn a_code_is_taken_as_it_is_pasted() {
        for typed in [
            "482913",
            "482 913",
            "482-913",
            "482913\r\n",
            "482\u{a0}913",
            " 482\u{2011}913",
            "４８２９１３",
            "\u{200e}482\u{202f}913",
        ] {
            assert_eq!(&*Code6::new(typed).unwrap(), "482913", "{typed:?}");
        }
        for wrong in [
            "48291",
            "4829134",
            "48a913",
            "482.913",
            "",
            "٤٨٢٩١٣x",
            "4-8-2-9-1-3-4-8-2-9-1-3-4-8-2-9-1-3",
        ] {
            assert!(Code6::new(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn phones_are_kept_in_one_form() {
        assert_eq!(&*Phone::new("(217) 555-0123").unwrap(), "+12175550123");
        assert_eq!(&*Phone::new("+44 20 7946 0000").unwrap(), "+442079460000");
        assert_eq!(&*Phone::new("+44 (0)20 7946 0000").unwrap(), "+442079460000");
        assert_eq!(&*Phone::new("1 217 555 0123").unwrap(), "+12175550123");
        assert_eq!(&*Phone::new("+61 412 345 678").unwrap(), "+61412345678");
        for wrong in [
            "call me",
            "0412 345 678",
            "123-456-7890",
            "+1 123 456 7890",
            "217-155-0123",
            "+1 217 555 012",
        ] {
            assert!(Phone::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_hashtag_that_is_kept_can_be_handed_in_again() {
        let longest = Hashtag::new(&"x".repeat(60)).unwrap();
        assert_eq!(Hashtag::new(&longest).unwrap(), longest);
        // Sixty-one characters plus the `#` would be too long to be accepted again.
        assert!(Hashtag::new(&"x".repeat(61)).is_err());
        assert!(Hashtag::new("#").is_err());
    }

    #[test]
    fn only_web_addresses_pass() {
        assert!(WebUrl::new("https://example.com/p?q=1").is_ok());
        for wrong in ["javascript:alert(1)", "https://", "http://user@host.com/", "ftp://a.b/"] {
            assert!(WebUrl::new(wrong).is_err(), "{wrong}");
        }
    }
}
