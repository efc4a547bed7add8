//! The pages that links in mails lead to: a person confirms an address, sets a password or decides
//! there, without a front end. A platform with a front end of its own names it (`portal_url`), and
//! mails lead there instead.
//!
//! A page changes nothing when it is opened, because programs that check mails open every link: the
//! form in it calls the same operation that a front end calls.

use std::fmt::Write as _;

use ::http::header::{
    ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
};
use ::http::request::Parts;
use ::http::{HeaderMap, HeaderValue, Method, Response, Uri};
use bytes::Bytes;
use http_body_util::Full;
use serde_json::{Map, Value};

use super::arriving::Arriving;
use super::door::RequestLog;
use super::form;
use super::incoming::{self, Limits};
use super::languages::preferred;
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
    title: Words,
    intro: Words,
    asks: Asks,
    /// What the page says afterwards.
    done: Words,
}

/// A text in each [`Language`].
type Words = [&'static str; 2];

/// The language of a page: that of the browser. Guardians and officers may know no front end of the
/// platform, so there is nobody else to ask.
#[derive(Clone, Copy)]
enum Language {
    English,
    Spanish,
}

impl Language {
    fn of(headers: &HeaderMap) -> Self {
        let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let meant = |range: &str| match range.split('-').next() {
            Some("en" | "EN" | "*") => Some(Self::English),
            Some("es" | "ES") => Some(Self::Spanish),
            _ => None,
        };
        header.and_then(|header| preferred(header, meant)).unwrap_or(Self::English)
    }

    const fn tag(self) -> &'static str {
        self.say(["en", "es"])
    }

    const fn say(self, [english, spanish]: Words) -> &'static str {
        match self {
            Self::English => english,
            Self::Spanish => spanish,
        }
    }
}

/// What a person enters beside the token of the link.
#[derive(Clone, Copy)]
enum Asks {
    Nothing {
        button: Words,
    },
    /// A password with at least so many characters.
    Password {
        least: u8,
    },
    Consent,
}

const LABEL: Words = ["New password", "Contraseña nueva"];
const RULE: Words = ["At least", "Al menos"];
const RULE_ENDS: Words =
    ["characters, and not a common password.", "caracteres, y que no sea una contraseña común."];
const SET: Words = ["Set password", "Guardar contraseña"];
const CONSENT: Words = ["I consent", "Doy mi consentimiento"];
const NO_CONSENT: Words = ["I do not consent", "No doy mi consentimiento"];
const NOT_VALID: Words = [
    "This link is not valid: it was used already, or its time is over. Ask for a new mail where you \
     asked for this one.",
    "Este enlace no es válido: ya se usó o venció. Pida otro correo en el lugar donde pidió este.",
];
const NOT_GOOD_IN_SPANISH: &str =
    "La contraseña es demasiado corta, demasiado larga o demasiado común.";

