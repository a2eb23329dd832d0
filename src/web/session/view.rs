//! What pages are shown, and what is written above a game.

use super::requests::MAX_LINES;
use super::{Mode, Purpose, Session};
use crate::board::Board;
use crate::game::Notes;
use crate::search::MAX_DEPTH;
use crate::types::{Color, Wing};
use crate::web::message::{
    AnalysisView, ClocksView, EndView, MoveView, PositionView, State, Update,
};
use crate::web::players::{Player, elo_range};
use crate::web::record::{Record, ShownMove};
use crate::web::starts::STARTS;
use std::collections::BTreeMap;
use std::time::Instant;

pub(super) fn hello() -> Update<'static> {
    Update::Hello {
        version: env!("CARGO_PKG_VERSION"),
        starts: &STARTS,
        elo: elo_range(),
        max_depth: MAX_DEPTH,
        max_lines: MAX_LINES,
    }
}

impl Session {
    pub(super) fn state(&self, now: Instant) -> State {
        let record = &self.record;
        let turn = record.turn();
        let playing = self.search.is_some()
            && self.job.as_ref().is_some_and(|job| job.purpose == Purpose::Play);
        let may_move = record.end().is_none() && !self.players[turn.index()].is_engine();
        let (destinations, promotions) = match &self.mode {
            Mode::Analysis(view) => destinations(&view.board(record)),
            _ if may_move => destinations(record.board()),
            _ => Default::default(),
        };
        State {
            players: self.players,
            names: names(record, &self.players),
            start: PositionView { fen: record.start().fen(), check: record.start().in_check() },
            chess960: record.is_chess960(),
            moves: record
                .moves()
                .iter()
                .map(|shown| MoveView::new(shown, record.notes(shown)))
                .collect(),
            turn,
            destinations,
            promotions,
            end: record.end().map(EndView::new),
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
                    let mut board = record.board_at(view.from);
                    let chess960 = record.is_chess960();
                    let moves = view.moves.iter();
                    AnalysisView {
                        from: view.from,
                        moves: moves
                            .map(|&mv| {
                                let shown = ShownMove::loose(&mut board, mv, chess960);
                                MoveView::new(&shown, &Notes::default())
                            })
                            .collect(),
                        ply: view.ply,
                        lines: view.lines,
                    }
                    .into()
                }
                _ => None,
            },
            review: match self.mode {
                Mode::Review(done) => Some(done),
                _ => None,
            },
        }
    }
}

impl MoveView {
    fn new(shown: &ShownMove, notes: &Notes) -> MoveView {
        MoveView {
            uci: shown.coordinates.clone(),
            san: shown.san.clone(),
            fen: shown.fen.clone(),
            check: shown.check,
            eval: notes.eval,
            clock: notes.clock,
            comment: notes.comment.clone(),
        }
    }
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

/// Gives a tag this value where it stands, or at the end.
fn set_tag(tags: &mut Vec<(String, String)>, name: &str, value: String) {
    match tags.iter_mut().find(|(other, _)| other == name) {
        Some((_, old)) => *old = value,
        None => tags.push((name.to_owned(), value)),
    }
}

/// The names in a loaded game, or those of the players.
fn names(record: &Record, players: &[Player; 2]) -> [String; 2] {
    let name = |tag: &str, player: &Player| {
        let found = record.tags().iter().find(|(name, value)| name == tag && value != "?");
        found.map_or_else(|| player.name(), |(_, name)| name.clone())
    };
    [name("White", &players[0]), name("Black", &players[1])]
}
