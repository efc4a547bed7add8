//! Flags whose value is a word of a vocabulary: the help and the shell show the words, and the
//! operation refuses others, so that one message names every wrong field.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

/// Accepts every text and shows these words.
#[derive(Clone, Debug)]
pub(crate) struct Offered(Vec<String>);

/// Shows the words of a vocabulary.
pub(crate) fn offered<W: ToString>(words: &[W]) -> Offered {
    Offered(words.iter().map(ToString::to_string).collect())
}

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        flag: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, flag, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}
