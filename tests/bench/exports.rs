//! Exports of many rows: what they cost the server, how soon they begin, and how much memory they
//! take.

use std::time::{Duration, Instant};

use futures::StreamExt as _;
use nil_core::auth::{Permission, Principal, Role};
use nil_core::catalog::catalog;
use nil_core::kernel::{CollegeId, Password, PortalUserId};
use nil_core::operation::{Body, Call, Download, Fields};
use nil_core::seed::{self, Size};
use nil_tests::{PASSWORD, World};

use crate::asked::Asked;

/// The institution of all seeded transactions.
const COLLEGE: i64 = 1_000_001;
/// Each export is measured so often; the fastest counts.
const ROUNDS: usize = 3;

pub async fn measure(asked: &Asked) {
    let transactions = asked.transactions_or(1_000_000);
    let size = Size {
        athletes: (transactions / 10).max(1),
        brands: (transactions / 5).max(1),
        jobs: 2_000,
        institutions: 1,
        transactions,
        seed: 1,
    };
    for (name, engine) in asked.engines() {
        println!("{name}, {transactions} transactions of an institution:");
        println!(
            "  {:<34} {:>9} {:>7} {:>8} {:>8} {:>10} {:>10}",
            "export", "rows", "MB", "CPU s", "wall s", "first ms", "memory MB"
        );
        let world = World::unthrottled(engine).await;
        let password = Password::new(PASSWORD).unwrap();
        seed::fill(&world.platform, size, &password, &mut |_, _| {}).await.unwrap();
        let officer = Principal::Portal {
            id: PortalUserId::new(COLLEGE).unwrap(),
            college_id: CollegeId::new(COLLEGE).unwrap(),
            role: Role::Owner,
            sports: Vec::new(),
            session: "bench".into(),
        };
        let operator = world.operator(&[Permission::All]);
        for (export, rows, caller) in [
            ("compliance.athlete.export", size.athletes, &officer),
            // Every transaction is a disclosed job, so it is in two files.
            ("compliance.transaction.export", 2 * transactions + size.athletes, &officer),
            ("admin.partner.export_xlsx", size.brands, &operator),
        ] {
            let mut measured = Vec::with_capacity(ROUNDS);
            for _ in 0..ROUNDS {
                measured.push(drained(&world, export, caller).await);
            }
            let best = measured.iter().min_by_key(|drained| drained.wall).unwrap();
            let grown = measured.iter().map(|drained| drained.grown).max().unwrap();
            println!(
                "  {export:<34} {rows:>9} {:>7.1} {:>8.2} {:>8.2} {:>10.1} {:>10.1}",
                mega(best.bytes),
                best.cpu.as_secs_f64(),
                best.wall.as_secs_f64(),
                best.first.as_secs_f64() * 1_000.0,
                mega(grown)
            );
        }
        world.platform.close().await;
    }
}

/// An export whose reader took every piece at once.
struct Drained {
    bytes: u64,
    cpu: Duration,
    wall: Duration,
    /// Until the first piece came.
    first: Duration,
    /// The growth of the process's memory, in bytes.
    grown: u64,
}

async fn drained(world: &World, export: &str, caller: &Principal) -> Drained {
    forget_peak();
    let (memory, cpu, started) = (memory("VmRSS:"), cpu(), Instant::now());
    let mut file = opened(world, export, caller).await;
    let (mut bytes, mut first) = (0, None);
    while let Some(piece) = file.bytes.next().await {
        first.get_or_insert_with(|| started.elapsed());
        let piece = piece.unwrap();
        bytes += u64::try_from(piece.len()).unwrap();
    }
    Drained {
        bytes,
        cpu: self::cpu() - cpu,
        wall: started.elapsed(),
        first: first.unwrap(),
        grown: self::memory("VmHWM:").saturating_sub(memory),
    }
}

async fn opened(world: &World, export: &str, caller: &Principal) -> Download {
    let entry = catalog().named(export).unwrap();
    let call = Call {
        principal: caller.clone(),
        fields: Fields::from_object(serde_json::Map::new()),
        key: None,
        strict: entry.is_strict(),
        address: None,
        request_id: "bench".into(),
    };
    match entry.answer(&world.platform, call).await.unwrap().body {
        Body::File(file) => file,
        _ => panic!("{export} answers no file"),
    }
}

/// The processor time of all threads, in steps of 10 ms.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The name in parentheses may contain anything.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// A line of the process's memory, in bytes.
fn memory(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let found = status.lines().find_map(|text| text.strip_prefix(line)).unwrap();
    found.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() * 1_024
}

/// The peak of memory begins anew.
fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}
