//! A record that somebody else has changed meanwhile is not overwritten: 409 `state_changed` with
//! the record as it is now.

use futures::future::join_all;
use nil_core::auth::{Permission, Principal};
use nil_tests::{World, both, laid_over};
use serde_json::{Value, json};

/// A record that people edit.
struct Edited {
    save: &'static str,
    /// The operation that gives the record, and its input.
    read: (&'static str, Value),
    /// Where the record is in the answer.
    at: &'static str,
    /// What every save needs.
    which: Value,
    /// Two changes.
    changes: [Value; 2],
    who: Principal,
}

impl Edited {
    async fn seen(&self, world: &World) -> Value {
        let (read, input) = &self.read;
        let answer = world.call(read, &self.who, input.clone()).await.data();
        answer.pointer(self.at).unwrap_or_else(|| panic!("{read}: {answer}")).clone()
    }

    async fn save(&self, world: &World, change: &Value, seen: &Value) -> nil_tests::Answer {
        let input = laid_over(self.which.clone(), change);
        let input = laid_over(input, &json!({ "revision": seen["revision"] }));
        world.call(self.save, &self.who, input).await
    }

    async fn is_not_overwritten(&self, world: &World) {
        let [first, second] = &self.changes;
        let seen = self.seen(world).await;
        let saved = self.save(world, first, &seen).await.data();
        assert_ne!(saved["revision"], seen["revision"], "{}", self.save);
        let now = self.seen(world).await;
        assert_eq!(now["revision"], saved["revision"], "{}", self.save);

        let refused = self.save(world, second, &seen).await;
        assert_eq!((refused.status, refused.code()), (409, "state_changed"), "{}", self.save);
        let told = &refused.body["data"];
        assert_eq!(told["revision"], now["revision"], "{}: {told}", self.save);
        let last = &told["changes"][0];
        assert_eq!(last["by"], self.who.actor(), "{}: {told}", self.save);
        assert!(last["after"].is_object(), "{}: {told}", self.save);
        let after = self.seen(world).await["revision"].clone();
        assert_eq!(after, now["revision"], "{}: nothing was saved", self.save);

        self.save(world, second, &now).await.data();
        // Whoever names no revision overwrites, as before.
        let input = laid_over(self.which.clone(), first);
        world.call(self.save, &self.who, input).await.data();
    }
}

async fn what_somebody_else_has_changed_is_not_overwritten(world: World) {
    let admin = world.operator(&[Permission::All]);
    let chief = world.new_operator("operator@nil.example", Permission::All).await;
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let (email, _) = world.new_portal_user(college, "viewer").await;
    let viewer = world.call("compliance.portal_user.list", &owner, json!({ "q": email })).await;
    let viewer = viewer.data()[0]["id"].clone();
    let athlete = world.athlete_of("Zoe Okafor", college).await.id;
    let roster = world.call("admin.roster.save", &admin, json!({ "title": "First team" })).await;
    let roster = roster.data();
    let folder = world.call("admin.content.save", &admin, json!({ "name": "Press" })).await.data();
    let brand = world.partner("Northfield").await;
    let job = world.open_job(&brand, json!({})).await;
    let asked = json!({ "question": "Who pays?", "answer": "The brand." });
    let question = world.call("admin.editorial.save_faq", &admin, asked).await.data();
    let group = json!({ "name": "Everyone" });
    let group = world.call("admin.announcement.save_group", &admin, group).await.data();
    let plan = json!({ "name": "Silver", "price_cents": 5_000, "interval": "month" });
    let plan = world.call("admin.subscription_plan.save", &admin, plan).await.data();
    let draft = json!({ "title": "Soon", "body": "A new page." });
    let draft = world.call("admin.announcement.save", &admin, draft).await.data();
    let other = json!({ "email": "ada@operators.example", "name": "Ada", "permissions": ["jobs"] });
    let other = world.call("admin.operator.save", &chief, other).await.data();
    let mails = json!({ "status": "all", "id": 0, "q": "We have looked at" });
    let mails = world.call("admin.email_template.list", &admin, mails).await.data();
    let template = mails.as_array().unwrap().iter().find(|one| one["event"] == "job.approved");
    let template = template.expect("the mail about an approved job");
    let all = |id: &Value| json!({ "status": "all", "id": id });
    let edited = [
        Edited {
            save: "compliance.college.save_settings",
            read: ("compliance.college.settings", json!({})),
            at: "",
            which: json!({}),
            changes: [
                json!({ "smallest_group": 9 }),
                json!({ "hold_payouts": { "until_cleared": true } }),
            ],
            who: owner.clone(),
        },
        Edited {
            save: "compliance.portal_user.change",
            read: ("compliance.portal_user.list", json!({ "q": email })),
            at: "/0",
            which: json!({ "id": viewer }),
            changes: [json!({ "role": "officer" }), json!({ "sport_ids": [2] })],
            who: owner,
        },
        Edited {
            save: "admin.site.save_basic",
            read: ("admin.site.settings", json!({})),
            at: "",
            which: json!({}),
            changes: [json!({ "name": "One" }), json!({ "job_approval": false })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.site.save_email_sender",
            read: ("admin.site.settings", json!({})),
            at: "/email_sender",
            which: json!({ "email": "deals@lakeside.example" }),
            changes: [json!({ "name": "Deals" }), json!({ "name": "Lakeside" })],
            who: chief.clone(),
        },
        Edited {
            save: "admin.email_template.save",
            read: ("admin.email_template.list", all(&template["id"])),
            at: "/0",
            which: json!({ "event": "job.approved" }),
            changes: [json!({ "body": "It is live." }), json!({ "subject": "Live" })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.roster.save",
            read: ("admin.roster.list", all(&roster["id"])),
            at: "/0",
            which: json!({ "id": roster["id"], "title": "First team" }),
            changes: [json!({ "slug": "first" }), json!({ "title": "The first team" })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.content.save",
            read: ("admin.content.browse", json!({ "parent_id": 0 })),
            at: "/0",
            which: json!({ "id": folder["id"], "name": "Press" }),
            changes: [json!({ "name": "Media" }), json!({ "name": "For the press" })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.job.save",
            read: ("admin.job.view", json!({ "id": job })),
            at: "",
            which: json!({ "id": job }),
            changes: [json!({ "slots": 7 }), json!({ "slots": 9 })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.editorial.save_faq",
            read: ("admin.editorial.list_faq", all(&question["id"])),
            at: "/0",
            which: json!({ "id": question["id"], "question": "Who pays?" }),
            changes: [json!({ "answer": "The payer." }), json!({ "answer": "The sponsor." })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.category.save_sport",
            read: ("admin.category.list_sport", json!({ "q": "baseball" })),
            at: "/0",
            which: json!({ "id": 1 }),
            changes: [json!({ "name": "Base ball" }), json!({ "position": 77 })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.college.save",
            read: ("admin.college.list", all(&college.into())),
            at: "/0",
            which: json!({
                "id": college, "name": "Lake State", "state": "IL", "division": "D1",
                "time_zone": "America/Chicago",
            }),
            changes: [json!({ "conference": "Lakes" }), json!({ "conference": "Rivers" })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.athlete.save",
            read: ("admin.athlete.view", json!({ "id": athlete })),
            at: "",
            which: json!({ "id": athlete }),
            changes: [json!({ "first_name": "Zora" }), json!({ "last_name": "Lind" })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.athlete.save",
            read: ("admin.athlete.view", json!({ "id": athlete })),
            at: "",
            which: json!({ "id": athlete }),
            changes: [json!({ "bio": "Shortstop." }), json!({ "bio": "Second base." })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.partner.save",
            read: ("admin.partner.view", json!({ "id": brand.id })),
            at: "",
            which: json!({ "id": brand.id }),
            changes: [json!({ "about": "Boots." }), json!({ "hq_city": "Duluth" })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.announcement.save_group",
            read: ("admin.announcement.list_groups", json!({ "id": group["id"] })),
            at: "/0",
            which: json!({ "id": group["id"] }),
            changes: [
                json!({ "name": "All" }),
                json!({ "name": "Athletes", "kinds": ["athlete"] }),
            ],
            who: admin.clone(),
        },
        Edited {
            save: "admin.announcement.save",
            read: ("admin.announcement.list", json!({ "id": draft["id"] })),
            at: "/0",
            which: json!({ "id": draft["id"] }),
            changes: [json!({ "title": "Sooner" }), json!({ "body": "Two new pages." })],
            who: admin.clone(),
        },
        Edited {
            save: "admin.subscription_plan.save",
            read: ("admin.subscription_plan.list", all(&plan["id"])),
            at: "/0",
            which: json!({ "id": plan["id"], "name": "Silver", "interval": "month" }),
            changes: [json!({ "price_cents": 6_000 }), json!({ "price_cents": 7_000 })],
            who: admin,
        },
        Edited {
            save: "admin.operator.save",
            read: ("admin.operator.list", json!({ "q": "ada@operators.example" })),
            at: "/0",
            which: json!({ "id": other["id"] }),
            changes: [json!({ "name": "Ada Lind" }), json!({ "permissions": ["content"] })],
            who: chief.clone(),
        },
    ];
    for record in edited {
        record.is_not_overwritten(&world).await;
    }
}

both!(what_somebody_else_has_changed_is_not_overwritten);

/// A form sends back what it was filled with: a fee that stays as it is asks for no permission.
async fn what_is_sent_back_as_it_was_is_no_change(world: World) {
    let save = "admin.partner.save";
    let brand = world.partner("Northfield").await.id;
    let (all, few) = (world.operator(&[Permission::All]), world.operator(&[Permission::Accounts]));
    let input =
        |fee: Value, about: &str| json!({ "id": brand, "fee_basis_points": fee, "about": about });
    world.call(save, &few, input(Value::Null, "Boots.")).await.data();
    world.call(save, &all, input(json!(900), "Boots.")).await.data();
    let saved = world.call(save, &few, input(json!(900), "Hats.")).await.data();
    assert_eq!(saved["profile"]["about"], "Hats.");
    for other in [json!(800), Value::Null] {
        assert_eq!(world.call(save, &few, input(other, "Coats.")).await.status, 403);
    }
}

both!(what_is_sent_back_as_it_was_is_no_change);

/// Whoever saves first wins, also within one moment: the record is compared under its lock.
async fn of_saves_at_once_one_is_done(world: World) {
    let college = world.college().await;
    let (owner, _) = world.portal_user(college, "owner").await;
    let seen = world.call("compliance.college.settings", &owner, json!({})).await.data();
    let saves = (0..6_i64).map(|more| {
        // Different settings: none of them waits for another's row of its own.
        let change = if more % 2 == 0 {
            json!({ "smallest_group": 10 + more })
        } else {
            json!({ "deadline": { "unit": "days", "value": 10 + more } })
        };
        let input = laid_over(change, &json!({ "revision": seen["revision"] }));
        world.call("compliance.college.save_settings", &owner, input)
    });
    let statuses: Vec<u16> = join_all(saves).await.iter().map(|answer| answer.status).collect();
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(200), count(409)), (1, 5), "{statuses:?}");
}

both!(of_saves_at_once_one_is_done);
