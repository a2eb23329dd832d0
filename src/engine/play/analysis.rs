//! Thinking when it is not our turn: pondering, analysis, hints.

use super::Mode;
use crate::engine::event::Event;
use crate::engine::{Engine, Purpose, Thinking};
use crate::game::judge;
use crate::search::MAX_DEPTH;
use crate::time::Limits;
use crate::tt::TtEntry;
use crate::types::{Bound, Move, Score};
use std::io;

impl Engine {
    pub(super) fn set_pondering(&mut self, on: bool) -> io::Result<()> {
        self.play.pondering = on;
        if on {
            return if self.thinking.is_none() { self.start_pondering() } else { Ok(()) };
        }
        if matches!(self.thinking, Some(Thinking { purpose: Purpose::Ponder(_), .. })) {
            self.interrupt()?;
        }
        Ok(())
    }

    /// Thinks about our answer to the move we expect, if there is one to expect.
    pub(in crate::engine) fn start_pondering(&mut self) -> io::Result<()> {
        let waiting = self.play.mode == Mode::Playing(!self.side_to_move());
        let expected = self.expected_reply();
        let (true, true, false, false, Some(expected)) =
            (self.play.pondering, waiting, self.play.game_over, self.play.paused, expected)
        else {
            return Ok(());
        };
        if self.book_answers(expected) {
            return Ok(());
        }
        let mut board = self.position.board().clone();
        board.make(expected);
        if judge(&board).is_some() {
            return Ok(());
        }
        let limits = Limits { ponder: true, ..Limits::default() };
        self.think(Purpose::Ponder(expected), board, limits)
    }

    /// The reply our last search counted on, if it was about the game so far.
    pub(super) fn expected_reply(&self) -> Option<Move> {
        let outcome = self.last_outcome.as_ref()?;
        let reply = outcome.ponder?;
        (outcome.best == self.position.last_move() && self.position.board().is_legal(reply))
            .then_some(reply)
    }

    pub(in crate::engine) fn start_analysis(&mut self) -> io::Result<()> {
        if self.play.paused || self.unusable {
            return Ok(());
        }
        let limits = Limits {
            infinite: true,
            exclude_moves: self.play.excluded.clone(),
            ..Limits::default()
        };
        self.think(Purpose::Analyze, self.position.board().clone(), limits)
    }

    pub(super) fn continue_analysis(&mut self) -> io::Result<()> {
        if self.play.mode == Mode::Analyzing { self.start_analysis() } else { Ok(()) }
    }

    /// Takes up again what a pause interrupted.
    pub(super) fn continue_thinking(&mut self) -> io::Result<()> {
        if self.thinking.is_some() || self.play.game_over {
            return Ok(());
        }
        match self.play.mode {
            Mode::Playing(color) if color == self.side_to_move() => self.our_turn(),
            Mode::Playing(_) => self.start_pondering(),
            Mode::Analyzing => self.start_analysis(),
            Mode::Force => Ok(()),
        }
    }

    pub(super) fn report_status(&mut self) -> io::Result<()> {
        let Some(thinking) = self.thinking.as_ref().filter(|it| it.purpose == Purpose::Analyze)
        else {
            return Ok(());
        };
        let total = thinking.root.legal_moves().len();
        let (mv, number) = match thinking.current {
            Some((mv, number, _)) => (Some(thinking.root.san(mv)), number),
            None => (None, 0),
        };
        let (nodes, depth) =
            thinking.last_info.as_ref().map_or((0, 0), |info| (info.nodes, info.depth));
        let time = thinking.started.elapsed();
        let left = total.saturating_sub(number);
        self.emit(&Event::Status { time, nodes, depth, left, total, mv })
    }

    pub(super) fn give_hint(&mut self) -> io::Result<()> {
        if self.unusable {
            return Ok(());
        }
        let known = self.thinker.table().probe(self.position.board().key());
        let hint = self.expected_reply().or(known
            .and_then(|entry| entry.best)
            .filter(|&mv| self.position.board().is_legal(mv)));
        let Some(mv) = hint else {
            return Ok(());
        };
        let context = self.context();
        self.emit(&Event::Hint { mv, context })
    }

    /// Leaves a root move out of the analysis or takes it in again; `None` means all
    /// of them.
    pub(super) fn exclude(&mut self, mv: Option<Move>, out: bool) -> io::Result<()> {
        let excluded = &mut self.play.excluded;
        match mv {
            None if out => *excluded = self.position.board().legal_moves().into_iter().collect(),
            None => excluded.clear(),
            Some(mv) => {
                excluded.retain(|&other| other != mv);
                if out {
                    excluded.push(mv);
                }
            }
        }
        if self.play.mode == Mode::Analyzing {
            self.interrupt()?;
        }
        self.continue_analysis()
    }

    /// The user knows better what this position is worth: searches that reach it
    /// from now on believe it.
    pub(super) fn set_score(&mut self, centipawns: i32) -> io::Result<()> {
        let best = self.thinking.as_ref().and_then(|it| it.last_info.as_ref()?.pv.first().copied());
        let score = Score::from_centipawns(centipawns);
        let depth = MAX_DEPTH as i32;
        let entry = TtEntry { best, score, eval: score, depth, bound: Bound::Exact, was_pv: true };
        self.thinker.table().store(self.position.board().key(), entry);
        Ok(())
    }
}
