//! One-time secrets: six-digit codes and single-use links.

use chrono::TimeDelta;

use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Code6, Random, Secret, Time};
use crate::keys::{fingerprint, new_token};
use crate::platform::Platform;
use crate::storage::{FromRow, Session, insert, sql};

const CODE_LIVES: TimeDelta = TimeDelta::minutes(10);
const ATTEMPTS: i64 = 5;

vocabulary! {
    /// The purpose of a one-time secret; it cannot be used for any other.
    Purpose {
        /// Verifying a registration.
        Registration = "registration",
        /// Setting a new Core password.
        PasswordReset = "password_reset",
        /// Verifying an e-mail by a link.
        EmailVerification = "email_verification",
        /// Accepting a portal invitation.
        PortalInvitation = "portal_invitation",
        /// Setting a new portal password.
        PortalReset = "portal_reset",
        /// Verifying the e-mail of a portal registration.
        PortalRegistration = "portal_registration",
        /// A guardian's consent.
        GuardianConsent = "guardian_consent",
    }
}

/// Creates a new six-digit code for an account; an older one becomes invalid.
pub async fn new_code(
    session: &mut Session,
    platform: &Platform,
    purpose: Purpose,
    subject: i64,
) -> Result<Secret> {
    let code = six_digits(platform.random());
    let now = platform.now();
    session
        .run(
            insert("one_time_code")
                .set("purpose", purpose)
                .set("subject_id", subject)
                .set("mark", platform.vault().mark(&context(purpose, subject), &code))
                .set("attempts", 0_i64)
                .set("created_at", now)
                .set("expires_at", now + CODE_LIVES)
                .or_update(
                    &["purpose", "subject_id"],
                    &["mark", "attempts", "created_at", "expires_at"],
                ),
        )
        .await?;
    Ok(Secret::new(code))
}

/// Whether there is a code that can still be tried.
pub async fn has_code(
    session: &mut Session,
    purpose: Purpose,
    subject: i64,
    now: Time,
) -> Result<bool> {
    let codes: i64 = session
        .value(
            sql("SELECT COUNT(*) FROM one_time_code \
                 WHERE purpose = $1 AND subject_id = $2 AND expires_at > $3 AND attempts < $4")
            .bind(purpose)
            .bind(subject)
            .bind(now)
            .bind(ATTEMPTS),
        )
        .await?;
    Ok(codes > 0)
}

/// Invalidates an account's code, because it was sent to an outdated address.
pub async fn void_code(session: &mut Session, purpose: Purpose, subject: i64) -> Result<()> {
    session
        .run(
            sql("DELETE FROM one_time_code WHERE purpose = $1 AND subject_id = $2")
                .bind(purpose)
                .bind(subject),
        )
        .await
        .map(|_| ())
}

/// Six digits, all codes equally likely.
fn six_digits(random: &dyn Random) -> String {
    loop {
        let mut bytes = [0; 4];
        random.fill(&mut bytes);
        let number = u32::from_be_bytes(bytes);
        // Reject the last, incomplete million, which would favour small codes.
        if number < 4_294_000_000 {
            return format!("{:06}", number % 1_000_000);
        }
    }
}

/// The result of trying a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It was right, and is now used.
    Right,
    /// It was wrong; the attempt counts and must be committed.
    Wrong,
    /// It was wrong, and this was the last attempt.
    Exhausted,
    /// It was not checked: all attempts were already used.
    Spent,
}

impl Tried {
    /// Whether a wrong code was tried.
    pub fn was_a_guess(self) -> bool {
        matches!(self, Self::Wrong | Self::Exhausted)
    }

    /// The refusal, unless the code was right.
    pub fn refusal(self) -> Option<Error> {
        match self {
            Self::Right => None,
            Self::Wrong => {
                Some(Error::from(codes::OTP_INVALID).at("otp", "is wrong or has expired"))
            }
            Self::Exhausted | Self::Spent => {
                Some(Error::from(codes::OTP_EXHAUSTED).at("otp", "was tried too often"))
            }
        }
    }
}

/// Tries a code. The attempt is counted first, in the same statement that reads the code, so that a
/// hundred concurrent guesses count as a hundred.
pub async fn try_code(
    session: &mut Session,
    platform: &Platform,
    purpose: Purpose,
    subject: i64,
    code: &Code6,
) -> Result<Tried> {
    #[derive(FromRow)]
    struct Found {
        mark: String,
        attempts: i64,
        expires_at: Time,
    }
    let found: Option<Found> = session
        .first(
            sql("UPDATE one_time_code SET attempts = attempts + 1 \
                 WHERE purpose = $1 AND subject_id = $2 RETURNING mark, attempts, expires_at")
            .bind(purpose)
            .bind(subject),
        )
        .await?;
    let Some(found) = found else {
        return Ok(Tried::Wrong);
    };
    if found.attempts > ATTEMPTS {
        return Ok(Tried::Spent);
    }
    let right = platform.vault().is_mark(&context(purpose, subject), code, &found.mark);
    if found.expires_at <= platform.now() || !right {
        return Ok(if found.attempts == ATTEMPTS { Tried::Exhausted } else { Tried::Wrong });
    }
    session
        .run(
            sql("DELETE FROM one_time_code WHERE purpose = $1 AND subject_id = $2")
                .bind(purpose)
                .bind(subject),
        )
        .await?;
    Ok(Tried::Right)
}

fn context(purpose: Purpose, subject: i64) -> String {
    format!("{purpose}:{subject}")
}

/// Creates a single-use link token of 256 bits; older ones for the same purpose become invalid.
pub async fn new_link(
    session: &mut Session,
    platform: &Platform,
    purpose: Purpose,
    subject: i64,
    lives: TimeDelta,
) -> Result<Secret> {
    let token = new_token(platform.random());
    let now = platform.now();
    session
        .run(
            insert("link_token")
                .set("purpose", purpose)
                .set("subject_id", subject)
                .set("token_hash", fingerprint(token.expose()))
                .set("created_at", now)
                .set("expires_at", now + lives)
                .or_update(&["purpose", "subject_id"], &["token_hash", "created_at", "expires_at"]),
        )
        .await?;
    Ok(token)
}

/// Invalidates a mailed link, because it was sent to an outdated address or to a person who may no
/// longer use it.
pub async fn void_link(session: &mut Session, purpose: Purpose, subject: i64) -> Result<()> {
    session
        .run(
            sql("DELETE FROM link_token WHERE purpose = $1 AND subject_id = $2")
                .bind(purpose)
                .bind(subject),
        )
        .await
        .map(|_| ())
}

/// Uses up a link token; returns its account. 422 `token_invalid` if it is not valid.
pub async fn use_link(
    session: &mut Session,
    purpose: Purpose,
    token: &Secret,
    now: Time,
) -> Result<i64> {
    let found: Option<(i64, Time)> = session
        .first(
            sql("DELETE FROM link_token WHERE purpose = $1 AND token_hash = $2 \
                 RETURNING subject_id, expires_at")
            .bind(purpose)
            .bind(fingerprint(token.expose())),
        )
        .await?;
    match found {
        Some((subject, until)) if until > now => Ok(subject),
        _ => Err(Error::from(codes::TOKEN_INVALID).at("token", "is wrong, used or expired")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::SeededRandom;

    #[test]
    fn codes_have_six_digits() {
        let random = SeededRandom::new(7);
        for _ in 0..1_000 {
            assert!(Code6::new(&six_digits(&random)).is_ok());
        }
    }
}
