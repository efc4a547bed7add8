//! Whole requests against a site that serves everything, over an empty database: whatever comes, no
//! panic, no 500, and the answer is in our own words.

#![no_main]

use std::sync::OnceLock;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Method, Request};
use libfuzzer_sys::fuzz_target;
use nil_core::auth::MasterKey;
use nil_core::auth::throttle::Limits;
use nil_core::catalog::Interface;
use nil_core::http::{Site, SiteOptions};
use nil_core::kernel::SystemRandom;
use nil_core::{Config, Platform};
use tokio::runtime::Runtime;

struct House {
    runtime: Runtime,
    site: Site,
}

fn house() -> &'static House {
    static HOUSE: OnceLock<House> = OnceLock::new();
    HOUSE.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("nil-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let database = format!("sqlite:{}", folder.join("nil.db").display());
        let location = database.parse().expect("a location");
        let mut config = Config::new(location, MasterKey::generate(&SystemRandom));
        config.data = folder;
        config.throttle = Limits {
            off: true,
            ..Limits::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let site = runtime.block_on(async {
            let platform = nil_core::open(config).await.expect("the platform");
            Site::new(platform, &Interface::ALL, SiteOptions::default()).expect("a site")
        });
        House { runtime, site }
    })
}

// A line each for method, target and headers, an empty line, the body.
fuzz_target!(|text: &[u8]| {
    let cut = text.windows(2).position(|two| two == b"\n\n");
    let (head, body) = cut.map_or((text, &[][..]), |at| (&text[..at], &text[at + 2..]));
    let Ok(head) = std::str::from_utf8(head) else {
        return;
    };
    let mut lines = head.lines();
    let method = lines.next().and_then(|line| line.parse::<Method>().ok());
    let mut request = Request::builder()
        .method(method.unwrap_or(Method::POST))
        .uri(lines.next().unwrap_or("/api/login"));
    for line in lines {
        if let Some((name, value)) = line.split_once(':') {
            request = request.header(name, value.trim());
        }
    }
    let Ok(request) = request.body(Full::new(Bytes::copy_from_slice(body))) else {
        return;
    };
    let House { runtime, site } = house();
    runtime.block_on(async {
        let response = site.answer(request).await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.map(|all| all.to_bytes());
        assert!(status != 500, "{bytes:?}");
    });
});
