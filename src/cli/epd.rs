//! `gambeson epd`: test positions with best moves (`bm`) or moves to avoid (`am`).

use super::{CliError, progress_bar};
use crate::board::Board;
use crate::search::{Control, Pool, Task};
use crate::time::{Delays, Limits};
use crate::tt::TranspositionTable;
use crate::types::Move;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The largest file that is read: far more lines than anybody solves.
const MAX_FILE: u64 = 1 << 30;

/// Search the positions of an EPD file and compare with its bm and am
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    file: PathBuf,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    movetime: u64,
    /// Search to this depth instead of by time
    #[arg(long, value_name = "N", conflicts_with = "movetime",
        value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Megabytes of hash table
    #[arg(long, value_name = "MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

/// One line of the file.
struct TestPosition {
    name: String,
    board: Board,
    best: Vec<Move>,
    avoid: Vec<Move>,
}

impl TestPosition {
    /// Reads `FEN bm Nf3; am e4; id "name";`.
    fn parse(line: &str, number: usize) -> Result<TestPosition, String> {
        let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
        let board = Board::from_fen(&fields.join(" ")).map_err(|error| error.to_string())?;
        // Operations begin after the fourth field, and may follow two counters.
        let start = fields
            .last()
            .map_or(0, |last| last.as_ptr() as usize - line.as_ptr() as usize + last.len());
        let operations = line.get(start..).unwrap_or_default();
        let mut position = TestPosition {
            name: format!("line {number}"),
            board,
            best: Vec::new(),
            avoid: Vec::new(),
        };
        for operation in operations.split(';') {
            let mut words = operation
                .split_ascii_whitespace()
                .skip_while(|word| word.chars().all(|c| c.is_ascii_digit()));
            let opcode = words.next();
            if opcode == Some("id") {
                let rest: Vec<&str> = words.collect();
                position.name = rest.join(" ").trim_matches('"').to_owned();
                continue;
            }
            let moves = match opcode {
                Some("bm") => &mut position.best,
                Some("am") => &mut position.avoid,
                _ => continue,
            };
            for word in words {
                moves.push(position.board.parse_move(word).map_err(|error| error.to_string())?);
            }
        }
        if position.best.is_empty() && position.avoid.is_empty() {
            return Err("there is neither bm nor am".to_owned());
        }
        Ok(position)
    }

    fn is_solved_by(&self, mv: Option<Move>) -> bool {
        mv.is_some_and(|mv| {
            (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
        })
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let bytes = crate::files::read(&args.file, MAX_FILE)
        .map_err(|source| CliError::File { path: args.file.display().to_string(), source })?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines().map(str::trim))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    if lines.is_empty() {
        return Err(CliError::NoPositions { path: args.file.display().to_string() });
    }
    let bar = progress_bar(lines.len() as u64);
    let start = Instant::now();
    let (mut solved, mut unreadable, mut nodes) = (0, 0, 0);
    for &(number, line) in &lines {
        match TestPosition::parse(line, number) {
            Ok(position) => {
                let result = solve(args, &position.board)?;
                let good = position.is_solved_by(result.best);
                solved += usize::from(good);
                nodes += result.nodes;
                let played = result.best.map_or("none".to_owned(), |mv| position.board.san(mv));
                let mark = if good { "ok  " } else { "miss" };
                let text = format!(
                    "{mark} {:<20} {played:<8} depth {:>3} score {:>6}",
                    position.name, result.depth, result.score
                );
                bar.suspend(|| writeln!(out, "{text}"))?;
            }
            Err(reason) => {
                unreadable += 1;
                bar.suspend(|| writeln!(out, "line {number}: {reason}"))?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let tried = lines.len() - unreadable;
    let share = 100.0 * solved as f64 / tried.max(1) as f64;
    writeln!(out, "{solved} of {tried} solved ({share:.1} %), {unreadable} lines unreadable")?;
    writeln!(out, "{nodes} nodes in {seconds:.1} s")?;
    Ok(if unreadable == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn solve(args: &Args, board: &Board) -> Result<crate::search::event::SearchResult, CliError> {
    let table = TranspositionTable::new(args.hash as usize).map_err(CliError::Memory)?;
    let mut pool = Pool::new(args.threads as usize, &Arc::new(table)).map_err(CliError::Memory)?;
    let move_time = args.depth.is_none().then(|| Duration::from_millis(args.movetime));
    let limits = Limits { depth: args.depth, move_time, ..Limits::default() };
    let control = Arc::new(Control::new(limits.budget(Delays::default())));
    let task = Task::new(board.clone(), limits);
    Ok(pool.search(task, &control, &mut |_| {}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_operations() {
        let line = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";";
        let position = TestPosition::parse(line, 1).expect(line);
        assert_eq!(position.name, "BK.01");
        assert!(position.is_solved_by(position.board.parse_move("d6d1").ok()));
        assert!(!position.is_solved_by(position.board.parse_move("d6d2").ok()));
        assert!(!position.is_solved_by(None));
        let with_counters = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 20 am e4; c0 \"x\";";
        let position = TestPosition::parse(with_counters, 1).expect(with_counters);
        assert!(!position.is_solved_by(position.board.parse_move("e4").ok()));
        assert!(position.is_solved_by(position.board.parse_move("e3").ok()));
        assert!(TestPosition::parse("8/8 w - - bm e4;", 1).is_err());
        assert!(TestPosition::parse("4k3/8/8/8/8/8/4P3/4K3 w - - bm Qh5;", 1).is_err());
        assert!(TestPosition::parse("4k3/8/8/8/8/8/4P3/4K3 w - - id \"nothing\";", 1).is_err());
    }

    #[test]
    fn an_empty_file_is_an_error() {
        let file = std::env::temp_dir().join(format!("gambeson-empty-{}.epd", std::process::id()));
        std::fs::write(&file, "# nothing\n").expect("a file");
        let args = Args { file: file.clone(), movetime: 1, depth: None, threads: 1, hash: 1 };
        assert!(matches!(run(&args, &mut Vec::new()), Err(CliError::NoPositions { .. })));
        std::fs::remove_file(file).expect("the file is ours");
    }
}
