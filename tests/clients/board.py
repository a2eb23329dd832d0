"""Games go through the board's server without loss, and survive its sudden death.

python-chess reads what was loaded and what was saved and compares the two. Then the server
is killed at random moments while games are played and analysed.

Usage: board.py ENGINE [KILLS]
"""

import base64
import io
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess
import chess.pgn

# What each text holds, and what may be missing from it afterwards. The loss must be reported.
GAMES = {
    "variations in variations": (
        b"[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{ before } 1. e4 e5 2. Nf3 (2. f4 exf4 (2... d5 3. exd5 "
        b"(3. Nf3 dxe4 4. Nxe5)) 3. Nf3) (2. Bc4) 2... Nc6 3. Bb5 a6 1-0\n", False),
    "glyphs": (
        b"[White \"A\"]\n\n1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! 4. Ba4 $10 $146 Nf6 $36 5. O-O $32 *\n", False),
    "clocks of a server": (
        b"[Event \"Rated blitz game\"]\n[Site \"https://example.org/abcd1234\"]\n[TimeControl \"180+2\"]\n"
        b"[Termination \"Time forfeit\"]\n[Result \"0-1\"]\n\n1. d4 { [%clk 0:03:00] } 1... Nf6 { [%clk 0:03:00] } "
        b"2. c4 { [%clk 0:02:58.7] } 2... g6 { [%clk 0:02:57] } 0-1\n", False),
    "evaluations": (
        b"[White \"A\"]\n\n1. f3 { [%eval -0.52] [%clk 0:10:00] } 1... e5 { [%eval -0.41,18] } 2. g4?? "
        b"{ [%eval #-1] (-0.41 -> Mate in 1) Blunder. } (2. e4 { [%eval -0.3] }) 2... Qh4# 0-1\n", False),
    "arrows, squares and timings": (
        b"[White \"A\"]\n\n1. e4 { [%csl Ge4,Rd5][%cal Ge2e4,Rd7d5] the centre } 1... c5 { [%emt 0:00:05] } 2. Nf3 "
        b"{ two\nlines } *\n", False),
    "UTF-8 with a mark": (
        "\ufeff[White \"Müller, Jürgen\"]\r\n[Black \"Štefan Ćosić \\\"X\\\"\"]\r\n\r\n1. c4 { schön – ♔ } e5 1/2-1/2\r\n"
        .encode(), False),
    "Latin-1": (
        "[White \"Müller\"]\n[Event \"Köln\"]\n\n1. Nf3 { schön } d5 2. g3 *\n".encode("latin-1"), False),
    "a position of its own": (
        b"[SetUp \"1\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 30\"]\n\n30... O-O-O 31. O-O (31. Rd1 Rxd1+) *\n", False),
    "a rated game with its server's analysis": (
        """[Event "Rated rapid game"]
[Site "https://example.org/Ab3dEf9h"]
[Date "2026.03.14"]
[Round "-"]
[White "morphy_1858"]
[Black "duke-and-count"]
[Result "1-0"]
[UTCDate "2026.03.14"]
[UTCTime "18:03:27"]
[WhiteElo "2312"]
[BlackElo "1985"]
[WhiteRatingDiff "+4"]
[BlackRatingDiff "-4"]
[Variant "Standard"]
[TimeControl "600+0"]
[ECO "C41"]
[Opening "Philidor Defense"]
[Termination "Normal"]
[Annotator "example.org"]

1. e4 { [%eval 0.18] [%clk 0:10:00] } 1... e5 { [%eval 0.21] [%clk 0:10:00] } 2. Nf3 { [%eval 0.12] [%clk 0:09:58] }
2... d6 { [%eval 0.43] [%clk 0:09:57] } { C41 Philidor Defense } 3. d4 { [%eval 0.39] [%clk 0:09:55] } 3... Bg4?!
{ (0.39 → 1.02) Inaccuracy. exd4 was best. } { [%eval 1.02] [%clk 0:09:31] } (3... exd4 4. Nxd4 Nf6 5. Nc3 Be7 6. Bf4
O-O) 4. dxe5 { [%eval 0.95] [%clk 0:09:50] } 4... Bxf3 { [%eval 0.88] [%clk 0:09:28] } 5. Qxf3 { [%clk 0:09:49] }
5... dxe5 { [%clk 0:09:27] } 6. Bc4 Nf6?? { [%eval 2.51,22] } (6... Qd7 7. Qb3 c6 8. a4) 7. Qb3 Qe7 8. Nc3 $6 (8. Bxf7+
Qxf7 9. Qxb7) 8... c6 9. Bg5 b5? { [%eval 3.4] } 10. Nxb5! cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7! Rxd7 14. Rd1 Qe6
15. Bxd7+ Nxd7 { [%eval #2] } 16. Qb8+!! { [%eval #1] [%clk 0:07:02] } 16... Nxb8 17. Rd8# { [%clk 0:07:01] }
{ White wins by checkmate. } 1-0
""".encode(), False),
    "annotated in a magazine's style": (
        """[Event "Schottisches Gambit, Analyse"]
[Site "?"]
[Date "1890.??.??"]
[Round "3.1"]
[White "Müller, Hans"]
[Black "Núñez, José"]
[Result "*"]
[EventDate "1890.08.??"]
[SourceTitle "Blätter 7"]
[PlyCount "12"]

{ Das Gambit. } 1. e4 e5 2. Nf3 Nc6 3. d4 exd4 4. Bc4 $5 { [%csl Gf7][%cal Gc4f7,Gf3g5] zielt auf f7 } 4... Nf6
({ Solider ist } 4... Be7 $6 5. O-O (5. c3 $5 dxc3 (5... Na5 $1 6. Be2 (6. Qxd4 $2 Nxc4 7. Qxc4 { +/= ; gleich })
6... d3 $15) 6. Qd5 $18) 5... Nf6 $11) (4... Bc5 5. c3 Nf6 { führt zu Giuoco Piano } 6. cxd4 Bb4+ $132) 5. e5 $1 d5 $1
{ [%emt 0:03:10] der Gegenschlag } 6. Bb5 $14 Ne4 $146 { eine Neuerung? [%csl Re4] } *
""".encode(), False),
    "a null move": (b"[White \"A\"]\n\n1. e4 e5 (1... d5 2. --) 2. Nf3 -- 3. Nxe5 *\n", True),
    "an illegal move": (b"[White \"A\"]\n\n1. e4 e5 2. Ke3 Nc6 (2... d6) 1-0\n", True),
}
COMMANDS = re.compile(r"\[%(eval|clk|cal|csl) [^\]]*\]")


