//! What people type when they talk to the engine themselves: showing things,
//! perft and bench.

use super::command::{Problem, Show};
use super::event::Event;
use super::{Engine, Purpose, Thinking};
use crate::bench;
use crate::cpu;
use crate::eval;
use crate::eval::nnue;
use crate::perft::{self, PerftOptions};
use crate::time::Limits;
use std::io;
use std::time::Instant;

const HELP: &str = "\
Gambeson speaks UCI and xboard. Console commands:
  position startpos [moves e2e4 ...]   set up the start position
  position fen FEN [moves ...]         set up any position
  go [depth N] [movetime MS] [nodes N] [infinite] [perft N]
  stop                                 end the search
  d, fen, moves, eval                  show the position
  flip                                 swap the colours
  setoption name NAME value VALUE      see the options with: uci
  bench [depth] [threads] [hash]       a fixed workload with a node count
  license, compiler, quit";

const LICENSE: &str = "\
Gambeson is free software: you can redistribute it and/or modify it under the
terms of the GNU General Public License as published by the Free Software
Foundation, either version 3 of the License, or (at your option) any later
version. It comes WITHOUT ANY WARRANTY. See <https://www.gnu.org/licenses/>.";

impl Engine {
    pub(super) fn show(&mut self, what: Show) -> io::Result<()> {
        let board = self.position.board();
        let text = match what {
            Show::Board => {
                let tables = self.describe_tables();
                let lines = [Some(board.to_string()), tables];
                lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
            }
            Show::Evaluation => eval::explain(board, self.thinker.network()),
            Show::Moves => {
                let moves = board.legal_moves();
                let sans: Vec<String> = moves.iter().map(|&mv| board.san(mv)).collect();
                format!("{} moves: {}", sans.len(), sans.join(" "))
            }
            Show::Fen => board.fen(),
            Show::Help => HELP.to_owned(),
            Show::License => LICENSE.to_owned(),
            Show::Compiler => compiler(),
        };
        self.emit(&Event::Text(&text))
    }

    pub(super) fn start_perft(&mut self, depth: u32) -> io::Result<()> {
        if self.unusable {
            let reason = "there is no legal position to count in";
            return self.problem(&Problem::NotNow { command: "perft".to_owned(), reason });
        }
        let board = self.position.board().clone_without_history();
        let chess960 = self.context().chess960;
        let options = PerftOptions { threads: self.options.threads, hash: 0 };
        self.start_work("perft", move |control| {
            let start = Instant::now();
            let parts = perft::divide(&board, depth, options, control.stop_flag(), &|_, _| {});
            match parts {
                Ok(Some(parts)) => perft::report(&parts, depth, true, chess960, start.elapsed()),
                Ok(None) => "perft was stopped".to_owned(),
                Err(error) => format!("perft failed: {error}"),
            }
        })
    }

    pub(super) fn start_bench(&mut self, arguments: &[String]) -> io::Result<()> {
        match bench::BenchOptions::parse(arguments) {
            Ok(settings) => self.start_work("bench", move |control| {
                match bench::run(settings, control, &mut |_| {}) {
                    Ok(report) => report.to_string(),
                    Err(error) => format!("bench failed: {error}"),
                }
            }),
            Err(reason) => {
                self.problem(&Problem::BadArgument { command: "bench".to_owned(), reason })
            }
        }
    }

    fn start_work(
        &mut self,
        name: &str,
        work: impl FnOnce(&crate::search::Control) -> String + Send + 'static,
    ) -> io::Result<()> {
        if self.thinking.is_some() {
            let reason = "a search is running; stop it first";
            return self.problem(&Problem::NotNow { command: name.to_owned(), reason });
        }
        if let Err(error) = self.thinker.start_work(work) {
            return self.problem(&Problem::Other(format!("{name} cannot be started: {error}")));
        }
        let root = self.position.board().clone_without_history();
        self.thinking = Some(Thinking::new(Purpose::Work, root, Limits::default()));
        Ok(())
    }
}

/// What this binary was built for, and what it uses of this CPU.
pub(crate) fn compiler() -> String {
    format!(
        "Gambeson {} for {}-{}, {} code, {} bitboards, {} network{}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        cpu::compiled_for(),
        cpu::slider_lookup(),
        nnue::instruction_set(),
        if cfg!(debug_assertions) { ", with assertions" } else { "" }
    )
}
