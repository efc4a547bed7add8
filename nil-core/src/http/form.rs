//! Forms of the back office: urlencoded and multipart, including nested names.

use bytes::Bytes;
use futures::Stream;

use super::body_memory::Place;
use crate::error::{Error, Result, codes};
use crate::kernel::reserve;
use crate::operation::{Fields, Shape};

/// What a form sends.
#[derive(Debug, Default)]
pub struct Sent {
    /// The fields, in the order of the form.
    pub pairs: Vec<(String, String)>,
    /// The file, if the form has one.
    pub file: Option<SentFile>,
    /// The memory of the fields, until they are dropped.
    pub(super) held: Option<Place>,
}

/// A file of a form.
#[derive(Debug)]
pub struct SentFile {
    /// Its name on the sender's machine; empty if a browser was given none.
    pub name: String,
    /// Its media type, if the browser knows it.
    pub media_type: Option<String>,
    /// Its content.
    pub content: Bytes,
    /// The memory of the file, until it is dropped.
    pub(super) held: Option<Place>,
}

impl SentFile {
    /// Makes the file the field `content` of an input; its name and type are `name` and
    /// `media_type` unless the input has these. The input keeps the memory of the file.
    pub fn fill(self, fields: &mut Fields) {
        let beside = [("name", Some(self.name)), ("media_type", self.media_type)];
        for (field, value) in beside {
            if let Some(value) = value.filter(|_| !fields.has(field)) {
                fields.put(field, value);
            }
        }
        fields.put_file("content", self.content);
        if let Some(held) = self.held {
            fields.hold(held);
        }
    }
}

/// The pairs of an urlencoded form.
pub(super) fn pairs(text: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(text)
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

/// Reads `ids[]=1&a[b]=c`. Query strings use the same format.
pub(super) fn urlencoded(shape: &Shape, text: &[u8]) -> Result<Fields> {
    Fields::from_pairs_of(shape, pairs(text))
}

/// The first value of this name in a query string or an urlencoded form.
pub(super) fn value(text: &[u8], name: &str) -> Option<String> {
    let mut pairs = form_urlencoded::parse(text);
    pairs.find(|(given, _)| given == name).map(|(_, value)| value.into_owned())
}

/// The text parts of a multipart form.
pub(super) async fn multipart(shape: &Shape, content_type: &str, body: Bytes) -> Result<Fields> {
    let boundary = multer::parse_boundary(content_type).map_err(wrong)?;
    let stream = futures::stream::iter([Ok::<_, std::convert::Infallible>(body)]);
    let mut form = multer::Multipart::new(stream, boundary);
    let mut pairs = Vec::new();
    while let Some(field) = form.next_field().await.map_err(wrong)? {
        let Some(name) = field.name().map(str::to_owned) else {
            continue;
        };
        pairs.push((name, field.text().await.map_err(wrong)?));
    }
    Fields::from_pairs_of(shape, pairs)
}

/// A multipart form with one file, read as it arrives. The file is the field `content`; its name
/// and type are `name` and `media_type` unless the form sets these.
pub(super) async fn with_file(
    shape: &Shape,
    content_type: &str,
    pieces: impl Stream<Item = Result<Bytes>> + Send,
) -> Result<Fields> {
    let Sent { pairs, file, .. } = parts(content_type, pieces).await?;
    let mut fields = Fields::from_pairs_of(shape, pairs)?;
    if let Some(file) = file {
        file.fill(&mut fields);
    }
    Ok(fields)
}

/// The parts of a multipart form with at most one file, read as they arrive.
pub(super) async fn parts(
    content_type: &str,
    pieces: impl Stream<Item = Result<Bytes>> + Send,
) -> Result<Sent> {
    let boundary = multer::parse_boundary(content_type).map_err(wrong)?;
    let mut form = multer::Multipart::new(pieces, boundary);
    let mut pairs = Vec::new();
    let mut file = None;
    while let Some(part) = form.next_field().await.map_err(wrong)? {
        let Some(name) = part.file_name().map(str::to_owned) else {
            let Some(name) = part.name().map(str::to_owned) else {
                continue;
            };
            pairs.push((name, part.text().await.map_err(wrong)?));
            continue;
        };
        if file.is_some() {
            return Err(Error::invalid("content", "must be one file"));
        }
        // A browser's media type for a file it does not know.
        let said = part.content_type().map(|said| said.essence_str().to_owned());
        let said = said.filter(|said| said != "application/octet-stream");
        let content = Bytes::from(whole(part).await?);
        file = Some(SentFile { name, media_type: said, content, held: None });
    }
    Ok(Sent { pairs, file, held: None })
}

async fn whole(mut part: multer::Field<'_>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(wrong)? {
        reserve(&mut bytes, chunk.len());
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The error for a form that cannot be parsed, or the error that stopped its pieces.
fn wrong(error: multer::Error) -> Error {
    match error {
        multer::Error::StreamReadFailed(cause) => match cause.downcast::<Error>() {
            Ok(error) => *error,
            Err(cause) => Error::from(codes::MALFORMED_FORM).because(cause),
        },
        error => Error::from(codes::MALFORMED_FORM).because(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_multipart_form_reads_like_an_urlencoded_one() {
        let body = "--b\r\nContent-Disposition: form-data; name=\"ids[]\"\r\n\r\n7\r\n--b--\r\n";
        let form =
            multipart(&Shape::any(), "multipart/form-data; boundary=b", body.into()).await.unwrap();
        assert_eq!(form.canonical(), urlencoded(&Shape::any(), b"ids[]=7").unwrap().canonical());
        let any = Shape::any();
        let nothing = multipart(&any, "multipart/form-data", "".into()).await;
        assert!(nothing.is_err());
    }

    async fn read_in_pieces(body: &'static [u8], size: usize) -> Result<Fields> {
        let pieces = body.chunks(size).map(|piece| Ok(Bytes::from_static(piece)));
        let pieces = futures::stream::iter(pieces.collect::<Vec<_>>());
        with_file(&Shape::any(), "multipart/form-data; boundary=b", pieces).await
    }

    #[tokio::test]
    async fn a_file_comes_with_its_name_however_it_is_cut() {
        let body = b"--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\
            Content-Type: text/plain\r\n\r\nhello\r\n--b\r\n\
            Content-Disposition: form-data; name=\"name\"\r\n\r\nmine.txt\r\n--b--\r\n";
        let whole = read_in_pieces(body, 10_000).await.unwrap();
        let cut = read_in_pieces(body, 3).await.unwrap();
        assert_eq!(whole.canonical(), cut.canonical());
        let canonical = String::from_utf8(whole.canonical()).unwrap();
        // The fingerprint of a call covers the file's content.
        assert!(canonical.contains("2cf24dba5fb0a30e26e83b2ac5b9e29e"), "{canonical}");
        assert!(canonical.contains("mine.txt") && canonical.contains("text/plain"));
        let two = b"--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nx\r\n\
            --b\r\nContent-Disposition: form-data; name=\"g\"; filename=\"b\"\r\n\r\ny\r\n--b--\r\n";
        assert!(read_in_pieces(two, 10_000).await.is_err());
        assert!(read_in_pieces(&body[..60], 10_000).await.is_err());
    }

    #[tokio::test]
    async fn what_stops_the_pieces_is_what_the_caller_hears() {
        let pieces = futures::stream::iter([Err(codes::BODY_TOO_LARGE.into())]);
        let refused = with_file(&Shape::any(), "multipart/form-data; boundary=b", pieces).await;
        assert!(refused.unwrap_err().is(codes::BODY_TOO_LARGE));
    }
}
