"""Matches: the engines by name, games played side by side, scores.

Each game that runs at the same time has a process of its own, so that no referee
ever waits for another while a clock is running.
"""

import math
import multiprocessing
import shlex
import sys
from collections import Counter
from multiprocessing.connection import wait
from typing import NamedTuple

from engine import ROOT, Died, gambeson, need
from players import RESULTS, Fault, Uci, Xboard
from referee import Effort, Game, read_tags

# The packages of Debian, weakest first: protocol, arguments and options beyond those
# that players.py gives to everyone. No engine may use its book.
DEBIAN = {
    "fairymax": (Xboard, [], {}),
    "phalanx": (Xboard, ["-b-", "-l-", "-p-"], {}),  # no book, learning or pondering
    "gnuchess": (Uci, ["-u"], {}),
    "toga2": (Uci, [], {}),
    "glaurung": (Uci, [], {}),
    # Its default of 100 ms ruins it at fast controls.
    "ethereal-chess": (Uci, [], {"MoveOverhead": 10}),
    "stockfish": (Uci, [], {}),
}
OPENINGS = str(ROOT / "cutechess/openings.pgn")


class Entrant(NamedTuple):
    """An engine that can be started."""

    spec: str
    driver: type
    command: list
    options: dict
    hash: int

    @staticmethod
    def of(spec, hash):
        """NAME@ELO is an engine that limits its strength."""
        if (parts := spec.rpartition("@"))[2].isdecimal():
            whole = Entrant.of(parts[0], hash)
            limits = {"UCI_LimitStrength": "true", "UCI_Elo": parts[2]}
            return whole._replace(spec=spec, options=whole.options | limits)
        kind, _, command = spec.partition(":")
        if spec in ("gambeson", "gambeson-xboard"):
            driver = Xboard if spec.endswith("xboard") else Uci
            return Entrant(spec, driver, [gambeson()], {}, hash)
        if spec in DEBIAN:
            need(spec)
            driver, arguments, options = DEBIAN[spec]
            return Entrant(spec, driver, [spec, *arguments], options, hash)
        if command and kind in ("uci", "xboard"):
            return Entrant(spec, Uci if kind == "uci" else Xboard, shlex.split(command), {}, hash)
        known = ", ".join(["gambeson", "gambeson-xboard", *DEBIAN])
        sys.exit(f"{spec} is not {known}, uci:COMMAND or xboard:COMMAND")

    @property
    def is_gambeson(self):
        return self.spec.startswith("gambeson")

    def start(self):
        return self.driver(self.spec, self.command, self.hash, self.options)


class Score:
    """Of the first of two engines. Games are counted by the tags of their PGN."""

    def __init__(self):
        self.outcomes = Counter()
        self.faults = (Counter(), Counter())
        self.efforts = [Effort(), Effort()]

    def count(self, tags):
        first_side = plays_white(int(tags["Round"]) - 1)
        winner = RESULTS[tags["Result"]]
        self.outcomes["draw" if winner is None else "win" if winner == first_side else "loss"] += 1
        kind = tags.get("Termination", "").partition(":")[0]
        if kind in Fault.KINDS:
            # Whoever is at fault loses.
            self.faults[winner == first_side][kind] += 1
        for index, side in enumerate((first_side, not first_side)):
            effort = Effort.parse(tags.get("WhiteEffort" if side else "BlackEffort", ""))
            self.efforts[index] = self.efforts[index].plus(effort)

    @property
    def points(self):
        return self.outcomes["win"], self.outcomes["draw"], self.outcomes["loss"]

    @property
    def percent(self):
        wins, draws, _ = self.points
        return 100 * (wins + draws / 2) / sum(self.points)

    def __str__(self):
        return "+{} ={} -{}".format(*self.points)


def plays_white(number):
    """Whether the first engine has White in a game, counted from 0."""
    return number % 2 == 0


def elo(wins, draws, losses):
    """The difference and its 95 % interval, after Wilson: it holds for short matches
    and one-sided ones, too."""
    games = wins + draws + losses
    score = (wins + draws / 2) / games
    variance = (wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2) / games
    # Draws make a result more certain, as if there were more games without any.
    weight = games * score * (1 - score) / variance if variance else games
    z = 1.96
    centre = (score + z * z / (2 * weight)) / (1 + z * z / weight)
    spread = z / (1 + z * z / weight) * math.sqrt(score * (1 - score) / weight + (z / (2 * weight)) ** 2)

    def difference(score):
        if score <= 1e-9 or score >= 1 - 1e-9:
            return math.copysign(math.inf, score - 0.5)
        return 400 * math.log10(score / (1 - score))

    low, middle, high = (difference(s) for s in (centre - spread, score, centre + spread))
    return f"{middle:+.0f} [{low:+.0f}, {high:+.0f}]"


