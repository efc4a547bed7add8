//! A small load generator: fixed requests over persistent connections, with as little work as
//! possible.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Requests per second over `connections` for `time`.
pub async fn requests_per_second(
    address: SocketAddr,
    request: Vec<u8>,
    connections: usize,
    time: Duration,
) -> f64 {
    let answered = Arc::new(AtomicU64::new(0));
    let until = Instant::now() + time;
    let clients: Vec<_> = (0..connections)
        .map(|_| {
            let (request, answered) = (request.clone(), answered.clone());
            tokio::spawn(async move {
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.set_nodelay(true).unwrap();
                let mut buffer = vec![0; 64 * 1024];
                while Instant::now() < until {
                    exchange(&mut stream, &request, &mut buffer).await;
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let started = Instant::now();
    for client in clients {
        client.await.unwrap();
    }
    answered.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64()
}

/// Sends a request and reads its answer, which must be 200 and fit into the buffer.
pub async fn exchange(stream: &mut TcpStream, request: &[u8], buffer: &mut [u8]) {
    stream.write_all(request).await.unwrap();
    read_answer(stream, buffer).await;
}

async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) {
    let mut filled = 0;
    loop {
        let read = stream.read(&mut buffer[filled..]).await.unwrap();
        assert!(read > 0, "the server hung up");
        filled += read;
        let Some(head) = buffer[..filled].windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let text = std::str::from_utf8(&buffer[..head]).unwrap().to_ascii_lowercase();
        assert!(text.starts_with("http/1.1 200"), "{}", String::from_utf8_lossy(&buffer[..filled]));
        let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").trim().parse().unwrap();
        if filled >= head + 4 + length {
            return;
        }
    }
}
