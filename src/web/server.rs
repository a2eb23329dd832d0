//! HTTP and WebSockets. Only this machine is served, and only pages of ours: the
//! `Host` of every request must be a loopback name with our port, so that no
//! outside name that resolves to this machine gets in, and the `Origin` of every
//! WebSocket and of all that changes something must be our own page, as browsers let
//! any page open the one and send the other.

use super::api;
use super::hub::Hub;
use super::page::Page;
use super::session::SessionInput;
use super::store::GameId;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// The largest message a page may send: a file with thousands of games fits.
pub const LARGEST_MESSAGE: usize = 64 << 20;
/// Messages that wait for a page to read them.
const OUTBOX: usize = 256;
/// Nothing from elsewhere is loaded, and nobody may put the page into a frame.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(Debug)]
pub(super) struct Server {
    pub(super) hub: Hub,
    pub(super) page: Page,
    pub(super) port: u16,
    /// A page that is silent for so long is gone.
    pub(super) patience: Duration,
}

pub(super) fn router(server: Server) -> Router {
    let server = Arc::new(server);
    Router::new()
        .route("/ws/{game}", get(connect))
        .nest("/api", api::router())
        .fallback(file)
        .layer(middleware::from_fn_with_state(Arc::clone(&server), only_from_here))
        .with_state(server)
}

impl Server {
    /// Whether this is a name of ours, as a `Host` header gives it.
    fn is_our_host(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|name| host.strip_prefix(name) == Some(&format!(":{}", self.port)))
    }

    fn is_our_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_our_host(host))
    }
}

async fn only_from_here(
    State(server): State<Arc<Server>>,
    request: Request,
    next: Next,
) -> Response {
    if !names(request.headers(), &header::HOST, |host| server.is_our_host(host)) {
        return (StatusCode::FORBIDDEN, "This is not the name of this server.\n").into_response();
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let ours = |origin: &str| server.is_our_origin(origin);
    if !reads && !names(request.headers(), &header::ORIGIN, ours) {
        return (StatusCode::FORBIDDEN, "Only the page of this server may change anything.\n")
            .into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether the header is there exactly once and acceptable.
fn names(headers: &HeaderMap, name: &header::HeaderName, accept: impl Fn(&str) -> bool) -> bool {
    let mut values = headers.get_all(name).iter();
    let first = values.next().and_then(|value| value.to_str().ok());
    first.is_some_and(accept) && values.next().is_none()
}

async fn file(State(server): State<Arc<Server>>, uri: Uri) -> Response {
    match server.page.file(uri.path()) {
        Some(file) => ([(header::CONTENT_TYPE, file.mime)], Body::from(file.bytes.into_owned()))
            .into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such page.\n").into_response(),
    }
}

async fn connect(
    State(server): State<Arc<Server>>,
    Path(game): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !names(&headers, &header::ORIGIN, |origin| server.is_our_origin(origin)) {
        log::warn!("a page from elsewhere was refused: {:?}", headers.get(header::ORIGIN));
        return (StatusCode::FORBIDDEN, "Only the page of this server may connect.\n")
            .into_response();
    }
    let Some(game) = GameId::parse(&game) else {
        return (StatusCode::NOT_FOUND, "This is not the name of a game.\n").into_response();
    };
    let (outbox, outgoing) = mpsc::channel(OUTBOX);
    let (client, session) = match server.hub.join(&game, outbox) {
        Ok(joined) => joined,
        Err(error) => {
            return (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response();
        }
    };
    let ping = server.patience / 3;
    upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE).on_upgrade(
        async move |socket| {
            let incoming = |text| session.send(SessionInput::Text(client, text)).is_ok();
            relay(socket, outgoing, incoming, ping).await;
            let _ = session.send(SessionInput::Leave(client));
        },
    )
}

/// Carries messages both ways until either side has had enough. A page is asked now and
/// then whether it is still there: if it does not answer, the connection times out.
async fn relay(
    mut socket: WebSocket,
    mut outgoing: mpsc::Receiver<String>,
    incoming: impl Fn(String) -> bool,
    ping: Duration,
) {
    let mut due = tokio::time::interval(ping);
    loop {
        tokio::select! {
            _ = due.tick() => {
                if socket.send(Message::Ping(Bytes::new())).await.is_err() {
                    return;
                }
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    if !incoming(text.to_string()) {
                        return;
                    }
                }
                Some(Ok(Message::Binary(_) | Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            text = outgoing.recv() => match text {
                Some(text) => {
                    if socket.send(Message::Text(text.into())).await.is_err() {
                        return;
                    }
                }
                None => return,
            },
        }
    }
}
