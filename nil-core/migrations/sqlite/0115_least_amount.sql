-- Cash below a dollar was nearly always meant in dollars. Operators change it.
ALTER TABLE site ADD COLUMN least_amount_cents INTEGER NOT NULL DEFAULT 100 CHECK (least_amount_cents >= 0);
