//! Random input for the bodies in `common/bodies.rs`: noise, and good input that
//! was damaged. The fuzzers in `fuzz/` look further; here every test run looks a
//! little.

mod common {
    pub mod bodies;
    #[allow(dead_code)] // Only the dice are wanted here.
    pub mod random;
    pub mod requests;
}

use common::bodies::{self, POSITIONS};
use common::random::Dice;

const CASES: usize = 4_000;

const WORDS: &[&str] = &[
    "e4",
    "e4 {+0.31/8 0.1s}",
    "Nf3",
    "O-O",
    "O-O-O",
    "0-0",
    "exd5",
    "e8=Q",
    "axb8=N+",
    "R1a3",
    "Qh4#",
    "Nbd2!?",
    "e2e4",
    "e7e8q",
    "e1g1",
    "E2E4",
    "--",
    "@@@@",
    "1.",
    "12...",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "$14",
    "e.p.",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "[White \"A\"]",
    "[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]",
    "\n",
    "\r\n",
    "\n[",
    "\n%",
];

const UCI_WORDS: &[&str] = &[
    "uci",
    "isready",
    "setoption",
    "name",
    "value",
    "Hash",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e8q",
    "go",
    "depth",
    "nodes",
    "wtime",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
    "stop",
    "0",
    "1",
    "-1",
    "255",
    "256",
    "99999999999999999999",
    "1.5",
    "debug",
    "on",
    "register",
    "quit",
    "bench",
    "d",
    "\n",
    "  ",
    "\t",
    "\u{feff}",
];

const XBOARD_WORDS: &[&str] = &[
    "xboard",
    "protover",
    "2",
    "new",
    "variant",
    "fischerandom",
    "setboard",
    "usermove",
    "e2e4",
    "O-O",
    "level",
    "40",
    "5:30",
    "0.5",
    "st",
    "sd",
    "time",
    "otim",
    "-100",
    "nps",
    "edit",
    "#",
    "c",
    "Pa4",
    "xa4",
    ".",
    "ping",
    "result",
    "{",
    "}",
    "egtpath",
    "syzygy",
    "option",
    "Hash=1",
    "=",
    "memory",
    "cores",
    "exclude",
    "include",
    "all",
    "setscore",
    "rating",
    "accepted",
    "rejected",
    "debug",
    "9999999999999999999999",
    "\n",
    "bk",
    "hint",
    "?",
];

/// Words in any order, with some bytes changed now and then.
fn words(dice: &mut Dice, words: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..dice.below(40) {
        bytes.extend_from_slice(words[dice.below(words.len())].as_bytes());
        if dice.below(4) > 0 {
            bytes.push(b' ');
        }
    }
    damage(dice, bytes)
}

fn damage(dice: &mut Dice, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..dice.below(4) {
        let place = dice.below(bytes.len() + 1);
        match dice.below(3) {
            0 => bytes.insert(place, dice.below(256) as u8),
            1 if place < bytes.len() => bytes[place] = dice.below(256) as u8,
            _ if place < bytes.len() => _ = bytes.remove(place),
            _ => {}
        }
    }
    bytes
}

fn noise(dice: &mut Dice) -> Vec<u8> {
    (0..dice.below(300)).map(|_| dice.below(256) as u8).collect()
}

/// Runs a body on noise, and as often on what `make` makes.
fn check(body: impl Fn(&[u8]), seed: u64, make: impl Fn(&mut Dice) -> Vec<u8>) {
    let mut dice = Dice::new(seed);
    body(b"");
    for _ in 0..CASES {
        body(&noise(&mut dice));
        body(&make(&mut dice));
    }
}

#[test]
fn fens() {
    check(bodies::fen, 1, |dice| {
        let fen = POSITIONS[dice.below(POSITIONS.len())];
        damage(dice, fen.as_bytes().to_vec())
    });
}

#[test]
fn moves() {
    check(bodies::san, 2, |dice| words(dice, WORDS));
}

#[test]
fn games() {
    check(bodies::pgn, 3, |dice| words(dice, WORDS));
}

/// A file and a server's worth of work for each, so fewer of them.
#[test]
fn pages() {
    let mut dice = Dice::new(10);
    for _ in 0..300 {
        let messages: Vec<String> =
            (0..dice.below(12)).map(|_| common::requests::request(&mut dice)).collect();
        bodies::page(messages.join("\n").as_bytes());
        bodies::page(&noise(&mut dice));
    }
}

#[test]
fn uci_lines() {
    check(bodies::uci, 4, |dice| words(dice, UCI_WORDS));
}

#[test]
fn xboard_lines() {
    check(bodies::xboard, 5, |dice| words(dice, XBOARD_WORDS));
}

#[test]
fn books() {
    check(bodies::book, 6, |dice| (0..16 * dice.below(9)).map(|_| dice.below(256) as u8).collect());
}

#[test]
fn walks() {
    check(bodies::walk, 7, noise);
}

#[test]
fn nets() {
    check(bodies::network, 8, patches);
}

#[test]
fn packed_games() {
    check(bodies::pack, 11, patches);
    check(bodies::pack, 12, noise);
}

#[test]
fn records() {
    check(bodies::record, 9, patches);
}

/// A few changes near the beginning, where a file says what it is.
fn patches(dice: &mut Dice) -> Vec<u8> {
    let change = |dice: &mut Dice| [dice.below(64) as u8, 0, dice.below(256) as u8];
    (0..dice.below(4)).flat_map(|_| change(dice)).collect()
}
