"""Engines as processes that read and write lines, and the part of UCI and xboard that
every script needs. Standard library only: a `board` here is one of python-chess."""

import math
import os
import re
import select
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# Debian puts chess engines where root's path does not look.
os.environ["PATH"] = os.environ.get("PATH", "") + ":/usr/games"


def shell(command):
    """What one of the functions in scripts/lib/*.sh prints. They say themselves what goes
    wrong."""
    source = "set -e; for lib in scripts/lib/{debian,release}.sh; do source $lib; done; "
    run = subprocess.run(["bash", "-c", source + command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(run.returncode)
    return run.stdout.strip()


def need(*packages):
    """Installs Debian packages unless their programs are there."""
    for package in packages:
        shell(f"need {package}")


def gambeson():
    """The release binary, built if it is absent, or the one GAMBESON names."""
    return shell("release; echo $GAMBESON")


def add_own_options(parser):
    """--option NAME=VALUE, as often as wanted: pairs for Gambeson alone."""
    def setting(text):
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError
        return name, value

    parser.add_argument("--option", action="append", default=[], type=setting,
                        metavar="NAME=VALUE", help="for Gambeson")


def starved(pid):
    """Seconds the threads that a process has now were ready to run but had no
    processor (Linux)."""
    total = 0
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat", "rb") as file:
                total += int(file.read().split()[1])
    except OSError:
        pass  # a thread has ended
    return total / 1e9


def stolen():
    """Seconds the host of a virtual machine kept its processors from running, all of
    them together, in hundredths (Linux)."""
    try:
        with open("/proc/stat", "rb") as file:
            return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0


class Waits:
    """Tells an engine that is slow from a machine that is too busy: how long, since
    this was made, the engine and its referee had no processor, and how long the
    processors were stalled."""

    def __init__(self, engine):
        self.pids = engine, os.getpid()
        self.before = self.now()

    def now(self):
        return [*map(starved, self.pids), stolen()]

    def seconds(self):
        return [max(now - before, 0) for now, before in zip(self.now(), self.before)]

    def explain(self):
        engine, referee, host = (1000 * seconds for seconds in self.seconds())
        return (f" (waited for a processor: {engine:.0f} ms, the referee {referee:.0f} ms,"
                f" both for the host {host:.0f} ms)")


class Died(Exception):
    pass


class Process:
    """Reads with select and os.read, so that nothing waits in Python's buffers."""

    def __init__(self, command, cwd=None):
        self.process = subprocess.Popen(
            command, cwd=cwd, bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        self.pid = self.process.pid
        self.output = self.process.stdout.fileno()
        self.input = self.process.stdin.fileno()
        self.partial = b""
        self.received = 0.0  # when the last bytes came, in the time of perf_counter
        self.lines = deque()
        self.transcript = deque(maxlen=30)

    def send(self, *lines):
        self.transcript.extend("> " + line for line in lines)
        try:
            os.write(self.input, "".join(line + "\n" for line in lines).encode())
        except OSError as error:
            raise Died(f"died: {error}") from None

    def read(self, deadline):
        """The next line, or None when the deadline of perf_counter has passed."""
        while not self.lines:
            left = deadline - time.perf_counter()
            if not select.select([self.output], [], [], max(left, 0))[0]:
                return None
            data = os.read(self.output, 65536)
            self.received = time.perf_counter()
            if not data:
                raise Died(f"died with status {self.process.wait()}")
            *whole, self.partial = (self.partial + data).split(b"\n")
            self.lines.extend(line.decode(errors="replace").strip() for line in whole)
        line = self.lines.popleft()
        self.transcript.append("< " + line)
        return line

    def wait_for(self, *words, seconds=60):
        """Reads until a line starts with one of these words and returns that line."""
        deadline = time.perf_counter() + seconds
        while (line := self.read(deadline)) is not None:
            if line.partition(" ")[0] in words:
                return line
        raise TimeoutError(f"no {words[-1]} within {seconds} s")

    def drain(self):
        """Forgets what has been said so far."""
        while self.read(0) is not None:
            pass

    def quit(self):
        try:
            self.send("quit")
            self.process.wait(2)
        except (Died, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class UciEngine(Process):
    """An engine that has said `uciok`."""

    def __init__(self, command, options=None, cwd=None):
        super().__init__(command, cwd)
        self.name, self.offered = None, set()
        self.send("uci")
        while not (line := self.wait_for("id", "option", "uciok")).startswith("uciok"):
            if line.startswith("id name "):
                self.name = line[8:].strip()
            elif found := re.match(r"option name (.+?) type ", line):
                self.offered.add(found[1])
        for name, value in (options or {}).items():
            self.send(self.option(name, value))

    @staticmethod
    def option(name, value=None):
        return f"setoption name {name}" + ("" if value is None else f" value {value}")

    @staticmethod
    def position(board):
        root = board.root()
        moves = "".join(" " + move.uci() for move in board.move_stack)
        fen = root.shredder_fen() if root.chess960 else root.fen()
        start = "startpos" if root == type(root)() else f"fen {fen}"
        return f"position {start}" + (f" moves{moves}" if moves else "")

    def ready(self, seconds=60):
        self.send("isready")
        self.wait_for("readyok", seconds=seconds)

    def new_game(self):
        self.send("ucinewgame")
        self.ready()


class XboardEngine(Process):
    """An engine that has told its features, or never does (version 1 of the protocol)."""

    def __init__(self, command, cwd=None):
        super().__init__(command, cwd)
        self.features = {"setboard": "0", "usermove": "0", "draw": "1", "ping": "0"}
        self.pings = 0
        self.send("xboard", "protover 2")
        try:
            while self.features.get("done") != "1":
                # done=0 asks for more time.
                line = self.wait_for("feature", seconds=60 if "done" in self.features else 10)
                for name, value in re.findall(r'(\w+)=("[^"]*"|\S+)', line):
                    self.features[name] = value.strip('"')
                    self.send(f"accepted {name}")
        except TimeoutError:
            pass
        self.name = self.features.get("myname")

    @staticmethod
    def option(name, value=None):
        """Of UCI's name; some have a command of their own here."""
        own = {"Hash": "memory", "Threads": "cores", "SyzygyPath": "egtpath syzygy"}
        if name in own:
            return f"{own[name]} {value}"
        value = {"true": 1, "false": 0}.get(value, value)
        return f"option {name}" + ("" if value is None else f"={value}")

    @staticmethod
    def level(moves, base, increment):
        # The base is in whole seconds here; what counts is `time` before each move.
        minutes, seconds = divmod(math.ceil(base), 60)
        return f"level {moves} {minutes}:{seconds:02} {increment:g}"

    @staticmethod
    def clocks(own, other):
        """Seconds as the engine is told them before it moves."""
        return [f"time {max(int(own * 100), 0)}", f"otim {max(int(other * 100), 0)}"]

    def usermove(self, move):
        return ("usermove " if self.features["usermove"] == "1" else "") + move

    def ready(self, seconds=60):
        """Everything sent before is done, and what it answered is read."""
        if self.features["ping"] == "1":
            self.pings += 1
            self.send(f"ping {self.pings}")
            while self.wait_for("pong", seconds=seconds).split()[1:] != [str(self.pings)]:
                pass