const PAGES: [MailPage; 8] = [
    MailPage {
        path: "/verify-email",
        interface: Interface::Core,
        calls: "/verify-email",
        title: ["Confirm your e-mail address", "Confirme su correo electrónico"],
        intro: [
            "Confirm that this address is yours, so that messages about your account reach you.",
            "Confirme que esta dirección es suya, para que le lleguen los mensajes sobre su cuenta.",
        ],
        asks: Asks::Nothing { button: ["Confirm", "Confirmar"] },
        done: [
            "Your e-mail address is confirmed. You can close this page.",
            "Su correo electrónico está confirmado. Puede cerrar esta página.",
        ],
    },
    MailPage {
        path: "/reset-password",
        interface: Interface::Core,
        calls: "/forget-password-confirm",
        title: ["Set a new password", "Elija una contraseña nueva"],
        intro: [
            "After this you are logged out everywhere, and log in with the new password.",
            "Después se cierran todas sus sesiones y usted entra con la contraseña nueva.",
        ],
        asks: Asks::Password { least: 8 },
        done: [
            "Your new password is set. You can close this page and log in with it.",
            "Su contraseña nueva está guardada. Puede cerrar esta página y entrar con ella.",
        ],
    },
    MailPage {
        path: "/guardian-consent",
        interface: Interface::Core,
        calls: "/guardian-consent",
        title: ["Your consent as a guardian", "Su consentimiento como padre, madre o tutor"],
        intro: [
            "The athlete named in the mail is under 18 and needs your consent before they can make deals on this \
             platform. With your consent you get a copy of their messages with brands and agents.",
            "La persona deportista que nombra el correo es menor de 18 años y necesita su consentimiento para hacer \
             acuerdos en esta plataforma. Si usted consiente, recibe una copia de sus mensajes con marcas y agentes.",
        ],
        asks: Asks::Consent,
        done: [
            "Your decision is recorded. You can close this page.",
            "Su decisión está registrada. Puede cerrar esta página.",
        ],
    },
    MailPage::stopping_mails("/unsubscribe", Interface::Core),
    MailPage::stopping_mails("/compliance/unsubscribe", Interface::Compliance),
    MailPage {
        path: "/compliance/set-password",
        interface: Interface::Compliance,
        calls: "/set-password",
        title: ["Accept your invitation", "Acepte su invitación"],
        intro: [
            "Choose a password for the compliance portal of your institution.",
            "Elija una contraseña para el portal de cumplimiento de su institución.",
        ],
        asks: Asks::Password { least: 12 },
        done: [
            "Your password is set. You can close this page and log in to the compliance portal.",
            "Su contraseña está guardada. Puede cerrar esta página y entrar al portal de cumplimiento.",
        ],
    },
    MailPage {
        path: "/compliance/change-password",
        interface: Interface::Compliance,
        calls: "/change-password",
        title: ["Set a new password", "Elija una contraseña nueva"],
        intro: [
            "After this you are logged out everywhere, and log in with the new password.",
            "Después se cierran todas sus sesiones y usted entra con la contraseña nueva.",
        ],
        asks: Asks::Password { least: 12 },
        done: [
            "Your new password is set. You can close this page and log in with it.",
            "Su contraseña nueva está guardada. Puede cerrar esta página y entrar con ella.",
        ],
    },
    MailPage {
        path: "/compliance/verify-email",
        interface: Interface::Compliance,
        calls: "/verify-email",
        title: ["Confirm your e-mail address", "Confirme su correo electrónico"],
        intro: [
            "After this your institution, or the team of the platform, approves your access to the compliance portal.",
            "Después su institución, o el equipo de la plataforma, aprueba su acceso al portal de cumplimiento.",
        ],
        asks: Asks::Nothing { button: ["Confirm", "Confirmar"] },
        done: [
            "Your e-mail address is confirmed. You get a mail when your access is approved.",
            "Su correo electrónico está confirmado. Recibirá un mensaje cuando se apruebe su acceso.",
        ],
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
    let language = Language::of(&parts.headers);
    let shown = Shown { page: mail_page, site, language };
    if parts.method != Method::POST {
        let query = parts.uri.query().unwrap_or_default();
        return shown.page(200, &shown.form(&value(query.as_bytes(), "token"), None));
    }
    let limits = Limits::of_form();
    let mut place = site.place(limits, None, site.client(&parts));
    let form = match incoming::collect(body, &parts.headers, limits, &mut place).await {
        Ok(form) => form,
        Err(error) => return shown.refused(&error, ""),
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
            let done = escaped(language.say(mail_page.done));
            shown.page(200, &format!("<p role=\"status\">{done}</p>\n"))
        }
        Err(error) => {
            log_if_internal(&error, request_id, log.operation());
            shown.refused(&error, &token)
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
            title: ["Stop these mails", "Dejar de recibir estos correos"],
            intro: [
                "You get no more mails of the kind that this link came with. Other mails still come, and so does \
                 what you see when you are logged in; you choose there what you get.",
                "Ya no recibirá correos del tipo en el que venía este enlace. Los demás siguen llegando, también lo \
                 que ve cuando ha entrado; allí elige lo que recibe.",
            ],
            asks: Asks::Nothing { button: ["Stop these mails", "Dejar de recibirlos"] },
            done: [
                "You get no more mails of this kind. You can close this page.",
                "Ya no recibirá correos de este tipo. Puede cerrar esta página.",
            ],
        }
    }
}

