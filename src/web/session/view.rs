//! What pages are shown, and what is written above a game.

use super::requests::MAX_LINES;
use super::{JobKind, Mode, Session};
use crate::board::Board;
use crate::game::{Game, NodeId, Notes, Shape};
use crate::search::MAX_DEPTH;
use crate::types::{Color, Wing};
use crate::web::message::{
    AnalysisView, ClocksView, EndView, EngineSettings, MoveView, PositionView, State, Update,
};
use crate::web::players::{Player, elo_range};
use crate::web::record::{Record, ShownMove};
use crate::web::settings;
use crate::web::starts::STARTS;
use crate::web::store::set_tag;
use std::collections::BTreeMap;
use std::time::Instant;

pub(super) fn hello(engine: EngineSettings) -> Update<'static> {
    Update::Hello {
        version: env!("CARGO_PKG_VERSION"),
        starts: &STARTS,
        elo: elo_range(),
        max_depth: MAX_DEPTH,
        max_lines: MAX_LINES,
        engine,
        limits: settings::limits(),
    }
}

impl Session {
    pub(super) fn state(&self, now: Instant) -> State {
        let record = &self.record;
        let turn = record.turn();
        let playing =
            self.search.is_some() && self.job.as_ref().is_some_and(|job| job.kind == JobKind::Play);
        let may_move = record.end().is_none() && !self.players[turn.index()].is_engine();
        let (destinations, promotions) = match &self.mode {
            Mode::Analysis(view) => destinations(&view.board(record)),
            _ if may_move => destinations(record.board()),
            _ => Default::default(),
        };
        let (moves, ahead) = lines(record);
        let name = record.tags().iter().find(|(tag, value)| tag == "Event" && value != "?");
        State {
            game: self.id.as_str().to_owned(),
            name: name.map(|(_, name)| name.clone()).unwrap_or_default(),
            players: self.players,
            names: names(record, &self.players),
            start: PositionView {
                fen: record.start().fen(),
                check: record.start().in_check(),
                comment: record.tree().notes(Game::START).comment.clone(),
                shapes: shapes(record.tree().notes(Game::START)),
            },
            chess960: record.is_chess960(),
            moves,
            ahead,
            turn,
            destinations,
            promotions,
            end: record.end().map(|end| EndView::new(end, record.ended_here())),
            clocks: ClocksView {
                left: Color::ALL.map(|color| self.clocks.left(color, now)),
                running: self.clocks.running(),
            },
            thinking: playing,
            waiting: self.waiting.is_some(),
            paused: self.paused,
            speed: u64::try_from(self.speed.as_millis()).unwrap_or_default(),
            analysis: match &self.mode {
                Mode::Analysis(view) => {
                    Some(AnalysisView { at: view.at.index(), lines: view.lines, depth: view.depth })
                }
                _ => None,
            },
            review: match self.mode {
                Mode::Review(done) => Some(done),
                _ => None,
            },
            undo: self.undoes(),
        }
    }
}

/// The moves played with their alternatives, and the lines after the last of them.
fn lines(record: &Record) -> (Vec<MoveView>, Vec<Vec<MoveView>>) {
    let game = record.tree();
    let mut tree = Tree { game, chess960: record.is_chess960() };
    let mut board = record.start().clone();
    let mut place = Game::START;
    let mut moves = Vec::new();
    for shown in record.moves() {
        let mut view = MoveView::new(shown, game.notes(shown.id));
        view.variations = tree.alternatives(place, &mut board);
        moves.push(view);
        board.make(shown.mv);
        place = shown.id;
    }
    let ahead = match game.children(place).first() {
        Some(&first) => {
            let mut lines = vec![tree.line(first, &mut board)];
            // The alternatives of its first move are lines of their own here.
            let variations = lines[0].first_mut().map(|view| std::mem::take(&mut view.variations));
            lines.extend(variations.unwrap_or_default());
            lines
        }
        None => Vec::new(),
    };
    (moves, ahead)
}

struct Tree<'a> {
    game: &'a Game,
    chess960: bool,
}

