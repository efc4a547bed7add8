INSERT INTO disclosed_job (id, athlete_id, college_id, payer_name, payer_kind, title, category_id, amount_cents,
    benefits_cents, contingent_cents, compensation, signed_on, description, file_ids, associated_entity, uses_marks,
    attestations, breaches, flags, prepared_by, submitted_by, status, decision_note, decided_by, decided_at,
    first_submitted_at, submitted_at, due_at, created_at, updated_at)
SELECT d.i, a.id, a.university_id, 'Shop ' || (d.h / 59 % 4000),
    CASE d.h / 61 % 9 WHEN 0 THEN 'individual' WHEN 1 THEN 'nonprofit' ELSE 'business' END,
    'A day for ' || t.word, d.h / 17 % 12 + 1, (d.h / 31 % 900 + 5) * 100, 0, 0,
    CASE d.h / 5 % 3 WHEN 0 THEN 'product' ELSE 'cash' END, $4,
    'Shows ' || t.word || ' to students.', $8, FALSE, FALSE, $9, $8,
    CASE WHEN d.h / 31 % 900 + 5 >= 600 THEN $10 ELSE $8 END, 'athlete:' || a.id, 'athlete:' || a.id,
    CASE d.h / 67 % 20 WHEN 0 THEN 'submitted' WHEN 1 THEN 'under_review' WHEN 2 THEN 'info_requested'
        WHEN 3 THEN 'rejected' ELSE 'approved' END,
    CASE d.h / 67 % 20 WHEN 2 THEN 'Which day was it?' WHEN 3 THEN 'The payer is not named in full.' END,
    CASE WHEN d.h / 67 % 20 > 1 THEN 'portal_user:' || a.university_id END,
    CASE WHEN d.h / 67 % 20 > 1 THEN $6 END, $5, $5, $7, $5, $5
FROM drawn d JOIN athlete a ON a.id = 1000001 + d.h % $11 JOIN topic t ON t.k = d.h / 37 % 32
