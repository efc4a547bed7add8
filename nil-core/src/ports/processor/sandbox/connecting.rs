//! The sandbox's connected accounts.

use super::Sandbox;
use crate::error::Error;
use crate::ports::processor::{ConnectedAccount, Restriction};
use crate::storage::{Session, sql};

/// What a new account's owner must tell.
const FIRST: [&str; 2] = ["individual.verification", "external_account"];
/// What the owner of an account is asked for later.
const LATER: [&str; 1] = ["individual.verification.document"];

impl Sandbox {
    pub(super) async fn known_account(
        session: &mut Session,
        reference: &str,
    ) -> Result<Option<ConnectedAccount>, Error> {
        let found: Option<(bool, Option<Restriction>)> = session
            .first(
                sql("SELECT onboarded, restriction FROM sandbox_account WHERE id = $1")
                    .bind(reference),
            )
            .await?;
        let Some((onboarded, restriction)) = found else { return Ok(None) };
        let restriction = restriction.or((!onboarded).then_some(Restriction::InformationDue));
        let due = match (onboarded, restriction) {
            (false, _) => &FIRST[..],
            (true, Some(Restriction::InformationDue)) => &LATER[..],
            (true, _) => &[],
        };
        Ok(Some(ConnectedAccount {
            reference: reference.to_owned(),
            charges_enabled: restriction.is_none(),
            payouts_enabled: restriction.is_none(),
            requirements_due: due.iter().map(|word| (*word).to_owned()).collect(),
            requirements_due_by: None,
            restriction,
        }))
    }

    /// The effect of opening the onboarding page: the account's owner has provided all information.
    pub async fn finish_onboarding(&self, account: &str) -> Result<bool, Error> {
        let text = "UPDATE sandbox_account SET onboarded = TRUE, restriction = \
            CASE WHEN restriction = 'information_due' THEN NULL ELSE restriction END WHERE id = $1";
        self.change_account(account, sql(text).bind(account)).await
    }

    /// Stops payouts to an account whose owner has provided all information, or lets them go on.
    /// Returns whether there is such an account.
    pub async fn restrict(
        &self,
        account: &str,
        restriction: Option<Restriction>,
    ) -> Result<bool, Error> {
        let text = "UPDATE sandbox_account SET restriction = $2 WHERE id = $1 AND onboarded";
        self.change_account(account, sql(text).bind(account).bind(restriction)).await
    }

    async fn change_account(
        &self,
        account: &str,
        change: crate::storage::Sql,
    ) -> Result<bool, Error> {
        let mut session = self.db.begin().await?;
        let done = session.run(change).await?;
        if done > 0 {
            // An account changes any number of times, and each time is an event of its own.
            let told: i64 = session
                .value(sql("SELECT COUNT(*) FROM sandbox_event WHERE object_id = $1").bind(account))
                .await?;
            let id = format!("evt_{account}_{}", told + 1);
            self.tell_as(&mut session, id, "account.updated", account).await?;
        }
        session.commit().await?;
        Ok(done > 0)
    }
}
