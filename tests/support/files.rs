//! Files for the suites, uploaded through the real operation.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::people::Person;
use crate::world::World;

/// A picture of one pixel: a PNG, with its size in the first [`HEAD`] bytes.
pub const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\
    \0\0\0\nIDATx\xdac`\0\0\0\x02\0\x01\xe5'\xde\xfc\0\0\0\0IEND\xaeB`\x82";

const HEAD: usize = 33;

/// Whether this is the pixel, however it is compressed.
pub fn is_pixel(bytes: &[u8]) -> bool {
    bytes.len() > HEAD && bytes.starts_with(&PIXEL[..HEAD])
}

/// What is uploaded: a name and a content.
pub fn a_file(name: &str, content: &[u8]) -> Value {
    json!({ "name": name, "content": STANDARD.encode(content) })
}

impl World {
    /// How many objects its store holds, without what is set aside or not finished.
    pub async fn objects(&self) -> usize {
        let mut count = 0;
        for number in 0..=u8::MAX {
            count += self.platform.objects().shelf(number).await.expect("a shelf").len();
        }
        count
    }

    /// Uploads a picture; returns the file's id.
    pub async fn file(&self, owner: &Person, name: &str) -> i64 {
        let upload = a_file(name, PIXEL);
        let file = self.call("core.file.upload", &owner.principal, upload).await;
        file.data()["id"].as_i64().expect("an id")
    }
}
