//! The record of a game: a start, a tree of moves whose first children are the main
//! line, and what stands beside each of them.

use super::{GameResult, Shape};
use crate::board::Board;
use crate::types::{Color, Move, Score};
use std::fmt;
use std::time::Duration;

/// No clock shows more, whoever sets it: a file may say anything.
pub(crate) const LONGEST_CLOCK: Duration = Duration::from_secs(1000 * 3600);
/// No game can last longer than 5,898 moves under the 75-move rule.
pub(crate) const LONGEST_GAME: usize = 11_796;

#[derive(Debug, Clone)]
pub struct Game {
    /// Names and values in order. `FEN`, `SetUp` and `Result` are not among them: they
    /// follow from the rest.
    pub(crate) tags: Vec<(String, String)>,
    /// `None` for a game that is unfinished or does not say.
    pub(crate) result: Option<GameResult>,
    start: Board,
    /// The first is the start position. What was cut off stays here, out of reach.
    nodes: Vec<Node>,
}

/// A place in a game: its start, or after one of its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// A number for those who cannot hold an id; [`Game::find`] reads it.
    pub fn index(self) -> usize {
        self.0
    }
}

#[derive(Debug, Clone)]
struct Node {
    /// `None` for the start only.
    mv: Option<Move>,
    parent: NodeId,
    children: Vec<NodeId>,
    notes: Notes,
}

/// What stands beside a move.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Notes {
    /// A comment before the first move of a variation.
    pub(crate) before: String,
    pub(crate) comment: String,
    /// Numeric annotation glyphs: 1 for `!`, 2 for `?`...
    pub(crate) nags: Vec<u8>,
    /// The value of the position after the move, and how deep a search said so.
    pub(crate) eval: Option<Eval>,
    pub(crate) depth: Option<u32>,
    /// What the mover's clock showed after the move.
    pub(crate) clock: Option<Duration>,
    /// Drawn on the board after the move.
    pub(crate) shapes: Vec<Shape>,
}

/// The value of a position from White's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Eval {
    Centipawns(i32),
    /// White mates in this many moves, or is mated if negative.
    Mate(i32),
}

impl Eval {
    /// A score of the side to move, `turn`, as White sees it.
    #[cfg_attr(not(feature = "play"), allow(dead_code, reason = "for the board"))]
    pub(crate) fn new(score: Score, turn: Color) -> Eval {
        let sign = if turn == Color::White { 1 } else { -1 };
        match score.mate_moves() {
            Some(moves) => Eval::Mate(sign * moves),
            None => Eval::Centipawns(sign * score.centipawns()),
        }
    }
}

impl fmt::Display for Eval {
    /// As the `%eval` command of PGN comments writes it: pawns, or `#` and moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Eval::Centipawns(value) => write!(f, "{:.2}", f64::from(value) / 100.0),
            Eval::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Board::startpos())
    }
}

impl Game {
    pub(crate) const START: NodeId = NodeId(0);

    pub(crate) fn new(start: Board) -> Game {
        let root =
            Node { mv: None, parent: Game::START, children: Vec::new(), notes: Notes::default() };
        Game { tags: Vec::new(), result: None, start, nodes: vec![root] }
    }

