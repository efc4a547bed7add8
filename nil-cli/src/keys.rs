//! `nil key`: the secret key is changed while the database stays.

use std::path::Path;

use clap::Subcommand;
use nil_core::auth::MasterKey;
use nil_core::keeping;
use nil_core::kernel::SystemRandom;
use serde_json::json;

use crate::administering::opened;
use crate::failure::Failure;
use crate::out::say;
use crate::settings::{Settings, env, replace_key};
use crate::show::print;

/// What is done with the secret key.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum KeyAction {
    /// Tell how many earlier keys there are, and how many values are still sealed under them.
    Status,
    /// Make a new secret key and write it before the others in the key file. Servers use it after
    /// their next start, and read what was made under the earlier ones.
    Rotate,
    /// Seal again, under the new key, what is sealed under earlier ones. It works beside servers.
    Reseal,
    /// Remove the earlier keys from the key file, if nothing is sealed under them any more.
    Forget,
}

/// `nil key …`.
pub(crate) async fn key(settings: Settings, action: KeyAction, json: bool) -> Result<(), Failure> {
    match action {
        KeyAction::Status => status(settings, json).await,
        KeyAction::Rotate => rotate(settings, json).await,
        KeyAction::Reseal => reseal(settings, json).await,
        KeyAction::Forget => forget(settings, json).await,
    }
}

async fn status(settings: Settings, json: bool) -> Result<(), Failure> {
    let keys = settings.config.secret_key.earlier();
    let platform = opened(settings).await?;
    let found = keeping::count_sealed(&platform).await?;
    platform.close().await;
    if json {
        say!("{:#}", json!({ "earlier_keys": keys, "sealed": found }));
        return Ok(());
    }
    say!("Earlier keys: {keys}.");
    say!("Sealed values: {}, of them {} under earlier keys.", found.values, found.earlier);
    Ok(())
}

async fn rotate(settings: Settings, json: bool) -> Result<(), Failure> {
    let data = settings.config.data.clone();
    let key = settings.config.secret_key.clone();
    // Only the key of the database is worth keeping.
    opened(settings).await?.close().await;
    let next = key.rotated(&SystemRandom).map_err(Failure::Broken)?;
    replace(&data, &next)?;
    print(
        &json!(
            "There is a new secret key. Restart the servers, then run `nil key reseal`, and keep a copy of the key file."
        ),
        json,
    );
    Ok(())
}

async fn reseal(settings: Settings, json: bool) -> Result<(), Failure> {
    let platform = opened(settings).await?;
    let found = keeping::reseal(&platform).await?;
    platform.close().await;
    if json {
        say!("{:#}", json!(found));
    } else {
        say!("Sealed values: {}, of them {} sealed again.", found.values, found.earlier);
    }
    Ok(())
}

async fn forget(settings: Settings, json: bool) -> Result<(), Failure> {
    let data = settings.config.data.clone();
    let key = settings.config.secret_key.clone();
    let platform = opened(settings).await?;
    let found = keeping::count_sealed(&platform).await?;
    if found.earlier == 0 {
        // The database must know the key that stays.
        keeping::reseal(&platform).await?;
    }
    platform.close().await;
    if found.earlier > 0 {
        return Err(Failure::Broken(format!(
            "{} values are sealed under earlier keys: run `nil key reseal` first",
            found.earlier
        )));
    }
    replace(&data, &key.alone())?;
    print(&json!("The earlier keys are gone. Restart the servers."), json);
    Ok(())
}

/// Puts a key in the place of the one that is there, if that is a file.
fn replace(data: &Path, key: &MasterKey) -> Result<(), Failure> {
    if env("NIL_SECRET_KEY").is_some() {
        return Err(Failure::Usage(
            "the secret key is in NIL_SECRET_KEY. Put a new one before it, with a comma between them (64 hexadecimal \
             digits: `openssl rand -hex 32`), or leave the earlier ones out once nothing is sealed under them"
                .into(),
        ));
    }
    replace_key(data, key)
}
