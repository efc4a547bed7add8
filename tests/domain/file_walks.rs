//! Walks over files, the documents in the folder of a deal, uploads from phones, and an athlete's
//! questions to brands. The store of objects fails in between, and calls end long after they began.
//! Every row follows its state machine; no record lacks its bytes, and no bytes outlive their
//! record.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use nil_core::assistant::DraftStatus;
use nil_core::auth::{Permission, Principal};
use nil_core::content::FileStatus;
use nil_core::deal_folder::{DealFileStatus, UploadStatus};
use nil_core::kernel::Machine as _;
use nil_core::worker;
use nil_tests::shaky::{Trouble, Unsteady, any_trouble};
use nil_tests::walking::{Length, Took, Walk, Watched, enough, newest, walk};
use nil_tests::{Engine, Hire, PIXEL, Person, World, a_file, both};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// What somebody does: the athlete of the deal, its brand, the athlete's agent, or an athlete who
/// only applied. `back` names how many records before the newest one; without `who`, the one does
/// it who may.
#[derive(Clone, Debug)]
enum Step {
    Upload {
        who: usize,
    },
    Delete {
        who: Option<usize>,
        back: usize,
    },
    Share {
        who: Option<usize>,
        back: usize,
    },
    Add {
        who: usize,
    },
    Replace {
        who: usize,
        back: usize,
    },
    Answer {
        who: Option<usize>,
        back: usize,
        with: &'static str,
    },
    Remove {
        who: Option<usize>,
        back: usize,
    },
    Announce {
        who: usize,
        replaces: Option<usize>,
    },
    Send {
        back: usize,
        content: Content,
    },
    Finish {
        who: Option<usize>,
        back: usize,
    },
    Ask {
        who: usize,
    },
    Question {
        who: usize,
        back: usize,
        with: &'static str,
    },
    Suffer {
        trouble: Trouble,
    },
    Wake {
        dies: bool,
    },
    Wait {
        minutes: i64,
    },
    Work {
        hours: i64,
    },
    /// The deal ends, and another one begins.
    End {
        another: bool,
    },
}

/// What is sent to an announced upload's address.
#[derive(Clone, Copy, Debug)]
enum Content {
    Announced,
    Other,
    Short,
}

struct Files {
    on: Unsteady,
    people: [Person; 4],
    hire: Hire,
    /// The tokens of announced uploads.
    tokens: Vec<String>,
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Files::WATCHED;

impl Walk for Files {
    type Step = Step;

    const WATCHED: &'static [Watched] = &[
        Watched::by::<FileStatus>("file", "SELECT id, status FROM stored_file"),
        // A document is removed as long as nobody has answered it.
        Watched::by::<DealFileStatus>("document", "SELECT id, status FROM deal_file")
            .going(&["open"]),
        Watched::by::<UploadStatus>("upload", "SELECT id, status FROM direct_upload"),
        Watched::by::<DraftStatus>("question", "SELECT id, status FROM clarification_draft")
            .going(&["pending"]),
    ];

