//! How announced uploads are found, and how those end that become nothing.

use super::announced::Announced;
use super::store::announced as uploads;
use super::storing::Discarded;
use crate::error::{Error, Result};
use crate::kernel::{Machine as _, Word as _};
use crate::operation::Work;
use crate::platform::Platform;
use crate::schedule::due;

pub use super::store::announced::{add, change, find, lock, lock_of, of};

/// 422 unless the checksum of the bytes is the one that the caller has said, if any.
pub fn check_sum(said: Option<&str>, found: &str) -> Result<()> {
    match said {
        Some(said) if !said.eq_ignore_ascii_case(found) => {
            let why = format!("does not match the received bytes, whose checksum is {found}");
            Err(Error::invalid("sha256", why))
        }
        _ => Ok(()),
    }
}

/// Ends a locked upload; 409 `illegal_transition` for one that is over.
pub async fn end<U: Announced>(work: &mut Work, upload: &U) -> Result<Discarded> {
    let (moved, now) = (upload.status().on(U::END)?, work.now());
    change::<U>(work, upload.id(), moved, now).await?;
    work.note(upload.id(), moved.to().word());
    upload.let_go(work).await
}

/// Ends an upload that cannot become anything, in a transaction of its own, and removes its bytes.
/// Returns whether this call ended it.
pub async fn give_up<U: Announced>(
    platform: &Platform,
    operation: &'static str,
    id: U::Id,
) -> Result<bool> {
    let mut work = Work::resume(platform, operation, None).await?;
    let Some(upload) = lock::<U>(&mut work, id).await? else {
        return Ok(false);
    };
    // It may just have been completed, or another worker was faster.
    if !upload.status().can(U::END) {
        return Ok(false);
    }
    let discarded = end(&mut work, &upload).await?;
    work.done(()).await?;
    discarded.remove(platform).await;
    Ok(true)
}

/// Ends uploads that were not completed in time; returns their number. Any number of workers may do
/// this concurrently.
pub async fn expire<U: Announced>(platform: &Platform) -> Result<usize> {
    let late = |behind| async move {
        let mut session = platform.db().read().await?;
        uploads::late::<U>(&mut session, platform.now(), behind).await
    };
    due::each("upload", late, |id| give_up::<U>(platform, U::EXPIRED_BY, id)).await
}
