//! Perft as cozy-chess has it: the last ply is counted, not played.

pub fn perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += perft(&next, depth - 1);
            }
            false
        });
    }
    nodes
}
