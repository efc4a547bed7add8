//! The language model behind the athletes' assistant.
//!
//! A model is given a question and a box of tools, nothing else: every tool reads the records of the
//! one athlete who asks, and none writes. What a model says is text for that athlete to read. Where
//! there is no model, or it is out, the assistant's own rules answer from the same records.

mod chat_completions;

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;

use crate::kernel::{Date, Secret};

pub use chat_completions::{ChatCompletions, Settings};

/// The model did not answer, or not with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage(pub String);

/// An answer that comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Outage>> + Send + 'a>>;

/// Who said something earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The athlete.
    Athlete,
    /// The assistant.
    Assistant,
}

/// What an athlete asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub text: String,
    /// The day it is asked on, by UTC.
    pub today: Date,
    /// The id and the title of the job it is about, where the athlete said so.
    pub job: Option<(i64, String)>,
    /// What was said before, oldest first.
    pub earlier: Vec<(Speaker, String)>,
    /// A token for the tool gateway, good for this athlete and ten minutes; only for a model that
    /// wants one.
    pub athlete_token: Option<Secret>,
}

/// A tool, as the model is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// The tools for one question of one athlete.
pub trait Toolbox: Send + Sync {
    /// What there is.
    fn tools(&self) -> Vec<Tool>;

    /// Uses one: what it found, or what is wrong with the call, for the model to read.
    fn call(&self, name: &str, arguments: &Value) -> Result<Value, String>;
}

/// A language model.
pub trait Model: Send + Sync + 'static {
    /// What it is called; kept beside its answers.
    fn name(&self) -> &str;

    /// Whether it looks things up through the tool gateway (`/ai-tools/*`) itself, and so wants the
    /// athlete's token. No model gets one unasked: with an API key it opens the athlete's deals.
    fn wants_athlete_token(&self) -> bool {
        false
    }

    /// Answers a question in plain text. Records are named as the tools name them, in brackets:
    /// `[deliverable:5]`.
    fn answer<'a>(&'a self, question: &'a Question, tools: &'a dyn Toolbox) -> Later<'a, String>;
}
