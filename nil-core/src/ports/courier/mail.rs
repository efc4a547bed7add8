//! Makes a mail of a letter: its headers, and its text as plain text and as HTML.

use lettre::Address;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message, MultiPart};

use super::{Letter, html};

/// A mail, ready to be sent.
pub(super) struct Mail {
    pub(super) from: Address,
    pub(super) to: Address,
    /// Headers and parts.
    pub(super) bytes: Vec<u8>,
}

/// Whose mails they are.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    from: Mailbox,
    reply_to: Option<Mailbox>,
}

impl Sender {
    /// A sender by `Name <address>` or by an address alone. An error begins with the name of the
    /// setting.
    pub(super) fn new(from: &str, reply_to: Option<&str>) -> Result<Self, String> {
        let reply_to = reply_to.map(|text| mailbox("reply_to", text)).transpose()?;
        Ok(Self { from: mailbox("from", from)?, reply_to })
    }

    /// The mail of a letter, or why it can never be one. Its `Message-ID` is the same at every
    /// attempt.
    pub(super) fn mail(&self, letter: &Letter) -> Result<Mail, String> {
        let to = address(&letter.to).ok_or("its address is not an e-mail address")?;
        // A sender that cannot be one must not stop the mail.
        let own = letter.from.as_deref().and_then(|text| mailbox("from", text).ok());
        let sender = own.unwrap_or_else(|| self.from.clone());
        let from = sender.email.clone();
        let subject = letter.subject.as_deref().unwrap_or_default().replace(char::is_control, " ");
        let subject = if subject.trim().is_empty() { self.unnamed() } else { subject };
        let mut head = Message::builder()
            .message_id(Some(format!("<outbox.{}@{}>", letter.id, self.from.email.domain())))
            .from(sender)
            .to(to.clone().into())
            .subject(subject.as_str())
            // Programs that answer mails, such as out-of-office notices, learn that no person wrote
            // it (RFC 3834).
            .raw_header(plain("Auto-Submitted", "auto-generated"));
        if let Some(url) = &letter.unsubscribe {
            head = head.raw_header(plain("List-Unsubscribe", &format!("<{url}>")));
            // Programs call only what is encrypted (RFC 8058).
            if url.starts_with("https:") {
                head =
                    head.raw_header(plain("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
            }
        }
        if let Some(reply_to) = &self.reply_to {
            head = head.reply_to(reply_to.clone());
        }
        let page = html::page(&subject, &letter.body);
        let parts = MultiPart::alternative_plain_html(letter.body.clone(), page);
        let message = head.multipart(parts).map_err(|error| error.to_string())?;
        Ok(Mail { from, to, bytes: message.formatted() })
    }

    /// The subject of a letter without one.
    fn unnamed(&self) -> String {
        let name = self.from.name.as_deref().unwrap_or_else(|| self.from.email.domain());
        format!("A message from {name}")
    }
}

/// Reads `Name <address>` or an address alone, the whole of it.
fn mailbox(setting: &str, text: &str) -> Result<Mailbox, String> {
    let (name, inner) = match text.trim().strip_suffix('>').and_then(|text| text.rsplit_once('<')) {
        Some((name, inner)) => (name.trim().trim_matches('"').trim(), inner),
        None => ("", text),
    };
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    match address(inner.trim()) {
        Some(address) if !text.contains(char::is_control) => Ok(Mailbox::new(name, address)),
        _ => Err(format!("{setting}: `{}` is not `Name <address>`", text.escape_debug())),
    }
}

/// An address in ASCII, which every mail server takes.
fn address(text: &str) -> Option<Address> {
    let address: Address = text.parse().ok()?;
    let clean = text.is_ascii() && !text.contains(|letter: char| letter.is_ascii_control());
    Some(address).filter(|_| clean)
}

/// A header whose value is ASCII and must not be folded, such as an address.
fn plain(name: &'static str, value: &str) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str(name);
    HeaderValue::dangerous_new_pre_encoded(name, value.to_owned(), value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::OutboxId;
    use crate::ports::courier::Channel;

    fn letter(to: &str, subject: &str, body: &str) -> Letter {
        Letter {
            id: OutboxId::new(7).unwrap(),
            channel: Channel::Email,
            to: to.into(),
            event: "otp.sent".into(),
            subject: Some(subject.into()).filter(|text: &String| !text.is_empty()),
            body: body.into(),
            from: None,
            unsubscribe: None,
        }
    }

    #[test]
    fn the_sites_own_sender_goes_before_the_configured_one() {
        let mut one = letter("jo@example.com", "News", "News.");
        one.from = Some("Deals <deals@other.example>".into());
        let mail = sender().mail(&one).unwrap();
        let (head, _) = parts(&mail);
        assert!(head.contains(&"From: Deals <deals@other.example>".to_owned()), "{head:#?}");
        assert!(head.contains(&"Message-ID: <outbox.7@lakeshore.example>".to_owned()), "{head:#?}");
        assert_eq!(mail.from.to_string(), "deals@other.example");
        one.from = Some("A\r\nBcc: b <a@example.com>".into());
        assert_eq!(sender().mail(&one).unwrap().from.to_string(), "nil@lakeshore.example");
    }

    #[test]
    fn whoever_may_end_these_mails_is_told_where() {
        let url =
            format!("https://nil.example/unsubscribe?token=unsubscribe.user:1.{}", "a".repeat(90));
        let mut one = letter("ada@example.com", "News", "News.");
        let (headers, _) = parts(&sender().mail(&one).unwrap());
        assert!(!headers.iter().any(|line| line.starts_with("List-")), "{headers:?}");
        one.unsubscribe = Some(url.clone());
        let (headers, _) = parts(&sender().mail(&one).unwrap());
        assert!(headers.contains(&format!("List-Unsubscribe: <{url}>")), "{headers:?}");
        let by_one_click = "List-Unsubscribe-Post: List-Unsubscribe=One-Click".to_owned();
        assert!(headers.contains(&by_one_click), "{headers:?}");
        one.unsubscribe = Some(url.replace("https:", "http:"));
        let (headers, _) = parts(&sender().mail(&one).unwrap());
        assert!(!headers.contains(&by_one_click), "{headers:?}");
    }

    fn sender() -> Sender {
        Sender::new("NIL at Lakeshore <nil@lakeshore.example>", Some("help@lakeshore.example"))
            .unwrap()
    }

    /// The headers of the whole mail, unfolded, and what follows them.
    fn parts(mail: &Mail) -> (Vec<String>, String) {
        let text = String::from_utf8(mail.bytes.clone()).unwrap();
        let (head, rest) = text.split_once("\r\n\r\n").unwrap();
        let head = head.replace("\r\n ", " ");
        (head.split("\r\n").map(ToOwned::to_owned).collect(), rest.to_owned())
    }

    #[test]
    fn a_mail_has_every_header_that_receivers_look_at() {
        let mail = sender().mail(&letter("jo@example.com", "Your code", "Hi,\n\n123456")).unwrap();
        let (head, rest) = parts(&mail);
        for line in [
            "Message-ID: <outbox.7@lakeshore.example>",
            "From: \"NIL at Lakeshore\" <nil@lakeshore.example>",
            "Reply-To: help@lakeshore.example",
            "To: jo@example.com",
            "Subject: Your code",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
        ] {
            assert!(head.iter().any(|found| found == line), "{line} is not in {head:#?}");
        }
        let begins = |word: &str| head.iter().any(|line| line.starts_with(word));
        assert!(begins("Date: ") && begins("Content-Type: multipart/alternative;"), "{head:#?}");
        assert!(rest.contains("Hi,\r\n\r\n123456"), "{rest}");
        assert!(
            rest.contains("text/html; charset=utf-8") && rest.contains("<p>123456</p>"),
            "{rest}"
        );
        let other = sender().mail(&letter("jo@example.com", "Your code", "Hi,\n\n123456")).unwrap();
        assert_eq!(parts(&other).0.first(), head.first(), "the same Message-ID");
        assert_eq!(
            (mail.from.as_ref(), mail.to.as_ref()),
            ("nil@lakeshore.example", "jo@example.com")
        );
    }

    #[test]
    fn no_value_can_begin_a_header() {
        for subject in
            ["News\r\nBcc: all@example.com", "News\nBcc: all@example.com", "N\rBcc: é\r\n\r\nx"]
        {
            let mail = sender().mail(&letter("jo@example.com", subject, "x")).unwrap();
            let (head, _) = parts(&mail);
            assert!(!head.iter().any(|line| line.starts_with("Bcc")), "{head:#?}");
        }
        for to in [
            "jo@example.com\r\nBcc: a@example.com",
            "jo@example.com, a@example.com",
            "jo",
            "",
            "jö@example.com",
        ] {
            assert!(sender().mail(&letter(to, "News", "x")).is_err(), "{to}");
        }
        for from in [
            "A\r\nBcc: b <a@example.com>",
            "A <a@example.com\r\n>",
            "A <a>",
            "a@example.com, b@example.com",
            "",
            "<>",
        ] {
            assert!(Sender::new(from, None).unwrap_err().starts_with("from: "), "{from}");
            assert!(
                Sender::new("a@example.com", Some(from)).unwrap_err().starts_with("reply_to: ")
            );
        }
    }

    #[test]
    fn other_alphabets_are_encoded_and_an_empty_subject_names_the_sender() {
        let sender = Sender::new("Zoë <zoe@example.com>", None).unwrap();
        let mail = sender.mail(&letter("jo@example.com", "Grüße – 你好", "Grüße")).unwrap();
        assert!(mail.bytes.is_ascii());
        let mail = sender.mail(&letter("jo@example.com", "", "x")).unwrap();
        let (head, _) = parts(&mail);
        assert!(head.iter().any(|line| line.starts_with("Subject: ")), "{head:#?}");
    }
}
