// What outlives a move: loading, saving, reloading, analysing, and what goes wrong.

import { readFile } from 'node:fs/promises';
import { expect, test } from './server';

const PGN = `[Event "Opera"]
[White "Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 { [%eval 0.60] } 3. d4 Bg4 { a pin (that does not hold) } 4. dxe5 Bxf3
5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7
12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`;

test('loading a PGN, going through it by keys and clicks, saving it', async ({ game, page }) => {
  await game.load(PGN);
  await expect(game.moves).toHaveCount(33);
  await expect(page.locator('#name-bottom')).toHaveText('Morphy');
  await expect(game.status).toContainText('White wins by checkmate.');
  await page.locator('#moves').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('#moves [aria-current]')).toHaveText('Nxb8');
  await page.keyboard.press('ArrowUp');
  await game.stands('pawn e2', 'White');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('#moves [aria-current]')).toHaveText('e4');
  await game.moves.filter({ hasText: 'O-O-O' }).click();
  await game.stands('king c1', 'White');
  await page.keyboard.press('ArrowDown');
  await game.stands('rook d8', 'White');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save PGN' }).click();
  const text = await readFile(await (await saving).path(), 'utf8');
  expect(text).toContain('[White "Morphy"]');
  expect(text).toContain('17. Rd8# 1-0');
  expect(text).toContain('[%eval 0.60]');
  expect(text).toContain('a pin (that does not hold)');
});

test('a bad PGN or FEN is explained and changes nothing', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  await game.tryToLoad('1. Ke3 *');
  await expect(page.locator('#load-problem')).toContainText('Ke3');
  await page.locator('#load-cancel').click();
  await game.dialog('human', 'human');
  await page.locator('#start-kind').selectOption('fen');
  await page.locator('#start-fen').fill('rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  await page.locator('#new-start').click();
  await expect(page.locator('#new-problem')).toContainText("rank 7 contains 'x'");
  await page.locator('#new-cancel').click();
  await expect(game.moves).toHaveCount(1);
  await game.play('e7', 'e5', 'e5');
});

test('a PGN is loaded up to an illegal move, and what is left out is said', async ({ game, page }) => {
  await game.load('1. e4 e5 2. Ke3 *');
  await expect(game.moves).toHaveCount(2);
  await expect(page.locator('#load-dialog')).toBeHidden();
  const message = page.locator('#message');
  await expect(message).toContainText('move 2: "Ke3" is not legal here');
  // It stays until it has been read.
  await page.waitForTimeout(9000);
  await expect(message).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(message).toBeHidden();
  await game.load('1. e4 e5 2. -- Nf6 *');
  await expect(message).toContainText('move 2: "--" is not a move');
  await game.newGame('human', 'human');
  await expect(message).toBeHidden();
});

test('typed moves, and a typed mistake', async ({ game, page }) => {
  await game.newGame('human', 'human');
  const typed = page.getByLabel('Type a move');
  for (const [text, san] of [['Nf3', 'Nf3'], ['d7d5', 'd5'], ['g3', 'g3']] as const) {
    await typed.fill(text);
    await typed.press('Enter');
    await expect(game.status).toContainText(`${san}.`);
  }
  await typed.fill('Qxz9');
  await typed.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'is not a move' })).toBeVisible();
  await expect(game.moves).toHaveCount(3);
});

test('a reload finds the game', async ({ game, page }) => {
  await game.newGame('human', 'human');
  await game.play('d2', 'd4', 'd4');
  await game.play('d7', 'd5', 'd5');
  await page.reload();
  await game.isReady();
  await expect(game.moves).toHaveCount(2);
  await game.play('c2', 'c4', 'c4');
});

test('each tab has its own game', async ({ game, page, server, context }) => {
  await game.newGame('human', 'human');
  await game.play('d2', 'd4', 'd4');
  const other = await context.newPage();
  await other.goto(server.address);
  await expect(other.locator('#status')).toContainText('White to move');
  await expect(other.locator('#moves')).toContainText('No moves yet');
  expect(new URL(other.url()).hash).not.toBe(new URL(page.url()).hash);
});

