//! The paths of the catalog: `{jobId}` in a path fills the input's field `job_id`.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value};

use super::row::Entry;
use crate::kernel::Method;

/// The characters that must be escaped in a path segment (RFC 3986, section 3.3).
const NOT_IN_A_SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Parses `POST /jobs` into method and path. A test ensures that every row's text parses.
pub(super) fn address(text: &'static str) -> Option<(Method, &'static str)> {
    let (method, path) = text.split_once(' ')?;
    Some((Method::named(method)?, path))
}

/// A part of a path.
enum Piece<'a> {
    /// Literal text.
    Text(&'a str),
    /// A parameter, in the specification's spelling.
    Parameter(&'a str),
}

fn pieces(path: &str) -> impl Iterator<Item = Piece<'_>> {
    path.split('{').enumerate().flat_map(|(at, part)| {
        let (parameter, text) = match part.split_once('}') {
            Some((parameter, text)) if at > 0 => (Some(parameter), text),
            _ => (None, part),
        };
        parameter.map(Piece::Parameter).into_iter().chain(Some(Piece::Text(text)))
    })
}

/// Converts `jobId` to `job_id`.
fn field_of(parameter: &str) -> String {
    let mut field = String::with_capacity(parameter.len() + 4);
    for letter in parameter.chars() {
        if letter.is_uppercase() {
            field.push('_');
        }
        field.extend(letter.to_lowercase());
    }
    field
}

impl Entry {
    /// The path's parameters in the specification's spelling, each with the input field it fills.
    #[must_use]
    pub fn path_fields(&self) -> Vec<(&'static str, String)> {
        pieces(self.path)
            .filter_map(|piece| match piece {
                Piece::Parameter(name) => Some((name, field_of(name))),
                Piece::Text(_) => None,
            })
            .collect()
    }

    /// The path under the interface's base, with parameters named after the fields they fill.
    #[must_use]
    pub fn path_by_fields(&self) -> String {
        pieces(self.path)
            .map(|piece| match piece {
                Piece::Parameter(name) => format!("{{{}}}", field_of(name)),
                Piece::Text(text) => text.to_owned(),
            })
            .collect()
    }

    /// Fills the path from this input and removes the fields it used; returns the name of the first
    /// field that is missing as an error.
    pub fn fill_path(&self, input: &mut Map<String, Value>) -> Result<String, String> {
        pieces(self.path)
            .map(|piece| match piece {
                Piece::Text(text) => Ok(text.to_owned()),
                Piece::Parameter(name) => {
                    let field = field_of(name);
                    let value = input.remove(&field).ok_or(field)?;
                    let text = value.as_str().map_or_else(|| value.to_string(), Into::into);
                    Ok(utf8_percent_encode(&text, NOT_IN_A_SEGMENT).to_string())
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::address;
    use crate::catalog::catalog;
    use crate::deal_folder::uploading;
    use crate::kernel::Method;

    #[test]
    fn an_address_is_a_known_method_and_a_path() {
        assert_eq!(address("PUT /x/{id}"), Some((Method::Put, "/x/{id}")));
        for wrong in ["PATCH /x", "put /x", "PUT", "/x"] {
            assert_eq!(address(wrong), None);
        }
    }

    #[test]
    fn parameters_are_named_like_fields_and_filled_from_the_input() {
        let entry = catalog().named("core.contract.download_as_agent").unwrap();
        assert_eq!(
            entry.path_by_fields(),
            "/agent/athlete/{athlete_id}/job/{job_id}/download-contract"
        );
        let fields = entry.path_fields();
        assert_eq!(fields.len(), 2);
        assert_eq!(fields[0], ("athleteId", "athlete_id".to_owned()));
        let serde_json::Value::Object(mut input) = json!({ "athlete_id": 3, "job_id": "a/b" })
        else {
            unreachable!()
        };
        assert_eq!(
            entry.fill_path(&mut input).unwrap(),
            "/agent/athlete/3/job/a%2Fb/download-contract"
        );
        assert_eq!(entry.fill_path(&mut input).unwrap_err(), "athlete_id");
        let plain = catalog().named("core.application.reject").unwrap();
        assert_eq!(plain.path_by_fields(), plain.path);
        assert!(plain.path_fields().is_empty());
    }

    #[test]
    fn announced_uploads_are_handed_over_where_their_addresses_lead() {
        let entry = catalog().named("core.deal_folder.receive_upload").unwrap();
        assert_eq!(entry.path, uploading::PATH);
    }
}
