//! Random messages to the board's server: mostly well formed, often absurd.

use super::random::Dice;
use serde_json::{Value, json};

const NUMBERS: [f64; 12] =
    [0.0, 1.0, 2.0, 0.1, 60.0, 3600.0, 86_400.0, -1.0, 1e9, 1.8e19, 1e300, 0.000_1];

const MOVES: [&str; 24] = [
    "e4", "e5", "d4", "d5", "Nf3", "Nc6", "Nf6", "Ng1", "Ng8", "c4", "exd5", "Qxd5", "O-O",
    "0-0-0", "e2e4", "e7e5", "Qh4", "f3", "g4", "--", "e8=Q", "Kd2", "", "hello",
];

const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1",
    "7k/8/8/8/8/8/R7/1R4K1 w - - 99 1",
    "k7/2Q5/2K5/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/8/8/K1k5 w - - 0 65535",
    "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1",
    "8/8 w - -",
];

const SHAPES: [&str; 4] = ["Ge4", "Rd7d5", "Bh1a8", "Xé"];

const PGN_WORDS: [&str; 42] = [
    "1.",
    "e4",
    "e5",
    "2.",
    "Nf3",
    "Nc6",
    "d4",
    "exd4",
    "(",
    ")",
    "{",
    "}",
    "$1",
    "$255",
    "!?",
    "--",
    "1-0",
    "*",
    "1/2-1/2",
    "; x\n",
    "\n% y\n",
    "[%clk 0:01:02.5]",
    "[%clk 2000000000000000:00:00]",
    "[%clk -1:00:00]",
    "[%clk NaN]",
    "[%clk 1e308:1e308]",
    "[%cal Ge2e4,Rd7d5]",
    "[%csl Ge4,x]",
    "[%eval 0.35,18]",
    "[%eval #-3]",
    "[%eval 1e400]",
    "[%eval #99999999999]",
    "{ [%clk 0:00:01] }",
    "{ [%eval -1.2] so }",
    "[White \"A\"]\n",
    "[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n",
    "[Result \"0-1\"]\n",
    "[Variant \"Chess960\"]\n",
    "\u{feff}",
    "…",
    "e.p.",
    "\n\n",
];

pub fn request(dice: &mut Dice) -> String {
    let value = match dice.below(20) {
        0 | 1 => json!({
            "type": "newGame", "white": player(dice), "black": player(dice), "start": start(dice),
        }),
        2 => json!({ "type": "players", "white": player(dice), "black": player(dice) }),
        3..=7 => json!({ "type": "move", "text": MOVES[dice.below(MOVES.len())] }),
        8 => json!({ "type": "takeBack" }),
        9 => json!({ "type": "moveNow" }),
        10 => json!({ "type": if dice.below(4) == 0 { "resign" } else { "offerDraw" } }),
        11 => json!({ "type": "pause", "on": dice.below(2) == 0 }),
        12 => json!({ "type": "speed", "millis": size(dice) }),
        13 => {
            json!({ "type": "analyse", "at": size(dice), "lines": size(dice), "depth": depth(dice) })
        }
        14 => match dice.below(5) {
            0 => json!({ "type": "look", "at": size(dice) }),
            1 => json!({ "type": "promote", "at": size(dice), "main": dice.below(2) == 0 }),
            2 => json!({ "type": "delete", "at": size(dice) }),
            3 => json!({ "type": "draw", "at": size(dice), "shapes": SHAPES[..dice.below(5)] }),
            _ => json!({
                "type": "annotate", "at": size(dice), "comment": "so } { so", "nags": [size(dice)],
            }),
        },
        15 => {
            let kinds = ["adopt", "stopAnalysing", "review", "undo", "undo"];
            json!({ "type": kinds[dice.below(kinds.len())] })
        }
        16 | 17 => json!({ "type": "loadPgn", "text": pgn(dice) }),
        18 => json!({ "type": "pgn" }),
        _ => return damaged(dice, &json!({ "type": "move", "text": "e4" }).to_string()),
    };
    let text = value.to_string();
    if dice.below(20) == 0 { damaged(dice, &text) } else { text }
}

fn damaged(dice: &mut Dice, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(4) {
        let place = dice.below(letters.len());
        letters[place] = char::from(dice.below(128) as u8);
    }
    letters.into_iter().collect()
}

fn number(dice: &mut Dice) -> f64 {
    NUMBERS[dice.below(NUMBERS.len())]
}

fn size(dice: &mut Dice) -> u64 {
    [0, 1, 2, 3, 5, 40, 100_000, u64::MAX][dice.below(8)]
}

fn depth(dice: &mut Dice) -> Value {
    [json!(null), json!(0), json!(1), json!(4), json!(100_000)][dice.below(5)].clone()
}

fn clock(dice: &mut Dice) -> Value {
    json!({ "base": number(dice), "increment": number(dice) })
}

fn player(dice: &mut Dice) -> Value {
    match dice.below(6) {
        0 | 1 => json!({ "kind": "human", "clock": null }),
        2 => json!({ "kind": "human", "clock": clock(dice) }),
        3 => json!({ "kind": "engine", "level": { "by": "depth", "depth": dice.below(5) } }),
        4 => json!({ "kind": "engine", "level": { "by": "clock", "clock": clock(dice) } }),
        _ => {
            let level = json!({ "by": "seconds", "seconds": number(dice) / 100.0 });
            json!({ "kind": "engine", "level": level, "elo": size(dice).min(1 << 60) })
        }
    }
}

fn start(dice: &mut Dice) -> Value {
    match dice.below(4) {
        0 => json!({ "kind": "standard" }),
        1 => json!({ "kind": "chess960", "number": dice.below(1000) }),
        2 => json!({ "kind": "named", "name": "King's Gambit" }),
        _ => json!({ "kind": "fen", "fen": STARTS[dice.below(STARTS.len())] }),
    }
}

/// A game in pieces, now and then with a state of ours that says anything.
fn pgn(dice: &mut Dice) -> String {
    let mut text = String::new();
    if dice.below(3) == 0 {
        let left: Vec<Value> = (0..2).map(|_| json!(number(dice))).collect();
        let players: Vec<Value> = (0..2).map(|_| player(dice)).collect();
        let state = json!({ "players": players, "left": left, "speed": size(dice), "end": null });
        let escaped = state.to_string().replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[GambesonState \"{escaped}\"]\n\n");
    }
    if dice.below(2) == 0 {
        let clock = PGN_WORDS[21 + dice.below(5)];
        text += &format!("1. e4 {{{clock}}} e5 {{{clock}}} 2. d4 {{{clock}}} *");
        return text;
    }
    for _ in 0..dice.below(60) {
        text += PGN_WORDS[dice.below(PGN_WORDS.len())];
        text.push(' ');
    }
    text
}
