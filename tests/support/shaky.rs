//! A store of objects that can be made to fail: the built-in folder on a shaky disk.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::content::sweeping;
use nil_core::kernel::Time;
use nil_core::ports::objects::{
    Folder, Incoming, Later, ObjectKey, Objects, PartAddress, Parted, Pieces,
};
use nil_core::storage::sql;
use nil_core::{Config, worker};
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Strategy as _};
use serde_json::Value;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use crate::database::Engine;
use crate::walking::Took;
use crate::world::World;

/// What is wrong with the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It is full: nothing is written.
    Full,
    /// It is away: nothing is written, and nothing is removed.
    Away,
    /// What is asked for happens, but the answer is lost.
    Unanswered,
    /// The next write waits until it is told to go on.
    Stalls,
}

/// The built-in store on such a disk.
pub struct Shaky {
    folder: Folder,
    root: PathBuf,
    trouble: Mutex<Option<Trouble>>,
    /// Whether something has met the trouble.
    met: AtomicBool,
    /// The objects and the uploads that remain because of a trouble.
    left: Mutex<BTreeSet<String>>,
    reached: Notify,
    /// Lets the write go on that waits last.
    go: Mutex<Arc<Notify>>,
}

impl Shaky {
    /// A sound store in this folder.
    fn over(root: &Path) -> Arc<Self> {
        Arc::new(Self {
            folder: Folder::new(root),
            root: root.to_owned(),
            trouble: Mutex::default(),
            met: AtomicBool::new(false),
            left: Mutex::default(),
            reached: Notify::new(),
            go: Mutex::default(),
        })
    }

    /// A new world on a sound store.
    pub async fn world(engine: Engine, change: impl FnOnce(&mut Config)) -> (World, Arc<Self>) {
        let mut store = None;
        let world = World::configured(engine, |config| {
            let shaky = Self::over(&config.data.join("objects"));
            config.objects = Some(shaky.clone());
            store = Some(shaky);
            change(config);
        });
        (world.await, store.expect("a store"))
    }

    /// From now on the disk has this trouble, or none.
    pub fn suffer(&self, trouble: Option<Trouble>) {
        self.met.store(false, Ordering::SeqCst);
        *self.trouble.lock().expect("the trouble") = trouble;
    }

    /// Returns when a write waits.
    pub async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Lets the write that waits go on.
    pub fn go_on(&self) {
        self.go.lock().expect("the write that waits").notify_one();
    }

    fn remains(&self, name: &str) {
        self.left.lock().expect("what is left").insert(name.to_owned());
    }

    fn trouble(&self) -> Option<Trouble> {
        *self.trouble.lock().expect("the trouble")
    }

    /// Something meets its trouble.
    fn meets(&self) {
        self.met.store(true, Ordering::SeqCst);
    }

    /// Whether something has met its trouble.
    fn is_met(&self) -> bool {
        self.met.load(Ordering::SeqCst)
    }

    async fn written<T: Send>(&self, key: &ObjectKey, write: Later<'_, T>) -> io::Result<T> {
        let trouble = self.trouble();
        if trouble.is_some() {
            self.meets();
        }
        match trouble {
            None => write.await,
            Some(Trouble::Full) => Err(io::ErrorKind::StorageFull.into()),
            Some(Trouble::Away) => Err(io::ErrorKind::NotConnected.into()),
            Some(Trouble::Unanswered) => {
                write.await?;
                self.remains(key.as_str());
                Err(io::ErrorKind::ConnectionReset.into())
            }
            Some(Trouble::Stalls) => {
                *self.trouble.lock().expect("the trouble") = None;
                // One that is never told waits for ever, as if its server had died.
                let go = Arc::new(Notify::new());
                *self.go.lock().expect("the write that waits") = go.clone();
                self.reached.notify_one();
                go.notified().await;
                // Whoever asked for it may have been given up meanwhile.
                self.remains(key.as_str());
                write.await
            }
        }
    }

