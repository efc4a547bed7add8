//! What is thrown at the readers of what strangers send. The fuzz targets call these functions, and
//! so do the suites of the workspace, with what proptest makes.

use std::sync::LazyLock;

use nil_core::auth::signing::SignedRequest;
use nil_core::catalog::catalog;
use nil_core::editorial;
use nil_core::feed::{Event, Place, mistake};
use nil_core::kernel::{Email, Hashtag, Phone, Secret, SeededRandom, Slug, Text, Time, WebUrl};
use nil_core::keys::{Audience, MasterKey, Vault, WebhookSecret};
use nil_core::notifications::outbox::Channel;
use nil_core::operation::Fields;
use tokio::runtime::Runtime;

/// A JSON body, read as the input of every operation: an answer or a 4xx, never a panic; and what
/// was read once reads the same again.
pub fn json_input(body: &[u8]) {
    let Ok(fields) = Fields::from_json(body) else {
        return;
    };
    for entry in catalog().iter() {
        let once = entry.check(&fields);
        if let Err(error) = &once {
            assert!(error.kind().status() < 500, "{}: {error}", entry.name);
        }
        assert_eq!(once.is_ok(), entry.check(&fields).is_ok(), "{}", entry.name);
    }
    assert_eq!(fields.canonical(), fields.clone().canonical());
}

/// A query string or an urlencoded form, read as the input of every operation.
pub fn text_input(text: &[u8]) {
    let pairs = form_urlencoded::parse(text).into_owned();
    let Ok(fields) = Fields::from_pairs(pairs) else {
        return;
    };
    for entry in catalog().iter() {
        if let Err(error) = entry.check(&fields) {
            assert!(error.kind().status() < 500, "{}: {error}", entry.name);
        }
    }
}

/// The pairs of a form before anything is decoded, a line each: what their names build is bounded,
/// is read and dropped without harm, and has one print.
pub fn pairs(text: &str) {
    let pairs = text.lines().map(|line| {
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        (name.to_owned(), value.to_owned())
    });
    let Ok(fields) = Fields::from_pairs(pairs) else {
        return;
    };
    let canonical = fields.canonical();
    assert_eq!(canonical, fields.clone().canonical());
    // Names quote and hash at worst as six bytes each; nothing multiplies.
    assert!(canonical.len() <= text.len() * 16 + 16, "{}", canonical.len());
}

macro_rules! keeps {
    ($text:expr, $($kind:ty),+) => {$(
        if let Ok(kept) = <$kind>::new($text) {
            let again = <$kind>::new(&*kept).unwrap_or_else(|why| panic!("{:?}: {why}", &*kept));
            assert_eq!(*again, *kept);
        }
    )+};
}

/// The small languages of the kernel: what they take, they take again as they keep it.
pub fn values(text: &str) {
    keeps!(text, Email, Phone, Slug, Hashtag, WebUrl, Text<1, 40>);
}

/// The moment at which everything here is read.
static NOW: LazyLock<Time> = LazyLock::new(|| "2026-11-20T12:00:00Z".parse().expect("a time"));

static VAULT: LazyLock<Vault> =
    LazyLock::new(|| Vault::new(&MasterKey::generate(&SeededRandom::new(225))).expect("a vault"));

/// A bearer token of this vault.
pub static OWN_TOKEN: LazyLock<String> = LazyLock::new(|| {
    let (now, jti) = (*NOW, Secret::new("a session".to_owned()));
    let until = now + chrono::TimeDelta::minutes(15);
    let token = VAULT.sign(Audience::Core, 7, "athlete", &jti, now, until);
    token.expect("a token").expose().to_owned()
});

/// A bearer token: only the one that was signed here opens anything, and only Core.
pub fn token(text: &str) {
    let read = VAULT.read_token(text, Audience::Core, *NOW);
    assert_eq!(read.is_ok(), text == *OWN_TOKEN, "{text}");
    for audience in [Audience::Compliance, Audience::Admin] {
        assert!(VAULT.read_token(text, audience, *NOW).is_err(), "{text}");
    }
}

/// The headers of a signed request or of a webhook, and a secret that somebody sets: whatever they
/// hold, nothing of it is signed.
pub fn signatures(text: &str) {
    let mut lines = text.lines();
    let mut line = || lines.next().unwrap_or_default();
    let (timestamp, nonce, token, signature) = (line(), line(), line(), line());
    let request = SignedRequest {
        method: "POST",
        target: "/api/ai-tools/deals",
        timestamp,
        nonce,
        token,
        body: text.as_bytes(),
    };
    let secrets = VAULT.signing_secrets("a key");
    assert!(request.made_at(&secrets, signature, *NOW).is_err());
    let own = WebhookSecret::draw(&SeededRandom::new(226));
    assert!(!own.has_signed(nonce, *NOW, text, signature));
    if let Ok(secret) = WebhookSecret::read(text) {
        let again = secret.to_text();
        let again = WebhookSecret::read(again.expose()).expect("its own text");
        assert_eq!(again.bytes(), secret.bytes());
    }
}

/// A template of a message that an operator writes: for every event and channel an answer, and the
/// same one again.
pub fn template(text: &str) {
    for event in Event::ALL {
        for channel in [Channel::Email, Channel::Sms, Channel::InApp] {
            for place in [Place::Subject, Place::Body] {
                let once = mistake((*event, channel), place, text);
                assert_eq!(once, mistake((*event, channel), place, text));
            }
        }
    }
}

/// Rich text: what remains is clean as it is. What a second reading changes, a browser would read
/// in another way than we did.
pub fn rich_text(text: &str) {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));
    let Ok(clean) = RUNTIME.block_on(editorial::shown("text", text)) else {
        return;
    };
    let again = RUNTIME.block_on(editorial::shown("text", &clean));
    assert_eq!(again.expect("what is clean"), clean);
}
