//! Walks over the site's content: operators send large files in parts, keep small ones, delete and
//! restore. The store of objects fails in between, and calls end long after they began. Every
//! upload follows its state machine; no file lacks its bytes, and no bytes outlive what they belong
//! to.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use nil_core::auth::{Permission, Principal};
use nil_core::content_library::ContentUploadStatus;
use nil_core::kernel::{Machine as _, OperatorId};
use nil_core::storage::sql;
use nil_core::worker;
use nil_tests::shaky::{Trouble, Unsteady, any_trouble};
use nil_tests::walking::{Length, Took, Walk, Watched, enough, newest, told, walk};
use nil_tests::{Engine, PIXEL, World, a_file, both};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// The size of every part but the last.
const PART: usize = 8 * 1024 * 1024;
/// The most bytes of all open uploads: one of two parts and one that is never sent, or several
/// small ones.
const QUOTA: i64 = 12_000_000;

/// What somebody does: one of two operators for the content, or one for something else. `back`
/// names how many records before the newest one; without `who`, the one does it who began it.
#[derive(Clone, Debug)]
enum Step {
    Begin { who: usize, what: What, target: Target, name: u8 },
    Part { back: usize, number: usize, right: bool },
    Again { back: usize },
    Complete { who: Option<usize>, back: usize, right: bool },
    Abort { who: Option<usize>, back: usize },
    Keep { who: usize, target: Target, name: u8 },
    Folder { name: u8 },
    Delete { back: usize },
    Restore { back: usize },
    Suffer { trouble: Trouble },
    Wake { dies: bool },
    Wait { minutes: i64 },
    Work { hours: i64 },
}

/// What is announced as a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Video,
    /// A video of two parts.
    Long,
    /// One that is too long to be sent in a test.
    Endless,
    /// A text, which is no video.
    Text,
}

/// Where it goes: to the top, to the newest folder, or on a file as its next version.
#[derive(Clone, Copy, Debug)]
enum Target {
    Top,
    Folder,
    File { back: usize },
}

impl What {
    fn bytes(self) -> Vec<u8> {
        let mut bytes = b"\0\0\0\x18ftypmp42\0\0\0\0".to_vec();
        match self {
            Self::Video => bytes.resize(900, 7),
            Self::Long => bytes.resize(PART + 9, 7),
            Self::Endless => bytes.clear(),
            Self::Text => bytes = b"just a text".to_vec(),
        }
        bytes
    }

    fn size(self) -> usize {
        if self == Self::Endless { 3_000_000 } else { self.bytes().len() }
    }
}

/// An upload that was begun.
struct Begun {
    id: i64,
    owner: usize,
    what: What,
    tags: BTreeMap<usize, String>,
    /// The file that it became.
    item: Option<i64>,
}

struct Content {
    on: Unsteady,
    operators: [Principal; 3],
    uploads: Vec<Begun>,
    /// Signed addresses: the upload's place among them, the number of the part, the token.
    addresses: Vec<(usize, usize, String)>,
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        3 => Just(Target::Top),
        1 => Just(Target::Folder),
        2 => (0..3_usize).prop_map(|back| Target::File { back }),
    ]
}

/// The rows that this walk watches.
pub(crate) const WATCHED: &[Watched] = Content::WATCHED;

impl Walk for Content {
    type Step = Step;

