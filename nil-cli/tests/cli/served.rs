//! `nil serve` in a separate process, found by the addresses it prints.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

use crate::nil::Nil;

/// The time limit for things that should happen soon, on a busy machine too: a year of sample data
/// takes 22 s of a processor without optimization.
pub(crate) const SOON: Duration = Duration::from_mins(3);

/// Asks until something is so, at most so long.
pub(crate) async fn until(most: Duration, what: &str, is_so: impl AsyncFn() -> bool) {
    let deadline = Instant::now() + most;
    while !is_so().await {
        assert!(Instant::now() < deadline, "{what}");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Puts the times in order; returns that within which 99 of 100 were answered.
pub(crate) fn p99(took: &mut [Duration]) -> Duration {
    took.sort_unstable();
    took[(took.len() * 99).div_ceil(100) - 1]
}

/// A listening server.
pub(crate) struct Served {
    pub process: Running,
    /// Its output until it listened.
    pub printed: String,
    /// The address of Core, `http://…`.
    pub core: String,
    /// The address of Compliance and Admin, `http://…`.
    pub back_office: String,
    /// The address of the metrics if they have a listener of their own.
    pub metrics: Option<String>,
    pub client: Client,
    lines: Receiver<String>,
    log: std::path::PathBuf,
}

impl Served {
    /// Starts a server on free ports; returns when it has printed its addresses.
    pub(crate) fn start(nil: &Nil, more: &[&str]) -> Self {
        let ports = ["serve", "--core", "127.0.0.1:0", "--back-office", "127.0.0.1:0"];
        let log = nil.path("log");
        let file = std::fs::File::create(&log).unwrap();
        let mut command = nil.command(&[&ports, more].concat());
        command.stderr(file);
        let mut process = Running::of(command);
        let (line, lines) = channel();
        let stdout = BufReader::new(process.0.stdout.take().unwrap());
        std::thread::spawn(move || {
            for text in stdout.lines().map_while(Result::ok) {
                let _ = line.send(text);
            }
        });
        let client = Client::builder().no_proxy().build().unwrap();
        let mut served = Self {
            process,
            printed: String::new(),
            core: String::new(),
            back_office: String::new(),
            metrics: None,
            client,
            lines,
            log,
        };
        served.listens();
        served
    }

    fn listens(&mut self) {
        let deadline = Instant::now() + SOON;
        while !self.printed.contains("Documentation: ") {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("it does not listen: {}\n{}", self.printed, self.log());
            };
            let base = |rest: &str, path| rest.trim().strip_suffix(path).unwrap().to_owned();
            if let Some(rest) = line.strip_prefix("Core ") {
                self.core = base(rest, "/api");
            } else if let Some(rest) = line.strip_prefix("Admin ") {
                self.back_office = base(rest, "/admin");
            } else if let Some(rest) = line.strip_prefix("Metrics ") {
                self.metrics = Some(rest.trim().to_owned());
            }
            self.printed.push_str(&line);
            self.printed.push('\n');
        }
    }

    /// The value of this line of `/proc/…/status`, in KiB.
    pub(crate) fn memory(&self, line: &str) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let said = status.lines().find_map(|text| text.strip_prefix(line));
        let said = said.unwrap().trim().trim_end_matches(" kB");
        said.parse().unwrap()
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Waits until the log contains this.
    pub(crate) async fn logged(&mut self, words: &str) {
        let deadline = Instant::now() + SOON;
        while !self.log().contains(words) {
            let ended = self.process.0.try_wait().unwrap();
            assert!(ended.is_none(), "{ended:?} without `{words}` in {}", self.log());
            assert!(Instant::now() < deadline, "no `{words}` in {}", self.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// The page of the figures.
    pub(crate) async fn figures(&self) -> String {
        let page = self.client.get(format!("{}/metrics", self.core)).send().await.unwrap();
        page.text().await.unwrap()
    }

    /// The sum of the lines of a figure that have all of these labels (`channel="email"`); 0 if
    /// there are none yet.
    pub(crate) async fn figure(&self, name: &str, labels: &[&str]) -> f64 {
        let figures = self.figures().await;
        let lines = figures.lines().filter_map(|line| {
            let (of, value) = line.rsplit_once(' ')?;
            let rest = of.strip_prefix(name)?;
            let is_it = rest.is_empty() || rest.starts_with('{');
            (is_it && labels.iter().all(|label| rest.contains(label))).then_some(value)
        });
        lines.map(|value| value.parse::<f64>().unwrap()).sum()
    }

    /// Waits until a figure is above this.
    pub(crate) async fn above(&self, name: &str, labels: &[&str], least: f64) {
        let what = format!("{name} {labels:?} above {least}");
        self.until(&what, async || self.figure(name, labels).await > least).await;
    }

    /// Waits until a figure is 0.
    pub(crate) async fn none_of(&self, name: &str, labels: &[&str]) {
        let what = format!("no {name} {labels:?}");
        self.until(&what, async || self.figure(name, labels).await <= 0.0).await;
    }

    /// Asks until something is so.
    pub(crate) async fn until(&self, what: &str, is_so: impl AsyncFn() -> bool) {
        let deadline = Instant::now() + SOON;
        while !is_so().await {
            assert!(Instant::now() < deadline, "{what}: {}\n{}", self.figures().await, self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn post(&self, path: &str, token: &str) -> RequestBuilder {
        let request = self.client.request(Method::POST, format!("{}{path}", self.core));
        if token.is_empty() { request } else { request.bearer_auth(token) }
    }

    /// The status of a request to Core without a body.
    pub(crate) async fn status(&self, path: &str, token: &str) -> u16 {
        self.post(path, token).send().await.unwrap().status().as_u16()
    }

    /// Logs a user in; returns the token.
    pub(crate) async fn log_in(&self, email: &str, password: &str) -> String {
        let request = self.post("/api/login", "");
        let request = request.json(&json!({ "email": email, "password": password }));
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        let token = answer.pointer("/data/access_token").unwrap_or(&answer["access_token"]);
        token.as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned()
    }

    /// Logs an operator in like a browser; returns the status and the answer.
    pub(crate) async fn log_in_operator(&self, email: &str, password: &str) -> (u16, Value) {
        let (status, answer, _) = self.visit_as_operator(email, password).await;
        (status, answer)
    }

    /// Logs an operator in like a browser; returns the status, the answer and the session's cookie.
    pub(crate) async fn visit_as_operator(
        &self,
        email: &str,
        password: &str,
    ) -> (u16, Value, String) {
        let address = format!("{}/admin/updateCsrfToken", self.back_office);
        let visit = self.client.get(address).send().await.unwrap();
        let cookie = visit.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let visit: Value = visit.json().await.unwrap();
        let request = self.client.post(format!("{}/admin/check-login", self.back_office));
        let request = request
            .header("cookie", cookie)
            .header("x-csrf-token", visit["data"]["csrf_token"].as_str().unwrap())
            .json(&json!({ "email": email, "password": password }));
        let answer = request.send().await.unwrap();
        let cookie = answer.headers().get("set-cookie");
        let cookie = cookie.map_or("", |cookie| cookie.to_str().unwrap());
        let cookie = cookie.split(';').next().unwrap().to_owned();
        (answer.status().as_u16(), answer.json().await.unwrap(), cookie)
    }

    /// A GET from the back office in an operator's session.
    pub(crate) async fn get_as_operator(&self, path: &str, cookie: &str) -> (u16, Vec<u8>) {
        let request = self.client.get(format!("{}{path}", self.back_office));
        let answer = request.header("cookie", cookie).send().await.unwrap();
        (answer.status().as_u16(), answer.bytes().await.unwrap().to_vec())
    }

    /// A POST to the back office in an operator's session; returns the status and the answer.
    pub(crate) async fn post_as_operator(
        &self,
        path: &str,
        session: (&str, &str),
        body: &Value,
    ) -> (u16, Value) {
        let request = self.client.post(format!("{}{path}", self.back_office));
        let request =
            request.header("cookie", session.0).header("x-csrf-token", session.1).json(body);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }
}

/// A process that is killed when it is dropped.
pub(crate) struct Running(Child);

impl Running {
    pub(crate) fn of(mut command: Command) -> Self {
        Self(command.spawn().expect("it starts"))
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Its standard output.
    pub(crate) fn stdout(&mut self) -> ChildStdout {
        self.0.stdout.take().expect("a pipe")
    }

    /// Sends SIGTERM: the server shuts down gracefully.
    pub(crate) fn terminate(&self) {
        self.signal("-TERM");
    }

    /// Sends SIGSTOP: the process does nothing more until it goes on or is killed.
    pub(crate) fn stop(&self) {
        self.signal("-STOP");
    }

    /// Sends SIGCONT: a stopped process goes on.
    pub(crate) fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([name, &self.0.id().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    /// Sends SIGKILL: the process ends at once.
    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Waits for the process to end.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let deadline = Instant::now() + SOON;
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
