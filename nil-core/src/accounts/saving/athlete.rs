//! Operators open and change athletes.

use schemars::JsonSchema;
use serde_json::json;

use super::holder::Holder;
use crate::accounts::athletes::athlete_edit::EditAthlete;
use crate::accounts::athletes::editing;
use crate::accounts::registering::athlete::check_age;
use crate::accounts::registering::athlete_steps::Guardian;
use crate::accounts::store::editing::{lock_athlete, user_of_athlete};
use crate::accounts::store::registration::{self, NewAthlete};
use crate::accounts::store::{saving as store, steps, user};
use crate::accounts::{AccountRecord, Profile, UserKind, mail};
use crate::auth::Operator;
use crate::error::{Result, Wrong};
use crate::kernel::combined::shared;
use crate::kernel::{AthleteId, Combined, Date};
use crate::operation::{Cx, Done, Revised, Work};
use crate::people::{self, ADULT, is_under};

/// What athletes cannot change themselves. Omitted fields keep their values.
#[derive(Clone, Debug, Default, JsonSchema)]
pub struct Origins {
    /// Date of birth; athletes are at least 13 years old. A minor is not listed.
    pub date_of_birth: Option<Date>,
    /// The parent or guardian; required for athletes under 18 and ignored for others. A new
    /// guardian is asked for consent, and an earlier one's consent becomes void.
    pub guardian: Option<Guardian>,
}

shared!(Origins { date_of_birth, guardian });

/// An athlete to open (without `id`) or to change: the account, its origins and the record.
pub type SaveAthlete = Combined<Holder<AthleteId>, Combined<Origins, EditAthlete>>;

/// Opens an athlete's account, or changes the given fields of one. The holder of a new account gets
/// a mail with a link to choose a password; a minor's guardian is asked for consent. 404 for an
/// unknown id, 409 for another college while a contract is open.
pub async fn save(cx: Cx<Operator>, input: SaveAthlete) -> Result<Done<Revised<AccountRecord>>> {
    let (Combined { own: mut record, shared: mut origins }, holder) = input.parts();
    let hash = holder.unknown_password(&cx).await?;
    let profile = match holder.id {
        Some(id) => Some((user_of_athlete(&mut cx.read().await?, id).await?, id.get())),
        None => None,
    };
    let photo = editing::prepare_photo(&cx, profile, &record).await?;
    let mut work = cx.begin().await?;
    let mut wrong = Wrong::default();
    let (id, user) = if let Some(id) = holder.id {
        let held = lock_athlete(&mut work, id).await?;
        let before = holder.held(&mut work, held.user_id, id).await?;
        if let Profile::Athlete(known) = &before.profile {
            // What is stored already does not stand in the way of other changes.
            record.sport_id = record.sport_id.filter(|sport| known.sport_id != Some(*sport));
            let college = record.university_id;
            record.university_id = college.filter(|id| held.university_id != Some(*id));
            origins.date_of_birth =
                origins.date_of_birth.filter(|born| held.date_of_birth != Some(*born));
        }
        let known = registration::new_athlete(&mut work, held.user_id).await?;
        let own = holder.email.as_deref().or(before.email.as_deref());
        let born = origins.date_of_birth.or(held.date_of_birth);
        let college = record.university_id.or(held.university_id);
        let today = people::today(&mut work, college, cx.now()).await?;
        let minor = origins.check((born, today), own, Some(&known), &mut wrong);
        editing::check_athlete(&mut work, &record, (born, today), &mut wrong).await?;
        wrong.refuse()?;
        editing::change_athlete(&mut work, id, &held, (record, photo)).await?;
        origins.guardian = origins.guardian.filter(|_| minor);
        origins.change(&mut work, &known, minor).await?;
        holder.change(&mut work, held.user_id).await?;
        (id, held.user_id)
    } else {
        holder.check_new(&mut wrong);
        wrong.needs("sport_id", record.sport_id.is_some());
        wrong.needs("university_id", record.university_id.is_some());
        wrong.needs("date_of_birth", origins.date_of_birth.is_some());
        let (born, own) = (origins.date_of_birth, holder.email.as_deref());
        let today = people::today(&mut work, record.university_id, cx.now()).await?;
        let minor = origins.check((born, today), own, None, &mut wrong);
        editing::check_athlete(&mut work, &record, (born, today), &mut wrong).await?;
        wrong.refuse()?;
        let user = holder.open(&mut work, UserKind::Athlete, hash).await?;
        let new = registration::new_athlete(&mut work, user).await?;
        let (name, now) = (holder.name(), cx.now());
        registration::open_athlete(&mut work, &new, &name, !minor, now).await?;
        editing::write_athlete(&mut work, new.id, user, (record, photo)).await?;
        origins.guardian = origins.guardian.filter(|_| minor);
        origins.write(&mut work, new.id, minor, &name).await?;
        holder.invite(&mut work, user).await?;
        (new.id, user)
    };
    let account = user::account(&mut work, user, cx.now()).await?;
    work.done(AccountRecord::of(id, account).into()).await
}

