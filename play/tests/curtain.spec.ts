// Against the engine one plays alone, unless one asks.

import { expect, test } from './server';

test('the engine’s thoughts are hidden until a key shows them', async ({ game, page }) => {
  await game.newGame('human', 'engine');
  await game.play('e2', 'e4', 'e4');
  await expect(game.moves).toHaveCount(2);
  await expect(page).toHaveTitle('Your move · Gambeson');
  await game.play('d2', 'd4', 'd4');
  await expect(game.moves).toHaveCount(4);
  const thoughts = [page.locator('#bar'), page.locator('#think-lines'), page.locator('#graph')];
  for (const thought of thoughts) await expect(thought).toBeHidden();
  await expect(page.locator('#moves .eval')).toHaveCount(0);
  await expect(page.locator('#think-score')).toBeEmpty();
  await page.keyboard.press('e');
  for (const thought of thoughts) await expect(thought).toBeVisible();
  await expect(page.locator('#moves .eval')).toHaveCount(2);
  await page.getByRole('button', { name: 'Hide thinking' }).click();
  await expect(page.locator('#bar')).toBeHidden();
  // Once the game is over there is nothing to hide, and the next one begins hidden.
  await page.getByRole('button', { name: 'Show thinking' }).click();
  await game.resign();
  await expect(page.locator('#bar')).toBeVisible();
  await expect(page.locator('#curtain')).toBeHidden();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await expect(page.locator('#bar')).toBeHidden();
});

test('a hint points out a move and changes nothing', async ({ game, page }) => {
  // Mate in one.
  await game.newGame('human', 'engine', '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1');
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.locator('#message')).toHaveText('Hint: Ra8#.');
  await expect(page.locator('svg.cg-shapes line')).toHaveCount(1);
  await expect(page.locator('#bar')).toBeHidden();
  await expect(game.moves).toHaveCount(0);
  await expect(page.locator('#analyse')).toHaveAttribute('aria-pressed', 'false');
  await game.play('g2', 'g3', 'g3');
  await expect(game.moves).toHaveCount(2);
  await expect(page.locator('svg.cg-shapes line')).toHaveCount(0);
  // A move while the engine still looks belongs to the game.
  await page.getByRole('button', { name: 'Hint' }).click();
  await game.play('g1', 'g2', 'Kg2');
  await expect(game.moves).toHaveCount(4);
  await expect(page.locator('.variation')).toHaveCount(0);
});
