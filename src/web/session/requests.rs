//! What a page may ask. A request that cannot be met changes nothing.

use super::{JobKind, Mode, Session};
use crate::board::{Board, chess960};
use crate::engine::draw::accepts_draw;
use crate::game::pgn::{Detail, ParsedGame, PgnError, Reader};
use crate::game::{Eval, GameResult, Termination};
use crate::types::{Color, Score};
use crate::web::clock::Clocks;
use crate::web::message::{EngineSettings, Request, RequestError, StartRequest, Update};
use crate::web::players::{HUMAN, Player};
use crate::web::record::Record;
use crate::web::starts::Start;
use std::time::{Duration, Instant};

pub(super) const MAX_LINES: usize = 5;
/// The slowest speed of a game of the engine with itself.
const SLOWEST: u64 = 60_000;
/// Whoever looks at a game from elsewhere.
pub(super) const PEOPLE: [Player; 2] = [HUMAN; 2];

/// How long a move stays on the board: a page or a saved game may say anything.
pub(super) fn speed(millis: u64) -> Duration {
    Duration::from_millis(millis.min(SLOWEST))
}

impl Session {
    /// Does what is asked. An answer is for the page that asked only.
    pub(super) fn request(
        &mut self,
        request: Request,
    ) -> Result<Option<Update<'static>>, RequestError> {
        match request {
            Request::NewGame { white, black, start } => {
                return self.new_game([white, black], &start).map(|()| Some(Update::Accepted));
            }
            Request::Players { white, black } => {
                return self.set_players([white, black]).map(|()| Some(Update::Accepted));
            }
            Request::Move { text } => self.user_move(&text)?,
            Request::TakeBack => self.take_back()?,
            Request::MoveNow => self.move_now()?,
            Request::Resign => self.resign()?,
            Request::OfferDraw => return self.offer_draw(),
            Request::Pause { on } => self.paused = on,
            Request::Speed { millis } => {
                self.speed = speed(millis);
                self.not_before = None;
            }
            Request::Analyse { at, lines, depth } => self.analyse(at, lines, depth)?,
            Request::Look { at } => self.look(at)?,
            Request::Adopt => self.adopt()?,
            Request::StopAnalysing => self.mode = Mode::Play,
            Request::Review => {
                if self.record.moves().is_empty() {
                    return Err(RequestError::NothingToReview);
                }
                self.remember("evaluate the game");
                self.mode = Mode::Review(0);
            }
            Request::Promote { at, main } => self.promote(at, main)?,
            Request::Delete { at } => self.delete(at)?,
            Request::Annotate { at, comment, nags } => self.annotate(at, &comment, nags)?,
            Request::Draw { at, shapes } => self.draw(at, &shapes)?,
            Request::Undo => self.undo()?,
            Request::Engine(settings) => return self.set_engine(settings).map(Some),
            Request::LoadPgn { text } => return self.load(&text).map(Some),
            Request::Pgn => return Ok(Some(self.download())),
        }
        self.changed = true;
        Ok(None)
    }

    fn new_game(&mut self, players: [Player; 2], start: &StartRequest) -> Result<(), RequestError> {
        players.iter().try_for_each(Player::check)?;
        let (start, moves) = match start {
            StartRequest::Standard => (Board::startpos(), Vec::new()),
            StartRequest::Fen { fen } => (Board::from_fen(fen)?, Vec::new()),
            StartRequest::Chess960 { number } => {
                let number = usize::from(*number);
                if number >= chess960::START_POSITIONS {
                    return Err(RequestError::Chess960);
                }
                (Board::from_fen(&chess960::start_fen(number, number))?, Vec::new())
            }
            StartRequest::Named { name } => {
                let start = Start::find(name);
                start.ok_or_else(|| RequestError::NoSuchStart(name.clone()))?.position()?
            }
        };
        let mut record = Record::new(start);
        moves.into_iter().for_each(|mv| record.play(mv, None, 0, None));
        self.remember("new game");
        self.leave_game();
        self.players = players;
        self.begin(record);
        Ok(())
    }

    /// Clocks go on where their control stays the same.
    fn set_players(&mut self, players: [Player; 2]) -> Result<(), RequestError> {
        players.iter().try_for_each(Player::check)?;
        let before = std::mem::replace(&mut self.players, players);
        let old = std::mem::replace(&mut self.clocks, Clocks::new(&players));
        for color in Color::ALL {
            let same = before[color.index()].clock() == players[color.index()].clock();
            if let Some(left) = old.left(color, Instant::now()).filter(|_| same) {
                self.clocks.set(color, left);
            }
        }
        self.record.tags_mut().retain(|(name, _)| !matches!(name.as_str(), "White" | "Black"));
        // A search going on has the limits of another level, or is not wanted at all.
        self.game_number += 1;
        self.touch();
        Ok(())
    }

    fn user_move(&mut self, text: &str) -> Result<(), RequestError> {
        if let Mode::Analysis(view) = self.mode {
            return self.try_move(view, text);
        }
        self.going_on()?;
        let turn = self.record.turn();
        if self.players[turn.index()].is_engine() {
            return Err(RequestError::NotYourTurn);
        }
        let mv = self.record.read(text)?;
        let clock = self.clocks.moved(turn, Instant::now());
        self.record.play(mv, None, 0, clock);
        self.mode = Mode::Play;
        self.paused = false;
        self.touch();
        Ok(())
    }

    /// Back to where somebody at this board has to move, or one move if the engine
    /// plays itself, which then waits.
    fn take_back(&mut self) -> Result<(), RequestError> {
        let played = self.record.moves().len();
        let mut ply = played.checked_sub(1).ok_or(RequestError::NothingToTakeBack)?;
        let someone = self.players.iter().any(|player| !player.is_engine());
        let first = self.record.start().side_to_move();
        let engine_moves =
            |ply: usize| self.players[(first.index() + ply) % 2].is_engine() && someone;
        while ply > 0 && engine_moves(ply) {
            ply -= 1;
        }
        self.remember("take back");
        self.record.truncate(ply);
        self.mode = Mode::Play;
        self.paused = !someone;
        self.forget_lines();
        self.restore_clocks();
        self.touch();
        Ok(())
    }

    /// Sets the clocks to what they showed after the last move of each side.
    pub(super) fn restore_clocks(&mut self) {
        self.clocks = Clocks::new(&self.players);
        let first = self.record.start().side_to_move();
        for (index, played) in self.record.moves().iter().enumerate() {
            let mover = if index % 2 == 0 { first } else { !first };
            if let Some(left) = self.record.notes(played).clock {
                self.clocks.set(mover, left);
            }
        }
    }

    fn move_now(&mut self) -> Result<(), RequestError> {
        let playing = self.job.as_ref().is_some_and(|job| job.kind == JobKind::Play);
        match &self.link {
            Some(link) if playing && self.search.is_some() => link.stop(),
            _ => return Err(RequestError::NotThinking),
        }
        Ok(())
    }

    fn going_on(&self) -> Result<(), RequestError> {
        self.record.end().map_or(Ok(()), |_| Err(RequestError::GameOver))
    }

    /// The side at this board; the one to move if there are two.
    fn side_here(&self) -> Result<Color, RequestError> {
        self.going_on()?;
        let turn = self.record.turn();
        let is_here = |color: &Color| !self.players[color.index()].is_engine();
        [turn, !turn].into_iter().find(is_here).ok_or(RequestError::NobodyThere)
    }

    fn resign(&mut self) -> Result<(), RequestError> {
        let loser = self.side_here()?;
        self.remember("resign");
        self.record.finish(GameResult::win(!loser), Termination::Resignation);
        self.mode = Mode::Play;
        self.touch();
        Ok(())
    }

    /// Two people at one board can agree by themselves; the engine decides as in any
    /// other game.
    fn offer_draw(&mut self) -> Result<Option<Update<'static>>, RequestError> {
        let here = self.side_here()?;
        let accepted = !self.players[(!here).index()].is_engine()
            || self
                .last_score(!here)
                .is_some_and(|(score, depth)| accepts_draw(self.record.board(), score, depth));
        if !accepted {
            let text = "Gambeson declines the draw.".to_owned();
            return Ok(Some(Update::Notice { text, stays: false }));
        }
        self.remember("draw");
        self.record.finish(GameResult::Draw, Termination::Agreement);
        self.mode = Mode::Play;
        self.touch();
        Ok(None)
    }

    /// What the engine, playing this side, thought of the game last, and how deeply.
    fn last_score(&self, side: Color) -> Option<(Score, u32)> {
        let notes = self.record.moves().iter().rev().map(|shown| self.record.notes(shown));
        let (eval, depth) = notes.filter_map(|notes| notes.eval.zip(notes.depth)).next()?;
        let white = match eval {
            Eval::Centipawns(value) => value,
            Eval::Mate(moves) => 10_000 * moves.signum(),
        };
        let sign = if side == Color::White { 1 } else { -1 };
        Some((Score::from_centipawns(sign * white), depth))
    }

    /// Loads the game in a text. What cannot be read of it is said.
    fn load(&mut self, text: &str) -> Result<Update<'static>, RequestError> {
        let mut games = Reader::new(text.as_bytes(), Detail::Everything).map_while(Result::ok);
        let ParsedGame { game, problems } = games.next().ok_or(RequestError::NoGame)?;
        if games.next().is_some() {
            return Ok(Update::Several);
        }
        let hopeless = |problem: &PgnError| {
            matches!(problem, PgnError::Start(_) | PgnError::Variant(_))
                || game.moves().next().is_none()
        };
        if let Some(problem) = problems.iter().find(|problem| hopeless(problem)) {
            return Err(problem.clone().into());
        }
        self.remember("load");
        self.leave_game();
        self.players = PEOPLE;
        self.clocks = Clocks::new(&self.players);
        self.set_game(game);
        if !problems.is_empty() {
            self.notify(&left_out(&problems));
        }
        Ok(Update::Accepted)
    }

    fn set_engine(&mut self, settings: EngineSettings) -> Result<Update<'static>, RequestError> {
        settings.check()?;
        if let Err(error) = self.hub.set_settings(&settings) {
            self.notify(&format!("The settings cannot be saved: {error}"));
        }
        // A running search is started again with them.
        self.game_number += 1;
        Ok(Update::Engine(settings))
    }

    fn download(&self) -> Update<'static> {
        let game = self.game();
        let date = game.tag("Date").unwrap_or_default().replace('.', "-").replace('?', "x");
        let safe: String =
            date.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        Update::Pgn { name: format!("gambeson-{safe}.pgn"), text: game.to_string() }
    }
}

/// What is said about a game that is not all there.
pub(super) fn left_out(problems: &[PgnError]) -> String {
    let all: Vec<String> = problems.iter().map(PgnError::to_string).collect();
    format!("Parts of this game were left out: {}.", all.join("; "))
}
