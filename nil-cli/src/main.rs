//! `nil`: serves the platform, administers it, and calls the same operations as the servers.

mod accounts;
mod administering;
mod args;
mod auditing;
mod calling;
mod colleges;
mod comparing;
mod completing;
mod copying;
mod demo;
mod describing;
mod doctoring;
mod exporting;
mod failure;
mod generated;
mod keeping;
mod keys;
mod logging;
mod mail;
mod manual;
mod monitoring;
mod objects;
mod out;
mod processor;
mod sandboxing;
mod saving;
mod seeding;
mod serving;
mod settings;
mod sheet;
mod show;
mod sms;
mod telemetry;
mod visiting;
mod words;

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use nil_core::catalog::Interface;

use args::{Args, Command, ConfigAction};
use auditing::AuditAction;
use failure::Failure;
use out::complain;
use settings::Settings;

/// Measured against the system's allocator: docs/speed.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The whole grammar, with a command for every operation.
fn grammar() -> clap::Command {
    generated::grow(Args::command())
}

/// How long threads may go on that still work when the program ends.
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(1);

fn main() -> ExitCode {
    let matches = grammar().get_matches();
    let mut args = match Args::from_arg_matches(&matches) {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    let words = matches.subcommand();
    if let Some((interface, words)) =
        words.and_then(|(word, rest)| Some((Interface::named(word)?, rest)))
    {
        match generated::call(interface, words) {
            Ok(call) => args.command = Command::Call(call),
            Err(failure) => return failure.report(),
        }
    }
    // SQLite runs on these threads. More threads than cores gained nothing (decision 13), and a
    // single one would block whenever a page is read from the disk.
    let threads = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            complain!("error: the runtime cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let ended = runtime.block_on(run(args));
    // A name that is being looked up, for one, cannot be interrupted.
    runtime.shutdown_timeout(LAST_WORDS);
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

async fn run(args: Args) -> Result<(), Failure> {
    let json = args.json;
    match args.command {
        Command::Ops { filter, action } => describing::ops(filter.as_deref(), action, json),
        Command::Openapi { interface, version } => {
            describing::openapi(interface, version.into(), &args.options)
        }
        Command::Completions { shell } => {
            completing::script(shell);
            Ok(())
        }
        Command::Complete { shell, words } => {
            completing::complete(shell, &words);
            Ok(())
        }
        Command::Man { to } => manual::man(to.as_deref()),
        Command::Docs { folder, check } => describing::docs(&folder, check),
        Command::Audit(AuditAction::VerifyProof { file, head }) => {
            auditing::verify_proof(&file, head.as_ref(), json)
        }
        Command::Mail(action) => mail::command(&args.options, action, json).await,
        Command::Config(ConfigAction::Show) => settings::show(&args.options, json),
        Command::Restore(which) => keeping::restore(&args.options, which, json).await,
        Command::Sms(action) => sms::command(&args.options, action, json).await,
        Command::Demo { pdf } => demo::demo(pdf, json).await,
        Command::Call(call) if call.url.is_some() => calling::over_http(call, json).await,
        command => {
            let settings = Settings::load(&args.options, command.needed())?;
            if let Command::Serve(serve) = &command {
                serve.check_addresses(&settings)?;
            }
            let settings = settings.with_key(command.needed()).await?;
            let settings = if command.is_by_hand() { settings.by_hand() } else { settings };
            match command {
                Command::Serve(serve) => Box::pin(serving::serve(settings, serve)).await,
                Command::Migrate { check } => administering::migrate(settings, check, json).await,
                Command::Call(call) => calling::in_process(settings, call, json).await,
                Command::Operator(action) => accounts::operator(settings, action, json).await,
                Command::College(action) => colleges::college(settings, action, json).await,
                Command::Audit(action) => auditing::audit(settings, action, json).await,
                Command::User(action) => accounts::user(settings, action, json).await,
                Command::ApiKey(action) => accounts::api_key(settings, action, json).await,
                Command::Outbox { action } => administering::outbox(settings, action, json).await,
                Command::Sandbox(action) => sandboxing::sandbox(settings, action, json).await,
                Command::Export(export) => exporting::export(settings, export, json).await,
                Command::Seed(seed) => seeding::seed(settings, seed, json).await,
                Command::Verify(which) => comparing::verify(settings, which, json).await,
                Command::Backup(what) => keeping::backup(settings, what, json).await,
                Command::Copy(to) => copying::copy(&args.options, settings, to, json).await,
                Command::Doctor => doctoring::doctor(&args.options, settings, json).await,
                Command::Key(action) => keys::key(settings, action, json).await,
                Command::Restored => administering::restored(settings, json).await,
                Command::Worker { once } => administering::worker(settings, once, json).await,
                _ => Ok(()),
            }
        }
    }
}
