INSERT INTO milestone (id, job_id, position, title, activity, platform, media_kind, quantity, due_on, hashtags,
    disclosure_required)
SELECT d.i, d.i, 1, 'Post', 'social_post', CASE d.h % 4 WHEN 0 THEN 'instagram' WHEN 1 THEN 'tiktok'
    WHEN 2 THEN 'twitch' ELSE 'youtube' END, 'post', 1, $4, $5, TRUE
FROM drawn d
