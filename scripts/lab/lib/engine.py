"""Engines as processes that read and write lines. Standard library only."""

import os
import select
import subprocess
import time
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# Debian puts chess engines where root's path does not look.
os.environ["PATH"] = os.environ.get("PATH", "") + ":/usr/games"


def shell(command):
    """What one of the functions in scripts/lib/*.sh prints."""
    source = "set -e; for lib in scripts/lib/{debian,release}.sh; do source $lib; done; "
    run = ["bash", "-c", source + command]
    return subprocess.run(run, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def need(package):
    """Installs a Debian package unless its program is there."""
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
    processors stood still."""

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
