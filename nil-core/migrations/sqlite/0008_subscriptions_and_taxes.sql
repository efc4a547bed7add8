-- Plans that brands and agents subscribe to, and what they are billed for them.

CREATE TABLE subscription_plan (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    audience TEXT NOT NULL CHECK (audience IN ('partner', 'agent')),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    -- The platform's fee on hires while the subscription is active; none where it changes nothing.
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    features TEXT NOT NULL,
    active INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (audience = 'partner' OR fee_basis_points IS NULL)
) STRICT;

CREATE TABLE subscription (
    id INTEGER PRIMARY KEY,
    plan_id INTEGER NOT NULL REFERENCES subscription_plan (id),
    partner_id INTEGER REFERENCES partner (id),
    agent_id INTEGER REFERENCES agent (id),
    status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'past_due', 'ended')),
    -- The plan's terms as they were subscribed to: a changed plan changes nobody's.
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    cancel_at_period_end INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    -- Which period the later ones are counted from, and when it began; null as long as the interval never changed.
    anchor_period INTEGER CHECK (anchor_period >= 1),
    anchor_at TEXT,
    -- The last period that is paid (the first one until then), counted from 1.
    period INTEGER NOT NULL CHECK (period >= 1),
    period_starts_at TEXT NOT NULL,
    period_ends_at TEXT NOT NULL,
    -- When the worker has something to do; none while a charge is under way and after the end.
    bill_at TEXT,
    -- When the period was first found unpaid: the later tries are so many days after it.
    unpaid_since TEXT,
    failed_attempts INTEGER NOT NULL CHECK (failed_attempts >= 0),
    failure_code TEXT,
    end_reason TEXT CHECK (end_reason IN ('cancelled', 'declined', 'unpaid', 'account_closed')),
    ended_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK ((partner_id IS NULL) <> (agent_id IS NULL)),
    CHECK ((status = 'ended') = (ended_at IS NOT NULL)),
    CHECK ((status = 'ended') = (end_reason IS NOT NULL)),
    CHECK (period_ends_at > period_starts_at)
) STRICT;
CREATE INDEX subscription_by_plan ON subscription (plan_id, status);
CREATE INDEX subscription_by_partner ON subscription (partner_id, id);
CREATE INDEX subscription_by_agent ON subscription (agent_id, id);
CREATE INDEX subscription_by_bill_at ON subscription (bill_at) WHERE bill_at IS NOT NULL;
CREATE UNIQUE INDEX subscription_partner_live_key ON subscription (partner_id)
    WHERE status <> 'ended' AND partner_id IS NOT NULL;
CREATE UNIQUE INDEX subscription_agent_live_key ON subscription (agent_id)
    WHERE status <> 'ended' AND agent_id IS NOT NULL;

