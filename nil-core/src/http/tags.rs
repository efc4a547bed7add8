//! `ETag` and `If-None-Match`: who has an answer already gets 304 in its place (RFC 9110, section
//! 13.1.2).

use ::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use ::http::{HeaderMap, HeaderValue, Response, StatusCode};
use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use http_body_util::{BodyExt, StreamBody};

use super::response::{Outgoing, put};

/// A file read whole, so that it can be tagged; only the client may keep it. A file that fails ends
/// as it would without a tag.
pub(super) async fn gathered(response: Response<Outgoing>) -> Response<Outgoing> {
    let (mut parts, body) = response.into_parts();
    let body = match body {
        Outgoing::Whole(bytes) => Outgoing::Whole(bytes),
        Outgoing::Stream(stream) => {
            put(&mut parts.headers, CACHE_CONTROL, "private, no-cache");
            match stream.collect().await {
                Ok(all) => Outgoing::Whole(all.to_bytes()),
                Err(error) => {
                    let failing = StreamBody::new(futures::stream::iter([Err(error)]));
                    Outgoing::Stream(BodyExt::boxed(failing))
                }
            }
        }
    };
    Response::from_parts(parts, body)
}

/// Tags an answer by its content; 304 without a body if it has one of the tags that the client
/// knows by the request's headers. The tags are weak: the same content may be sent compressed or
/// not.
pub(super) fn revalidate(
    asked: &HeaderMap,
    mut response: Response<Outgoing>,
) -> Response<Outgoing> {
    let Outgoing::Whole(bytes) = response.body() else { return response };
    if response.status() != StatusCode::OK {
        return response;
    }
    let tag = format!("\"{}\"", hex::encode(digest(&SHA256, bytes)));
    let headers = response.headers_mut();
    put(headers, ETAG, &format!("W/{tag}"));
    if !headers.contains_key(CACHE_CONTROL) {
        put(headers, CACHE_CONTROL, "no-cache");
    }
    if asked.get_all(IF_NONE_MATCH).iter().any(|known| is_among(known, &tag)) {
        headers.remove(CONTENT_TYPE);
        headers.remove(CONTENT_LENGTH);
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Outgoing::Whole(Bytes::new());
    }
    response
}

fn is_among(known: &HeaderValue, tag: &str) -> bool {
    let all = known.to_str().unwrap_or_default();
    all.split(',').map(str::trim).any(|one| one == "*" || one.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_tag_is_found_among_others_weak_or_not() {
        for (known, found) in [
            ("\"abc\"", true),
            ("W/\"abc\"", true),
            ("\"x\", W/\"abc\"", true),
            ("*", true),
            ("\"abcd\"", false),
            ("abc", false),
            ("", false),
        ] {
            assert_eq!(is_among(&HeaderValue::from_static(known), "\"abc\""), found, "{known}");
        }
    }
}
