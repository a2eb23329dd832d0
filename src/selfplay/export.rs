//! Games for other trainers: single positions in the format of bullet, and whole games
//! in that of viridithas, which bullet reads as well.

use super::{GameRecord, RecordError, ScoredMove, usable};
use crate::board::Board;
use crate::types::{Color, Move, MoveKind, Piece, Rank};
use bulletformat::ChessBoard;
use std::io::{self, Write};

/// viriformat has no place for a move without a score: this one is beyond what its
/// filter keeps.
const NO_EVAL: i16 = 32_000;
/// The code of a rook that may castle.
const CASTLING_ROOK: u8 = 6;
/// The bit that says that a piece is black, and that Black is to move.
const BLACK: u8 = 8;
const BLACK_TO_MOVE: u8 = 0x80;
const NO_SQUARE: u8 = 64;
/// Ends a game.
const END: [u8; 4] = [0; 4];

/// Calls `visit` with the usable positions of a game in bullet's format: as the side to
/// move sees them, with the score in our own unit.
pub fn bullet_positions(
    record: &GameRecord,
    mut visit: impl FnMut(ChessBoard),
) -> Result<(), RecordError> {
    usable::for_each(record, |board, score, points| {
        let pieces = Piece::ALL.map(|piece| board.pieces(piece).0);
        let [white, black] = Color::ALL.map(|color| board.color(color).0);
        let [pawns, knights, bishops, rooks, queens, kings] = pieces;
        let us = board.side_to_move();
        let (sign, white_points) =
            if us == Color::White { (1, points) } else { (-1, 1.0 - points) };
        // Usable scores are small, and every occupied square has a piece.
        let position = ChessBoard::from_raw(
            [white, black, pawns, knights, bishops, rooks, queens, kings],
            us.index(),
            (sign * score.0) as i16,
            white_points,
        );
        visit(position.unwrap_or_default());
    })
}

/// The bytes of positions as they are on disk.
pub(crate) fn bullet_bytes(position: &ChessBoard) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&position.occ.to_le_bytes());
    bytes[8..24].copy_from_slice(&position.pcs);
    bytes[24..26].copy_from_slice(&position.score.to_le_bytes());
    bytes[26..29].copy_from_slice(&[position.result, position.ksq, position.opp_ksq]);
    bytes
}

/// Writes a whole game in viridithas' format: the start with the result, each move with
/// the score as White sees it, and four zeros.
pub fn write_viri(
    record: &GameRecord,
    out: &mut impl Write,
) -> io::Result<Result<(), RecordError>> {
    let start = match record.start.unpack() {
        Ok(board) => board,
        Err(error) => return Ok(Err(RecordError::Start { index: record.index, error })),
    };
    let mut bytes = viri_start(&start, record.result as u8).to_vec();
    let replayed = record.replay(|board, scored| {
        bytes.extend_from_slice(&viri_move(scored.mv).to_le_bytes());
        bytes.extend_from_slice(&viri_score(board, scored).to_le_bytes());
    });
    if let Err(error) = replayed {
        return Ok(Err(error));
    }
    bytes.extend_from_slice(&END);
    out.write_all(&bytes).map(Ok)
}

/// Occupied squares 8, pieces 16, side to move and en passant 1, halfmove clock 1, move
/// number 2, score 2, result 1, nothing 1.
fn viri_start(board: &Board, result: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, square) in board.occupied().into_iter().enumerate() {
        let color = board.color_at(square).unwrap_or(Color::White);
        let may_castle = square.rank().relative_to(color) == Rank::ALL[0]
            && board.castling().files(color).any(|file| file == square.file());
        let code = match board.piece_at(square) {
            Some(Piece::Rook) if may_castle => CASTLING_ROOK,
            piece => piece.map_or(0, |piece| piece as u8),
        };
        let black = if color == Color::Black { BLACK } else { 0 };
        bytes[8 + index / 2] |= (code | black) << (4 * (index % 2));
    }
    let turn = if board.side_to_move() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes[24] = turn | board.en_passant().map_or(NO_SQUARE, |square| square as u8);
    bytes[25] = u8::try_from(board.halfmove_clock()).unwrap_or(u8::MAX);
    let number = u16::try_from(board.fullmove_number()).unwrap_or(u16::MAX);
    bytes[26..28].copy_from_slice(&number.to_le_bytes());
    bytes[30] = result;
    bytes
}

fn viri_move(mv: Move) -> u16 {
    let kind = match mv.kind() {
        MoveKind::Normal => 0,
        MoveKind::EnPassant => 1 << 14,
        MoveKind::Castle => 2 << 14,
        MoveKind::Promotion(piece) => 3 << 14 | (piece as u16 - Piece::Knight as u16) << 12,
    };
    mv.from() as u16 | (mv.to() as u16) << 6 | kind
}

