import { expect, test } from 'vitest';
import { openingNames } from '../openings';
import { openingOf } from './openings';

const names = openingNames();
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const SICILIAN = 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2';

test('there are thousands of names, each with its code', () => {
  const all = Object.values(names);
  expect(all.length).toBeGreaterThan(3000);
  expect(all.filter((name) => !/^[A-E]\d\d \S/.test(name))).toEqual([]);
});

test('the last position with a name gives it', () => {
  expect(openingOf(names, [])).toBe('');
  expect(openingOf(names, [START])).toBe('');
  expect(openingOf(names, [START, SICILIAN])).toBe('B20 Sicilian Defense');
  // Out of book it keeps its name, and the en passant square does not matter.
  const after = 'rnbqkbnr/pp1ppppp/8/2p5/4P3/7P/PPPP1PP1/RNBQKBNR b KQkq - 0 2';
  const line = [START, SICILIAN.replace('c6', '-'), after, 'not in any book w - - 0 9'];
  expect(openingOf(names, line)).toMatch(/^B20 Sicilian/);
});

test('a Chess960 game has none', () => {
  expect(openingOf(names, ['nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1'])).toBe('');
});
