"""Opening books go both ways: python-chess and polyglot read ours, we read theirs.

Usage: books.py ENGINE
"""

import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot

GAMES = 150
MAX_PLY = 60
SCORES = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "*": (1, 1)}


def random_game(dice):
    """Moves at random, but those that make keys and moves special are likelier."""
    board = chess.Board()
    while not board.is_game_over() and board.ply() < MAX_PLY:
        moves = list(board.legal_moves)
        special = [
            move for move in moves
            if board.is_castling(move) or board.is_en_passant(move) or move.promotion
            or (board.piece_type_at(move.from_square) == chess.PAWN
                and abs(move.from_square - move.to_square) == 16)
        ]
        # The first moves are from a small set, so that games meet again.
        choice = moves[:3] if board.ply() < 4 else special if special and dice.random() < 0.5 else moves
        board.push(dice.choice(choice))
    game = chess.pgn.Game.from_board(board)
    game.headers["Result"] = dice.choice(list(SCORES))
    return game


def expected_weights(games):
    """What each move has scored, by key."""
    weights = Counter()
    for game in games:
        scores = SCORES[game.headers["Result"]]
        board = game.board()
        for move in game.mainline_moves():
            weights[chess.polyglot.zobrist_hash(board), move] += scores[0 if board.turn else 1]
            board.push(move)
    return {place: weight for place, weight in weights.items() if weight > 0}


def entries(path):
    with chess.polyglot.open_reader(path) as reader:
        keys = [entry.key for entry in reader]
        assert keys == sorted(keys), path
        return {(entry.key, entry.raw_move): entry.weight for entry in reader}


def check_moves(path, games, weights):
    """python-chess finds every move, legal and with its weight."""
    found = {}
    with chess.polyglot.open_reader(path) as reader:
        for game in games:
            board = game.board()
            for move in [None, *game.mainline_moves()]:
                if move is not None:
                    board.push(move)
                for entry in reader.find_all(board):
                    assert entry.move in board.legal_moves, (board.fen(), entry)
                    found[entry.key, entry.move] = entry.weight
    assert found == weights, set(found.items()) ^ set(weights.items())


def check_show(engine, path, games, dice):
    """What we show from polyglot's book is what python-chess finds in it."""
    with chess.polyglot.open_reader(path) as reader:
        for game in dice.sample(games, 12):
            board = game.board()
            for move in list(game.mainline_moves())[: dice.randrange(12)]:
                board.push(move)
            expected = {board.san(entry.move): entry.weight for entry in reader.find_all(board)}
            command = [engine, "book", "show", "--book", path, board.fen(en_passant="fen")]
            shown = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            lines = [line.split() for line in shown.splitlines() if "weight" in line]
            assert {line[0]: int(line[-1]) for line in lines} == expected, (board.fen(), shown)


def main():
    engine = sys.argv[1]
    dice = random.Random(781)
    games = [random_game(dice) for _ in range(GAMES)]
    weights = expected_weights(games)
    with tempfile.TemporaryDirectory() as folder:
        pgn, ours, theirs = (str(Path(folder, name)) for name in ("g.pgn", "ours.bin", "theirs.bin"))
        Path(pgn).write_text("\n\n".join(map(str, games)) + "\n")
        limits = [str(MAX_PLY), "1"]
        command = [engine, "book", "make", pgn, "-o", ours]
        subprocess.run(command + ["--max-ply", limits[0], "--min-games", limits[1]], check=True)
        command = ["polyglot", "make-book", "-pgn", pgn, "-bin", theirs]
        command += ["-max-ply", limits[0], "-min-game", limits[1]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        assert entries(ours) == entries(theirs), "polyglot made another book"
        check_moves(ours, games, weights)
        check_show(engine, theirs, games, dice)
    special = Counter()
    for game in games:
        board = game.board()
        for move in game.mainline_moves():
            special["castling"] += board.is_castling(move)
            special["en passant"] += board.is_en_passant(move)
            special["promotions"] += move.promotion is not None
            board.push(move)
    assert all(special.values()), special
    print(f"{len(weights)} book moves, the same to polyglot, python-chess and us; {dict(special)}")


if __name__ == "__main__":
    main()
