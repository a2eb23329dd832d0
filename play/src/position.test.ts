import { expect, test } from 'vitest';
import { describe } from './model';
import { after, material } from './position';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

test('moves are made on paper: castling, en passant, promotion', () => {
  expect(after(START, ['e2e4', 'c7c5'])).toBe('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR');
  const castle = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  expect(after(castle, ['e1g1', 'e8c8'])).toBe('2kr3r/8/8/8/8/8/8/R4RK1');
  expect(after(castle, ['e1a1', 'e8h8'])).toBe('r4rk1/8/8/8/8/8/8/2KR3R');
  expect(after('4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1', ['e5d6'])).toBe('4k3/8/3P4/8/8/8/8/4K3');
  expect(after('1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1', ['a7b8q'])).toBe('1Q2k3/8/8/8/8/8/8/4K3');
});

test('captured pieces, with a promoted pawn not among them', () => {
  const now = 'rnb1kbnr/ppp1pppp/8/8/8/2N5/PPPP1PBP/R1BQK1NR b KQkq - 0 4';
  expect(material(START, now, 'white')).toEqual({ captured: ['q', 'p'], ahead: 8 });
  expect(material(START, now, 'black')).toEqual({ captured: ['p', 'p'], ahead: 0 });
  const promoted = material('8/P6k/8/8/8/8/6pK/8 w - - 0 1', 'Q7/7k/8/8/8/8/6pK/8 b - - 0 1', 'white');
  expect(promoted).toEqual({ captured: [], ahead: 8 });
});

test('a position in words, with what is drawn on it', () => {
  const text = describe('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', ['Ge2e4', 'Rd5']);
  expect(text).toBe('White: pawn e2, king e1. Black: king e8. Drawn: e2 to e4, d5.');
});
