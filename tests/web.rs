//! The board's server: who may talk to it, and the messages between page and
//! server. Every test has a server of its own on a free port.

#[path = "web/client.rs"]
mod client;
#[path = "web/keeping.rs"]
mod keeping;
#[path = "common/random.rs"]
mod random;
#[path = "common/requests.rs"]
mod requests;

use client::{Client, Server, human, level};
use random::Dice;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const PROMOTION: &str = "1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1";

#[test]
fn serves_the_page_to_this_machine_only() {
    let server = Server::start();
    let port = server.port;
    let page = server.get("/", &[("Host", &format!("127.0.0.1:{port}"))]);
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    for header in ["content-security-policy: default-src 'self'", "x-content-type-options: nosniff"]
    {
        assert!(page.contains(header), "{page}");
    }
    for host in ["localhost", "[::1]"] {
        let answer = server.get("/", &[("Host", &format!("{host}:{port}"))]);
        assert!(answer.starts_with("HTTP/1.1 200"), "{host}: {answer}");
    }
    let other = port.wrapping_add(1);
    for host in [
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost:{other}"),
        "localhost".to_owned(),
        String::new(),
    ] {
        let answer = server.get("/", &[("Host", &host)]);
        assert!(answer.starts_with("HTTP/1.1 403"), "{host}: {answer}");
    }
    let ours = format!("127.0.0.1:{port}");
    assert!(server.get("/", &[]).starts_with("HTTP/1.1 403"));
    assert!(server.get("/", &[("Host", &ours), ("Host", "evil.example")]).contains(" 403 "));
    let missing = server.get("/../Cargo.toml", &[("Host", &ours)]);
    assert!(missing.starts_with("HTTP/1.1 404"), "{missing}");
}

#[test]
fn what_cannot_be_served_is_said_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a file");
    std::fs::write(&file, "").expect("writable");
    let inside = file.join("games");
    let missing = folder.path().join("page");
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    for (option, value, reason) in [
        ("--games", text(&file), "games cannot be kept in "),
        ("--games", text(&inside), "games cannot be kept in "),
        ("--page", text(&missing), "has no page: there is no index.html in it"),
    ] {
        let games = folder.path().join("games");
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_gambeson"));
        program.args(["play", "--no-open", "--port", "0"]);
        if option == "--page" {
            program.arg("--games").arg(&games);
        }
        let done = program.args([option, &value]).output().expect("it ends");
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{option} {value}: {told}");
        assert!(told.contains(reason), "{option} {value}: {told}");
        assert!(done.stdout.is_empty(), "{option} {value}");
    }
}

#[test]
fn refuses_pages_from_elsewhere() {
    let server = Server::start();
    let port = server.port;
    for origin in [
        None,
        Some("http://evil.example".to_owned()),
        Some(format!("http://evil.example:{port}")),
        Some(format!("https://127.0.0.1:{port}")),
        Some(format!("http://127.0.0.1:{}", port.wrapping_add(1))),
        Some(format!("http://127.0.0.1:{port}.evil.example")),
        Some("null".to_owned()),
    ] {
        let status = server.connect_from("game1", origin.as_deref()).err();
        assert_eq!(status, Some(403), "{origin:?}");
    }
    for origin in [format!("http://127.0.0.1:{port}"), format!("http://localhost:{port}")] {
        assert!(server.connect_from("game1", Some(&origin)).is_ok(), "{origin}");
    }
    let ours = format!("http://127.0.0.1:{port}");
    for name in ["abc", "UPPER", "a.b.c.d", "..%2F..%2Fetc"] {
        assert_eq!(server.connect_from(name, Some(&ours)).err(), Some(404), "{name}");
    }
}

