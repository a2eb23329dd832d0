"""The referee of one game: openings, clocks, the rules as python-chess knows them,
and the record of the game. The PGN's tags hold everything that is counted later,
so a game that was read back counts like one just played."""

import datetime
import io
import re
import sys
from pathlib import Path
from typing import NamedTuple

import python_chess  # noqa: F401
import chess
import chess.pgn
from engine import Died, Waits
from players import Fault


class TimeControl(NamedTuple):
    moves: int  # 0: for the whole game
    base: float
    increment: float
    margin: float
    each: bool = False  # `base` is for each move, and what is left of it is lost

    @staticmethod
    def parse(text, margin):
        if match := re.fullmatch(r"(\d+(?:\.\d+)?)/move", text):
            return TimeControl(1, float(match[1]), 0, margin, each=True)
        match = re.fullmatch(r"(?:(\d+)/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", text)
        if not match:
            sys.exit(f"--tc: {text} is not [MOVES/]SECONDS[+INCREMENT] or SECONDS/move")
        moves, base, increment = (float(group or 0) for group in match.groups())
        return TimeControl(int(moves), base, increment, margin)

    def __str__(self):
        if self.each:
            return f"{self.base:g}/move"
        moves = f"{self.moves}/" if self.moves else ""
        return f"{moves}{self.base:g}+{self.increment:g}"


class Clocks:
    def __init__(self, control):
        self.control = control
        self.left = {chess.WHITE: control.base, chess.BLACK: control.base}
        self.made = {chess.WHITE: 0, chess.BLACK: 0}

    def to_go(self, side):
        return self.control.moves and self.control.moves - self.made[side] % self.control.moves

    def charge(self, side, elapsed, explain):
        self.left[side] -= elapsed
        if self.left[side] < -self.control.margin:
            raise Fault("time forfeit", f"{-self.left[side] * 1000:.0f} ms late{explain()}")
        # What the margin forgives does not make the next move late as well.
        left = 0 if self.control.each else max(self.left[side], 0)
        self.left[side] = left + self.control.increment
        self.made[side] += 1
        if self.control.moves and self.made[side] % self.control.moves == 0:
            self.left[side] += self.control.base


class Effort(NamedTuple):
    """What an engine reported about its searches, summed up."""

    moves: int = 0
    plies: int = 0
    nodes: int = 0
    seconds: float = 0

    def plus(self, other):
        return Effort(*map(sum, zip(self, other)))

    @property
    def depth(self):
        return self.plies / self.moves if self.moves else 0

    @property
    def speed(self):
        return self.nodes / self.seconds if self.seconds else 0

    def __str__(self):
        return f"{self.moves} moves, {self.plies} plies, {self.nodes} nodes, {self.seconds:.3f} s"

    @staticmethod
    def parse(text):
        found = re.fullmatch(r"(\d+) moves, (\d+) plies, (\d+) nodes, ([\d.]+) s", text)
        return Effort(*map(int, found.groups()[:3]), float(found[4])) if found else Effort()


class Game:
    """One game between players, of which players[True] is White."""

    def __init__(self, players, opening, control):
        self.players = players
        self.control = control
        self.root, self.opening = opening
        self.board = self.root.copy()
        for move in self.opening:
            self.board.push(move)
        self.comments = [""] * len(self.opening)
        self.efforts = {chess.WHITE: Effort(), chess.BLACK: Effort()}
        self.culprit = None  # the side that was at fault
        try:
            self.result, self.reason = self.play()
        except Died as error:
            self.forfeit(Fault("crash", str(error)))
        except TimeoutError as error:
            self.forfeit(Fault("stall", str(error)))
        except Fault as fault:
            self.forfeit(fault)

    def forfeit(self, fault):
        self.culprit = self.side
        self.result, self.reason = "0-1" if self.side else "1-0", str(fault)

    def play(self):
        board = self.board
        clocks = Clocks(self.control)
        offer = False  # of a draw, made with the last move
        for self.side, player in self.players.items():
            player.new_game(self.root, self.opening, self.control)
        while True:
            if board.is_checkmate():
                return "0-1" if board.turn else "1-0", "checkmate"
            if reason := drawn(board):
                return "1/2-1/2", reason
            self.side = board.turn
            player = self.players[self.side]
            waits = Waits(player.process.pid)
            reply = player.think(board, clocks, offer)
            clocks.charge(self.side, reply.elapsed, waits.explain)
            if reply.ending:
                return reply.ending, "agreement" if reply.ending == "1/2-1/2" else "resignation"
            self.note(reply)
            board.push(reply.move)
            if reply.claim and not drawn(board):
                raise Fault("false claim", reply.claim)
            offer = reply.offers_draw

    def note(self, reply):
        comment = f"{reply.elapsed:.3f}s"
        if report := reply.report:
            comment = f"{report.score}/{report.depth} {comment}"
            # On the way to mate some engines stop early and others reach any depth.
            if not report.score.startswith("M"):
                searched = Effort(1, report.depth, report.nodes, report.seconds)
                self.efforts[self.side] = self.efforts[self.side].plus(searched)
        self.comments.append(comment)

    def pgn(self, event, number):
        game = chess.pgn.Game.from_board(self.board)
        game.headers["Event"] = event
        game.headers["Date"] = datetime.date.today().strftime("%Y.%m.%d")
        game.headers["Round"] = str(number)
        game.headers["White"] = self.players[chess.WHITE].name
        game.headers["Black"] = self.players[chess.BLACK].name
        game.headers["Result"] = self.result
        game.headers["TimeControl"] = str(self.control)
        game.headers["Termination"] = self.reason
        game.headers["WhiteEffort"] = str(self.efforts[chess.WHITE])
        game.headers["BlackEffort"] = str(self.efforts[chess.BLACK])
        for node, comment in zip(game.mainline(), self.comments):
            node.comment = comment
        return game


def drawn(board):
    """Why the game is a draw, claims made for both sides."""
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "insufficient material"
    if board.is_repetition(3):
        return "repetition"
    if board.halfmove_clock >= 100 and not board.is_checkmate():
        return "fifty moves"


def read_openings(path):
    """Pairs of a root position and moves from there."""
    text = Path(path).read_text()
    if Path(path).suffix in (".epd", ".fen"):
        lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
        openings = [(chess.Board.from_epd(" ".join(line.split()[:4]))[0], []) for line in lines]
    else:
        games = iter(lambda file=io.StringIO(text): chess.pgn.read_game(file), None)
        openings = [(game.board(), list(game.mainline_moves())) for game in games]
    return openings or sys.exit(f"{path}: no openings")


def read_tags(path):
    """The tags of each game in a PGN."""
    with open(path) as file:
        yield from iter(lambda: chess.pgn.read_headers(file), None)
