//! Files for the suites, uploaded through the real operation.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::people::Person;
use crate::world::World;

/// A picture of one pixel.
pub const PIXEL: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

/// What is uploaded: a name and a content.
pub fn a_file(name: &str, content: &[u8]) -> Value {
    json!({ "name": name, "content": STANDARD.encode(content) })
}

impl World {
    /// Uploads a picture; returns the file's id.
    pub async fn file(&self, owner: &Person, name: &str) -> i64 {
        let upload = a_file(name, PIXEL);
        let file = self.call("core.file.upload", &owner.principal, upload).await;
        file.data()["id"].as_i64().expect("an id")
    }
}
