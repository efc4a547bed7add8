//! The secrets of endpoints of webhooks, and the signatures made with them, as the Standard
//! Webhooks specification has them.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::kernel::{Random, Secret, Time};

/// The number of bytes of a secret; the specification has 24 to 64.
const LENGTH: usize = 32;

/// A secret that an endpoint's owner and the platform share.
#[derive(Clone)]
pub struct WebhookSecret(Vec<u8>);

impl std::fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl WebhookSecret {
    /// A new one.
    pub fn draw(random: &dyn Random) -> Self {
        let mut bytes = vec![0; LENGTH];
        random.fill(&mut bytes);
        Self(bytes)
    }

    /// The secret with these bytes.
    pub const fn of_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The secret that a text of the form `whsec_…` is. The reason why it is none does not hold it.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        let bytes = text.strip_prefix("whsec_").and_then(|text| STANDARD.decode(text).ok());
        let bytes = bytes.filter(|bytes| (24..=64).contains(&bytes.len()));
        bytes.map(Self).ok_or("must be whsec_ and 24 to 64 bytes in base64")
    }

    /// The bytes, to be sealed.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text that its owner is shown.
    pub fn to_text(&self) -> Secret {
        Secret::new(format!("whsec_{}", STANDARD.encode(&self.0)))
    }

    /// The signature of a message that is sent at this instant.
    pub fn sign(&self, message: &str, at: Time, body: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        let signed = format!("{message}.{}.{body}", at.timestamp());
        format!("v1,{}", STANDARD.encode(hmac::sign(&key, signed.as_bytes())))
    }

    /// Whether one of these signatures, which blanks separate, was made with the secret.
    pub fn has_signed(&self, message: &str, at: Time, body: &str, signatures: &str) -> bool {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        let signed = format!("{message}.{}.{body}", at.timestamp());
        signatures.split(' ').any(|signature| {
            let mark = signature.strip_prefix("v1,").and_then(|mark| STANDARD.decode(mark).ok());
            mark.is_some_and(|mark| hmac::verify(&key, signed.as_bytes(), &mark).is_ok())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SystemRandom;

    /// The example that the libraries of the specification are tested with.
    #[test]
    fn it_signs_as_the_specification_does() {
        let bytes = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let secret = WebhookSecret::of_bytes(bytes);
        let at = Time::UNIX_EPOCH + chrono::TimeDelta::seconds(1_614_265_330);
        let signature = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", at, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn what_it_has_signed_is_recognised() {
        let secret = WebhookSecret::read("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let at = Time::UNIX_EPOCH + chrono::TimeDelta::seconds(1_614_265_330);
        let both = format!("v1,AAAA {}", secret.sign("msg_1", at, "{}"));
        assert!(secret.has_signed("msg_1", at, "{}", &both));
        assert!(!secret.has_signed("msg_2", at, "{}", &both));
        assert!(!secret.has_signed("msg_1", at, "{ }", &both));
        assert!(!secret.has_signed("msg_1", at, "{}", &both.replace("v1,", "v2,")));
        for wrong in ["", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            assert!(WebhookSecret::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_new_one_is_shown_as_text_and_never_in_a_log() {
        let secret = WebhookSecret::draw(&SystemRandom);
        let text = secret.to_text();
        let (_, encoded) = text.expose().split_once("whsec_").unwrap();
        assert_eq!(STANDARD.decode(encoded).unwrap(), secret.bytes());
        assert_eq!(format!("{secret:?}"), "***");
    }
}
