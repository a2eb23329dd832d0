//! A server in this process, and a page without a browser.

use gambeson::web::{BoardServer, Page, Store};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

/// Nothing takes longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Server {
    pub port: u16,
    games: TempDir,
}

impl Server {
    pub fn start() -> Server {
        Server::with_games(tempfile::tempdir().expect("a folder"), None)
    }

    pub fn start_with_patience(patience: Duration) -> Server {
        Server::with_games(tempfile::tempdir().expect("a folder"), Some(patience))
    }

    fn with_games(games: TempDir, patience: Option<Duration>) -> Server {
        let mut board = BoardServer::bind(Some(0)).expect("a free port");
        if let Some(patience) = patience {
            board = board.with_patience(patience);
        }
        let address = board.address();
        let port = address.trim_end_matches('/').rsplit(':').next().expect("a port");
        let port = port.parse().expect("a number");
        let store = Store::new(games.path().to_owned());
        let page = Page::Folder(PathBuf::from("nowhere"));
        // It ends with the test.
        std::thread::spawn(move || board.serve(page, store));
        Server { port, games }
    }

    /// Another server with the same games, as after a crash: the old one is not told.
    pub fn restart(self) -> Server {
        Server::with_games(self.games, None)
    }

    pub fn folder(&self) -> &std::path::Path {
        self.games.path()
    }

    /// The status and the body of the answer to a page of ours.
    pub fn request(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let ours = format!("127.0.0.1:{}", self.port);
        let origin = format!("http://{ours}");
        let length = body.len().to_string();
        let headers = [("Host", &*ours), ("Origin", &*origin), ("Content-Length", &*length)];
        let answer = self.exchange(method, path, &headers, body);
        let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
        (status(head), body.to_owned())
    }

    /// The same with JSON in the answer.
    pub fn api(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let (status, body) = self.request(method, path, body);
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    /// The status of the answer to a page of somebody else.
    pub fn status_elsewhere(&self, method: &str, path: &str) -> u16 {
        let ours = format!("127.0.0.1:{}", self.port);
        let headers = [("Host", &*ours), ("Origin", "http://evil.example")];
        status(&self.exchange(method, path, &headers, ""))
    }

    /// The whole answer to a GET with exactly these headers.
    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> String {
        self.exchange("GET", path, headers, "")
    }

    fn exchange(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("\r\n{body}");
        stream.write_all(request.as_bytes()).expect("writable");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("readable");
        answer
    }

    /// Opens a WebSocket, or says with which status it was refused.
    pub fn connect_from(&self, game: &str, origin: Option<&str>) -> Result<Client, u16> {
        let address = format!("ws://127.0.0.1:{}/ws/{game}", self.port);
        let mut request = address.into_client_request().expect("an address");
        if let Some(origin) = origin {
            let origin = HeaderValue::from_str(origin).expect("a header");
            request.headers_mut().insert("Origin", origin);
        }
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Client { socket, hello: Value::Null, last_state: Value::Null }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(other) => panic!("{other}"),
        }
    }

    pub fn join(&self, game: &str) -> Client {
        self.try_join(game).expect("our own origin")
    }

    /// Waits while too many games are open: those that nobody looks at end within a minute.
    pub fn join_in_time(&self, game: &str) -> Client {
        let begin = Instant::now();
        loop {
            match self.try_join(game) {
                Ok(client) => return client,
                Err(503) if begin.elapsed() < 3 * PATIENCE => {
                    std::thread::sleep(Duration::from_secs(1));
                }
                Err(status) => panic!("{game} is refused with {status}"),
            }
        }
    }

    fn try_join(&self, game: &str) -> Result<Client, u16> {
        let origin = format!("http://127.0.0.1:{}", self.port);
        let mut client = self.connect_from(game, Some(&origin))?;
        client.hello = client.next();
        assert_eq!(client.hello["type"], "hello");
        Ok(client)
    }
}

