//! The rows of amendments.

use sea_query::{Expr, Order, Query};
use serde_json::json;

use super::contract::AssentRow;
use crate::contracts::amendment::{Amendment, AmendmentKind, DueDateChange};
use crate::error::Result;
use crate::kernel::ContractId;
use crate::operation::Work;
use crate::storage::{Among as _, FromRow, Session, insert, sql};

/// An assent to an amendment, with the amendment's number.
#[derive(Clone, Debug, FromRow)]
struct Numbered {
    amendment: i64,
    #[row(flatten)]
    assent: AssentRow,
}

/// The assents to the contract's amendments, with the number of each.
pub async fn assents_to_amendments(
    session: &mut Session,
    contract: ContractId,
) -> Result<Vec<(i64, AssentRow)>> {
    let rows: Vec<Numbered> = session
        .all(
            sql("SELECT amendment, side, name, at, address FROM contract_assent \
                 WHERE contract_id = $1 AND amendment > 0 ORDER BY amendment, side")
            .bind(contract),
        )
        .await?;
    Ok(rows.into_iter().map(|row| (row.amendment, row.assent)).collect())
}

/// The amendments of these contracts, in order.
pub async fn amendments(session: &mut Session, contracts: &[ContractId]) -> Result<Vec<Amendment>> {
    if contracts.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(
            Query::select()
                .columns(["contract_id", "number", "kind", "change", "document_sha256", "at"])
                .from("contract_amendment")
                .and_where(Expr::col("contract_id").among(contracts.iter().map(|id| id.get())))
                .order_by("contract_id", Order::Asc)
                .order_by("number", Order::Asc)
                .take(),
        )
        .await
}

/// Stores a numbered amendment; returns its number.
pub async fn amend(
    work: &mut Work,
    contract: ContractId,
    kind: AmendmentKind,
    change: &DueDateChange,
    document_sha256: &str,
) -> Result<i64> {
    let number: i64 = work
        .value(
            sql("SELECT COALESCE(MAX(number), 0) + 1 FROM contract_amendment WHERE contract_id = $1")
                .bind(contract),
        )
        .await?;
    let row = insert("contract_amendment")
        .set("contract_id", contract)
        .set("number", number)
        .set("kind", kind)
        .set("change", json!(change))
        .set("document_sha256", document_sha256)
        .set("at", work.now());
    work.run(row).await?;
    Ok(number)
}

/// The hash of the latest amendment, if there is one.
pub async fn last_hash(session: &mut Session, contract: ContractId) -> Result<Option<String>> {
    let row: Option<(String,)> = session
        .first(
            sql("SELECT document_sha256 FROM contract_amendment WHERE contract_id = $1 \
                 ORDER BY number DESC LIMIT 1")
            .bind(contract),
        )
        .await?;
    Ok(row.map(|(hash,)| hash))
}