    const NEVER: &'static [(&'static str, &'static str)] = &[
        (
            "a file counts the records that it is part of",
            "SELECT s.id FROM stored_file s WHERE s.uses <> \
             (SELECT COUNT(*) FROM file_use u WHERE u.file_id = s.id)",
        ),
        (
            "nobody keeps more than the quota",
            "SELECT user_id FROM stored_file WHERE status IN ('writing', 'stored') \
             GROUP BY user_id HAVING SUM(size) > 1500",
        ),
        (
            "what is in a folder is stored and belongs to who put it there",
            "SELECT d.id FROM deal_file d JOIN stored_file s ON s.id = d.file_id \
             WHERE s.status <> 'stored' OR s.user_id <> d.user_id OR NOT EXISTS (SELECT 1 \
             FROM file_use u WHERE u.file_id = s.id AND u.kind = 'deal_file' AND u.record_id = d.id)",
        ),
        (
            "all versions of a document but the last one are replaced, and none is missing",
            "SELECT COALESCE(first_id, id) FROM deal_file GROUP BY COALESCE(first_id, id) \
             HAVING SUM(CASE WHEN status = 'replaced' THEN 0 ELSE 1 END) <> 1 \
             OR MAX(CASE WHEN status = 'replaced' THEN 0 ELSE number END) <> COUNT(*)",
        ),
        (
            "the other side answers a version, and its own side voids it",
            "SELECT d.id FROM deal_file d JOIN app_user a ON a.id = d.user_id \
             JOIN app_user b ON b.id = d.decided_by WHERE (d.status IN ('approved', 'edits_requested') \
             AND (a.kind = 'partner') = (b.kind = 'partner')) \
             OR (d.status = 'void' AND (a.kind = 'partner') <> (b.kind = 'partner'))",
        ),
        (
            "the folder of an ended deal stays as it is",
            "SELECT d.id FROM deal_file d JOIN contract c ON c.job_id = d.job_id \
             AND c.athlete_id = d.athlete_id WHERE c.status IN ('cancelled', 'expired') \
             AND d.updated_at > c.updated_at",
        ),
        (
            "a document that was sent from a phone is that of a completed upload",
            "SELECT d.id FROM deal_file d JOIN direct_upload u ON u.id = d.upload_id \
             WHERE u.status <> 'completed' OR u.file_id <> d.file_id OR u.user_id <> d.user_id",
        ),
        (
            "an upload that has expired keeps no bytes of its own",
            "SELECT u.id FROM direct_upload u JOIN stored_file s ON s.id = u.file_id \
             WHERE u.status = 'expired' AND s.status <> 'deleted' AND s.uses = 0",
        ),
        (
            "two uploads never have one file",
            "SELECT file_id FROM direct_upload WHERE file_id IS NOT NULL \
             GROUP BY file_id HAVING COUNT(*) > 1",
        ),
        (
            "a question is sent by its athlete, in its words, as a message of its own",
            "SELECT d.id FROM clarification_draft d JOIN message m ON m.id = d.message_id \
             JOIN athlete a ON a.id = d.athlete_id WHERE m.sender_id <> a.user_id \
             OR m.text <> COALESCE(d.final_text, d.draft_text) OR EXISTS (SELECT 1 \
             FROM clarification_draft e WHERE e.message_id = d.message_id AND e.id <> d.id)",
        ),
    ];

    fn steps() -> BoxedStrategy<Step> {
        let who = || prop_oneof![6 => 0..2_usize, 1 => 2..4_usize];
        let other = || prop::option::weighted(0.25, 0..4_usize);
        let back = || prop_oneof![3 => Just(0_usize), 2 => 1..3_usize];
        let athlete = || prop_oneof![4 => Just(0_usize), 1 => 0..4_usize];
        let content = prop_oneof![
            6 => Just(Content::Announced),
            1 => Just(Content::Other),
            1 => Just(Content::Short),
        ];
        let answer = select(&["approve", "request_edits", "request_edits", "void"][..]);
        let question = select(&["send", "send", "edit", "remove"][..]);
        let hours = select(&[0, 0, 0, 2, 26][..]);
        prop_oneof![
            2 => who().prop_map(|who| Step::Upload { who }),
            2 => (other(), back()).prop_map(|(who, back)| Step::Delete { who, back }),
            1 => (other(), back()).prop_map(|(who, back)| Step::Share { who, back }),
            6 => who().prop_map(|who| Step::Add { who }),
            5 => (who(), back()).prop_map(|(who, back)| Step::Replace { who, back }),
            10 => (other(), back(), answer)
                .prop_map(|(who, back, with)| Step::Answer { who, back, with }),
            3 => (other(), back()).prop_map(|(who, back)| Step::Remove { who, back }),
            6 => (who(), prop::option::weighted(0.3, back()))
                .prop_map(|(who, replaces)| Step::Announce { who, replaces }),
            9 => (back(), content).prop_map(|(back, content)| Step::Send { back, content }),
            9 => (other(), back()).prop_map(|(who, back)| Step::Finish { who, back }),
            2 => athlete().prop_map(|who| Step::Ask { who }),
            3 => (athlete(), back(), question)
                .prop_map(|(who, back, with)| Step::Question { who, back, with }),
            4 => any_trouble().prop_map(|trouble| Step::Suffer { trouble }),
            3 => any::<bool>().prop_map(|dies| Step::Wake { dies }),
            1 => (1..40_i64).prop_map(|minutes| Step::Wait { minutes }),
            2 => hours.prop_map(|hours| Step::Work { hours }),
            1 => prop::bool::weighted(0.8).prop_map(|another| Step::End { another }),
        ]
        .boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let on = Unsteady::on(engine, |config| config.file_quota = 1_500).await;
        let world = &on.world;
        let brand = world.partner("Ridge Outfitters").await;
        let athlete = world.athlete("Zoe Okafor").await;
        let agent = world.agent("Lane Agency").await;
        world.represent(&agent, &athlete, 500).await;
        let other = world.athlete("Ida Novak").await;
        let hire = a_deal(world, &brand, &athlete, &other).await;
        Self { on, people: [athlete, brand, agent, other], hire, tokens: Vec::new() }
    }

    fn world(&self) -> &World {
        &self.on.world
    }

    async fn take(&mut self, step: &Step) -> Took {
        let id = async |table: &str, back: usize| newest(&self.on.world, table, back).await;
        let (who, name, input) = match *step {
            Step::Upload { who } => (who, "core.file.upload", a_file("a.png", PIXEL)),
            Step::Delete { who, back } => {
                let who = self.owner(who, "stored_file", back).await;
                (who, "core.file.delete", json!({ "id": id("stored_file", back).await }))
            }
            Step::Share { who, back } => {
                let who = self.owner(who, "stored_file", back).await;
                let other = &self.people[usize::from(who != 1)];
                let files = [id("stored_file", back).await];
                let input = json!({ "user_id": other.user_id, "text": "See.", "file_ids": files });
                (who, "core.chat.send", input)
            }
            Step::Add { who } => {
                (who, "core.deal_folder.add", self.in_folder(a_file("a.png", PIXEL)))
            }
            Step::Replace { who, back } => {
                let mut input = a_file("b.png", PIXEL);
                input["id"] = json!(id("deal_file", back).await);
                (who, "core.deal_folder.replace", input)
            }
            Step::Answer { who, back, with } => {
                let mut input = json!({ "id": id("deal_file", back).await });
                let owner = self.owner(None, "deal_file", back).await;
                let other = usize::from(owner != 1);
                let who = who.unwrap_or(if with == "void" { owner } else { other });
                let name = match with {
                    "approve" => "core.deal_folder.approve",
                    "void" => {
                        input["reason"] = json!("Out of date.");
                        "core.deal_folder.void"
                    }
                    _ => {
                        input["note"] = json!("A larger logo.");
                        "core.deal_folder.request_edits"
                    }
                };
                (who, name, input)
            }
            Step::Remove { who, back } => {
                let who = self.owner(who, "deal_file", back).await;
                (who, "core.deal_folder.remove", json!({ "id": id("deal_file", back).await }))
            }
            Step::Announce { who, replaces } => {
                let mut file = json!({ "name": "c.png", "size": PIXEL.len(), "mime": "image/png" });
                if let Some(back) = replaces {
                    file["replaces_id"] = json!(id("deal_file", back).await);
                }
                return self.announce(who, file).await;
            }
            Step::Send { back, content } => return self.send(back, content).await,
            Step::Finish { who, back } => {
                let who = self.owner(who, "direct_upload", back).await;
                let input = json!({ "upload_id": id("direct_upload", back).await });
                (who, "core.deal_folder.complete_upload", input)
            }
            Step::Ask { who } => {
                let input =
                    json!({ "job_id": self.hire.job, "draft_text": "May I wear my jersey?" });
                (who, "core.assistant.save_clarification_draft", input)
            }
            Step::Question { who, back, with } => {
                let mut input = json!({ "id": id("clarification_draft", back).await });
                let name = match with {
                    "send" => "core.assistant.send_clarification",
                    "remove" => "core.assistant.remove_clarification_draft",
                    _ => {
                        input["draft_text"] = json!("Which shoes?");
                        "core.assistant.edit_clarification_draft"
                    }
                };
                (who, name, input)
            }
            Step::Suffer { trouble } => return self.on.suffer(trouble),
            Step::Wake { dies } => return self.on.wake(dies).await,
            Step::Wait { minutes } => {
                self.on.world.pass(TimeDelta::minutes(minutes));
                return Took::Passed;
            }
            Step::Work { hours } => return self.work(hours).await,
            Step::End { another } => return self.end(another).await,
        };
        let who = self.people[who].principal.clone();
        self.on.call(name, &who, input).await
    }

    async fn look(&mut self) -> Result<(), String> {
        self.on.store.astray(&self.on.world).await
    }

    async fn rest(&mut self) {
        self.on.settle().await;
        let open = "SELECT (SELECT COUNT(*) FROM stored_file WHERE status = 'writing' \
            OR (status = 'stored' AND uses = 0)) \
            + (SELECT COUNT(*) FROM direct_upload WHERE status IN ('created', 'received'))";
        assert_eq!(self.on.world.id(open).await, 0, "something is still open, or not used");
    }
}

