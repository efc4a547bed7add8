//! What a provider's answer means for a text message.
//!
//! Only what concerns the one number or the one text ends a message. What the operator can mend (a
//! wrong secret, a sender that is not the account's, a country that is not enabled) must not end
//! every text in the outbox, so those are tried again.

use serde_json::Value;

use super::Outcome;

/// An answer, as far as it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// Whether it names the message that the provider has taken.
    has_id: bool,
    /// The number of the error, if it tells one.
    code: Option<u64>,
}

impl Answer {
    /// Reads a whole answer. One that is not JSON says nothing.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let id = body.get("sid").and_then(Value::as_str).unwrap_or_default();
        Self { has_id: !id.is_empty(), code: body.get("code").and_then(Value::as_u64) }
    }
}

/// What it means that this server answered with this status.
pub(super) fn meaning(server: &str, status: u16, answer: &Answer) -> Outcome {
    let number = answer.code.map_or_else(String::new, |code| format!(", error {code}"));
    match status {
        200..=299 if answer.has_id => Outcome::Sent,
        // It was created, but what is not said; or the server before the provider gave up waiting.
        201 | 504 => Outcome::Unknown(format!("{server} answered {status} without a message")),
        401 | 403 => Outcome::TryAgain(format!(
            "{server} refused the account, its secret or what it may do: {status}{number}"
        )),
        429 => Outcome::TryAgain(format!("{server} takes no more now: {status}{number}")),
        400..=499 => match answer.code.and_then(for_good) {
            Some(why) => {
                Outcome::Never(format!("{server} refused the message: {why} ({status}{number})"))
            }
            None => Outcome::TryAgain(format!("{server} refused the message: {status}{number}")),
        },
        500..=599 => {
            Outcome::TryAgain(format!("{server} has a fault of its own: {status}{number}"))
        }
        _ => Outcome::TryAgain(format!(
            "{server} answered {status}{number}, which no provider of text messages does: is sms.url right?"
        )),
    }
}

/// Why a message can never be delivered, for the errors that are about its number or its text.
const fn for_good(code: u64) -> Option<&'static str> {
    match code {
        21_211 | 21_217 => Some("there is no such number"),
        21_214 => Some("the number cannot be reached"),
        21_610 => Some("the recipient has opted out"),
        21_614 | 21_635 => Some("the number takes no text messages"),
        21_602 | 21_619 => Some("the text is empty"),
        21_617 => Some("the text is too long"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str) -> Outcome {
        meaning("sms.example", status, &Answer::read(body.as_bytes()))
    }

    #[test]
    fn only_an_answer_with_a_message_is_an_acceptance() {
        assert_eq!(of(201, r#"{ "sid": "SM1", "status": "queued" }"#), Outcome::Sent);
        assert_eq!(of(200, r#"{ "sid": "SM1" }"#), Outcome::Sent);
        for body in ["", "{}", r#"{ "sid": "" }"#, r#"{ "sid": 1 }"#, "<html>", "[1]"] {
            assert!(matches!(of(201, body), Outcome::Unknown(_)), "{body}");
            let elsewhere = of(200, body);
            assert!(
                matches!(&elsewhere, Outcome::TryAgain(why) if why.contains("is sms.url right?")),
                "{elsewhere:?}"
            );
        }
    }

    #[test]
    fn only_what_is_about_one_message_ends_it() {
        let refused =
            |code: u64| of(400, &format!(r#"{{ "code": {code}, "message": "to +1217" }}"#));
        for code in [21_211, 21_214, 21_217, 21_602, 21_610, 21_614, 21_617, 21_619, 21_635] {
            let told = refused(code);
            let number = format!("error {code}");
            assert!(
                matches!(&told, Outcome::Never(why) if why.contains(&number) && !why.contains("+1217")),
                "{told:?}"
            );
        }
        // The sender, the country, the queue of a number: all the operator's or the provider's.
        for code in [20_001, 21_212, 21_408, 21_606, 21_608, 21_611, 21_612, 21_659] {
            assert!(matches!(refused(code), Outcome::TryAgain(_)), "{code}");
        }
        assert!(matches!(of(404, ""), Outcome::TryAgain(_)));
    }

    #[test]
    fn what_the_operator_or_the_provider_can_mend_is_tried_again() {
        for status in [301, 307, 401, 403, 429, 500, 502, 503] {
            // Even with a number that would end a message.
            let told = of(status, r#"{ "code": 21610 }"#);
            assert!(matches!(told, Outcome::TryAgain(_)), "{status}: {told:?}");
        }
        assert!(matches!(of(504, ""), Outcome::Unknown(_)));
    }
}
