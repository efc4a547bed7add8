//! `nil config show`: every setting with its value and where it comes from.

use serde_json::{Value, json};
use toml::Table;

use super::config_text;
use crate::args::Options;
use crate::failure::Failure;
use crate::out::say;
use crate::settings::env;
use crate::sheet::Sheet;

/// Every setting by its name in `nil.toml`, with what counts if nobody sets it. Its variable is
/// `NIL_` and the name in capitals, with `_` for the dot.
const SETTINGS: &[(&str, &str)] = &[
    ("database", "sqlite:nil.db in the data folder"),
    ("database_connections", "24"),
    ("database_direct", ""),
    ("database_prepared", "false"),
    ("database_replica", ""),
    ("database_replica_lag", "10"),
    ("redis_url", ""),
    ("redis_ca_file", ""),
    ("data", "nil-data"),
    ("public_url", "where Core listens"),
    ("back_office_url", "public_url, or where the back office listens"),
    ("portal_url", ""),
    ("console_url", "portal_url"),
    ("core", "127.0.0.1:8080"),
    ("back_office", "127.0.0.1:8081"),
    ("insecure_http", "false"),
    ("metrics", ""),
    ("metrics_token", ""),
    ("cors_origins", ""),
    ("trusted_proxies", ""),
    ("webhook_networks", ""),
    ("sign_on_networks", ""),
    ("token_algorithm", "HS256"),
    ("token_hours", "12"),
    ("contract_hours", "72"),
    ("reconcile_after_seconds", "10"),
    ("processor_deadline_seconds", "20"),
    ("due_soon_hours", "72"),
    ("closing_soon_hours", "48"),
    ("quiet_hours", ""),
    ("drain_seconds", "5"),
    ("streams_per_user", "8"),
    ("body_limit_bytes", "1048576"),
    ("connections_per_address", "256"),
    ("upload_quota_bytes", "1073741824"),
    ("open_uploads_quota_bytes", "107374182400"),
    ("hashes_at_once", "2"),
    ("attribution", "false"),
    ("privacy_policy_edits", "moderated; live on this machine"),
    ("require_operator_totp", "false"),
    ("watch_post_pages", "false"),
    ("operator_sign_on.issuer", ""),
    ("operator_sign_on.client_id", ""),
    ("operator_sign_on.secret", ""),
    ("operator_sign_on.secret_file", ""),
    ("operator_sign_on.required_claim", ""),
    ("operator_sign_on.required_value", ""),
    ("operator_sign_on.passwords", "true"),
    ("throttle.off", "false"),
    ("throttle.off_in_the_open", "false"),
    ("throttle.login", "10"),
    ("throttle.registration", "15"),
    ("throttle.recovery", "4"),
    ("throttle.public", "200"),
    ("throttle.dashboard", "5"),
    ("throttle.standard", "300"),
    ("model.url", ""),
    ("model.key", ""),
    ("model.name", ""),
    ("model.timeout_seconds", "30"),
    ("model.athlete_token", "false"),
    ("documents.fonts", "/usr/share/fonts"),
    ("mail.server", ""),
    ("mail.port", "by security: 587, 465 or 25"),
    ("mail.security", "starttls"),
    ("mail.user", ""),
    ("mail.password", ""),
    ("mail.password_file", ""),
    ("mail.from", ""),
    ("mail.reply_to", ""),
    ("mail.timeout_seconds", "20"),
    ("mail.connections", "4"),
    ("mail.ca_file", ""),
    ("mail.report_secret", ""),
    ("mail.report_secret_file", ""),
    ("sms.url", ""),
    ("sms.account", ""),
    ("sms.key", "sms.account"),
    ("sms.secret", ""),
    ("sms.secret_file", ""),
    ("sms.from", ""),
    ("sms.messaging_service", ""),
    ("sms.timeout_seconds", "20"),
    ("sms.report_token", ""),
    ("sms.report_token_file", ""),
    ("objects.bucket", ""),
    ("objects.region", "us-east-1 with endpoint"),
    ("objects.endpoint", "Amazon's"),
    ("objects.prefix", ""),
    ("objects.access_key_id", ""),
    ("objects.secret_access_key", ""),
    ("objects.secret_access_key_file", ""),
    ("processor.kind", "sandbox"),
    ("processor.url", "the processor's own"),
    ("processor.key", ""),
    ("processor.key_file", ""),
    ("processor.webhook_secrets", ""),
    ("processor.instant_payouts", "false"),
    ("telemetry.endpoint", ""),
    ("telemetry.headers", ""),
    ("telemetry.headers_file", ""),
    ("telemetry.sample_ratio", "1"),
    ("telemetry.service_name", "nil"),
];

/// What must not be shown.
const SECRET: [&str; 13] = [
    "operator_sign_on.secret",
    "sms.key",
    "sms.secret",
    "redis_url",
    "metrics_token",
    "model.key",
    "mail.password",
    "mail.report_secret",
    "sms.report_token",
    "objects.secret_access_key",
    "processor.key",
    "processor.webhook_secrets",
    "telemetry.headers",
];

/// A setting, as it is shown.
struct Shown {
    name: &'static str,
    value: String,
    from: String,
}

