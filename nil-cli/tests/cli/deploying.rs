//! The unit file of the package, the proxy's configuration and the example of settings, used as
//! they stand but for addresses and folders.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::nil::{NIL, Nil};
use crate::served::{SOON, Served};

const UNIT: &str = include_str!("../../../packaging/deb/nil.service");
const SETTINGS: &str = include_str!("../../../docs/deploy/nil.toml");
const PROXY: &str = include_str!("../../../docs/deploy/nginx.conf");

#[test]
fn the_unit_file_is_valid_and_its_command_serves() {
    let nil = Nil::alone();
    let file = nil.path("nil.service");
    std::fs::write(&file, UNIT.replace("/usr/bin/nil", NIL)).unwrap();
    // Where systemd runs nothing, its checker may still be there.
    if let Ok(checked) =
        Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&file).output()
    {
        let said = String::from_utf8_lossy(&checked.stderr);
        let ours: Vec<&str> = said.lines().filter(|line| line.contains("nil.service")).collect();
        assert!(ours.is_empty(), "{said}");
    }
    let line = UNIT.lines().find_map(|line| line.strip_prefix("ExecStart=")).expect("a command");
    let arguments: Vec<&str> = line.split(' ').skip(1).collect();
    assert_eq!(arguments.first(), Some(&"serve"));
    let folder = nil.path("state");
    let settings = nil.path("nil.toml");
    std::fs::write(&settings, "token_hours = 8\n").unwrap();
    let placed: Vec<&str> = arguments[1..]
        .iter()
        .map(|argument| match *argument {
            "/var/lib/nil" => folder.to_str().unwrap(),
            "/etc/nil/nil.toml" => settings.to_str().unwrap(),
            other => other,
        })
        .collect();
    let served = Served::start(&nil, &placed);
    assert!(folder.join("nil.db").exists() && served.printed.contains("Documentation: "));
}

#[test]
fn the_example_of_settings_is_read_with_and_without_its_comments() {
    let nil = Nil::alone();
    std::fs::write(nil.path("nil.toml"), SETTINGS).unwrap();
    nil.run(&["migrate"]).good();
    // What the comments would switch on, except the database of somebody else with its replica, and
    // files that are not here.
    let uncommented = |line: &'static str| match line.strip_prefix("# ") {
        Some(rest) if rest.starts_with('[') || rest.contains(" = ") => rest,
        _ => line,
    };
    let all: Vec<&str> = SETTINGS.lines().map(uncommented).collect();
    let mut all = all.join("\n");
    assert!(all.contains("\n[mail]\nserver = ") && all.contains("\ndatabase = "), "{all}");
    assert!(all.contains("\ndatabase_replica = "), "{all}");
    all = all.replace("\ndatabase_replica = ", "\n# database_replica = ");
    for secret in ["mail", "sms", "bucket"] {
        std::fs::write(nil.path(secret), "hidden\n").unwrap();
        all = all.replace(&format!("/run/secrets/{secret}"), secret);
    }
    std::fs::write(nil.path("nil.toml"), &all).unwrap();
    nil.run(&["migrate", "--database", "sqlite:nil-data/nil.db"]).good();
    std::fs::write(nil.path("nil.toml"), all.replace("[throttle]", "[throttles]")).unwrap();
    nil.run(&["migrate", "--database", "sqlite:nil-data/nil.db"]).misused("throttles");
}

/// A proxy that is stopped when it is dropped.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn shell(folder: &Path, script: &str) {
    let ended =
        Command::new("/bin/sh").args(["-e", "-c", script]).current_dir(folder).output().unwrap();
    assert!(ended.status.success(), "{script}\n{}", String::from_utf8_lossy(&ended.stderr));
}

