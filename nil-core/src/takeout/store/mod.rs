//! The statements of takeouts.

use crate::accounts::UserKind;
use crate::error::Result;
use crate::kernel::{ContractId, UserId};
use crate::storage::{Session, sql};
use crate::takeout::area::{Area, Line, Taker, Whose};

/// The person with this account; none if it is not in use.
pub async fn taker(session: &mut Session, user: UserId) -> Result<Option<Taker>> {
    const TAKER: &str = "SELECT u.id AS user_id, u.kind, \
        COALESCE(a.id, p.id, g.id, f.id) AS profile_id FROM app_user u \
        LEFT JOIN athlete a ON a.user_id = u.id LEFT JOIN partner p ON p.user_id = u.id \
        LEFT JOIN agent g ON g.user_id = u.id LEFT JOIN fan f ON f.user_id = u.id \
        WHERE u.id = $1 AND u.status = 'active'";
    session.first(sql(TAKER).bind(user)).await
}

/// The next rows of an area behind this id.
pub async fn rows<A: Area>(
    session: &mut Session,
    taker: Taker,
    behind: i64,
    most: i64,
) -> Result<Vec<Line<A>>> {
    let text = sql(A::TEXT);
    let whose = match A::WHOSE {
        Whose::Account => text.bind(taker.user_id),
        Whose::Profile => text.bind(taker.profile_id),
        Whose::Key => text.bind(format!("user:{}", taker.user_id)),
        Whose::Owner => text.bind(format!("{}:{}", taker.kind, taker.profile_id)),
    };
    session.all(whose.bind(behind).bind(most)).await
}

/// The next contracts of an athlete or a brand behind this id: ids and numbers.
pub async fn contracts(
    session: &mut Session,
    taker: Taker,
    behind: i64,
) -> Result<Vec<(ContractId, String)>> {
    let text = match taker.kind {
        UserKind::Athlete => {
            "SELECT id, number FROM contract WHERE athlete_id = $1 AND id > $2 ORDER BY id LIMIT 100"
        }
        UserKind::Partner => {
            "SELECT id, number FROM contract WHERE partner_id = $1 AND id > $2 ORDER BY id LIMIT 100"
        }
        // An agent has no access to contracts after a representation; a fan has none.
        UserKind::Agent | UserKind::Fan => return Ok(Vec::new()),
    };
    session.all(sql(text).bind(taker.profile_id).bind(behind)).await
}
