//! The statements that erase. `departures::retention` says of each column what they do, and a test
//! holds them to it.

use crate::accounts::UserKind;
use crate::departures::departure::Leaving;
use crate::error::{Error, Result};
use crate::kernel::{Time, UserId};
use crate::storage::{Session, sql};

/// Conversations that nobody else keeps: with the operators, and with users who have left.
macro_rules! forsaken {
    () => {
        "(SELECT p.conversation_id FROM participant p LEFT JOIN app_user o ON o.id = p.other_id \
         WHERE p.user_id = $1 AND (p.other_id IS NULL OR o.status = 'deactivated'))"
    };
}

/// The user's documents in folders of deals that nobody has answered, replaced or commented on. The
/// others are part of what the two sides agreed on.
macro_rules! unanswered {
    () => {
        "(SELECT f.id FROM deal_file f WHERE f.user_id = $1 AND f.status = 'open' AND f.number = 1 \
         AND NOT EXISTS (SELECT 1 FROM deal_file v WHERE v.first_id = f.id) \
         AND NOT EXISTS (SELECT 1 FROM deal_file_comment c WHERE c.document_id = f.id))"
    };
}

/// For users of every kind; `$1` is the account.
const OF_ACCOUNT: &[&str] = &[
    "DELETE FROM registration WHERE user_id = $1",
    "DELETE FROM session WHERE audience = 'core' AND subject_id = $1",
    "DELETE FROM one_time_code WHERE subject_id = $1 \
     AND purpose IN ('registration', 'password_reset', 'email_verification')",
    "DELETE FROM link_token WHERE subject_id = $1 \
     AND purpose IN ('registration', 'password_reset', 'email_verification')",
    "DELETE FROM device_token WHERE user_id = $1",
    "DELETE FROM tutorial_step WHERE user_id = $1",
    "DELETE FROM notification WHERE user_id = $1",
    concat!("DELETE FROM file_use WHERE kind = 'deal_file' AND record_id IN ", unanswered!()),
    concat!("DELETE FROM deal_file WHERE id IN ", unanswered!()),
    "UPDATE direct_upload SET name = '', note = NULL WHERE user_id = $1",
    concat!(
        "DELETE FROM file_use WHERE kind = 'message' AND record_id IN \
         (SELECT m.id FROM message m WHERE m.conversation_id IN ",
        forsaken!(),
        ")"
    ),
    concat!("UPDATE message SET text = '', file_ids = '[]' WHERE conversation_id IN ", forsaken!()),
    "DELETE FROM undeliverable WHERE address IN (SELECT LOWER(email) FROM app_user WHERE id = $1 \
     UNION SELECT phone FROM app_user WHERE id = $1)",
    "UPDATE app_user SET email = NULL, email_verified_at = NULL, password_hash = NULL, \
     phone = NULL, first_name = NULL, last_name = NULL, onboarding_step = NULL, \
     referral_code = NULL, last_login_at = NULL WHERE id = $1 AND status = 'deactivated'",
];

/// The rows that name the account by its key, such as `user:7`; `$1` is the key. The newest message
/// stays, without its content: SQLite would use its id again.
const OF_KEY: &[&str] = &[
    "DELETE FROM notification_preference WHERE owner = $1",
    "DELETE FROM quiet_hours WHERE owner = $1",
    "DELETE FROM outbox WHERE recipient = $1 AND id < (SELECT MAX(id) FROM outbox)",
    "UPDATE outbox SET address = NULL, subject = NULL, body = NULL, sealed = NULL, data = '{}', \
     status = CASE status WHEN 'pending' THEN 'dead' ELSE status END WHERE recipient = $1",
];

/// The rows that name the caller, such as `athlete:3`; `$1` is the name.
const OF_CALLER: &[&str] = &[
    "DELETE FROM idempotency WHERE caller = $1",
    "UPDATE payment_method SET removed_at = COALESCE(removed_at, $2), is_default = FALSE \
     WHERE owner = $1",
];

