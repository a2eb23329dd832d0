// Arrows and circles drawn on the board belong to the game, and names to its opening.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Game } from './game';
import { expect, test } from './server';

async function draw(game: Game, from: string, to: string, key?: 'Shift' | 'Alt'): Promise<void> {
  const { page } = game;
  const [start, end] = [await game.at(from), await game.at(to)];
  if (key) await page.keyboard.down(key);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  // The board follows the pointer by frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.mouse.up({ button: 'right' });
  if (key) await page.keyboard.up(key);
}

async function saved(page: Page): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save PGN' }).click();
  const text = await readFile(await (await saving).path(), 'utf8');
  return text.split('\n\n')[1]!.replace(/\s+/g, ' ').trim();
}

test('what is drawn is saved with its move, erased and had back', async ({ game, page }) => {
  const drawn = page.locator('#board svg.cg-shapes :is(line, circle)');
  await game.load('1. e4 { [%csl Gd5][%cal Re4d5] the centre } e5 2. Nf3 *');
  await expect(drawn).toHaveCount(0);
  await game.moves.nth(0).click();
  await expect(drawn).toHaveCount(2);
  await expect(page.locator('#moves .comment')).toHaveText('the centre');
  await expect(page.locator('#position-text')).toContainText('Drawn: d5, e4 to d5.');
  await page.locator('#next').click();
  await draw(game, 'g1', 'f3');
  await draw(game, 'f3', 'e5', 'Alt');
  await draw(game, 'e5', 'e5', 'Shift');
  await expect(drawn).toHaveCount(3);
  const all = '1. e4 { [%csl Gd5] [%cal Re4d5] the centre } 1... e5 { [%csl Re5] [%cal Gg1f3,Bf3e5] } 2. Nf3 *';
  await expect.poll(() => saved(page)).toBe(all);
  // The same once more takes it away.
  await draw(game, 'g1', 'f3');
  await expect(drawn).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo: erase' }).click();
  await expect.poll(() => saved(page)).toBe(all);
  await page.reload();
  await game.isReady();
  await game.moves.nth(1).click();
  await expect(drawn).toHaveCount(3);
  // A click on an empty square takes all away.
  await game.click('a5');
  await expect(drawn).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo: erase' }).click();
  await game.moves.nth(1).click();
  await expect(drawn).toHaveCount(3);
});

test('arrows in a game against the engine are gone with the move', async ({ game, page }) => {
  const drawn = page.locator('#board svg.cg-shapes line');
  await game.newGame('human', 'engine');
  await draw(game, 'e2', 'e4');
  await expect(drawn).toHaveCount(1);
  await game.play('e2', 'e4', 'e4');
  await expect(game.moves).toHaveCount(2);
  await expect(drawn).toHaveCount(0);
  expect(await saved(page)).not.toContain('%cal');
});

test('the opening has a name, wherever one looks', async ({ game, page }) => {
  const opening = page.locator('#opening');
  await expect(opening).toBeHidden();
  // By another order of moves.
  await game.load('1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 h6 *');
  await expect(opening).toHaveText(/^B90 Sicilian Defense: Najdorf Variation/);
  await game.moves.nth(2).click();
  await expect(opening).toHaveText(/^B27 Sicilian Defense/);
  await page.locator('#first').click();
  await expect(opening).toBeHidden();
});

test('analysis stops at a depth', async ({ game, page }) => {
  await game.load('1. e4 e5 *');
  await expect(game.moves).toHaveCount(2);
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Lines' }).selectOption('1');
  await page.getByRole('combobox', { name: 'Depth' }).selectOption('10');
  await expect(page.locator('#think-depth')).toHaveText(/^depth 10\/\d+, reached$/);
  await page.reload();
  await game.isReady();
  // It is still being looked at.
  await expect(page.getByRole('combobox', { name: 'Depth' })).toHaveValue('10');
  await expect(page.locator('#think-depth')).toHaveText(/^depth 10\/\d+, reached$/);
});
