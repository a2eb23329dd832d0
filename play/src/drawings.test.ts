import { expect, test, vi } from 'vitest';
import { Drawings, drawn, written } from './drawings';

test('shapes are read and written as PGN has them', () => {
  for (const text of ['Ge4', 'Rd7d5', 'Yh8', 'Ba1h8']) expect(written(drawn(text))).toBe(text);
  expect(drawn('Ge4')).toEqual({ brush: 'green', orig: 'e4' });
});

test('what was drawn here stays until the server has it', () => {
  const send = vi.fn();
  const drawings = new Drawings(send);
  expect(drawings.shown(3, ['Ge4'])).toEqual(['Ge4']);
  drawings.change(3, ['Ge4', 'Rd5']);
  expect(send).toHaveBeenCalledWith(3, ['Ge4', 'Rd5']);
  // Older news.
  drawings.heard(() => ['Ge4']);
  expect(drawings.shown(3, ['Ge4'])).toEqual(['Ge4', 'Rd5']);
  expect(drawings.shown(4, [])).toEqual([]);
  drawings.heard(() => ['Ge4', 'Rd5']);
  expect(drawings.shown(3, [])).toEqual([]);
  drawings.change(3, []);
  drawings.forget();
  expect(drawings.shown(3, ['Ge4'])).toEqual(['Ge4']);
});
