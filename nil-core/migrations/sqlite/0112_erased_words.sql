-- Words that are deleted or replaced leave the full-text indexes at once, instead of standing in them until they are merged.
INSERT INTO athlete_text (athlete_text, rank) VALUES ('secure-delete', 1);
INSERT INTO partner_text (partner_text, rank) VALUES ('secure-delete', 1);
INSERT INTO job_text (job_text, rank) VALUES ('secure-delete', 1);
INSERT INTO service_offer_text (service_offer_text, rank) VALUES ('secure-delete', 1);
-- Merges what stands there now, so that older deletions are gone too.
INSERT INTO athlete_text (athlete_text) VALUES ('optimize');
INSERT INTO partner_text (partner_text) VALUES ('optimize');
INSERT INTO job_text (job_text) VALUES ('optimize');
INSERT INTO service_offer_text (service_offer_text) VALUES ('optimize');
