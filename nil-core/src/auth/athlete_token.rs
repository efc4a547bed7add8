//! Tokens that give a model host access to one athlete's deals for ten minutes. Only the platform
//! can issue one, and it works only together with an API key and a signed request.
//!
//! A token is `ATHLETE.UNTIL.MARK`: the athlete's id, the second of expiry, and a keyed mark of
//! both. Tokens are not stored; a token is refused if its athlete's account is no longer in use.

use chrono::{DateTime, TimeDelta};

use super::principal::{Principal, Scope};
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, Secret, Time, UserId};
use crate::platform::Platform;
use crate::storage::sql;

/// The lifetime of a token.
const LIVES: TimeDelta = TimeDelta::minutes(10);
/// The context its mark is bound to.
const CONTEXT: &str = "athlete token";

/// A token and its expiry.
#[derive(Clone, Debug)]
pub struct AthleteToken {
    /// The token, for the header `X-Athlete-Token`.
    pub token: Secret,
    /// When it expires.
    pub expires_at: Time,
}

impl Platform {
    /// Issues a token with which a model host may use the assistant's tools for this athlete for
    /// ten minutes. For hosts of the library, and for the assistant when it calls a model that
    /// wants a token. 404 for an athlete who does not exist or whose account is not in use.
    pub async fn mint_athlete_token(&self, athlete: AthleteId) -> Result<AthleteToken> {
        active(self, athlete).await?.ok_or(codes::NOT_FOUND)?;
        let until = (self.now() + LIVES).timestamp();
        let expires_at = DateTime::from_timestamp(until, 0)
            .ok_or_else(|| Error::internal("a token without an end"))?;
        let content = format!("{athlete}.{until}");
        let mark = self.vault().mark(CONTEXT, &content);
        Ok(AthleteToken { token: Secret::new(format!("{content}.{mark}")), expires_at })
    }

    /// The model host behind a service's key and an athlete's token. A service without the scope is
    /// returned as a service, and the operation's door refuses it. 401 `athlete_token_invalid` if
    /// the token is missing, wrong or expired, or its athlete's account is no longer in use.
    pub async fn authenticate_model_host(
        &self,
        service: Principal,
        token: Option<&str>,
    ) -> Result<Principal> {
        let key = match &service {
            Principal::Service { id, scopes } if scopes.contains(&Scope::AiTools) => *id,
            _ => return Ok(service),
        };
        let athlete_id = token.and_then(|token| self.athlete_behind(token));
        let athlete_id = athlete_id.ok_or(codes::ATHLETE_TOKEN_INVALID)?;
        let user_id = active(self, athlete_id).await?;
        let user_id = user_id.ok_or(codes::ATHLETE_TOKEN_INVALID)?;
        Ok(Principal::ModelHost { key, athlete_id, user_id })
    }

    fn athlete_behind(&self, token: &str) -> Option<AthleteId> {
        let (content, mark) = token.rsplit_once('.')?;
        if !self.vault().is_mark(CONTEXT, content, mark) {
            return None;
        }
        let (athlete, until) = content.split_once('.')?;
        let until: i64 = until.parse().ok()?;
        if until <= self.now().timestamp() {
            return None;
        }
        AthleteId::new(athlete.parse().ok()?)
    }
}

/// The account of an athlete, if it is active.
async fn active(platform: &Platform, athlete: AthleteId) -> Result<Option<UserId>> {
    let mut session = platform.db().read().await?;
    let found: Option<(UserId,)> = session
        .first(
            sql("SELECT u.id FROM athlete a JOIN app_user u ON u.id = a.user_id \
                 WHERE a.id = $1 AND u.status = 'active'")
            .bind(athlete),
        )
        .await?;
    Ok(found.map(|(user,)| user))
}