class Pairing:
    def __init__(self, first, second, openings):
        self.entrants = (first, second)
        self.openings = openings
        self.score = Score()
        self.played = set()  # numbers of games

    def count(self, tags):
        self.played.add(int(tags["Round"]) - 1)
        self.score.count(tags)

    def resume(self, path, names, control):
        """Counts the games that a PGN holds of these two, by the names they play under."""
        for tags in read_tags(path):
            if not tags["Round"].isdecimal() or tags["Result"] not in RESULTS:
                continue
            number = int(tags["Round"]) - 1
            sides = names if plays_white(number) else names[::-1]
            same = (tags["White"], tags["Black"], tags.get("TimeControl")) == (*sides, str(control))
            if same and number not in self.played:
                self.count(tags)


class Finished(NamedTuple):
    """A game as its process hands it over."""

    pairing: int
    tags: dict
    pgn: str
    evidence: list  # the last lines of the engine at fault


class Matches:
    """Plays the games that are missing, one pairing after the other."""

    def __init__(self, event, pairings, control, options):
        self.event = event
        self.pairings = pairings
        self.control = control
        self.concurrency = options.concurrency
        self.pgn = options.pgn
        self.jobs = [
            (index, number)
            for index, pairing in enumerate(pairings)
            for number in range(options.games)
            if number not in pairing.played
        ]

    def run(self):
        """Returns False if it was interrupted."""
        context = multiprocessing.get_context("fork")
        self.taken = context.Value("i", 0)  # jobs
        workers, pipes = [], []
        for _ in range(min(self.concurrency, len(self.jobs))):
            receiver, sender = context.Pipe(duplex=False)
            workers.append(context.Process(target=self.work, args=(sender,)))
            workers[-1].start()
            sender.close()  # only the worker has it now, so its death is the end of the pipe
            pipes.append(receiver)
        interrupted = False
        while pipes:
            try:
                for pipe in wait(pipes):
                    try:
                        self.finish(pipe.recv())
                    except EOFError:
                        pipes.remove(pipe)
                        # If it failed, the others finish their games and stop.
                        self.taken.value = len(self.jobs)
            except KeyboardInterrupt:
                interrupted = True  # and so were the workers
        for worker in workers:
            worker.join()
        if not interrupted and any(worker.exitcode for worker in workers):
            sys.exit("a game could not be played")
        return not interrupted

    def work(self, results):
        """One process: plays games until none is left."""
        seated, players = None, [None, None]
        try:
            while True:
                with self.taken.get_lock():
                    job = self.taken.value
                    self.taken.value += 1
                if job >= len(self.jobs):
                    break
                index, number = self.jobs[job]
                if index != seated:
                    dismiss(players)
                    seated = index
                results.send(self.play(index, number, players))
        except (KeyboardInterrupt, BrokenPipeError):
            pass
        finally:
            dismiss(players)

    def play(self, index, number, players):
        pairing = self.pairings[index]
        for place, entrant in enumerate(pairing.entrants):
            players[place] = players[place] or entrant.start()
        white = plays_white(number)
        opening = pairing.openings[number // 2 % len(pairing.openings)]
        game = Game({white: players[0], not white: players[1]}, opening, self.control)
        evidence = []
        for place, side in enumerate((white, not white)):
            try:
                # Whoever is at fault may be thinking still.
                if side == game.culprit:
                    evidence = [f"{players[place].name} in {game.board.fen()}"]
                    evidence += ["  " + line for line in players[place].process.transcript]
                    raise Died
                players[place].game_over(game.result, game.reason)
            except (Died, TimeoutError):
                players[place].quit()
                players[place] = None
        record = game.pgn(self.event, number + 1)
        return Finished(index, dict(record.headers), f"{record}\n\n", evidence)

    def finish(self, finished):
        pairing, tags = self.pairings[finished.pairing], finished.tags
        if self.pgn:
            with open(self.pgn, "a") as file:
                file.write(finished.pgn)
        pairing.count(tags)
        score = pairing.score
        print(f"{tags['Round']:>4} {tags['White']} – {tags['Black']} {tags['Result']}"
              f" {tags['Termination']}; {score} Elo {elo(*score.points)}")
        print("".join(f"    {line}\n" for line in finished.evidence), end="", flush=True)


def dismiss(players):
    for place, player in enumerate(players):
        if player:
            player.quit()
        players[place] = None


def add_options(parser, games, tc, concurrency):
    """Those that every kind of match has."""
    parser.add_argument("--games", type=positive, default=games, help="for each pair, %(default)s")
    parser.add_argument("--tc", default=tc, help="[MOVES/]SECONDS[+INCREMENT] or SECONDS/move, %(default)s")
    parser.add_argument("--margin", type=float, default=0,
                        help="milliseconds an engine may be late, %(default)s")
    parser.add_argument("--hash", type=positive, default=16,
                        help="mebibytes for each engine, %(default)s")
    parser.add_argument("--concurrency", type=positive, default=concurrency,
                        help="games at a time, %(default)s")
    parser.add_argument("--openings", default=OPENINGS,
                        help="a PGN, or an EPD for engines that can be set up")
    parser.add_argument("--pgn", help="append the games to this file")


def positive(text):
    if (number := int(text)) < 1:
        raise ValueError
    return number