-- One period, one invoice: whoever bills, and however often.
CREATE TABLE subscription_period (
    id INTEGER PRIMARY KEY,
    subscription_id INTEGER NOT NULL REFERENCES subscription (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    -- The plan and the price that it began with; a change within it has an invoice of its own.
    plan_id INTEGER REFERENCES subscription_plan (id),
    price_cents INTEGER CHECK (price_cents > 0),
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    invoice_id INTEGER NOT NULL REFERENCES invoice (id),
    created_at TEXT NOT NULL,
    CONSTRAINT subscription_period_number_key UNIQUE (subscription_id, number),
    CONSTRAINT subscription_period_invoice_key UNIQUE (invoice_id)
) STRICT;

-- Subscribers change their plan within a period or with the next one.
CREATE TABLE subscription_change (
    id INTEGER PRIMARY KEY,
    subscription_id INTEGER NOT NULL REFERENCES subscription (id),
    -- The period in which it was asked for.
    period_id INTEGER NOT NULL REFERENCES subscription_period (id),
    from_plan_id INTEGER NOT NULL REFERENCES subscription_plan (id),
    from_price_cents INTEGER NOT NULL CHECK (from_price_cents > 0),
    -- The part of the old plan's price whose days left were credited: what was paid for and not given back. 0 if the
    -- change waits for the next period.
    credited_price_cents INTEGER NOT NULL DEFAULT 0 CHECK (credited_price_cents >= 0),
    -- The new plan's terms on that day.
    plan_id INTEGER NOT NULL REFERENCES subscription_plan (id),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    billing_interval TEXT NOT NULL CHECK (billing_interval IN ('month', 'year')),
    fee_basis_points INTEGER CHECK (fee_basis_points BETWEEN 0 AND 10000),
    status TEXT NOT NULL CHECK (status IN ('pending', 'scheduled', 'done', 'declined', 'withdrawn')),
    -- What the old plan's unused days cost, and the same days of the new plan; zero if the change waits.
    unused_cents INTEGER NOT NULL CHECK (unused_cents >= 0),
    rest_cents INTEGER NOT NULL CHECK (rest_cents >= unused_cents),
    days_left INTEGER NOT NULL CHECK (days_left >= 0),
    days INTEGER NOT NULL CHECK (days >= days_left),
    takes_effect_at TEXT NOT NULL,
    -- The invoice of the difference; none if there is nothing to charge.
    invoice_id INTEGER REFERENCES invoice (id),
    failure_code TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT subscription_change_invoice_key UNIQUE (invoice_id)
) STRICT;
CREATE INDEX subscription_change_by_subscription ON subscription_change (subscription_id, id);
CREATE INDEX subscription_change_by_period ON subscription_change (period_id);
CREATE UNIQUE INDEX subscription_change_pending_key ON subscription_change (subscription_id)
    WHERE status = 'pending';
CREATE UNIQUE INDEX subscription_change_scheduled_key ON subscription_change (subscription_id)
    WHERE status = 'scheduled';

-- A charge is for a period, or for a change within it.
CREATE TABLE subscription_charge (
    id INTEGER PRIMARY KEY,
    period_id INTEGER NOT NULL REFERENCES subscription_period (id),
    -- The change of plan that it is for; none if it is for the period itself.
    change_id INTEGER REFERENCES subscription_change (id),
    payment_method_id INTEGER NOT NULL REFERENCES payment_method (id),
    total_cents INTEGER NOT NULL CHECK (total_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('processing', 'succeeded', 'failed')),
    processor_charge_id TEXT,
    failure_code TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX subscription_charge_by_period ON subscription_charge (period_id, id);
CREATE INDEX subscription_charge_by_status ON subscription_charge (status, updated_at);
CREATE INDEX subscription_charge_by_method ON subscription_charge (payment_method_id);
-- A period is charged once, and so is a change: a second charge needs the first one to have failed.
CREATE UNIQUE INDEX subscription_charge_live_key ON subscription_charge (period_id)
    WHERE status <> 'failed' AND change_id IS NULL;
CREATE UNIQUE INDEX subscription_charge_change_key ON subscription_charge (change_id)
    WHERE change_id IS NOT NULL;

-- Operators refund what was paid for a subscription.
CREATE TABLE subscription_refund (
    id INTEGER PRIMARY KEY,
    charge_id INTEGER NOT NULL REFERENCES subscription_charge (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    rule TEXT NOT NULL CHECK (rule IN ('full', 'unused')),
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
    failure_code TEXT,
    -- The credit note, once the card was refunded.
    credit_note_id INTEGER REFERENCES invoice (id),
    requested_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT subscription_refund_credit_note_key UNIQUE (credit_note_id),
    CHECK ((status = 'succeeded') = (credit_note_id IS NOT NULL))
) STRICT;
CREATE INDEX subscription_refund_by_charge ON subscription_refund (charge_id, id);
CREATE INDEX subscription_refund_by_status ON subscription_refund (status, updated_at);

-- Tax forms, backup withholding, and information returns.

-- What athletes and agents state on a W-9, and brands about themselves as payers. Each statement is kept; the last one
-- counts. The taxpayer number is sealed.
CREATE TABLE tax_form (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    classification TEXT NOT NULL CHECK (classification IN ('individual', 'c_corporation', 's_corporation',
        'partnership', 'trust_estate', 'llc_c_corporation', 'llc_s_corporation', 'llc_partnership')),
    first_name TEXT,
    last_name TEXT,
    business_name TEXT,
    street TEXT NOT NULL,
    street2 TEXT,
    city TEXT NOT NULL,
    state TEXT NOT NULL,
    postal_code TEXT NOT NULL,
    phone TEXT,
    tin_kind TEXT NOT NULL CHECK (tin_kind IN ('ssn', 'itin', 'ein')),
    tin_sealed BLOB NOT NULL,
    tin_last4 TEXT NOT NULL,
    statement_version TEXT NOT NULL,
    signature TEXT NOT NULL,
    certified_at TEXT NOT NULL,
    -- The network address that the statement came from.
    certified_from TEXT,
    replaced_at TEXT,
    CONSTRAINT tax_form_version_key UNIQUE (owner, version),
    CHECK (classification <> 'individual' OR (first_name IS NOT NULL AND last_name IS NOT NULL)),
    CHECK (classification = 'individual' OR business_name IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX tax_form_current_key ON tax_form (owner) WHERE replaced_at IS NULL;

-- Who was asked for a tax form, in which year and why: once for each reason and year.
CREATE TABLE tax_form_request (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    athlete_id INTEGER REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    -- The year of the earnings (UTC).
    year INTEGER NOT NULL CHECK (year BETWEEN 2021 AND 2100),
    near_threshold_at TEXT,
    payout_held_at TEXT,
    tax_withheld_at TEXT,
    returns_due_at TEXT,
    -- The last of these; null while nobody was asked yet.
    asked_at TEXT,
    -- When a form was handed in.
    answered_at TEXT,
    -- When the worker looks whether a return of this year lacks the form; null once it has.
    look_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CONSTRAINT tax_form_request_key UNIQUE (owner, year),
    CHECK ((athlete_id IS NULL) <> (agent_id IS NULL))
) STRICT;
CREATE INDEX tax_form_request_by_look ON tax_form_request (look_at, id) WHERE look_at IS NOT NULL;
CREATE INDEX tax_form_request_open ON tax_form_request (id) WHERE answered_at IS NULL;

-- When the tax office told to withhold from someone's payouts.
CREATE TABLE backup_withholding (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    notice TEXT NOT NULL CHECK (notice IN ('b_notice', 'c_notice', 'no_tin')),
    reason TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    ends_at TEXT,
    set_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX backup_withholding_by_owner ON backup_withholding (owner, id);
CREATE UNIQUE INDEX backup_withholding_open_key ON backup_withholding (owner) WHERE ends_at IS NULL;

-- What a payee got by a payment: an athlete its whole amount, an agent the commission.
CREATE TABLE payment_payee (
    payment_id INTEGER NOT NULL REFERENCES payment (id),
    owner TEXT NOT NULL,
    athlete_id INTEGER REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    paid_at TEXT NOT NULL,
    gross_cents INTEGER NOT NULL CHECK (gross_cents >= 0),
    -- The tax that was withheld when it was paid.
    withheld_cents INTEGER NOT NULL DEFAULT 0 CHECK (withheld_cents >= 0),
    -- The commission that went back to the athlete, who cancelled the contract with the agent, and the tax within it.
    returned_cents INTEGER NOT NULL DEFAULT 0 CHECK (returned_cents >= 0),
    returned_withheld_cents INTEGER NOT NULL DEFAULT 0 CHECK (returned_withheld_cents >= 0),
    returned_at TEXT,
    PRIMARY KEY (payment_id, owner),
    CHECK ((athlete_id IS NULL) <> (agent_id IS NULL))
) STRICT;
CREATE INDEX payment_payee_by_athlete ON payment_payee (athlete_id, paid_at) WHERE athlete_id IS NOT NULL;
CREATE INDEX payment_payee_by_agent ON payment_payee (agent_id, paid_at) WHERE agent_id IS NOT NULL;
CREATE INDEX payment_payee_by_partner ON payment_payee (partner_id, paid_at);

-- The withheld tax that went back with a refund, by payee.
CREATE TABLE refund_withheld (
    refund_id INTEGER NOT NULL REFERENCES refund (id),
    owner TEXT NOT NULL,
    withheld_cents INTEGER NOT NULL CHECK (withheld_cents > 0),
    PRIMARY KEY (refund_id, owner)
) STRICT;

-- All that counts on returns. A movement belongs to the year of `at`, and changes it only if `seen_at` is in that year, too.
CREATE VIEW reportable_payment AS
    SELECT t.payment_id, t.athlete_id, t.agent_id, t.partner_id, t.paid_at AS at, t.paid_at AS seen_at, 'payment' AS kind,
        CASE WHEN t.agent_id IS NULL AND (j.compensation = 'royalty' OR j.kind = 'licensing')
            THEN '1099-MISC' ELSE '1099-NEC' END AS form,
        t.gross_cents AS amount_cents, t.withheld_cents,
        CASE WHEN t.agent_id IS NULL THEN p.agent_commission_cents ELSE 0 END AS commission_cents
    FROM payment_payee t JOIN payment p ON p.id = t.payment_id JOIN contract c ON c.id = p.contract_id
        JOIN job j ON j.id = c.job_id
    UNION ALL
    SELECT t.payment_id, t.athlete_id, t.agent_id, t.partner_id, t.paid_at, r.created_at, 'refund',
        CASE WHEN t.agent_id IS NULL AND (j.compensation = 'royalty' OR j.kind = 'licensing')
            THEN '1099-MISC' ELSE '1099-NEC' END,
        CASE WHEN t.agent_id IS NULL THEN -r.amount_cents ELSE -r.commission_cents END,
        -COALESCE(w.withheld_cents, 0), 0
    FROM payment_payee t JOIN refund r ON r.payment_id = t.payment_id AND r.status <> 'failed'
        JOIN payment p ON p.id = t.payment_id JOIN contract c ON c.id = p.contract_id JOIN job j ON j.id = c.job_id
        LEFT JOIN refund_withheld w ON w.refund_id = r.id AND w.owner = t.owner
    UNION ALL
    SELECT t.payment_id, t.athlete_id, t.agent_id, t.partner_id, t.paid_at, t.returned_at, 'returned', '1099-NEC',
        -t.returned_cents, -t.returned_withheld_cents, 0
    FROM payment_payee t WHERE t.returned_at IS NOT NULL
    UNION ALL
    SELECT NULL, c.athlete_id, NULL, c.partner_id, c.completed_at, c.completed_at, 'goods', '1099-NEC',
        j.product_value_cents, 0, 0
    FROM contract c JOIN job j ON j.id = c.job_id
    WHERE c.status = 'completed' AND j.product_value_cents > 0 AND j.compensation IN ('product', 'service', 'mixed');

-- A return as it was filed; later versions of it are corrected returns. The forms are those that stood on it.
CREATE TABLE tax_return (
    year INTEGER NOT NULL CHECK (year BETWEEN 2021 AND 2100),
    form TEXT NOT NULL CHECK (form IN ('1099-NEC', '1099-MISC')),
    partner_id INTEGER NOT NULL REFERENCES partner (id),
    payee TEXT NOT NULL,
    athlete_id INTEGER REFERENCES athlete (id),
    agent_id INTEGER REFERENCES agent (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    withheld_cents INTEGER NOT NULL CHECK (withheld_cents >= 0),
    payer_form_id INTEGER NOT NULL REFERENCES tax_form (id),
    recipient_form_id INTEGER NOT NULL REFERENCES tax_form (id),
    filed_at TEXT NOT NULL,
    filed_by TEXT NOT NULL,
    PRIMARY KEY (year, form, partner_id, payee, version),
    CHECK ((athlete_id IS NULL) <> (agent_id IS NULL))
) STRICT;

-- The yearly amount from which a payer reports on a form, from a year on. Operators add the later ones.
CREATE TABLE tax_threshold (
    form TEXT NOT NULL CHECK (form IN ('1099-NEC', '1099-MISC')),
    from_year INTEGER NOT NULL CHECK (from_year BETWEEN 2020 AND 2100),
    threshold_cents INTEGER NOT NULL CHECK (threshold_cents > 0),
    set_by TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (form, from_year)
) STRICT;
INSERT INTO tax_threshold (form, from_year, threshold_cents, set_by, updated_at) VALUES
    ('1099-NEC', 2020, 60000, 'law', '2026-11-25T00:00:00+00:00'),
    ('1099-MISC', 2020, 1000, 'law', '2026-11-25T00:00:00+00:00'),
    ('1099-NEC', 2026, 200000, 'law', '2026-11-25T00:00:00+00:00');
