//! The open privacy policy in each of its modes, legal documents, publications.

use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal, Scope};
use nil_core::config::PolicyEdits;
use nil_core::kernel::ApiKeyId;
use nil_core::storage::sql;
use nil_tests::{World, both, trust};
use serde_json::{Value, json};

const NOBODY: Principal = Principal::Anonymous;

fn edit(text: &str) -> Value {
    json!({ "id": 1, "title": "Privacy", "text": text })
}

async fn policy(world: &World) -> Value {
    let read = world.call("core.public.privacy_policy", &NOBODY, json!({}));
    read.await.data()
}

fn service(scopes: Vec<Scope>) -> Principal {
    Principal::Service { id: ApiKeyId::new(1).unwrap(), scopes }
}

async fn anybody_edits_the_policy_and_every_edit_is_kept(world: World) {
    let operator = world.operator(&[Permission::Content]);
    assert_eq!(policy(&world).await["version"], 1);
    let hostile = edit("<p>New</p><script>alert(1)</script>");
    let edited = world.call("core.public.edit_privacy_policy", &NOBODY, hostile).await.data();
    assert_eq!(edited["text"], "<p>New</p>");
    assert_eq!((&edited["version"], &edited["held"]), (&json!(2), &json!(false)));
    assert_eq!(policy(&world).await["text"], "<p>New</p>");
    let vandal = world.call("core.public.edit_privacy_policy", &NOBODY, edit("Ha.")).await.data();
    assert_eq!(vandal["version"], 3);

    let edits = world.call("admin.editorial.privacy_policy_edits", &operator, json!({})).await;
    let edits = edits.data();
    assert_eq!(edits[0]["address"], "127.0.0.1");
    assert_eq!((&edits[0]["author"], &edits[0]["version"]), (&json!("anonymous"), &json!(3)));
    let restore = json!({ "edit_id": edits[1]["id"] });
    let restored = world.call("admin.editorial.restore_privacy_policy", &operator, restore).await;
    assert_eq!(restored.data()["version"], 4);
    assert_eq!(policy(&world).await["text"], "<p>New</p>");
    let site = world.call("core.public.site_config", &NOBODY, json!({})).await.data();
    assert_eq!(site["legal_versions"]["privacy"], 4);
    // Every version that was ever in force stays readable.
    let old = json!({ "kind": "privacy", "version": 3 });
    let old = world.call("core.public.legal_terms", &NOBODY, old).await.data();
    assert_eq!(old["body"], "Ha.");
    trust::tried("A10", "modes", 1);
}
both!(anybody_edits_the_policy_and_every_edit_is_kept);

async fn nobody_fills_the_disk_with_edits(world: World) {
    let name = "core.public.edit_privacy_policy";
    let kept = async || {
        let mut session = world.platform.db().read().await.unwrap();
        let count = sql("SELECT COUNT(*) FROM privacy_policy_edit");
        session.value::<i64>(count).await.unwrap()
    };
    // The same text again is not an edit.
    for _ in 0..3 {
        assert_eq!(world.call(name, &NOBODY, edit("Same.")).await.data()["version"], 2);
    }
    assert_eq!(kept().await, 1);
    let edits = (0..10).map(|n| world.call(name, &NOBODY, edit(&format!("At once {n}."))));
    let answers = futures::future::join_all(edits).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 4);
    let refused = world.call(name, &NOBODY, edit("Sixth.")).await;
    assert_eq!((refused.status, refused.code()), (429, "throttled"));
    // A key of the site's own is not limited.
    let own = service(vec![Scope::Internal]);
    world.call(name, &own, edit("Ours.")).await.data();
    world.pass(TimeDelta::hours(1));
    world.call(name, &NOBODY, edit("Next hour.")).await.data();
    // All together are limited in size, however slowly they come.
    let mut long = 0;
    for number in 0..25 {
        world.pass(TimeDelta::minutes(30));
        let text = format!("{number} {}", "x".repeat(99_990));
        let answer = world.call(name, &NOBODY, edit(&text)).await;
        long += usize::from(answer.status == 200);
    }
    assert_eq!(long, 20);
    world.pass(TimeDelta::days(30));
    world.call(name, &NOBODY, edit("A month later.")).await.data();
}
both!(nobody_fills_the_disk_with_edits);

