//! Seals again, under the secret key, what is sealed under an earlier one.

use sea_query::{Expr, ExprTrait as _, Order, Query};
use serde::Serialize;

use crate::backoffice::belonging;
use crate::error::{Error, Result};
use crate::platform::Platform;
use crate::storage::{Session, update};

/// The rows read at once.
const AT_ONCE: u64 = 200;
const ID: &str = "id";

/// A column of sealed values. Answers kept for an `Idempotency-Key` are not among them: they are
/// gone after a day.
struct Sealed {
    table: &'static str,
    column: &'static str,
    /// What a value is bound to, in SQL; a test opens one of each.
    context: &'static str,
    /// The column with the mark of what is sealed, in the same context.
    mark: Option<&'static str>,
}

const WEBHOOK: &str = "webhook_endpoint";
const WEBHOOK_OWNER: &str = "CASE WHEN partner_id IS NOT NULL THEN 'webhook_secret:partner_id:' || partner_id \
    ELSE 'webhook_secret:college_id:' || college_id END";

const SEALED: &[Sealed] = &[
    Sealed { table: "operator", column: "totp_secret", context: "'totp:' || id", mark: None },
    Sealed {
        table: "portal_user",
        column: "totp_secret",
        context: "'totp:portal_user:' || id",
        mark: None,
    },
    Sealed {
        table: "tax_form",
        column: "tin_sealed",
        context: "'tin:' || owner || ':' || version",
        mark: None,
    },
    Sealed { table: "outbox", column: "sealed", context: "'outbox'", mark: None },
    Sealed {
        table: "device_token",
        column: "sealed_token",
        context: "'device_token'",
        mark: Some("token_mark"),
    },
    Sealed {
        table: "sign_on_provider",
        column: "sealed_secret",
        context: "'sign_on_secret:' || college_id",
        mark: None,
    },
    Sealed { table: WEBHOOK, column: "sealed_secret", context: WEBHOOK_OWNER, mark: None },
    Sealed { table: WEBHOOK, column: "sealed_old_secret", context: WEBHOOK_OWNER, mark: None },
];

/// The columns that are sealed again, each with its table.
pub fn sealed_columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    SEALED.iter().map(|sealed| (sealed.table, sealed.column))
}

/// What was found, and done about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resealed {
    /// How many sealed values there are.
    pub values: u64,
    /// How many were sealed under an earlier key.
    pub earlier: u64,
}

/// Seals each value that is sealed under an earlier key again, under the own key, and notes that
/// the database belongs to it. It works beside servers that have all keys, and can be run again.
pub async fn reseal(platform: &Platform) -> Result<Resealed> {
    let found = each(platform, true).await?;
    belonging::take_over(platform.db(), platform.vault()).await?;
    Ok(found)
}

/// Counts what [`reseal`] would do.
pub async fn count_sealed(platform: &Platform) -> Result<Resealed> {
    each(platform, false).await
}

async fn each(platform: &Platform, reseals: bool) -> Result<Resealed> {
    let mut found = Resealed::default();
    for column in SEALED {
        let mut after = 0;
        loop {
            let mut session = platform.db().read().await?;
            let rows = column.rows(&mut session, after).await?;
            drop(session);
            let Some((last, ..)) = rows.last() else { break };
            after = *last;
            for (id, context, sealed) in rows {
                found.values += 1;
                if platform.vault().is_sealed_anew(&context, &sealed) {
                    continue;
                }
                found.earlier += 1;
                if reseals {
                    column.renew(platform, id, &context, sealed).await?;
                }
            }
        }
    }
    Ok(found)
}

impl Sealed {
    async fn rows(&self, session: &mut Session, after: i64) -> Result<Vec<(i64, String, Vec<u8>)>> {
        let rows = Query::select()
            .column(ID)
            .expr(Expr::cust(self.context))
            .column(self.column)
            .from(self.table)
            .and_where(Expr::col(self.column).is_not_null())
            .and_where(Expr::col(ID).gt(after))
            .order_by(ID, Order::Asc)
            .limit(AT_ONCE)
            .take();
        session.all(rows).await
    }

    /// Writes a value sealed anew, unless it was changed meanwhile.
    async fn renew(
        &self,
        platform: &Platform,
        id: i64,
        context: &str,
        sealed: Vec<u8>,
    ) -> Result<()> {
        let plain = platform.vault().open(context, &sealed)?;
        let anew = platform.vault().seal(context, &plain)?;
        let mut session = platform.db().begin().await?;
        let row = update(self.table).set(self.column, anew).when(ID, id).when(self.column, sealed);
        let changed = session.run(row).await?;
        if let (Some(column), 1) = (self.mark, changed) {
            let text = String::from_utf8(plain).map_err(Error::internal)?;
            let mark = platform.vault().mark(context, &text);
            // The same text may have been stored under its new mark meanwhile: that row counts.
            let marked = Expr::col(column).eq(mark.as_str());
            let twice = Query::select().column(ID).from(self.table).and_where(marked).take();
            if session.exists(twice).await? {
                let old = Expr::col(ID).eq(id);
                session.run(Query::delete().from_table(self.table).and_where(old).take()).await?;
            } else {
                session.run(update(self.table).set(column, mark).when(ID, id)).await?;
            }
        }
        session.commit().await
    }
}
