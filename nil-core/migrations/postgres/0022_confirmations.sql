-- Cardholders confirm charges with their banks: a charge can wait for that.

ALTER TABLE charge DROP CONSTRAINT charge_status_check,
    ADD CONSTRAINT charge_status_check CHECK (status IN ('processing', 'requires_action', 'succeeded', 'failed')),
    -- Until when the cardholder can confirm it, while it waits for that.
    ADD COLUMN confirm_until TIMESTAMPTZ;
ALTER TABLE subscription_charge DROP CONSTRAINT subscription_charge_status_check,
    ADD CONSTRAINT subscription_charge_status_check
        CHECK (status IN ('processing', 'requires_action', 'succeeded', 'failed')),
    ADD COLUMN confirm_until TIMESTAMPTZ;

-- Pages of the embedded processor where its cards are entered.
CREATE TABLE sandbox_card_form (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    -- The card that was entered.
    number TEXT
);
CREATE INDEX sandbox_card_form_by_owner ON sandbox_card_form (owner);

-- An operator's decision about a request whose outcome the processor cannot tell.
ALTER TABLE movement ADD COLUMN decided_by TEXT;
ALTER TABLE movement ADD COLUMN decided_at TIMESTAMPTZ;
ALTER TABLE movement ADD COLUMN decision_note TEXT;
