//! One endpoint under trial: its call, ready to be sent, and all that is tried with it.

use serde_json::{Map, Value, json};

use crate::checks;
use crate::client::{Answer, Proof, Request, Sent};
use crate::endpoints::Endpoint;
use crate::findings::{Findings, Trouble};
use crate::suite::Suite;
use crate::table::Row;
use crate::values::Values;

/// A transparent picture of one pixel.
pub(crate) const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0,
    1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 0x0a, b'I', b'D', b'A', b'T',
    0x78, 0xda, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0xe5, 0x27, 0xde, 0xfc, 0, 0, 0, 0, b'I', b'E', b'N',
    b'D', 0xae, 0x42, 0x60, 0x82,
];

const BOUNDARY: &str = "conformance-3f0c5a9be1d24788";

pub(crate) struct Trial<'a> {
    pub(crate) suite: &'a Suite,
    pub(crate) endpoint: &'static Endpoint,
    pub(crate) row: &'a Row,
    pub(crate) values: Values,
    pub(crate) path: Map<String, Value>,
    pub(crate) input: Map<String, Value>,
    pub(crate) proof: Proof,
    /// Where the call and its repetitions come from: for who shows nothing, the address is the
    /// caller.
    pub(crate) address: String,
    pub(crate) findings: Findings,
}

/// Tries everything at one endpoint but its limit.
pub(crate) async fn try_all(suite: &Suite, endpoint: &'static Endpoint, row: &Row) -> Findings {
    let mut trial = Trial {
        suite,
        endpoint,
        row,
        values: Values::default(),
        path: Map::new(),
        input: Map::new(),
        proof: Proof::Nothing,
        address: suite.client.address(),
        findings: Findings { endpoint, checks: Vec::new() },
    };
    let prepared = trial.prepare().await;
    checks::callers::check(&mut trial).await;
    checks::protocol::check(&mut trial).await;
    if let Err(trouble) = prepared {
        trial.note("answers", endpoint.section(), Err(trouble));
        return trial.findings;
    }
    checks::inputs::check(&mut trial).await;
    checks::records::check(&mut trial).await;
    let answer = checks::answers::check(&mut trial).await;
    if let Some(answer) = answer.filter(|answer| answer.status == 200) {
        checks::repeats::check(&mut trial, &answer).await;
        checks::then::check(&mut trial, &answer).await;
        checks::pages::check(&mut trial, &answer).await;
        checks::repeats::check_ending(&mut trial).await;
    }
    trial.findings
}

impl Trial<'_> {
    async fn prepare(&mut self) -> Result<(), Trouble> {
        if !self.row.caller.starts_with(['$', '+']) {
            self.proof = self.suite.proof(&self.row.caller, &self.values).await?;
        }
        let (path, input) = (json!(self.row.path), json!(self.row.input));
        let (caller, holds) = (json!(self.row.caller), json!(self.row.holds));
        let others = json!(self.row.other);
        let refused: Vec<Value> = self
            .row
            .refused
            .iter()
            .map(|call| json!([call.caller, call.path, call.input]))
            .collect();
        let then = self.row.then.iter().map(|call| json!([call.path, call.input, call.holds]));
        let calls = json!([refused, then.collect::<Vec<_>>(), self.row.needs]);
        let needed = [&path, &input, &caller, &holds, &others, &calls];
        self.values = self.suite.values(&needed).await?;
        let fill = |fields| self.values.fields(fields).map_err(Trouble::unprepared);
        let (path, input) = (fill(&self.row.path)?, fill(&self.row.input)?);
        if self.row.caller.starts_with(['$', '+']) {
            self.proof = self.suite.proof(&self.row.caller, &self.values).await?;
        }
        (self.path, self.input) = (path, input);
        Ok(())
    }

    pub(crate) fn note(
        &mut self,
        check: impl Into<String>,
        rule: impl Into<String>,
        outcome: Result<(), Trouble>,
    ) {
        self.findings.note(check, rule, outcome);
    }

    /// The status that this endpoint has for what is this status elsewhere.
    pub(crate) fn status(&self, status: u16) -> u16 {
        self.row.instead.get(&status.to_string()).copied().unwrap_or(status)
    }

    /// The call as it should succeed.
    pub(crate) fn request(&self) -> Request {
        self.request_with(self.proof.clone(), &self.path, &self.input)
    }

    /// A call with a key, from the address that calls with it again.
    pub(crate) fn keyed(&self, mut request: Request, key: String) -> Request {
        request.headers.push(("idempotency-key", key));
        if self.suite.client.is_forwarded() {
            request.headers.push(("x-forwarded-for", self.address.clone()));
        }
        request
    }

    /// The call with other fields.
    pub(crate) fn request_of(&self, input: &Map<String, Value>) -> Request {
        self.request_with(self.proof.clone(), &self.path, input)
    }

    /// The call of another caller, with another path and other fields.
    pub(crate) fn request_with(
        &self,
        proof: Proof,
        path: &Map<String, Value>,
        input: &Map<String, Value>,
    ) -> Request {
        let mut request = self.suite.request(self.endpoint, proof, path, input);
        if let Some(file) = &self.row.file {
            let media = format!("multipart/form-data; boundary={BOUNDARY}");
            request.sent = Sent::Raw(media, form(input, file));
        }
        request
    }

    pub(crate) async fn send(&self, request: &Request) -> Result<Answer, Trouble> {
        self.suite.client.send(request).await
    }

    /// Sends what must be refused, and notes whether it is.
    pub(crate) async fn refuses(
        &mut self,
        (check, rule): (impl Into<String>, &str),
        request: Request,
        (status, code): (u16, Option<&str>),
    ) {
        let outcome = match self.send(&request).await {
            Ok(answer) => answer.must_refuse(status, code),
            Err(trouble) => Err(trouble),
        };
        self.note(check, rule, outcome);
    }

    /// Whether it reads, so that it can be called as often as a check likes.
    pub(crate) fn reads(&self) -> bool {
        self.row.reads || (self.endpoint.method == "GET" && !self.row.changes)
    }
}

/// The fields with one replaced.
pub(crate) fn with(fields: &Map<String, Value>, name: &str, value: Value) -> Map<String, Value> {
    let mut fields = fields.clone();
    fields.insert(name.to_owned(), value);
    fields
}

fn form(fields: &Map<String, Value>, file: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let part = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n"
        );
        body.extend_from_slice(part.as_bytes());
    }
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"content\"; filename=\"{file}\"\r\n\
         Content-Type: image/png\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(PIXEL);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    body
}
