//! What a provider of text messages reports of them: to which address, and how it signs.

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::kernel::Secret;

/// Where a provider reports what became of a text message, and the token with which it signs, as
/// Twilio does: HMAC-SHA1 over the address and the sorted fields.
#[derive(Clone, Debug)]
pub struct SmsReports {
    address: String,
    token: Secret,
}

impl SmsReports {
    /// Reports to a site at this address, such as `https://nil.example`, signed with the account's
    /// token.
    #[must_use]
    pub fn new(public_url: &str, token: Secret) -> Self {
        Self { address: format!("{public_url}/api/sms/report"), token }
    }

    /// The address for reports about a message.
    #[must_use]
    pub fn address_of(&self, message: &str) -> String {
        format!("{}?message={message}", self.address)
    }

    /// The signature of a report about a message.
    #[must_use]
    pub fn sign(&self, message: &str, form: &[(String, String)]) -> String {
        STANDARD.encode(hmac::sign(&self.key(), self.signed(message, form).as_bytes()))
    }

    /// Whether a report about a message was signed with the token.
    #[must_use]
    pub fn has_signed(&self, message: &str, form: &[(String, String)], signature: &str) -> bool {
        let signed = self.signed(message, form);
        let mark = STANDARD.decode(signature);
        mark.is_ok_and(|mark| hmac::verify(&self.key(), signed.as_bytes(), &mark).is_ok())
    }

    fn key(&self) -> hmac::Key {
        let token = self.token.expose().as_bytes();
        hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token)
    }

    fn signed(&self, message: &str, form: &[(String, String)]) -> String {
        let mut fields: Vec<_> = form.iter().collect();
        fields.sort();
        let mut signed = self.address_of(message);
        for (name, value) in fields {
            signed.push_str(name);
            signed.push_str(value);
        }
        signed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made with the provider's own library for Python: `RequestValidator("12345")
    /// .compute_signature("https://nil.example/api/sms/report?message=7", …)`.
    #[test]
    fn a_provider_signs_the_address_and_the_sorted_fields() {
        let reports = SmsReports::new("https://nil.example", Secret::new("12345"));
        let form = [("To", "+12175550100"), ("MessageStatus", "failed"), ("ErrorCode", "21610")];
        let form = form.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let signature = "siRX5Hgm/2DLM8Y0NzGEfpqmOT0=";
        assert!(reports.has_signed("7", &form, signature));
        assert_eq!(reports.sign("7", &form), signature);
        assert!(!reports.has_signed("8", &form, signature));
        assert!(!reports.has_signed("7", &form[..2], signature));
        assert!(!reports.has_signed("7", &form, "not base64"));
    }
}
