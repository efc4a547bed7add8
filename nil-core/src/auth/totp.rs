//! The second step of a log-in: the codes of authenticator apps (RFC 6238), and
//! recovery codes.

use totp_rs::{Builder, Totp};

use crate::error::{Error, Result};
use crate::kernel::{Identity, OperatorId, Random, Secret, Time, pasted};
use crate::keys::Vault;

/// The length of a secret in bytes, as RFC 4226 recommends.
const LENGTH: usize = 20;
/// The number of recovery codes made at a time.
const RECOVERY_CODES: usize = 10;
/// The symbols of recovery codes (Crockford's base 32): no letter that looks like a digit.
const SYMBOLS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The number of symbols of a recovery code: 60 bits.
const SYMBOLS_EACH: usize = 12;

/// The secret that an authenticator app shares with the platform.
pub struct SharedSecret(Totp);

impl SharedSecret {
    /// A new one.
    pub fn new(random: &dyn Random) -> Result<Self> {
        let mut bytes = [0; LENGTH];
        random.fill(&mut bytes);
        Self::from_bytes(&bytes)
    }

    /// Codes of six digits, each for 30 seconds, and accepted for 30 seconds before and after: what
    /// authenticator apps assume.
    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let builder = Builder::new().with_secret(bytes.to_vec().into_boxed_slice());
        let totp = builder.with_account_name("account").build();
        totp.map(Self).map_err(|error| Error::internal(format!("a shared secret: {error}")))
    }

    /// Opens the stored secret of an account.
    pub fn open(vault: &Vault, account: impl Identity, sealed: &[u8]) -> Result<Self> {
        Self::from_bytes(&vault.open(&context(account), sealed)?)
    }

    /// The secret as it is stored.
    pub fn seal(&self, vault: &Vault, account: impl Identity) -> Result<Vec<u8>> {
        vault.seal(&context(account), self.0.secret().as_bytes())
    }

    /// The secret in base 32, for typing it in.
    pub fn typed(&self) -> Secret {
        Secret::new(self.0.secret().to_base32())
    }

    /// The address that authenticator apps read from a QR code.
    pub fn address(&self, site: &str, account: &str) -> Result<Secret> {
        let broken =
            |error| Error::internal(format!("an address for an authenticator app: {error}"));
        // The address separates the two with a colon.
        let plain = |text: &str| text.replace(':', " ");
        let builder = Builder::new()
            .with_secret(self.0.secret().as_bytes().to_vec().into_boxed_slice())
            .with_account_name(plain(account))
            .with_issuer(Some(plain(site)));
        let totp = builder.build().map_err(broken)?;
        totp.to_url().map(Secret::new).map_err(broken)
    }

    /// The time step of a code that is right now: a code counts only if its step is later than that
    /// of the last one.
    pub fn step(&self, code: &str, now: Time) -> Option<i64> {
        let code = pasted(code);
        let now = u64::try_from(now.timestamp()).ok()?;
        self.0.check(&code, now).and_then(|step| i64::try_from(step).ok())
    }
}

fn context(account: impl Identity) -> String {
    format!("totp:{}", bound_to(account))
}

/// What a secret or a code is bound to. Operators had two steps first: theirs is the bare number.
fn bound_to<I: Identity>(account: I) -> String {
    let number = account.number();
    if I::KIND == OperatorId::KIND { number.to_string() } else { format!("{}:{number}", I::KIND) }
}

/// New recovery codes, such as `4f2k-9mtz-x07c`.
pub fn recovery_codes(random: &dyn Random) -> Vec<Secret> {
    let code = || {
        let mut bytes = [0; SYMBOLS_EACH];
        random.fill(&mut bytes);
        let symbols = bytes.map(symbol);
        let groups: Vec<String> = symbols.chunks(4).map(|four| four.iter().collect()).collect();
        Secret::new(groups.join("-"))
    };
    (0..RECOVERY_CODES).map(|_| code()).collect()
}

/// The symbol for the lowest five bits.
fn symbol(byte: u8) -> char {
    SYMBOLS.get(usize::from(byte % 32)).map_or('0', |symbol| char::from(*symbol))
}

