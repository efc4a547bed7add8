//! What a failure means for a letter: whether it can never be delivered, or is tried again.
//!
//! Only a refusal for good that concerns this letter ends it. What the operator can mend (a wrong
//! password, a sender or a relay that the server does not allow) must not end every letter in the
//! outbox, so those are tried again.

use std::error::Error as _;

use lettre::transport::smtp::Error;

use super::Outcome;

/// The longest reason that is stored, in characters.
const LONGEST: usize = 300;

/// A step of handing a mail to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Connecting, up to the server's greeting.
    Connecting,
    /// STARTTLS.
    Encrypting,
    /// Logging in.
    LoggingIn,
    /// Naming the sender.
    Sender,
    /// Naming the recipient.
    Recipient,
    /// Sending the mail itself.
    Content,
}

impl Step {
    /// The step, after "cannot" and after "refused".
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Connecting => ("connect to", "the connection"),
            Self::Encrypting => ("encrypt the connection to", "STARTTLS"),
            Self::LoggingIn => ("log in at", "the log-in"),
            Self::Sender => ("name the sender to", "the sender"),
            Self::Recipient => ("name the recipient to", "the recipient"),
            Self::Content => ("hand the mail to", "the mail"),
        }
    }

    /// Whether a refusal at this step can concern one letter only.
    const fn is_about_the_letter(self) -> bool {
        matches!(self, Self::Recipient | Self::Content)
    }
}

/// A failure, and whether the connection can be used for another mail.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) outcome: Outcome,
    pub(super) line_holds: bool,
}

impl Failure {
    /// The failure of this step at this server. What is to be hidden is taken out of what the
    /// server says.
    pub(super) fn of(step: Step, server: &str, error: &Error, hidden: &[String]) -> Self {
        let (cannot, refused) = step.words();
        let said = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        let said = without(&said, hidden);
        let Some(code) = error.status().map(u16::from) else {
            return Self::broken(format!("cannot {cannot} {server}: {}", bounded(&said)));
        };
        let why = format!("{server} refused {refused}: {code} {}", bounded(&said));
        let ends_it =
            error.is_permanent() && step.is_about_the_letter() && !is_for_the_operator(code, &said);
        Self {
            outcome: if ends_it { Outcome::Never(why) } else { Outcome::TryAgain(why) },
            // With 421 the server says that it hangs up.
            line_holds: code != 421,
        }
    }

    /// A failure after which the connection is not used again.
    pub(super) const fn broken(why: String) -> Self {
        Self { outcome: Outcome::TryAgain(why), line_holds: false }
    }

    /// An answer that has no place at this step: the server and this client have lost each other.
    pub(super) fn out_of_step(step: Step, server: &str) -> Self {
        let (cannot, _) = step.words();
        Self::broken(format!("cannot {cannot} {server}: the answer belongs to another command"))
    }
}

/// Whether a permanent refusal is something that the operator can mend. Servers tell by the
/// enhanced status (RFC 3463) at the start of the text, such as `5.7.1`; without one, the code and
/// the word "relay" tell.
fn is_for_the_operator(code: u16, said: &str) -> bool {
    let mut status = said.split_whitespace().next().unwrap_or_default().splitn(3, '.');
    match (status.next(), status.next(), status.next()) {
        // The sender's address; the network; the protocol; policy, such as relaying, rates and
        // log-ins.
        (Some("5"), Some("1"), Some("7" | "8")) | (Some("5"), Some("4" | "5" | "7"), Some(_)) => {
            true
        }
        (Some("5"), Some("1" | "2" | "3" | "6"), Some(_)) => false,
        _ => {
            matches!(code, 500 | 502..=504 | 530..=538 | 555)
                || said.to_lowercase().contains("relay")
        }
    }
}

/// Servers repeat the address that they refuse, and some the command, which may hold a password.
fn without(said: &str, hidden: &[String]) -> String {
    hidden.iter().fold(said.to_owned(), |said, hidden| said.replace(hidden.as_str(), "***"))
}

/// The server's words on one line, not too long.
pub(super) fn bounded(said: &str) -> String {
    let line = said.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let line: Vec<&str> = line.filter(|word| !word.is_empty()).collect();
    let line = line.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_the_letters_or_the_operators() {
        for (code, said) in [
            (550, "5.1.1 no such user"),
            (550, "No such user here"),
            (552, "5.2.2 mailbox full"),
            (552, "5.3.4 message too big"),
            (554, "5.6.0 message refused"),
            (501, "5.1.3 bad address syntax"),
            (553, "mailbox name not allowed"),
        ] {
            assert!(!is_for_the_operator(code, said), "{code} {said}");
        }
        for (code, said) in [
            (530, "5.7.0 Must issue a STARTTLS command first"),
            (535, "authentication failed"),
            (550, "5.7.1 Relaying denied"),
            (554, "<jo@example.com>: Relay access denied"),
            (553, "5.1.8 sender's domain not found"),
            (550, "5.4.5 daily quota exceeded"),
            (503, "bad sequence of commands"),
        ] {
            assert!(is_for_the_operator(code, said), "{code} {said}");
        }
    }

    #[test]
    fn the_servers_words_are_bounded_and_hold_no_secrets() {
        let secrets = ["b3BlbnNlc2FtZQ==".to_owned(), "opensesame".to_owned()];
        let said = "unknown command: AUTH b3BlbnNlc2FtZQ== (opensesame)";
        assert_eq!(without(said, &secrets), "unknown command: AUTH *** (***)");
        assert_eq!(bounded("no\r\nsuch \u{7} user"), "no such user");
        assert_eq!(bounded(&"é".repeat(LONGEST + 1)), "é".repeat(LONGEST) + "…");
        assert_eq!(bounded(&"é".repeat(LONGEST)).chars().count(), LONGEST);
    }
}
