//! The site's content and its pictures over real sockets: forms, parts at signed addresses, ranges.

use nil_tests::door::{Session, log_in_operator};
use nil_tests::{Got, PASSWORD, PIXEL, Server, every_stack, is_pixel};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

const BOUNDARY: &str = "--------------------------5f0c";
const PART: usize = 8 * 1024 * 1024;

/// A multipart form as a browser sends it: fields, and a file if there is one.
fn form(fields: &[(&str, &str)], file: Option<(&str, &[u8])>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        let part = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
        body.extend(part.as_bytes());
    }
    if let Some((name, content)) = file {
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"content\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        body.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    body.extend(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// An operator at a server.
struct Desk<'a> {
    server: &'a Server,
    session: Session,
}

impl Desk<'_> {
    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.server.request(method, &format!("/admin{path}"));
        request.header("cookie", &self.session.cookie).header("x-csrf-token", &self.session.csrf)
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let got = self.server.send(self.request(Method::POST, path).json(&body)).await;
        assert_eq!(got.status, 200, "{path}: {:#}", got.json());
        got.json()["data"].clone()
    }

    async fn save(&self, fields: &[(&str, &str)], file: Option<(&str, &[u8])>) -> Got {
        self.send("/content-management/save", fields, file).await
    }

    async fn send(&self, path: &str, fields: &[(&str, &str)], file: Option<(&str, &[u8])>) -> Got {
        let request = self.request(Method::POST, path);
        let multipart = format!("multipart/form-data; boundary={BOUNDARY}");
        self.server.send(request.header("content-type", multipart).body(form(fields, file))).await
    }

    async fn get(&self, path: &str, range: Option<&str>) -> Got {
        let mut request = self.request(Method::GET, path);
        if let Some(range) = range {
            request = request.header("range", range);
        }
        self.server.send(request).await
    }
}

/// The path and query of an address, which names the host of the settings.
fn within(url: &Value) -> String {
    let (_, address) = url.as_str().unwrap().split_once(":8080").unwrap();
    address.to_owned()
}