impl Files {
    /// This file for the folder of the deal.
    fn in_folder(&self, mut file: Value) -> Value {
        file["job_id"] = json!(self.hire.job);
        file["athlete_id"] = json!(self.hire.athlete.id);
        file
    }

    /// This one, otherwise the owner of the newest row of a table, or of one before it.
    async fn owner(&self, who: Option<usize>, table: &str, back: usize) -> usize {
        if let Some(who) = who {
            return who;
        }
        let id = newest(&self.on.world, table, back).await;
        let owner = format!("SELECT COALESCE((SELECT user_id FROM {table} WHERE id = {id}), 0)");
        let owner = self.on.world.id(&owner).await;
        self.people.iter().position(|person| person.user_id == owner).unwrap_or_default()
    }

    async fn announce(&mut self, who: usize, file: Value) -> Took {
        let (who, input) = (self.people[who].principal.clone(), self.in_folder(file));
        let took = self.on.call("core.deal_folder.create_upload", &who, input).await;
        if let Took::Call(answer) = &took
            && let Some(url) = answer.body["data"]["url"].as_str()
        {
            let (_, token) = url.split_once("?token=").expect("a token");
            self.tokens.push(token.to_owned());
        }
        took
    }

    async fn send(&mut self, back: usize, content: Content) -> Took {
        let Some(token) = self.tokens.iter().nth_back(back) else { return Took::Nothing };
        let mut bytes = PIXEL.to_vec();
        match content {
            Content::Announced => {}
            Content::Other => *bytes.last_mut().expect("a byte") = 0,
            Content::Short => drop(bytes.pop()),
        }
        let input = json!({ "token": token, "content": STANDARD.encode(bytes) });
        self.on.call("core.deal_folder.receive_upload", &Principal::Anonymous, input).await
    }

