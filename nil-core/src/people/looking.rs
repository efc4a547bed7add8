//! The audit record of agents' views.

use std::collections::BTreeSet;

use crate::auth::Party;
use crate::error::Result;
use crate::kernel::AthleteId;
use crate::operation::Cx;

/// Records in the audit trail that the calling agent viewed these athletes' records.
pub async fn looked_at<C>(
    cx: &Cx<C>,
    athletes: impl Iterator<Item = AthleteId>,
    action: &'static str,
) -> Result<()> {
    let athletes: BTreeSet<AthleteId> = athletes.collect();
    if athletes.is_empty() {
        return Ok(());
    }
    let mut work = cx.begin_audited_read().await?;
    for athlete in athletes {
        work.act_for(Some(athlete));
        work.note(athlete, action);
    }
    work.finish_read().await
}

/// Records in the audit trail that the caller viewed these athletes' records, if the caller is an
/// agent. Views of athletes and brands are not recorded.
pub async fn party_looked_at(
    cx: &Cx<Party>,
    athletes: impl Iterator<Item = AthleteId>,
    action: &'static str,
) -> Result<()> {
    match cx.caller {
        Party::Agent(_) => looked_at(cx, athletes, action).await,
        Party::Athlete(_) | Party::Partner(_) => Ok(()),
    }
}
