//! What runs beside a server, one row of the page's table after another: the other side refuses
//! connections, then it takes them and says nothing, then it is back. Each server here has both
//! frameworks, Core's and the back office's. What Redis and a collector do is shown in
//! `shared_throttles` and `telemetry`.

mod databases;
mod messages;
mod money_and_files;
mod others;

use nil_tests::Gate;

use crate::served::Served;

/// How the other side falls silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Nobody listens.
    Refuses,
    /// Connections are made, and nothing is answered.
    Stalls,
}

const BOTH: [Silence; 2] = [Silence::Refuses, Silence::Stalls];

pub(crate) async fn falls(gate: &Gate, silence: Silence) {
    match silence {
        Silence::Refuses => gate.cut().await,
        Silence::Stalls => gate.silent().await,
    }
}

/// Asks until the answer has this status.
async fn until(served: &Served, path: &str, token: &str, status: u16) {
    let what = format!("{status} of {path}");
    served.until(&what, async || served.status(path, token).await == status).await;
}
