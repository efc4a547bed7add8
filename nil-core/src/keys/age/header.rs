//! The first lines of a file: its own key, wrapped for each recipient, and a check over all of it.

use std::io::{self, BufRead};

use aws_lc_rs::aead::{Aad, Nonce};
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;

use super::recipient::{Identity, Recipient};
use super::{TAG, broken, cipher, derived};
use crate::kernel::Random;

pub(super) const FIRST: &str = "age-encryption.org/v1";
const WRAPPING: &str = "age-encryption.org/v1/X25519";
const STANZA: &str = "-> X25519 ";
const END: &str = "---";
/// The most lines of a header, and the most bytes of one.
const LINES: usize = 200;
const LINE: u64 = 1_000;

fn mac(file_key: &[u8; 16]) -> io::Result<hmac::Key> {
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &derived(file_key, b"", "header")?))
}

/// The key with which a file's own key is wrapped for one recipient.
fn wrapping(shared: &[u8; 32], share: &[u8; 32], recipient: &Recipient) -> io::Result<[u8; 32]> {
    derived(shared, &[share.as_slice(), &recipient.0].concat(), WRAPPING)
}

/// Every wrapping key is used once.
fn once() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}

/// The header for these recipients.
pub(super) fn written(
    file_key: &[u8; 16],
    to: &[Recipient],
    random: &dyn Random,
) -> io::Result<Vec<u8>> {
    let mut text = format!("{FIRST}\n");
    for recipient in to {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        let own = Identity::of_bytes(&secret)?;
        let share = own.recipient()?.0;
        let key = cipher(&wrapping(&own.shared(&recipient.0)?, &share, recipient)?)?;
        let mut body = file_key.to_vec();
        key.seal_in_place_append_tag(once(), Aad::empty(), &mut body)
            .map_err(|_| io::Error::other("the file's key cannot be wrapped"))?;
        text.extend([STANZA, &BASE64.encode(share), "\n", &BASE64.encode(body), "\n"]);
    }
    text.push_str(END);
    let tag = hmac::sign(&mac(file_key)?, text.as_bytes());
    text.extend([" ", &BASE64.encode(tag), "\n"]);
    Ok(text.into_bytes())
}

/// Reads the header; the file's own key and the header's length, if one of these can open it.
pub(super) fn read(from: &mut impl BufRead, own: &[Identity]) -> io::Result<([u8; 16], u64)> {
    let mut text = Vec::new();
    let mut found = None;
    let first = line(from, &mut text)?;
    if first != FIRST {
        return Err(broken("this is not a file of age"));
    }
    for _ in 0..LINES {
        let line = self::line(from, &mut text)?;
        if let Some(tag) = line.strip_prefix("--- ") {
            let key = found.ok_or_else(|| broken("the file is for another key"))?;
            let cut = text.len() - (tag.len() + 2);
            let tag = BASE64.decode(tag).map_err(|_| broken("the header is broken"))?;
            let signed = text.get(..cut).unwrap_or_default();
            hmac::verify(&mac(&key)?, signed, &tag)
                .map_err(|_| broken("the header was changed"))?;
            return Ok((key, u64::try_from(text.len()).unwrap_or_default()));
        }
        // Recipients of other kinds have other stanzas, which are of no use here.
        let Some(share) = line.strip_prefix(STANZA) else { continue };
        let body = self::line(from, &mut text)?;
        if found.is_none() {
            found = unwrapped(share, &body, own)?;
        }
    }
    Err(broken("the header is too long"))
}

fn unwrapped(share: &str, body: &str, own: &[Identity]) -> io::Result<Option<[u8; 16]>> {
    let bytes = |text: &str| BASE64.decode(text).map_err(|_| broken("the header is broken"));
    let share: [u8; 32] = bytes(share)?.try_into().map_err(|_| broken("the header is broken"))?;
    let body = bytes(body)?;
    if body.len() != 16 + TAG {
        return Err(broken("the header is broken"));
    }
    for identity in own {
        let key = wrapping(&identity.shared(&share)?, &share, &identity.recipient()?)?;
        let mut body = body.clone();
        if let Ok(file_key) = cipher(&key)?.open_in_place(once(), Aad::empty(), &mut body) {
            return Ok(<[u8; 16]>::try_from(&*file_key).ok());
        }
    }
    Ok(None)
}

/// The next line, which is added to what was read.
fn line(from: &mut impl BufRead, read: &mut Vec<u8>) -> io::Result<String> {
    let mut line = Vec::new();
    io::Read::take(&mut *from, LINE).read_until(b'\n', &mut line)?;
    read.extend_from_slice(&line);
    let text = line.strip_suffix(b"\n").ok_or_else(|| broken("the header is broken"))?;
    String::from_utf8(text.to_vec()).map_err(|_| broken("the header is broken"))
}
