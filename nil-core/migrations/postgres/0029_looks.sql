-- When a wallet that is paid out by itself is looked at next: empty while there is nothing to look for.
-- `woken` counts what made it due, so that a look that began before does not put it off.

ALTER TABLE payout_account ADD COLUMN look_at TIMESTAMPTZ;
ALTER TABLE payout_account ADD COLUMN woken BIGINT NOT NULL DEFAULT 0;
ALTER TABLE payout_account ADD COLUMN misses BIGINT NOT NULL DEFAULT 0;
UPDATE payout_account SET look_at = '1970-01-01T00:00:00Z';
CREATE INDEX payout_account_by_look ON payout_account (look_at, id) WHERE look_at IS NOT NULL;

CREATE FUNCTION wallet_has_grown() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE payout_account SET look_at = '1970-01-01T00:00:00Z', woken = woken + 1, misses = 0
        WHERE owner = substr(NEW.name, 1, length(NEW.name) - length(':wallet'));
    RETURN NULL;
END $$;
CREATE TRIGGER wallet_has_grown AFTER UPDATE OF balance_cents ON ledger_account
    FOR EACH ROW WHEN (NEW.balance_cents > OLD.balance_cents AND NEW.name LIKE '%:wallet')
    EXECUTE FUNCTION wallet_has_grown();

-- Payouts that wait, in the order in which they are looked at.
CREATE INDEX payout_held ON payout (status, updated_at, id) WHERE status = 'on_hold';

-- When a failed payout was looked at in vain: those that were wait behind the others.
ALTER TABLE payout ADD COLUMN looked_at TIMESTAMPTZ;
DROP INDEX payout_failed;
CREATE INDEX payout_failed ON payout (status, COALESCE(looked_at, updated_at), id) WHERE status = 'failed';
