//! Recounts perft suites with shakmaty, a move generator that shares nothing
//! with ours.
//!
//! `perft_shakmaty [--max-depth D] [FILE]…` reads EPD lines such as
//! `FEN ;D1 20 ;D2 400 ;id "start"` from the files, or from standard input without
//! any. The exit status is 1 if a count differs or a line cannot be read.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use std::error::Error;
use std::io::Read;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

struct Entry {
    line: usize,
    fen: String,
    position: Chess,
    counts: Vec<(u32, u64)>,
}

#[derive(Default)]
struct Totals {
    counts: usize,
    nodes: u64,
    complaints: Vec<(usize, String)>,
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("perft_shakmaty: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let mut max_depth = u32::MAX;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--max-depth" => {
                max_depth = args.next().ok_or("--max-depth needs a number")?.parse()?
            }
            _ => files.push(arg),
        }
    }
    if files.is_empty() {
        files.push("-".to_owned());
    }
    let mut all_agree = true;
    for file in files {
        let text = read(&file).map_err(|error| format!("cannot read {file}: {error}"))?;
        all_agree &= check(&file, &text, max_depth);
    }
    Ok(if all_agree { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read(file: &str) -> std::io::Result<String> {
    if file != "-" {
        return std::fs::read_to_string(file);
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(text)
}

/// Recounts one suite, reports, and says whether every count agreed.
fn check(file: &str, text: &str, max_depth: u32) -> bool {
    let start = Instant::now();
    let mut entries = Vec::new();
    let mut complaints = Vec::new();
    for (index, text) in text.lines().enumerate() {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match parse_line(index + 1, text) {
            Ok(entry) => entries.push(entry),
            Err(error) => complaints.push((index + 1, error.to_string())),
        }
    }
    let found = recount(&entries, max_depth);
    complaints.extend(found.complaints);
    complaints.sort();
    for (line, complaint) in &complaints {
        println!("{file}:{line}: {complaint}");
    }
    println!(
        "{file}: {} positions, {} counts, {} nodes, {} mismatches, {:.1} s",
        entries.len(),
        found.counts,
        found.nodes,
        complaints.len(),
        start.elapsed().as_secs_f64()
    );
    complaints.is_empty()
}

fn parse_line(line: usize, text: &str) -> Result<Entry, Box<dyn Error>> {
    let mut parts = text.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default().to_owned();
    // The Chess960 mode castles the orthodox way too, from the orthodox squares.
    let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Chess960)?;
    let mut counts = Vec::new();
    for part in parts {
        if let Some((depth, count)) = part.strip_prefix('D').and_then(|part| part.split_once(' ')) {
            counts.push((depth.parse()?, count.trim().parse()?));
        }
    }
    if counts.is_empty() {
        return Err("there are no counts".into());
    }
    Ok(Entry { line, fen, position, counts })
}

/// Spreads the positions over all processors.
fn recount(entries: &[Entry], max_depth: u32) -> Totals {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut totals = Totals::default();
        while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
            for &(depth, expected) in entry.counts.iter().filter(|count| count.0 <= max_depth) {
                let found = perft(&entry.position, depth);
                totals.counts += 1;
                totals.nodes += found;
                if found != expected {
                    let fen = &entry.fen;
                    let complaint =
                        format!("depth {depth}: expected {expected}, found {found} ({fen})");
                    totals.complaints.push((entry.line, complaint));
                }
            }
        }
        totals
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().fold(Totals::default(), |mut sum, worker| {
            let part = worker.join().expect("a worker panicked");
            sum.counts += part.counts;
            sum.nodes += part.nodes;
            sum.complaints.extend(part.complaints);
            sum
        })
    })
}

/// The last ply is counted, not played.
fn perft(position: &Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| {
            let mut child = position.clone();
            child.play_unchecked(mv);
            perft(&child, depth - 1)
        })
        .sum()
}
