//! Builds a row from the types of its operation: all that is compiled for each of them.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::effect::{Effect, Freshness, Reuse};
use super::path::address;
use super::row::{Entry, Needs, Owned, Run, Takes};
use super::section::UNSORTED;
use super::stops::Stops;
use crate::auth::Caller;
use crate::auth::principal::Principal;
use crate::error::{Error, Result, codes};
use crate::kernel::{Interface, Method};
use crate::operation::{
    Answer, AnswerSchema, Call, Cx, Facts, Fields, Gives, Order, Reply, declared, read,
};
use crate::platform::Platform;
use crate::throttle::Throttle;

/// The input type of an operation.
pub trait Input: DeserializeOwned + JsonSchema + Send + 'static {}
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for T {}

/// Builds a row for an operation with the caller type `C`; `at` is its method and path.
pub(super) fn row<C, I, O, F, Fut>(name: &'static str, at: &'static str, operation: F) -> Entry
where
    C: Caller,
    I: Input,
    O: Answer,
    F: Fn(Cx<C>, I) -> Fut + Copy + Send + Sync + 'static,
    Fut: Future<Output = Result<O>> + Send + 'static,
{
    let generic = Generic {
        function: std::any::type_name::<F>(),
        callers: C::KINDS,
        gives: O::GIVES,
        writes: O::WRITES,
        input: I::json_schema,
        order: declared::<I>,
        output: O::schema,
        admits: |who| C::admit(who).is_some(),
        reads: |fields| read::<I>(fields).map(|(_, ignored)| ignored),
    };
    let run: Run = Box::new(move |platform, facts, call| {
        let begun = begin::<C, I>(&platform, &facts, call);
        Box::pin(async move {
            let (cx, input, ignored) = begun?;
            let reply = operation(cx, input).await?.reply(&facts)?;
            Ok(end(reply, ignored, &facts))
        })
    });
    plain(name, at, generic, run)
}

/// What a row takes from the types of its operation.
#[derive(Clone, Copy)]
struct Generic {
    function: &'static str,
    callers: &'static [&'static str],
    gives: Gives,
    writes: bool,
    input: fn(&mut SchemaGenerator) -> Schema,
    order: fn() -> Order,
    output: fn(&mut SchemaGenerator) -> AnswerSchema,
    admits: fn(&Principal) -> bool,
    reads: fn(&Fields) -> Result<Vec<String>>,
}

/// A row of which nothing is said yet. Compiled once for all operations.
fn plain(name: &'static str, at: &'static str, generic: Generic, run: Run) -> Entry {
    let interface = name.split('.').next().and_then(Interface::named);
    let (method, path) = address(at).unwrap_or((Method::Get, ""));
    let Generic { function, callers, gives, writes, input, order, output, admits, reads } = generic;
    Entry {
        name,
        function,
        interface: interface.unwrap_or(Interface::Core),
        method,
        path,
        purpose: "",
        title: "",
        verb: "",
        confirm: None,
        section: &UNSORTED,
        callers,
        needs: Needs::Nothing,
        throttle: Throttle::Standard,
        new_needs: &[],
        required_when: &[],
        groups: &[],
        acts: Vec::new(),
        columns: &[],
        zones: &[],
        owned: Owned::Nothing,
        errors: &[],
        says: "OK",
        takes: Takes::Fields,
        gives,
        effect: match method {
            _ if !writes => Effect::Reads,
            Method::Get => Effect::WritesByGet,
            _ => Effect::Writes,
        },
        reuse: Reuse::Never,
        freshness: Freshness::Now,
        extension: false,
        feature: None,
        stops: Stops::Nothing,
        credentials: false,
        impersonators: None,
        opened_by: None,
        unprocessable: false,
        input,
        order,
        output,
        admits,
        reads,
        shape: OnceLock::new(),
        run,
    }
}

/// The reply with what the operation noted beside its answer.
fn end(mut reply: Reply, ignored: Vec<String>, facts: &Facts) -> Reply {
    reply.ignored = ignored;
    reply.cookie = facts.cookie();
    reply.tag = facts.tag();
    reply.data_age = facts.behind();
    reply
}

/// Admits the caller and parses the input.
fn begin<C: Caller, I: Input>(
    platform: &Platform,
    facts: &Arc<Facts>,
    call: &Call,
) -> Result<(Cx<C>, I, Vec<String>)> {
    let caller = C::admit(call.principal.account()).ok_or_else(|| Error::from(codes::FORBIDDEN))?;
    let (input, ignored) = read::<I>(&call.fields)?;
    if call.strict && !ignored.is_empty() {
        return Err(unknown(ignored));
    }
    Ok((Cx::new(caller, platform.clone(), facts.clone()), input, ignored))
}

fn unknown(fields: Vec<String>) -> Error {
    let error = Error::from(codes::UNKNOWN_FIELD);
    fields
        .into_iter()
        .fold(error, |error, field| error.at(field, "is not a field of this operation"))
}
