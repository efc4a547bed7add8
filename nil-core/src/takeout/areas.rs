//! The areas of every account: the profile, log-ins, messages, files, and what the audit trail says
//! about it.

use super::area::{Area, Kind, Whose, areas};

areas! {
    Account = "account" "Account" of Account
    [kind: Text, status: Text, email: Text, email_verified_at: Moment, phone: Text,
        first_name: Text, last_name: Text, last_login_at: Moment, created_at: Moment]
    "SELECT id, kind, status, email, email_verified_at, phone, first_name, last_name, last_login_at, \
     created_at FROM app_user WHERE id = $1 AND id > $2 ORDER BY id LIMIT $3";

    AthleteProfile = "profile" "Profile" of Profile
    [display_name: Text, sport: Text, institution: Text, position: Text, class_year: Text,
        jersey_number: Text, gender: Text, date_of_birth: Day, hometown_city: Text,
        hometown_state: Text, bio: Text, tags: Json, min_rate_cents: Cents, available: Yes,
        listed: Yes, visa_status: Text, guardian_name: Text, guardian_email: Text,
        guardian_consented_at: Moment, enrolled_at: Moment, assistant_asked_for_at: Moment]
    "SELECT a.id, a.display_name, s.name AS sport, c.name AS institution, a.position, a.class_year, \
     a.jersey_number, a.gender, a.date_of_birth, a.hometown_city, a.hometown_state, a.bio, a.tags, \
     a.min_rate_cents, a.available, a.listed, v.status AS visa_status, g.name AS guardian_name, \
     g.email AS guardian_email, g.consented_at AS guardian_consented_at, e.enrolled_at, \
     w.joined_at AS assistant_asked_for_at FROM athlete a \
     LEFT JOIN sport s ON s.id = a.sport_id LEFT JOIN college c ON c.id = a.university_id \
     LEFT JOIN athlete_visa v ON v.athlete_id = a.id LEFT JOIN guardian g ON g.athlete_id = a.id \
     LEFT JOIN athlete_enrolment e ON e.athlete_id = a.id \
     LEFT JOIN assistant_waitlist w ON w.athlete_id = a.id \
     WHERE a.id = $1 AND a.id > $2 ORDER BY a.id LIMIT $3";

    PartnerProfile = "profile" "Profile" of Profile
    [company_name: Text, category: Text, website: Text, about: Text, hq_city: Text, hq_state: Text,
        listed: Yes, verified_at: Moment]
    "SELECT p.id, p.company_name, b.name AS category, p.website, p.about, p.hq_city, p.hq_state, \
     p.listed, p.verified_at FROM partner p \
     LEFT JOIN business_category b ON b.id = p.business_category_id \
     WHERE p.id = $1 AND p.id > $2 ORDER BY p.id LIMIT $3";

    AgentProfile = "profile" "Profile" of Profile
    [agency_name: Text, network_profile_url: Text, certifications: Json, terms_accepted_at: Moment,
        terms_version: Number]
    "SELECT id, agency_name, network_profile_url, certifications, terms_accepted_at, terms_version \
     FROM agent WHERE id = $1 AND id > $2 ORDER BY id LIMIT $3";

    FanProfile = "profile" "Profile" of Profile
    [institution: Text]
    "SELECT f.id, c.name AS institution FROM fan f LEFT JOIN college c ON c.id = f.university_id \
     WHERE f.id = $1 AND f.id > $2 ORDER BY f.id LIMIT $3";

    Follows = "follows" "Athletes you follow" of Profile
    [athlete: Text, since: Moment]
    "SELECT a.id, a.display_name AS athlete, f.created_at AS since FROM fan_follow f \
     JOIN athlete a ON a.id = f.athlete_id WHERE f.fan_id = $1 AND a.id > $2 ORDER BY a.id LIMIT $3";

    Socials = "social_accounts" "Social media accounts" of Profile
    [platform: Text, handle: Text, followers: Number, refreshed_at: Moment]
    "SELECT id, platform, handle, followers, refreshed_at FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY platform) AS id, platform, handle, followers, refreshed_at \
     FROM athlete_social WHERE athlete_id = $1) n WHERE id > $2 ORDER BY id LIMIT $3";

    Sessions = "sessions" "Log-ins" of Account
    [created_at: Moment, used_at: Moment, expires_at: Moment, address: Text]
    "SELECT id, created_at, used_at, expires_at, address FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY s.created_at, s.id) AS id, s.created_at, s.used_at, \
     s.expires_at, s.address FROM session s WHERE s.audience = 'core' AND s.subject_id = $1 \
     AND s.impersonation_id IS NULL) n \
     WHERE id > $2 ORDER BY id LIMIT $3";

    Devices = "devices" "Devices for push messages" of Account
    [platform: Text, name: Text, created_at: Moment]
    "SELECT id, platform, name, created_at FROM device_token WHERE user_id = $1 AND id > $2 \
     ORDER BY id LIMIT $3";

    Preferences = "notification_preferences" "Choices of notifications" of Key
    [event: Text, email: Yes, sms: Yes, in_app: Yes, updated_at: Moment]
    "SELECT id, event, email, sms, in_app, updated_at FROM (\
     SELECT ROW_NUMBER() OVER (ORDER BY event) AS id, event, email, sms, in_app, updated_at \
     FROM notification_preference WHERE owner = $1) n WHERE id > $2 ORDER BY id LIMIT $3";

    Notifications = "notifications" "Notifications" of Account
    [created_at: Moment, event: Text, title: Text, body: Text, read_at: Moment]
    "SELECT id, created_at, event, title, body, read_at FROM notification \
     WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    Messages = "messages" "Messages" of Account
    [conversation_id: Number, created_at: Moment, written_by: Text, text: Text, file_ids: Json,
        read_at: Moment]
    "SELECT m.id, m.conversation_id, m.created_at, CASE WHEN m.sender_id = $1 THEN 'you' \
     WHEN m.sender_id IS NULL THEN 'the operators' \
     ELSE COALESCE(a.display_name, b.company_name, g.agency_name, 'somebody') END AS written_by, \
     m.text, m.file_ids, m.read_at FROM participant p \
     JOIN message m ON m.conversation_id = p.conversation_id \
     LEFT JOIN athlete a ON a.user_id = m.sender_id LEFT JOIN partner b ON b.user_id = m.sender_id \
     LEFT JOIN agent g ON g.user_id = m.sender_id \
     WHERE p.user_id = $1 AND m.id > $2 ORDER BY m.id LIMIT $3";

    Files = "files" "Files you uploaded" of Account
    [file_id: Number, name: Text, media_type: Text, size: Number, sha256: Text, created_at: Moment]
    "SELECT id, id AS file_id, name, media_type, size, sha256, created_at FROM stored_file \
     WHERE user_id = $1 AND status = 'stored' AND id > $2 ORDER BY id LIMIT $3";

    Folder = "deal_folders" "Files you added to deal folders" of Account
    [job_id: Number, file_id: Number, note: Text, created_at: Moment]
    "SELECT id, job_id, file_id, note, created_at FROM deal_file \
     WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    AccountTrail = "audit_trail_account" "What the audit trail says about your account" of Account
    [at: Moment, actor: Text, operation: Text, action: Text, changed: Json]
    "SELECT id, at, actor, operation, action, after AS changed FROM audit_entry \
     WHERE subject_kind = 'user' AND subject_id = $1 AND id > $2 ORDER BY id LIMIT $3";

    AthleteTrail = "audit_trail_profile" "What the audit trail says about your profile" of Profile
    [at: Moment, actor: Text, operation: Text, action: Text, changed: Json]
    "SELECT id, at, actor, operation, action, after AS changed FROM audit_entry \
     WHERE subject_kind = 'athlete' AND subject_id = $1 AND id > $2 ORDER BY id LIMIT $3";
}