fn viri_score(board: &Board, scored: ScoredMove) -> i16 {
    match (scored.score(), board.side_to_move()) {
        (None, _) => NO_EVAL,
        (Some(score), Color::White) => score.0 as i16,
        (Some(score), Color::Black) => -score.0 as i16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::selfplay::{NO_SCORE, PackedPosition, SeriesPlayer, Settings};
    use crate::types::Score;

    /// Positions of every sort, unusable ones and such without a score among them.
    fn varied() -> Vec<GameRecord> {
        let settings = Settings { seed: 3, nodes: 30, chess960: 300 };
        let mut player = SeriesPlayer::new(settings, None).expect("memory");
        let mut games: Vec<GameRecord> = (0..12).map(|index| player.play(index).record).collect();
        games[1].moves[20].score = NO_SCORE;
        // Castling, en passant and promotions for certain.
        let fen = "r3k2r/P6p/8/5pP1/8/8/p6P/R3K2R w KQkq f6 0 20";
        let mut board = Board::from_fen(fen).expect(fen);
        let start = PackedPosition::pack(&board);
        let mut moves = Vec::new();
        for (text, score) in [("gxf6", 120), ("O-O-O", 80), ("a8=N", -40), ("a1=Q", 300)] {
            // Black's pawn may not take what it likes: whatever is legal will do.
            let mv = board.parse_move(text).ok().or_else(|| board.legal_moves().first().copied());
            let mv = mv.expect("a move");
            moves.push(ScoredMove { mv, score });
            board.make(mv);
        }
        let (result, ending) = (GameResult::Draw, games[0].ending);
        games.push(GameRecord { index: 12, start, moves, result, ending });
        games
    }

    #[test]
    fn bullet_reads_what_is_exported() {
        let mut positions = 0;
        for game in varied() {
            let mut expected = Vec::new();
            let visit = |board: &Board, score: Score, points: f32| {
                let white = board.side_to_move() == Color::White;
                let (score, points) =
                    if white { (score.0, points) } else { (-score.0, 1.0 - points) };
                let line = format!("{} | {score} | {points:.1}", board.fen());
                expected.push(line.parse::<ChessBoard>().expect("bullet's own text"));
            };
            usable::for_each(&game, visit).expect("legal moves");
            let mut found = Vec::new();
            bullet_positions(&game, |position| found.push(position)).expect("legal moves");
            for (found, expected) in found.iter().zip(&expected) {
                let mut same = expected.into_iter().collect::<Vec<_>>();
                same.sort_unstable();
                let mut ours = found.into_iter().collect::<Vec<_>>();
                ours.sort_unstable();
                assert_eq!(ours, same);
                let kings = |it: &ChessBoard| (it.ksq, it.opp_ksq, it.score, it.result, it.occ);
                assert_eq!(kings(found), kings(expected));
                // As a program that maps the file sees it.
                assert_eq!(bullet_bytes(found), <[u8; 32]>::from(Bytes(*found)));
            }
            assert_eq!(found.len(), expected.len());
            positions += found.len();
        }
        assert!(positions > 300, "{positions}");
    }

    /// A position as the reader of the format lays it out in memory.
    struct Bytes(ChessBoard);

    impl From<Bytes> for [u8; 32] {
        fn from(Bytes(position): Bytes) -> [u8; 32] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("position");
            let mut file = io::BufWriter::new(std::fs::File::create(&path).expect("a file"));
            bulletformat::BulletFormat::write_to_bin(&mut file, &[position]).expect("room");
            drop(file);
            std::fs::read(&path).expect("a file").try_into().expect("32 bytes")
        }
    }

    #[test]
    fn viridithas_reads_what_is_exported() {
        for game in varied() {
            let mut bytes = Vec::new();
            write_viri(&game, &mut bytes).expect("room").expect("legal moves");
            // Its reader checks that every move is legal where it was played.
            let read = viriformat::dataformat::Game::deserialise_from(&mut &bytes[..], Vec::new());
            let read = read.expect("a game");
            let mut written = Vec::new();
            read.serialise_into(&mut written).expect("room");
            assert_eq!(written, bytes);
            let outcome = match game.result {
                GameResult::WhiteWins => viriformat::dataformat::WDL::Win,
                GameResult::Draw => viriformat::dataformat::WDL::Draw,
                GameResult::BlackWins => viriformat::dataformat::WDL::Loss,
            };
            assert_eq!(read.outcome(), outcome);
            let mut boards = Vec::new();
            read.visit_positions(|board, score| boards.push((board.to_string(), score)));
            let mut ply = 0;
            game.replay(|board, scored| {
                let (fen, score) = &boards[ply];
                let placement = |fen: &str| fen.split(' ').next().map(str::to_owned);
                assert_eq!(placement(fen), placement(&board.fen()), "{fen}");
                let white = board.side_to_move() == Color::White;
                let ours = scored.score().map_or(32_000, |it| if white { it.0 } else { -it.0 });
                assert_eq!(*score, ours);
                ply += 1;
            })
            .expect("legal moves");
            assert_eq!(boards.len(), game.moves.len());
        }
    }
}