    const WATCHED: &'static [Watched] = &[Watched::by::<ContentUploadStatus>(
        "content upload",
        "SELECT id, status FROM multipart_upload",
    )];

    const NEVER: &'static [(&'static str, &'static str)] = &[
        (
            "a version is what a completed upload became",
            "SELECT v.item_id FROM content_version v LEFT JOIN multipart_upload u \
             ON u.object_key = v.object_key AND u.status = 'completed' \
             WHERE u.id IS NULL OR u.item_id <> v.item_id OR u.version <> v.number",
        ),
        (
            "a file has all versions from 1 to the current one, and a folder has none",
            "SELECT i.id FROM content_item i WHERE COALESCE(i.version, 0) <> \
             (SELECT COUNT(*) FROM content_version v WHERE v.item_id = i.id) \
             OR COALESCE(i.version, 0) <> (SELECT COALESCE(MAX(v.number), 0) \
             FROM content_version v WHERE v.item_id = i.id)",
        ),
        (
            "what is in a deleted folder is deleted",
            "SELECT i.id FROM content_item i JOIN content_item f ON f.id = i.parent_id \
             WHERE i.deleted_at IS NULL AND (f.deleted_at IS NOT NULL OR f.kind <> 'folder')",
        ),
        (
            "a version is of its announced size",
            "SELECT v.item_id FROM content_version v JOIN multipart_upload u \
             ON u.object_key = v.object_key WHERE v.size <> u.size",
        ),
    ];

    fn steps() -> BoxedStrategy<Step> {
        let who = || prop_oneof![5 => Just(0_usize), 2 => Just(1), 1 => Just(2)];
        let other = || prop::option::weighted(0.2, 0..3_usize);
        let back = || prop_oneof![3 => Just(0_usize), 1 => 1..3_usize];
        let what = prop_oneof![
            12 => Just(What::Video),
            1 => Just(What::Long),
            1 => Just(What::Endless),
            2 => Just(What::Text),
        ];
        let hours = select(&[0, 0, 0, 1, 25, 24 * 31][..]);
        prop_oneof![
            6 => (who(), what, target(), 0..9_u8)
                .prop_map(|(who, what, target, name)| Step::Begin { who, what, target, name }),
            8 => (back(), prop_oneof![9 => Just(1), 1 => 0..4_usize], prop::bool::weighted(0.9))
                .prop_map(|(back, number, right)| Step::Part { back, number, right }),
            1 => back().prop_map(|back| Step::Again { back }),
            9 => (other(), back(), prop::bool::weighted(0.9))
                .prop_map(|(who, back, right)| Step::Complete { who, back, right }),
            2 => (other(), back()).prop_map(|(who, back)| Step::Abort { who, back }),
            3 => (who(), target(), 0..9_u8)
                .prop_map(|(who, target, name)| Step::Keep { who, target, name }),
            1 => (0..9_u8).prop_map(|name| Step::Folder { name }),
            3 => back().prop_map(|back| Step::Delete { back }),
            2 => back().prop_map(|back| Step::Restore { back }),
            4 => any_trouble().prop_map(|trouble| Step::Suffer { trouble }),
            3 => any::<bool>().prop_map(|dies| Step::Wake { dies }),
            1 => (1..90_i64).prop_map(|minutes| Step::Wait { minutes }),
            2 => hours.prop_map(|hours| Step::Work { hours }),
        ]
        .boxed()
    }

    async fn begin(engine: Engine) -> Self {
        let on = Unsteady::on(engine, |config| config.open_uploads_quota = QUOTA).await;
        let operator = |number, permission| Principal::Operator {
            id: OperatorId::new(number).expect("an id"),
            permissions: vec![permission],
            session: format!("session {number}"),
        };
        let operators = [
            operator(1, Permission::Content),
            operator(2, Permission::Content),
            operator(3, Permission::Reports),
        ];
        Self { on, operators, uploads: Vec::new(), addresses: Vec::new() }
    }

    fn world(&self) -> &World {
        &self.on.world
    }

    async fn take(&mut self, step: &Step) -> Took {
        match *step {
            Step::Begin { who, what, target, name } => {
                self.announce((who, what), target, name).await
            }
            Step::Part { back, number, right } => self.part(back, number, right).await,
            Step::Again { back } => {
                let Some((upload, number, token)) = self.addresses.iter().nth_back(back).cloned()
                else {
                    return Took::Nothing;
                };
                self.put((upload, number, token), true).await
            }
            Step::Complete { who, back, right } => self.complete(who, back, right).await,
            Step::Abort { who, back } => {
                let Some(begun) = self.uploads.iter().nth_back(back) else { return Took::Nothing };
                let (who, input) = (who.unwrap_or(begun.owner), json!({ "upload_id": begun.id }));
                self.call(who, "admin.content.multipart_abort", input).await
            }
            Step::Keep { who, target, name } => {
                let mut input = a_file(&format!("{name}.png"), PIXEL);
                self.aim(&mut input, target).await;
                self.call(who, "admin.content.save", input).await
            }
            Step::Folder { name } => {
                self.call(0, "admin.content.save", json!({ "name": format!("Folder {name}") }))
                    .await
            }
            Step::Delete { back } => {
                let ids = [newest(&self.on.world, "content_item", back).await];
                self.call(0, "admin.content.delete", json!({ "ids": ids })).await
            }
            Step::Restore { back } => {
                let ids = [newest(&self.on.world, "content_item", back).await];
                self.call(0, "admin.content.restore", json!({ "ids": ids })).await
            }
            Step::Suffer { trouble } => self.on.suffer(trouble),
            Step::Wake { dies } => self.on.wake(dies).await,
            Step::Wait { minutes } => {
                self.on.world.pass(TimeDelta::minutes(minutes));
                Took::Passed
            }
            Step::Work { hours } => {
                self.on.world.pass(TimeDelta::hours(hours) + TimeDelta::minutes(1));
                let platform = self.on.world.platform.clone();
                self.on.run(async move { worker::round(&platform).await.expect("a round") }).await;
                Took::Passed
            }
        }
    }

    async fn look(&mut self) -> Result<(), String> {
        const OPEN: &str = "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM multipart_upload \
            WHERE status = 'created' AND store_ref IS NOT NULL AND expires_at > $1";
        let world = &self.on.world;
        let mut session = world.platform.db().read().await.expect("a reader");
        let open: i64 = session.value(sql(OPEN).bind(world.platform.now())).await.expect("a sum");
        drop(session);
        if open > QUOTA {
            return Err(format!("{open} bytes are announced, more than the quota"));
        }
        self.on.store.astray(world).await
    }

    async fn rest(&mut self) {
        self.on.settle().await;
        let open = "SELECT COUNT(*) FROM multipart_upload WHERE status = 'created'";
        assert_eq!(self.on.world.id(open).await, 0, "an upload is still open");
    }
}