/// What is stored of a recovery code. Case, spaces and hyphens do not matter, nor does a letter
/// that looks like a digit.
pub fn recovery_mark(vault: &Vault, account: impl Identity, code: &str) -> String {
    let (context, typed) = recovery_text(account, code);
    vault.mark(&context, &typed)
}

/// What may be stored of a recovery code, also under an earlier secret key.
pub fn recovery_marks(vault: &Vault, account: impl Identity, code: &str) -> Vec<String> {
    let (context, typed) = recovery_text(account, code);
    vault.marks(&context, &typed)
}

fn recovery_text(account: impl Identity, code: &str) -> (String, String) {
    let typed = code.chars().filter(char::is_ascii_alphanumeric).map(|sign| {
        match sign.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            sign => sign,
        }
    });
    (format!("recovery_code:{}", bound_to(account)), typed.collect())
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::kernel::{PortalUserId, SystemRandom};
    use crate::keys::MasterKey;

    fn at(seconds: i64) -> Time {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B: the last six digits of its codes for SHA-1.
        let shared = SharedSecret::from_bytes(b"12345678901234567890").unwrap();
        for (seconds, code) in
            [(59, "287082"), (1_111_111_109, "081804"), (2_000_000_000, "279037")]
        {
            assert_eq!(shared.step(code, at(seconds)), Some(seconds / 30), "{seconds}");
            assert_eq!(shared.step(code, at(seconds + 30)), Some(seconds / 30), "a slow clock");
            assert_eq!(shared.step(code, at(seconds - 30)), Some(seconds / 30), "a fast clock");
            assert_eq!(shared.step(code, at(seconds + 60)), None);
        }
        assert_eq!(shared.step("287 082", at(59)), Some(1), "as apps show it");
        assert_eq!(shared.step("28708２", at(59)), Some(1), "as some keyboards type it");
        for wrong in ["", "28708", "2870820", "28708x", "abcdef", "-87082"] {
            assert_eq!(shared.step(wrong, at(59)), None, "{wrong}");
        }
    }

    #[test]
    fn a_secret_opens_only_for_its_account_and_has_an_address_for_apps() {
        let vault = Vault::new(&MasterKey::generate(&SystemRandom)).unwrap();
        let [one, other] = [1, 2].map(|id| OperatorId::new(id).unwrap());
        let shared = SharedSecret::new(&SystemRandom).unwrap();
        let sealed = shared.seal(&vault, one).unwrap();
        let opened = SharedSecret::open(&vault, one, &sealed).unwrap();
        assert_eq!(opened.typed(), shared.typed());
        assert!(SharedSecret::open(&vault, other, &sealed).is_err());
        let officer = PortalUserId::new(1).unwrap();
        assert!(SharedSecret::open(&vault, officer, &sealed).is_err(), "the same number");
        let theirs = shared.seal(&vault, officer).unwrap();
        assert!(SharedSecret::open(&vault, one, &theirs).is_err());
        let address = shared.address("Lake: nil", "ada@nil.example").unwrap();
        let expected = format!(
            "otpauth://totp/Lake%20%20nil:ada%40nil.example?secret={}&issuer=Lake%20%20nil",
            shared.typed().expose()
        );
        assert_eq!(address.expose(), expected);
    }

    #[test]
    fn recovery_codes_are_read_as_people_type_them() {
        let vault = Vault::new(&MasterKey::generate(&SystemRandom)).unwrap();
        let [one, other] = [1, 2].map(|id| OperatorId::new(id).unwrap());
        let codes = recovery_codes(&SystemRandom);
        assert_eq!(codes.len(), RECOVERY_CODES);
        assert!(codes.iter().all(|code| code.expose().len() == 14), "{}", codes[0].expose());
        let mark = |operator, code: &str| recovery_mark(&vault, operator, code);
        assert_eq!(mark(one, "01ab-cdef-0123"), mark(one, " OIAB CDEF0L23 "));
        assert_ne!(mark(one, "01ab-cdef-0123"), mark(other, "01ab-cdef-0123"));
    }
}
