//! Connections that end when the other side says and takes nothing for too long: one that
//! was only half opened, or whose machine has gone to sleep, must not stay for ever.

use axum::serve::Listener;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

pub(super) struct Patient {
    pub(super) listener: TcpListener,
    pub(super) patience: Duration,
}

impl Listener for Patient {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let patience = self.patience;
        (Connection { stream, patience, end: Box::pin(sleep(patience)) }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

pub(super) struct Connection {
    stream: TcpStream,
    patience: Duration,
    end: Pin<Box<Sleep>>,
}

impl Connection {
    /// Something went through: the time begins again.
    fn lives(&mut self) {
        self.end.as_mut().reset(Instant::now() + self.patience);
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                self.lives();
                Poll::Ready(read)
            }
            Poll::Pending => {
                let over = self.end.as_mut().poll(context);
                over.map(|()| Err(io::Error::new(io::ErrorKind::TimedOut, "nothing was said")))
            }
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        // What is only taken into the socket's buffer shows nothing about the other side,
        // but a download of many megabytes does.
        if bytes.len() > 4096 && written.is_ready() {
            self.lives();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