impl Content {
    async fn call(&mut self, who: usize, name: &'static str, input: Value) -> Took {
        let who = self.operators[who].clone();
        self.on.call(name, &who, input).await
    }

    /// Names the place in the tree that it goes to.
    async fn aim(&self, input: &mut Value, target: Target) {
        let world = &self.on.world;
        match target {
            Target::Top => {}
            Target::Folder => {
                let folders = "(SELECT id FROM content_item WHERE kind = 'folder') AS folders";
                input["parent_id"] = json!(newest(world, folders, 0).await);
            }
            Target::File { back } => input["id"] = json!(newest(world, "content_item", back).await),
        }
    }

    async fn announce(&mut self, (who, what): (usize, What), target: Target, name: u8) -> Took {
        let name = format!("{name}.mp4");
        let mut input = json!({ "name": name, "size": what.size(), "mime": "video/mp4" });
        self.aim(&mut input, target).await;
        let took = self.call(who, "admin.content.multipart_create", input).await;
        if let Took::Call(answer) = &took
            && let Some(id) = answer.body["data"]["upload_id"].as_i64()
        {
            assert_ne!(who, 2, "an operator for something else begins an upload");
            self.uploads.push(Begun { id, owner: who, what, tags: BTreeMap::new(), item: None });
        }
        took
    }