/// A page as one visitor sees it.
struct Shown<'p> {
    page: &'p MailPage,
    site: &'p Site,
    language: Language,
}

impl Shown<'_> {
    /// What the page asks, after a refusal with its reason.
    fn form(&self, token: &str, refusal: Option<&Error>) -> String {
        let language = self.language;
        let mut html = String::new();
        if let Some(error) = refusal {
            let _ = writeln!(html, "<div class=\"error\" role=\"alert\">");
            for reason in self.reasons(error) {
                let _ = writeln!(html, "<p>{}</p>", escaped(&reason));
            }
            let _ = writeln!(html, "</div>");
        }
        let action = format!("{}{}", self.site.prefix(), self.page.path);
        let _ = writeln!(html, "<p>{}</p>", escaped(language.say(self.page.intro)));
        let _ = writeln!(html, "<form method=\"post\" action=\"{action}\">");
        let _ =
            writeln!(html, "<input type=\"hidden\" name=\"token\" value=\"{}\">", escaped(token));
        match self.page.asks {
            Asks::Nothing { button } => {
                let _ = writeln!(html, "<button type=\"submit\">{}</button>", language.say(button));
            }
            Asks::Password { least } => {
                let [label, rule, rest, button] =
                    [LABEL, RULE, RULE_ENDS, SET].map(|words| language.say(words));
                let _ = writeln!(
                    html,
                    "<label for=\"password\">{label}</label>\n\
                     <p class=\"hint\" id=\"rule\">{rule} {least} {rest}</p>\n\
                     <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"new-password\" \
                     minlength=\"{least}\" maxlength=\"128\" aria-describedby=\"rule\" required>\n\
                     <button type=\"submit\">{button}</button>"
                );
            }
            Asks::Consent => {
                let [yes, no] = [CONSENT, NO_CONSENT].map(|words| language.say(words));
                let _ = writeln!(
                    html,
                    "<button type=\"submit\" name=\"decision\" value=\"yes\">{yes}</button>\n\
                     <button class=\"plain\" type=\"submit\" name=\"decision\" value=\"no\">{no}</button>"
                );
            }
        }
        html.push_str("</form>\n");
        html
    }

    /// Why the form was refused. The interface's own reasons are English.
    fn reasons(&self, error: &Error) -> Vec<String> {
        let reasons = error.fields().values().flatten();
        if error.fields().is_empty() {
            return vec![error.message().to_owned()];
        }
        match (self.page.asks, self.language) {
            (Asks::Password { .. }, Language::Spanish) => vec![NOT_GOOD_IN_SPANISH.to_owned()],
            (Asks::Password { .. }, Language::English) => {
                reasons.map(|reason| format!("The password {reason}.")).collect()
            }
            _ => reasons.cloned().collect(),
        }
    }

    fn refused(&self, error: &Error, token: &str) -> Response<Outgoing> {
        let content = if error.fields().contains_key("token") || error.is(codes::TOKEN_INVALID) {
            format!("<p role=\"alert\">{}</p>\n", self.language.say(NOT_VALID))
        } else {
            self.form(token, Some(error))
        };
        let mut response = self.page(error.kind().status(), &content);
        if let Some(seconds) = error.seconds_to_wait() {
            put(response.headers_mut(), ::http::header::RETRY_AFTER, &seconds.to_string());
        }
        response
    }

    fn page(&self, status: u16, content: &str) -> Response<Outgoing> {
        let page = PAGE
            .replace("{{lang}}", self.language.tag())
            .replace("{{title}}", self.language.say(self.page.title))
            .replace("{{content}}", content);
        let mut response = whole(status, "text/html; charset=utf-8", page.into_bytes());
        let headers = response.headers_mut();
        put(headers, CONTENT_SECURITY_POLICY, POLICY);
        put(headers, CONTENT_LANGUAGE, self.language.tag());
        put(headers, VARY, "accept-language");
        response
    }
}
