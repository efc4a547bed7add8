//! What is thrown at the readers of what strangers send. The fuzz targets call these functions, and
//! so do the suites of the workspace, with what proptest makes.

use nil_core::catalog::catalog;
use nil_core::kernel::{Email, Hashtag, Phone, Slug, Text, WebUrl};
use nil_core::operation::Fields;

/// A JSON body, read as the input of every operation: an answer or a 4xx, never a panic; and what
/// was read once reads the same again.
pub fn json_input(body: &[u8]) {
    let Ok(fields) = Fields::from_json(body) else {
        return;
    };
    for entry in catalog().iter() {
        let once = entry.check(&fields);
        if let Err(error) = &once {
            assert!(error.kind().status() < 500, "{}: {error}", entry.name);
        }
        assert_eq!(once.is_ok(), entry.check(&fields).is_ok(), "{}", entry.name);
    }
    assert_eq!(fields.canonical(), fields.clone().canonical());
}

/// A query string or an urlencoded form, read as the input of every operation.
pub fn text_input(text: &[u8]) {
    let pairs = form_urlencoded::parse(text).into_owned();
    let Ok(fields) = Fields::from_pairs(pairs) else {
        return;
    };
    for entry in catalog().iter() {
        if let Err(error) = entry.check(&fields) {
            assert!(error.kind().status() < 500, "{}: {error}", entry.name);
        }
    }
}

/// The pairs of a form before anything is decoded, a line each: what their names build is bounded,
/// is read and dropped without harm, and has one print.
pub fn pairs(text: &str) {
    let pairs = text.lines().map(|line| {
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        (name.to_owned(), value.to_owned())
    });
    let Ok(fields) = Fields::from_pairs(pairs) else {
        return;
    };
    let canonical = fields.canonical();
    assert_eq!(canonical, fields.clone().canonical());
    // Names quote and hash at worst as six bytes each; nothing multiplies.
    assert!(canonical.len() <= text.len() * 16 + 16, "{}", canonical.len());
}

macro_rules! keeps {
    ($text:expr, $($kind:ty),+) => {$(
        if let Ok(kept) = <$kind>::new($text) {
            let again = <$kind>::new(&*kept).unwrap_or_else(|why| panic!("{:?}: {why}", &*kept));
            assert_eq!(*again, *kept);
        }
    )+};
}

/// The small languages of the kernel: what they take, they take again as they keep it.
pub fn values(text: &str) {
    keeps!(text, Email, Phone, Slug, Hashtag, WebUrl, Text<1, 40>);
}
