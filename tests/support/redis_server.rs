//! A real Redis in a process of its own, which a test can trouble.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use nil_core::kernel::Secret;
use nil_core::throttle::Redis;
use tempfile::TempDir;

use crate::certificate::certify;

/// How often another port is tried if somebody took the one that was free.
const TRIES: usize = 20;

/// A Redis; its process ends with the value.
pub struct RedisServer {
    process: Option<Child>,
    port: u16,
    password: Option<&'static str>,
    /// The folder of its certificate, if it speaks TLS alone.
    tls: Option<TempDir>,
}

impl RedisServer {
    /// Starts one without a password.
    pub fn start() -> Self {
        Self::guarded(None)
    }

    /// Starts one with this password.
    pub fn guarded(password: Option<&'static str>) -> Self {
        let mut server = Self::absent();
        server.password = password;
        server.started()
    }

    /// Starts one that speaks TLS alone, as `localhost`.
    pub fn with_tls() -> Self {
        let folder = crate::database::scratch();
        certify(folder.path());
        let mut server = Self::absent();
        server.tls = Some(folder);
        server.started()
    }

    /// The certificate of the authority that its own certificate is from.
    pub fn authority(&self) -> PathBuf {
        self.tls.as_ref().expect("TLS").path().join("authority.pem")
    }

    fn started(mut self) -> Self {
        for _ in 0..TRIES {
            self.port = free_port();
            if self.begin() {
                return self;
            }
        }
        panic!("redis-server does not start; tests/run installs it");
    }

    /// An address where nobody listens yet.
    pub fn absent() -> Self {
        Self { process: None, port: free_port(), password: None, tls: None }
    }

    /// Starts it where it was, with nothing in it.
    pub fn again(&mut self) {
        assert!(self.begin(), "it starts again");
    }

    /// Starts the process; whether it listens.
    fn begin(&mut self) -> bool {
        let port = self.port.to_string();
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
        match &self.tls {
            None => command.args(["--port", &port]),
            Some(folder) => {
                let [authority, own, key] = ["authority.pem", "server.pem", "server.key"]
                    .map(|name| folder.path().join(name).display().to_string());
                command.args(["--port", "0", "--tls-port", &port, "--tls-auth-clients", "no"]);
                command.args(["--tls-ca-cert-file", &authority]);
                command.args(["--tls-cert-file", &own, "--tls-key-file", &key])
            }
        };
        if let Some(password) = self.password {
            command.args(["--requirepass", password]);
        }
        let command = command.current_dir(crate::database::scratch_base()).stderr(Stdio::null());
        let process = command.stdout(Stdio::piped()).spawn();
        let mut process = process.expect("redis-server; tests/run installs it");
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let listens = lines
            .by_ref()
            .map_while(Result::ok)
            .any(|line| line.contains("Ready to accept connections"));
        // Reads to the end: a server that cannot write stops.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        self.process = Some(process);
        if !listens {
            self.kill();
        }
        listens
    }

    /// Its address, with the password.
    pub fn url(&self) -> String {
        let password = self.password.map(|password| format!(":{password}@")).unwrap_or_default();
        match self.tls {
            None => format!("redis://{password}127.0.0.1:{}", self.port),
            Some(_) => format!("rediss://{password}localhost:{}", self.port),
        }
    }

    /// The same process, whose password was changed to this one.
    #[must_use]
    pub fn with_password(mut self, password: &'static str) -> Self {
        self.password = Some(password);
        self
    }

    /// What the platform needs to use it.
    pub fn setting(&self) -> Redis {
        Redis::at(&Secret::new(self.url())).expect("a good address")
    }

    /// Ends the process at once.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Stops the process: it listens and does nothing.
    pub fn stop(&self) {
        self.signal("-STOP");
    }

    /// A stopped process goes on.
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, name: &str) {
        let process = self.process.as_ref().expect("a process").id().to_string();
        assert!(Command::new("kill").args([name, &process]).status().expect("kill").success());
    }

    /// Leaves it no memory for anything new.
    pub fn fill(&self) {
        self.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    }

    /// Gives it as much memory as it wants.
    pub fn empty(&self) {
        self.ask(&["CONFIG", "SET", "maxmemory", "0"]);
    }

    /// The names of all keys.
    pub fn keys(&self) -> Vec<String> {
        let answer = self.ask(&["KEYS", "*"]);
        answer.split("\r\n").filter(|line| line.contains("nil:")).map(str::to_owned).collect()
    }

    /// How often a command was called since it started.
    pub fn calls(&self, command: &str) -> u64 {
        let answer = self.ask(&["INFO", "commandstats"]);
        let begin = format!("cmdstat_{command}:calls=");
        let line = answer.split("\r\n").find_map(|line| line.strip_prefix(begin.as_str()));
        line.map_or(0, |line| line.split(',').next().expect("a number").parse().expect("a number"))
    }

    /// The minute by its clock.
    pub fn minute(&self) -> u64 {
        let answer = self.ask(&["TIME"]);
        answer.split("\r\n").nth(2).expect("seconds").parse::<u64>().expect("seconds") / 60
    }

    /// The answer to a command, as it is sent.
    pub fn ask(&self, words: &[&str]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let mut text = String::new();
        if let Some(password) = self.password {
            text.push_str(&packed(&["AUTH", password]));
        }
        text.push_str(&packed(words));
        text.push_str(&packed(&["QUIT"]));
        stream.write_all(text.as_bytes()).expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(!answer.starts_with('-') && !answer.contains("\r\n-"), "{words:?}: {answer}");
        match self.password {
            Some(_) => answer.strip_prefix("+OK\r\n").expect("the password").to_owned(),
            None => answer,
        }
    }
}

fn free_port() -> u16 {
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    free.local_addr().expect("an address").port()
}

fn packed(words: &[&str]) -> String {
    let count = words.len();
    let words: String = words.iter().map(|word| format!("${}\r\n{word}\r\n", word.len())).collect();
    format!("*{count}\r\n{words}")
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}