async fn edits_that_are_held_are_bounded_too(world: World) {
    let mut world = world;
    world.reopen(|config| config.privacy_policy_edits = Some(PolicyEdits::Moderated)).await;
    let name = "core.public.edit_privacy_policy";
    let operator = world.operator(&[Permission::Content]);
    for _ in 0..7 {
        assert_eq!(world.call(name, &NOBODY, edit("Same.")).await.data()["held"], true);
    }
    for number in 0..5 {
        let answer = world.call(name, &NOBODY, edit(&format!("{number}."))).await;
        assert_eq!(answer.status, if number < 4 { 200 } else { 429 });
    }
    let edits = world.call("admin.editorial.privacy_policy_edits", &operator, json!({})).await;
    assert_eq!(edits.body["pagination"]["total"], 5);
}
both!(edits_that_are_held_are_bounded_too);

async fn wrong_edits_change_nothing(world: World) {
    let name = "core.public.edit_privacy_policy";
    let mut other = edit("x");
    other["id"] = json!(2);
    assert_eq!(world.call(name, &NOBODY, other).await.code(), "not_found");
    for text in ["", " ", "<script>alert(1)</script>"] {
        let refused = world.call(name, &NOBODY, edit(text)).await;
        assert!(refused.body["errors"]["text"].is_array(), "{}", refused.body);
    }
    let long = "x".repeat(100_001);
    assert_eq!(world.call(name, &NOBODY, edit(&long)).await.status, 422);
    assert_eq!(policy(&world).await["version"], 1);
    let operator = world.operator(&[Permission::Content]);
    let restore = json!({ "edit_id": 99 });
    let unknown = world.call("admin.editorial.restore_privacy_policy", &operator, restore).await;
    assert_eq!(unknown.code(), "not_found");
    let jobs = world.operator(&[Permission::Jobs]);
    let list = world.call("admin.editorial.privacy_policy_edits", &jobs, json!({})).await;
    assert_eq!(list.code(), "forbidden");
}
both!(wrong_edits_change_nothing);

async fn moderated_edits_wait_for_an_operator(world: World) {
    let mut world = world;
    world.reopen(|config| config.privacy_policy_edits = Some(PolicyEdits::Moderated)).await;
    let operator = world.operator(&[Permission::Content]);
    let name = "core.public.edit_privacy_policy";
    let held = world.call(name, &NOBODY, edit("Better.")).await.data();
    assert_eq!((&held["held"], &held["version"]), (&json!(true), &json!(1)));
    assert_ne!(held["text"], "Better.");
    let edits = world.call("admin.editorial.privacy_policy_edits", &operator, json!({})).await;
    let edits = edits.data();
    assert_eq!(edits[0]["version"], Value::Null);
    let publish = json!({ "edit_id": edits[0]["id"] });
    let name = "admin.editorial.restore_privacy_policy";
    assert_eq!(world.call(name, &operator, publish).await.data()["text"], "Better.");
    assert_eq!(policy(&world).await["text"], "Better.");
    trust::tried("A10", "modes", 1);
}
both!(moderated_edits_wait_for_an_operator);

async fn closed_edits_ask_for_a_key_of_the_right_scope(world: World) {
    let mut world = world;
    world.reopen(|config| config.privacy_policy_edits = Some(PolicyEdits::Closed)).await;
    let name = "core.public.edit_privacy_policy";
    assert_eq!(world.call(name, &NOBODY, edit("x")).await.code(), "unauthenticated");
    let wrong = service(vec![Scope::AiTools]);
    assert_eq!(world.call(name, &wrong, edit("x")).await.code(), "unauthenticated");
    let right = service(vec![Scope::Internal]);
    assert_eq!(world.call(name, &right, edit("x")).await.data()["version"], 2);
    trust::tried("A10", "modes", 1);
}
both!(closed_edits_ask_for_a_key_of_the_right_scope);

