//! The answer of a live stream: what it sends, and how it is read.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::{Definitions, Generator, example};
use crate::live::SOURCES;
use crate::operation::Beat;

const BEGINNING: &str = "A stream of server-sent events that stays open. Each event has an `id:`, an `event:` (its name) and one \
line `data:` with a JSON object.\n";

const READING: &str = "\nThe comment line `:` is a heartbeat, sent every 15 seconds unless the server is configured otherwise. \
`retry:` tells how long to wait, in milliseconds, before the stream is opened again. The stream ends with the session and when \
the server stops; a client opens it again with the last `id:` in the header `Last-Event-ID` or in `last_event_id`, and gets \
every later event exactly once. A client that opens the stream first and then fetches the lists misses nothing.\n\n\
A browser's `EventSource` sends no `Authorization` header. It takes a ticket instead: `POST /events/ticket` with the bearer \
token, then `new EventSource('/api/events?ticket=…&last_event_id=…')`. After an `error` with `readyState` 2 (closed) get a \
new ticket and open the stream again. Other clients send the bearer token: with `fetch`, read the `body` of the response \
as it arrives.";

/// The events beside those of the sources.
const READY: (&str, &str) =
    ("ready", "The start of the stream: the first event, with an `id:` and no data.");

/// The response of a stream, with an example of each event.
pub(super) fn answer(generator: &mut Generator) -> Value {
    let nothing = json!({ "type": "object", "properties": {} });
    let mut kinds = vec![(READY.0, READY.1, nothing, "n41.m8".to_owned())];
    for (place, source) in SOURCES.iter().enumerate() {
        let id = if place == 0 { "n42.m8" } else { "n42.m9" };
        kinds.push((source.event, source.about, (source.schema)(generator).to_value(), id.into()));
    }
    let empty = Map::new();
    let definitions = Definitions([&empty, &empty, generator.definitions()]);
    let mut about = String::from(BEGINNING);
    let mut example = String::from("retry: 2000\n\n");
    let mut events = Vec::new();
    for (name, when, data, id) in kinds {
        // Writing to a `String` cannot fail.
        let _ = write!(about, "\n- `{name}`: {when}");
        let sample = example::of(&data, definitions);
        example.push_str(&Beat::Event { id, name, data: sample }.to_text());
        events.push(json!({ "name": name, "description": when, "data": data }));
    }
    about.push('\n');
    about.push_str(READING);
    example.push_str(&Beat::Heartbeat.to_text());
    let content = json!({ "schema": { "type": "string" }, "example": example });
    json!({
        "description": about,
        "content": { "text/event-stream": content },
        "x-events": events
    })
}