#[test]
fn says_what_is_legal_and_keeps_to_it() {
    let server = Server::start();
    let mut page = server.join("rules");
    page.new_game(human(), human(), json!({ "kind": "fen", "fen": PROMOTION }));
    let state = page.state(|state| state["start"]["fen"] == PROMOTION);
    // Castling by the king's target and by the rook; promotions once for each target.
    let king = &state["destinations"]["e1"];
    for square in ["g1", "h1", "c1", "a1"] {
        assert!(king.as_array().unwrap().contains(&json!(square)), "{king}");
    }
    assert_eq!(state["promotions"], json!(["a7a8", "a7b8"]));
    assert_eq!(state["destinations"]["a7"], json!(["a8", "b8"]));

    for (bad, reason) in [
        ("a7a8", "\"a7a8\" is not legal here"),
        ("e1e3", "\"e1e3\" is not legal here"),
        ("nonsense", "\"nonsense\" is not a move"),
    ] {
        page.send(&json!({ "type": "move", "text": bad }));
        assert_eq!(page.error(), reason);
    }
    page.send(&json!({ "type": "move", "text": "a7b8n" }));
    let state = page.moves(1);
    assert_eq!(state["moves"][0]["san"], "axb8=N");
    page.send(&json!({ "type": "move", "text": "e8f8" }));
    page.send(&json!({ "type": "move", "text": "e1g1" }));
    assert_eq!(page.moves(3)["moves"][2]["san"], "O-O+");
    page.send(&json!({ "type": "takeBack" }));
    assert_eq!(page.moves(2)["turn"], "white");
}

