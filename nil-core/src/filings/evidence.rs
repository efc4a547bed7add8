//! Documents attached to a filing in a request: existing files, or new ones in base64.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};

use super::sharing;
use crate::auth::PortalUser;
use crate::content::storing::{self, Given, Written};
use crate::content::{self, FileContent, FileOwner, FileUse, MediaType, Viewer};
use crate::error::{Error, Result};
use crate::kernel::{CollegeId, FileId, FilingId, Text};
use crate::operation::{Cx, Work};

/// A new document sent with the filing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct NewDocument {
    /// Its name.
    pub name: Text<1, 1000>,
    /// The declared media type; it must match the content.
    pub media_type: Option<MediaType>,
    /// Its content in base64, at most 10 MiB.
    pub content: FileContent,
}

/// A document of a filing: the id of a file, or a new one.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A file that already belongs to this filing, or to another record that the caller may see.
    Stored(FileId),
    /// A new file.
    New(NewDocument),
}

impl<'de> Deserialize<'de> for Evidence {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Evidence;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the id of a file, or an object with `name` and `content`")
            }

            fn visit_i64<E: serde::de::Error>(self, id: i64) -> Result<Evidence, E> {
                let id = FileId::new(id);
                id.map(Evidence::Stored).ok_or_else(|| E::custom("must be an integer of 1 or more"))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Evidence, A::Error> {
                NewDocument::deserialize(MapAccessDeserializer::new(map)).map(Evidence::New)
            }
        }
        from.deserialize_any(Either)
    }
}

impl JsonSchema for Evidence {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Evidence".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "oneOf": [FileId::json_schema(generator), generator.subschema_for::<NewDocument>()]
        })
    }
}

/// Documents whose new files are written but not yet attached.
#[derive(Debug)]
pub(super) enum Ready {
    /// An existing file.
    Stored(FileId),
    /// A file that was just written.
    Written(Written),
}

/// 422 at `documents.N.…` for files that are not accepted.
pub(super) fn examine(evidence: &[Evidence]) -> Result<()> {
    for (index, one) in evidence.iter().enumerate() {
        if let Evidence::New(new) = one {
            let found = storing::examined(&new.name, new.media_type, &new.content);
            found.map_err(|error| at_place(&error, index))?;
        }
    }
    Ok(())
}

fn at_place(error: &Error, index: usize) -> Error {
    let fields = error.fields().iter();
    let messages = fields.flat_map(|(field, all)| all.iter().map(move |why| (field, why)));
    Error::invalid_fields(
        messages.map(|(field, why)| (format!("documents.{index}.{field}"), why.clone())),
    )
}

fn given(new: &NewDocument, college: CollegeId) -> Given<'_> {
    Given {
        owner: FileOwner::College(college),
        name: &new.name,
        media_type: new.media_type,
        content: &new.content,
    }
}

/// Writes the new files, outside any transaction.
pub(super) async fn write(cx: &Cx<PortalUser>, evidence: Vec<Evidence>) -> Result<Vec<Ready>> {
    let mut ready = Vec::with_capacity(evidence.len());
    for one in evidence {
        ready.push(match one {
            Evidence::Stored(id) => Ready::Stored(id),
            Evidence::New(new) => {
                let given = given(&new, cx.caller.college_id);
                let operation = cx.facts().operation;
                Ready::Written(storing::write(cx.platform(), operation, given).await?)
            }
        });
    }
    Ok(ready)
}

/// Attaches the documents to the filing; returns their ids in order. 422 at `documents` for a file
/// that the caller may not see.
pub(super) async fn attach(
    work: &mut Work,
    officer: &PortalUser,
    id: FilingId,
    ready: Vec<Ready>,
) -> Result<Vec<FileId>> {
    let place = (FileUse::Filing, id.get());
    let stored = ready.iter().filter_map(|one| match one {
        Ready::Stored(id) => Some(*id),
        Ready::Written(_) => None,
    });
    let stored: Vec<FileId> = stored.collect();
    let viewer = Viewer::of_portal(officer);
    add_shown(work, &viewer, stored, place).await?;
    let mut all = Vec::with_capacity(ready.len());
    for one in ready {
        let id = match one {
            Ready::Stored(id) => id,
            Ready::Written(written) => content::add_written(work, written, place).await?,
        };
        if !all.contains(&id) {
            all.push(id);
        }
    }
    Ok(all)
}

/// Adds files to the record that the viewer may see as part of another record, or that are already
/// part of this one; 422 at `field` for any other file, whether it belongs to another user or does
/// not exist.
async fn add_shown(
    work: &mut Work,
    viewer: &Viewer,
    mut ids: Vec<FileId>,
    place: (FileUse, i64),
) -> Result<()> {
    let before = content::of_record(work, place).await?;
    ids.retain(|id| !before.contains(id));
    ids.sort_unstable();
    ids.dedup();
    let unseen = || Error::invalid("documents", "must name files that you may see");
    let there = content::found(work, &ids).await?;
    for id in ids {
        let file = there.iter().find(|file| file.id == id).ok_or_else(unseen)?;
        let shown = sharing::is_shown_to(work, viewer, id).await?;
        if !shown || !content::add(work, file, place).await? {
            return Err(unseen());
        }
    }
    Ok(())
}
