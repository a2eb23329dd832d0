"""The referee of scripts/lab/match and scripts/lab/ladder sees what engines do wrong, counts
it against the right one, and goes on where it was interrupted."""

import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS / "lab/lib"))
import python_chess  # noqa: F401
import chess


def engine(vice):
    """A UCI engine that plays the first legal move until its vice shows."""
    board, moves = chess.Board(), 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            print(f"id name {vice}\noption name Hash type spin default 1 min 1 max 64\nuciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "ucinewgame":
            moves = 0
        elif words[0] == "position":
            board = chess.Board()
            for move in words[3:]:
                board.push_uci(move)
        elif words[0] == "go":
            moves += 1
            if moves == 3 and vice == "crash":
                sys.exit(3)
            if moves == 3 and vice == "time forfeit":
                # Not so late that it counts as stalled.
                time.sleep(int(words[2 if board.turn else 4]) / 1000 + 1)
            illegal = moves == 3 and vice == "illegal move"
            move = "e1e8" if illegal else min(move.uci() for move in board.legal_moves)
            if not (moves == 3 and vice == "stall"):
                print(f"info depth 7 score cp 12 nodes 1000\nbestmove {move}")
        elif words[0] == "quit":
            break
        sys.stdout.flush()


def check():
    from matches import Entrant, Matches, Pairing
    from players import Fault, Uci
    from referee import Clocks, TimeControl, read_openings

    def entrant(vice):
        return Entrant.of(f"uci:{sys.executable} {__file__} --engine '{vice}'", hash=16)

    vices = ["time forfeit", "illegal move", "crash", "stall"]
    assert set(vices) <= set(Fault.KINDS)
    openings = read_openings(str(SCRIPTS.parent / "cutechess/openings.pgn"))
    control = TimeControl.parse("2", margin=0)
    with tempfile.TemporaryDirectory() as folder:
        options = Namespace(games=2, concurrency=2, pgn=f"{folder}/games.pgn")
        pairings = [Pairing(entrant("none"), entrant(vice), openings) for vice in vices]
        assert Matches("test", pairings, control, options).run()
        again = [Pairing(*pairing.entrants, openings) for pairing in pairings]
        for vice, played, read in zip(vices, pairings, again):
            read.resume(options.pgn, ("none", vice), control)
            for pairing in (played, read):
                assert pairing.played == {0, 1}, (vice, pairing.played)
                assert pairing.score.points == (2, 0, 0), (vice, pairing.score.points)
                assert pairing.score.faults == ({}, {vice: 2}), pairing.score.faults
                assert all(effort.depth == 7 for effort in pairing.score.efforts)
        options.games = 3
        assert Matches("test", again, control, options).jobs == [(index, 2) for index in range(4)]

    # A fixed time for each move: what is left of it is lost.
    clocks = Clocks(TimeControl.parse("0.5/move", margin=0))
    clocks.charge(chess.BLACK, 0.3, str)
    assert Uci.go(clocks, chess.BLACK) == "go movetime 500"
    print("the referee sees every fault")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--engine"]:
        engine(sys.argv[2])
    else:
        check()