/// For athletes; `$1` is the athlete. Sport, institution and gender stay: the institution's figures
/// count by them.
const OF_ATHLETE: &[&str] = &[
    "DELETE FROM link_token WHERE purpose = 'guardian_consent' AND subject_id = $1",
    "DELETE FROM guardian WHERE athlete_id = $1",
    "DELETE FROM athlete_social WHERE athlete_id = $1",
    "DELETE FROM athlete_activity WHERE athlete_id = $1",
    "DELETE FROM athlete_visa WHERE athlete_id = $1",
    "DELETE FROM athlete_enrolment WHERE athlete_id = $1",
    "DELETE FROM athlete_entry WHERE athlete_id = $1",
    "UPDATE watched_post SET look_at = NULL WHERE look_at IS NOT NULL \
     AND deliverable_id IN (SELECT id FROM deliverable WHERE athlete_id = $1)",
    "DELETE FROM roster_athlete WHERE athlete_id = $1",
    "DELETE FROM calendar_feed WHERE athlete_id = $1",
    "DELETE FROM squad_member WHERE email = (SELECT u.email FROM athlete a \
     JOIN app_user u ON u.id = a.user_id WHERE a.id = $1)",
    "DELETE FROM fan_follow WHERE athlete_id = $1",
    "DELETE FROM assistant_message WHERE athlete_id = $1",
    "DELETE FROM assistant_waitlist WHERE athlete_id = $1",
    "DELETE FROM clarification_draft WHERE athlete_id = $1 AND status = 'pending'",
    "UPDATE clarification_draft SET draft_text = '', final_text = NULL WHERE athlete_id = $1",
    "UPDATE application SET pitch = NULL, fbp = NULL, fbc = NULL WHERE athlete_id = $1",
    "UPDATE representation SET message = NULL, email = NULL WHERE athlete_id = $1",
    "UPDATE service_offer SET active = FALSE, title = '', description = '' WHERE athlete_id = $1",
    "UPDATE affiliate_link SET active = FALSE, label = NULL \
     WHERE contract_id IN (SELECT id FROM contract WHERE athlete_id = $1)",
    "DELETE FROM file_use WHERE kind = 'disclosed_job' AND record_id IN \
     (SELECT id FROM disclosed_job WHERE athlete_id = $1 AND status = 'draft')",
    "UPDATE disclosed_job SET payer_name = '', payer_parent = NULL, title = '', description = '', \
     file_ids = '[]', attestations = '[]' WHERE athlete_id = $1 AND status = 'draft'",
    "UPDATE athlete SET display_name = $2, position = NULL, class_year = NULL, \
     jersey_number = NULL, date_of_birth = NULL, hometown_city = NULL, hometown_state = NULL, \
     bio = NULL, photo_url = NULL, tags = '[]', min_rate_cents = NULL, available = FALSE, \
     listed = FALSE, share_slug = 'former-' || CAST(id AS TEXT) WHERE id = $1",
];

/// For brands; `$1` is the brand. The company's name stays: athletes and institutions keep records
/// of who paid.
const OF_PARTNER: &[&str] = &[
    "DELETE FROM webhook_delivery WHERE endpoint_id IN \
     (SELECT id FROM webhook_endpoint WHERE partner_id = $1)",
    "DELETE FROM webhook_endpoint WHERE partner_id = $1",
    "UPDATE partner SET website = NULL, about = NULL, logo_url = NULL, hq_city = NULL, \
     hq_state = NULL, listed = FALSE WHERE id = $1",
];

/// For agents; `$1` is the agent.
const OF_AGENT: &[&str] = &[
    "UPDATE representation SET message = NULL WHERE agent_id = $1",
    "UPDATE agent SET agency_name = $2, network_profile_url = NULL, certifications = '[]' \
     WHERE id = $1",
];

/// For fans; `$1` is the fan.
const OF_FAN: &[&str] = &[
    "DELETE FROM fan_follow WHERE fan_id = $1",
    "UPDATE fan SET university_id = NULL WHERE id = $1",
];

/// Erases everything but files.
pub async fn erase(session: &mut Session, person: &Leaving, now: Time) -> Result<()> {
    let own = match person.kind {
        UserKind::Athlete => OF_ATHLETE,
        UserKind::Partner => OF_PARTNER,
        UserKind::Agent => OF_AGENT,
        UserKind::Fan => OF_FAN,
    };
    for text in own {
        let bound = sql(text).bind(person.profile_id);
        let named = text.contains("$2");
        session.run(if named { bound.bind(person.nameless()) } else { bound }).await?;
    }
    let key = format!("user:{}", person.id);
    for text in OF_KEY {
        session.run(sql(text).bind(key.clone())).await?;
    }
    let caller = format!("{}:{}", person.kind, person.profile_id);
    for text in OF_CALLER {
        let bound = sql(text).bind(caller.clone());
        session.run(if text.contains("$2") { bound.bind(now) } else { bound }).await?;
    }
    for text in OF_ACCOUNT {
        session.run(sql(text).bind(person.id)).await?;
    }
    Ok(())
}

