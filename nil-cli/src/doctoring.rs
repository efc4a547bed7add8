//! `nil doctor`: looks at everything that this installation stands on, and says how to mend what is
//! wrong.

use std::path::Path;

use nil_core::checkup::{self, Finding, State};
use nil_core::kernel::free_space;
use serde_json::json;

use crate::args::Options;
use crate::failure::Failure;
use crate::out::say;
use crate::settings::{self, Settings};
use crate::sheet::Sheet;

const DATA: &str = "data folder";
/// The free space below which somebody should look.
const LITTLE: u64 = 2 * 1024 * 1024 * 1024;

/// Exits 1 if something does not work.
pub(crate) async fn doctor(
    options: &Options,
    settings: Settings,
    json: bool,
) -> Result<(), Failure> {
    let mut found = folder(&settings.config.data);
    found.push(address(&settings));
    found.push(mail(options).await?);
    // Opened as it is: nothing is migrated, and a key that is another's is a finding.
    match nil_core::opening::open_unmigrated(settings.config).await {
        Ok(platform) => {
            found.extend(checkup::check(&platform).await);
            platform.close().await;
        }
        Err(error) => found.push(checkup::unopened(&error)),
    }
    let bad = found.iter().any(|finding| finding.state == State::Bad);
    if json {
        say!("{:#}", json!(found));
    } else {
        tell(&found);
    }
    if bad { Err(Failure::Found) } else { Ok(()) }
}

fn tell(found: &[Finding]) {
    let mut sheet = Sheet::new(["", "what", "found"]);
    for finding in found {
        sheet.row([finding.state.as_str(), finding.subject, &finding.says]);
    }
    sheet.draw();
    for finding in found {
        if let Some(mend) = &finding.mend {
            say!("{}: {mend}", finding.subject);
        }
    }
}

/// The data folder: whose it is, who may read it, and how much room there is.
fn folder(data: &Path) -> Vec<Finding> {
    let shown = data.display();
    let Ok(about) = data.metadata() else {
        let mend = "Name it by --data or NIL_DATA. A server makes it at its first start.";
        return vec![Finding::warning(DATA, format!("{shown} is not there."), mend)];
    };
    let mut found = Vec::new();
    if let Some((owner, runner)) = settings::stranger_to(data) {
        let mend = format!("Run the commands as {owner}, or: chown -R {runner} {shown}");
        let says = format!("{shown} belongs to {owner}, and this runs as {runner}.");
        found.push(Finding::warning(DATA, says, mend));
    }
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o777;
        if mode & 0o022 != 0 {
            let mend = format!("chmod 700 {shown}");
            let says = format!("Others can write to {shown} (mode {mode:03o}).");
            found.push(Finding::bad(DATA, says, mend));
        }
    }
    let free = free_space(data);
    match free {
        Some(bytes) if bytes < LITTLE => found.push(Finding::warning(
            DATA,
            format!("{} MiB are free on its disk.", bytes / (1024 * 1024)),
            "Make room: without it nothing can be written, and users get 503.",
        )),
        _ => {}
    }
    let one_time = data.join("first-operator.txt");
    if one_time.exists() {
        let says = format!("{} still holds a one-time password.", one_time.display());
        found.push(Finding::warning(
            DATA,
            says,
            "Log in with it, set a password, and delete the file.",
        ));
    }
    if found.is_empty() {
        let room = free.map_or_else(String::new, |bytes| {
            format!(", {} GiB are free", bytes / (1024 * 1024 * 1024))
        });
        found.push(Finding::good(DATA, format!("{shown}{room}.")));
    }
    found
}

/// The address where users reach the site.
fn address(settings: &Settings) -> Finding {
    const ADDRESS: &str = "public_url";
    let url = &settings.config.public_url;
    if !settings.has_public_url {
        let mend = "Set `public_url`: links in mails begin with it.";
        return Finding::warning(ADDRESS, "It is not set.", mend);
    }
    if url.starts_with("https:") {
        return Finding::good(ADDRESS, url.clone());
    }
    let mend = "Put a proxy with TLS in front, and set `public_url` to its https address.";
    Finding::warning(ADDRESS, format!("{url} is not encrypted."), mend)
}

/// The mail server: it is greeted, and no mail is sent.
async fn mail(options: &Options) -> Result<Finding, Failure> {
    const MAIL: &str = "mail server";
    let Some(smtp) = settings::mail_server(options)? else {
        let mend = "Set `[mail]`: until then mails stay in the outbox (`nil outbox`).";
        return Ok(Finding::warning(MAIL, "None is set.", mend));
    };
    let server = smtp.described();
    Ok(match smtp.greet().await {
        Ok(()) => Finding::good(MAIL, format!("{server} accepts the log-in.")),
        Err(why) => {
            let mend = "Check the settings of `[mail]`. Mails wait meanwhile.";
            Finding::bad(MAIL, format!("{server}: {why}"), mend)
        }
    })
}
