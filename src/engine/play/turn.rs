//! Our own moves: thinking about them, playing them, and what comes with them:
//! claims, draw offers, resigning.

use super::{Mode, TimeControl};
use crate::engine::draw::{accepts_draw, claims_draw};
use crate::engine::event::Event;
use crate::engine::{Engine, Purpose};
use crate::game::judge::{automatic, claimable};
use crate::game::{GameEnd, GameResult, Termination};
use crate::search::event::SearchResult;
use crate::types::Score;
use std::io;
use std::time::Duration;

/// A draw is offered near zero after a long level stretch.
const LEVEL_SCORE: i32 = 8;
const LEVEL_MOVES: u32 = 10;
const EARLIEST_OFFER: u32 = 40;
/// How many lost positions in a row it takes to resign.
const LOST_MOVES: u32 = 3;

impl Engine {
    /// It is our move: end the game if it is over, think otherwise.
    pub(super) fn our_turn(&mut self) -> io::Result<()> {
        if self.unusable {
            return Ok(());
        }
        if let Some(end) = automatic(self.position.board()) {
            self.play.game_over = true;
            return self.emit(&Event::GameEnded(end));
        }
        if self.play.paused {
            return Ok(());
        }
        let mut limits = self.play.limits();
        // Clients restrict our choice this way; leaving us none would end the game.
        let legal = self.position.board().legal_moves();
        if legal.iter().any(|mv| !self.play.excluded.contains(mv)) {
            limits.exclude_moves = std::mem::take(&mut self.play.excluded);
        }
        if let Some(outcome) = self.book_move(&limits) {
            self.show_book_move(&outcome)?;
            return self.play_result(outcome, Duration::ZERO);
        }
        self.think(Purpose::Play, self.position.board().clone(), limits)
    }

    /// The opponent made the move we were pondering on: the clock starts.
    pub(super) fn pondered_right(&mut self) -> io::Result<()> {
        if let Some(end) = automatic(self.position.board()) {
            self.abandon();
            self.play.game_over = true;
            return self.emit(&Event::GameEnded(end));
        }
        let limits = self.play.limits();
        if limits.nodes.is_some() || limits.depth.is_some() {
            // These limits hold from the first node on, so begin again.
            self.abandon();
            return self.think(Purpose::Play, self.position.board().clone(), limits);
        }
        let board = self.position.board().clone();
        self.hear_clock(&board, limits.clock);
        self.thinker.start_clock(limits.budget(self.delays()));
        let Some(thinking) = &mut self.thinking else {
            return Ok(());
        };
        thinking.purpose = Purpose::Play;
        thinking.limits = limits;
        thinking.started = std::time::Instant::now();
        match thinking.held.take() {
            Some(outcome) => self.deliver(outcome),
            None => Ok(()),
        }
    }

    /// The search for our move is over.
    pub(in crate::engine) fn play_result(
        &mut self,
        outcome: SearchResult,
        took: Duration,
    ) -> io::Result<()> {
        let Some(mv) = outcome.best else {
            return self.answer_pings();
        };
        let score = outcome.score;
        self.count_scores(score);
        if self.should_resign() {
            self.play.game_over = true;
            self.play.mode = Mode::Force;
            let winner = GameResult::win(!self.side_to_move());
            self.emit(&Event::GameEnded(GameEnd::new(winner, Termination::Resignation)))?;
            return self.answer_pings();
        }
        if let Some(draw) = claimable(self.position.board())
            && claims_draw(self.position.board(), score)
        {
            self.play.game_over = true;
            self.emit(&Event::GameEnded(GameEnd::new(GameResult::Draw, draw)))?;
            return self.answer_pings();
        }
        // How castling is written depends on the rights before the move.
        let context = self.context();
        let accepts = self.play.draw_offered_to_us
            && accepts_draw(self.position.board(), score, outcome.depth);
        self.position.play(mv);
        let over = automatic(self.position.board());
        let claim = claimable(self.position.board()).filter(|_| over.is_none());
        self.play.draw_offered_to_us = false;
        // A draw that our own move brings about has to be claimed before it.
        if accepts || claim.is_some() || self.should_offer_draw() {
            self.play.moves_since_offer = 0;
            self.emit(&Event::OfferDraw)?;
        }
        self.emit(&Event::Played { mv, context })?;
        self.charge_clock(took);
        self.last_outcome = Some(outcome);
        let end = over.or(claim.map(|draw| GameEnd::new(GameResult::Draw, draw)));
        if let Some(end) = end {
            self.play.game_over = true;
            self.emit(&Event::GameEnded(end))?;
        }
        self.answer_pings()?;
        self.start_pondering()
    }

    /// Keeps our clock right until the next `time` arrives, if ever one does.
    fn charge_clock(&mut self, took: Duration) {
        let play = &mut self.play;
        play.moves_in_session += 1;
        if let TimeControl::Clock { moves, base, increment } = play.level {
            play.own_clock = play.own_clock.saturating_sub(took).saturating_add(increment);
            if moves > 0 && play.moves_in_session.is_multiple_of(moves) {
                play.own_clock = play.own_clock.saturating_add(base);
            }
        }
    }

    fn count_scores(&mut self, score: Score) {
        let play = &mut self.play;
        let is_level = score.0.abs() <= LEVEL_SCORE;
        let is_lost = self.options.resign_below.is_some_and(|limit| score <= -limit);
        play.level_moves = if is_level { play.level_moves + 1 } else { 0 };
        play.lost_moves = if is_lost { play.lost_moves + 1 } else { 0 };
        play.moves_since_offer += 1;
    }

    fn should_resign(&self) -> bool {
        self.options.resign_below.is_some() && self.play.lost_moves >= LOST_MOVES
    }

    fn should_offer_draw(&self) -> bool {
        self.play.level_moves >= LEVEL_MOVES
            && self.play.moves_since_offer >= 2 * LEVEL_MOVES
            && self.position.board().fullmove_number() >= EARLIEST_OFFER
    }

    /// The opponent offers a draw: we answer at once if we have a score, after the search
    /// otherwise.
    pub(super) fn consider_draw(&mut self) -> io::Result<()> {
        let thinking = self.thinking.as_ref().map(|thinking| thinking.purpose);
        if thinking == Some(Purpose::Play) {
            self.play.draw_offered_to_us = true;
            return Ok(());
        }
        match &self.last_outcome {
            Some(outcome) => {
                let SearchResult { score, depth, .. } = *outcome;
                let accepts = accepts_draw(self.position.board(), score, depth);
                if accepts { self.emit(&Event::OfferDraw) } else { Ok(()) }
            }
            None => {
                self.play.draw_offered_to_us = true;
                Ok(())
            }
        }
    }
}
