"""Plays and analyses with an engine through python-chess, in both protocols.

Usage: play.py ENGINE
       play.py --check PGN      (a game that a client has saved)
"""

import sys

import chess
import chess.engine
import chess.pgn

MOVE = chess.engine.Limit(time=0.02)
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
OPENINGS = ["e2e4 c7c5", "d2d4 g8f6 c2c4 g7g6"]


def play_game(white, black, opening):
    """A whole game. python-chess raises an error at the first illegal move."""
    board = chess.Board()
    for text in opening.split():
        board.push_uci(text)
    while not board.is_game_over(claim_draw=True) and board.fullmove_number < 250:
        engine = white if board.turn == chess.WHITE else black
        # A copy, or python-chess may take any next command for a ponder hit.
        result = engine.play(board.copy(), MOVE, ponder=board.fullmove_number % 8 == 0)
        if result.resigned or result.move is None:
            raise AssertionError(f"no move in {board.fen()}")
        board.push(result.move)
    return board


def analyse(engine):
    board = chess.Board(MATE_IN_TWO)
    info = engine.analyse(board, chess.engine.Limit(depth=10))
    assert info["score"].white() == chess.engine.Mate(2), info
    assert info["pv"][0] == chess.Move.from_uci("a1a6"), info
    root_moves = [chess.Move.from_uci("a2a3")]
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=4), root_moves=root_moves)
    assert info["pv"][0] == root_moves[0], info
    with engine.analysis(chess.Board(), chess.engine.Limit(time=0.3)) as analysis:
        assert sum("pv" in info for info in analysis) > 2


def check_uci(path):
    with chess.engine.SimpleEngine.popen_uci(path) as one:
        with chess.engine.SimpleEngine.popen_uci(path) as two:
            for name in ["Hash", "Threads", "Move Overhead", "UCI_ShowWDL"]:
                assert name in one.options, name
            one.configure({"Hash": 8, "Threads": 2, "UCI_ShowWDL": True})
            for opening in OPENINGS:
                report("UCI", play_game(one, two, opening))
            analyse(one)
            lines = one.analyse(chess.Board(), chess.engine.Limit(depth=5), multipv=3)
            assert len(lines) == 3 and all("wdl" in line for line in lines), lines
            board = chess.Board.from_chess960_pos(0)
            assert one.play(board, MOVE).move in board.legal_moves
            one.ping()


def check_xboard(path):
    with chess.engine.SimpleEngine.popen_xboard(path) as one:
        with chess.engine.SimpleEngine.popen_xboard(path) as two:
            for opening in OPENINGS:
                report("xboard", play_game(one, two, opening))
            analyse(one)
            board = chess.Board()
            limit = chess.engine.Limit(white_clock=2, black_clock=2, remaining_moves=20)
            assert one.play(board, limit).move in board.legal_moves
            one.ping()


def report(name, board):
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None, f"no result after {board.fullmove_number} moves"
    end = outcome.termination.name.lower().replace("_", " ")
    print(f"{name}: {outcome.result()} by {end} in {board.fullmove_number} moves")


def check_pgn(path):
    """The game has an end on the board or by agreement, and nobody broke a rule."""
    with open(path, encoding="latin-1") as file:
        text = file.read()
    with open(path, encoding="latin-1") as file:
        game = chess.pgn.read_game(file)
    assert game is not None, "no game was saved"
    assert not game.errors, game.errors
    result, length = game.headers["Result"], game.end().board().ply()
    assert result in ("1-0", "0-1", "1/2-1/2"), result
    assert length > 10, f"only {length} half-moves"
    for word in ["illegal", "forfeit", "time", "false", "exited", "died", "disconnect"]:
        last = text.rsplit("{", 1)[-1].lower()
        assert word not in last, last
    print(f"{game.headers['White']} v {game.headers['Black']}: {result} in {length} half-moves")


def main():
    if sys.argv[1] == "--check":
        check_pgn(sys.argv[2])
    else:
        check_uci(sys.argv[1])
        check_xboard(sys.argv[1])


if __name__ == "__main__":
    main()
