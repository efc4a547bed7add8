-- Money to the cent: what fees and refunds are reckoned from, and each card once.

-- Whether fee and commission are those of everything paid under the contract up to here, less what was
-- taken before. Earlier payments were rounded one by one.
ALTER TABLE payment ADD COLUMN on_totals BOOLEAN NOT NULL DEFAULT FALSE;

-- What the refund asked of the fee; unknown of earlier ones.
ALTER TABLE refund ADD COLUMN refund_fee TEXT CHECK (refund_fee IN ('none', 'proportional', 'all'));

-- Of cards that were saved twice the default stays, else the oldest.
UPDATE payment_method SET removed_at = updated_at, is_default = FALSE
    WHERE removed_at IS NULL AND EXISTS (SELECT 1 FROM payment_method kept
        WHERE kept.owner = payment_method.owner AND kept.processor_ref = payment_method.processor_ref
        AND kept.removed_at IS NULL AND (kept.is_default > payment_method.is_default
            OR (kept.is_default = payment_method.is_default AND kept.id < payment_method.id)));
-- Whoever has cards and no default pays with the oldest.
UPDATE payment_method SET is_default = TRUE WHERE id IN (SELECT MIN(id) FROM payment_method
    WHERE removed_at IS NULL GROUP BY owner HAVING SUM(CASE WHEN is_default THEN 1 ELSE 0 END) = 0);
CREATE UNIQUE INDEX payment_method_reference_key ON payment_method (owner, processor_ref)
    WHERE removed_at IS NULL;
