//! Walks of state machines over the real store. Steps are drawn by proptest; a walk that goes wrong
//! is shrunk to a short story, which can be kept as a test of its own with [`told`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::panic::AssertUnwindSafe;
use std::sync::Mutex;

use futures::FutureExt as _;
use nil_core::kernel::Machine;
use nil_core::storage::sql;
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Strategy as _};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use crate::database::Engine;
use crate::faulty::Fault;
use crate::long::{is_long, usual_or_long};
use crate::world::{Answer, World};

/// Rows whose status is watched.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// What they are called.
    pub name: &'static str,
    /// Their ids and statuses.
    pub rows: &'static str,
    /// The name of their machine.
    pub machine: &'static str,
    /// Whether their machine leads from one status to another; from none for a new row.
    pub leads: fn(Option<&str>, &str) -> bool,
    /// The statuses in which a row may be removed.
    pub goes: &'static [&'static str],
}

impl Watched {
    /// Rows that follow this machine and stay.
    pub const fn by<M: Machine + Copy>(name: &'static str, rows: &'static str) -> Self {
        Self { name, rows, machine: M::NAME, leads: leads::<M>, goes: &[] }
    }

    /// Allows the rows to be removed in these statuses.
    pub const fn going(self, goes: &'static [&'static str]) -> Self {
        Self { goes, ..self }
    }
}

/// Whether a machine leads from a status to another one, in as many moves as it takes. A new row
/// may have moved on from any state that it can begin in.
pub fn leads<M: Machine + Copy>(before: Option<&str>, after: &str) -> bool {
    let mut reached: Vec<M> = match before {
        Some(word) => M::STATES.iter().filter(|state| state.word() == word).copied().collect(),
        None => M::INITIAL.to_vec(),
    };
    let mut next = 0;
    while let Some(state) = reached.get(next).copied() {
        if state.word() == after {
            return true;
        }
        for (_, _, to) in M::MOVES.iter().filter(|(from, ..)| *from == state) {
            if !reached.contains(to) {
                reached.push(*to);
            }
        }
        next += 1;
    }
    false
}

/// What a step did.
#[derive(Debug)]
pub enum Took {
    /// An operation answered. A refusal must not have changed a status.
    Call(Answer),
    /// Time passed, or a worker ran.
    Passed,
    /// There was nothing to do it with.
    Nothing,
}

/// A kind of walk.
pub trait Walk: Sized {
    /// Something that somebody does.
    type Step: Clone + Debug;

    /// The rows that must follow their machines.
    const WATCHED: &'static [Watched];

    /// Laws, each with a query of rows that break it.
    const NEVER: &'static [(&'static str, &'static str)];

    /// How many steps are taken between two looks. One, where a look compares with the last one;
    /// more, where it reads everything and what is wrong stays wrong.
    const LOOKS_EVERY: usize = 1;

    /// Any step.
    fn steps() -> BoxedStrategy<Self::Step>;

    /// A world to walk in.
    fn begin(engine: Engine) -> impl Future<Output = Self>;

    /// That world.
    fn world(&self) -> &World;

    /// Takes a step.
    fn take(&mut self, step: &Self::Step) -> impl Future<Output = Took>;

    /// Looks at what a query of rows does not show; says what is wrong. May panic instead.
    fn look(&mut self) -> impl Future<Output = Result<(), String>> {
        async { Ok(()) }
    }

    /// Comes to rest after the last step, and looks once more. May panic.
    fn rest(&mut self) -> impl Future<Output = ()> {
        async {}
    }
}

/// The newest row of a table, or one so many before it; an id that no row has if there are not so
/// many.
pub async fn newest(world: &World, table: &str, back: usize) -> i64 {
    let text = format!(
        "SELECT COALESCE((SELECT id FROM {table} ORDER BY id DESC LIMIT 1 OFFSET {back}), 9999)"
    );
    world.id(&text).await
}