    /// The value of the first tag of this name.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    pub fn start(&self) -> &Board {
        &self.start
    }

    /// How many places the game has, its start included.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, id: NodeId) -> &Node {
        // Every id comes from this game's `add`.
        &self.nodes[id.0]
    }

    /// The move that led here.
    pub(crate) fn mv(&self, id: NodeId) -> Option<Move> {
        self.node(id).mv
    }

    /// Where that move was played.
    pub(crate) fn parent(&self, id: NodeId) -> NodeId {
        self.node(id).parent
    }

    /// What was played here: the main line first, then its alternatives.
    pub(crate) fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    pub(crate) fn notes(&self, id: NodeId) -> &Notes {
        &self.node(id).notes
    }

    pub(crate) fn notes_mut(&mut self, id: NodeId) -> &mut Notes {
        &mut self.nodes[id.0].notes
    }

    /// Adds a move that is legal there, as the last alternative.
    pub(crate) fn add(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(self.nodes.len());
        let (children, notes) = (Vec::new(), Notes::default());
        self.nodes.push(Node { mv: Some(mv), parent, children, notes });
        self.nodes[parent.0].children.push(id);
        id
    }

    /// The child with this move, if there is one.
    #[cfg_attr(not(feature = "play"), allow(dead_code, reason = "for the board"))]
    pub(crate) fn child(&self, id: NodeId, mv: Move) -> Option<NodeId> {
        self.children(id).iter().copied().find(|&child| self.mv(child) == Some(mv))
    }

    /// Makes a move the first choice where it was played.
    #[cfg_attr(not(feature = "play"), allow(dead_code, reason = "for the board"))]
    pub(crate) fn promote(&mut self, id: NodeId) {
        let parent = self.parent(id);
        let siblings = &mut self.nodes[parent.0].children;
        if let Some(index) = siblings.iter().position(|&sibling| sibling == id) {
            siblings[..=index].rotate_right(1);
        }
    }

    /// Lets a move and its alternative before it change places.
    pub fn raise(&mut self, id: NodeId) {
        let parent = self.parent(id);
        let siblings = &mut self.nodes[parent.0].children;
        if let Some(index) = siblings.iter().position(|&sibling| sibling == id)
            && index > 0
        {
            siblings.swap(index - 1, index);
        }
    }

    /// Forgets a move and everything after it.
    pub fn remove(&mut self, id: NodeId) {
        let parent = self.parent(id);
        self.nodes[parent.0].children.retain(|&child| child != id);
    }

    /// The place of this number, unless it was removed.
    pub fn find(&self, index: usize) -> Option<NodeId> {
        let id = NodeId(index);
        let path = (index < self.nodes.len()).then(|| self.path(id))?;
        let mut parent = Game::START;
        for &place in &path {
            if !self.children(parent).contains(&place) {
                return None;
            }
            parent = place;
        }
        Some(id)
    }

    /// The places from the first move to this one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let parent = |&id: &NodeId| Some(self.parent(id)).filter(|&id| id != Game::START);
        let first = Some(id).filter(|&id| id != Game::START);
        let mut path: Vec<NodeId> = std::iter::successors(first, parent).collect();
        path.reverse();
        path
    }

    /// In how many variations this place stands, one in the other.
    pub fn nesting(&self, id: NodeId) -> usize {
        let path = self.path(id);
        path.iter().filter(|&&id| self.children(self.parent(id)).first() != Some(&id)).count()
    }

    /// The deepest variation of the game.
    pub fn deepest(&self) -> usize {
        let (mut deepest, mut open) = (0, vec![(Game::START, 0)]);
        while let Some((id, nesting)) = open.pop() {
            deepest = deepest.max(nesting);
            let children = self.children(id).iter().enumerate();
            open.extend(children.map(|(index, &child)| (child, nesting + usize::from(index > 0))));
        }
        deepest
    }

    /// The places of the main line, without the start.
    pub(crate) fn main_line(&self) -> impl Iterator<Item = NodeId> {
        let next = |&id: &NodeId| self.children(id).first().copied();
        std::iter::successors(next(&Game::START), next)
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().filter_map(|id| self.mv(id))
    }
}

impl PartialEq for Game {
    /// Whether both show the same: what was cut off does not count.
    fn eq(&self, other: &Game) -> bool {
        let mut pairs = vec![(Game::START, Game::START)];
        while let Some((a, b)) = pairs.pop() {
            let (ours, theirs) = (self.node(a), other.node(b));
            let same = ours.mv == theirs.mv
                && ours.notes == theirs.notes
                && ours.children.len() == theirs.children.len();
            if !same {
                return false;
            }
            pairs.extend(ours.children.iter().copied().zip(theirs.children.iter().copied()));
        }
        (&self.tags, self.result) == (&other.tags, other.result) && self.start == other.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_promoted_and_removed() {
        let mut game = Game::default();
        let mv = |text: &str| Board::startpos().parse_move(text).expect(text);
        let e4 = game.add(Game::START, mv("e4"));
        let d4 = game.add(Game::START, mv("d4"));
        assert!(game.moves().eq([mv("e4")]));
        game.promote(d4);
        assert!(game.moves().eq([mv("d4")]));
        assert_eq!(game.children(Game::START), [d4, e4]);
        assert_eq!(game.child(Game::START, mv("e4")), Some(e4));
        let before = game.clone();
        game.notes_mut(e4).nags.push(1);
        assert_ne!(before, game);
        game.remove(d4);
        game.remove(e4);
        assert_eq!(game, Game::default());
        assert_eq!((game.find(e4.index()), game.find(99)), (None, None));
    }

    #[test]
    fn variations_are_raised_removed_and_measured() {
        let mut game = Game::default();
        let mv = |text: &str| Board::startpos().parse_move(text).expect(text);
        let places = ["e4", "d4", "c4"].map(|text| game.add(Game::START, mv(text)));
        let [e4, d4, c4] = places;
        let mut after = Board::startpos();
        after.make(mv("c4"));
        let reply = game.add(c4, after.parse_move("e5").expect("legal"));
        game.raise(c4);
        assert_eq!(game.children(Game::START), [e4, c4, d4]);
        assert_eq!((game.nesting(reply), game.nesting(e4), game.deepest()), (1, 0, 1));
        assert_eq!((game.path(reply), game.find(reply.index())), (vec![c4, reply], Some(reply)));
        game.raise(e4);
        game.remove(c4);
        assert_eq!(game.children(Game::START), [e4, d4]);
        assert_eq!(game.find(reply.index()), None);
    }
}
