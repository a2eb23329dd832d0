//! Looking at any position, and what may be done to the variations.

use super::requests::MAX_LINES;
use super::{Mode, Session};
use crate::board::Board;
use crate::game::{Game, NodeId, Shape, ShapeError};
use crate::search::MAX_DEPTH;
use crate::types::Move;
use crate::web::message::RequestError;
use crate::web::players::Player;
use crate::web::record::Record;

/// More than anybody draws on one board.
const MOST_SHAPES: usize = 200;

/// The position on the board while analysing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct View {
    pub(super) at: NodeId,
    /// How many of the best lines to look for.
    pub(super) lines: usize,
    /// The depth to stop at.
    pub(super) depth: Option<u32>,
}

impl View {
    /// The moves up to the position shown.
    pub(super) fn moves(&self, record: &Record) -> Vec<Move> {
        record.moves_to(self.at)
    }

    pub(super) fn board(&self, record: &Record) -> Board {
        record.board_of(self.at)
    }
}

impl Session {
    pub(super) fn node(&self, number: usize) -> Result<NodeId, RequestError> {
        self.record.tree().find(number).ok_or(RequestError::NoSuchPlace)
    }

    pub(super) fn analyse(
        &mut self,
        at: Option<usize>,
        lines: usize,
        depth: Option<u32>,
    ) -> Result<(), RequestError> {
        let at = at.map_or(Ok(self.record.place()), |number| self.node(number))?;
        let lines = lines.clamp(1, MAX_LINES);
        let depth = depth.map(|depth| depth.clamp(1, MAX_DEPTH));
        self.mode = Mode::Analysis(View { at, lines, depth });
        Ok(())
    }

    pub(super) fn look(&mut self, at: usize) -> Result<(), RequestError> {
        let at = self.node(at)?;
        self.view()?.at = at;
        Ok(())
    }

    fn view(&mut self) -> Result<&mut View, RequestError> {
        match &mut self.mode {
            Mode::Analysis(view) => Ok(view),
            _ => Err(RequestError::NotAnalysing),
        }
    }

    /// A move on the board while analysing: along a line that is there, or a new one.
    pub(super) fn try_move(&mut self, view: View, text: &str) -> Result<(), RequestError> {
        let mv = view.board(&self.record).parse_move(text)?;
        let before = self.record.tree().size();
        let at = self.record.try_move(view.at, mv).ok_or(RequestError::TooDeep)?;
        self.mode = Mode::Analysis(View { at, ..view });
        if self.record.tree().size() > before {
            self.touch();
        }
        Ok(())
    }

    /// Goes on with the game from the position under analysis. A game that is over keeps
    /// its file as it was; this is another one then.
    pub(super) fn adopt(&mut self) -> Result<(), RequestError> {
        let at = self.view()?.at;
        self.remember("play from here");
        if self.record.end().is_some() {
            self.leave_game();
        }
        self.record.adopt(at);
        self.mode = Mode::Play;
        self.forget_lines();
        self.restore_clocks();
        self.touch();
        Ok(())
    }

    /// What was played against the engine is played, as long as the game goes on.
    fn may_rearrange(&self) -> Result<(), RequestError> {
        let against = self.players.iter().any(Player::is_engine) && self.record.end().is_none();
        if against { Err(RequestError::StillPlaying) } else { Ok(()) }
    }

    pub(super) fn promote(&mut self, at: usize, main: bool) -> Result<(), RequestError> {
        let at = self.node(at)?;
        if at == Game::START || self.record.is_played(at) {
            return Err(RequestError::NoSuchPlace);
        }
        // What follows the last move is in no variation, but not played either.
        let root = self.record.variation(at);
        self.remember("promote");
        let raised =
            !main && root.is_some_and(|root| self.record.rearrange(|game| game.raise(root)));
        if !raised {
            let place = root.filter(|_| !main).unwrap_or(at);
            let made = self.may_rearrange().and_then(|()| {
                self.record.make_main(place).then_some(()).ok_or(RequestError::TooDeep)
            });
            if made.is_err() {
                self.forget_last();
            }
            made?;
        }
        self.touch();
        Ok(())
    }

    pub(super) fn delete(&mut self, at: usize) -> Result<(), RequestError> {
        let at = self.node(at)?;
        let parent = self.record.tree().parent(at);
        if parent == at {
            return Err(RequestError::NoSuchPlace);
        }
        if self.record.is_played(at) {
            self.may_rearrange()?;
            self.remember("delete");
            self.record.forget(at);
        } else {
            self.remember("delete");
            self.record.rearrange(|game| game.remove(at));
        }
        self.stay_in_tree(parent);
        self.touch();
        Ok(())
    }

    /// After a change: what is looked at may be gone.
    pub(super) fn stay_in_tree(&mut self, otherwise: NodeId) {
        if let Mode::Analysis(view) = &mut self.mode
            && self.record.tree().find(view.at.index()).is_none()
        {
            view.at = otherwise;
        }
        if let Mode::Review(_) = self.mode {
            self.mode = Mode::Play;
        }
    }

    pub(super) fn annotate(
        &mut self,
        at: usize,
        comment: &str,
        nags: Vec<u8>,
    ) -> Result<(), RequestError> {
        let at = self.node(at)?;
        self.remember("annotate");
        self.record.annotate(at, comment, nags);
        self.touch();
        Ok(())
    }
    /// What was drawn before can be had back, unless more was only added to it.
    pub(super) fn draw(&mut self, at: usize, shapes: &[String]) -> Result<(), RequestError> {
        let at = self.node(at)?;
        if shapes.len() > MOST_SHAPES {
            let max = MOST_SHAPES as f64;
            return Err(RequestError::OutOfRange { what: "the number of arrows", min: 0.0, max });
        }
        let shapes: Vec<Shape> =
            shapes.iter().map(|text| text.parse()).collect::<Result<_, ShapeError>>()?;
        if self.record.tree().notes(at).shapes.iter().any(|old| !shapes.contains(old)) {
            self.remember("erase");
        }
        self.record.draw(at, shapes);
        self.touch();
        Ok(())
    }
}
