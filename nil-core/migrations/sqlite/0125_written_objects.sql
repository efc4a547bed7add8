-- The objects whose records say that they are there. `needed_object` also has those that are on their way.
CREATE VIEW written_object AS
SELECT 'file ' || id AS record, object_key FROM stored_file WHERE status = 'stored'
UNION ALL
SELECT 'version ' || number || ' of content item ' || item_id, object_key FROM content_version
UNION ALL
SELECT 'export ' || id, object_key FROM export_report WHERE status = 'ready' AND object_key IS NOT NULL;
