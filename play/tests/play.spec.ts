// The board in a real browser, from the first move to the mate.

import { expect, test } from './server';

test('a game to mate by clicking, with moves lighting up', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await game.click('g1');
  await expect(page.locator('cg-board square.move-dest')).toHaveCount(2);
  await game.click('g1');
  await game.play('e2', 'e4', 'e4');
  await game.play('e7', 'e5', 'e5');
  await game.play('d1', 'h5', 'Qh5');
  await game.play('b8', 'c6', 'Nc6');
  await game.play('f1', 'c4', 'Bc4');
  await game.play('g8', 'f6', 'Nf6');
  await game.play('h5', 'f7', 'Qxf7#');
  await expect(game.status).toContainText('White wins by checkmate.');
  await expect(page.locator('#moves .result')).toContainText('1-0');
  await expect(page.locator('cg-board square.check')).toHaveCount(1);
  await expect(page.locator('cg-board square.last-move')).toHaveCount(2);
  // Nothing moves any more.
  await game.click('e1');
  await expect(page.locator('cg-board square.move-dest')).toHaveCount(0);
});

test('an illegal move is not taken', async ({ game }) => {
  await game.newGame('human', 'human');
  await game.drag('e2', 'e5');
  await game.stands('pawn e2', 'White');
  await expect(game.moves).toHaveCount(0);
  await game.drag('e2', 'e4');
  await game.played(1, 'e4');
});

test('castling, both by the target and by the rook', async ({ game }) => {
  await game.newGame('human', 'human', 'r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R w KQkq - 0 1');
  await game.play('e1', 'g1', 'O-O');
  await game.stands('rook f1', 'White');
  await game.play('e8', 'a8', 'O-O-O');
  await game.stands('king c8', 'Black');
});

test('castling in Chess960', async ({ game, page }) => {
  await game.dialog('human', 'human');
  await page.locator('#start-kind').selectOption('chess960');
  await page.locator('#start-number').fill('959');
  await game.start();
  await game.stands('rook a1, king b1, rook c1', 'White');
  await game.newGame('human', 'human', '1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w EBeb - 0 1');
  await game.play('c1', 'e1', 'O-O');
  await game.stands('rook f1, king g1', 'White');
  await game.play('c8', 'b8', 'O-O-O');
  await game.stands('king c8, rook d8', 'Black');
});

test('en passant', async ({ game }) => {
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  await game.play('a7', 'a6', 'a6');
  await game.play('e4', 'e5', 'e5');
  await game.play('d7', 'd5', 'd5');
  await game.play('e5', 'd6', 'exd6');
  await expect(game.page.locator('#position-text')).not.toContainText('pawn d5');
});

test('promotion to a knight, and changing one’s mind', async ({ game, page }) => {
  await game.newGame('human', 'human', '8/P6k/8/8/8/8/7K/8 w - - 0 1');
  const menu = page.getByRole('dialog', { name: 'Promote to' });
  await game.click('a7');
  await game.click('a8');
  await expect(menu.locator('piece.white')).toHaveCount(4);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await game.stands('pawn a7', 'White');
  await game.click('a7');
  await game.click('a8');
  await menu.getByRole('button', { name: 'knight' }).click();
  await game.played(1, 'a8=N');
  await game.stands('knight a8', 'White');
});

test('the promotion menu has the mover’s colour and stands on the right side', async ({ game, page }) => {
  await game.newGame('human', 'human', '8/7K/8/8/8/8/p6k/8 b - - 0 1');
  await game.click('a2');
  await game.click('a1');
  await expect(page.locator('.promotion.bottom piece.black')).toHaveCount(4);
  await page.getByRole('button', { name: 'queen' }).click();
  await game.played(1, 'a1=Q');
});

test('flipping turns board and coordinates', async ({ game, page }) => {
  await game.newGame('human', 'human');
  const before = await game.at('a1');
  await page.getByRole('button', { name: 'Flip the board' }).click();
  await expect(page.locator('.cg-wrap.orientation-black')).toBeVisible();
  const after = await game.at('a1');
  expect(after.x).toBeGreaterThan(before.x);
  expect(after.y).toBeLessThan(before.y);
  await expect(page.locator('coords.ranks.black')).toHaveCount(1);
  await game.play('e2', 'e4', 'e4');
  await page.locator('#moves').focus();
  await page.keyboard.press('f');
  await expect(page.locator('.cg-wrap.orientation-white')).toBeVisible();
});

test('taking back, one move or to one’s own turn', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  await game.play('c7', 'c5', 'c5');
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(game.moves).toHaveCount(1);
  await game.stands('pawn c7', 'Black');
  await game.newGame('human', 'engine');
  await game.play('e2', 'e4', 'e4');
  await expect(game.moves).toHaveCount(2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(game.moves).toHaveCount(0);
  await expect(game.status).toContainText('White to move');
});

test('against the engine, which shows what it expects', async ({ game, page }) => {
  await game.newGame('engine', 'human');
  // The board turns to the player's side.
  await expect(page.locator('.cg-wrap.orientation-black')).toBeVisible();
  await expect(game.moves).toHaveCount(1);
  await page.keyboard.press('e');
  await expect(page.locator('#think-depth')).toContainText('depth');
  await expect(page.locator('#think-speed')).toHaveText(/nodes, .*\/s/);
  await expect(page.locator('#think-lines')).toContainText('1…');
  await game.drag('e7', 'e5');
  await expect(game.moves).toHaveCount(3);
  await expect(game.moves.nth(2).locator('.eval')).not.toBeEmpty();
  await game.resign();
  await expect(game.status).toContainText('White wins by resignation.');
});

test('the engine against itself to the end, with a pause', async ({ game, page }) => {
  await game.dialog('engine', 'engine');
  await page.locator('#start-kind').selectOption('fen');
  await page.locator('#start-fen').fill('7k/8/8/8/8/8/R7/1R4K1 w - - 0 1');
  await game.start();
  await expect(game.status).toContainText('White wins by checkmate.');
  await page.getByLabel('Speed').selectOption('1500');
  await game.newGame('engine', 'engine');
  await expect(game.moves).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(game.status).toContainText('Paused');
  const paused = await game.moves.count();
  await page.waitForTimeout(2000);
  await expect(game.moves).toHaveCount(paused);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(game.moves).not.toHaveCount(paused);
});

test('the level’s − and + and a clock', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  await game.depth(5);
  await page.getByRole('button', { name: 'Deeper' }).click();
  await page.getByRole('button', { name: 'Deeper' }).click();
  await page.getByRole('button', { name: 'Less deep' }).click();
  await expect(game.engine().getByRole('spinbutton', { name: 'Depth' })).toHaveValue('6');
  await game.clock('3', '2');
  await game.start();
  await expect(page.locator('#name-top')).toHaveText('Gambeson (depth 6)');
  await expect(page.locator('#clock-bottom')).toHaveText('03:00');
  await game.play('e2', 'e4', 'e4');
  await expect(game.moves).toHaveCount(2);
  await expect(page.locator('#clock-bottom.running')).toHaveText(/^0(3:0|2:5)/);
});
