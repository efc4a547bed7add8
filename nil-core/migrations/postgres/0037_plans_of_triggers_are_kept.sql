-- What triggers run in functions of the language `sql` is parsed and planned anew at each call: for the views behind
-- searches and figures that takes longer than the work itself. A function of `plpgsql` plans once in a session.
CREATE OR REPLACE FUNCTION find_athlete(id BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.id = $1 FOR NO KEY UPDATE;
    DELETE FROM athlete_search s WHERE s.athlete_id = $1;
    INSERT INTO athlete_search SELECT * FROM athlete_searchable v WHERE v.athlete_id = $1;
END $$;
CREATE OR REPLACE FUNCTION find_partner(id BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM partner p WHERE p.id = $1 FOR NO KEY UPDATE;
    DELETE FROM partner_search s WHERE s.partner_id = $1;
    INSERT INTO partner_search SELECT * FROM partner_searchable v WHERE v.partner_id = $1;
END $$;
CREATE OR REPLACE FUNCTION find_services(id BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM athlete a WHERE a.id = $1 FOR NO KEY UPDATE;
    UPDATE service_offer o SET (sport_id, university_id, born_on) = (SELECT v.sport_id,
        v.university_id, v.born_on FROM service_findable v WHERE v.athlete_id = $1)
        WHERE o.athlete_id = $1;
END $$;
CREATE OR REPLACE FUNCTION figure(source TEXT, id BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO college_transaction SELECT * FROM college_transaction_seen v
        WHERE v.source = $1 AND v.record_id = $2
    ON CONFLICT ON CONSTRAINT college_transaction_record_key DO UPDATE SET
        college_id = excluded.college_id, occurred_at = excluded.occurred_at, athlete_id =
        excluded.athlete_id, sport_id = excluded.sport_id, gender = excluded.gender, category_id =
        excluded.category_id, payment_type = excluded.payment_type, status = excluded.status,
        counted = excluded.counted, gross_cents = excluded.gross_cents, fee_cents =
        excluded.fee_cents, net_cents = excluded.net_cents, refunded_cents =
        excluded.refunded_cents, contract_id = excluded.contract_id, over_threshold =
        excluded.over_threshold, prohibited_category = excluded.prohibited_category,
        conflict_sponsor = excluded.conflict_sponsor, associated_entity =
        excluded.associated_entity, minor = excluded.minor, late_from = excluded.late_from;
END $$;