    async fn removed(&self, name: &str, remove: Later<'_, ()>) -> io::Result<()> {
        match self.trouble() {
            None | Some(Trouble::Full | Trouble::Stalls) => remove.await,
            Some(Trouble::Away) => {
                self.meets();
                self.remains(name);
                Err(io::ErrorKind::NotConnected.into())
            }
            Some(Trouble::Unanswered) => {
                self.meets();
                remove.await?;
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
    }

    /// The names of what is in one of its folders.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.root.join(folder)).into_iter().flatten();
        entries.map(|entry| entry.expect("an entry").file_name().into_string().unwrap()).collect()
    }

    /// Its objects.
    fn objects(&self) -> BTreeSet<String> {
        let shelves = self.names("").into_iter().filter(|name| name.len() == 2);
        shelves.flat_map(|shelf| self.names(&shelf)).collect()
    }

    /// The objects that remain because of a trouble are removed by now.
    pub fn is_swept(&self) {
        let objects = self.objects();
        let mut left = self.left.lock().expect("what is left");
        left.retain(|name| !objects.contains(name));
    }

    /// Says whether a record names an object that is gone, and whether there is an object that no
    /// record needs, or parts of an upload that has ended. What remains because of a trouble does
    /// not count.
    pub async fn astray(&self, world: &World) -> Result<(), String> {
        const WRITTEN: &str = "SELECT record, object_key FROM written_object";
        const NEEDED: &str = "SELECT object_key FROM needed_object UNION ALL \
            SELECT store_ref FROM multipart_upload WHERE status = 'created' AND store_ref IS NOT NULL";
        let mut session = world.platform.db().read().await.expect("a reader");
        let written: Vec<(String, String)> = session.all(sql(WRITTEN)).await.expect("objects");
        let needed: Vec<(String,)> = session.all(sql(NEEDED)).await.expect("objects");
        drop(session);
        let there = self.objects();
        if let Some((record, _)) = written.iter().find(|(_, key)| !there.contains(key)) {
            return Err(format!("the object of {record} is gone"));
        }
        let left = self.left.lock().expect("what is left");
        let is_wanted =
            |name: &str| left.contains(name) || needed.iter().any(|(needed,)| needed == name);
        if let Some(key) = there.iter().find(|key| !is_wanted(key)) {
            return Err(format!("the object {key} is not needed, and is there"));
        }
        let parts = self.names("parts");
        let upload = |name: &String| name.split('-').nth(1).unwrap_or_default().to_owned();
        match parts.iter().map(upload).find(|upload| !is_wanted(upload)) {
            Some(upload) => Err(format!("the parts of {upload}, which has ended, are there")),
            None => Ok(()),
        }
    }
}

impl Objects for Shaky {
    fn put<'a>(&'a self, key: &'a ObjectKey, bytes: Bytes) -> Later<'a, ()> {
        Box::pin(self.written(key, self.folder.put(key, bytes)))
    }
    fn get<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, Option<Pieces>> {
        self.folder.get(key)
    }
    fn get_part<'a>(
        &'a self,
        key: &'a ObjectKey,
        from: u64,
        length: u64,
    ) -> Later<'a, Option<Pieces>> {
        self.folder.get_part(key, from, length)
    }
    fn begin<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, String> {
        let begin = async {
            let upload = self.folder.begin(key).await?;
            if self.trouble() == Some(Trouble::Unanswered) {
                self.remains(&upload);
            }
            Ok(upload)
        };
        Box::pin(self.written(key, Box::pin(begin)))
    }
    fn put_part<'a>(
        &'a self,
        of: &'a Parted,
        number: u16,
        length: u64,
        bytes: Incoming,
    ) -> Later<'a, String> {
        Box::pin(self.written(&of.key, self.folder.put_part(of, number, length, bytes)))
    }
    fn part_address<'a>(
        &'a self,
        of: &'a Parted,
        number: u16,
        good_for: Duration,
    ) -> Later<'a, Option<PartAddress>> {
        self.folder.part_address(of, number, good_for)
    }
    fn join<'a>(&'a self, of: &'a Parted, tags: &'a [String]) -> Later<'a, ()> {
        Box::pin(self.written(&of.key, self.folder.join(of, tags)))
    }
    fn abort<'a>(&'a self, of: &'a Parted) -> Later<'a, ()> {
        if self.trouble().is_some() {
            // Its object is not asked for any more.
            self.remains(of.key.as_str());
        }
        Box::pin(self.removed(&of.upload, self.folder.abort(of)))
    }
    fn remove<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, ()> {
        Box::pin(self.removed(key.as_str(), self.folder.remove(key)))
    }
    fn shelf(&self, number: u8) -> Later<'_, Vec<ObjectKey>> {
        self.folder.shelf(number)
    }
    fn set_aside<'a>(&'a self, key: &'a ObjectKey, now: Time) -> Later<'a, ()> {
        Box::pin(self.removed(key.as_str(), self.folder.set_aside(key, now)))
    }
    /// Files have the times of the machine's clock, which is not the test's: they would all be too
    /// old, or none.
    fn tidy(&self, _: Time) -> Later<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

