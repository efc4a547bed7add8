INSERT INTO athlete_social (athlete_id, platform, handle, followers, engagement_basis_points, refreshed_at)
SELECT d.i, CASE d.h % 4 WHEN 0 THEN 'instagram' WHEN 1 THEN 'tiktok' WHEN 2 THEN 'twitch' ELSE 'youtube' END,
    'handle' || d.i, d.h / 7 % 1000 * (d.h / 7001 % 1000) / 10, d.h / 11 % 900, $4
FROM drawn d