/// nginx with the page's configuration, which listens on a socket of this folder.
fn proxy(folder: &Path, served: &Served) -> Proxy {
    let inside = |name: &str| folder.join(name).display().to_string();
    let address = |base: &str| base.trim_start_matches("http://").to_owned();
    let ours = PROXY
        .replace("127.0.0.1:8080", &address(&served.core))
        .replace("127.0.0.1:8081", &address(&served.back_office))
        .replace("listen 443 ssl", &format!("listen unix:{} ssl", inside("tls")))
        .replace("/etc/nginx/", &inside(""));
    std::fs::write(folder.join("nil.conf"), ours).unwrap();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {};", inside(name)))
        .join(" ");
    let around = format!(
        "daemon off; pid {}; error_log stderr;\nevents {{}}\nhttp {{ access_log off; {temporary} include {}; }}\n",
        inside("pid"),
        inside("nil.conf")
    );
    std::fs::write(folder.join("nginx.conf"), around).unwrap();
    shell(
        folder,
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout nil.key -out nil.crt -days 2 -subj /CN=nil.example \
         -addext subjectAltName=DNS:nil.example,DNS:office.nil.example 2>&1",
    );
    let nginx = if Path::new("/usr/sbin/nginx").exists() { "/usr/sbin/nginx" } else { "nginx" };
    let mut command = Command::new(nginx);
    command.arg("-p").arg(folder).arg("-c").arg(folder.join("nginx.conf"));
    command.stderr(std::fs::File::create(folder.join("nginx.log")).unwrap());
    let mut proxy = Proxy(command.stdout(Stdio::null()).spawn().expect("nginx starts"));
    let deadline = Instant::now() + SOON;
    while std::os::unix::net::UnixStream::connect(folder.join("tls")).is_err() {
        let log = std::fs::read_to_string(folder.join("nginx.log")).unwrap();
        assert!(proxy.0.try_wait().unwrap().is_none() && Instant::now() < deadline, "{log}");
        std::thread::sleep(Duration::from_millis(5));
    }
    proxy
}

/// The status and the body of an answer through the proxy.
fn get(folder: &Path, address: &str, more: &[&str]) -> (u16, String) {
    let ended = Command::new("curl")
        .args(["--silent", "--show-error", "--unix-socket", "tls", "--cacert", "nil.crt"])
        .args(["--write-out", "\n%{http_code}"])
        .args(more)
        .arg(address)
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    let told = String::from_utf8_lossy(&ended.stderr);
    let (body, status) = said.rsplit_once('\n').unwrap_or_else(|| panic!("{told}"));
    (status.parse().unwrap_or_else(|_| panic!("{told}")), body.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_proxy_of_the_page_leads_to_both_servers() {
    let nil = Nil::alone()
        .with("NIL_PUBLIC_URL", "https://nil.example")
        .with("NIL_BACK_OFFICE_URL", "https://office.nil.example")
        .with("NIL_TRUSTED_PROXIES", "127.0.0.1");
    let served = Served::start(&nil, &[]);
    let folder = nil.folder.clone();
    let _proxy = proxy(&folder, &served);
    for host in ["nil.example", "office.nil.example"] {
        let (status, body) = get(&folder, &format!("https://{host}/readyz"), &[]);
        assert_eq!((status, body.as_str()), (200, "ready\n"), "{host}");
        let (status, _) = get(&folder, &format!("https://{host}/metrics"), &[]);
        assert_eq!(status, 404, "{host}");
    }
    let (status, colleges) = get(
        &folder,
        "https://nil.example/api/listColleges",
        &["--header", "content-type: application/json", "--data", "{}", "--include"],
    );
    assert_eq!(status, 200, "{colleges}");
    assert!(colleges.to_lowercase().contains("strict-transport-security: "), "{colleges}");
    let (status, _) = get(&folder, "https://nil.example/admin/updateCsrfToken", &[]);
    assert_eq!(status, 404, "the back office has a name of its own");
    let (status, token) = get(&folder, "https://office.nil.example/admin/updateCsrfToken", &[]);
    assert_eq!(status, 200, "{token}");
    let token: Value = serde_json::from_str(&token).unwrap();
    assert!(token["data"]["csrf_token"].is_string(), "{token}");
    // A stream needs a log-in, also here.
    assert_eq!(get(&folder, "https://nil.example/api/events", &[]).0, 401);
}
