//! Closed word lists: enums whose words are the same in JSON, in the database and in the docs.

/// A value that is a word in JSON and in the database.
pub trait Word: Copy {
    /// The word.
    fn word(self) -> &'static str;
}

/// The keys of a schema that hold the vocabulary's name and the meaning of its words. In the
/// OpenAPI documents they make it a schema of its own.
pub const NAME: &str = "x-vocabulary";
/// See [`NAME`].
pub const ABOUT: &str = "x-words";

/// A list of words with what they mean.
pub fn list(words: &[(&str, &[&str])]) -> String {
    let line = |(word, about): &(&str, &[&str])| format!("- `{word}`:{}", about.concat());
    words.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Declares an enum of words with everything a word needs: its text, parsing, JSON, JSON Schema and
/// its column on both engines. The tests compare `ALL` with the SQL `CHECK` lists.
///
/// With `Name: Row`, what follows `=>` after a word is its row: what else is fixed for this word,
/// as a constant.
#[macro_export]
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident: $row:ident {
        $($(#[doc = $about:literal])* $variant:ident = $word:literal => $says:expr,)+
    }) => {
        $crate::vocabulary! {
            $(#[$meta])* $name { $($(#[doc = $about])* $variant = $word,)+ }
        }

        impl $name {
            /// The row of the word.
            #[must_use]
            pub const fn row(self) -> &'static $row {
                match self { $(Self::$variant => const { &$says },)+ }
            }
        }
    };
    ($(#[$meta:meta])* $name:ident {
        $($(#[doc = $about:literal])* $variant:ident = $word:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[doc = $about])* #[doc = concat!("`", $word, "`")] $variant,)+ }

        impl $name {
            /// Every word, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word in JSON and in the database.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl $crate::kernel::Word for $name {
            fn word(self) -> &'static str { self.as_str() }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(format!("must be one of: {}", [$($word),+].join(", "))),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool { true }
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let about: &[(&str, &[&str])] = &[$(($word, &[$($about),*])),+];
                schemars::json_schema!({
                    "type": "string", "enum": [$($word),+],
                    $crate::kernel::vocabulary::NAME: stringify!($name),
                    $crate::kernel::vocabulary::ABOUT: $crate::kernel::vocabulary::list(about),
                })
            }
        }

        impl $crate::kernel::FromColumn for $name {
            fn from_column(
                cell: $crate::kernel::Cell<'_>,
            ) -> Result<Self, $crate::kernel::Unfit> {
                Ok(cell.text()?.parse()?)
            }
        }

        impl From<$name> for sea_query::Value {
            fn from(word: $name) -> Self { word.as_str().into() }
        }

        impl sea_query::Nullable for $name {
            fn null() -> sea_query::Value { sea_query::Value::String(None) }
        }
    };
}

pub use vocabulary;
