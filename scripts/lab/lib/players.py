"""Engines as players: UCI and xboard behind one face.

A player is set up for a game, thinks about a board, and replies with a move; its
time runs from the moment `go` is sent to the moment the move has been received.
What it said meanwhile is interpreted when the clock stands still.
"""

import re
import sys
import tempfile
import time
from typing import NamedTuple

import python_chess  # noqa: F401
import chess
from engine import Died, UciEngine, XboardEngine

PATIENCE = 5  # seconds past the clock until late becomes stalled
RESULTS = {"1-0": chess.WHITE, "0-1": chess.BLACK, "1/2-1/2": None}


class Fault(Exception):
    """Why an engine loses other than by chess."""

    KINDS = ("time forfeit", "illegal move", "crash", "stall", "refused move", "false claim")

    def __init__(self, kind, detail=""):
        assert kind in self.KINDS
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


class Report(NamedTuple):
    """The last an engine told about a search, and how long that took."""

    score: str
    depth: int
    nodes: int
    seconds: float


class Reply(NamedTuple):
    move: chess.Move | None
    elapsed: float
    report: Report | None = None
    ending: str | None = None  # a result, where the engine ends the game itself
    claim: str | None = None  # of a draw, by this move or before it
    offers_draw: bool = False


class Player:
    """What the two protocols have in common."""

    def __init__(self, name, command, hash, options):
        self.settings = []  # as sent to it, for people to read
        # Some write files to where they are started.
        self.scratch = tempfile.TemporaryDirectory()
        try:
            self.process = self.ENGINE(command, cwd=self.scratch.name)
            self.name = self.process.name or name
            self.set_up(hash, options)
        except (Died, TimeoutError) as error:
            sys.exit(f"{name}: {error}")

    def quit(self):
        self.process.quit()
        self.scratch.cleanup()

    def lines(self, limit):
        """Lines until the engine has overdrawn its time by far."""
        deadline = time.perf_counter() + limit + PATIENCE
        while (line := self.process.read(deadline)) is not None:
            yield line
        raise Fault("stall", f"no move after {limit + PATIENCE:.1f} s")

    @staticmethod
    def parse(board, text):
        for parse in (board.parse_uci, board.parse_san):
            try:
                # A null move is no move.
                if move := parse(text):
                    return move
            except ValueError:
                pass
        raise Fault("illegal move", text)


class Uci(Player):
    ENGINE = UciEngine
    SCORED = re.compile(r" depth (\d+)\b.* score (cp|mate) (-?\d+)")
    NODES = re.compile(r" nodes (\d+)")

    can_be_set_up = True

    def set_up(self, hash, options):
        offered = self.process.offered
        if missing := options.keys() - offered:
            sys.exit(f"{self.name} has no option {', '.join(missing)}")
        # Toga has its own name for threads.
        common = {"Hash": hash, "Threads": 1, "Number of Threads": 1}
        common |= {"OwnBook": "false", "Ponder": "false"}
        for name, value in (common | options).items():
            if name in offered:
                self.process.send(self.process.option(name, value))
                self.settings.append(f"{name} {value}")
        self.process.ready()

    def new_game(self, root, opening, control):
        self.process.new_game()

    def think(self, board, clocks, draw_offered):
        commands = [self.process.position(board), self.go(clocks, board.turn)]
        scored = nodes = None
        begin = time.perf_counter()
        self.process.send(*commands)
        for line in self.lines(clocks.left[board.turn]):
            if line.startswith("bestmove"):
                elapsed = self.process.received - begin
                move = self.parse(board, (line.split() + [""])[1])
                return Reply(move, elapsed, self.report(scored, nodes))
            if line.startswith("info ") and not line.startswith("info string"):
                if " score " in line:
                    scored = line
                if " nodes " in line:
                    nodes = line, self.process.received - begin

    @staticmethod
    def go(clocks, side):
        # Nothing left would mean to some that there is no clock.
        white, black = (max(int(clocks.left[who] * 1000), 1) for who in (chess.WHITE, chess.BLACK))
        if clocks.control.each:
            return f"go movetime {white if side else black}"
        increment = int(clocks.control.increment * 1000)
        go = f"go wtime {white} btime {black} winc {increment} binc {increment}"
        if to_go := clocks.to_go(side):
            go += f" movestogo {to_go}"
        return go

    def report(self, scored, nodes):
        found = scored and self.SCORED.search(scored)
        counted = nodes and self.NODES.search(nodes[0])
        if not found or not counted:
            return None
        depth, kind, score = found.groups()
        score = f"{int(score) / 100:+.2f}" if kind == "cp" else f"M{score}"
        return Report(score, int(depth), int(counted[1]), nodes[1])

    def game_over(self, result, reason):
        pass


