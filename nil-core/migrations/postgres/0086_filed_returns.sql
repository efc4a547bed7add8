-- Returns as they were filed, and the amounts from which payers report.

-- A return as it was filed; later versions of it are corrected returns. The forms are those that stood on it.
CREATE TABLE tax_return (
    year BIGINT NOT NULL CHECK (year BETWEEN 2021 AND 2100),
    form TEXT NOT NULL CHECK (form IN ('1099-NEC', '1099-MISC')),
    partner_id BIGINT NOT NULL REFERENCES partner (id),
    payee TEXT NOT NULL,
    athlete_id BIGINT REFERENCES athlete (id),
    agent_id BIGINT REFERENCES agent (id),
    version BIGINT NOT NULL CHECK (version >= 1),
    amount_cents BIGINT NOT NULL CHECK (amount_cents >= 0),
    withheld_cents BIGINT NOT NULL CHECK (withheld_cents >= 0),
    payer_form_id BIGINT NOT NULL REFERENCES tax_form (id),
    recipient_form_id BIGINT NOT NULL REFERENCES tax_form (id),
    filed_at TIMESTAMPTZ NOT NULL,
    filed_by TEXT NOT NULL,
    PRIMARY KEY (year, form, partner_id, payee, version),
    CHECK ((athlete_id IS NULL) <> (agent_id IS NULL))
);

-- The yearly amount from which a payer reports on a form, from a year on. Operators add the later ones.
CREATE TABLE tax_threshold (
    form TEXT NOT NULL CHECK (form IN ('1099-NEC', '1099-MISC')),
    from_year BIGINT NOT NULL CHECK (from_year BETWEEN 2020 AND 2100),
    threshold_cents BIGINT NOT NULL CHECK (threshold_cents > 0),
    set_by TEXT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (form, from_year)
);
INSERT INTO tax_threshold (form, from_year, threshold_cents, set_by, updated_at) VALUES
    ('1099-NEC', 2020, 60000, 'law', '2026-11-25T00:00:00+00:00'),
    ('1099-MISC', 2020, 1000, 'law', '2026-11-25T00:00:00+00:00'),
    ('1099-NEC', 2026, 200000, 'law', '2026-11-25T00:00:00+00:00');