async fn a_large_file_arrives_in_parts_and_leaves_in_ranges(server: Server) {
    let email = server.world.chief_operator().await;
    let session = log_in_operator(&server, email, PASSWORD).await;
    let desk = Desk { server: &server, session };
    let folder = desk.save(&[("name", "Press")], None).await.json()["data"]["id"].to_string();
    let logo = desk.save(&[("parent_id", &folder)], Some(("../Logo.png", PIXEL))).await;
    assert_eq!((logo.status, &logo.json()["data"]["name"]), (200, &json!("Logo.png")));
    let list = desk.get(&format!("/content-management/{folder}"), None).await.json();
    assert_eq!(list["path"][0]["name"], "Press");
    assert_eq!(list["data"][0]["file"]["media_type"], "image/png");

    let mut bytes = b"\0\0\0\x18ftypmp42\0\0\0\0".to_vec();
    bytes.extend((0..PART + 70_000).map(|at| u8::try_from(at % 251).unwrap()));
    let announced = json!({ "name": "reel.mp4", "size": bytes.len(), "mime": "video/mp4", "parent_id": folder.parse::<i64>().unwrap() });
    let upload = desk.post("/content/multipart/create", announced).await["upload_id"].clone();
    let mut parts = Vec::new();
    for (number, part) in (1..).zip(bytes.chunks(PART)) {
        let wanted = json!({ "upload_id": upload, "part_number": number });
        let signed = desk.post("/content/multipart/sign", wanted).await;
        let address = within(&signed["url"]);
        // The address alone admits it: no cookie, no token. It takes this part, and no byte more or
        // less.
        let put = |body: Vec<u8>| {
            let request = server.request(Method::PUT, &address);
            server.send(request.header("content-type", "video/mp4").body(body))
        };
        // A server that refuses a long body does not wait for it: this is tried with the short
        // part.
        if part.len() < PART {
            let over = put([part, b"x"].concat()).await;
            assert_eq!((over.status, over.code().as_str()), (413, "body_too_large"));
            let under = put(part[1..].to_vec()).await;
            assert_eq!((under.status, under.code().as_str()), (422, "validation_failed"));
            for wrong in [
                format!("{address}0"),
                address.replacen("part.", "part.9", 1),
                "/admin/content/multipart/part".into(),
            ] {
                let forged =
                    server.send(server.request(Method::PUT, &wrong).body(part.to_vec())).await;
                assert_eq!(
                    (forged.status, forged.code().as_str()),
                    (404, "link_invalid"),
                    "{wrong}"
                );
            }
        }
        let got = put(part.to_vec()).await;
        assert_eq!((got.status, got.header("x-interface-extension")), (200, "1"), "{}", got.json());
        assert_eq!(got.header("etag"), got.json()["data"]["etag"].to_string());
        parts.push(json!({ "part_number": number, "etag": got.header("etag") }));
    }
    let done = json!({ "upload_id": upload, "parts": parts });
    let item = desk.post("/content/multipart/complete", done).await;
    assert_eq!((&item["name"], &item["file"]["size"]), (&json!("reel.mp4"), &json!(bytes.len())));

    let path = format!("/content-management/download/{}", item["id"]);
    let whole = desk.get(&path, None).await;
    assert_eq!((whole.status, whole.bytes.len()), (200, bytes.len()));
    assert!(whole.bytes == bytes && whole.header("accept-ranges") == "bytes");
    assert!(whole.header("content-disposition").starts_with("attachment; filename=\"reel.mp4\""));
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    let last = bytes.len() - 1;
    for (range, from, to) in [
        ("bytes=0-15", 0, 15),
        ("bytes=8388600-8388615", 8_388_600, 8_388_615),
        ("bytes=-5", last - 4, last),
        ("bytes=8400000-", 8_400_000, last),
    ] {
        let part = desk.get(&path, Some(range)).await;
        assert_eq!((part.status, part.bytes.as_slice()), (206, &bytes[from..=to]), "{range}");
        assert_eq!(part.header("content-range"), format!("bytes {from}-{to}/{}", bytes.len()));
        assert_eq!(part.header("content-length"), (to - from + 1).to_string());
    }
    let beyond = desk.get(&path, Some("bytes=99999999-")).await;
    assert_eq!((beyond.status, beyond.code().as_str()), (416, "range_not_satisfiable"));
    for ignored in ["bytes=5-2", "rows=1-2", "bytes=0-1,3-4", "x"] {
        assert_eq!(desk.get(&path, Some(ignored)).await.status, 200, "{ignored}");
    }
    // A preview opens without a log-in, with the same headers.
    let preview = format!("/content-management/preview-url/{}", item["id"]);
    let link = desk.get(&preview, None).await.json()["data"]["url"].clone();
    let shown =
        server.send(server.request(Method::GET, &within(&link)).header("range", "bytes=4-7")).await;
    assert_eq!(
        (shown.status, &*shown.bytes, shown.header("content-type")),
        (206, &b"ftyp"[..], "video/mp4")
    );
    assert_eq!(
        (shown.header("x-content-type-options"), shown.header("cache-control")),
        ("nosniff", "no-store")
    );
    assert!(shown.header("content-security-policy").contains("default-src 'none'"));
    // Every other write of an operator still needs the token of the session.
    let bare = server.request(Method::POST, "/admin/content-management/delete");
    let bare = bare.header("cookie", &desk.session.cookie).json(&json!({ "ids": [item["id"]] }));
    assert_eq!(server.send(bare).await.code(), "csrf_invalid");
    // Paths are routes, not files.
    for path in [
        "/content-management/download/..%2f..%2fnil.db",
        "/content-management/download/1%00",
        "/content-management/../../nil.db",
        "/content-management/download/%2e%2e",
    ] {
        assert_eq!(desk.get(path, None).await.status, 404, "{path}");
    }
}
every_stack!(a_large_file_arrives_in_parts_and_leaves_in_ranges);

async fn a_form_with_a_logo_is_taken_and_everybody_gets_it(server: Server) {
    const PATH: &str = "/site-config/upload-favicon";
    let email = server.world.chief_operator().await;
    let session = log_in_operator(&server, email, PASSWORD).await;
    let desk = Desk { server: &server, session };
    let got = desk.send(PATH, &[("kind", "logo")], Some(("Logo.png", PIXEL))).await;
    assert_eq!(got.status, 200, "{:#}", got.json());
    let seen = server.get(&within(&got.json()["data"]["logo_url"])).await;
    assert_eq!((seen.status, seen.header("content-type")), (200, "image/png"));
    assert!(is_pixel(&seen.bytes));
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>";
    let refused = desk.send(PATH, &[("kind", "logo")], Some(("logo.png", svg))).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "validation_failed"));
}
every_stack!(a_form_with_a_logo_is_taken_and_everybody_gets_it);
