-- Why the processor sends no payouts to an account, and until when its owner can provide what is missing.
ALTER TABLE payout_account ADD COLUMN restriction TEXT
    CHECK (restriction IN ('information_due', 'being_verified', 'rejected', 'paused', 'other'));
ALTER TABLE payout_account ADD COLUMN requirements_due_by TIMESTAMPTZ;
UPDATE payout_account SET restriction = 'information_due'
WHERE status IN ('pending', 'restricted') AND requirements_due <> '[]'::jsonb;

-- When the processor can pay out the money of a payment, if that was after the charge.
ALTER TABLE payment ADD COLUMN funds_at TIMESTAMPTZ;
CREATE INDEX payment_by_funds ON payment (athlete_id, funds_at) WHERE funds_at IS NOT NULL;
CREATE INDEX payment_by_agent_funds ON payment (agent_id, funds_at)
    WHERE funds_at IS NOT NULL AND agent_id IS NOT NULL;

-- What a bank's statement shows of a request.
ALTER TABLE movement ADD COLUMN label TEXT NOT NULL DEFAULT '';
-- Whether a payout is to arrive within minutes.
ALTER TABLE movement ADD COLUMN instant BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE sandbox_account ADD COLUMN restriction TEXT;
ALTER TABLE sandbox_object ADD COLUMN available_at TIMESTAMPTZ;

-- A refund of a subscription that failed days after it had succeeded: its credit note, and the invoice that takes the
-- credit note back.
ALTER TABLE subscription_refund ADD COLUMN taken_back_note_id BIGINT REFERENCES invoice (id);
ALTER TABLE subscription_refund ADD COLUMN taken_back_by_id BIGINT REFERENCES invoice (id)
    CHECK ((taken_back_by_id IS NULL) = (taken_back_note_id IS NULL));
CREATE INDEX subscription_refund_by_taken_back_note ON subscription_refund (taken_back_note_id)
    WHERE taken_back_note_id IS NOT NULL;

CREATE INDEX sandbox_event_by_object ON sandbox_event (object_id);