class Server:
    running = None

    def __init__(self, engine, folder):
        # Anything may be the page: none is asked for.
        page = Path(folder) / "page"
        page.mkdir(exist_ok=True)
        (page / "index.html").write_text("")
        command = [engine, "play", "--no-open", "--port", "0", "--games", str(folder), "--page", str(page)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        Server.running = self
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline()).group(1))

    def kill(self):
        self.process.kill()
        self.process.wait()


class Page:
    """A WebSocket, as far as the server's messages need one."""

    def __init__(self, server, game):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"127.0.0.1:{server.port}"
        self.socket.sendall((
            f"GET /ws/{game} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb")
        assert b"101" in self.stream.readline()
        while self.stream.readline() != b"\r\n":
            pass
        self.state = None

    def send(self, **request):
        data = json.dumps(request).encode()
        mask = os.urandom(4)
        size = len(data)
        head = bytes([0x81]) + (bytes([0x80 | size]) if size < 126 else bytes([0xfe]) + size.to_bytes(2, "big"))
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        while True:
            kind, size = self.stream.read(2)
            size = {126: lambda: int.from_bytes(self.stream.read(2), "big"),
                    127: lambda: int.from_bytes(self.stream.read(8), "big")}.get(size, lambda: size)()
            data = self.stream.read(size)
            if kind == 0x81:
                update = json.loads(data)
                if update["type"] == "state":
                    self.state = update
                return update

    def until(self, kind):
        """All messages up to the next of this kind."""
        updates = [self.receive()]
        while updates[-1]["type"] != kind:
            assert updates[-1]["type"] != "error", updates[-1]
            updates.append(self.receive())
        return updates


def parse(data):
    """The games of a file as python-chess reads them, and what it found wrong."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return chess.pgn.read_game(io.StringIO(text, newline=None))


def words(comment):
    """Text without the commands that are compared as numbers."""
    return " ".join(COMMANDS.sub(" ", comment).replace("}", ")").replace("][%", "] [%").split())


def facts(node):
    """All that stands at a move, to be compared."""
    score = node.eval()
    return (
        node.move, sorted(node.nags), words(node.comment), words(node.starting_comment),
        score and score.white(), node.eval_depth(), node.clock(), sorted(arrow.pgn() for arrow in node.arrows()),
    )


def tree(node):
    """All of a game but null moves and what follows them."""
    own = facts(node) if isinstance(node, chess.pgn.ChildNode) else words(node.comment)
    return own, [tree(child) for child in node.variations if child.move]


def size(node):
    return 1 + sum(size(child) for child in node.variations)


def check_files(engine):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(engine, folder)
        for number, (name, (data, lossy)) in enumerate(GAMES.items()):
            page = Page(server, f"game{number}")
            try:
                text = data.decode("utf-8-sig")
            except UnicodeDecodeError:
                text = data.decode("cp1252")
            page.send(type="loadPgn", text=text)
            notices = [update["text"] for update in page.until("accepted") if update["type"] == "notice"]
            page.send(type="pgn")
            saved = page.until("pgn")[-1]["text"]
            before, after = parse(data), parse(saved.encode())
            assert not after.errors, (name, after.errors)
            assert all(len(line) <= 80 or "[" in line for line in saved.splitlines()), saved
            for tag, value in before.headers.items():
                # python-chess fills in what the file does not have.
                made_up = value in ("?", "????.??.??") or tag == "Result" and value == "*"
                assert made_up or after.headers.get(tag) == value, (name, tag, value, saved)
            gained = set(after.headers) - set(before.headers)
            assert not gained, (name, gained)
            if lossy:
                assert notices and "left out" in notices[0], (name, notices)
            else:
                assert not notices, (name, notices)
            # python-chess itself drops what follows an illegal move.
            assert tree(after) == tree(before), f"{name}\n{data.decode(errors='replace')}\n{saved}"
            # And as it lies in the folder.
            assert tree(parse((Path(folder) / f"game{number}.pgn").read_bytes())) == tree(after), name
            print(f"{name}: {size(after) - 1} moves, " + (notices[0] if lossy else "nothing lost"))
        check_collection(server)
        server.kill()


def check_collection(server):
    """The same games as one file: each is there, and comes out as it went in."""
    plain = {name: data for name, (data, lossy) in GAMES.items() if not lossy and b"\xef\xbb\xbf" not in data}
    body = b"\n\n".join(plain.values())
    host = f"127.0.0.1:{server.port}"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall((
            f"POST /api/files?name=all.pgn HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n").encode() + body)
        answer = connection.makefile("rb").read()
    name = json.loads(answer.split(b"\r\n\r\n")[1])
    for number, data in enumerate(plain.values()):
        page = Page(server, f"{name}-{number}")
        page.send(type="pgn")
        saved = page.until("pgn")[-1]["text"]
        assert tree(parse(saved.encode())) == tree(parse(data)), saved
    print(f"a file of {len(plain)} games: nothing lost")


def shown(state):
    """The moves of the game as the page has been told."""
    return [move["uci"] for move in state["moves"]]


def check_kills(engine, kills, dice):
    """Each table plays games of its own; each game begins with a move of the table's."""
    human = {"kind": "human", "clock": None}
    level = {"kind": "engine", "level": {"by": "depth", "depth": 2}, "elo": None}
    firsts = ["a2a3", "b2b3", "c2c3", "d2d3"]
    with tempfile.TemporaryDirectory() as folder:
        # What pages were told of each game, and whose it is.
        told, owner, names = {}, {}, [f"table{index}" for index in range(len(firsts))]
        for kill in range(kills):
            server = Server(engine, folder)
            pages = [Page(server, name) for name in names]
            for page in pages:
                page.until("state")
                check_game(page.state, told)
            # After some moves, while others are on their way.
            for _ in range(dice.randrange(2, 30)):
                index = dice.randrange(len(pages))
                page = pages[index]
                play_on(page, firsts[index], human, level, dice)
                if page.state and page.state["moves"]:
                    name = page.state["game"]
                    names[index] = name
                    told[name] = shown(page.state)
                    assert owner.setdefault(name, index) == index, "two tables have one game"
            for page in pages:
                page.send(type="analyse", lines=1)
            time.sleep(dice.random() * 0.1)
            server.kill()
            for path in Path(folder).glob("*.pgn"):
                game = parse(path.read_bytes())
                assert game and not game.errors, path
                if path.stem in owner:
                    first = game.next()
                    assert first is None or first.move.uci() == firsts[owner[path.stem]], path
            assert not list(Path(folder).glob("*.unreadable"))
            missing = [name for name in told if not (Path(folder) / f"{name}.pgn").exists()]
            assert not missing, missing
        # Every game that anybody ever saw is there.
        for name, moves in told.items():
            game = parse((Path(folder) / f"{name}.pgn").read_bytes())
            line = [move.uci() for move in game.mainline_moves()]
            assert line[:len(moves)] == moves, (name, line, moves)
        print(f"{kills} sudden ends: {len(told)} games, none lost, none mixed")


def check_game(state, told):
    """The game is where the page saw it last, or further."""
    moves = told.get(state["game"], [])
    assert shown(state)[:len(moves)] == moves, (state["game"], shown(state), moves)


def play_on(page, first, human, level, dice):
    """A new game now and then, else a move; waits until the page is told."""
    state = page.state
    if state is None or state["end"] or dice.random() < 0.1 or not state["moves"]:
        if state is None or state["moves"] or not state["destinations"]:
            page.send(type="newGame", white=human, black=dice.choice([human, level]), start={"kind": "standard"})
            page.until("accepted")
        page.send(type="move", text=first)
        while not page.state["moves"]:
            page.until("state")
        return
    board = chess.Board(state["moves"][-1]["fen"])
    if state["analysis"]:
        page.send(type="stopAnalysing")
    # Only positions where it is a person's turn.
    if state["players"][0 if board.turn else 1]["kind"] == "human" and list(board.legal_moves):
        count = len(state["moves"])
        page.send(type="move", text=dice.choice(list(board.legal_moves)).uci())
        while len(page.state["moves"]) <= count:
            page.until("state")
    elif list(board.legal_moves):
        page.until("state")


if __name__ == "__main__":
    try:
        check_files(sys.argv[1])
        check_kills(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5, random.Random(27))
    finally:
        Server.running.kill()
