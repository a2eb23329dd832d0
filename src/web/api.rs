//! Lists of games over HTTP: too large for messages, and no business of one game.

use super::server::Server;
use super::session::SessionInput;
use super::store::GameId;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use http_body_util::BodyExt;
use http_body_util::channel::Channel;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

/// How long a game may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// A name is not longer.
const LONGEST_NAME: usize = 200;

pub(super) fn router() -> Router<Arc<Server>> {
    Router::new()
        .route("/games", get(games))
        .route("/games/{id}", delete(delete_game))
        .route("/games/{id}/restore", post(restore_game))
        .route("/games/{id}/rename", post(rename_game))
        .route("/files", get(files).post(upload))
        .route("/files/{id}", delete(delete_file))
        .route("/files/{id}/restore", post(restore_file))
        .route("/export", get(export))
}

#[derive(Debug, Deserialize)]
struct Wanted {
    #[serde(default)]
    file: String,
    #[serde(default)]
    search: String,
    #[serde(default)]
    from: usize,
    #[serde(default)]
    count: usize,
}

#[derive(Debug, Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

/// What went wrong, in words for the page.
fn failed(error: &io::Error) -> Response {
    let status = match error.kind() {
        io::ErrorKind::NotFound => StatusCode::NOT_FOUND,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, format!("{error}\n")).into_response()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "There is no such game or file.\n").into_response()
}

fn json(value: &impl Serialize) -> Response {
    let text = serde_json::to_string(value).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Work on files, off the thread that serves everybody.
async fn apart(work: impl FnOnce() -> Response + Send + 'static) -> Response {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| {
        (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response()
    })
}

fn done(result: io::Result<()>) -> Response {
    result.map_or_else(|error| failed(&error), |()| StatusCode::NO_CONTENT.into_response())
}

async fn games(State(server): State<Arc<Server>>, Query(wanted): Query<Wanted>) -> Response {
    apart(move || {
        let library = server.hub.library();
        let Wanted { file, search, from, count } = wanted;
        if file.is_empty() {
            let list = library.own(&search, from, count);
            return list.map_or_else(|error| failed(&error), |list| json(&list));
        }
        library.of_file(&file, &search, from, count).map_or_else(missing, |list| json(&list))
    })
    .await
}

async fn files(State(server): State<Arc<Server>>) -> Response {
    let list = move || server.hub.library().files();
    apart(move || list().map_or_else(|error| failed(&error), |files| json(&files))).await
}

/// A file of any size, written as it arrives.
async fn upload(
    State(server): State<Arc<Server>>,
    Query(Named { name }): Query<Named>,
    mut body: Body,
) -> Response {
    let library = server.hub.library();
    let (id, draft, mut file) = match library.receive(&name) {
        Ok(begun) => begun,
        Err(error) => return failed(&error),
    };
    let mut written = Ok(());
    while let Some(frame) = body.frame().await {
        written = frame
            .map_err(io::Error::other)
            .and_then(|frame| frame.data_ref().map_or(Ok(()), |data| file.write_all(data)));
        if written.is_err() {
            break;
        }
    }
    match written.and_then(|()| library.received(&id)) {
        Ok(()) => json(&id),
        Err(error) => {
            let _ = std::fs::remove_file(draft.with_extension("name"));
            let _ = std::fs::remove_file(draft);
            failed(&error)
        }
    }
}

async fn delete_file(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Response {
    apart(move || done(server.hub.library().delete_file(&id))).await
}

async fn restore_file(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Response {
    apart(move || done(server.hub.library().restore_file(&id))).await
}

/// Lets the session that has this game do it, or else does it here.
fn with_game(
    server: &Server,
    id: &str,
    ask: impl FnOnce(mpsc::Sender<io::Result<()>>) -> SessionInput,
    alone: impl FnOnce(&GameId) -> io::Result<()>,
) -> Response {
    let Some(id) = GameId::parse(id) else { return missing() };
    let (sender, answer) = mpsc::channel();
    if server.hub.tell(&id, ask(sender)) {
        let late = || io::Error::new(io::ErrorKind::TimedOut, "the game does not answer");
        return done(answer.recv_timeout(PATIENCE).unwrap_or_else(|_| Err(late())));
    }
    done(alone(&id))
}

async fn delete_game(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Response {
    apart(move || {
        let store = server.hub.store();
        with_game(&server, &id, SessionInput::Discard, |id| store.delete(id))
    })
    .await
}

async fn restore_game(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Response {
    apart(move || {
        let id = GameId::parse(&id);
        id.map_or_else(missing, |id| done(server.hub.store().restore(&id)))
    })
    .await
}

async fn rename_game(
    State(server): State<Arc<Server>>,
    Path(id): Path<String>,
    Query(Named { name }): Query<Named>,
) -> Response {
    apart(move || {
        let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        let other = name.clone();
        let ask = |answer| SessionInput::Rename(other, answer);
        with_game(&server, &id, ask, |id| server.hub.store().rename(id, &name))
    })
    .await
}

/// All our games that match a search, one after the other.
async fn export(State(server): State<Arc<Server>>, Query(wanted): Query<Wanted>) -> Response {
    let games = match server.hub.library().export(&wanted.search) {
        Ok(games) => games,
        Err(error) => return failed(&error),
    };
    let (mut sender, body) = Channel::<axum::body::Bytes, io::Error>::new(8);
    tokio::spawn(async move {
        for game in games {
            let sent = match game {
                Ok(text) => sender.send_data(text.into()).await,
                Err(error) => {
                    log::warn!("a game is left out of the export: {error}");
                    continue;
                }
            };
            if sent.is_err() {
                return;
            }
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"gambeson-games.pgn\""),
    ];
    (headers, Body::new(body)).into_response()
}
