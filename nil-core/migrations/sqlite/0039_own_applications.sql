-- An athlete's own applications to the jobs that a search shows.
CREATE INDEX application_by_athlete_and_job ON application (athlete_id, job_id, id);
