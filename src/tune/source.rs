//! The fitted weights as the Rust file the evaluation is built from.

use crate::eval::features;
use crate::eval::trace::Weights;
use std::fmt::Write;

/// Values on a line.
const WIDTH: usize = 8;

/// Where each group of features begins, in order.
const GROUPS: [(usize, &str); 31] = [
    (features::PLACEMENT, "Own pawns, from the first rank up; the king's half on the left"),
    (features::PLACEMENT + 64, "Own knights"),
    (features::PLACEMENT + 2 * 64, "Own bishops"),
    (features::PLACEMENT + 3 * 64, "Own rooks"),
    (features::PLACEMENT + 4 * 64, "Own queens"),
    (features::PLACEMENT + 5 * 64, "The own king"),
    (features::PLACEMENT + 6 * 64, "Enemy pawns"),
    (features::PLACEMENT + 7 * 64, "Enemy knights"),
    (features::PLACEMENT + 8 * 64, "Enemy bishops"),
    (features::PLACEMENT + 9 * 64, "Enemy rooks"),
    (features::PLACEMENT + 10 * 64, "Enemy queens"),
    (features::PLACEMENT + 11 * 64, "The enemy king"),
    (features::BISHOP_PAIR, "The bishop pair"),
    (features::PASSED, "Passed pawns, by rank"),
    (features::ISOLATED, "Isolated pawns"),
    (features::ROOK_OPEN, "A rook on an open file"),
    (features::ROOK_HALF_OPEN, "A rook on a half-open file"),
    (features::KNIGHT_MOBILITY, "Mobility of knights"),
    (features::BISHOP_MOBILITY, "Mobility of bishops"),
    (features::ROOK_MOBILITY, "Mobility of rooks"),
    (features::QUEEN_MOBILITY, "Mobility of queens"),
    (features::KING_ATTACK, "Attacks near the enemy king, by knights to queens"),
    (features::PAWN_THREAT, "Knights to queens attacked by pawns"),
    (features::PIECE_THREAT, "Rooks and queens attacked by minor pieces, queens by rooks"),
    (features::PROTECTED, "Protected pawns"),
    (features::PHALANX, "Pawns side by side"),
    (features::DOUBLED, "Doubled pawns"),
    (features::PASSED_OWN_KING, "Passed pawns by the distance of the own king"),
    (features::PASSED_ENEMY_KING, "Passed pawns by the distance of the enemy king"),
    (features::PASSED_BLOCKED, "Blocked passed pawns, by rank"),
    (features::KING_OPEN, "Files without own pawns around the king"),
];

/// The text of `src/eval/weights.rs`; `made_from` says what the weights come from.
pub(crate) fn source(weights: &Weights, made_from: &str) -> String {
    let mut text = format!(
        "//! What each feature is worth, middlegame and endgame. Written by
//! `gambeson tune`; {made_from}.

use super::features;
use super::tapered::Tapered;

/// For the right to move.
pub(crate) const TEMPO: i32 = {};

const fn t(middlegame: i16, endgame: i16) -> Tapered {{
    Tapered::new(middlegame, endgame)
}}

/// By feature.
#[rustfmt::skip]
pub(super) static WEIGHTS: [Tapered; features::COUNT] = [\n",
        weights.tempo.round()
    );
    let whole = |value: f32| value.round().clamp(-9_999.0, 9_999.0) as i16;
    for (index, &[middlegame, endgame]) in weights.features.iter().enumerate() {
        let begun = GROUPS.iter().rfind(|group| group.0 <= index);
        let Some(&(start, name)) = begun else { continue };
        if index == start {
            let _ = writeln!(text, "    // {name}.");
        }
        let first_of_line = (index - start).is_multiple_of(WIDTH);
        let last = GROUPS.iter().any(|group| group.0 == index + 1) || index + 1 == features::COUNT;
        let last_of_line = last || (index + 1 - start).is_multiple_of(WIDTH);
        let indent = if first_of_line { "    " } else { " " };
        let end = if last_of_line { "\n" } else { "" };
        let (middlegame, endgame) = (whole(middlegame), whole(endgame));
        let _ = write!(text, "{indent}t({middlegame}, {endgame}),{end}");
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_is_written_once_and_in_its_group() {
        assert!(GROUPS.is_sorted_by_key(|group| group.0));
        let mut weights = Weights::in_use();
        weights.tempo = 12.4;
        weights.features[features::BISHOP_PAIR] = [31.6, -4.0];
        let text = source(&weights, "a test");
        assert!(text.contains("TEMPO: i32 = 12;"));
        assert!(text.contains("// The bishop pair.\n    t(32, -4),\n"));
        let values = text.matches("t(").count() - "const fn t(".matches("t(").count();
        assert_eq!(values, features::COUNT);
        assert!(text.lines().all(|line| line.len() <= 130), "{text}");
    }
}