/// The users whom the person dealt with: brands they applied to, agents, and people they wrote to;
/// `$1` is the account.
macro_rules! acquainted {
    () => {
        "(SELECT b.user_id FROM application a JOIN job j ON j.id = a.job_id \
         JOIN partner b ON b.id = j.partner_id \
         WHERE a.athlete_id = (SELECT id FROM athlete WHERE user_id = $1) \
         UNION SELECT b.user_id FROM service_order o JOIN partner b ON b.id = o.partner_id \
         WHERE o.athlete_id = (SELECT id FROM athlete WHERE user_id = $1) \
         UNION SELECT g.user_id FROM representation r JOIN agent g ON g.id = r.agent_id \
         WHERE r.athlete_id = (SELECT id FROM athlete WHERE user_id = $1) \
         UNION SELECT a.user_id FROM representation r JOIN athlete a ON a.id = r.athlete_id \
         WHERE r.agent_id = (SELECT id FROM agent WHERE user_id = $1) \
         UNION SELECT u.id FROM representation r JOIN app_user u ON u.email = r.email \
         WHERE r.agent_id = (SELECT id FROM agent WHERE user_id = $1) \
         UNION SELECT other_id FROM participant \
         WHERE user_id = $1 AND other_id IS NOT NULL)"
    };
}

/// Replaces the person's name in the notifications of those they dealt with. Only notifications
/// that were made with this name are changed.
pub async fn rename_in_notifications(
    session: &mut Session,
    user: UserId,
    name: &str,
    by: &str,
) -> Result<()> {
    macro_rules! rename {
        ($data:literal, $cast:literal) => {
            concat!(
                "UPDATE notification SET title = REPLACE(title, $2, $3), \
                 body = REPLACE(body, $2, $3), data = ",
                $cast,
                " WHERE user_id IN ",
                acquainted!(),
                " AND REPLACE(",
                $data,
                ", $4, '') <> ",
                $data
            )
        };
    }
    const ON_SQLITE: &str = rename!("data", "REPLACE(data, $5, $6)");
    const ON_POSTGRES: &str =
        rename!("CAST(data AS TEXT)", "CAST(REPLACE(CAST(data AS TEXT), $5, $6) AS JSONB)");
    let quoted = |text: &str| serde_json::to_string(text).map_err(Error::internal);
    let inner = |text: String| text.trim_matches('"').to_owned();
    let (whole, new) = (quoted(name)?, quoted(by)?);
    let statement = sql(ON_SQLITE)
        .on_postgres(ON_POSTGRES)
        .bind(user)
        .bind(name)
        .bind(by)
        .bind(whole.clone())
        .bind(inner(whole))
        .bind(inner(new));
    session.run(statement).await.map(|_| ())
}

/// Deletes others' notifications of documents that the person added to the folder of a deal, once
/// their name is replaced in them: they tell the name of a file, which the person chose.
pub async fn forget_documents(session: &mut Session, user: UserId, by: &str) -> Result<()> {
    const ON_SQLITE: &str = concat!(
        "DELETE FROM notification WHERE event LIKE 'deal_file.%' \
         AND json_extract(data, '$.sender_name') = $2 AND user_id IN ",
        acquainted!()
    );
    const ON_POSTGRES: &str = concat!(
        "DELETE FROM notification WHERE event LIKE 'deal_file.%' AND data ->> 'sender_name' = $2 \
         AND user_id IN ",
        acquainted!()
    );
    session.run(sql(ON_SQLITE).on_postgres(ON_POSTGRES).bind(user).bind(by)).await.map(|_| ())
}

/// Invitations to the person's address get the athlete's id in its place; those still open were
/// declined before.
pub async fn claim_invitations(session: &mut Session, person: &Leaving, email: &str) -> Result<()> {
    if person.kind != UserKind::Athlete {
        return Ok(());
    }
    let rows = sql("UPDATE representation SET athlete_id = $2, email = NULL \
         WHERE email = $1 AND athlete_id IS NULL AND status <> 'invited'");
    session.run(rows.bind(email).bind(person.profile_id)).await.map(|_| ())
}

/// The users who have left before and had a conversation with this one: nobody keeps the files they
/// exchanged.
pub async fn others_gone(session: &mut Session, user: UserId) -> Result<Vec<UserId>> {
    let rows: Vec<(UserId,)> = session
        .all(
            sql("SELECT DISTINCT o.id FROM participant p JOIN app_user o ON o.id = p.other_id \
                 WHERE p.user_id = $1 AND o.status = 'deactivated'")
            .bind(user),
        )
        .await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}