impl Tree<'_> {
    /// The lines that leave the first choice at a place.
    fn alternatives(&mut self, place: NodeId, board: &mut Board) -> Vec<Vec<MoveView>> {
        let others = self.game.children(place).iter().skip(1);
        others.map(|&first| self.line(first, board)).collect()
    }

    /// A line to its end, with what leaves it. The board is as before.
    fn line(&mut self, first: NodeId, board: &mut Board) -> Vec<MoveView> {
        let (mut views, mut made) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        while let Some(id) = next
            && let Some(mv) = self.game.mv(id)
        {
            let parent = self.game.parent(id);
            // The alternatives of a variation's first move stand beside it, not in it.
            let is_first_choice = self.game.children(parent).first() == Some(&id);
            let variations =
                if is_first_choice { self.alternatives(parent, board) } else { Vec::new() };
            let shown = ShownMove::new(board, mv, self.chess960, id);
            views.push(MoveView { variations, ..MoveView::new(&shown, self.game.notes(id)) });
            made.push(mv);
            next = self.game.children(id).first().copied();
        }
        made.into_iter().rev().for_each(|mv| board.unmake(mv));
        views
    }
}

impl MoveView {
    fn new(shown: &ShownMove, notes: &Notes) -> MoveView {
        MoveView {
            id: shown.id.index(),
            uci: shown.coordinates.clone(),
            san: shown.san.clone(),
            fen: shown.fen.clone(),
            check: shown.check,
            eval: notes.eval,
            clock: notes.clock,
            before: notes.before.clone(),
            comment: notes.comment.clone(),
            nags: notes.nags.clone(),
            shapes: shapes(notes),
            variations: Vec::new(),
        }
    }
}

fn shapes(notes: &Notes) -> Vec<String> {
    notes.shapes.iter().map(Shape::to_string).collect()
}

/// Where each piece can go, and which of these moves promote. Castling is the king
/// onto its rook, and where that means nothing else, onto its own target too.
fn destinations(board: &Board) -> (BTreeMap<String, Vec<String>>, Vec<String>) {
    let legal = board.legal_moves();
    let mut targets: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut promotions = Vec::new();
    for &mv in &legal {
        let of_piece = targets.entry(mv.from().to_string()).or_default();
        let to = mv.to().to_string();
        if mv.promoted().is_some() {
            let squares = format!("{}{to}", mv.from());
            if promotions.contains(&squares) {
                continue;
            }
            promotions.push(squares);
        }
        of_piece.push(to);
        if mv.is_castle() && board.castling_is_orthodox() {
            let wing = Wing::of_rook(mv.from().file(), mv.to().file());
            let (king, _) = wing.destinations(board.side_to_move());
            of_piece.push(king.to_string());
        }
    }
    (targets, promotions)
}

/// What a game that starts now is called.
pub(super) fn tags_of_today() -> Vec<(String, String)> {
    let date = chrono::Local::now().format("%Y.%m.%d").to_string();
    let tags = [("Event", "Casual game"), ("Site", "Gambeson"), ("Date", &date), ("Round", "-")];
    tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

/// All tags of a game, those that follow from its state included.
pub(super) fn tags(record: &Record, players: &[Player; 2]) -> Vec<(String, String)> {
    let [white, black] = names(record, players);
    let mut tags = record.tags().to_vec();
    set_tag(&mut tags, "White", white);
    set_tag(&mut tags, "Black", black);
    for (player, name) in players.iter().zip(["WhiteTimeControl", "BlackTimeControl"]) {
        if let Some(clock) = player.clock() {
            set_tag(&mut tags, name, clock.tag());
        }
    }
    if let Some(end) = record.end().filter(|_| record.ended_here()) {
        set_tag(&mut tags, "Termination", end.to_string());
    }
    tags
}

/// The names in a loaded game, or those of the players.
fn names(record: &Record, players: &[Player; 2]) -> [String; 2] {
    let name = |tag: &str, player: &Player| {
        let found = record.tags().iter().find(|(name, value)| name == tag && value != "?");
        found.map_or_else(|| player.name(), |(_, name)| name.clone())
    };
    [name("White", &players[0]), name("Black", &players[1])]
}