fn status(answer: &str) -> u16 {
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("no status: {answer}"))
}

pub struct Client {
    socket: WebSocket<TcpStream>,
    hello: Value,
    last_state: Value,
}

impl Client {
    pub fn try_send_text(&mut self, text: &str) -> tungstenite::Result<()> {
        self.socket.send(Message::text(text))
    }

    pub fn send_text(&mut self, text: &str) {
        self.try_send_text(text).expect("connected");
    }

    pub fn send(&mut self, request: &Value) {
        self.send_text(&request.to_string());
    }

    pub fn new_game(&mut self, white: Value, black: Value, start: Value) {
        self.send(&json!({ "type": "newGame", "white": white, "black": black, "start": start }));
        self.until("accepted", |_| true);
    }

    fn next(&mut self) -> Value {
        loop {
            match self.socket.read().expect("a message in time") {
                Message::Text(text) => {
                    let update: Value = serde_json::from_str(&text).expect("JSON");
                    if update["type"] == "state" {
                        self.last_state = update.clone();
                    }
                    return update;
                }
                Message::Close(_) => panic!("the server closed the connection"),
                _ => {}
            }
        }
    }

    /// The next message of this type that fits.
    pub fn until(&mut self, kind: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let begin = Instant::now();
        loop {
            let update = self.next();
            if update["type"] == kind && fits(&update) {
                return update;
            }
            assert!(kind == "error" || update["type"] != "error", "{update}");
            assert!(begin.elapsed() < PATIENCE, "no {kind}; the state is {}", self.last_state);
        }
    }

    /// The first message.
    pub fn hello(&self) -> Value {
        self.hello.clone()
    }

    /// Reads what comes for so long, and answers pings.
    pub fn idle(&mut self, time: Duration) {
        let begin = Instant::now();
        let timeout = |client: &mut Client, time| {
            client.socket.get_mut().set_read_timeout(Some(time)).expect("a timeout");
        };
        timeout(self, Duration::from_millis(50));
        while begin.elapsed() < time {
            match self.socket.read() {
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => panic!("the connection ended: {error}"),
            }
        }
        timeout(self, PATIENCE);
    }

    /// The first state that fits, the last one seen included.
    pub fn state(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if !self.last_state.is_null() && fits(&self.last_state) {
            return self.last_state.clone();
        }
        self.until("state", fits)
    }

    pub fn any_state(&mut self) -> Value {
        self.state(|_| true)
    }

    /// The state once the game has this many half-moves.
    pub fn moves(&mut self, count: usize) -> Value {
        self.state(|state| state["moves"].as_array().is_some_and(|moves| moves.len() == count))
    }

    pub fn error(&mut self) -> String {
        let update = self.until("error", |_| true);
        update["text"].as_str().expect("a text").to_owned()
    }

    /// Whether the server answers in time, whatever else it says before.
    pub fn answers(&mut self) -> bool {
        if self.try_send_text(&json!({ "type": "pgn" }).to_string()).is_err() {
            return false;
        }
        let begin = Instant::now();
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) if text.starts_with(r#"{"type":"pgn""#) => return true,
                Ok(Message::Close(_))
                | Err(tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed) => {
                    return false;
                }
                Ok(_) => assert!(begin.elapsed() < PATIENCE, "no answer"),
                Err(tungstenite::Error::Io(error)) if error.kind() != ErrorKind::WouldBlock => {
                    return false;
                }
                Err(error) => panic!("the server hangs: {error}"),
            }
        }
    }

    pub fn is_closed(&mut self) -> bool {
        loop {
            match self.socket.read() {
                Ok(Message::Close(_)) | Err(_) => return true,
                Ok(_) => {}
            }
        }
    }
}

pub fn human() -> Value {
    json!({ "kind": "human", "clock": null })
}

pub fn level(level: Value) -> Value {
    json!({ "kind": "engine", "level": level })
}
