//! The pages that links in mails lead to: a person confirms an address, sets a password or decides
//! there, without a front end. A platform with a front end of its own names it (`portal_url`), and
//! mails lead there instead.
//!
//! A page changes nothing when it is opened, because programs that check mails open every link: the
//! form in it calls the same operation that a front end calls.

use std::fmt::Write as _;

use ::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use ::http::request::Parts;
use ::http::{HeaderValue, Method, Response, Uri};
use bytes::Bytes;
use http_body_util::Full;
use serde_json::{Map, Value};

use super::arriving::Arriving;
use super::door::RequestLog;
use super::form;
use super::incoming::{self, Limits};
use super::response::{Outgoing, log_if_internal, put, whole};
use super::site::Site;
use crate::catalog::Interface;
use crate::error::{Error, codes};
use crate::wording::escaped;

const PAGE: &str = include_str!("../../assets/pages/mail.html");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

/// A page.
pub(super) struct MailPage {
    path: &'static str,
    interface: Interface,
    /// The operation's path, below the interface's.
    calls: &'static str,
    title: &'static str,
    intro: &'static str,
    asks: Asks,
    /// What the page says afterwards.
    done: &'static str,
}

/// What a person enters beside the token of the link.
#[derive(Clone, Copy)]
enum Asks {
    Nothing {
        button: &'static str,
    },
    /// A password with at least so many characters.
    Password {
        least: u8,
    },
    Consent,
}

const PAGES: [MailPage; 8] = [
    MailPage {
        path: "/verify-email",
        interface: Interface::Core,
        calls: "/verify-email",
        title: "Confirm your e-mail address",
        intro: "Confirm that this address is yours, so that messages about your account reach you.",
        asks: Asks::Nothing { button: "Confirm" },
        done: "Your e-mail address is confirmed. You can close this page.",
    },
    MailPage {
        path: "/reset-password",
        interface: Interface::Core,
        calls: "/forget-password-confirm",
        title: "Set a new password",
        intro: "After this you are logged out everywhere, and log in with the new password.",
        asks: Asks::Password { least: 8 },
        done: "Your new password is set. You can close this page and log in with it.",
    },
    MailPage {
        path: "/guardian-consent",
        interface: Interface::Core,
        calls: "/guardian-consent",
        title: "Your consent as a guardian",
        intro: "The athlete named in the mail is under 18 and needs your consent before they can make deals on this \
                platform. With your consent you get a copy of their messages with brands and agents.",
        asks: Asks::Consent,
        done: "Your decision is recorded. You can close this page.",
    },
    MailPage::stopping_mails("/unsubscribe", Interface::Core),
    MailPage::stopping_mails("/compliance/unsubscribe", Interface::Compliance),
    MailPage {
        path: "/compliance/set-password",
        interface: Interface::Compliance,
        calls: "/set-password",
        title: "Accept your invitation",
        intro: "Choose a password for the compliance portal of your institution.",
        asks: Asks::Password { least: 12 },
        done: "Your password is set. You can close this page and log in to the compliance portal.",
    },
    MailPage {
        path: "/compliance/change-password",
        interface: Interface::Compliance,
        calls: "/change-password",
        title: "Set a new password",
        intro: "After this you are logged out everywhere, and log in with the new password.",
        asks: Asks::Password { least: 12 },
        done: "Your new password is set. You can close this page and log in with it.",
    },
    MailPage {
        path: "/compliance/verify-email",
        interface: Interface::Compliance,
        calls: "/verify-email",
        title: "Confirm your e-mail address",
        intro: "After this your institution, or the team of the platform, approves your access to the compliance portal.",
        asks: Asks::Nothing { button: "Confirm" },
        done: "Your e-mail address is confirmed. You get a mail when your access is approved.",
    },
];

/// Whether a page is at this path of the site.
pub(super) fn is_page(site: &Site, path: &str) -> bool {
    find(site, &Method::GET, path).is_some()
}

/// The page at this path, if the site has its interface.
pub(super) fn find(site: &Site, method: &Method, path: &str) -> Option<&'static MailPage> {
    let mail_page = PAGES.iter().find(|mail_page| mail_page.path == path)?;
    let known = matches!(*method, Method::GET | Method::HEAD | Method::POST);
    (known && site.inner().interfaces.contains(&mail_page.interface)).then_some(mail_page)
}

