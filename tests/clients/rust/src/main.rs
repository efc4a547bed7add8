//! A deal from the job to the payment, by a client generated with progenitor.

use std::env;
use std::error::Error;

use chrono::{TimeDelta, Utc};
use futures::TryStreamExt as _;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName};

#[allow(clippy::all, clippy::pedantic, unused_imports, mismatched_lifetime_syntaxes, dead_code)]
mod core {
    include!(concat!(env!("OUT_DIR"), "/core.rs"));
}
#[allow(clippy::all, clippy::pedantic, unused_imports, mismatched_lifetime_syntaxes, dead_code)]
mod compliance {
    include!(concat!(env!("OUT_DIR"), "/compliance.rs"));
}
#[allow(clippy::all, clippy::pedantic, unused_imports, mismatched_lifetime_syntaxes, dead_code)]
mod admin {
    include!(concat!(env!("OUT_DIR"), "/admin.rs"));
}

type Outcome<T> = Result<T, Box<dyn Error>>;

const PASSWORD: &str = "a walk along the lake";

/// An HTTP client that sends this header and keeps cookies.
fn sender(name: HeaderName, value: &str) -> Outcome<reqwest::Client> {
    let headers = HeaderMap::from_iter([(name, value.parse()?)]);
    Ok(reqwest::Client::builder().default_headers(headers).cookie_store(true).build()?)
}

/// A client of the Core interface that is logged in.
async fn user(server: &str, email: &str) -> Outcome<core::Client> {
    let url = format!("{server}/api");
    let visitor = core::Client::new(&url);
    let log_in = visitor.core_auth_log_in().body_map(|body| body.email(email).password(PASSWORD));
    let token = format!("Bearer {}", *log_in.send().await?.access_token);
    Ok(core::Client::new_with_client(&url, sender(AUTHORIZATION, &token)?))
}

/// A client of the Admin interface: outside a browser, the cookie is ours to keep.
async fn operator(server: &str, email: &str) -> Outcome<admin::Client> {
    let url = format!("{server}/admin");
    let before = admin::Client::new(&url).admin_auth_csrf_token().send().await?;
    let cookie = |headers: &HeaderMap| -> Outcome<String> {
        let cookie = headers.get("set-cookie").ok_or("a session")?.to_str()?;
        Ok(cookie.split(';').next().unwrap_or_default().to_owned())
    };
    let with = |cookie: String, token: &str| -> Outcome<admin::Client> {
        let headers = HeaderMap::from_iter([
            (HeaderName::from_static("cookie"), cookie.parse()?),
            (HeaderName::from_static("x-csrf-token"), token.parse()?),
        ]);
        let sender = reqwest::Client::builder().default_headers(headers).build()?;
        Ok(admin::Client::new_with_client(&url, sender))
    };
    let visitor = with(cookie(before.headers())?, &before.data.csrf_token)?;
    let log_in = visitor.admin_auth_log_in().body_map(|body| body.email(email).password(PASSWORD));
    let entered = log_in.send().await?;
    with(cookie(entered.headers())?, &entered.data.csrf_token)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let (server, office) = (env::var("CORE")?, env::var("BACK_OFFICE")?);
    let brand = user(&server, "brand@northfieldoutdoor.example").await?;
    let athlete = user(&server, "jordanrivera@students.example").await?;

    let wrong =
        brand.core_auth_log_in().body_map(|body| body.email("a@b.example").password("wrong"));
    match wrong.send().await {
        Err(core::Error::ErrorResponse(refusal)) => {
            assert_eq!(refusal.code, core::types::ErrorCode::WrongCredentials);
        }
        other => return Err(format!("a wrong password is refused: {other:?}").into()),
    }

    let due = (Utc::now() + TimeDelta::days(10)).date_naive();
    let reel = core::types::WantedMilestone::builder()
        .title("Reel")
        .platform(core::types::MediaPlatform::Instagram)
        .media_kind(core::types::MediaKind::Reel)
        .due_on(due);
    let wanted = core::types::CoreJobSaveBody::builder()
        .title(Some("Game day reel".parse()?))
        .description(Some("One reel on game day.".parse()?))
        .category_id(Some(1.try_into()?))
        .compensation(Some(core::types::Compensation::Cash))
        .amount_cents(Some(125_000))
        .slots(Some(1))
        .business_purpose(Some("Introduce the autumn collection.".parse()?))
        .milestones(Some(vec![reel.try_into()?]));
    let job = brand.core_job_save().body(wanted).send().await?.into_inner().data;
    if job.status == core::types::JobStatus::Pending {
        let lee = operator(&office, "operator@nil.example").await?;
        let decision = lee.admin_job_decide_pending();
        let open = admin::types::JobDecision::Open;
        decision.body_map(|body| body.job_id(job.id).status(open)).send().await?;
    }

    let apply = athlete.core_application_apply().body_map(|body| body.job_id(job.id));
    let application = apply.send().await?.into_inner().data;
    brand.core_application_hire().body_map(|body| body.id(application.id)).send().await?;
    athlete
        .core_contract_confirm_availability()
        .body_map(|body| body.job_id(job.id))
        .send()
        .await?;
    let outstanding = athlete.core_deliverable_outstanding();
    let outstanding = outstanding.body_map(|body| body.job_id(Some(job.id))).send().await?;
    for deliverable in outstanding.into_inner().data {
        let post = athlete.core_deliverable_submit().body_map(|body| {
            body.deliverable_id(deliverable.id)
                .post_url("https://www.instagram.com/p/C8xYz1/".parse().ok())
                .caption("Warm on the bench #ad".parse().ok())
        });
        post.send().await?;
        let approval = brand.core_deliverable_change_status().body_map(|body| {
            body.deliverable_id(deliverable.id).status(core::types::Decision::Approved)
        });
        approval.send().await?;
    }

    let order = brand.core_payment_pay_with_saved_card();
    let order = order.body_map(|body| body.athlete_id(application.athlete_id).job_id(job.id));
    let payment = order.send().await?.into_inner().data;
    let history = brand.core_payment_history_of_partner();
    let newest = 1.try_into()?;
    let history = history.body_map(|body| body.per_page(Some(newest))).send().await?;
    assert_eq!(history.data.first().map(|newest| newest.id), Some(payment.id));

    let portal = compliance::Client::new(&format!("{office}/api/compliance"));
    let log_in = portal.compliance_auth_log_in().body_map(|body| {
        body.email("compliance@lakeshorestateuniversity.example").password(PASSWORD)
    });
    let token = format!("Bearer {}", *log_in.send().await?.token);
    let sender = sender(AUTHORIZATION, &token)?;
    let officer = compliance::Client::new_with_client(&format!("{office}/api/compliance"), sender);
    let transactions = officer.compliance_transaction_list().send().await?.into_inner().data;
    let contract = officer.compliance_contract_download();
    let contract = contract.athlete_id(application.athlete_id).job_id(job.id).send().await?;
    let contract: Vec<_> = contract.into_inner().into_inner().try_collect().await?;
    assert!(contract.concat().starts_with(b"%PDF"));
    let seen = transactions.len();
    println!("rust: {}, {} cents, {seen} transactions seen", payment.number, payment.total_cents);
    Ok(())
}
