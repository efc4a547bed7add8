//! Closes connections so that the last answer is heard. If a connection is closed while bytes of a
//! body are still unread, or arrive after that, the operating system resets it, and the client may
//! lose the answer that refuses them.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The most bytes that are read and discarded at once.
const AT_ONCE: usize = 16 * 1024;

/// When to stop waiting for the client.
pub(super) type Patience = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A connection that is closed in two steps after an answer that came before the end of its body:
/// this side says that it sends nothing more, and discards what still arrives until the client
/// closes too.
pub(super) struct Lingering<S> {
    stream: S,
    /// Whether the last answer came before the end of its body.
    early: Arc<AtomicBool>,
    patience: Patience,
    /// Whether the client has been told that nothing follows.
    told: bool,
}

impl<S> Lingering<S> {
    pub(super) fn new(stream: S, early: Arc<AtomicBool>, patience: Patience) -> Self {
        Self { stream, early, patience, told: false }
    }
}

impl<S: AsyncRead + Unpin> Lingering<S> {
    /// Discards what arrives, until the client closes or the time is over.
    fn poll_rest(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut bytes = [0; AT_ONCE];
        while self.patience.as_mut().poll(cx).is_pending() {
            let mut into = ReadBuf::new(&mut bytes);
            let read = ready!(Pin::new(&mut self.stream).poll_read(cx, &mut into));
            if read.is_err() || into.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if !this.told {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            this.told = true;
        }
        if this.early.load(Ordering::Relaxed) {
            ready!(this.poll_rest(cx));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    fn lingering<S>(stream: S, early: bool, patience: Patience) -> Lingering<S> {
        Lingering::new(stream, Arc::new(AtomicBool::new(early)), patience)
    }

    #[tokio::test]
    async fn what_still_arrives_is_read_until_the_client_closes() {
        let (mut client, server) = duplex(64);
        let mut server = lingering(server, true, Box::pin(std::future::pending()));
        server.write_all(b"413").await.unwrap();
        let closing = tokio::spawn(async move { server.shutdown().await });
        // Far more than is on its way at once.
        client.write_all(&vec![7; 100_000]).await.unwrap();
        let mut heard = String::new();
        client.read_to_string(&mut heard).await.unwrap();
        assert_eq!(heard, "413");
        assert!(!closing.is_finished());
        drop(client);
        closing.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn nobody_is_waited_for_without_end_or_without_reason() {
        let (_client, server) = duplex(64);
        lingering(server, true, Box::pin(std::future::ready(()))).shutdown().await.unwrap();
        let (_client, server) = duplex(64);
        lingering(server, false, Box::pin(std::future::pending())).shutdown().await.unwrap();
    }
}
