-- The same views for SQLite from 3.38 on, which Debian 12's tools and Python's module still are: without `concat_ws`,
-- and without an order within an aggregate, which older versions cannot even read in a schema.
DROP VIEW athlete_searchable;
CREATE VIEW athlete_searchable AS
SELECT a.id AS athlete_id, a.listed, a.display_name AS name,
    substr(COALESCE(' ' || a.position, '') || COALESCE(' ' || a.hometown_city, '')
        || COALESCE(' ' || s.name, '') || COALESCE(' ' || c.name, '') || COALESCE(' ' || c.short_name, '')
        || COALESCE(' ' || a.bio, '') || COALESCE(' ' || a.tags, '')
        || COALESCE(' ' || (SELECT group_concat(o.handle, ' ') FROM (SELECT f.handle FROM athlete_social f
            WHERE f.athlete_id = a.id ORDER BY f.platform) o), ''), 2) AS about,
    lower(a.display_name) AS sort_name, a.sport_id, a.university_id, c.conference, c.state,
    a.gender, a.class_year,
    COALESCE((SELECT SUM(f.followers) FROM athlete_social f WHERE f.athlete_id = a.id), 0)
        AS followers,
    COALESCE((SELECT MAX(f.engagement_basis_points) FROM athlete_social f
        WHERE f.athlete_id = a.id), 0) AS engagement_rate,
    a.available, COALESCE(a.min_rate_cents, 0) AS min_rate_cents
FROM athlete a JOIN app_user u ON u.id = a.user_id
LEFT JOIN sport s ON s.id = a.sport_id LEFT JOIN college c ON c.id = a.university_id
WHERE u.status = 'active';

DROP VIEW partner_searchable;
CREATE VIEW partner_searchable AS
SELECT p.id AS partner_id, p.listed, p.company_name AS name,
    substr(COALESCE(' ' || k.name, '') || COALESCE(' ' || p.hq_city, '') || COALESCE(' ' || p.about, ''), 2)
        AS about,
    lower(p.company_name) AS sort_name, p.business_category_id, p.hq_state AS state
FROM partner p JOIN app_user u ON u.id = p.user_id
LEFT JOIN business_category k ON k.id = p.business_category_id
WHERE u.status = 'active';
