//! The language model behind the athletes' assistant.
//!
//! A model gets only a question and a set of tools: every tool reads the records of the one athlete
//! who asks, and none sends anything. The model's answer is text for that athlete. If there is no
//! model, or it is unavailable, the assistant's own rules answer from the same records.

mod chat_completions;

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

use crate::kernel::{Date, Secret};

pub use chat_completions::{ChatCompletions, Settings};

/// The model did not answer, or its answer was unusable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage(pub String);

/// A future answer.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Outage>> + Send + 'a>>;

/// The author of an earlier message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The athlete.
    Athlete,
    /// The assistant.
    Assistant,
}

/// An athlete's question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub text: String,
    /// The date of the question, by UTC.
    pub today: Date,
    /// The id and the title of the job, if the athlete named one.
    pub job: Option<(i64, String)>,
    /// The earlier conversation, oldest first.
    pub earlier: Vec<(Speaker, String)>,
    /// A token for the tool gateway, valid for this athlete and ten minutes; only for a model that
    /// wants one.
    pub athlete_token: Option<Secret>,
}

/// A tool as described to the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub purpose: &'static str,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// The tools for one question of one athlete.
pub trait Toolbox: Send + Sync {
    /// The available tools.
    fn tools(&self) -> Vec<Tool>;

    /// Calls a tool: returns its result, or an error message for the model to read.
    fn call(&self, name: &str, arguments: &Value) -> Result<Value, String>;
}

/// A language model.
pub trait Model: Send + Sync + 'static {
    /// Its name, stored with its answers.
    fn name(&self) -> &str;

    /// Whether it uses the tool gateway (`/ai-tools/*`) itself and so wants the athlete's token.
    /// The default is no: together with an API key, the token gives access to the athlete's deals.
    fn wants_athlete_token(&self) -> bool {
        false
    }

    /// Answers a question in plain text. The answer names records by their source in brackets:
    /// `[deliverable:5]`.
    fn answer<'a>(&'a self, question: &'a Question, tools: &'a dyn Toolbox) -> Later<'a, String>;
}
