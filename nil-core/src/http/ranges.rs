//! Parts of files (RFC 9110, section 14): one range of bytes, so that a broken download continues
//! and a video is sought.

use ::http::header::{ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_RANGE, IF_RANGE, RANGE};
use ::http::{HeaderMap, Method, Response, StatusCode};

use super::response::{Outgoing, put};
use crate::error::{Error, Result, codes};
use crate::operation::{Body, Reply};

/// What was made of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// A file that has no parts, or no file at all.
    Whole,
    /// The whole of a file whose parts can be requested.
    Divisible,
    /// The bytes from the first to the last of so many.
    Part(u64, u64, u64),
}

/// Opens the requested part of a file in place of the whole. 416 if it is beyond the end. Several
/// ranges, ranges that cannot be read, and those that depend on a version (`If-Range`: no file says
/// its version) are ignored, which the protocol allows: the answer is the whole file.
pub(super) async fn narrow(
    method: &Method,
    headers: &HeaderMap,
    reply: &mut Reply,
) -> Result<Sent> {
    let Body::File(file) = &mut reply.body else {
        return Ok(Sent::Whole);
    };
    let (Some(length), true) = (file.length, file.part.is_some()) else {
        return Ok(Sent::Whole);
    };
    let range = headers.get(RANGE).filter(|_| *method == Method::GET);
    let range = range.filter(|_| !headers.contains_key(IF_RANGE));
    let Some(range) = range.and_then(|range| Range::read(range.to_str().ok()?)) else {
        return Ok(Sent::Divisible);
    };
    let Some((first, last)) = range.within(length) else {
        return Err(Error::from(codes::RANGE_NOT_SATISFIABLE));
    };
    let wanted = last - first + 1;
    if let Some(open) = file.part.take() {
        file.bytes = open(first, wanted).await?;
        file.length = Some(wanted);
        reply.status = StatusCode::PARTIAL_CONTENT.as_u16();
    }
    Ok(Sent::Part(first, last, length))
}

/// Says in the headers what was sent.
pub(super) fn tell(sent: Sent, response: &mut Response<Outgoing>) {
    let headers = response.headers_mut();
    match sent {
        Sent::Whole => {}
        Sent::Divisible => put(headers, ACCEPT_RANGES, "bytes"),
        Sent::Part(first, last, length) => {
            put(headers, ACCEPT_RANGES, "bytes");
            put(headers, CONTENT_RANGE, &format!("bytes {first}-{last}/{length}"));
            put(headers, CONTENT_LENGTH, &(last - first + 1).to_string());
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        }
    }
}

/// One range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    /// From a byte to another one, or to the end.
    From(u64, Option<u64>),
    /// The last bytes.
    Last(u64),
}

impl Range {
    fn read(text: &str) -> Option<Self> {
        let (unit, range) = text.split_once('=')?;
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            return None;
        }
        let (first, last) = range.trim().split_once('-')?;
        if first.is_empty() {
            return number(last).map(Self::Last);
        }
        let first = number(first)?;
        if last.is_empty() {
            return Some(Self::From(first, None));
        }
        number(last).filter(|last| *last >= first).map(|last| Self::From(first, Some(last)))
    }

    /// The first and the last byte of it in a file of this length.
    fn within(self, length: u64) -> Option<(u64, u64)> {
        let end = length.checked_sub(1)?;
        match self {
            Self::From(first, last) => {
                (first <= end).then(|| (first, last.unwrap_or(end).min(end)))
            }
            Self::Last(0) => None,
            Self::Last(count) => Some((length.saturating_sub(count), end)),
        }
    }
}

/// Digits only; a number that is too large is as good as the largest.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_and_cut_to_the_file() {
        for (text, length, bytes) in [
            ("bytes=0-0", 10, Some((0, 0))),
            ("bytes=2-5", 10, Some((2, 5))),
            ("Bytes = 2-5", 10, Some((2, 5))),
            ("bytes=2-", 10, Some((2, 9))),
            ("bytes=2-99999999999999999999999", 10, Some((2, 9))),
            ("bytes=-3", 10, Some((7, 9))),
            ("bytes=-30", 10, Some((0, 9))),
            ("bytes=10-", 10, None),
            ("bytes=99999999999999999999999-", 10, None),
            ("bytes=-0", 10, None),
            ("bytes=0-", 0, None),
            ("bytes=-1", 0, None),
        ] {
            let range = Range::read(text).unwrap_or_else(|| panic!("{text} is a range"));
            assert_eq!(range.within(length), bytes, "{text} of {length}");
        }
        for wrong in [
            "",
            "bytes",
            "bytes=",
            "bytes=5-2",
            "bytes=a-b",
            "bytes=1-2,4-5",
            "rows=1-2",
            "bytes=-",
            "bytes=+1-2",
            "bytes= 1 - 2",
        ] {
            assert_eq!(Range::read(wrong), None, "{wrong}");
        }
    }
}
