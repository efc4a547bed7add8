//! Mails, from which registrations take their codes and links.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::settings::ReadMail;

/// How often a mail is looked for, a second apart: another server sends it when it gets to it.
const TRIES: u32 = 20;

/// Reads mails with a program.
#[must_use]
pub fn program(words: &[String]) -> Option<ReadMail> {
    let (program, arguments) = words.split_first()?;
    let (program, arguments) = (program.clone(), arguments.to_vec());
    Some(Arc::new(move |address| {
        let (program, arguments) = (program.clone(), arguments.clone());
        Box::pin(async move {
            for attempt in 0..TRIES {
                if attempt > 0 {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
                let mut command = Command::new(&program);
                command.args(&arguments).arg(&address).stdin(Stdio::null());
                command.stderr(Stdio::inherit());
                let output = tokio::task::spawn_blocking(move || command.output()).await;
                let body = String::from_utf8_lossy(&output.ok()?.ok()?.stdout).into_owned();
                if secret(&body).is_some() {
                    return Some(body);
                }
            }
            None
        })
    }))
}

/// What a mail has for its reader: the token of a link, else six digits.
#[must_use]
pub fn secret(body: &str) -> Option<String> {
    if let Some((_, rest)) = body.split_once("token=") {
        let letters = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
        return Some(rest.chars().take_while(letters).collect::<String>())
            .map(|token| token.trim_end_matches('.').to_owned())
            .filter(|token| !token.is_empty());
    }
    let digits = body.split(|c: char| !c.is_ascii_digit()).find(|run| run.len() == 6);
    digits.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_or_a_token_is_found() {
        let code = secret("Your code is 482913, for ten minutes.");
        assert_eq!(code.as_deref(), Some("482913"));
        let link = secret("Open https://nil.example/set-password?token=4f6c1d0e9b.");
        assert_eq!(link.as_deref(), Some("4f6c1d0e9b"));
        assert_eq!(secret("Welcome."), None);
    }
}