#[test]
fn bad_messages_change_nothing() {
    let server = Server::start();
    let mut page = server.join("bad1");
    page.new_game(human(), human(), json!({ "kind": "standard" }));
    page.send(&json!({ "type": "move", "text": "e4" }));
    page.moves(1);
    for (text, reason) in [
        ("", "invalid message"),
        ("{", "invalid message"),
        ("[]", "invalid message"),
        (r#"{"type":"format"}"#, "unknown variant"),
        (r#"{"type":"move"}"#, "missing field"),
        (r#"{"type":"move","text":"e5","more":1}"#, "unknown field"),
        (r#"{"type":"speed","millis":-1}"#, "invalid message"),
    ] {
        page.send_text(text);
        let error = page.error();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let start = |start: Value| json!({ "type": "newGame", "white": human(), "black": human(), "start": start });
    let played_by = |player: Value| {
        let start = json!({ "kind": "standard" });
        json!({ "type": "newGame", "white": player, "black": human(), "start": start })
    };
    for (request, reason) in [
        (start(json!({ "kind": "fen", "fen": "8/8 w - -" })), "the board has 2 ranks instead of 8"),
        (start(json!({ "kind": "fen", "fen": "" })), "the FEN is empty"),
        (start(json!({ "kind": "chess960", "number": 960 })), "from 0 to 959"),
        (start(json!({ "kind": "named", "name": "x" })), "no start position called \"x\""),
        (played_by(level(json!({ "by": "depth", "depth": 0 }))), "the depth must be from 1"),
        (played_by(level(json!({ "by": "seconds", "seconds": -5.0 }))), "in seconds must be"),
        (json!({ "type": "loadPgn", "text": "1. Ke3" }), "move 1: \"Ke3\""),
        (json!({ "type": "delete", "at": 0 }), "no such move"),
        (json!({ "type": "promote", "at": 1, "main": true }), "no such move"),
        (json!({ "type": "annotate", "at": 99, "comment": "x", "nags": [] }), "no such move"),
        (json!({ "type": "undo" }), "nothing to undo"),
        (json!({ "type": "loadPgn", "text": "" }), "there is no game in this text"),
        (json!({ "type": "moveNow" }), "not thinking"),
        (json!({ "type": "look", "at": 1 }), "only while analysing"),
        (json!({ "type": "move", "text": "e2e4" }), "is not legal here"),
    ] {
        page.send(&request);
        let error = page.error();
        assert!(error.contains(reason), "{request}: {error}");
    }
    // The game is as it was, for whoever looks at it now.
    let state = server.join("bad1").any_state();
    assert_eq!(state["moves"][0]["san"], "e4");
    assert_eq!(state["moves"].as_array().unwrap().len(), 1);
}

#[test]
fn too_large_a_message_ends_the_connection_only() {
    let server = Server::start();
    let mut page = server.join("large");
    page.new_game(human(), human(), json!({ "kind": "standard" }));
    page.send(&json!({ "type": "move", "text": "d4" }));
    page.moves(1);
    // The server may close when it has read the length, before all of it is written.
    let written = page.try_send_text(&"x".repeat(gambeson::web::LARGEST_MESSAGE + 1));
    assert!(written.is_err() || page.is_closed());
    assert_eq!(server.join("large").any_state()["moves"][0]["san"], "d4");
}

#[test]
fn plays_against_the_engine() {
    let server = Server::start();
    let mut page = server.join("engine");
    let engine = level(json!({ "by": "depth", "depth": 4 }));
    page.new_game(human(), engine, json!({ "kind": "standard" }));
    page.send(&json!({ "type": "move", "text": "e2e4" }));
    let lines = page.until("thinking", |update| !update["lines"].as_array().unwrap().is_empty());
    let line = &lines["lines"][0];
    assert!(line["san"].as_array().is_some_and(|moves| !moves.is_empty()), "{line}");
    assert!(line["depth"].as_u64() >= Some(1) && line["eval"].is_object(), "{line}");
    let state = page.moves(2);
    assert!(state["moves"][1]["eval"].is_object(), "{}", state["moves"][1]);
    // Back to the player's turn takes both moves.
    page.send(&json!({ "type": "takeBack" }));
    page.moves(0);
    page.send(&json!({ "type": "pgn" }));
    let pgn = page.until("pgn", |_| true);
    assert!(pgn["text"].as_str().unwrap().contains("[Black \"Gambeson (depth 4)\"]"), "{pgn}");
    page.send(&json!({ "type": "resign" }));
    let state = page.state(|state| !state["end"].is_null());
    assert_eq!(state["end"]["result"], "0-1");
    page.send(&json!({ "type": "move", "text": "e2e4" }));
    assert_eq!(page.error(), "the game is over");
}

#[test]
fn the_engine_declines_a_draw_in_the_opening() {
    let server = Server::start();
    let mut page = server.join("offer");
    let engine = level(json!({ "by": "depth", "depth": 6 }));
    page.new_game(human(), engine, json!({ "kind": "standard" }));
    page.send(&json!({ "type": "move", "text": "e4" }));
    page.moves(2);
    page.send(&json!({ "type": "offerDraw" }));
    let notice = page.until("notice", |_| true);
    assert!(notice["text"].as_str().expect("a text").contains("declines"), "{notice}");
    assert!(page.any_state()["end"].is_null());
    // A lost engine takes what it gets.
    let engine = level(json!({ "by": "depth", "depth": 6 }));
    let fen = "4k3/8/8/8/8/8/3Q4/4K2R b K - 0 40";
    page.new_game(human(), engine, json!({ "kind": "fen", "fen": fen }));
    page.moves(1);
    page.send(&json!({ "type": "offerDraw" }));
    assert_eq!(page.state(|state| !state["end"].is_null())["end"]["reason"], "agreement");
}

#[test]
fn move_now_ends_long_thinking() {
    let server = Server::start();
    let mut page = server.join("hurry");
    let engine = level(json!({ "by": "seconds", "seconds": 600.0 }));
    page.new_game(engine, human(), json!({ "kind": "standard" }));
    page.state(|state| state["thinking"] == true);
    page.send(&json!({ "type": "move", "text": "e2e4" }));
    assert_eq!(page.error(), "it is not your turn");
    page.send(&json!({ "type": "moveNow" }));
    assert_eq!(page.moves(1)["thinking"], false);
}

#[test]
fn the_engine_plays_itself_to_the_end() {
    let server = Server::start();
    let mut page = server.join("itself");
    let engine = || level(json!({ "by": "depth", "depth": 3 }));
    // Mate in two, so that it does end.
    let fen = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
    page.new_game(engine(), engine(), json!({ "kind": "fen", "fen": fen }));
    let state = page.state(|state| !state["end"].is_null());
    assert_eq!(state["end"]["reason"], "checkmate");
    assert_eq!(state["end"]["text"], "White wins by checkmate.");

    page.send(&json!({ "type": "takeBack" }));
    let state = page.state(|state| state["end"].is_null());
    assert_eq!(state["paused"], true);
    page.send(&json!({ "type": "pause", "on": false }));
    page.state(|state| !state["end"].is_null());
}

#[test]
fn clocks_run_and_fall() {
    let server = Server::start();
    let mut page = server.join("clocks");
    let timed = json!({ "kind": "human", "clock": { "base": 1.0, "increment": 0.0 } });
    page.new_game(timed, human(), json!({ "kind": "standard" }));
    let state = page.state(|state| state["clocks"]["left"][0] == 1000);
    assert_eq!(state["clocks"]["running"], Value::Null, "nobody hurries the first move");
    assert_eq!(state["clocks"]["left"][1], Value::Null);
    page.send(&json!({ "type": "move", "text": "e4" }));
    page.send(&json!({ "type": "move", "text": "e5" }));
    let begin = Instant::now();
    page.state(|state| state["clocks"]["running"] == "white");
    let state = page.state(|state| !state["end"].is_null());
    assert!(begin.elapsed() >= Duration::from_millis(900), "{:?}", begin.elapsed());
    assert_eq!(state["end"]["reason"], "time");
    assert_eq!(state["end"]["result"], "0-1");
}

#[test]
fn analyses_any_position_and_line() {
    let server = Server::start();
    let mut page = server.join("analysis");
    page.send(
        &json!({ "type": "loadPgn", "text": "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2" }),
    );
    page.until("accepted", |_| true);
    let state = page.moves(4);
    assert_eq!((&state["names"][0], &state["end"]["result"]), (&json!("A"), &json!("1/2-1/2")));
    page.send(&json!({ "type": "analyse", "at": 2, "lines": 3 }));
    let update = page.until("thinking", |update| {
        update["ply"] == 2 && update["lines"].as_array().unwrap().len() == 3
    });
    let ranks: Vec<_> = update["lines"].as_array().unwrap().iter().map(|it| &it["rank"]).collect();
    assert_eq!(ranks, [1, 2, 3]);
    page.send(&json!({ "type": "move", "text": "f4" }));
    let state = page.state(|state| state["analysis"]["at"] == 5);
    assert_eq!(state["moves"][2]["variations"][0][0]["san"], "f4");
    assert!(state["destinations"]["e5"].is_array(), "Black may move");
    page.send(&json!({ "type": "look", "at": 1 }));
    page.state(|state| state["analysis"]["at"] == 1);
    page.send(&json!({ "type": "look", "at": 5 }));
    page.send(&json!({ "type": "adopt" }));
    let state = page.moves(3);
    assert_eq!(state["moves"][2]["san"], "f4");
    assert_eq!((&state["analysis"], &state["end"]), (&Value::Null, &Value::Null));

    page.send(&json!({ "type": "review" }));
    let state =
        page.state(|state| state["review"].is_null() && state["moves"][2]["eval"].is_object());
    assert!(state["moves"].as_array().unwrap().iter().all(|played| played["eval"].is_object()));
    // A mate needs no evaluation.
    page.send(&json!({ "type": "loadPgn", "text": "1. f3 e5 2. g4 Qh4" }));
    page.until("accepted", |_| true);
    page.send(&json!({ "type": "review" }));
    let state =
        page.state(|state| state["review"].is_null() && state["moves"][2]["eval"].is_object());
    assert!(state["moves"][3]["eval"].is_null());
}

#[test]
fn a_game_survives_the_server() {
    let mut server = Server::start();
    let mut page = server.join("survivor");
    let timed = json!({ "kind": "human", "clock": { "base": 300.0, "increment": 2.0 } });
    page.new_game(timed.clone(), timed.clone(), json!({ "kind": "chess960", "number": 0 }));
    page.send(&json!({ "type": "move", "text": "d4" }));
    page.send(&json!({ "type": "move", "text": "d5" }));
    let before = page.moves(2);
    server = server.restart();
    let after = server.join("survivor").any_state();
    for ply in 0..2 {
        assert_eq!(after["moves"][ply]["fen"], before["moves"][ply]["fen"]);
    }
    assert_eq!(after["start"], before["start"]);
    assert_eq!(after["players"][0], timed);
    let left = after["clocks"]["left"][0].as_u64().unwrap();
    assert!((298_000..=303_000).contains(&left), "{left}");
    // Another name is another game.
    assert_eq!(server.join("another").any_state()["moves"], json!([]));
}

#[test]
fn tabs_share_a_few_engines() {
    let server = Server::start();
    let mut tabs: Vec<Client> = (0..5).map(|index| server.join(&format!("tab{index}"))).collect();
    for tab in &mut tabs[..4] {
        tab.send(&json!({ "type": "analyse", "lines": 1 }));
        tab.until("thinking", |update| !update["lines"].as_array().unwrap().is_empty());
    }
    tabs[4].send(&json!({ "type": "analyse", "lines": 1 }));
    tabs[4].state(|state| state["waiting"] == true);
    // A closed tab stops its search, and the engine is free for another.
    drop(tabs.remove(0));
    tabs[3].until("thinking", |update| !update["lines"].as_array().unwrap().is_empty());
    tabs[3].state(|state| state["waiting"] == false);
}

#[test]
fn two_pages_may_watch_one_game() {
    let server = Server::start();
    let (mut one, mut other) = (server.join("shared"), server.join("shared"));
    one.new_game(human(), human(), json!({ "kind": "named", "name": "King's Gambit" }));
    assert_eq!(other.moves(3)["moves"][2]["san"], "f4");
    other.send(&json!({ "type": "move", "text": "exf4" }));
    one.moves(4);
    one.send(&json!({ "type": "offerDraw" }));
    let state = other.state(|state| !state["end"].is_null());
    assert_eq!(state["end"]["reason"], "agreement");
}

/// Issue 27: what comes in goes out.
#[test]
fn a_loaded_game_loses_nothing() {
    let server = Server::start();
    let mut page = server.join("lossless");
    let moves = "{ first } 1. e4 $1 { [%eval 0.30,20] [%clk 0:05:00] } (1. d4 d5 (1... Nf6 $5)) 1...\n\
        e5 $6 { [%csl Ge4] well } ({ or } 1... c5) 2. Nf3 1-0";
    let text = format!("[White \"Müller\"]\n[Termination \"normal\"]\n\n{moves}\n");
    page.send(&json!({ "type": "loadPgn", "text": text }));
    page.until("accepted", |_| true);
    page.send(&json!({ "type": "pgn" }));
    let saved = page.until("pgn", |_| true)["text"].as_str().expect("a text").to_owned();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [moves, "[White \"Müller\"]", "[Termination \"normal\"]"] {
        assert!(words(&saved).contains(&words(part)), "{saved}");
    }
    // And another server reads the same from the file.
    let server = server.restart();
    let mut page = server.join("lossless");
    page.send(&json!({ "type": "pgn" }));
    assert_eq!(page.until("pgn", |_| true)["text"], saved);
}

#[test]
fn an_unreadable_move_costs_only_what_follows_it() {
    let server = Server::start();
    let mut page = server.join("partial");
    for (text, reason) in [
        ("1. e4 e5 2. Ke3 Nc6 *", "move 2: \\\"Ke3\\\" is not legal here"),
        ("1. e4 e5 2. -- Nc6 *", "move 2: \\\"--\\\" is not a move"),
    ] {
        page.send(&json!({ "type": "loadPgn", "text": text }));
        let notice = page.until("notice", |_| true).to_string();
        assert!(notice.contains(reason), "{notice}");
        page.until("accepted", |_| true);
        page.moves(2);
    }
}

/// The clocks in a PGN are bounded, so that no arithmetic with them can go wrong.
#[test]
fn absurd_clocks_in_a_game_are_not_believed() {
    let mut server = Server::start();
    let mut page = server.join("absurd");
    let clock = "{[%clk 2000000000000000:00:00]}";
    let state = r#"[GambesonState "{\"players\":[{\"kind\":\"human\",\"clock\":null},{\"kind\":\"engine\",\"level\":{\"by\":\"clock\",\"clock\":{\"base\":60.0,\"increment\":1.0}}}],\"left\":[null,1.8e19],\"speed\":18446744073709551615,\"end\":null}"]"#;
    for text in [format!("1. e4 {clock} e5 {clock} 2. d4 *"), format!("{state}\n\n1. e4 e5 *")] {
        page.send(&json!({ "type": "loadPgn", "text": text }));
        page.until("accepted", |_| true);
        let clock = json!({ "base": 60.0, "increment": 1.0 });
        let engine = level(json!({ "by": "clock", "clock": clock }));
        page.send(&json!({ "type": "players", "white": human(), "black": engine }));
        page.until("accepted", |_| true);
        page.send(&json!({ "type": "takeBack" }));
        page.state(|state| state["turn"] == "white" && state["end"].is_null());
        page.send(&json!({ "type": "move", "text": "a3" }));
        page.state(|state| state["thinking"] == true);
        page.send(&json!({ "type": "moveNow" }));
        let state = page.state(|state| state["turn"] == "white");
        let left = state["clocks"]["left"][1].as_u64().expect("a clock");
        assert!(left <= 1_000 * 3_600_000, "{left}");
        server = server.restart();
        page = server.join("absurd");
    }
    assert_eq!(page.any_state()["end"], Value::Null);
}

/// Opening a pipe waits for its other end, and a device may have none.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_no_saved_game() {
    let server = Server::start();
    let pipe = server.folder().join("pipe.pgn");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", server.folder().join("zero.pgn")).expect("a link");
    for name in ["pipe", "zero"] {
        assert_eq!(server.join(name).any_state()["moves"], json!([]), "{name}");
        assert!(server.folder().join(name).with_extension("unreadable").exists());
    }
}

/// Counts what panics on the server's threads from now on: a game that does is set aside
/// and the others go on, so that its page would hardly notice.
fn count_panics() -> Arc<AtomicUsize> {
    let panics = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&panics);
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if matches!(std::thread::current().name(), None | Some("game" | "engine")) {
            counted.fetch_add(1, Ordering::Relaxed);
        }
        report(panic);
    }));
    panics
}

