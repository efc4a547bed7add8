-- When an athlete enrolled at an institution, and where they came from: it decides which earlier
-- deals the clearinghouse is told of, and by when. One row for each institution.
CREATE TABLE athlete_entry (
    athlete_id BIGINT NOT NULL REFERENCES athlete (id),
    college_id BIGINT NOT NULL REFERENCES college (id),
    kind TEXT NOT NULL CHECK (kind IN ('high_school', 'junior_college', 'other_division', 'four_year')),
    enrolled_on DATE NOT NULL,
    -- The first day whose deals count; none for who comes from another institution of the same
    -- division.
    counts_from DATE,
    first_contest_on DATE,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (athlete_id, college_id),
    CONSTRAINT athlete_entry_day_key UNIQUE (athlete_id, enrolled_on),
    CHECK ((kind = 'four_year') = (counts_from IS NULL))
);
-- Whether a share of sales counts when it is received, or with its maximum when the deal is signed.
ALTER TABLE site ADD COLUMN contingent_pay TEXT NOT NULL DEFAULT 'received'
    CHECK (contingent_pay IN ('received', 'maximum'));
