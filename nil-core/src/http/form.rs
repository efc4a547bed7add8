//! Forms of the back office: urlencoded and multipart, nested names included.

use bytes::Bytes;

use crate::error::{Error, Result, codes};
use crate::operation::Fields;

/// `ids[]=1&a[b]=c`. Also the form of every query string.
pub(super) fn urlencoded(text: &[u8]) -> Fields {
    Fields::from_pairs(
        form_urlencoded::parse(text).map(|(name, value)| (name.into_owned(), value.into_owned())),
    )
}

/// Text parts of a multipart form. (File parts come with the operations that take files.)
pub(super) async fn multipart(content_type: &str, body: Bytes) -> Result<Fields> {
    let wrong = |error: multer::Error| Error::from(codes::MALFORMED_FORM).because(error);
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
    Ok(Fields::from_pairs(pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_multipart_form_reads_like_an_urlencoded_one() {
        let body = "--b\r\nContent-Disposition: form-data; name=\"ids[]\"\r\n\r\n7\r\n--b--\r\n";
        let form = multipart("multipart/form-data; boundary=b", body.into())
            .await
            .unwrap();
        assert_eq!(form.canonical(), urlencoded(b"ids[]=7").canonical());
        assert!(multipart("multipart/form-data", "".into()).await.is_err());
    }
}