/// A world on such a store, in which something may wait while other things happen.
pub struct Unsteady {
    pub world: Arc<World>,
    pub store: Arc<Shaky>,
    trouble: Option<Trouble>,
    asleep: Option<JoinHandle<()>>,
}

impl Unsteady {
    /// A new world without rate limits, whose store is sound.
    pub async fn on(engine: Engine, change: impl FnOnce(&mut Config)) -> Self {
        let (world, store) = Shaky::world(engine, |config| {
            config.throttle.off = true;
            change(config);
        })
        .await;
        Self { world: Arc::new(world), store, trouble: None, asleep: None }
    }

    /// The trouble that the next one meets who writes or removes something.
    pub fn suffer(&mut self, trouble: Trouble) -> Took {
        // One write waits at a time.
        if trouble == Trouble::Stalls && self.asleep.is_some() {
            return Took::Nothing;
        }
        self.trouble = Some(trouble);
        Took::Passed
    }

    /// Calls an operation, in whatever trouble is due. Only who meets it may fail.
    pub async fn call(&mut self, name: &'static str, who: &Principal, input: Value) -> Took {
        let (world, who, store) = (self.world.clone(), who.clone(), self.store.clone());
        let call = async move {
            let answer = world.call(name, &who, input).await;
            assert!(store.is_met() || answer.status < 500, "{name} failed: {}", answer.body);
            answer
        };
        match self.run(call).await {
            Some(answer) if answer.status < 500 => Took::Call(answer),
            _ => Took::Passed,
        }
    }

    /// Does something in whatever trouble is due; none if it waits now.
    pub async fn run<T: Send + 'static>(
        &mut self,
        doing: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        self.store.suffer(self.trouble);
        let done = if self.trouble == Some(Trouble::Stalls) {
            self.until_it_waits(doing).await
        } else {
            Some(doing.await)
        };
        if self.store.is_met() {
            self.trouble = None;
        }
        self.store.suffer(None);
        done
    }

    async fn until_it_waits<T: Send + 'static>(
        &mut self,
        doing: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (tell, told) = oneshot::channel();
        // Nobody is told any more once it has waited.
        let task = tokio::spawn(async move { drop(tell.send(doing.await)) });
        tokio::select! {
            answer = told => Some(answer.expect("it does not panic")),
            () = self.store.reached() => {
                self.asleep = Some(task);
                None
            }
        }
    }

    /// What waits goes on, or dies where it is.
    pub async fn wake(&mut self, dies: bool) -> Took {
        let Some(task) = self.asleep.take() else { return Took::Nothing };
        if dies {
            // An operation goes on without its caller: it waits for ever.
            task.abort();
            return Took::Passed;
        }
        self.store.go_on();
        match task.await {
            Err(ended) if !ended.is_cancelled() => std::panic::resume_unwind(ended.into_panic()),
            _ => Took::Passed,
        }
    }

    /// Wakes what waits, lets the worker clean up for three days, and looks once more. Panics if
    /// something is left.
    pub async fn settle(&mut self) {
        self.trouble = None;
        self.wake(false).await;
        for _ in 0..3 {
            self.world.pass(TimeDelta::hours(25));
            worker::round(&self.world.platform).await.expect("a round");
        }
        for shelf in 0..=u8::MAX {
            sweeping::sweep_shelf(&self.world.platform, shelf).await.expect("a shelf");
        }
        self.store.is_swept();
        self.store.astray(&self.world).await.expect("the worker has cleaned up");
    }
}

/// Any trouble.
pub fn any_trouble() -> BoxedStrategy<Trouble> {
    let troubles =
        [Trouble::Full, Trouble::Away, Trouble::Unanswered, Trouble::Stalls, Trouble::Stalls];
    select(troubles.to_vec()).boxed()
}
