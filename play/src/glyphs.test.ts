import { expect, test } from 'vitest';
import { glyphText, toggle } from './glyphs';
import { scoreText, whiteShare } from './score';

test('one glyph about the move and one about the position', () => {
  expect(toggle([], 1)).toEqual([1]);
  expect(toggle([1], 1)).toEqual([]);
  expect(toggle([1, 16, 140], 4)).toEqual([4, 16, 140]);
  expect(toggle([4, 16], 18)).toEqual([4, 18]);
  expect(glyphText([5, 18, 140])).toBe('!? +− $140');
});

test('scores as people read them', () => {
  expect([scoreText({ cp: 0 }), scoreText({ cp: -135 }), scoreText({ mate: -3 })]).toEqual(['0.00', '−1.35', '−#3']);
  expect([whiteShare({ cp: 0 }), whiteShare({ mate: 1 }), whiteShare({ mate: -1 })]).toEqual([0.5, 1, 0]);
});
