//! Files over real sockets: forms, sizes, and what a browser is told of a file.

use nil_core::content::MediaType;
use nil_tests::{Got, PIXEL, Person, Server, a_file, on_every_stack};
use reqwest::Method;
use serde_json::json;

const BOUNDARY: &str = "--------------------------5f0c";

/// A multipart form as a browser sends it.
fn form(file: &str, content_type: &str, content: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"content\"; filename=\"{file}\"\r\n\
         Content-Type: {content_type}\r\n\r\n"
    );
    [
        head.as_bytes(),
        content,
        format!("\r\n--{BOUNDARY}--\r\n").as_bytes(),
    ]
    .concat()
}

async fn send(server: &Server, who: &Person, body: Vec<u8>) -> Got {
    let request = server
        .request(Method::POST, "/api/files")
        .bearer_auth(who.token.as_deref().unwrap())
        .header(
            "Content-Type",
            format!("multipart/form-data; boundary={BOUNDARY}"),
        )
        .body(body);
    server.send(request).await
}

async fn fetch(server: &Server, who: &Person, path: &str) -> Got {
    let request = server.request(Method::GET, path);
    server
        .send(request.bearer_auth(who.token.as_deref().unwrap()))
        .await
}

on_every_stack! {
    async fn a_form_with_a_file_is_taken(server) {
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
        // A form is for files only.
        let elsewhere = server
            .request(Method::POST, "/api/applyJob")
            .bearer_auth(athlete.token.as_deref().unwrap())
            .header("Content-Type", format!("multipart/form-data; boundary={BOUNDARY}"))
            .body(form("x.png", "image/png", PIXEL));
        assert_eq!(server.send(elsewhere).await.status, 415);
    }

    async fn large_files_are_taken_here_only_and_larger_ones_nowhere(server) {
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
        let json = a_file("x.png", &PIXEL.repeat(60_000));
        let large = server.request(Method::POST, "/api/files").bearer_auth(token).json(&json);
        assert_eq!(server.send(large).await.status, 200);
        let elsewhere = server.request(Method::POST, "/api/applyJob").bearer_auth(token).json(&json);
        assert_eq!(server.send(elsewhere).await.code(), "body_too_large");
        let anonymous = server.request(Method::POST, "/api/files").json(&json);
        assert_eq!(server.send(anonymous).await.status, 401);
    }
}
