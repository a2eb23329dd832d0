// What people know from other boards.

import { expect, test } from './server';

test('captured pieces and the difference stand beside the names', async ({ game, page }) => {
  await game.load('1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2');
  const [black, white] = [page.locator('#captured-top'), page.locator('#captured-bottom')];
  await expect(white).toHaveAttribute('aria-label', 'Captured: queen, pawn; ahead by 8');
  await expect(white).toHaveText(/♛.*♟.*\+8/);
  await expect(black).toHaveAttribute('aria-label', 'Captured: 2 pawns');
  await game.moves.nth(2).click();
  await expect(white).toHaveAttribute('aria-label', 'Captured: pawn; ahead by 1');
  await expect(black).toBeEmpty();
  // A promoted pawn is not a captured one.
  await game.load('8/P6k/8/8/8/8/6pK/8 w - - 0 1');
  await game.click('a7');
  await game.click('a8');
  await page.getByRole('button', { name: 'queen' }).click();
  await game.played(1, 'a8=Q');
  await expect(white).toHaveAttribute('aria-label', 'Captured: nothing; ahead by 8');
  await expect(black).toHaveAttribute('aria-label', 'Captured: nothing');
});

test('the wheel over the board goes through the game', async ({ game, page }) => {
  await game.load('1. e4 e5 2. Nf3 Nc6');
  const { x, y } = await game.at('e4');
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -100);
  await expect(page.locator('#moves [aria-current]')).toHaveText('Nf3');
  await page.mouse.wheel(0, -100);
  await expect(page.locator('#moves [aria-current]')).toHaveText('e5');
  await page.mouse.wheel(0, 100);
  await expect(page.locator('#moves [aria-current]')).toHaveText('Nf3');
});

test('keys: ? helps, space goes on, a analyses', async ({ game, page }) => {
  await game.load('1. e4 e5');
  await expect(game.moves).toHaveCount(2);
  await expect(page.locator('dialog[open]')).toHaveCount(0);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys and mouse' });
  await expect(help).toContainText('flip the board');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.locator('#moves').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('#moves [aria-current]')).toHaveText('e4');
  await page.keyboard.press(' ');
  await expect(page.locator('#moves [aria-current]')).toHaveText('e5');
  await page.keyboard.press('a');
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  await page.keyboard.press(' ');
  await expect(page.locator('.variation .move')).toHaveCount(1);
  // What was tried stays, but is not part of the game.
  await page.keyboard.press('a');
  await expect(page.locator('.variation.ahead .move')).toHaveCount(1);
  await expect(game.moves).toHaveCount(2);
});

