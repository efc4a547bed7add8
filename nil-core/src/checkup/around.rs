//! Looks at what stands around the database.

use std::io;

use chrono::TimeDelta;
use futures::TryStreamExt as _;

use super::Finding;
use crate::backoffice::site;
use crate::error::Result;
use crate::notifications::outbox::Channel;
use crate::notifications::worker;
use crate::payments;
use crate::platform::Platform;
use crate::ports::objects::ObjectKey;

/// From how long on a message that has not left is late, in seconds.
const LATE: i64 = 15 * 60;
/// From how long on somebody should look whether everything is right: it is done each night.
const UNVERIFIED: TimeDelta = TimeDelta::hours(30);

/// Writes a file to the store, reads it and removes it.
pub(super) async fn objects(platform: &Platform) -> Finding {
    const FILES: &str = "files";
    let store = if platform.config().objects.is_some() { "bucket" } else { "data folder" };
    match written_and_read(platform).await {
        Ok(true) => {
            Finding::good(FILES, format!("A file was written to the {store}, read and removed."))
        }
        Ok(false) => Finding::bad(
            FILES,
            format!("A file that was written to the {store} came back otherwise."),
            "Something else writes there, or the disk is failing. Find out before users upload anything.",
        ),
        Err(error) => {
            let mend = if store == "bucket" {
                "Check the settings of `[objects]`, and that the key may read, write and delete."
            } else {
                "Make room on the disk, and see that the folder belongs to the user who runs the server."
            };
            Finding::bad(FILES, format!("The {store} cannot be used: {error}."), mend)
        }
    }
}

async fn written_and_read(platform: &Platform) -> io::Result<bool> {
    let key = ObjectKey::draw(platform.random());
    let written = key.as_str().as_bytes().to_vec();
    let objects = platform.objects();
    objects.put(&key, written.clone().into()).await?;
    let read = async {
        let pieces = objects.get(&key).await?;
        let pieces = pieces.ok_or_else(|| io::Error::other("the file is not there"))?;
        let pieces: Vec<Vec<u8>> = pieces.try_collect().await?;
        Ok::<_, io::Error>(pieces.concat())
    };
    let read = read.await;
    objects.remove(&key).await?;
    Ok(read? == written)
}

/// Greets the Redis in which servers count requests, if there is one.
pub(super) async fn redis(platform: &Platform) -> Option<Finding> {
    const REDIS: &str = "redis";
    let redis = platform.config().redis.as_ref()?;
    Some(match redis.greet().await {
        Ok(()) => Finding::good(REDIS, format!("{} counts requests.", redis.described())),
        Err(why) => Finding::bad(
            REDIS,
            format!("{}: {why}.", redis.described()),
            "See that it runs, and check `redis_url`. Each server counts requests alone meanwhile.",
        ),
    })
}

/// Asks the payment processor for a page of its statement.
pub(super) async fn processor(platform: &Platform) -> Finding {
    const PROCESSOR: &str = "payment processor";
    let now = platform.now();
    let asked = platform.processor().statement(now - TimeDelta::minutes(1), now, None).await;
    let in_public = platform.config().public_url.starts_with("https:");
    match asked {
        Err(outage) => Finding::bad(
            PROCESSOR,
            format!("It does not answer, or does not accept the key: {}.", outage.why),
            "Check the settings of `[processor]`. Payments and payouts wait meanwhile; none is lost.",
        ),
        Ok(_) if platform.config().processor.is_some() => {
            Finding::good(PROCESSOR, format!("It answers ({}).", platform.processor().books()))
        }
        Ok(_) if in_public => Finding::warning(
            PROCESSOR,
            "The sandbox moves no money, and the site has a public address.",
            "Set `[processor]` before a brand pays.",
        ),
        Ok(_) => Finding::good(PROCESSOR, "The sandbox: it moves no money."),
    }
}

/// Looks for basic settings of the site that nobody has made.
pub(super) async fn site(platform: &Platform) -> Option<Finding> {
    const SITE: &str = "site";
    let missing = async {
        let mut session = platform.db().read().await?;
        Result::Ok(site::letterhead(&mut session).await?.missing())
    };
    match missing.await {
        Ok(missing) if missing.is_empty() => {
            Some(Finding::good(SITE, "It has a name and an address for help."))
        }
        Ok(missing) => Some(Finding::warning(
            SITE,
            format!("Not set yet: {}.", missing.join(", ")),
            "Run `nil admin site save-basic`: mails and documents say `nil` until then, and no invoices are issued.",
        )),
        Err(error) => Some(Finding::unread(SITE, &error)),
    }
}

/// Says when `nil verify` last found nothing wrong.
pub(super) async fn verified(platform: &Platform) -> Finding {
    const VERIFIED: &str = "last good verify";
    let at = match payments::verified_at(platform).await {
        Ok(at) => at,
        Err(error) => return Finding::unread(VERIFIED, &error),
    };
    let mend = "Run `nil verify`, each night: it checks the books, the files and the audit trail.";
    let Some(at) = at else { return Finding::warning(VERIFIED, "There was none yet.", mend) };
    let said = format!("On {}.", at.format("%Y-%m-%d %H:%M UTC"));
    if platform.now() - at > UNVERIFIED {
        Finding::warning(VERIFIED, said, mend)
    } else {
        Finding::good(VERIFIED, said)
    }
}

/// Looks for messages that are late: a worker that runs sends them.
pub(super) async fn outbox(platform: &Platform) -> Vec<Finding> {
    const OUTBOX: &str = "outbox";
    let backlogs = match worker::backlogs(platform).await {
        Ok(backlogs) => backlogs,
        Err(error) => return vec![Finding::unread(OUTBOX, &error)],
    };
    let mut found = Vec::new();
    for (channel, waiting, late) in backlogs {
        // Without a courier, messages stay in the outbox for good.
        let is_sent = channel == Channel::Event || platform.config().courier_for(channel).is_some();
        if is_sent && late > LATE {
            found.push(Finding::warning(
                OUTBOX,
                format!("{waiting} messages ({channel}) wait; the oldest has been due for {} minutes.", late / 60),
                "See that a server runs (or `nil worker`), and that it reaches the mail server: `nil mail test`.",
            ));
        }
    }
    if found.is_empty() {
        found.push(Finding::good(OUTBOX, "No message is late."));
    }
    found
}
