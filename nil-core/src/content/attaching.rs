//! Files as parts of records: who must own them, and who may see them.

use super::file::StoredFile;
use super::store::file as files;
use super::storing::{self, Written};
use crate::auth::{Party, PortalUser, User};
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AgentId, AthleteId, CollegeId, FanId, FileId, PartnerId, SportId, UserId, UserKind,
};
use crate::operation::Work;
use crate::storage::Session;

vocabulary! {
    /// The kinds of records a file can be part of. "Agent" means the athlete's current agent; after the representation
    /// ends they see none of these files, no matter when they were submitted.
    FileUse {
        /// Submitted work: visible to both parties, the athlete's agent and the institution's officers.
        Deliverable = "deliverable",
        /// A deal made off the platform: visible to the athlete, their agent and, after submission, the institution's
        /// officers.
        DisclosedJob = "disclosed_job",
        /// A chat message: visible to both sides of the conversation.
        Message = "message",
        /// A file in a deal's folder: visible to both parties, the athlete's agent, and the institution's officers once
        /// the contract is executed.
        DealFile = "deal_file",
        /// An athlete's picture: public, at its own address.
        Photo = "athlete_photo",
        /// A brand's logo: public, at its own address.
        Logo = "partner_logo",
        /// An athlete agent's filing: visible to the institution's portal users.
        Filing = "filing",
        /// The site's logo: public, at its own address.
        SiteLogo = "site_logo",
        /// The site's icon: public, at its own address.
        SiteFavicon = "site_favicon",
    }
}

/// The viewer of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// An athlete.
    Athlete(AthleteId),
    /// A brand.
    Partner(PartnerId),
    /// An agent.
    Agent(AgentId),
    /// A fan.
    Fan(FanId),
    /// A user of an institution's portal, limited to certain sports if any are given.
    College(CollegeId, Vec<SportId>),
}

impl Viewer {
    /// This user; none if the account has no record of its kind.
    #[must_use]
    pub fn of_user(user: &User) -> Option<Self> {
        let id = user.profile_id;
        match user.kind {
            UserKind::Athlete => AthleteId::new(id).map(Self::Athlete),
            UserKind::Partner => PartnerId::new(id).map(Self::Partner),
            UserKind::Agent => AgentId::new(id).map(Self::Agent),
            UserKind::Fan => FanId::new(id).map(Self::Fan),
        }
    }

    /// This party.
    #[must_use]
    pub fn of_party(party: &Party) -> Self {
        match party {
            Party::Athlete(athlete) => Self::Athlete(athlete.id),
            Party::Partner(partner) => Self::Partner(partner.id),
            Party::Agent(agent) => Self::Agent(agent.id),
        }
    }

    /// This user of a portal.
    #[must_use]
    pub fn of_portal(user: &PortalUser) -> Self {
        Self::College(user.college_id, user.sports.clone())
    }
}

/// These files, which must be the user's own: 422 at `file_ids` otherwise, whether a file belongs to another user or
/// does not exist.
pub async fn owned(session: &mut Session, user: UserId, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    owned_at(session, "file_ids", user, ids).await
}

/// These files, which must be the user's own: 422 at `field` of the input otherwise, whether a file belongs to another
/// user or does not exist.
pub(crate) async fn owned_at(
    session: &mut Session,
    field: &str,
    user: UserId,
    ids: &[FileId],
) -> Result<Vec<StoredFile>> {
    let found = files::of_user(session, user, ids).await?;
    let all = ids.iter().all(|id| found.iter().any(|file| file.id == *id));
    all.then_some(found).ok_or_else(|| strange(field))
}

/// The refusal of a file that is not the caller's.
pub(super) fn strange(field: &str) -> Error {
    Error::invalid(field, "must name files that you uploaded and that still exist")
}

/// Sets the record's files to exactly these, which [`owned`] found, in the transaction that writes the record. A file
/// deleted in between is 422 like a missing one.
pub async fn attach(
    work: &mut Work,
    files: &[StoredFile],
    kind: FileUse,
    record: i64,
) -> Result<()> {
    let (now, place) = (work.now(), (kind, record));
    let before = files::used_by(work, kind, record).await?;
    for id in &before {
        if !files.iter().any(|file| file.id == *id) {
            files::drop_use(work, *id, place, now).await?;
        }
    }
    // In order of id, as all rows are locked.
    let mut new: Vec<&StoredFile> =
        files.iter().filter(|file| !before.contains(&file.id)).collect();
    new.sort_unstable_by_key(|file| file.id);
    new.dedup_by_key(|file| file.id);
    for file in new {
        if !files::add_use(work, file, place, now).await? {
            return Err(strange("file_ids"));
        }
    }
    Ok(())
}

/// Sets the record's files to those with these ids: files it already has, whoever owns them, and the user's own. 422 at
/// `field` for any other.
pub async fn replace(
    work: &mut Work,
    (field, user): (&str, UserId),
    ids: &[FileId],
    kind: FileUse,
    record: i64,
) -> Result<()> {
    let (now, place) = (work.now(), (kind, record));
    let before = files::used_by(work, kind, record).await?;
    let mut new: Vec<FileId> = ids.iter().filter(|id| !before.contains(id)).copied().collect();
    new.sort_unstable();
    new.dedup();
    let own = owned_at(work, field, user, &new).await?;
    for id in before.iter().filter(|id| !ids.contains(id)) {
        files::drop_use(work, *id, place, now).await?;
    }
    for id in &new {
        let Some(file) = own.iter().find(|file| file.id == *id) else {
            return Err(strange(field));
        };
        if !files::add_use(work, file, place, now).await? {
            return Err(strange(field));
        }
    }
    Ok(())
}

/// Adds a file that was just written to the record.
pub async fn add_written(
    work: &mut Work,
    written: Written,
    (kind, record): (FileUse, i64),
) -> Result<FileId> {
    let file = storing::keep(work, written).await?;
    let now = work.now();
    if files::add_use(work, &file, (kind, record), now).await? {
        Ok(file.id)
    } else {
        Err(Error::internal("a file that was just kept is gone"))
    }
}

/// Removes all files from the record.
pub async fn let_go(
    work: &mut Work,
    kept: &[FileId],
    (kind, record): (FileUse, i64),
) -> Result<()> {
    let now = work.now();
    for id in files::used_by(work, kind, record).await? {
        if !kept.contains(&id) {
            files::drop_use(work, id, (kind, record), now).await?;
        }
    }
    Ok(())
}

/// The existing files among these, regardless of their owner, for the records they are part of.
pub async fn found(session: &mut Session, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    files::find_all(session, ids).await
}

/// The records that the file is part of.
pub async fn uses(session: &mut Session, file: FileId) -> Result<Vec<(FileUse, i64)>> {
    files::uses(session, file).await
}

/// The files that the record consists of.
pub async fn of_record(
    session: &mut Session,
    (kind, record): (FileUse, i64),
) -> Result<Vec<FileId>> {
    files::used_by(session, kind, record).await
}

/// Makes a file part of the record; answers whether it was still there.
pub async fn add(
    work: &mut Work,
    file: &StoredFile,
    (kind, record): (FileUse, i64),
) -> Result<bool> {
    let now = work.now();
    files::add_use(work, file, (kind, record), now).await
}
