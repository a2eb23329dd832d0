//! Perft of four positions, ours against cozy-chess, shakmaty and (if it is
//! installed) Stockfish: one thread, last ply counted in bulk, no hash. The
//! programs take turns, so that a noisy machine is noisy for all of them, and
//! the best of several rounds counts. Prints a Markdown table.

#[path = "../benches/cozy/mod.rs"]
mod cozy;

use gambeson::board::Board;
use gambeson::perft::{self, PerftOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const POSITIONS: [(&str, u32, &str); 4] = [
    ("start", 6, Board::START_FEN),
    ("Kiwipete", 5, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("rook ending", 7, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("middlegame", 5, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"),
];

/// A program that takes part: its name and how it counts.
type Racer = (&'static str, fn(&str, u32) -> Option<u64>);

const RACERS: [Racer; 4] = [
    ("Gambeson", |fen, depth| Some(perft::perft(&mut Board::from_fen(fen).ok()?, depth))),
    ("cozy-chess", |fen, depth| Some(cozy::perft(&fen.parse().ok()?, depth))),
    ("shakmaty", |fen, depth| {
        let fen: shakmaty::fen::Fen = fen.parse().ok()?;
        Some(shakmaty::perft(
            &fen.into_position::<shakmaty::Chess>(shakmaty::CastlingMode::Standard).ok()?,
            depth,
        ))
    }),
    ("Stockfish", stockfish),
];

fn main() {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(5);
    let mut ratios = vec![1.0f64; RACERS.len()];
    print!("| position | depth | nodes |");
    RACERS.iter().for_each(|(name, _)| print!(" {name} |"));
    println!("\n|---|---|---|{}", "---|".repeat(RACERS.len()));
    for (name, depth, fen) in POSITIONS {
        let (nodes, best) = race(fen, depth, rounds);
        print!("| {name} | {depth} | {nodes} |");
        for (racer, time) in best.iter().enumerate() {
            match time {
                Some(time) => print!(" {:.0} |", nodes as f64 / time.as_secs_f64() / 1e6),
                None => print!(" – |"),
            }
            let ours = best[0].map_or(f64::NAN, |time| time.as_secs_f64());
            ratios[racer] *= time.map_or(f64::NAN, |time| time.as_secs_f64()) / ours;
        }
        println!();
    }
    print!("| **Gambeson is faster by** | | |");
    for product in &ratios {
        match product.powf(1.0 / POSITIONS.len() as f64) {
            ratio if ratio.is_nan() => print!(" – |"),
            ratio => print!(" {ratio:.2} |"),
        }
    }
    println!(
        "\n\nMillions of nodes a second, best of {rounds} rounds; ratios are geometric means.\n"
    );
    threads_and_hash(rounds);
}

fn race(fen: &str, depth: u32, rounds: u32) -> (u64, Vec<Option<Duration>>) {
    let mut best: Vec<Option<Duration>> = vec![None; RACERS.len()];
    let mut nodes = None;
    for _ in 0..rounds {
        for (racer, (name, count)) in RACERS.iter().enumerate() {
            let start = Instant::now();
            let Some(found) = count(fen, depth) else {
                continue;
            };
            let time = start.elapsed();
            let expected = *nodes.get_or_insert(found);
            assert_eq!(found, expected, "{name} disagrees about {fen}");
            best[racer] = Some(best[racer].map_or(time, |best| best.min(time)));
        }
    }
    (nodes.unwrap_or_default(), best)
}

/// What a second thread and a hash table gain, from the start position.
fn threads_and_hash(rounds: u32) {
    let variants = [
        ("1 thread", PerftOptions { threads: 1, hash: 0 }),
        ("2 threads", PerftOptions { threads: 2, hash: 0 }),
        ("1 thread, 64 MB hash", PerftOptions { threads: 1, hash: 64 }),
    ];
    let mut best = [Duration::MAX; 3];
    for _ in 0..rounds {
        for ((_, options), best) in variants.iter().zip(&mut best) {
            let start = Instant::now();
            let never = AtomicBool::new(false);
            let parts = perft::divide(&Board::startpos(), 7, *options, &never, &|_, _| {});
            assert!(parts.is_ok_and(|parts| parts.is_some()));
            *best = (*best).min(start.elapsed());
        }
    }
    println!("| perft(7) from the start | seconds | times as fast |\n|---|---|---|");
    for ((name, _), time) in variants.iter().zip(best) {
        let ratio = best[0].as_secs_f64() / time.as_secs_f64();
        println!("| {name} | {:.2} | {ratio:.2} |", time.as_secs_f64());
    }
}

fn stockfish(fen: &str, depth: u32) -> Option<u64> {
    let program = ["stockfish", "/usr/games/stockfish"].into_iter().find_map(|program| {
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()
    });
    let mut child = program?;
    write!(child.stdin.as_mut()?, "position fen {fen}\ngo perft {depth}\nquit\n").ok()?;
    let lines = BufReader::new(child.stdout.take()?).lines();
    let total = lines.map_while(Result::ok).find_map(|line| {
        line.strip_prefix("Nodes searched: ").and_then(|nodes| nodes.trim().parse().ok())
    });
    child.wait().ok()?;
    total
}