impl Origins {
    /// Whether the athlete born on this day is a minor today; adds what is wrong. `own` is the
    /// athlete's e-mail.
    fn check(
        &self,
        (born, today): (Option<Date>, Date),
        own: Option<&str>,
        known: Option<&NewAthlete>,
        wrong: &mut Wrong,
    ) -> bool {
        let Some(born) = born else {
            return false;
        };
        let minor = is_under(ADULT, born, today);
        let before = known.and_then(|known| known.guardian_email.as_deref());
        let given = self.guardian.as_ref().map(|guardian| &*guardian.email);
        // What is stored already does not stand in the way of other changes.
        if let Some(new) = self.date_of_birth {
            check_age(new, today, wrong);
            if minor && given.or(before).is_none() {
                wrong.add("guardian", "is required under 18");
            }
        }
        let guardian = given.or(before).filter(|guardian| minor && own == Some(guardian));
        match (guardian, given) {
            (Some(_), Some(_)) => wrong.add("guardian.email", "must not be the athlete's own"),
            (Some(_), None) => wrong.add("email", "must not be the guardian's"),
            (None, _) => {}
        }
        minor
    }

    /// Writes the given fields of a known athlete and adds the audit row.
    async fn change(&self, work: &mut Work, known: &NewAthlete, minor: bool) -> Result<()> {
        let born = self.date_of_birth.filter(|born| known.date_of_birth != Some(*born));
        let guardian = self.guardian.as_ref().filter(|guardian| {
            known.guardian_email.as_deref() != Some(&*guardian.email)
                || known.guardian_name.as_deref() != Some(&*guardian.name)
        });
        if born.is_none() && guardian.is_none() {
            return Ok(());
        }
        let new = Self { date_of_birth: born, guardian: guardian.cloned() };
        new.write(work, known.id, minor, &known.display_name).await?;
        let mut changed = Vec::new();
        changed.extend(born.map(|_| "date_of_birth"));
        changed.extend(guardian.map(|_| "guardian"));
        work.note_change(known.id, "origins_changed", None, json!({ "changed": changed }));
        Ok(())
    }

    /// Writes the given fields. A new guardian is asked for consent. 429 `too_many_mails`.
    async fn write(&self, work: &mut Work, id: AthleteId, minor: bool, name: &str) -> Result<()> {
        let now = work.now();
        if let Some(born) = self.date_of_birth {
            store::set_birth(work, id, born, minor, now).await?;
        }
        if let Some(guardian) = &self.guardian {
            // Without the old row: its consent is not the new guardian's.
            steps::set_guardian(work, id, None).await?;
            steps::set_guardian(work, id, Some(guardian)).await?;
            let asked = mail::ask_guardian(work, id, name, &guardian.name, &guardian.email).await?;
            asked.or_refuse()?;
        }
        Ok(())
    }
}
