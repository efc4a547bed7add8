//! A line to a server of another maker, which a test can cut or keep silent: the server itself does
//! not notice.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

const SOON: Duration = Duration::from_secs(20);
/// How many connections may wait to be accepted.
const WAITING: u32 = 1_024;

/// What the line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// It carries what is sent.
    Open,
    /// Connections are made, and nothing is carried. It keeps what was sent.
    Silent,
    /// Connections end, and others are refused.
    Cut,
}

/// Where the line leads.
#[derive(Clone, Debug)]
enum Far {
    Port(String),
    Socket(PathBuf),
}

/// A line on a port of its own, open at first; it ends with the value.
pub struct Gate {
    port: u16,
    far: Arc<OnceLock<Far>>,
    line: watch::Sender<Line>,
    listens: watch::Receiver<bool>,
    task: JoinHandle<()>,
    /// Nobody else is given the port while the line is cut.
    _held: TcpSocket,
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn bound(port: u16) -> TcpSocket {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_reuseaddr(true).expect("a setting");
    socket.bind(([127, 0, 0, 1], port).into()).expect("the port");
    socket
}

impl Gate {
    /// A line that leads nowhere yet: for a server that must know the address under which others
    /// know it.
    pub fn ahead() -> Self {
        let held = bound(0);
        let port = held.local_addr().expect("an address").port();
        let far = Arc::new(OnceLock::new());
        let (line, told) = watch::channel(Line::Open);
        let (listening, listens) = watch::channel(true);
        let listener = bound(port).listen(WAITING).expect("it listens");
        let task = tokio::spawn(serve(listener, port, far.clone(), (told, listening)));
        Self { port, far, line, listens, task, _held: held }
    }

    /// A line to the server at this address, such as `http://127.0.0.1:9000/v1` or
    /// `127.0.0.1:2525`.
    pub fn before(address: &str) -> Self {
        let gate = Self::ahead();
        gate.leads_to(address);
        gate
    }

    /// A line to a database of PostgreSQL that listens at a socket, and the address of the database
    /// behind the line.
    pub fn before_postgres(address: &str) -> (Self, String) {
        let (front, folder) = address.split_once("?host=").expect("a socket's folder");
        let (_, rest) = front.split_once("@localhost:").expect("a port");
        let (port, name) = rest.split_once('/').expect("a name");
        let gate = Self::ahead();
        let socket = PathBuf::from(folder).join(format!(".s.PGSQL.{port}"));
        gate.far.set(Far::Socket(socket)).expect("it leads somewhere else");
        let address = format!("postgres://postgres@127.0.0.1:{}/{name}", gate.port);
        (gate, address)
    }

    /// Where the line leads.
    pub fn leads_to(&self, address: &str) {
        let far = Far::Port(authority(address).to_owned());
        self.far.set(far).expect("it leads somewhere else");
    }

    /// The port on this machine.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// This address of the server behind the line, as it is before it.
    pub fn at(&self, address: &str) -> String {
        address.replacen(authority(address), &format!("127.0.0.1:{}", self.port), 1)
    }

    /// From now on connections are refused, and those that are open have ended.
    pub async fn cut(&self) {
        self.becomes(Line::Cut).await;
    }

    /// From now on connections are made, and nothing is answered.
    pub async fn silent(&self) {
        self.becomes(Line::Silent).await;
    }

    /// The line is as at first. What was sent while it was silent arrives.
    pub async fn open(&self) {
        self.becomes(Line::Open).await;
    }

    async fn becomes(&self, line: Line) {
        self.line.send_replace(line);
        let mut listens = self.listens.clone();
        let became = listens.wait_for(|listens| *listens == (line != Line::Cut));
        tokio::time::timeout(SOON, became).await.expect("in time").expect("the gate");
    }
}

/// Host and port.
fn authority(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split('/').next().unwrap_or(rest);
    rest.rsplit_once('@').map_or(rest, |(_, authority)| authority)
}

type Ends = (watch::Receiver<Line>, watch::Sender<bool>);

async fn serve(first: TcpListener, port: u16, far: Arc<OnceLock<Far>>, (mut line, tells): Ends) {
    let mut listener = Some(first);
    loop {
        if *line.borrow() == Line::Cut {
            // Also before anybody has come.
            listener = None;
            tells.send_replace(false);
        }
        if line.wait_for(|line| *line != Line::Cut).await.is_err() {
            return;
        }
        let listening = listener.take();
        let listening = listening.unwrap_or_else(|| bound(port).listen(WAITING).expect("a port"));
        tells.send_replace(true);
        let carries = line.clone();
        loop {
            tokio::select! {
                accepted = listening.accept() => {
                    let Ok((near, _)) = accepted else { continue };
                    tokio::spawn(carried_until_cut(near, far.clone(), carries.clone()));
                }
                cut = line.wait_for(|line| *line == Line::Cut) => {
                    if cut.is_err() {
                        return;
                    }
                    break;
                }
            }
        }
        drop(listening);
        tells.send_replace(false);
    }
}

async fn carried_until_cut(
    near: TcpStream,
    far: Arc<OnceLock<Far>>,
    mut line: watch::Receiver<Line>,
) {
    let carries = line.clone();
    tokio::select! {
        // Also when the gate has gone.
        _ = line.wait_for(|line| *line == Line::Cut) => {}
        () = carried(near, far, carries) => {}
    }
}

async fn carried(near: TcpStream, far: Arc<OnceLock<Far>>, mut line: watch::Receiver<Line>) {
    if line.wait_for(|line| *line == Line::Open).await.is_err() {
        return;
    }
    let (from_near, to_near) = near.into_split();
    match far.get().cloned() {
        Some(Far::Port(address)) => {
            let Ok(far) = TcpStream::connect(address).await else { return };
            let (from_far, to_far) = far.into_split();
            tokio::join!(pass(from_near, to_far, line.clone()), pass(from_far, to_near, line));
        }
        Some(Far::Socket(path)) => {
            let Ok(far) = UnixStream::connect(path).await else { return };
            let (from_far, to_far) = far.into_split();
            tokio::join!(pass(from_near, to_far, line.clone()), pass(from_far, to_near, line));
        }
        None => {}
    }
}

/// Passes on what comes while the line is open.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut line: watch::Receiver<Line>,
) {
    let mut piece = vec![0; 16 * 1024];
    while let Ok(count) = from.read(&mut piece).await {
        if count == 0 || line.wait_for(|line| *line == Line::Open).await.is_err() {
            break;
        }
        if to.write_all(&piece[..count]).await.is_err() {
            break;
        }
    }
    let _ = to.shutdown().await;
}
