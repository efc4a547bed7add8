//! A provider of text messages on a socket of its own, which takes, refuses, stalls and hangs up.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nil_core::kernel::Secret;
use nil_core::ports::courier::{Sms, SmsSender, SmsSettings};
use serde_json::json;

/// The time limit for what should happen soon.
const SOON: Duration = Duration::from_mins(1);

const ACCOUNT: &str = "AC0123";
const SECRET: &str = "opensesame";
/// The sender of the texts.
const FROM: &str = "+12175550100";

/// What the provider does with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmsFate {
    /// It takes it.
    Taken,
    /// It answers with this status and this number of an error, and words that repeat the text.
    Refused(u16, u32),
    /// It takes it and never answers; the connection stays open.
    Silence,
    /// It takes it and hangs up without an answer.
    HangsUp,
    /// It takes it, and its answer has no end.
    Flood,
    /// It is no provider: it answers 200 with a page.
    Page,
    /// It leads elsewhere, which answers like a provider.
    Redirect,
}

/// A request as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmsText {
    /// The path of the address.
    pub path: String,
    /// User and password: `user:password`.
    pub login: String,
    /// The fields of the form.
    pub form: BTreeMap<String, String>,
}

impl SmsText {
    /// The number that gets it.
    pub fn to(&self) -> &str {
        &self.form["To"]
    }

    /// The text.
    pub fn body(&self) -> &str {
        &self.form["Body"]
    }
}

/// The provider; it stops with the value.
pub struct SmsProvider {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
    told: Mutex<Receiver<SmsText>>,
}

#[derive(Default)]
struct Shared {
    fates: Mutex<VecDeque<SmsFate>>,
    held: Mutex<Vec<TcpStream>>,
    taken: AtomicU32,
    is_closed: AtomicBool,
}

impl SmsProvider {
    /// A provider that takes every text, unless told otherwise.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared::default());
        let (tell, told) = channel();
        let kept = shared.clone();
        let listening = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if kept.is_closed.load(Ordering::SeqCst) {
                    return;
                }
                let (shared, tell) = (kept.clone(), tell.clone());
                std::thread::spawn(move || shared.answer(stream, &tell));
            }
        });
        Self { address, shared, listening: Some(listening), told: Mutex::new(told) }
    }

    /// Its base address.
    pub fn url(&self) -> String {
        format!("http://{}/2010-04-01", self.address)
    }

    /// The server as messages name it.
    pub fn server(&self) -> String {
        self.address.to_string()
    }

    /// The fates of the next texts, one each.
    pub fn next(&self, fates: impl IntoIterator<Item = SmsFate>) {
        let mut queue = self.shared.fates.lock().unwrap_or_else(PoisonError::into_inner);
        queue.clear();
        queue.extend(fates);
    }

    /// The next text, once it has arrived.
    pub fn text(&self) -> SmsText {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.recv_timeout(SOON).expect("a text")
    }

    /// The texts that have arrived and were not asked for yet.
    pub fn texts(&self) -> Vec<SmsText> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).try_iter().collect()
    }

    /// A courier for it with this time limit.
    pub fn courier(&self, timeout: Duration) -> Sms {
        let sender = SmsSender::From(FROM.into());
        let mut settings = SmsSettings::new(self.url(), ACCOUNT, Secret::new(SECRET), sender);
        settings.timeout = timeout;
        Sms::new(settings).expect("good settings")
    }

    /// What another process needs to use it.
    pub fn environment(&self) -> [(&'static str, String); 4] {
        [
            ("NIL_SMS_URL", self.url()),
            ("NIL_SMS_ACCOUNT", ACCOUNT.to_owned()),
            ("NIL_SMS_SECRET", SECRET.to_owned()),
            ("NIL_SMS_FROM", FROM.to_owned()),
        ]
    }
}

impl Drop for SmsProvider {
    fn drop(&mut self) {
        self.shared.is_closed.store(true, Ordering::SeqCst);
        self.shared.held.lock().unwrap_or_else(PoisonError::into_inner).clear();
        // Wakes the listener. Once it is closed, nobody connects.
        let _ = TcpStream::connect(self.address);
        let _ = self.listening.take().map(JoinHandle::join);
    }
}

impl Shared {
    fn answer(&self, mut stream: TcpStream, tell: &Sender<SmsText>) {
        let Some(text) = request(&stream) else { return };
        let fate = self.fates.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let said = format!("no text to {}: {}", text.form["To"], text.form["Body"]);
        let answer = match fate.unwrap_or(SmsFate::Taken) {
            SmsFate::Taken => {
                let number = self.taken.fetch_add(1, Ordering::SeqCst);
                let taken = json!({ "sid": format!("SM{number}"), "status": "queued" });
                whole("201 Created", "", &taken.to_string())
            }
            SmsFate::Refused(status, code) => {
                let refused = json!({ "code": code, "message": said, "status": status });
                whole(&format!("{status} Refused"), "", &refused.to_string())
            }
            SmsFate::Page => whole("200 OK", "", "<html>Welcome</html>"),
            SmsFate::Redirect => {
                let there = "Location: /2010-04-01/elsewhere\r\n";
                whole("307 Elsewhere", there, "")
            }
            SmsFate::HangsUp => String::new(),
            SmsFate::Silence => {
                let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
                held.push(stream);
                let _ = tell.send(text);
                return;
            }
            SmsFate::Flood => "HTTP/1.1 201 Created\r\nConnection: close\r\n\r\n".to_owned(),
        };
        // Before the answer: whoever has the answer finds the text here.
        let _ = tell.send(text);
        let _ = stream.write_all(answer.as_bytes());
        if fate == Some(SmsFate::Flood) {
            while stream.write_all(&[b' '; 64 * 1024]).is_ok() {}
        }
    }
}

fn whole(status: &str, more: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n{more}\r\n{body}",
        body.len()
    )
}

/// A whole request; none if the client left.
fn request(stream: &TcpStream) -> Option<SmsText> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let header = |name: &str| {
        let mut found = lines.iter().filter_map(|line| line.split_once(": "));
        found.find(|(its, _)| its.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    };
    let login = header("authorization")?.strip_prefix("Basic ")?;
    let login = String::from_utf8(STANDARD.decode(login).ok()?).ok()?;
    let mut body = vec![0; header("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    let path = lines.first()?.strip_prefix("POST ")?.split(' ').next()?.to_owned();
    Some(SmsText { path, login, form: form_urlencoded::parse(&body).into_owned().collect() })
}
