//! Files in JSON: decodes base64 up to a maximum size.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

use crate::kernel::reserve;

/// The maximum number of bytes accepted in base64; a form accepts more.
pub const LARGEST_IN_JSON: usize = 10 * 1024 * 1024;

/// The decoded bytes of a file in base64, if there are not too many; otherwise the reason why not.
pub fn decoded(text: &str) -> Result<Bytes, String> {
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

/// The message for a file larger than this.
pub fn too_large(bytes: usize) -> String {
    format!("must be at most {} MiB large", bytes / 1024 / 1024)
}