test('a move of an engine’s line is previewed and played', async ({ game, page }) => {
  // The only move leads to mate: the line stays as it is.
  await game.load('6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.getByRole('combobox', { name: 'Lines' }).selectOption('1');
  const line = page.locator('#think-lines li').first();
  const mate = line.getByRole('button', { name: 'Rb8#' });
  await mate.hover();
  const preview = page.locator('#preview');
  await expect(preview).toBeVisible();
  await expect(preview.locator('cg-board piece')).toHaveCount(10);
  await expect(preview.locator('square.last-move')).toHaveCount(2);
  await game.stands('rook b1', 'White');
  await page.mouse.move(2, 2);
  await expect(preview).toBeHidden();
  await mate.click();
  await expect(page.locator('.variation')).toContainText('Rb8#');
  await game.stands('rook b8', 'White');
});

test('several moves of a line are played at once, and it unfolds', async ({ game, page }) => {
  await game.load('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.getByRole('combobox', { name: 'Lines' }).selectOption('1');
  const moves = page.locator('#think-lines .pv-move');
  await expect(page.locator('#think-depth')).toHaveText(/depth (1[2-9]|[2-9]\d)/, { timeout: 30_000 });
  const expand = page.getByRole('button', { name: 'The whole line' });
  await expect(expand).toHaveAttribute('aria-expanded', 'false');
  await expand.click();
  await expect(expand).toHaveAttribute('aria-expanded', 'true');
  await moves.nth(2).click();
  await expect(page.locator('.variation .move')).toHaveCount(3);
  await expect(page.locator('.variation [aria-current]')).toHaveCount(1);
});

test('a premove is played when the engine has moved', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  await game.engine().getByLabel('Thinking time').selectOption('seconds');
  await game.engine().getByRole('spinbutton', { name: 'Seconds' }).fill('2');
  await game.start();
  await game.play('e2', 'e4', 'e4');
  await game.click('a2');
  await game.click('a3');
  await expect(page.locator('cg-board square.current-premove')).toHaveCount(2);
  await game.played(3, 'a3');
  await expect(page.locator('cg-board square.current-premove')).toHaveCount(0);
  // One that is cancelled is not.
  await game.click('b2');
  await game.click('b3');
  await game.click('e5');
  await expect(page.locator('cg-board square.current-premove')).toHaveCount(0);
  await expect(game.moves).toHaveCount(4);
  await expect(game.status).toContainText('White to move');
});

test('the board’s colours are remembered', async ({ game, page }) => {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Board' }).selectOption('green');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await game.isReady();
  await expect(page.locator('cg-board').first()).toHaveCSS('background-image', /rgb\(118, 150, 86\)/);
});

test('moving a piece of a game that is over begins an analysis there', async ({ game, page }) => {
  await game.load('[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 1-0');
  // Nobody is there to play it again.
  for (const name of ['Take back', 'Rematch']) await expect(page.getByRole('button', { name })).toBeHidden();
  await game.moves.nth(1).click();
  await game.click('f2');
  await expect(page.locator('cg-board square.move-dest')).toHaveCount(2);
  await game.click('f4');
  await expect(page.locator('.variation')).toHaveText(/^2\.f4/);
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  await expect(game.moves).toHaveCount(4);
  // Back to the game one stays where one is.
  await page.keyboard.press('a');
  await expect(page.locator('#think-lines .pv-move')).not.toHaveCount(0);
  await expect(page.locator('.variation [aria-current]')).toHaveText(/^f4/);
  // By dragging, at the last move.
  await game.moves.nth(3).click();
  await game.drag('f1', 'b5');
  await expect(page.locator('.variation.ahead')).toHaveText(/^3\.Bb5/);
  // What is not legal is not played.
  await page.keyboard.press('a');
  await game.moves.nth(0).click();
  await game.drag('e7', 'e3');
  await expect(page.locator('#analyse')).toHaveAttribute('aria-pressed', 'true');
  await game.stands('pawn e7', 'Black');
  await expect(page.locator('.variation')).toHaveCount(2);
});

test('an earlier position of a game against the engine stays as it was', async ({ game, page }) => {
  await game.newGame('human', 'engine');
  await game.play('e2', 'e4', 'e4');
  await expect(game.moves).toHaveCount(2);
  await page.locator('#first').click();
  await game.drag('d2', 'd4');
  await game.stands('pawn d2', 'White');
  await expect(page.locator('#analyse')).toHaveAttribute('aria-pressed', 'false');
});

test('c comments on the move at once', async ({ game, page }) => {
  await game.load('1. e4 e5 2. Nf3 1-0');
  await expect(game.moves).toHaveCount(3);
  await page.locator('#moves').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('c');
  await expect(page.locator('#comment')).toBeFocused();
  await page.keyboard.type('solid');
  await page.keyboard.press('Enter');
  await expect(page.locator('#moves p.comment')).toHaveText('solid');
  // And digits are glyphs.
  for (const [key, glyph] of [['1', '!!'], ['6', '??'], ['6', '']] as const) {
    await page.keyboard.press(key);
    await expect(page.locator('#moves [aria-current]')).toHaveText(new RegExp(`^e5${glyph.replaceAll('?', '\\?')}[^!?]*$`));
  }
});
