//! Files in JSON: base64, and no more of it than is taken.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

use crate::kernel::reserve;

/// The most bytes that are taken in base64; a form takes more.
pub(crate) const LARGEST_IN_JSON: usize = 10 * 1024 * 1024;

/// The bytes of a file in base64, if there are not too many; else what is wrong with it.
pub(crate) fn decoded(text: &str) -> Result<Bytes, String> {
    if text.len() / 4 * 3 > LARGEST_IN_JSON + 2 {
        return Err(too_large(LARGEST_IN_JSON));
    }
    let mut bytes = Vec::new();
    reserve(&mut bytes, text.len().div_ceil(4) * 3);
    let read = STANDARD.decode_vec(text, &mut bytes);
    read.map_err(|_| "must be base64".to_owned())?;
    if bytes.len() > LARGEST_IN_JSON {
        return Err(too_large(LARGEST_IN_JSON));
    }
    Ok(bytes.into())
}

/// What somebody hears whose file is larger than that.
pub(crate) fn too_large(bytes: usize) -> String {
    format!("must be at most {} MiB large", bytes / 1024 / 1024)
}
