//! What evaluating a game says about its moves: `?!`, `?` and `??`, by how much of the mover's
//! chances each of them gave away.

use crate::game::{Eval, Game, NodeId};
use crate::types::Color;

struct Mistake {
    /// The share of the points that a move has to give away.
    loss: f64,
    glyph: u8,
    one: &'static str,
    many: &'static str,
}

/// The worst first.
const MISTAKES: [Mistake; 3] = [
    Mistake { loss: 0.15, glyph: 4, one: "blunder", many: "blunders" },
    Mistake { loss: 0.10, glyph: 2, one: "mistake", many: "mistakes" },
    Mistake { loss: 0.05, glyph: 6, one: "inaccuracy", many: "inaccuracies" },
];
/// Glyphs up to this number are about the move, those above it about the position.
const LAST_OF_MOVES: u8 = 9;
/// Centipawns for which the chances grow by a factor of e, as the page's bar draws them.
const SCALE: f64 = 250.0;

/// The share of the points that White can expect.
fn chances(eval: Eval) -> f64 {
    match eval {
        Eval::Centipawns(value) => 1.0 / (1.0 + (-f64::from(value) / SCALE).exp()),
        Eval::Mate(moves) => f64::from(u8::from(moves > 0)),
    }
}

/// Marks the moves of a line that begins at the start of the game. What somebody said about a
/// move stays. Returns what was found, in words.
pub(super) fn mark(game: &mut Game, line: &[NodeId]) -> String {
    let first = game.start().side_to_move();
    let mut found = [[0; MISTAKES.len()]; 2];
    for (index, pair) in line.windows(2).enumerate() {
        let &[before, after] = pair else { continue };
        let (Some(was), Some(is)) = (game.notes(before).eval, game.notes(after).eval) else {
            continue;
        };
        // The first pair is about the second move.
        let mover = if index % 2 == 0 { !first } else { first };
        let gain = chances(is) - chances(was);
        let loss = if mover == Color::White { -gain } else { gain };
        let Some(worst) = MISTAKES.iter().position(|mistake| loss >= mistake.loss) else {
            continue;
        };
        found[mover.index()][worst] += 1;
        let nags = &mut game.notes_mut(after).nags;
        if !nags.iter().any(|&nag| nag <= LAST_OF_MOVES) {
            nags.insert(0, MISTAKES[worst].glyph);
        }
    }
    let of = |color: Color| {
        let counts = MISTAKES.iter().zip(found[color.index()]).rev();
        let words = counts.map(|(mistake, count)| {
            format!("{count} {}", if count == 1 { mistake.one } else { mistake.many })
        });
        words.collect::<Vec<_>>().join(", ")
    };
    format!("White: {}. Black: {}.", of(Color::White), of(Color::Black))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::pgn::{Detail, Reader};

    #[test]
    fn moves_are_marked_by_what_they_give_away() {
        // Nothing is known of the start, nor after 4. Ke2.
        let text = "1. e4 { [%eval 0.2] } e5 { [%eval 0.9] } 2. f3 { [%eval -0.2] } f5 $1 \
            { [%eval #3] } 3. g4 $16 { [%eval #-2] } Qh4+ { [%eval -0.5] } 4. Ke2 g6 { [%eval 5] } *";
        let mut game =
            Reader::new(text.as_bytes(), Detail::Everything).next().unwrap().unwrap().game;
        let line: Vec<NodeId> = game.main_line().collect();
        let told = mark(&mut game, &line);
        let nags: Vec<&[u8]> = line.iter().map(|&id| game.notes(id).nags.as_slice()).collect();
        let marked: [&[u8]; 8] = [&[], &[6], &[2], &[1], &[4, 16], &[4], &[], &[]];
        assert_eq!(nags, marked);
        let counted = "White: 0 inaccuracies, 1 mistake, 1 blunder. \
            Black: 1 inaccuracy, 0 mistakes, 2 blunders.";
        assert_eq!(told, counted);
        // Once more changes nothing.
        let once = game.clone();
        assert_eq!((mark(&mut game, &line).as_str(), game), (counted, once));
    }
}
