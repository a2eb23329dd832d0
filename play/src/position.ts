// Positions as pieces on squares. The server knows the rules; this knows what a move it found legal
// does to the board, and what has been captured.

import type { Color } from './messages';

/** Piece letters as FEN writes them, by square. */
type Pieces = Map<string, string>;

const FILES = 'abcdefgh';

export function pieces(fen: string): Pieces {
  const found: Pieces = new Map();
  const ranks = (fen.split(' ')[0] ?? '').split('/');
  ranks.forEach((rank, index) => {
    let file = 0;
    for (const letter of rank) {
      if (letter >= '1' && letter <= '8') {
        file += Number(letter);
      } else {
        found.set(`${FILES[file]}${8 - index}`, letter);
        file += 1;
      }
    }
  });
  return found;
}

function placement(board: Pieces): string {
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) => {
    const row = [...FILES].map((file) => board.get(`${file}${rank}`) ?? '1').join('');
    return row.replace(/1+/g, (empty) => String(empty.length));
  });
  return ranks.join('/');
}

function castle(board: Pieces, king: string, rook: string): void {
  const rank = king[1]!;
  const [kingTo, rookTo] = rook > king ? ['g', 'f'] : ['c', 'd'];
  const letters = [board.get(king)!, board.get(rook)!] as const;
  board.delete(king);
  board.delete(rook);
  board.set(kingTo + rank, letters[0]);
  board.set(rookTo + rank, letters[1]);
}

function make(board: Pieces, uci: string): void {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const letter = board.get(from);
  if (!letter) return;
  const isWhite = letter === letter.toUpperCase();
  const isKing = letter.toLowerCase() === 'k';
  const files = Math.abs(from.charCodeAt(0) - to.charCodeAt(0));
  if (isKing && board.get(to) === (isWhite ? 'R' : 'r')) return castle(board, from, to);
  if (isKing && files === 2) return castle(board, from, `${to > from ? 'h' : 'a'}${from[1]}`);
  // En passant: the pawn that is taken stands beside.
  if (letter.toLowerCase() === 'p' && files === 1 && !board.has(to)) board.delete(to[0]! + from[1]!);
  const promoted = uci[4];
  board.delete(from);
  board.set(to, promoted ? (isWhite ? promoted.toUpperCase() : promoted) : letter);
}

/** The pieces after these moves, as FEN writes them. */
export function after(fen: string, moves: string[]): string {
  const board = pieces(fen);
  moves.forEach((uci) => make(board, uci));
  return placement(board);
}

const VALUES: Record<string, number> = { q: 9, r: 5, b: 3, n: 3, p: 1 };

export interface Material {
  /** Letters of the enemy's pieces that are gone, the most valuable first. */
  captured: string[];
  /** Pawns' worth ahead of the enemy. */
  ahead: number;
}

/** What a side has captured since the start of the game, and what it is ahead by. */
export function material(start: string, now: string, side: Color): Material {
  const count = (fen: string, color: Color) => {
    const letters = [...pieces(fen).values()];
    const mine = letters.filter((letter) => (letter === letter.toUpperCase()) === (color === 'white'));
    return (kind: string) => mine.filter((letter) => letter.toLowerCase() === kind).length;
  };
  const enemy: Color = side === 'white' ? 'black' : 'white';
  const [before, left, own] = [count(start, enemy), count(now, enemy), count(now, side)];
  const kinds = Object.keys(VALUES);
  // A pawn that was promoted is not captured.
  const promoted = kinds
    .filter((kind) => kind !== 'p')
    .reduce((sum, kind) => sum + Math.max(0, left(kind) - before(kind)), 0);
  const captured = kinds.flatMap((kind) => {
    const gone = before(kind) - left(kind) - (kind === 'p' ? promoted : 0);
    return Array<string>(Math.max(0, gone)).fill(kind);
  });
  const ahead = kinds.reduce((sum, kind) => sum + (own(kind) - left(kind)) * VALUES[kind]!, 0);
  return { captured, ahead: Math.max(0, ahead) };
}