async fn legal_documents_get_new_versions_and_are_never_edited(world: World) {
    let operator = world.operator(&[Permission::Content]);
    let read = async |kind: &str| {
        let input = json!({ "kind": kind });
        world.call("core.public.legal_terms", &NOBODY, input).await
    };
    let first = read("agent_terms").await.data();
    let tomorrow = world.platform.now() + TimeDelta::days(1);
    let next = json!({
        "kind": "agent_terms", "title": "Terms for agents", "body": "<p>Be fair.</p>",
        "effective_at": tomorrow,
    });
    let saved = world.call("admin.editorial.save_legal_terms", &operator, next.clone()).await;
    assert_eq!(saved.data()["version"], 2);
    assert_eq!(read("agent_terms").await.data(), first);
    let early = json!({ "kind": "agent_terms", "version": 2 });
    let early = world.call("core.public.legal_terms", &NOBODY, early).await;
    assert_eq!(early.code(), "not_found");
    world.pass(TimeDelta::days(1));
    assert_eq!(read("agent_terms").await.data()["body"], "<p>Be fair.</p>");
    world.pass(TimeDelta::days(1));
    let late = world.call("admin.editorial.save_legal_terms", &operator, next).await;
    assert!(late.body["errors"]["effective_at"].is_array(), "{}", late.body);
    assert_eq!(read("cookies").await.status, 422);
}
both!(legal_documents_get_new_versions_and_are_never_edited);

async fn what_is_published_is_read_and_what_is_kept_back_is_not(world: World) {
    let operator = world.operator(&[Permission::Content]);
    let save = async |name: &str, input: Value| {
        world.call(&format!("admin.editorial.{name}"), &operator, input).await
    };
    let post = |user_type: &str, title: &str, published_at: Value| {
        json!({
            "user_type": user_type, "title": title, "body": "<p>Text</p>",
            "published_at": published_at,
        })
    };
    let now = json!(world.platform.now());
    let posted = save("save_blog_post", post("athlete", "Taxes, briefly", now.clone())).await;
    let posted = posted.data();
    assert_eq!(posted["slug"], "taxes-briefly");
    let taken = save("save_blog_post", post("agent", "Taxes briefly", now)).await;
    assert_eq!(taken.code(), "duplicate");
    save("save_blog_post", post("all", "Later", Value::Null)).await.data();

    let blog = async |input: Value| {
        let list = world.call("core.public.blog", &NOBODY, input).await.data();
        list.as_array().unwrap().len()
    };
    assert_eq!(blog(json!({})).await, 1);
    assert_eq!(blog(json!({ "user_type": "athlete" })).await, 1);
    assert_eq!(blog(json!({ "user_type": "partner" })).await, 0);
    let slug = |slug: &str| json!({ "slug": slug });
    let one = world.call("core.public.blog_post", &NOBODY, slug("taxes-briefly")).await;
    assert_eq!(one.data()["title"], "Taxes, briefly");
    let kept = world.call("core.public.blog_post", &NOBODY, slug("later")).await;
    assert_eq!(kept.code(), "not_found");

    for (position, question) in [(2, "Second?"), (1, "First?")] {
        let entry = json!({ "question": question, "answer": "Yes.", "position": position });
        save("save_faq", entry).await.data();
    }
    let faq = world.call("core.public.faq", &NOBODY, json!({ "user_type": "fan" })).await.data();
    assert_eq!((&faq[0]["title"], &faq[1]["title"]), (&json!("First?"), &json!("Second?")));
    let hidden = json!({
        "id": faq[0]["id"], "question": "First?", "answer": "No.", "published": false,
    });
    save("save_faq", hidden).await.data();
    let faq = world.call("core.public.faq", &NOBODY, json!({})).await.data();
    assert_eq!(faq.as_array().unwrap().len(), 1);

    let said = json!({ "name": "Jordan", "byline": "Rowing", "text": "<b onclick=x>Good</b>" });
    save("save_testimonial", said).await.data();
    let said = world.call("core.public.testimonials", &NOBODY, json!({})).await.data();
    assert_eq!(said[0]["body"], "<b>Good</b>");
    let page = json!({ "title": "How it works", "body": "<h2>So</h2>" });
    save("save_custom_page", page).await.data();
    let page = world.call("core.public.custom_page", &NOBODY, slug("how-it-works")).await;
    assert_eq!(page.data()["body"], "<h2>So</h2>");

    // An id of one kind is not valid for another, and text that is empty after sanitising is not
    // stored.
    let wrong = json!({ "id": posted["id"], "title": "x", "body": "x" });
    assert_eq!(save("save_custom_page", wrong).await.code(), "not_found");
    let empty = json!({ "title": "x", "body": "<script>x</script>" });
    assert!(save("save_custom_page", empty).await.body["errors"]["body"].is_array());
}
both!(what_is_published_is_read_and_what_is_kept_back_is_not);

