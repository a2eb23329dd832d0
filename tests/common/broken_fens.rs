//! FENs that must be refused, each with the message that says why.

pub const BROKEN_FENS: &[(&str, &str)] = &[
    // Missing fields.
    ("", "the FEN is empty"),
    (" \t ", "the FEN is empty"),
    ("4k3/8/8/8/8/8/8/4K3", "the FEN ends before the side to move field"),
    ("4k3/8/8/8/8/8/8/4K3 w", "the FEN ends before the castling field"),
    ("4k3/8/8/8/8/8/8/4K3 b - ", "the FEN ends before the en passant field"),
    // The board.
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", "the board has 7 ranks instead of 8"),
    ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "the board has 9 ranks instead of 8"),
    ("4k3/8/8/8/8/8/8/4K3/ w - - 0 1", "the board has 9 ranks instead of 8"),
    ("startpos w - - 0 1", "the board has 1 ranks instead of 8"),
    ("4k3/8/8/8/8/8/7/4K3 w - - 0 1", "rank 2 is \"7\", which is 7 squares wide instead of 8"),
    (
        "rnbqkbnrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        "rank 8 is \"rnbqkbnrr\", which is 9 squares wide instead of 8",
    ),
    ("4k3//8/8/8/8/8/4K3 w - - 0 1", "rank 7 is \"\", which is 0 squares wide instead of 8"),
    ("4k3/8/8/8/8/8/8/8K w - - 0 1", "rank 1 is \"8K\", which is 9 squares wide instead of 8"),
    (
        "4k3/8p8p8/8/8/8/8/8/4K3 w - - 0 1",
        "rank 7 is \"8p8p8\", which is 26 squares wide instead of 8",
    ),
    (
        "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1",
        "rank 5 contains 'x', which is neither a piece nor a digit from 1 to 8",
    ),
    (
        "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
        "rank 7 contains '9', which is neither a piece nor a digit from 1 to 8",
    ),
    (
        "4k3/8/80/8/8/8/8/4K3 w - - 0 1",
        "rank 6 contains '0', which is neither a piece nor a digit from 1 to 8",
    ),
    (
        "4k3/8/8/8/8/8/8/4♔3 w - - 0 1",
        "rank 1 contains '♔', which is neither a piece nor a digit from 1 to 8",
    ),
    (
        "4k3/8/8/8/-/8/8/4K3 w - - 0 1",
        "rank 4 contains '-', which is neither a piece nor a digit from 1 to 8",
    ),
    ("4k3/8/8/44/8/8/8/4K3 w - - 0 1", "rank 5 has two numbers in a row in \"44\""),
    ("4k3/8/8/8/8/8/8/4K12 w - - 0 1", "rank 1 has two numbers in a row in \"4K12\""),
    // The side to move.
    ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "the side to move is \"W\" instead of w or b"),
    ("4k3/8/8/8/8/8/8/4K3 black - - 0 1", "the side to move is \"black\" instead of w or b"),
    ("4k3/8/8/8/8/8/8/4K3 - - - 0 1", "the side to move is \"-\" instead of w or b"),
    // Castling rights.
    (
        "4k3/8/8/8/8/8/8/4K2R w Kx - 0 1",
        "the castling field \"Kx\" contains 'x', which is not a castling right",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w -- - 0 1",
        "the castling field \"--\" contains '-', which is not a castling right",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w K- - 0 1",
        "the castling field \"K-\" contains '-', which is not a castling right",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w é - 0 1",
        "the castling field \"é\" contains 'é', which is not a castling right",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
        "the castling field \"KK\" names the same right twice with 'K'",
    ),
    (
        "4k3/8/8/8/8/8/8/R3K2R w HQK - 0 1",
        "the castling field \"HQK\" names the same right twice with 'K'",
    ),
    (
        "rr2k3/8/8/8/8/8/8/4K3 w ab - 0 1",
        "the castling field \"ab\" names the same right twice with 'b'",
    ),
    (
        "1k1r1r2/8/8/8/8/8/8/1K1R1R2 w DF - 0 1",
        "the castling field \"DF\" names the same right twice with 'F'",
    ),
    (
        "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
        "castling right 'K': the white king is not on its back rank",
    ),
    (
        "r7/8/8/8/4k3/8/8/4K3 b a - 0 1",
        "castling right 'a': the black king is not on its back rank",
    ),
    ("4k3/8/8/8/8/8/8/7R w K - 0 1", "castling right 'K': the white king is not on its back rank"),
    ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right 'K': there is no white rook it could mean"),
    ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "castling right 'K': there is no white rook it could mean"),
    ("4k2r/8/8/8/8/8/8/4K3 w q - 0 1", "castling right 'q': there is no black rook it could mean"),
    ("4k3/8/8/8/8/8/8/R3K2R w G - 0 1", "castling right 'G': there is no white rook it could mean"),
    ("4k3/8/8/8/8/8/8/R3K2R w E - 0 1", "castling right 'E': there is no white rook it could mean"),
    ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "castling right 'K': there is no white rook it could mean"),
    // En passant.
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "the en passant field \"e9\" is neither a square nor -"),
    ("4k3/8/8/8/8/8/8/4K3 w - e66 0 1", "the en passant field \"e66\" is neither a square nor -"),
    ("4k3/8/8/8/8/8/8/4K3 w - 0 1", "the en passant field \"0\" is neither a square nor -"),
    ("4k3/8/8/8/8/8/8/4K3 w - ß6 0 1", "the en passant field \"ß6\" is neither a square nor -"),
    (
        "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
        "en passant on e3 is impossible: with white to move it must be on rank 6",
    ),
    (
        "4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1",
        "en passant on e6 is impossible: with black to move it must be on rank 3",
    ),
    (
        "4k3/8/8/4p3/8/8/8/4K3 w - e5 0 1",
        "en passant on e5 is impossible: with white to move it must be on rank 6",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "en passant on e6 is impossible: no black pawn can just have passed it",
    ),
    (
        "4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1",
        "en passant on e6 is impossible: no black pawn can just have passed it",
    ),
    (
        "4k3/8/8/4n3/8/8/8/4K3 w - e6 0 1",
        "en passant on e6 is impossible: no black pawn can just have passed it",
    ),
    (
        "4k3/8/8/8/4P3/4n3/8/4K3 b - e3 0 1",
        "en passant on e3 is impossible: no white pawn can just have passed it",
    ),
    (
        "4k3/8/8/8/4P3/8/4P3/4K3 b - e3 0 1",
        "en passant on e3 is impossible: no white pawn can just have passed it",
    ),
    // Counters and what follows them.
    ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "the halfmove clock \"-1\" is not a number from 0 to 65535"),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 65536 1",
        "the halfmove clock \"65536\" is not a number from 0 to 65535",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "the halfmove clock \"x\" is not a number from 0 to 65535"),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0.5 1",
        "the halfmove clock \"0.5\" is not a number from 0 to 65535",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2",
        "the halfmove clock \"bm\" is not a number from 0 to 65535",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "the move number \"-1\" is not a number from 0 to 1000000"),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1000001",
        "the move number \"1000001\" is not a number from 0 to 1000000",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 one",
        "the move number \"one\" is not a number from 0 to 1000000",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2 3",
        "there is \"2 3\" after the position, which is not an EPD operation",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2",
        "there is \"moves e1e2\" after the position, which is not an EPD operation",
    ),
    // Positions that no game can reach.
    ("8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings instead of one"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings instead of one"),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "white has 2 kings instead of one"),
    ("k1k1k3/8/8/8/8/8/8/4K3 w - - 0 1", "black has 3 kings instead of one"),
    ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "there is a pawn on a8, on the first or last rank"),
    ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", "there is a pawn on h1, on the first or last rank"),
    ("4k3/8/8/8/8/7P/PPPPPPPP/4K3 w - - 0 1", "white has 9 pawns, more than eight"),
    ("4k3/pppppppp/pp6/8/8/8/8/4K3 w - - 0 1", "black has 10 pawns, more than eight"),
    (
        "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
        "white has more pieces than its 8 pawns leave promotions for",
    ),
    (
        "nnn1k3/rrr5/1ppppppp/8/8/8/8/4K3 w - - 0 1",
        "black has more pieces than its 7 pawns leave promotions for",
    ),
    (
        "4k3/8/8/8/8/QQQQQ3/QQQQQ3/4K3 b - - 0 1",
        "white has more pieces than its 0 pawns leave promotions for",
    ),
    ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "black is in check, but it is white's turn"),
    ("4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "white is in check, but it is black's turn"),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "black is in check, but it is white's turn"),
    (
        "4k3/8/8/8/1b2r3/8/8/4K2r w - - 0 1",
        "white is in check from 3 pieces at once, which no move can cause",
    ),
    (
        "4k2R/8/3N4/1B6/4Q3/8/8/4K3 b - - 0 1",
        "black is in check from 4 pieces at once, which no move can cause",
    ),
];