    async fn work(&mut self, hours: i64) -> Took {
        self.on.world.pass(TimeDelta::hours(hours) + TimeDelta::minutes(1));
        let platform = self.on.world.platform.clone();
        self.on.run(async move { worker::round(&platform).await.expect("a round") }).await;
        Took::Passed
    }

    async fn end(&mut self, another: bool) -> Took {
        let operator = self.on.world.operator(&[Permission::Jobs]);
        let input = json!({ "contract_id": self.hire.contract, "reason": "x" });
        let took = self.on.call("admin.job.cancel_contract", &operator, input).await;
        if another {
            let [athlete, brand, _, other] = &self.people;
            self.hire = a_deal(&self.on.world, brand, athlete, other).await;
            return Took::Passed;
        }
        took
    }
}

/// An active deal, for a job that the other athlete has applied for, too.
async fn a_deal(world: &World, brand: &Person, athlete: &Person, other: &Person) -> Hire {
    let milestone = json!({
        "title": "Reel", "platform": "instagram", "media_kind": "reel", "due_on": "2029-01-10",
    });
    let job = world.open_job(brand, json!({ "milestones": [milestone] })).await;
    world.apply(other, job).await;
    let hire = world.hire(brand, athlete, job).await;
    let confirm = json!({ "job_id": job });
    let name = "core.contract.confirm_availability";
    world.call(name, &athlete.principal, confirm).await.data();
    hire
}

async fn whatever_is_done_to_files_no_record_lacks_its_bytes(engine: Engine) {
    let met = walk::<Files>(engine, Length { walks: 8, steps: 240 }).await;
    enough(engine, &met, "file", FileStatus::STATES.len());
    enough(engine, &met, "document", DealFileStatus::STATES.len());
    enough(engine, &met, "upload", UploadStatus::STATES.len());
    enough(engine, &met, "question", DraftStatus::STATES.len());
}
both!(whatever_is_done_to_files_no_record_lacks_its_bytes);
