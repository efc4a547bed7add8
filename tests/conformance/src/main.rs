//! The program: reads the file that describes a server, checks it, prints what it found.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use nil_conformance::{Settings, Suite, all, read_mail_with};

/// Checks a server against the specification of the three interfaces.
#[derive(Parser)]
#[command(name = "nil-conformance", version)]
struct Arguments {
    /// The file that describes the server.
    #[arg(required_unless_present = "list")]
    settings: Option<PathBuf>,
    /// Checks only operations that begin with this name, such as `core.job`; may be repeated.
    #[arg(long, value_name = "PREFIX")]
    only: Vec<String>,
    /// Writes the findings to a file as JSON, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Lists the endpoints and checks nothing.
    #[arg(long)]
    list: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match check(arguments).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(mistake) => {
            eprintln!("{mistake}");
            ExitCode::from(2)
        }
    }
}

/// Whether everything held.
async fn check(arguments: Arguments) -> Result<bool, String> {
    let Some(file) = arguments.settings.filter(|_| !arguments.list) else {
        for endpoint in all() {
            println!("{:6} {:75} {}", endpoint.method, endpoint.path, endpoint.operation);
        }
        return Ok(true);
    };
    let settings = Settings::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mail = read_mail_with(&settings.mail);
    let suite = Suite::open(Settings { read_mail: mail, ..settings }).await?;
    let report = suite.run(&arguments.only).await;
    print!("{report}");
    if let Some(file) = arguments.json {
        let text = format!("{:#}\n", report.to_json());
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(report.all_held())
}
