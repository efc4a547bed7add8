//! What changes of the tree have in common: its lock, and the folders that things are put into.

use super::item::{ContentKind, DEEPEST, MOST_IN_A_FOLDER};
use super::store::item as items;
use crate::error::{Result, Wrong, codes};
use crate::kernel::{ContentItemId, ZeroOr};
use crate::operation::Work;
use crate::storage::Session;

/// The field that names a folder.
const PARENT: &str = "parent_id";

/// Locks the tree until the transaction ends. Every change of its shape begins with this: what it
/// reads afterwards stays true until it commits.
pub(super) async fn lock(work: &mut Work) -> Result<()> {
    work.lock("content_tree", 1).await
}

/// A folder that things are put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its id, 0 for the top.
    pub(super) id: i64,
    /// How many folders it is inside, with itself; 0 for the top.
    pub(super) depth: i64,
}

impl Place {
    const TOP: Self = Self { id: 0, depth: 0 };
}

/// Notes it as wrong if the input names another folder for an item than the one that it is in.
pub(super) fn check_stays(place: i64, given: Option<ZeroOr<ContentItemId>>, wrong: &mut Wrong) {
    let own = given.is_none_or(|given| match given {
        ZeroOr::All => place == Place::TOP.id,
        ZeroOr::One(id) => place == id.get(),
        ZeroOr::Unknown => false,
    });
    if !own {
        wrong.add(PARENT, "is another folder: items are moved with /content-management/move");
    }
}

/// The folder that the input names, by default the top; noted as wrong unless it is there.
pub(super) async fn place(
    session: &mut Session,
    given: Option<ZeroOr<ContentItemId>>,
    wrong: &mut Wrong,
) -> Result<Place> {
    match given.map_or(Ok(None), ZeroOr::one) {
        Ok(None) => Ok(Place::TOP),
        Ok(Some(id)) => {
            let found = items::among(session, &[id]).await?.pop();
            match found.filter(|row| row.deleted_at.is_none()) {
                Some(row) if row.kind == ContentKind::Folder => {
                    Ok(Place { id: id.get(), depth: depth(session, id).await? })
                }
                Some(_) => {
                    wrong.add(PARENT, "is a file, not a folder");
                    Ok(Place::TOP)
                }
                None => {
                    wrong.add(PARENT, "is no folder that exists");
                    Ok(Place::TOP)
                }
            }
        }
        Err(_) => {
            wrong.add(PARENT, "must be 0 or the id of a folder");
            Ok(Place::TOP)
        }
    }
}

/// A folder by the number of a stored place; 409 `folder_deleted` unless it is there.
pub(super) async fn living(session: &mut Session, place: i64) -> Result<()> {
    let Some(id) = ContentItemId::new(place) else {
        return Ok(());
    };
    let found = items::among(session, &[id]).await?.pop();
    if found.is_some_and(|row| row.deleted_at.is_none()) {
        return Ok(());
    }
    Err(codes::FOLDER_DELETED.into())
}

async fn depth(session: &mut Session, id: ContentItemId) -> Result<i64> {
    let path = items::path(session, id).await?;
    Ok(i64::try_from(path.len()).unwrap_or(i64::MAX))
}

/// Notes as wrong if so many more items do not fit into the folder.
pub(super) async fn check_room(
    session: &mut Session,
    place: i64,
    more: usize,
    wrong: &mut Wrong,
) -> Result<()> {
    let more = i64::try_from(more).unwrap_or(i64::MAX);
    if items::count(session, place).await?.saturating_add(more) > MOST_IN_A_FOLDER {
        wrong.add(PARENT, format!("is full: a folder holds at most {MOST_IN_A_FOLDER} items"));
    }
    Ok(())
}

/// Notes as wrong if folders of this height would be too deep there.
pub(super) fn check_depth(place: Place, height: i64, wrong: &mut Wrong) {
    if place.depth.saturating_add(height) > DEEPEST {
        wrong.add(PARENT, format!("is too deep: at most {DEEPEST} folders are inside one another"));
    }
}