/// Shows the page, or does what its form asks for.
pub(super) async fn answer(
    site: &Site,
    mail_page: &MailPage,
    mut parts: Parts,
    body: &mut Arriving,
    request_id: &str,
    log: &mut RequestLog,
) -> Response<Outgoing> {
    if parts.method != Method::POST {
        let query = parts.uri.query().unwrap_or_default();
        return mail_page.page(200, &mail_page.form(site, &value(query.as_bytes(), "token"), None));
    }
    let limits = Limits::of_form();
    let mut place = site.place(limits, None, site.client(&parts));
    let form = match incoming::collect(body, &parts.headers, limits, &mut place).await {
        Ok(form) => form,
        Err(error) => return mail_page.refused(site, &error, ""),
    };
    let mut token = value(&form, "token");
    if token.is_empty() {
        // A program that stops mails for its user sends the address as it is (RFC 8058).
        token = value(parts.uri.query().unwrap_or_default().as_bytes(), "token");
    }
    let mut input = Map::new();
    input.insert("token".into(), token.clone().into());
    match mail_page.asks {
        Asks::Nothing { .. } => {}
        Asks::Password { .. } => {
            input.insert("password".into(), value(&form, "password").into());
        }
        Asks::Consent => {
            input.insert("accept".into(), (value(&form, "decision") == "yes").into());
        }
    }
    // The same request as a front end's, from the same address: throttles count it, and the log
    // names the operation.
    let body = Full::new(Bytes::from(Value::from(input).to_string()));
    let called = format!("{}{}", mail_page.interface.base(), mail_page.calls);
    parts.uri = Uri::try_from(&*called).unwrap_or_default();
    let headers = &mut parts.headers;
    let forwarded: Vec<HeaderValue> = headers.get_all("x-forwarded-for").iter().cloned().collect();
    headers.clear();
    for hop in forwarded {
        headers.append("x-forwarded-for", hop);
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let mut body = Arriving::new(body, &parts.headers);
    match site.run(&parts, &called, &mut body, request_id, log).await {
        Ok(_) => {
            mail_page.page(200, &format!("<p role=\"status\">{}</p>\n", escaped(mail_page.done)))
        }
        Err(error) => {
            log_if_internal(&error, request_id, log.operation());
            mail_page.refused(site, &error, &token)
        }
    }
}

/// A field of a query or a form; empty if it is not there.
fn value(form: &[u8], name: &str) -> String {
    form::value(form, name).unwrap_or_default()
}

impl MailPage {
    const fn stopping_mails(path: &'static str, interface: Interface) -> Self {
        Self {
            path,
            interface,
            calls: "/unsubscribe",
            title: "Stop these mails",
            intro: "You get no more mails of the kind that this link came with. Other mails still come, and so does \
                    what you see when you are logged in; you choose there what you get.",
            asks: Asks::Nothing { button: "Stop these mails" },
            done: "You get no more mails of this kind. You can close this page.",
        }
    }

    /// What the page asks, after a refusal with its reason.
    fn form(&self, site: &Site, token: &str, refusal: Option<&Error>) -> String {
        let mut html = String::new();
        if let Some(error) = refusal {
            let mut reasons: Vec<String> = error.fields().values().flatten().cloned().collect();
            if reasons.is_empty() {
                reasons.push(error.message().to_owned());
            } else if matches!(self.asks, Asks::Password { .. }) {
                reasons = reasons.iter().map(|reason| format!("The password {reason}.")).collect();
            }
            let _ = writeln!(html, "<div class=\"error\" role=\"alert\">");
            for reason in reasons {
                let _ = writeln!(html, "<p>{}</p>", escaped(&reason));
            }
            let _ = writeln!(html, "</div>");
        }
        let _ = writeln!(html, "<p>{}</p>", escaped(self.intro));
        let _ = writeln!(html, "<form method=\"post\" action=\"{}{}\">", site.prefix(), self.path);
        let _ =
            writeln!(html, "<input type=\"hidden\" name=\"token\" value=\"{}\">", escaped(token));
        match self.asks {
            Asks::Nothing { button } => {
                let _ = writeln!(html, "<button type=\"submit\">{button}</button>");
            }
            Asks::Password { least } => {
                let _ = writeln!(
                    html,
                    "<label for=\"password\">New password</label>\n\
                     <p class=\"hint\" id=\"rule\">At least {least} characters, and not a common password.</p>\n\
                     <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"new-password\" \
                     minlength=\"{least}\" maxlength=\"128\" aria-describedby=\"rule\" required>\n\
                     <button type=\"submit\">Set password</button>"
                );
            }
            Asks::Consent => {
                let _ = writeln!(
                    html,
                    "<button type=\"submit\" name=\"decision\" value=\"yes\">I consent</button>\n\
                     <button class=\"plain\" type=\"submit\" name=\"decision\" value=\"no\">I do not consent</button>"
                );
            }
        }
        html.push_str("</form>\n");
        html
    }

    fn refused(&self, site: &Site, error: &Error, token: &str) -> Response<Outgoing> {
        let content = if error.fields().contains_key("token") || error.is(codes::TOKEN_INVALID) {
            "<p role=\"alert\">This link is not valid: it was used already, or its time is over. Ask for a new mail \
             where you asked for this one.</p>\n"
                .to_owned()
        } else {
            self.form(site, token, Some(error))
        };
        let mut response = self.page(error.kind().status(), &content);
        if let Some(seconds) = error.seconds_to_wait() {
            put(response.headers_mut(), ::http::header::RETRY_AFTER, &seconds.to_string());
        }
        response
    }

    fn page(&self, status: u16, content: &str) -> Response<Outgoing> {
        let page = PAGE.replace("{{title}}", self.title).replace("{{content}}", content);
        let mut response = whole(status, "text/html; charset=utf-8", page.into_bytes());
        put(response.headers_mut(), CONTENT_SECURITY_POLICY, POLICY);
        response
    }
}