class Xboard(Player):
    """Enough of protocol version 2 for engines that cannot be set up: games are
    moves from the starting position, the opening is entered in force mode."""

    ENGINE = XboardEngine
    THOUGHT = re.compile(r"(\d+)\S*\s+(-?\d+)\s+\d+\s+(\d+)")

    def set_up(self, hash, options):
        features = self.process.features
        self.can_be_set_up = features["setboard"] == "1"
        for feature, setting in (("memory", f"memory {hash}"), ("smp", "cores 1")):
            if features.get(feature) == "1":
                self.settings.append(setting)
        self.settings += [self.process.option(name, value) for name, value in options.items()]
        self.process.send(*self.settings, "easy", "post")
        self.process.ready()

    def new_game(self, root, opening, control):
        if control.each:
            sys.exit(f"{self.name}: xboard knows only whole seconds for a move")
        self.process.send("new", "force")
        self.process.send(self.process.level(control.moves, control.base, control.increment))
        if root.fen() != chess.STARTING_FEN:
            if not self.can_be_set_up:
                sys.exit(f"{self.name} cannot be set up: give openings as moves")
            self.process.send("setboard " + root.fen())
        for move in opening:
            self.process.send(self.process.usermove(move.uci()))
        self.known = len(opening)
        self.forced = True
        self.process.ready()

    def think(self, board, clocks, draw_offered):
        side = board.turn
        times = self.process.clocks(clocks.left[side], clocks.left[not side])
        moves = [self.process.usermove(move.uci()) for move in board.move_stack[self.known:]]
        draw = ["draw"] if draw_offered and self.process.features["draw"] == "1" else []
        commands = [*moves, *times, *draw, "go"] if self.forced else [*times, *draw, *moves]
        self.forced = False
        offers, claim, report = False, None, None
        begin = time.perf_counter()
        self.process.send(*commands)
        for line in self.lines(clocks.left[side]):
            elapsed = self.process.received - begin
            word, _, rest = line.partition(" ")
            if word == "move":
                move = self.parse(board, rest.strip())
                self.known = len(board.move_stack) + 1
                return Reply(move, elapsed, report, claim=claim, offers_draw=offers)
            if line.startswith("offer draw"):
                offers = True
                if draw_offered:
                    return Reply(None, elapsed, ending="1/2-1/2")
            elif word in ("resign", *RESULTS):
                ours = "1-0" if side == chess.WHITE else "0-1"
                if word == "resign" or word != ours and word != "1/2-1/2":
                    return Reply(None, elapsed, ending="0-1" if side == chess.WHITE else "1-0")
                if word == ours:
                    raise Fault("false claim", line)
                claim = line  # it means the position after its move
            elif line.startswith("Illegal move"):
                raise Fault("refused move", line)
            elif found := self.THOUGHT.match(line):
                depth, score, nodes = map(int, found.groups())
                mate = abs(score) - 100000  # by convention
                mated = "-" if score < 0 else ""
                text = f"M{mated}{mate}" if mate >= 0 else f"{score / 100:+.2f}"
                report = Report(text, depth, nodes, elapsed)

    def game_over(self, result, reason):
        self.process.send("force", f"result {result} {{{reason}}}")
        self.process.ready()
