-- The pages of an institution's lists are read in the order of an index, after the last row of the page before.
CREATE INDEX clearance_of_college ON clearance (college_id, id);
CREATE INDEX athlete_agent_filing_of_college ON athlete_agent_filing (college_id, id);
CREATE INDEX athlete_of_university_by_name ON athlete (university_id, lower(display_name), id);
CREATE INDEX athlete_of_university_by_joining ON athlete (university_id, created_at, id);
