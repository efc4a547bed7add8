//! The suite of conformance finds what is wrong, and at the right row: the same server, with one
//! rule broken at a time by a proxy before it. Without a broken rule the proxy changes nothing.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use nil_conformance::{Report, Settings, Suite};
use nil_core::auth::throttle::Limits;
use nil_tests::mutating::{Asked, Asking, Credentials, Given, Giving, before};
use nil_tests::{Engine, Frontend, Server, judged};
use serde_json::json;

/// One broken rule.
struct Mutant {
    what: &'static str,
    /// The row that must fail.
    row: &'static str,
    /// Its check that must fail.
    check: &'static str,
    asking: Asking,
    giving: Giving,
}

/// A row and one of its checks.
type Place = (&'static str, &'static str);

fn passes(_: &Credentials, _: &mut Asked) -> Option<Given> {
    None
}

fn leaves(_: &Asked, _: &mut Given) {}

/// A rule of answers that is broken.
const fn given(what: &'static str, (row, check): Place, giving: Giving) -> Mutant {
    Mutant { what, row, check, asking: passes, giving }
}

/// A rule of requests that is broken.
const fn asked(what: &'static str, (row, check): Place, asking: Asking) -> Mutant {
    Mutant { what, row, check, asking, giving: leaves }
}

const MUTANTS: &[Mutant] = &[
    given("a field has another name", ("core.job.detail", "shape"), |asked, given| {
        if asked.is("POST", "/api/getSelectedJob") {
            given.replace("\"business_purpose\"", "\"purpose\"");
        }
    }),
    given("a field is left out", ("core.athlete.detail", "shape"), |asked, given| {
        if asked.is("POST", "/api/getAthleteDetail") {
            given.change(|body| drop(body["data"].as_object_mut().map(|d| d.remove("share_slug"))));
        }
    }),
    given("a status that is no word of the model", ("core.job.save", "shape"), |asked, given| {
        if asked.is("POST", "/api/add-job") {
            given.replace("\"status\":\"pending\"", "\"status\":\"PENDING\"");
        }
    }),
    given("no envelope", ("core.fan.me", "envelope"), |asked, given| {
        if asked.is("POST", "/api/fan/me") && given.status == 200 {
            given.change(|body| *body = body["data"].take());
        }
    }),
    given("a page counts one too many", ("core.job.posted", "pages of one"), |asked, given| {
        if asked.is("POST", "/api/partnerJobs") && given.status == 200 {
            given.change(|body| {
                let total = &mut body["pagination"]["total"];
                *total = json!(total.as_u64().unwrap_or_default() + 1);
            });
        }
    }),
    asked("a page is longer than asked", ("core.application.list", "pages of one"), |_, asked| {
        if asked.is("POST", "/api/partnerGetJobApplicants") {
            asked.change(|body| drop(body.as_object_mut().map(|body| body.remove("per_page"))));
        }
        None
    }),
    asked("the second page is the first", ("admin.partner.list", "pages of one"), |_, asked| {
        if asked.is("GET", "/admin/partner/all/0") {
            asked.target = asked.target.replace("&page=2", "").replace("page=2&", "");
        }
        None
    }),
    given(
        "a date as Europeans write it",
        ("core.deliverable.outstanding", "types"),
        |asked, given| {
            if asked.is("POST", "/api/athleteDeliverablesV3") && given.status == 200 {
                given.change(|body| body["data"][0]["due_on"] = json!("20.12.2026"));
            }
        },
    ),
    given("a time without its zone", ("core.application.apply", "types"), |asked, given| {
        if asked.is("POST", "/api/applyJob") && given.status == 200 {
            given.change(|body| body["data"]["created_at"] = json!("2026-11-20T12:00:00"));
        }
    }),
    given("money with a point", ("core.payment.bulk_summary", "types"), |asked, given| {
        if asked.is("POST", "/api/partner/get-bulk-payment-summary") {
            given.replace("\"fee_cents\":2500", "\"fee_cents\":25.00");
        }
    }),
    given("JSON that says it is HTML", ("core.deal.count", "envelope"), |asked, given| {
        if asked.is("POST", "/api/myDealsCount") {
            given.set("content-type", "text/html");
        }
    }),
    given("no figures of the limit", ("core.public.site_config", "headers"), |asked, given| {
        if asked.is("GET", "/api/site_config") {
            given.headers.remove("ratelimit-remaining");
        }
    }),
    given("no id of the request", ("compliance.college.settings", "headers"), |asked, given| {
        if asked.is("GET", "/api/compliance/college-settings") {
            given.headers.remove("x-request-id");
        }
    }),
    given("a refusal without a code", ("admin.job.view", "called by brand"), |asked, given| {
        if asked.path().starts_with("/admin/job/view/") && given.status >= 400 {
            given.change(|body| drop(body.as_object_mut().map(|body| body.remove("code"))));
        }
    }),
    given("another method is not found", ("core.agent.me", "another method"), |asked, given| {
        if asked.is("PATCH", "/api/agent/me") {
            given.status = 404;
        }
    }),
    given("HEAD is not allowed", ("core.agent.athletes", "HEAD"), |asked, given| {
        if asked.is("HEAD", "/api/agent/athletes") {
            given.status = 405;
        }
    }),
    given(
        "another's record is forbidden",
        ("core.application.hire", "another's record, called by other_brand"),
        |asked, given| {
            if asked.is("POST", "/api/athleteHire") && given.status == 404 {
                given.status = 403;
                given.replace("\"not_found\"", "\"forbidden\"");
            }
        },
    ),
    given(
        "a refusal with another code",
        ("core.payment.pay_with_saved_card", "once more"),
        |asked, given| {
            if asked.is("POST", "/api/submitProcessorPaymentsaved") {
                given.replace("\"nothing_owed\"", "\"conflict\"");
            }
        },
    ),
    given(
        "an illegal move is answered as if done",
        ("core.deliverable.submit", "once more"),
        |asked, given| {
            if asked.is("POST", "/api/submitMediaPost") && given.status == 409 {
                given.status = 200;
            }
        },
    ),
    asked(
        "a move is answered and not made",
        ("core.contract.dismiss_request", "seen by core.application.list"),
        |keys, asked| {
            let dismisses = asked.is("POST", "/api/partner/dismiss-contract-request");
            let done = json!({ "status": "success", "message": "Dismissed" });
            (dismisses && asked.is_by(keys, "brand")).then(|| Given::invented(200, &done))
        },
    ),
    asked("a repetition is made anew", ("core.chat.send", "the same key again"), |_, asked| {
        asked.headers.remove("idempotency-key");
        None
    }),
    asked(
        "another kind of caller is let in",
        ("core.payment.history_of_partner", "called by athlete"),
        |keys, asked| {
            if asked.is("POST", "/api/paymentHistoryPartner") && asked.is_by(keys, "athlete") {
                asked.call_as(keys, "brand");
            }
            None
        },
    ),
    asked("nobody is let in", ("core.chat.conversations", "without credentials"), |keys, asked| {
        let nobody = !asked.headers.contains_key("authorization");
        if asked.is("POST", "/api/fetchMessages") && nobody {
            asked.call_as(keys, "brand");
        }
        None
    }),
    asked(
        "another owner is let in",
        ("core.deliverable.deny", "another's record, called by other_brand"),
        |keys, asked| {
            let denies = asked.path().starts_with("/api/partner/deny-athlete-deliverable/");
            if denies && asked.is_by(keys, "other_brand") {
                asked.call_as(keys, "brand");
            }
            None
        },
    ),
    asked(
        "another college's rows are shown",
        ("compliance.transaction.list", "the list of other_owner"),
        |keys, asked| {
            let lists = asked.is("GET", "/api/compliance/transactions");
            if lists && asked.is_by(keys, "other_owner") {
                asked.call_as(keys, "owner");
            }
            None
        },
    ),
    asked(
        "a role may more than it may",
        ("compliance.portal_user.invite", "called by viewer"),
        |keys, asked| {
            if asked.is("POST", "/api/compliance/invite-user") && asked.is_by(keys, "viewer") {
                asked.call_as(keys, "owner");
            }
            None
        },
    ),
    asked(
        "a form token is not looked at",
        ("admin.category.save_sport", "without a CSRF token"),
        |keys, asked| {
            if asked.header("x-csrf-token") == "none"
                && let Some(csrf) = keys.csrf(asked.header("cookie"))
            {
                asked.set("x-csrf-token", &csrf);
            }
            None
        },
    ),
    asked(
        "a session outlives its log-out",
        ("core.auth.log_out", "the ended session"),
        |_, asked| {
            let leaves =
                asked.is("POST", "/api/logout") && asked.headers.contains_key("authorization");
            let done = json!({ "status": "success", "message": "Done", "data": null });
            leaves.then(|| Given::invented(200, &done))
        },
    ),
    asked("a limit is not kept", ("core.auth.check_email", "the limit"), |_, asked| {
        if asked.is("POST", "/api/check-email-exist") {
            // Who always comes from another address never comes too often.
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            asked.set("x-forwarded-for", &format!("10.9.{}.{}", number / 256, number % 256));
        }
        None
    }),
    asked("half a cent is rounded", ("admin.payment.refund", "amount_cents = 0.5"), |_, asked| {
        if asked.is("POST", "/admin/payment-refund") {
            asked.change(|body| {
                if body["amount_cents"].as_f64() == Some(0.5) {
                    body["amount_cents"] = json!(1);
                }
            });
        }
        None
    }),
    asked(
        "a wish to be strict is not heard",
        ("core.job.search", "an unknown field, asked to be strict"),
        |_, asked| {
            asked.headers.remove("prefer");
            None
        },
    ),
    given("the oldest record comes first", ("admin.job.list", "order"), |asked, given| {
        if asked.is("GET", "/admin/job/all/0") && asked.target == asked.path() {
            given.change(|body| {
                if let Some(rows) = body["data"].as_array_mut() {
                    rows.reverse();
                    rows.iter_mut().zip(1_u32..).for_each(|(row, minute)| {
                        row["created_at"] = json!(format!("2026-11-20T12:{minute:02}:00Z"));
                    });
                }
            });
        }
    }),
    asked(
        "a birth date is shown to everybody",
        ("core.athlete.detail", "seen by core.athlete.detail"),
        |keys, asked| {
            if asked.is("POST", "/api/getAthleteDetail") && !asked.is_by(keys, "brand") {
                asked.call_as(keys, "athlete");
            }
            None
        },
    ),
    asked(
        "another site may trigger a payout",
        ("admin.payout.trigger", "a GET that changes, with sec-fetch-site: cross-site"),
        |_, asked| {
            asked.headers.remove("sec-fetch-site");
            None
        },
    ),
    given(
        "a declined card is a conflict",
        ("core.payment.pay_with_saved_card", "a card that is declined"),
        |_, given| {
            if given.status == 402 {
                given.status = 409;
            }
        },
    ),
    given("a cookie that scripts can read", ("admin.auth.log_in", "cookie"), |asked, given| {
        if asked.is("POST", "/admin/check-login")
            && let Some(cookie) = given.headers.get("set-cookie")
        {
            let open = cookie.to_str().unwrap_or_default().replace("HttpOnly; ", "");
            given.set("set-cookie", &open.replace("; HttpOnly", ""));
        }
    }),
    given(
        "a file without a name",
        ("compliance.athlete.export", "sends a file"),
        |asked, given| {
            if asked.is("GET", "/api/compliance/athletes/export") {
                given.headers.remove("content-disposition");
            }
        },
    ),
];