    /// Asks for the address of a part, and sends it.
    async fn part(&mut self, back: usize, number: usize, right: bool) -> Took {
        let Some(place) = self.uploads.len().checked_sub(back + 1) else { return Took::Nothing };
        let Begun { id, owner, .. } = self.uploads[place];
        let input = json!({ "upload_id": id, "part_number": number });
        let signed =
            self.on.world.call("admin.content.multipart_sign", &self.operators[owner], input);
        let signed = signed.await;
        let Some((_, token)) =
            signed.body["data"]["url"].as_str().and_then(|url| url.split_once("?token="))
        else {
            return Took::Call(signed);
        };
        let address = (place, number, token.to_owned());
        self.addresses.push(address.clone());
        self.put(address, right).await
    }

    async fn put(&mut self, (place, number, token): (usize, usize, String), right: bool) -> Took {
        let bytes = self.uploads[place].what.bytes();
        let mut part = bytes.chunks(PART).nth(number - 1).unwrap_or_default().to_vec();
        if !right {
            part.pop();
        }
        let input = json!({ "token": token, "content": STANDARD.encode(part) });
        let nobody = Principal::Anonymous;
        let took = self.on.call("admin.content.multipart_part", &nobody, input).await;
        if let Took::Call(answer) = &took
            && let Some(tag) = answer.body["data"]["etag"].as_str()
        {
            assert!(right, "a part that is too short is taken");
            self.uploads[place].tags.insert(number, tag.to_owned());
        }
        took
    }

    /// Completes an upload with all parts that have arrived, or with another one in place of the
    /// last.
    async fn complete(&mut self, who: Option<usize>, back: usize, right: bool) -> Took {
        let Some(place) = self.uploads.len().checked_sub(back + 1) else { return Took::Nothing };
        let Begun { id, owner, what, ref tags, item: before, .. } = self.uploads[place];
        let mut parts: Vec<_> = tags
            .iter()
            .map(|(number, tag)| json!({ "part_number": number, "etag": tag }))
            .collect();
        if let Some(last) = parts.last_mut().filter(|_| !right) {
            last["etag"] = json!("0".repeat(64));
        }
        let (who, input) = (who.unwrap_or(owner), json!({ "upload_id": id, "parts": parts }));
        match self.call(who, "admin.content.multipart_complete", input).await {
            Took::Call(answer) if answer.status == 200 => {
                assert_eq!(who, owner, "somebody else completes it");
                assert_ne!(what, What::Text, "a text passes for a video");
                let item = answer.body["data"]["id"].as_i64();
                assert!(before.is_none() || before == item, "it became another file");
                let became = format!(
                    "SELECT COALESCE((SELECT v.item_id FROM content_version v JOIN multipart_upload u \
                     ON u.object_key = v.object_key WHERE u.id = {id}), 0)"
                );
                assert_eq!(item, Some(self.on.world.id(&became).await), "it became no such file");
                self.uploads[place].item = item;
                Took::Call(answer)
            }
            // What is no video ends the upload.
            Took::Call(answer) if answer.status == 422 && what == What::Text => Took::Passed,
            took => took,
        }
    }
}

async fn whatever_operators_send_no_file_lacks_its_bytes(engine: Engine) {
    let met = walk::<Content>(engine, Length { walks: 12, steps: 240 }).await;
    enough(engine, &met, "content upload", ContentUploadStatus::STATES.len());
}
both!(whatever_operators_send_no_file_lacks_its_bytes);

/// SQLite gives the id of a removed file to the next one, which must not pass for the one that was
/// uploaded.
async fn an_upload_is_forgotten_with_its_file(engine: Engine) {
    let steps = [
        Step::Begin { who: 0, what: What::Video, target: Target::Top, name: 0 },
        Step::Part { back: 0, number: 1, right: true },
        Step::Complete { who: None, back: 0, right: true },
        Step::Delete { back: 0 },
        Step::Work { hours: 24 * 31 },
        Step::Keep { who: 0, target: Target::Top, name: 0 },
        Step::Complete { who: None, back: 0, right: true },
    ];
    told::<Content>(engine, &steps).await.expect("a story of a file that is removed");
}
both!(an_upload_is_forgotten_with_its_file);
