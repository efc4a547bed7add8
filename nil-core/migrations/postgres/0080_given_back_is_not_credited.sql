-- What was given back of a subscription's period is neither credited nor given back again.

-- The part of the old plan's price whose days left were credited: what was paid for and not given back. So far all of it
-- was credited. 0 if the change waits for the next period.
ALTER TABLE subscription_change ADD COLUMN credited_price_cents BIGINT NOT NULL DEFAULT 0
    CHECK (credited_price_cents >= 0);
UPDATE subscription_change SET credited_price_cents = from_price_cents WHERE rest_cents > 0;
