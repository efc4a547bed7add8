//! `nil verify --processor`: the payment processor's statement beside the platform's records.

use clap::Args;
use nil_core::kernel::{Date, utc_day};
use nil_core::payments::{self, Comparison};
use serde_json::json;

use crate::administering::{self, opened};
use crate::failure::Failure;
use crate::out::say;
use crate::settings::Settings;
use crate::sheet::Sheet;

/// The arguments of `nil verify`.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Compare the payment processor's statement with the records instead; exit 1 if a difference
    /// is open.
    #[arg(long)]
    processor: bool,
    /// The first day of the statement, by UTC [default: two days before the last one].
    #[arg(long, requires = "processor", value_name = "DAY")]
    from: Option<Date>,
    /// The last day of the statement, by UTC [default: yesterday].
    #[arg(long, requires = "processor", value_name = "DAY")]
    until: Option<Date>,
}

/// `nil verify [--processor]`.
pub(crate) async fn verify(settings: Settings, which: Verify, json: bool) -> Result<(), Failure> {
    if !which.processor {
        return administering::verify(settings, json).await;
    }
    let platform = opened(settings).await?;
    let compared = payments::compare(&platform, which.from, which.until).await;
    platform.close().await;
    let compared = compared?;
    if json {
        say!("{:#}", json!(compared));
    } else {
        tell(&compared);
    }
    if compared.open == 0 { Ok(()) } else { Err(Failure::Found) }
}

fn tell(compared: &Comparison) {
    let Comparison { from, to, lines, net_cents, open, .. } = compared;
    say!("Lines of the statement from {from} to {to}: {lines}, {net_cents} in all after fees.");
    if *open == 0 {
        say!("No difference is open.");
        return;
    }
    let mut sheet = Sheet::new(["id", "kind", "key or line", "since", "detail"]);
    for one in &compared.oldest {
        let about = one.key.as_ref().or(one.line_id.as_ref()).map_or("", String::as_str);
        let (id, since) = (one.id.to_string(), utc_day(one.found_at).to_string());
        sheet.row([id.as_str(), one.kind.as_str(), about, &since, &one.detail]);
    }
    sheet.draw();
    let named = i64::try_from(compared.oldest.len()).unwrap_or(i64::MAX);
    let word = if *open == 1 { "difference is" } else { "differences are" };
    match open - named {
        0 => say!("{open} {word} open."),
        more => say!("{open} {word} open, {more} of them not listed here."),
    }
}
