//! The contract of a disclosed job as a file, for the institution, and the packet of a clearance
//! for all who see it. Every download is recorded in the audit trail.

use schemars::JsonSchema;
use serde::Deserialize;

use super::browsing::{self, owner};
use super::clearance::{Clearance, ClearanceEvent};
use super::packet_document::{self, Printed};
use super::store::{clearance as clearances, packet as packets, person as people};
use super::{prefilling, summary};
use crate::auth::{Payee, PortalUser};
use crate::content::{self, archiving, reading};
use crate::error::{Error, Result};
use crate::kernel::{AthleteId, ClearanceId, DisclosedJobId, Machine as _, day_in};
use crate::operation::{Cx, Download, Work, typeset};

/// A disclosed job of an athlete.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct OfAthleteAndDisclosedJob {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The disclosed job.
    pub disclosed_job_id: DisclosedJobId,
}

/// The contract that the athlete submitted with a disclosed job: the file, or a ZIP if there are
/// several. If there is none, a PDF summary of the disclosed terms. 404 for a draft, another
/// athlete's job, or another institution's.
pub async fn contract(cx: Cx<PortalUser>, input: OfAthleteAndDisclosedJob) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let OfAthleteAndDisclosedJob { athlete_id, disclosed_job_id } = input;
    let job = browsing::of_college(&mut work, &cx.caller, athlete_id, disclosed_job_id, cx.now());
    let job = job.await?;
    let person = people::find(&mut work, job.athlete_id).await?;
    let mut files = content::found(&mut work, &job.documents).await?;
    work.note(job.id, "contract_downloaded");
    work.finish_read().await?;
    files.sort_by_key(|file| job.documents.iter().position(|own| *own == file.id));
    let name = format!("disclosed-job-{}", job.id);
    match files.pop() {
        Some(only) if files.is_empty() => reading::send(cx.platform(), only).await,
        Some(last) => {
            files.push(last);
            let name = format!("{name}.zip");
            Ok(archiving::archive(cx.platform(), name, files, cx.now()))
        }
        None => {
            let (platform, account) = (cx.platform(), &cx.facts().actor);
            let (name, fonts) = (format!("{name}.pdf"), platform.fonts());
            typeset(platform, account, name, move || summary::pdf(&fonts, &job, &person)).await
        }
    }
}

/// The clearance whose packet is downloaded.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct DownloadPacket {
    /// The clearance.
    pub id: ClearanceId,
}

/// The packet of one of the caller's clearances as a PDF: as it stands while it is to be submitted,
/// with what is missing, and later as it was submitted. An agent gets those of the athletes they
/// represent. 404 for another athlete's.
pub async fn packet(cx: Cx<Payee>, input: DownloadPacket) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let clearance = clearances::find_of(&mut work, input.id, owner(cx.caller)).await?;
    if matches!(cx.caller, Payee::Agent(_)) {
        work.act_for(Some(clearance.athlete_id));
    }
    hand_out(&cx, work, clearance).await
}

/// The packet of a clearance at the caller's institution as a PDF: as it stands while it is to be
/// submitted, with what is missing, and later as it was submitted. 404 for another institution's,
/// for an athlete in a sport that the caller may not see, and for a disclosed job that was not
/// submitted.
pub async fn packet_for_college(cx: Cx<PortalUser>, input: DownloadPacket) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let clearance = clearances::find_for_college(&mut work, input.id, &cx.caller).await?;
    hand_out(&cx, work, clearance).await
}

async fn hand_out<C>(cx: &Cx<C>, mut work: Work, clearance: Clearance) -> Result<Download> {
    let id = clearance.id;
    let printed = printing(&mut work, clearance).await?;
    work.note(id, "packet_downloaded");
    work.finish_read().await?;
    let name = format!("clearance-{id}-packet.pdf");
    let (platform, account) = (cx.platform(), &cx.facts().actor);
    let fonts = platform.fonts();
    typeset(platform, account, name, move || packet_document::pdf(&fonts, &printed)).await
}

/// The packet that is printed.
async fn printing(work: &mut Work, clearance: Clearance) -> Result<Printed> {
    let now = work.now();
    let id = clearance.id;
    let open = clearance.status.on(ClearanceEvent::Submit).is_ok();
    let submitted = if open { None } else { packets::submitted(work, id).await? };
    let sources = prefilling::sources(work, clearance, now).await?;
    let zone = sources.zone;
    Ok(match submitted {
        Some((packet, at)) => Printed {
            packet: serde_json::from_value(packet).map_err(Error::internal)?,
            clearance: sources.clearance.seen_at(now),
            submitted: true,
            on: day_in(at, zone),
            zone,
            missing: Vec::new(),
        },
        None => Printed {
            packet: sources.packet(sources.attested())?,
            missing: if open { sources.missing() } else { Vec::new() },
            clearance: sources.clearance.seen_at(now),
            submitted: false,
            on: day_in(now, zone),
            zone,
        },
    })
}