/// What the suite finds at these rows with a proxy between it and the server.
async fn found(
    (suite, settings): (&Suite, &Settings),
    rows: &[&str],
    credentials: Arc<Credentials>,
    (asking, giving): (Asking, Giving),
) -> Report {
    let server = settings.core.strip_suffix("/api").expect("the base of Core");
    let proxy = before(server, credentials, asking, giving).await;
    let behind = judged::at(&proxy.address);
    let (core, compliance, admin) = (behind.core, behind.compliance, behind.admin);
    let settings = Settings { core, compliance, admin, ..settings.clone() };
    let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
    suite.at(settings).expect("a suite").run(&rows).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_broken_rule_is_found_sqlite() {
    let many = |config: &mut nil_core::Config| {
        config.throttle = Limits { standard: 100_000, ..Limits::default() };
    };
    let server =
        Server::start(judged::world_with(Engine::Sqlite, many).await, Frontend::Warp).await;
    let settings = judged::seeded(&server).await;
    let suite = Suite::open(settings.clone()).await.expect("the accounts log in");
    let names = ["athlete", "brand", "other_brand", "owner", "other_owner", "viewer"];
    let tokens = names.map(|name| (name, suite.token(name).expect("a token").to_owned()));
    let credentials = Arc::new(Credentials::new(tokens));

    let rows: BTreeSet<&str> = MUTANTS.iter().map(|mutant| mutant.row).collect();
    let rows: Vec<&str> = rows.into_iter().collect();
    let suite = (&suite, &settings);
    let whole = found(suite, &rows, credentials.clone(), (passes, leaves)).await;
    assert_eq!(whole.rows.len(), rows.len());
    assert!(whole.all_held(), "{whole}");

    // One after the other: a list that another run adds to does not begin with the newest record.
    let mut missed = Vec::new();
    for mutant in MUTANTS {
        let broken = (mutant.asking, mutant.giving);
        let report = found(suite, &[mutant.row], credentials.clone(), broken).await;
        let checks = report.rows.iter().flat_map(|row| row.failures());
        let found = checks.map(|(finding, _)| finding.check.as_str()).collect::<BTreeSet<_>>();
        if report.failed() != [mutant.row] || !found.contains(mutant.check) {
            missed.push(format!("{}: {:?} {found:?}", mutant.what, report.failed()));
        }
    }
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
}