/// `nil config show`. Refuses settings that make no sense, as every command does.
pub(crate) fn show(options: &Options, json: bool) -> Result<(), Failure> {
    super::Settings::load(options, super::Needed::Any)?;
    let (path, text) = config_text(options.config.as_deref())?;
    let file: Table = toml::from_str(&text).map_err(|error| Failure::Usage(error.to_string()))?;
    let shown: Vec<Shown> = SETTINGS
        .iter()
        .map(|(name, default)| shown(name, default, options, &file, &path.display().to_string()))
        .collect();
    if json {
        let all =
            shown.iter().map(|one| json!({"name": one.name, "value": one.value, "from": one.from}));
        say!("{:#}", all.collect::<Value>());
        return Ok(());
    }
    let mut sheet = Sheet::new(["setting", "value", "from"]);
    for one in shown {
        sheet.row([one.name.to_owned(), one.value, one.from]);
    }
    sheet.draw();
    Ok(())
}

fn shown(name: &'static str, default: &str, options: &Options, file: &Table, path: &str) -> Shown {
    let variable = format!("NIL_{}", name.replace('.', "_").to_uppercase());
    let given = match name {
        "database" => options.database.clone(),
        "data" => options.data.as_ref().map(|path| path.display().to_string()),
        "public_url" => options.public_url.clone(),
        _ => None,
    };
    let given = given.filter(|text| !text.is_empty());
    let (value, from) = if let Some(value) = given.clone().filter(|_| env(&variable) != given) {
        (value, format!("--{}", name.replace('_', "-")))
    } else if let Some(value) = of_variable(name, &variable) {
        (value, variable)
    } else if let Some(value) = in_file(file, name) {
        (value, path.to_owned())
    } else {
        (default.to_owned(), "default".to_owned())
    };
    let value = match name {
        _ if SECRET.contains(&name) && from != "default" => "(set)".to_owned(),
        // An address can have a password in it.
        "database" | "database_direct" | "database_replica" => value
            .parse()
            .map_or(value, |location: nil_core::storage::Location| location.described()),
        _ => value,
    };
    Shown { name, value, from }
}

/// The value of the variable. `NIL_THROTTLE` has words for both switches of the throttles.
fn of_variable(name: &str, variable: &str) -> Option<String> {
    let throttle = || env("NIL_THROTTLE").map(|word| word.to_lowercase());
    match name {
        "throttle.off" => throttle().filter(|word| word == "off").map(|_| "true".to_owned()),
        "throttle.off_in_the_open" => {
            throttle().filter(|word| word == super::OFF_IN_THE_OPEN).map(|_| "true".to_owned())
        }
        _ => env(variable),
    }
}

fn in_file(file: &Table, name: &str) -> Option<String> {
    let value = match name.split_once('.') {
        None => file.get(name)?,
        Some((section, name)) => file.get(section)?.get(name)?,
    };
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::File;
    use super::*;

    /// The names that a part of the file may have, as the reader lists them when it meets another.
    fn known(section: &str) -> BTreeSet<String> {
        let header = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
        let refused = toml::from_str::<File>(&format!("{header}no_such_setting = 1")).unwrap_err();
        let (_, listed) = refused.message().split_once("expected ").expect("a list");
        listed.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn every_setting_of_the_file_is_shown_and_on_the_page() {
        let page = concat!(
            include_str!("../../../docs/operating.md"),
            include_str!("../../../docs/processor.md")
        );
        let mut names = BTreeSet::new();
        for name in known("") {
            let parts = SETTINGS.iter().filter_map(|(setting, _)| setting.split_once('.'));
            if parts.clone().any(|(section, _)| section == name) {
                names.extend(known(&name).into_iter().map(|part| format!("{name}.{part}")));
            } else {
                names.insert(name);
            }
        }
        let shown: BTreeSet<String> = SETTINGS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(shown, names);
        assert_eq!(shown.len(), SETTINGS.len());
        for (name, _) in SETTINGS {
            let last = name.rsplit('.').next().unwrap();
            assert!(page.contains(last), "{name} is on no page");
        }
    }

    /// The words with which names of addresses end, and what of that is our own.
    const ADDRESSES: [&str; 9] =
        ["database", "direct", "replica", "url", "server", "endpoint", "issuer", "bucket", "host"];
    const OWN: [&str; 4] = ["public_url", "back_office_url", "portal_url", "console_url"];

    #[test]
    fn every_other_system_has_a_row_in_the_table_of_what_runs_beside_a_server() {
        let page = include_str!("../../../docs/operating.md");
        let (_, after) = page.split_once("## What runs beside a server\n").unwrap();
        let table = after.split("\n## ").next().unwrap();
        let first = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        let first: Vec<&str> = first.collect();
        for (name, _) in SETTINGS {
            let last = name.rsplit(['.', '_']).next().unwrap();
            if !ADDRESSES.contains(&last) || OWN.contains(name) {
                continue;
            }
            let named = match name.split_once('.') {
                None => format!("`{name}`"),
                Some((section, _)) => format!("`[{section}]"),
            };
            assert!(first.iter().any(|cell| cell.contains(&named)), "{name} has no row");
        }
    }

    #[test]
    fn what_is_secret_is_not_shown() {
        let words = ["password", "key", "secret", "secrets", "token", "headers"];
        for (name, _) in SETTINGS {
            let last = name.rsplit(['.', '_']).next().unwrap();
            let secret =
                words.contains(&last) && *name != "model.athlete_token" || *name == "redis_url";
            assert_eq!(SECRET.contains(name), secret, "{name}");
        }
    }
}