async fn operators_list_what_is_kept_back_and_what_is_yet_to_come(world: World) {
    let operator = world.operator(&[Permission::Content]);
    let say = async |name: &str, input: Value| {
        world.call(&format!("admin.editorial.{name}"), &operator, input).await
    };
    let hour = TimeDelta::hours(1);
    let now = world.platform.now();
    let mut posts = Vec::new();
    for (title, at) in [("Out", json!(now)), ("Soon", json!(now + hour)), ("Kept", Value::Null)] {
        let post = json!({
            "user_type": "all", "title": title, "body": "<p>Text</p>", "published_at": at,
        });
        posts.push(say("save_blog_post", post).await.data());
    }
    let posted = async |status: &str, id: &Value| {
        say("list_blog_posts", json!({ "status": status, "id": id })).await
    };
    let zero = json!(0);
    assert_eq!(posted("all", &zero).await.data(), json!([posts[2], posts[1], posts[0]]));
    for (status, post) in [("published", 0), ("scheduled", 1), ("draft", 2)] {
        assert_eq!(posted(status, &zero).await.data(), json!([posts[post]]), "{status}");
    }
    world.pass(hour);
    assert_eq!(posted("published", &zero).await.data(), json!([posts[1], posts[0]]));
    assert_eq!(posted("all", &posts[2]["id"]).await.data(), json!([posts[2]]));
    assert_eq!(posted("published", &posts[2]["id"]).await.status, 404);
    assert_eq!(posted("secret", &zero).await.status, 422);

    let hidden = json!({ "published": false });
    for (save, list, input) in [
        ("save_faq", "list_faq", json!({ "question": "Why?", "answer": "So." })),
        ("save_testimonial", "list_testimonials", json!({ "name": "Jordan", "text": "Good." })),
        ("save_custom_page", "list_custom_pages", json!({ "title": "About", "body": "Us." })),
    ] {
        let shown = say(save, input.clone()).await.data();
        let mut kept = input;
        kept["published"] = hidden["published"].clone();
        // A page's URL name is its own.
        if save == "save_custom_page" {
            kept["title"] = json!("About us");
        }
        let kept = say(save, kept).await.data();
        let ask =
            async |status: &str, id: &Value| say(list, json!({ "status": status, "id": id })).await;
        assert_eq!(ask("all", &zero).await.data(), json!([kept, shown]), "{list}");
        assert_eq!(ask("draft", &zero).await.data(), json!([kept]), "{list}");
        assert_eq!(ask("all", &shown["id"]).await.data(), json!([shown]), "{list}");
        // An id of another kind is unknown here.
        assert_eq!(ask("all", &posts[0]["id"]).await.code(), "not_found", "{list}");
    }

    let next = json!({
        "kind": "agent_terms", "title": "Terms for agents", "body": "Be fair.",
        "effective_at": world.platform.now() + hour,
    });
    let next = say("save_legal_terms", next).await.data();
    let terms = async |kind: &str, id: &Value| {
        say("list_legal_terms", json!({ "kind": kind, "id": id })).await
    };
    let of_agents = terms("agent_terms", &zero).await.data();
    assert_eq!((&of_agents[0], &of_agents[1]["version"]), (&next, &json!(1)));
    assert_eq!(terms("all", &zero).await.body["pagination"]["total"], 4);
    assert_eq!(terms("all", &next["id"]).await.data(), json!([next]));
    assert_eq!(terms("terms", &next["id"]).await.status, 404);
    assert_eq!(terms("cookies", &zero).await.status, 422);

    let stranger = world.operator(&[Permission::Site]);
    for list in ["blog_posts", "faq", "testimonials", "custom_pages", "legal_terms"] {
        let input = json!({ "status": "all", "kind": "all", "id": 0 });
        let name = format!("admin.editorial.list_{list}");
        assert_eq!(world.call(&name, &stranger, input).await.code(), "forbidden");
    }
}
both!(operators_list_what_is_kept_back_and_what_is_yet_to_come);
