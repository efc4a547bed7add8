//! The rows of packets for the clearinghouse, of the answers in them, and of the steps taken there.

use serde_json::Value;

use crate::disclosures::association::{AssociationQuestion, KnownAnswer};
use crate::disclosures::clearance::ClearanceWord;
use crate::disclosures::clearance_packet::{ClearanceStep, Contract, Written};
use crate::error::Result;
use crate::kernel::{ClearanceId, ContractId, Date, Time};
use crate::storage::{Session, insert, sql};

/// The maximum number of steps shown.
const SHOWN: i64 = 200;

/// Opens an empty packet; returns whether there was none.
pub async fn open(
    session: &mut Session,
    id: ClearanceId,
    prepared_by: &str,
    now: Time,
) -> Result<bool> {
    let row = insert("clearance_packet")
        .set("clearance_id", id)
        .set("prepared_by", prepared_by)
        .set("revision", 1_i64)
        .set("created_at", now)
        .set("updated_at", now)
        .unless_exists(&["clearance_id"]);
    Ok(session.run(row).await? > 0)
}

/// Writes a packet.
pub async fn write(
    session: &mut Session,
    id: ClearanceId,
    written: &Written,
    now: Time,
) -> Result<()> {
    let row = insert("clearance_packet")
        .set("clearance_id", id)
        .set("payer_kind", written.payer_kind)
        .set("payer_parent", written.payer_parent.clone())
        .set("business_purpose", written.business_purpose.clone())
        .set("uses_marks", written.uses_marks)
        .set("explanation", written.explanation.clone())
        .set("prepared_by", written.prepared_by.clone())
        .set("revision", written.revision)
        .set("created_at", now)
        .set("updated_at", now)
        .or_update(
            &["clearance_id"],
            &[
                "payer_kind",
                "payer_parent",
                "business_purpose",
                "uses_marks",
                "explanation",
                "prepared_by",
                "revision",
                "updated_at",
            ],
        );
    session.run(row).await.map(|_| ())
}

/// What was written into a packet, if there is one.
pub async fn written(session: &mut Session, id: ClearanceId) -> Result<Option<Written>> {
    session
        .first(
            sql("SELECT payer_kind, payer_parent, business_purpose, uses_marks, explanation, \
                 prepared_by, revision FROM clearance_packet WHERE clearance_id = $1")
            .bind(id),
        )
        .await
}

/// Stores an answer, in place of an earlier one.
pub async fn answer(
    session: &mut Session,
    id: ClearanceId,
    (question, answer): (AssociationQuestion, bool),
    by: &str,
    now: Time,
) -> Result<()> {
    let row = insert("clearance_answer")
        .set("clearance_id", id)
        .set("question", question)
        .set("answer", answer)
        .set("answered_by", by)
        .set("answered_at", now)
        .or_update(&["clearance_id", "question"], &["answer", "answered_by", "answered_at"]);
    session.run(row).await.map(|_| ())
}

/// The answers in a packet.
pub async fn answers(session: &mut Session, id: ClearanceId) -> Result<Vec<KnownAnswer>> {
    session
        .all(
            sql("SELECT question, answer, answered_by, answered_at FROM clearance_answer \
                 WHERE clearance_id = $1 ORDER BY question")
            .bind(id),
        )
        .await
}

/// What a packet repeats of a contract.
pub async fn contract(session: &mut Session, id: ContractId) -> Result<Contract> {
    let mut contract: Contract = session
        .one(
            sql("SELECT c.number, c.terms, c.document_sha256, j.category_id FROM contract c \
                 JOIN job j ON j.id = c.job_id WHERE c.id = $1")
            .bind(id),
        )
        .await?;
    let due: Vec<(Date,)> = session
        .all(
            sql("SELECT due_on FROM deliverable WHERE contract_id = $1 ORDER BY milestone_id")
                .bind(id),
        )
        .await?;
    contract.due_on = due.into_iter().map(|(day,)| day).collect();
    Ok(contract)
}

/// Keeps a step.
pub async fn add_step(
    session: &mut Session,
    id: ClearanceId,
    (step, by): (ClearanceWord, &str),
    (reference, note): (Option<&str>, Option<&str>),
    packet: Option<Value>,
    now: Time,
) -> Result<()> {
    let row = insert("clearance_step")
        .set("clearance_id", id)
        .set("step", step)
        .set("reference", reference)
        .set("note", note)
        .set("recorded_by", by)
        .set("packet", packet)
        .set("created_at", now);
    session.run(row).await.map(|_| ())
}

/// The packet that was submitted last, and when.
pub async fn submitted(session: &mut Session, id: ClearanceId) -> Result<Option<(Value, Time)>> {
    session
        .first(
            sql("SELECT packet, created_at FROM clearance_step \
                 WHERE clearance_id = $1 AND packet IS NOT NULL ORDER BY id DESC LIMIT 1")
            .bind(id),
        )
        .await
}

/// The steps of a clearance, in order.
pub async fn steps(session: &mut Session, id: ClearanceId) -> Result<Vec<ClearanceStep>> {
    session
        .all(
            sql(
                "SELECT step, reference, note, recorded_by, packet, created_at FROM clearance_step \
                 WHERE clearance_id = $1 ORDER BY id LIMIT $2",
            )
            .bind(id)
            .bind(SHOWN),
        )
        .await
}

/// Removes the packet, the answers and the steps of a clearance that is removed.
pub async fn remove_all(session: &mut Session, id: ClearanceId) -> Result<()> {
    for rows in [
        "DELETE FROM clearance_step WHERE clearance_id = $1",
        "DELETE FROM clearance_answer WHERE clearance_id = $1",
        "DELETE FROM clearance_packet WHERE clearance_id = $1",
    ] {
        session.run(sql(rows).bind(id)).await?;
    }
    Ok(())
}