/// Sends this many random requests to a few games, asking now and then whether the
/// server is still there.
fn random_requests(count: usize, seed: u64) {
    let panics = count_panics();
    let server = Server::start();
    let mut dice = Dice::new(seed);
    let mut pages: Vec<Client> =
        (0..6).map(|index| server.join(&format!("chaos{index}"))).collect();
    for number in 0..count {
        let index = dice.below(pages.len());
        let request = requests::request(&mut dice);
        // A page that does not read as fast as it writes is dropped; then it comes back.
        if pages[index].try_send_text(&request).is_err()
            || number % 10 == 9 && !pages[index].answers()
        {
            pages[index] = server.join_in_time(&format!("chaos{index}"));
        }
    }
    for index in 0..6 {
        let mut page = server.join_in_time(&format!("chaos{index}"));
        page.new_game(human(), human(), json!({ "kind": "standard" }));
        page.send(&json!({ "type": "move", "text": "e4" }));
        page.moves(1);
    }
    assert_eq!(panics.load(Ordering::Relaxed), 0);
}

#[test]
fn survives_random_requests() {
    random_requests(3_000, 1);
}

#[test]
#[ignore = "takes minutes; scripts/test runs it"]
fn survives_a_hundred_thousand_random_requests() {
    random_requests(100_000, 2);
}
