//! Files as parts of records: whose they have to be, and who sees them then.

use super::file::StoredFile;
use super::store::file as files;
use super::storing::{self, Written};
use crate::accounts::UserKind;
use crate::auth::{Party, PortalUser, User};
use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, CollegeId, FanId, FileId, PartnerId, SportId, UserId};
use crate::operation::Work;
use crate::storage::Session;

vocabulary! {
    /// What a file can be part of. An athlete's agent is the one who represents them now; with the end of
    /// the representation they see none of it any longer, whenever it was handed in.
    FileUse {
        /// Work handed in: seen by both parties, the athlete's agent and the institution's officers.
        Deliverable = "deliverable",
        /// A deal made off the platform: seen by the athlete, their agent and, once it was handed in,
        /// the institution's officers.
        DisclosedJob = "disclosed_job",
        /// A chat message: seen by both sides of the conversation.
        Message = "message",
        /// A file in a deal's folder: seen by both parties and the athlete's agent.
        DealFile = "deal_file",
        /// An athlete's picture: seen by everybody, at its own address.
        Photo = "athlete_photo",
        /// A brand's logo: seen by everybody, at its own address.
        Logo = "partner_logo",
        /// An athlete agent's filing: seen by the institution's portal users.
        Filing = "filing",
    }
}

/// Somebody who wants to see a record.
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
    /// A user of an institution's portal, limited to certain sports where there are any.
    College(CollegeId, Vec<SportId>),
}

impl Viewer {
    /// This user; none where the account has no record of its kind.
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

/// These files, which have to be the user's own: 422 at `file_ids` otherwise, whether a file is
/// somebody else's or not there at all.
pub(crate) async fn owned(
    session: &mut Session,
    user: UserId,
    ids: &[FileId],
) -> Result<Vec<StoredFile>> {
    owned_at(session, "file_ids", user, ids).await
}

/// The same for ids that came in another field of the input.
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

fn strange(field: &str) -> Error {
    Error::invalid(field, "must name files that you uploaded and that are still there")
}

/// Makes the record consist of these files, which [`owned`] found, and of no others: in the
/// transaction that writes the record. A file that was deleted in between is 422 like a missing one.
pub(crate) async fn attach(
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
    // In order of id, as rows are locked everywhere.
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

/// Makes the record consist of the files with these ids: those it consists of already, whoever's they
/// are, and the user's own. 422 at `field` for any other.
pub(crate) async fn replace(
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

/// Makes a file that was written just now part of the record.
pub(crate) async fn add_written(
    work: &mut Work,
    written: Written,
    (kind, record): (FileUse, i64),
) -> Result<FileId> {
    let file = storing::keep(work, written).await?;
    let now = work.now();
    if files::add_use(work, &file, (kind, record), now).await? {
        Ok(file.id)
    } else {
        Err(codes::STATE_CHANGED.into())
    }
}

/// The record consists of these files and of no others any longer.
pub(crate) async fn let_go(
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

/// These files that are there, whoever's they are, for the records that consist of them.
pub(crate) async fn found(session: &mut Session, ids: &[FileId]) -> Result<Vec<StoredFile>> {
    files::find_all(session, ids).await
}

/// The records that the file is part of.
pub(crate) async fn uses(session: &mut Session, file: FileId) -> Result<Vec<(FileUse, i64)>> {
    files::uses(session, file).await
}

/// The files that the record consists of.
pub(crate) async fn of_record(
    session: &mut Session,
    (kind, record): (FileUse, i64),
) -> Result<Vec<FileId>> {
    files::used_by(session, kind, record).await
}

/// Makes a file part of the record; answers whether it was still there.
pub(crate) async fn add(
    work: &mut Work,
    file: &StoredFile,
    (kind, record): (FileUse, i64),
) -> Result<bool> {
    let now = work.now();
    files::add_use(work, file, (kind, record), now).await
}
