//! What a call leaves behind: changes, records, and answers that clients keep.

/// Whether a call changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It only reads.
    Reads,
    /// It reads, and records the call: in the audit trail, or as a click.
    ReadsOnRecord,
    /// It writes, and accepts an `Idempotency-Key`.
    Writes,
    /// It writes by GET, and therefore refuses cross-site requests.
    WritesByGet,
}

/// Whether clients may use an answer again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// They ask anew each time.
    Never,
    /// The answer is tagged (`ETag`); who has it asks whether it has changed, and gets 304 if not.
    IfUnchanged,
}

/// Of what moment an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Of the moment of the call.
    Now,
    /// Perhaps of a little before: it may be read from a replica (decision 86).
    MayBeBehind,
}