test('a broken connection is said and mended', async ({ game, page }) => {
  // Every socket passes through here, so that the test can break it.
  const sockets: { close: () => Promise<void> }[] = [];
  await page.routeWebSocket(/\/ws\//, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.reload();
  await game.isReady();
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  await sockets[sockets.length - 1]!.close();
  await expect(page.locator('#offline')).toBeVisible();
  await expect(page.locator('#offline')).toBeHidden();
  await expect(game.moves).toHaveCount(1);
  await game.play('e7', 'e5', 'e5');
});

test('the server is killed and started again: the game is there', async ({ game, page, server }) => {
  await game.newGame('human', 'engine');
  await game.play('e2', 'e4', 'e4');
  await expect(game.moves).toHaveCount(2);
  await server.kill();
  await expect(page.locator('#offline')).toBeVisible();
  await game.click('d2');
  await game.click('d4');
  await expect(page.getByRole('alert').filter({ hasText: 'Not connected' })).toBeVisible();
  await game.stands('pawn d2', 'White');
  await server.restart();
  await expect(page.locator('#offline')).toBeHidden();
  await expect(game.moves).toHaveCount(2);
  await expect(page.locator('#name-top')).toHaveText('Gambeson (depth 3)');
  await game.play('d2', 'd4', 'd4');
  await expect(game.moves).toHaveCount(4);
});

test('analysis with arrows, a line that leaves the game, and back', async ({ game, page }) => {
  await game.load(PGN);
  await expect(game.moves).toHaveCount(33);
  await game.moves.nth(5).click();
  await page.getByRole('button', { name: 'Analyse' }).click();
  await expect(page.locator('#think-lines li')).toHaveCount(3);
  // The arrows of the engine's lines, drawn on the board.
  await expect(page.locator('svg.cg-shapes g line, svg.cg-shapes line')).not.toHaveCount(0);
  await game.click('h2');
  await game.click('h3');
  await expect(page.locator('.variation')).toContainText('h3');
  await game.click('g4');
  await game.click('h5');
  await expect(page.locator('.variation [aria-current]')).toContainText('Bh5');
  await page.locator('#moves').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.locator('.variation [aria-current]')).toContainText('h3');
  await game.moves.nth(0).click();
  await expect(page.locator('.row [aria-current]')).toContainText('e4');
  await page.getByRole('button', { name: 'Back to the game' }).click();
  await expect(game.moves).toHaveCount(33);
  await expect(page.locator('.variation')).toHaveText(/4\.h3.*Bh5/);
});

test('evaluating a game draws its graph and marks its mistakes', async ({ game, page }) => {
  await game.load('1. f3 e5 2. g4 Qh4#');
  await expect(game.moves).toHaveCount(4);
  await page.getByRole('button', { name: 'Evaluate the game' }).click();
  await expect(page.locator('#moves .eval')).toHaveCount(3);
  await expect(page.locator('#graph path.curve')).toBeVisible();
  await expect(page.locator('#message')).toContainText('1 blunder. Black:');
  await expect(game.moves.nth(2).locator('.glyphs')).toHaveText('??');
  await expect(page.locator('#bar')).toHaveAttribute('aria-label', 'The game is over: 0-1');
  // From one to the next.
  await page.locator('#first').click();
  await page.getByRole('group', { name: 'White’s mistakes' }).getByRole('button', { name: '1 blunder' }).click();
  await expect(page.locator('#moves [aria-current]')).toHaveText(/^g4/);
  await expect(page.getByRole('button', { name: '0 blunders' })).toBeDisabled();
  await page.getByRole('button', { name: 'Undo: evaluate the game' }).click();
  await expect(page.locator('#moves .glyphs')).toHaveCount(0);
  await expect(page.locator('#mistakes')).toBeHidden();
});

test('on a phone nothing sticks out', async ({ game, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await game.newGame('human', 'human');
  await game.play('e2', 'e4', 'e4');
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  const board = (await page.locator('cg-board').boundingBox())!;
  expect(board.width).toBeGreaterThan(300);
});

test('everything that can be operated has a name', async ({ game, page }) => {
  await game.newGame('human', 'human');
  for (const control of await page.locator('button, input, select, textarea').all()) {
    const name = await control.evaluate((node: HTMLElement) =>
      [node.getAttribute('aria-label'), node.textContent, (node as HTMLInputElement).labels?.[0]?.textContent]
        .find((text) => text?.trim()),
    );
    expect(name, await control.evaluate((node) => node.outerHTML)).toBeTruthy();
  }
});
