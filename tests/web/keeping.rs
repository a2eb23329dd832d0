//! Nothing is lost: files, lists and undo.

use super::client::{Client, Server, human, level};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn pgn(page: &mut Client) -> String {
    page.send(&json!({ "type": "pgn" }));
    page.until("pgn", |_| true)["text"].as_str().expect("a text").to_owned()
}

fn moves(text: &str) -> String {
    let moves = text.split_once("\n\n").expect("moves").1;
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn load(page: &mut Client, text: &str) {
    page.send(&json!({ "type": "loadPgn", "text": text }));
    page.until("accepted", |_| true);
}

#[test]
fn every_game_keeps_its_file() {
    let server = Server::start();
    let mut page = server.join("files");
    let mut names = Vec::new();
    for (text, start) in [("e4", "standard"), ("d4", "standard")] {
        page.new_game(human(), human(), json!({ "kind": start }));
        page.send(&json!({ "type": "move", "text": text }));
        let state = page.state(|state| state["moves"][0]["san"] == text);
        names.push(state["game"].as_str().expect("a name").to_owned());
    }
    load(&mut page, "1. c4 *");
    let state = page.any_state();
    names.push(state["game"].as_str().expect("a name").to_owned());
    assert_eq!(names[0], "files");
    let file = |name: &str| {
        std::fs::read_to_string(server.folder().join(format!("{name}.pgn"))).expect(name)
    };
    for (name, text) in names.iter().zip(["1. e4", "1. d4", "1. c4"]) {
        assert!(file(name).contains(text), "{name}");
    }
    // Back over the games, each to its own file.
    page.send(&json!({ "type": "undo" }));
    page.state(|state| state["game"] == names[1].as_str() && state["moves"][0]["san"] == "d4");
    // The first one is open in another page by now.
    assert_eq!(server.join(&names[0]).any_state()["moves"][0]["san"], "e4");
    page.send(&json!({ "type": "undo" }));
    assert!(page.error().contains("open in another tab"));
}

#[test]
fn what_takes_something_away_can_be_undone() {
    let server = Server::start();
    let mut page = server.join("undo");
    let text = "1. e4 e5 2. Nf3 (2. f4 $1 { x } exf4) 2... Nc6 3. Bb5 1-0";
    load(&mut page, text);
    let before = pgn(&mut page);
    page.send(&json!({ "type": "analyse", "at": 2, "lines": 1 }));
    for request in [
        json!({ "type": "adopt" }),
        json!({ "type": "takeBack" }),
        json!({ "type": "delete", "at": 1 }),
        json!({ "type": "delete", "at": 4 }),
        json!({ "type": "promote", "at": 4, "main": false }),
        json!({ "type": "annotate", "at": 4, "comment": "y", "nags": [2] }),
        json!({ "type": "newGame", "white": human(), "black": human(), "start": { "kind": "standard" } }),
        json!({ "type": "loadPgn", "text": "1. d4 *" }),
    ] {
        page.send(&request);
        assert_ne!(pgn(&mut page), before, "{request}");
        page.send(&json!({ "type": "undo" }));
        assert_eq!(pgn(&mut page), before, "{request}");
    }
    // A game that was over is there as it was, too, when it is played on elsewhere.
    page.send(&json!({ "type": "analyse", "at": 2, "lines": 1 }));
    page.send(&json!({ "type": "adopt" }));
    let state = page.state(|state| state["game"] != "undo");
    assert_eq!(state["moves"].as_array().expect("moves").len(), 2);
    assert_eq!(state["ahead"][0][0]["san"], "Nf3");
    page.send(&json!({ "type": "move", "text": "Bc4" }));
    page.moves(3);
    assert_eq!(
        moves(&pgn(&mut page)),
        "1. e4 e5 2. Bc4 (2. Nf3 Nc6 3. Bb5) (2. f4 $1 { x } 2... exf4) *"
    );
    assert_eq!(pgn(&mut server.join("undo")), before);
}

/// The moves without the evaluations of the analysis, of which there may be any.
fn without_evaluations(pgn: &str) -> String {
    let mut text = moves(pgn).to_owned();
    while let Some(begin) = text.find("[%eval ") {
        let length = text[begin..].find("] ").expect("an end") + 2;
        text.replace_range(begin..begin + length, "");
    }
    text.replace(" { }", "")
}

#[test]
fn variations_are_arranged_and_kept() {
    let mut server = Server::start();
    let mut page = server.join("tree");
    load(&mut page, "1. e4 e5 2. Nf3 *");
    page.send(&json!({ "type": "analyse", "at": 1, "lines": 1 }));
    page.send(&json!({ "type": "move", "text": "c5" }));
    let at =
        page.state(|state| state["analysis"]["at"].as_u64() > Some(1))["analysis"]["at"].clone();
    page.send(
        &json!({ "type": "annotate", "at": at, "comment": "the { Sicilian", "nags": [3, 14] }),
    );
    page.send(&json!({ "type": "look", "at": 1 }));
    page.send(&json!({ "type": "move", "text": "e6" }));
    let state = page.state(|state| state["moves"][1]["variations"][1].is_array());
    let other = state["analysis"]["at"].clone();
    page.send(&json!({ "type": "promote", "at": other, "main": false }));
    page.send(&json!({ "type": "look", "at": 3 }));
    // After the last move: no part of the game, but of what is saved.
    page.send(&json!({ "type": "move", "text": "Nc6" }));
    page.state(|state| state["ahead"][0][0]["san"] == "Nc6");
    let text = "1. e4 e5 (1... e6) (1... c5 $3 $14 { the { Sicilian }) 2. Nf3 Nc6 *";
    assert_eq!(without_evaluations(&pgn(&mut page)), text);
    server = server.restart();
    page = server.join("tree");
    let state = page.any_state();
    assert_eq!(state["moves"].as_array().map(Vec::len), Some(3));
    assert_eq!(state["moves"][1]["variations"][1][0]["nags"], json!([3, 14]));
    assert_eq!(state["ahead"][0][0]["san"], "Nc6");
    assert_eq!(without_evaluations(&pgn(&mut page)), text);
}

#[test]
fn a_running_game_against_the_engine_is_not_rearranged() {
    let server = Server::start();
    let mut page = server.join("running");
    let engine = level(json!({ "by": "depth", "depth": 1 }));
    page.new_game(human(), engine, json!({ "kind": "standard" }));
    page.send(&json!({ "type": "move", "text": "e4" }));
    page.moves(2);
    page.send(&json!({ "type": "analyse", "at": 0, "lines": 1 }));
    page.send(&json!({ "type": "move", "text": "d4" }));
    let state = page.state(|state| state["moves"][0]["variations"][0][0]["san"] == "d4");
    let at = state["analysis"]["at"].clone();
    for request in
        [json!({ "type": "promote", "at": at, "main": true }), json!({ "type": "delete", "at": 1 })]
    {
        page.send(&request);
        assert!(page.error().contains("goes on"), "{request}");
    }
    assert_eq!(page.any_state()["undo"], Value::Null);
    page.send(&json!({ "type": "delete", "at": at }));
    page.state(|state| state["moves"][0]["variations"] == json!([]));
}

#[test]
fn drawings_are_checked_kept_and_had_back() {
    let server = Server::start();
    let mut page = server.join("drawings");
    load(&mut page, "{ [%csl Gd4] } 1. e4 { [%cal Ge2e4,Rd7d5][%csl Yd5] so } e5 { [%csl Xd5] } *");
    let state = page.moves(2);
    assert_eq!(state["start"]["shapes"], json!(["Gd4"]));
    assert_eq!(state["moves"][0]["shapes"], json!(["Ge2e4", "Rd7d5", "Yd5"]));
    assert_eq!(state["moves"][0]["comment"], "so");
    // What is no drawing stays as it is.
    assert_eq!(state["moves"][1]["comment"], "[%csl Xd5]");
    let at = state["moves"][1]["id"].as_u64().expect("a number");
    for wrong in ["Xd5", "Gd9", "Gd5d5", ""] {
        page.send(&json!({ "type": "draw", "at": at, "shapes": [wrong] }));
        assert!(page.error().contains("is neither an arrow nor a square"));
    }
    page.send(&json!({ "type": "draw", "at": at, "shapes": vec!["Gd5"; 1000] }));
    assert!(page.error().contains("from 0 to 200"));
    page.send(&json!({ "type": "draw", "at": at, "shapes": ["Bg1f3"] }));
    let kept = "{ [%csl Gd4] } 1. e4 { [%csl Yd5] [%cal Ge2e4,Rd7d5] so } 1... e5 { [%cal Bg1f3]";
    assert!(moves(&pgn(&mut page)).starts_with(kept));
    page.send(&json!({ "type": "draw", "at": at, "shapes": [] }));
    assert!(!moves(&pgn(&mut page)).contains("Bg1f3"));
    page.send(&json!({ "type": "undo" }));
    assert!(moves(&pgn(&mut page)).contains("Bg1f3"));
}

#[test]
fn analysis_keeps_the_evaluations_of_a_file() {
    let server = Server::start();
    let mut page = server.join("evals");
    load(&mut page, "1. e4 { [%eval 5.55] } e5 *");
    page.send(&json!({ "type": "analyse", "at": 1, "lines": 1 }));
    page.until("thinking", |update| update["lines"][0]["depth"].as_u64() > Some(11));
    page.send(&json!({ "type": "look", "at": 2 }));
    let state = page.state(|state| state["moves"][1]["eval"].is_object());
    assert_eq!(state["moves"][0]["eval"]["cp"], 555);
}

const FILE: &str = "[White \"A\"]\n[Date \"2020.01.02\"]\n\n1. e4 (1. d4) e5 1-0\n\n\
    [White \"B\"]\n\n1. d4 -- *\n\n[White \"C\"]\n\n1. c4 *\n";

fn complete(server: &Server, query: &str) -> Value {
    let begin = Instant::now();
    loop {
        let list = server.api("GET", &format!("/api/games?{query}"), "").1;
        if list["complete"] == true {
            return list;
        }
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn a_file_of_several_games_is_a_list() {
    let mut server = Server::start();
    let mut page = server.join("several");
    load(&mut page, "1. g4 *");
    page.send(&json!({ "type": "loadPgn", "text": FILE }));
    page.until("several", |_| true);
    let (status, id) = server.api("POST", "/api/files?name=some%20games.pgn", FILE);
    assert_eq!(status, 200);
    let id = id.as_str().expect("a name").to_owned();
    let list = complete(&server, &format!("file={id}&count=10"));
    assert_eq!((&list["total"], &list["games"][0]["result"]), (&json!(3), &json!("1-0")));
    assert_eq!((&list["games"][1]["white"], &list["games"][0]["plies"]), (&json!("B"), &json!(2)));
    assert_eq!(complete(&server, &format!("file={id}&count=1&search=c"))["games"][0]["white"], "C");
    assert_eq!(server.api("GET", "/api/files", "").1[0]["name"], "some games.pgn");
    // A game of it has an address, and is a file of its own once it is changed.
    let name = format!("{id}-1");
    let mut other = server.join(&name);
    let notice = other.until("notice", |_| true).to_string();
    assert!(notice.contains("\\\"--\\\" is not a move"), "{notice}");
    other.moves(1);
    assert!(!server.folder().join(format!("{name}.pgn")).exists());
    other.send(&json!({ "type": "move", "text": "d5" }));
    other.moves(2);
    server = server.restart();
    assert_eq!(server.join(&name).moves(2)["names"][0], "B");
    assert_eq!(
        server.join(&format!("{id}-0")).moves(2)["moves"][0]["variations"][0][0]["san"],
        "d4"
    );
    assert_eq!(server.api("DELETE", &format!("/api/files/{id}"), "").0, 204);
    assert_eq!(server.api("GET", &format!("/api/games?file={id}"), "").0, 404);
    assert_eq!(server.api("POST", &format!("/api/files/{id}/restore"), "").0, 204);
    assert_eq!(complete(&server, &format!("file={id}"))["total"], 3);
}

#[test]
fn own_games_are_listed_renamed_deleted_and_exported() {
    let server = Server::start();
    let mut page = server.join("mine");
    load(&mut page, "[White \"Anna\"]\n\n1. e4 e5 1-0");
    load(&mut page, "[White \"Bert\"]\n\n1. d4 *");
    let second = page.any_state()["game"].as_str().expect("a name").to_owned();
    let list = || server.api("GET", "/api/games?count=10", "").1;
    let whites = |list: &Value| -> Vec<String> {
        let games = list["games"].as_array().expect("games").iter();
        games.map(|game| game["white"].as_str().expect("a name").to_owned()).collect()
    };
    let mut both = whites(&list());
    both.sort();
    assert_eq!(both, ["Anna", "Bert"]);
    // One that is open, and one that is not.
    for (id, name) in [(second.as_str(), "My%20best"), ("mine", "The%20other")] {
        assert_eq!(server.api("POST", &format!("/api/games/{id}/rename?name={name}"), "").0, 204);
    }
    assert_eq!(page.state(|state| state["name"] == "My best")["moves"][0]["san"], "d4");
    assert_eq!(
        server.api("GET", "/api/games?count=9&search=other", "").1["games"][0]["white"],
        "Anna"
    );
    let (_, text) = server.request("GET", "/api/export", "");
    assert!(
        text.contains("[Event \"My best\"]") && text.contains("[Event \"The other\"]"),
        "{text}"
    );
    assert!(!text.contains("GambesonState"), "{text}");
    // The page goes on with another game; the deleted one comes back.
    assert_eq!(server.api("DELETE", &format!("/api/games/{second}"), "").0, 204);
    page.state(|state| state["game"] != second.as_str() && state["moves"] == json!([]));
    assert_eq!(whites(&list()), ["Anna"]);
    assert_eq!(server.api("DELETE", "/api/games/mine", "").0, 204);
    assert_eq!(list()["total"], 0);
    for id in [second.as_str(), "mine"] {
        assert_eq!(server.api("POST", &format!("/api/games/{id}/restore"), "").0, 204);
    }
    assert_eq!(list()["total"], 2);
    assert_eq!(server.api("DELETE", "/api/games/nothing", "").0, 404);
    // Another page's page may read nothing and change nothing.
    assert_eq!(server.status_elsewhere("DELETE", "/api/games/mine"), 403);
    assert_eq!(server.status_elsewhere("POST", "/api/files"), 403);
    assert_eq!(list()["total"], 2);
}

#[test]
fn silent_connections_end_and_pages_stay() {
    use std::io::{Read, Write};
    let server = Server::start_with_patience(Duration::from_millis(600));
    let mut silent = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("a server");
    let mut half = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("a server");
    half.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("writable");
    for stream in [&mut silent, &mut half] {
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let mut rest = Vec::new();
        let begin = Instant::now();
        stream.read_to_end(&mut rest).expect("an end, not a timeout");
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
    // A page that answers pings stays, however long its user thinks.
    let mut page = server.join("alive");
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(2500) {
        assert!(page.answers());
        page.idle(Duration::from_millis(900));
    }
}

#[test]
fn the_engine_s_settings_are_checked_and_shared() {
    let server = Server::start();
    let (mut page, mut other) = (server.join("set1"), server.join("set2"));
    let settings = |threads: i64, book: &str| json!({ "type": "engine", "threads": threads, "hash": 32, "syzygy": "", "book": book });
    page.send(&settings(0, ""));
    assert!(page.error().contains("threads must be from 1"));
    page.send(&settings(1, "/nowhere/book.bin"));
    assert!(page.error().contains("the book"));
    page.send(&settings(1, ""));
    assert_eq!(page.until("engine", |_| true)["hash"], 32);
    other.send(&json!({ "type": "analyse", "lines": 1 }));
    other.until("thinking", |update| !update["lines"].as_array().expect("lines").is_empty());
    let hello = server.join("set3").hello();
    assert_eq!(hello["engine"]["hash"], 32);
    drop(page);
    assert_eq!(server.restart().join("set1").hello()["engine"]["hash"], 32);
}
