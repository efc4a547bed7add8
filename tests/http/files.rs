//! Files over real sockets: forms, sizes, and response headers of files.

use nil_core::content::MediaType;
use nil_tests::{Got, PIXEL, Person, Server, a_file, a_filing, every_stack, is_pixel, unpacked};
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const BOUNDARY: &str = "--------------------------5f0c";

/// A multipart form as a browser sends it.
fn form(file: &str, content_type: &str, content: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"content\"; filename=\"{file}\"\r\n\
         Content-Type: {content_type}\r\n\r\n"
    );
    [head.as_bytes(), content, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

async fn send(server: &Server, who: &Person, body: Vec<u8>) -> Got {
    let request = server
        .request(Method::POST, "/api/files")
        .bearer_auth(who.token.as_deref().unwrap())
        .header("Content-Type", format!("multipart/form-data; boundary={BOUNDARY}"))
        .body(body);
    server.send(request).await
}

async fn fetch(server: &Server, who: &Person, path: &str) -> Got {
    let request = server.request(Method::GET, path);
    server.send(request.bearer_auth(who.token.as_deref().unwrap())).await
}

/// The server's answer to a client that announces a body and sends nothing.
async fn only_announced(server: &Server, path: &str, size: usize) -> String {
    announcing(server, &format!("PUT {path} HTTP/1.1\r\n"), size).await
}

/// The server's answer to a client that sends these first lines of a head, announces a body of this
/// size and sends nothing.
async fn announcing(server: &Server, head: &str, size: usize) -> String {
    let head = format!("{head}Host: x\r\nConnection: close\r\nContent-Length: {size}\r\n\r\n");
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

async fn a_form_with_a_file_is_taken(server: Server) {
    let athlete = server.world.athlete("Zoe Okafor").await;
    let got = send(&server, &athlete, form("Reel.png", "image/png", PIXEL)).await;
    assert_eq!((got.status, got.header("x-interface-extension")), (200, "1"));
    let file = got.json()["data"].clone();
    assert_eq!((&file["name"], &file["media_type"]), (&json!("Reel.png"), &json!("image/png")));
    let back = fetch(&server, &athlete, &format!("/api/files/{}", file["id"])).await;
    assert_eq!((back.status, &*back.bytes), (200, PIXEL));
    assert_eq!(back.header("content-type"), "image/png");
    assert_eq!(back.header("content-length"), PIXEL.len().to_string());
    assert!(back.header("content-disposition").starts_with("attachment; filename=\"Reel.png\""));
    assert_eq!(back.header("x-content-type-options"), "nosniff");
    assert_eq!(fetch(&server, &athlete, "/api/files/0").await.status, 404);
    assert_eq!(fetch(&server, &athlete, "/api/files/etc").await.status, 404);

    let wrong = send(&server, &athlete, form("x.png", "image/jpeg", PIXEL)).await;
    assert_eq!((wrong.status, wrong.code().as_str()), (422, "validation_failed"));
    let unknown = send(&server, &athlete, form("x.png", "application/octet-stream", PIXEL)).await;
    assert_eq!(unknown.status, 200);
    let nothing = send(&server, &athlete, format!("--{BOUNDARY}--\r\n").into_bytes()).await;
    assert_eq!(nothing.status, 422);
    let broken = send(&server, &athlete, b"--wrong".to_vec()).await;
    assert_eq!((broken.status, broken.code().as_str()), (400, "malformed_form"));
    // A signed URL needs no log-in; a wrong one is 404.
    let signed = server.get("/api/files/signed?token=1.9999999999.00").await;
    assert_eq!((signed.status, signed.code().as_str()), (404, "link_invalid"));
    assert_eq!(server.get("/api/files/signed").await.status, 422);
    // A form is for files only.
    let elsewhere = server
        .request(Method::POST, "/api/applyJob")
        .bearer_auth(athlete.token.as_deref().unwrap())
        .header("Content-Type", format!("multipart/form-data; boundary={BOUNDARY}"))
        .body(form("x.png", "image/png", PIXEL));
    assert_eq!(server.send(elsewhere).await.status, 415);
}
every_stack!(a_form_with_a_file_is_taken);

async fn a_signed_address_is_all_a_browser_needs(server: Server) {
    let hire = server.world.active(json!({})).await;
    let proof = server.world.file(&hire.athlete, "proof.png").await;
    let work = json!({ "deliverable_id": hire.deliverables[0], "file_ids": [proof] });
    server.world.call("core.deliverable.submit", &hire.athlete.principal, work).await.data();
    let yes = json!({ "deliverable_id": hire.deliverables[0], "status": "approved" });
    server.world.call("core.deliverable.change_status", &hire.partner.principal, yes).await.data();
    let path = format!("/api/partner/content/assets/{}/download", hire.deliverables[0]);
    let token = hire.partner.token.as_deref().unwrap();
    let ask = |body| server.request(Method::POST, &path).bearer_auth(token).json(&body);
    let link = server.send(ask(json!({}))).await.json()["data"]["url"].clone();
    let (_, address) = link.as_str().unwrap().split_once(":8080").unwrap();
    let file = server.get(address).await;
    assert_eq!((file.status, &*file.bytes), (200, PIXEL));
    assert_eq!(file.header("cache-control"), "no-store");
    let inline = server.send(ask(json!({ "inline": true }))).await;
    assert_eq!(
        (inline.status, &*inline.bytes, inline.header("content-type")),
        (200, PIXEL, "image/png")
    );
    let table = server.request(Method::POST, "/api/partner/deliverableReportExport");
    let table = server.send(table.bearer_auth(token).json(&json!({}))).await;
    assert_eq!((table.status, table.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert!(table.header("content-disposition").contains("deliverables-2026-11-20.csv"));
    assert_eq!(String::from_utf8(table.bytes).unwrap().lines().count(), 3);
}
every_stack!(a_signed_address_is_all_a_browser_needs);

async fn large_files_are_taken_here_only_and_larger_ones_nowhere(server: Server) {
    let athlete = server.world.athlete("Zoe Okafor").await;
    let video = |size: usize| {
        let mut bytes = b"\0\0\0\x18ftypmp42\0\0\0\0".to_vec();
        bytes.resize(size, 0);
        form("reel.mp4", "video/mp4", &bytes)
    };
    let got = send(&server, &athlete, video(MediaType::LARGEST)).await;
    assert_eq!(got.status, 200, "{}", String::from_utf8_lossy(&got.bytes));
    let path = format!("/api/files/{}", got.json()["data"]["id"]);
    let back = fetch(&server, &athlete, &path).await;
    assert_eq!((back.status, back.bytes.len()), (200, MediaType::LARGEST));
    let over = send(&server, &athlete, video(MediaType::LARGEST + 1)).await;
    assert_eq!(over.status, 422);

    let token = athlete.token.as_deref().unwrap();
    let json = a_file("x.png", &PIXEL.repeat(30_000));
    let large = server.request(Method::POST, "/api/files").bearer_auth(token).json(&json);
    assert_eq!(server.send(large).await.status, 200);
    let elsewhere = server.request(Method::POST, "/api/applyJob").bearer_auth(token).json(&json);
    assert_eq!(server.send(elsewhere).await.code(), "body_too_large");
    let anonymous = server.request(Method::POST, "/api/files").json(&json);
    assert_eq!(server.send(anonymous).await.status, 401);
}
every_stack!(large_files_are_taken_here_only_and_larger_ones_nowhere);

async fn a_signed_address_takes_the_bytes_that_were_announced(server: Server) {
    let hire = server.world.active(json!({})).await;
    let token = hire.athlete.token.as_deref().unwrap();
    let announce = async |size: usize| {
        let input = json!({
            "job_id": hire.job, "athlete_id": hire.athlete.id, "name": "a.png", "size": size,
            "mime": "image/png",
        });
        let request = server.request(Method::POST, "/api/deal-folder/direct-upload/create");
        let got = server.send(request.bearer_auth(token).json(&input)).await;
        let data = got.json()["data"].clone();
        let (_, address) = data["url"].as_str().unwrap().split_once(":8080").unwrap();
        (data["upload_id"].clone(), address.to_owned())
    };
    let put = async |address: &str, body: Vec<u8>| {
        let request = server.request(Method::PUT, address);
        server.send(request.header("Content-Type", "image/png").body(body)).await
    };
    let (upload, address) = announce(PIXEL.len()).await;
    // Refused because of the announced size, before any content was received.
    let over = only_announced(&server, &address, PIXEL.len() + 1).await;
    assert!(over.starts_with("HTTP/1.1 413") && over.contains("body_too_large"), "{over}");
    let forged = "/api/deal-folder/direct-upload?token=upload.1.50000000.9999999999.00";
    let forged = only_announced(&server, forged, 50_000_000).await;
    assert!(forged.starts_with("HTTP/1.1 404") && forged.contains("link_invalid"), "{forged}");
    let under = put(&address, PIXEL[1..].to_vec()).await;
    assert_eq!((under.status, under.code().as_str()), (422, "validation_failed"));
    assert_eq!(put(&address, Vec::new()).await.status, 422);
    for wrong in [
        "/api/deal-folder/direct-upload",
        &format!("{address}0"),
        &address.replace("upload.", "upload.9"),
    ] {
        let refused = only_announced(&server, wrong, PIXEL.len()).await;
        assert!(
            refused.starts_with("HTTP/1.1 404") && refused.contains("link_invalid"),
            "{refused}"
        );
    }
    let got = put(&address, PIXEL.to_vec()).await;
    assert_eq!((got.status, got.header("x-interface-extension")), (200, "1"), "{}", got.json());
    let sum = got.json()["data"]["sha256"].clone();
    let complete = server.request(Method::POST, "/api/deal-folder/direct-upload/complete");
    let input = json!({ "upload_id": upload, "sha256": sum });
    let done = server.send(complete.bearer_auth(token).json(&input)).await.json();
    let path = format!("/api/deal-folder/files/{}?inline=true", done["data"]["id"]);
    let back = fetch(&server, &hire.partner, &path).await;
    assert_eq!((back.status, &*back.bytes, back.header("content-type")), (200, PIXEL, "image/png"));
    // A large file, longer than any other body may be.
    let mut large = PIXEL.to_vec();
    large.resize(8 * 1024 * 1024, 0);
    let (_, address) = announce(large.len()).await;
    assert_eq!(put(&address, large).await.status, 200);
    let folder = format!("/api/deal-folder/{}/{}", hire.job, hire.athlete.id);
    let list = fetch(&server, &hire.partner, &folder).await.json();
    assert_eq!(list["pagination"]["total"], 1);
    assert_eq!(fetch(&server, &hire.partner, "/api/deal-folder/x/1").await.status, 404);
}
every_stack!(a_signed_address_takes_the_bytes_that_were_announced);

async fn a_form_puts_a_file_into_a_folder(server: Server) {
    let hire = server.world.hired(json!({})).await;
    let field = |name: &str, value: String| {
        format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        )
    };
    let fields = [
        field("job_id", hire.job.to_string()),
        field("athlete_id", hire.athlete.id.to_string()),
        field("note", "From the shoot.".into()),
    ];
    let body = [fields.concat().into_bytes(), form("Shot.png", "image/png", PIXEL)].concat();
    let request = server
        .request(Method::POST, "/api/deal-folder/files")
        .bearer_auth(hire.athlete.token.as_deref().unwrap())
        .header("Content-Type", format!("multipart/form-data; boundary={BOUNDARY}"))
        .body(body);
    let got = server.send(request).await;
    assert_eq!(got.status, 200, "{}", got.json());
    let added = got.json()["data"].clone();
    assert_eq!(
        (&added["file"]["name"], &added["note"]),
        (&json!("Shot.png"), &json!("From the shoot."))
    );
    let path = format!("/api/deal-folder/files/{}", added["id"]);
    let link = fetch(&server, &hire.partner, &path).await.json()["data"]["url"].clone();
    let (_, address) = link.as_str().unwrap().split_once(":8080").unwrap();
    assert_eq!(&*server.get(address).await.bytes, PIXEL);
    let remove = |who: &Person| {
        server.request(Method::DELETE, &path).bearer_auth(who.token.clone().unwrap())
    };
    assert_eq!(server.send(remove(&hire.partner)).await.status, 404);
    assert_eq!(server.send(remove(&hire.athlete)).await.status, 200);
    assert_eq!(server.get(address).await.code(), "link_invalid");
}
every_stack!(a_form_puts_a_file_into_a_folder);

async fn everybody_gets_a_picture_by_its_address(server: Server) {
    let athlete = server.world.athlete("Zoe Okafor").await;
    let photo = server.world.file(&athlete, "me.png").await;
    let request = server.request(Method::POST, "/api/editAthleteWebsite");
    let edit = request
        .bearer_auth(athlete.token.as_deref().unwrap())
        .json(&json!({ "photo_file_id": photo }));
    let url = server.send(edit).await.json()["data"]["photo_url"].clone();
    let (_, address) = url.as_str().unwrap().split_once(":8080").unwrap();
    let got = server.get(address).await;
    assert_eq!((got.status, got.header("content-type")), (200, "image/png"));
    assert!(is_pixel(&got.bytes));
    assert_eq!(server.get("/api/pictures/1-00").await.code(), "not_found");
}
every_stack!(everybody_gets_a_picture_by_its_address);

async fn a_filing_carries_its_documents_and_gives_them_back(server: Server) {
    const PATH: &str = "/api/compliance/athlete-agent-disclosures";
    const MIB: usize = 1024 * 1024;
    let college = server.world.college().await;
    let athlete = server.world.athlete_of("Zoe Okafor", college).await;
    let (_, token) = server.world.portal_user(college, "officer").await;
    let document = |size: usize| {
        let mut bytes = b"%PDF-1.7\n".to_vec();
        bytes.resize(size, b' ');
        a_file("contract.pdf", &bytes)
    };
    let post = |documents: serde_json::Value| {
        let filing = a_filing(athlete.id, json!({ "submit": true, "documents": documents }));
        server.request(Method::POST, PATH).bearer_auth(&token).json(&filing)
    };
    let got = server.send(post(json!([document(10 * MIB)]))).await;
    assert_eq!(got.status, 200, "{}", String::from_utf8_lossy(&got.bytes));
    let head = format!("POST {PATH} HTTP/1.1\r\nAuthorization: Bearer {token}\r\n");
    let over = announcing(&server, &head, 15 * MIB).await;
    assert!(over.starts_with("HTTP/1.1 413") && over.contains("body_too_large"), "{over}");
    let form = server
        .request(Method::POST, PATH)
        .bearer_auth(&token)
        .header("Content-Type", format!("multipart/form-data; boundary={BOUNDARY}"))
        .body(form("x.png", "image/png", PIXEL));
    assert_eq!(server.send(form).await.status, 415);
    let id = &got.json()["data"]["id"];
    let get = |path: String| server.request(Method::GET, &path).bearer_auth(&token);
    let zip = server.send(get(format!("{PATH}/{id}/download-documents"))).await;
    assert_eq!((zip.status, zip.header("content-type")), (200, "application/zip"));
    assert!(zip.header("content-disposition").contains("athlete-agent-disclosure-"));
    assert_eq!(unpacked(&zip.bytes)["documents/01-contract.pdf"].len(), 10 * MIB);
    assert_eq!(
        server.send(get(format!("{PATH}?late=false&statuses=submitted&q=zoe"))).await.status,
        200
    );
    for nothing in ["0", "999999", "etc"] {
        assert_eq!(server.send(get(format!("{PATH}/{nothing}"))).await.status, 404);
    }
    let gone = server.request(Method::DELETE, &format!("{PATH}/{id}")).bearer_auth(&token);
    assert_eq!(server.send(gone).await.status, 200);
}
every_stack!(a_filing_carries_its_documents_and_gives_them_back);