/// Any fault of a processor, most often none.
pub fn any_fault() -> BoxedStrategy<Fault> {
    let faults = [
        Fault::None,
        Fault::None,
        Fault::None,
        Fault::Lost,
        Fault::Unanswered,
        Fault::DiesBefore,
        Fault::DiesAfter,
        Fault::KeyInUse,
    ];
    select(faults.to_vec()).boxed()
}

/// Whether a process dies of one of these faults: then an operation may fail.
pub fn dies(faults: &[Fault]) -> bool {
    faults.iter().any(|fault| matches!(fault, Fault::DiesBefore | Fault::DiesAfter))
}

/// How many walks, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// The number of walks.
    pub walks: u32,
    /// The most steps of each.
    pub steps: usize,
}

/// The statuses that were met, each with the name of its rows.
pub type Met = BTreeSet<(&'static str, String)>;

/// Panics unless so many statuses of these rows were met: a walk that reaches few of them proves
/// little. The few of them that PostgreSQL usually gets need not reach all.
#[track_caller]
pub fn enough(engine: Engine, met: &Met, name: &str, least: usize) {
    if engine == Engine::Postgres && !is_long() {
        return;
    }
    let reached: Vec<_> = met.iter().filter(|(kind, _)| *kind == name).collect();
    assert!(reached.len() >= least, "only these states of {name} were met: {reached:?}");
}

type States = BTreeMap<(usize, i64), String>;

/// Walks; panics with the shortest story that goes wrong. On PostgreSQL, where a walk takes three
/// times as long, it walks a quarter as often. `NIL_LONG` walks a hundred times as often on both,
/// by another seed each time, which is printed.
pub async fn walk<W: Walk>(engine: Engine, length: Length) -> Met {
    let seed = if is_long() { rand_seed() } else { 20_261_125 };
    let usual = (length.walks, length.walks.div_ceil(4));
    let walks = usual_or_long(engine, usual, length.walks * 100);
    println!("seed {seed}");
    match wander::<W>(engine, Length { walks, ..length }, seed) {
        Ok(met) => met,
        Err(story) => panic!("{}\nby these steps: {:#?}", story.wrong, story.steps),
    }
}

/// A seed that nobody chose.
fn rand_seed() -> u64 {
    use nil_core::kernel::Random as _;
    nil_core::kernel::SystemRandom.draw()
}

/// A walk that went wrong.
#[derive(Clone, Debug)]
pub struct Story<S> {
    /// What was wrong.
    pub wrong: String,
    /// The steps, as few as were found.
    pub steps: Vec<S>,
}

/// The shortest story that goes wrong; otherwise the statuses that were met. Must run on a runtime
/// of several threads.
pub fn wander<W: Walk>(engine: Engine, length: Length, seed: u64) -> Result<Met, Story<W::Step>> {
    let met = Mutex::new(Met::new());
    let config = Config {
        cases: length.walks,
        failure_persistence: None,
        max_shrink_iters: 0,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let runtime = Handle::current();
    let stories = vec(W::steps(), 1..=length.steps);
    let ended = block_in_place(|| {
        TestRunner::new(config).run(&stories, |steps| {
            let walked = runtime.block_on(told::<W>(engine, &steps));
            let seen = walked.map_err(TestCaseError::fail)?;
            met.lock().expect("no walk panics while it holds it").extend(seen);
            Ok(())
        })
    });
    match ended {
        Ok(()) => Ok(met.into_inner().expect("no walk panics while it holds it")),
        Err(TestError::Fail(reason, steps)) => {
            let story = Story { wrong: reason.to_string(), steps };
            Err(block_in_place(|| runtime.block_on(shortened::<W>(engine, story))))
        }
        Err(TestError::Abort(reason)) => panic!("the walk was given up: {reason}"),
    }
}

/// Leaves out steps without which the story still goes wrong: half of them at once, then smaller
/// parts, at last single steps until each of them is needed. Proptest would walk hundreds of times
/// for it.
async fn shortened<W: Walk>(engine: Engine, mut story: Story<W::Step>) -> Story<W::Step> {
    let mut part = story.steps.len() / 2;
    while part > 0 {
        let mut shorter = false;
        let mut from = 0;
        while from < story.steps.len() {
            let mut steps = story.steps.clone();
            steps.drain(from..(from + part).min(story.steps.len()));
            let walked = AssertUnwindSafe(told::<W>(engine, &steps)).catch_unwind().await;
            let wrong = match walked {
                Ok(Ok(_)) => {
                    from += part;
                    continue;
                }
                Ok(Err(wrong)) => wrong,
                Err(panic) => panic.downcast_ref().map_or("a panic", String::as_str).to_owned(),
            };
            story = Story { wrong, steps };
            shorter = true;
        }
        if part > 1 || !shorter {
            part /= 2;
        }
    }
    story
}

/// Takes these steps; says what goes wrong.
pub async fn told<W: Walk>(engine: Engine, steps: &[W::Step]) -> Result<Met, String> {
    let mut walk = W::begin(engine).await;
    let mut before = states::<W>(walk.world()).await;
    let mut met = Met::new();
    for (taken, step) in (1..).zip(steps) {
        let took = walk.take(step).await;
        let after = states::<W>(walk.world()).await;
        if let Took::Call(answer) = &took {
            let Answer { status, body, .. } = answer;
            if *status >= 500 {
                return Err(format!("{step:?} failed: {body}"));
            }
            if *status != 200 && before != after {
                return Err(format!("the refusal of {step:?} has changed something: {body}"));
            }
        }
        moved::<W>(&before, &after).map_err(|wrong| format!("{wrong} by {step:?}"))?;
        if before != after {
            kept::<W>(walk.world()).await.map_err(|wrong| format!("{wrong} after {step:?}"))?;
        }
        if taken % W::LOOKS_EVERY == 0 || taken == steps.len() {
            walk.look().await.map_err(|wrong| format!("{wrong} after {step:?}"))?;
        }
        let names = after.iter().filter_map(|((kind, _), status)| {
            W::WATCHED.get(*kind).map(|watched| (watched.name, status.clone()))
        });
        met.extend(names);
        before = after;
    }
    walk.rest().await;
    Ok(met)
}

async fn states<W: Walk>(world: &World) -> States {
    let mut session = world.platform.db().read().await.expect("a reader");
    let mut states = States::new();
    for (kind, watched) in W::WATCHED.iter().enumerate() {
        let rows: Vec<(i64, String)> = session.all(sql(watched.rows)).await.expect(watched.name);
        states.extend(rows.into_iter().map(|(id, status)| ((kind, id), status)));
    }
    states
}

/// Whether every row went where its machine leads.
fn moved<W: Walk>(before: &States, after: &States) -> Result<(), String> {
    for (key, status) in after {
        let old = before.get(key).map(String::as_str);
        let watched = W::WATCHED.get(key.0).expect("a kind of rows");
        if old != Some(status) && !(watched.leads)(old, status) {
            return Err(format!("{} {} went from {old:?} to {status}", watched.name, key.1));
        }
    }
    for (key, status) in before.iter().filter(|(key, _)| !after.contains_key(key)) {
        let watched = W::WATCHED.get(key.0).expect("a kind of rows");
        if !watched.goes.contains(&status.as_str()) {
            return Err(format!("{} {}, which was {status}, is gone", watched.name, key.1));
        }
    }
    Ok(())
}

/// Whether the laws hold.
async fn kept<W: Walk>(world: &World) -> Result<(), String> {
    let mut session = world.platform.db().read().await.expect("a reader");
    for (law, text) in W::NEVER {
        let broken: Vec<(i64,)> = session.all(sql(text)).await.expect(law);
        if !broken.is_empty() {
            return Err(format!("{law}: {broken:?}"));
        }
    }
    Ok(())
}
