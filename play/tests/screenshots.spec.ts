// Pictures of the board, for the documentation and for looking at after a run.

import { mkdirSync } from 'node:fs';
import { expect, test } from './server';

const FOLDER = process.env.SCREENSHOTS ?? '../target/play';
mkdirSync(FOLDER, { recursive: true });

const GAME = `[White "Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0`;

test('desktop: a game against the engine', async ({ game, page }) => {
  await game.dialog('human', 'engine');
  await game.depth(7);
  await game.clock('10', '0');
  await page.locator('#start-kind').selectOption('named');
  await page.locator('#start-name').selectOption('Italian Game');
  await game.start();
  await expect(game.moves).toHaveCount(6, { timeout: 20_000 });
  await game.play('e1', 'g1', 'O-O');
  await expect(game.moves).toHaveCount(8, { timeout: 20_000 });
  await game.play('d2', 'd3', 'd3');
  await expect(game.moves).toHaveCount(10, { timeout: 20_000 });
  await game.click('b1');
  await page.mouse.move(5, 5);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${FOLDER}/desktop.png` });
  await game.click('b1');
  await page.getByRole('button', { name: 'New game', exact: true }).click();
  await page.screenshot({ path: `${FOLDER}/new-game.png` });
});

test('analysis with arrows and graph, by day, by night and on a phone', async ({ game, page }) => {
  test.slow();
  await game.load(GAME);
  await expect(page.locator('#name-bottom')).toHaveText('Morphy');
  await page.getByRole('button', { name: 'Evaluate the game' }).click();
  await expect(page.locator('#review')).toHaveText('Stop evaluating');
  await expect(page.locator('#review')).toHaveText('Evaluate the game', { timeout: 90_000 });
  await game.moves.nth(17).click();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  // What was found has been said.
  await expect(page.locator('#message')).toBeHidden();
  await page.waitForTimeout(3000);
  await page.screenshot({ path: `${FOLDER}/analysis.png` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${FOLDER}/dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${FOLDER}/phone.png` });
});

test('the promotion menu', async ({ game, page }) => {
  await game.newGame('human', 'human', '1r3rk1/2P2ppp/p7/1p6/8/1P3N2/P4PPP/2R3K1 w - - 0 28');
  await game.click('c7');
  await game.click('b8');
  await expect(page.locator('.promotion piece')).toHaveCount(4);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${FOLDER}/promotion.png` });
});
